/** Bringing pins along, and taking them away. */

import { all, describe, get, post } from "../shell/api.js";
import { button, make, replace } from "../shell/elements.js";
import { faultText } from "../shell/faults.js";
import { form } from "../shell/form.js";
import { formatNumber, t } from "../shell/language.js";
import { save } from "../shell/save.js";
import { session } from "../shell/session.js";
import { toast } from "../shell/toast.js";
import { withUsername } from "./account.js";
import { panel } from "./parts.js";
import { reportOf } from "./report.js";

/** Bytes of a file that the server takes. */
const MOST_BYTES = 16 * 1024 * 1024;
const CATEGORIES = ["food", "nightlife", "nature", "shopping", "culture", "education", "other"];
const FORMATS = ["geojson", "gpx", "kml", "csv"];

export function pinsSection() {
  return make("div", { class: "stack" }, importPanel(), exportPanel(), everythingPanel());
}

function importPanel() {
  const file = make("input", { type: "file", id: "import-file",
    accept: ".json,.geojson,.geojsonl,.ndjson,.gpx,.kml,.csv,.txt,application/json,application/geo+json,text/csv",
    "aria-describedby": "import-file-hint" });
  const result = make("div", { class: "report", tabindex: "-1" });
  const circles = { items: [] };

  const run = async (values, dryRun) => {
    replace(result, make("p", { class: "waiting", role: "status", text: t("profile.importing") }));
    const [audience, circleId] = values.audience.split(":");
    try {
      const report = await post("/v1/pins/import", values.file, { query: {
        dryRun: dryRun ? "true" : null, category: values.category, audience, circleId,
      } });
      replace(result, reportOf(report, values.file.name, dryRun));
      result.focus({ preventScroll: true });
      result.scrollIntoView({ block: "nearest" });
      if (!dryRun) session.reload().catch(() => {});
    } catch (problem) {
      replace(result);
      const fault = problem.errors?.find(({ field }) => field === "body" || field === "format");
      if (!fault) throw problem;
      const reason = faultText(fault.message) ?? fault.message;
      fields.fault("file", t("profile.importUnreadable", { reason }));
    }
  };

  const audiences = () => [
    { value: "private", label: t("profile.audience.private") },
    { value: "friends", label: t("profile.audience.friends") },
    ...circles.items.map((circle) => ({ value: `circle:${circle.id}`,
      label: t("profile.audience.circle", { name: `\u2068${circle.name}\u2069` }) })),
  ];

  const fields = form({
    name: null,
    fields: [
      { name: "file", type: "custom",
        element: make("div", { class: "field" }, make("label", { for: "import-file", text: t("profile.importFile") }),
          file, make("p", { class: "hint", id: "import-file-hint", text: t("profile.importHint") })),
        read: () => file.files[0] ?? null,
        check: (chosen) => (chosen ? tooLarge(chosen) : t("profile.importNoFile")) },
      { name: "audience", label: t("profile.importAudience"), type: "select", required: true, value: "private",
        options: audiences(), hint: t("profile.importAudienceHint") },
      { name: "category", label: t("profile.importCategory"), type: "select", required: true, value: "other",
        options: CATEGORIES.map((value) => ({ value, label: t(`profile.category.${value}`) })) },
    ],
    submit: { label: t("profile.importRun"), run: (values) => run(values, false) },
  });
  all("/v1/circles").then((items) => {
    circles.items = items;
    const select = fields.querySelector("[name=audience]");
    const value = select.value;
    replace(select, audiences().map((each) => make("option", { value: each.value, text: each.label })));
    select.value = value;
  }, () => {});

  const attempt = button({ label: t("profile.importTry"), kind: "quiet", run: async () => {
    const values = fields.get();
    const fault = values.file ? tooLarge(values.file) : t("profile.importNoFile");
    if (fault) {
      fields.fault("file", fault);
      return;
    }
    try {
      await run(values, true);
    } catch (problem) {
      fields.showProblem(problem);
    }
  } });
  fields.querySelector(".form-foot").prepend(attempt);
  file.addEventListener("change", () => {
    replace(result);
    fields.clear("file");
  });
  return panel("import", t("profile.import"), make("p", { class: "hint", text: t("profile.importText") }), fields,
    result);
}

const tooLarge = (file) => (file.size > MOST_BYTES
  ? t("profile.importTooLarge", { size: formatNumber(Math.ceil(file.size / 1048576)) }) : null);

function exportPanel() {
  const buttons = FORMATS.map((format) => button({
    label: t(`profile.format.${format}`), kind: "quiet", run: async () => {
      try {
        const blob = await get(`/v1/me/pins.${format}`, { as: "blob", accept: "*/*" });
        save(blob, `pinfold-${session.user.username}.${format}`);
        toast(t("profile.exported"));
      } catch (problem) {
        toast(describe(problem), { kind: "fault" });
      }
    },
  }));
  return panel("export", t("profile.export"), make("p", { class: "hint", text: t("profile.exportText") }),
    make("div", { class: "sheet-acts at-start" }, ...buttons));
}

function everythingPanel() {
  const fields = form({
    name: null,
    fields: [{ name: "password", label: t("profile.password"), type: "password", required: true,
      autocomplete: "current-password", maxlength: 256 }],
    submit: {
      label: t("profile.everythingGet"),
      async run({ password }) {
        save(await post("/v1/me/export", { password }, { as: "blob", accept: "*/*" }),
          `pinfold-${session.user.username}.zip`);
        fields.reset();
        toast(t("profile.exported"));
      },
    },
  });
  return panel("everything", t("profile.everything"), make("p", { class: "hint", text: t("profile.everythingText") }),
    withUsername(fields, session.user?.username ?? ""));
}

