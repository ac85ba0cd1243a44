/** A file becomes a dataset: chosen, checked, its columns told, looked at on a map, and only then taken in. */

import { all, describe, post, Problem } from "../shell/api.js";
import { button, icon, make, replace } from "../shell/elements.js";
import { faultText } from "../shell/faults.js";
import { form } from "../shell/form.js";
import { formatNumber, phrase, t } from "../shell/language.js";
import { datasets } from "../map/datasets.js";
import { jobView, rejectedOf, reportOf, warningsOf } from "./jobs.js";
import { countsOf, english, panel } from "./parts.js";
import { preview } from "./preview.js";
import { upload } from "./upload.js";

const MOST_BYTES = 4 * 1024 ** 3;
const MOST_COLUMNS = 300;
const NAME = /^[a-z0-9._-]{1,64}$/;
const FORMATS = ["geojson", "csv", "kml", "gpx", "shapefile", "geopackage", "osm"];
/** What of a landmark a column can be. */
const FIELDS = ["name", "latitude", "longitude", "geometry", "category", "description", "address", "website", "phone",
  "openingHours", "imageURL"];

/** `/#admin/import` */
export function importSection() {
  const result = make("div", { class: "stack" });
  const map = preview();
  let chosen = null;
  let sending = null;

  const file = make("input", { type: "file", id: "admin-file", "aria-describedby": "admin-file-hint" });
  const said = make("p", { class: "hint", id: "admin-file-hint", role: "status", text: t("admin.fileHint") });
  const zone = make("div", { class: "drop-zone field" },
    icon("file", 24), make("label", { for: "admin-file", text: t("admin.file") }), file, said);

  function choose(next) {
    chosen = next;
    fields.clear("file");
    said.textContent = next
      ? t("admin.fileChosen", { name: `\u2068${next.name}\u2069`, size: sizeOf(next.size) }) : t("admin.fileHint");
    const dataset = fields.querySelector("[name=dataset]");
    if (next && !dataset.value) fields.set("dataset", nameFrom(next.name));
    replace(result);
  }

  for (const kind of ["dragenter", "dragover"]) {
    zone.addEventListener(kind, (event) => {
      event.preventDefault();
      zone.classList.add("over");
    });
  }
  zone.addEventListener("dragleave", ({ relatedTarget }) => {
    if (!zone.contains(relatedTarget)) zone.classList.remove("over");
  });
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    zone.classList.remove("over");
    const [dropped] = event.dataTransfer.files;
    if (dropped) choose(dropped);
  });
  file.addEventListener("change", () => choose(file.files[0] ?? null));

  const fields = form({
    name: null,
    fields: [
      { name: "file", type: "custom", element: zone, read: () => chosen,
        check: (each) => (each ? each.size > MOST_BYTES ? t("admin.fileTooLarge") : null : t("admin.fileNone")) },
      { name: "dataset", label: t("admin.dataset"), required: true, maxlength: 64, hint: t("admin.datasetHint"),
        autocomplete: "off", check: (name) => (NAME.test(name) ? null : t("admin.datasetWrong")) },
      { name: "title", label: t("admin.field.title"), maxlength: 200 },
      { name: "attribution", label: t("admin.field.attribution"), maxlength: 500, hint: t("admin.attributionHint") },
      { name: "licence", label: t("admin.field.licence"), maxlength: 200 },
      { name: "sourceURL", label: t("admin.field.sourceURL"), type: "url", maxlength: 2000 },
      { name: "mode", label: t("admin.mode"), type: "select", required: true, value: "replace",
        options: ["replace", "merge"].map((value) => ({ value, label: t(`admin.mode.${value}`) })) },
      { name: "maxRemoved", label: t("admin.maxRemoved"), type: "number", value: "20",
        hint: t("admin.maxRemovedHint"),
        check: (part) => (Number(part) >= 0 && Number(part) <= 100 ? null : t("admin.maxRemovedHint")) },
      { name: "format", label: t("admin.format"), type: "select", required: true, value: "any",
        options: [{ value: "any", label: t("admin.formatAny") },
          ...FORMATS.map((value) => ({ value, label: t(`admin.format.${value}`) }))] },
      { name: "crs", label: t("admin.crs"), maxlength: 100, placeholder: "EPSG:4326", hint: t("admin.crsHint") },
      { name: "layer", label: t("admin.layer"), maxlength: 200 },
      { name: "strict", label: t("admin.strict"), type: "checkbox" },
    ],
    submit: { label: t("admin.check"), run: send },
  });
  const fieldOf = (name) => fields.querySelector(`[name=${name}]`).closest(".field, label");
  const more = make("details", { class: "more" }, make("summary", { text: t("admin.more") }));
  fieldOf("mode").before(more);
  more.append(make("div", { class: "form" },
    ...["mode", "maxRemoved", "format", "crs", "layer", "strict"].map(fieldOf)));
  // A fault that is folded away would not be found.
  fields.addEventListener("submit", () => setTimeout(() => {
    const wrong = more.querySelector("[aria-invalid]");
    if (!wrong) return;
    more.open = true;
    if (!fields.querySelector("[aria-invalid]:focus")) wrong.focus();
  }));
  suggest(fields.querySelector("[name=dataset]"));

  const options = () => {
    const { file: _, strict, format, ...texts } = fields.get();
    return { ...texts, format: format === "any" ? null : format, strict: strict ? "true" : null };
  };

  async function send() {
    const bar = make("progress", { max: 1, value: 0, "aria-label": t("admin.sending") });
    sending?.abort();
    sending = new AbortController();
    const mine = sending;
    replace(result, make("p", { class: "hint", role: "status", text: t("admin.sending") }), bar,
      make("div", {}, button({ label: t("admin.cancel"), kind: "quiet small", run: () => mine.abort() })));
    try {
      show(await upload(chosen, { ...options(), dryRun: "true" },
        { progress: (part) => { bar.value = part; }, signal: mine.signal }));
    } catch (problem) {
      replace(result);
      if (mine.signal.aborted) return;
      const fault = problem.errors?.find(({ field }) => ["body", "file", "fileName"].includes(field));
      if (!fault) throw problem;
      fields.fault("file", faultText(fault.message) ?? english(fault.message));
    }
  }

  /** Follows an import that only tries, up to its report. */
  function show(job) {
    replace(result, panel(t("admin.checking"), jobView(job, review)));
    result.scrollIntoView({ block: "nearest" });
  }

  /** The report of a trial: what would be done, by which columns, and the first rows on a map. */
  function review(job) {
    const selects = new Map();
    const columns = job.columns.slice(0, MOST_COLUMNS);
    const select = (field, label, value) => {
      const id = `admin-map-${field}`;
      const element = make("select", { id }, make("option", { value: "", text: t("admin.columnAny") }),
        ...columns.map((column) => make("option", { value: column, text: column, selected: column === value })));
      selects.set(field, element);
      return make("div", { class: "field" }, make("label", { for: id, text: label }), element);
    };
    const alert = make("div", { class: "alert", role: "alert", hidden: true });
    const again = async (more) => {
      alert.hidden = true;
      const mapping = Object.fromEntries(FIELDS.map((field) => [field, selects.get(field)?.value])
        .filter(([, column]) => column));
      try {
        return await post("/v1/admin/imports", undefined, { query: { ...options(), from: job.id,
          mapping: Object.keys(mapping).length ? JSON.stringify(mapping) : null,
          key: selects.get("key")?.value || null, ...more } });
      } catch (problem) {
        if (!(problem instanceof Problem)) throw problem;
        alert.hidden = false;
        const lines = problem.errors.map(({ field, message }) => `${field} ${message}`);
        replace(alert, lines.length ? english(lines.join(". ")) : describe(problem));
        return null;
      }
    };
    const check = button({ label: t("admin.checkAgain"), kind: "quiet", run: async () => {
      const next = await again({ dryRun: "true" });
      if (next) show(next);
    } });
    const take = (label, more) => button({ label, run: async () => {
      const next = await again(more);
      if (next) finish(next);
    } });
    const isGood = job.state === "succeeded";
    const isForced = /\/(too-many-removed|positions-at-zero)$/.test(job.problem?.type ?? "");
    const heading = make("h3", { tabindex: "-1", text: t(isGood ? "admin.reviewGood" : "admin.reviewBad") });
    setTimeout(() => heading.focus({ preventScroll: true }));
    const view = make("div", { class: "stack" }, heading,
      job.problem ? make("div", { class: "alert" }, make("p", {}, english(job.problem.detail || job.problem.title)))
        : null,
      make("p", { class: "admin-meta" }, ...detected(job)),
      warningsOf(job), isGood ? countsOf(job) : null, rejectedOf(job),
      columns.length ? make("details", { class: "more", open: !isGood },
        make("summary", { text: t("admin.mapping") }),
        make("div", { class: "mapping" }, ...FIELDS.map((field) =>
          select(field, t(`admin.landmark.${field}`), job.mapping[field])),
        select("key", t("admin.key"), job.mapping.key)),
        make("p", { class: "hint", text: t("admin.mappingHint") })) : null,
      job.sample.length ? map.element : null,
      alert,
      make("div", { class: "sheet-acts at-start" }, check,
        isGood ? take(t("admin.importNow"), {}) : null,
        isForced ? take(t("admin.importForced"), { force: "true" }) : null));
    if (job.sample.length) map.show(job.sample);
    return view;
  }

  function finish(job) {
    replace(result, panel(t("admin.importing"), jobView(job, (over) => {
      if (over.state !== "succeeded") return reportOf(over);
      datasets.refresh();
      return make("div", { class: "stack" },
        make("p", { class: "alert calm", role: "status" }, ...phrase("admin.done", { dataset: over.dataset })),
        reportOf(over),
        make("p", {}, make("a", { href: `/#admin/datasets/${over.dataset}`, text: t("admin.toDataset") }), " · ",
          make("a", { href: "/#map", text: t("admin.toMap") })));
    })));
    result.scrollIntoView({ block: "nearest" });
  }

  return Object.assign(make("div", { class: "stack" },
    panel(t("admin.import"), make("p", { class: "hint", text: t("admin.importText") }), fields), result),
  { leave: () => {
    sending?.abort();
    map.remove();
  } });
}

const sizeOf = (bytes) => (bytes < 1e6 ? formatNumber(Math.max(1, Math.round(bytes / 1000)), { style: "unit",
  unit: "kilobyte" }) : formatNumber(bytes / 1e6, { style: "unit", unit: "megabyte", maximumFractionDigits: 1 }));

/** The name of a dataset, out of that of a file. */
const nameFrom = (name) => name.toLowerCase().replace(/(\.[a-z0-9]{1,8}){1,2}$/, "").normalize("NFKD")
  .replace(/\p{M}/gu, "").replace(/[^a-z0-9._-]+/g, "-").replace(/^[-.]+|[-.]+$/g, "").slice(0, 64);

/** The names of datasets that are there, to be imported again. */
async function suggest(input) {
  const names = make("datalist", { id: "admin-datasets" });
  input.setAttribute("list", names.id);
  input.after(names);
  try {
    replace(names, (await all("/v1/datasets")).map(({ name, title }) => make("option", { value: name, text: title })));
  } catch {
    // A name can be typed.
  }
}

function detected({ format, crs, columns }) {
  const parts = [
    format ? t(FORMATS.includes(format) ? `admin.format.${format}` : "admin.formatOther", { name: format }) : null,
    crs ? make("bdi", { text: crs }) : null,
    columns.length ? t("admin.columns", { count: columns.length }) : null,
  ].filter(Boolean);
  return parts.flatMap((part, index) => [index ? " · " : null, part]).filter(Boolean);
}
