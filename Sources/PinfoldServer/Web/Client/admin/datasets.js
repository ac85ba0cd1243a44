/** The datasets that are there: what is said of them, their versions, and their end. */

import { all, get, pages, patch, post, remove } from "../shell/api.js";
import { button, make, timeAgo } from "../shell/elements.js";
import { form } from "../shell/form.js";
import { formatDate, formatNumber, phrase, t } from "../shell/language.js";
import { list } from "../shell/list.js";
import * as router from "../shell/router.js";
import { ask } from "../shell/sheet.js";
import { toast } from "../shell/toast.js";
import { datasets } from "../map/datasets.js";
import { countsOf, loading, panel } from "./parts.js";

/** `/#admin/datasets` */
export function datasetsSection() {
  return loading(() => all("/v1/datasets"), (found) => panel(t("admin.datasets"), list({
    items: found,
    empty: t("admin.datasetsNone"),
    row: (dataset) => make("li", {}, make("a", { class: "admin-row", href: `/#admin/datasets/${dataset.name}` },
      make("span", { class: "admin-who" },
        make("b", {}, make("bdi", { text: dataset.title })),
        make("span", { class: "admin-meta" }, make("code", { text: dataset.name }), " · ", timeAgo(dataset.updatedAt))),
      make("span", { class: "tag", text: t("admin.landmarks", { count: dataset.count }) }))),
  })));
}

/** `/#admin/datasets/NAME` */
export function datasetSection(name) {
  const path = `/v1/admin/datasets/${encodeURIComponent(name)}`;
  const element = make("div", { class: "stack" });
  const draw = () => element.replaceChildren(
    loading(() => get(`/v1/datasets/${encodeURIComponent(name)}`), (dataset) => make("div", { class: "stack" },
      headPanel(dataset, path), versionsPanel(dataset, path, draw), endPanel(dataset, path))));
  draw();
  return element;
}

function headPanel(dataset, path) {
  const text = (field, more = {}) => ({ name: field, label: t(`admin.field.${field}`), value: dataset[field] ?? "",
    ...more });
  return panel(dataset.title,
    make("p", { class: "admin-meta" }, make("code", { text: dataset.name }), " · ",
      t("admin.landmarks", { count: dataset.count }), " · ", t("admin.version", { number: String(dataset.version) })),
    form({
      name: null,
      fields: [
        text("title", { required: true, maxlength: 200 }),
        text("description", { type: "textarea", maxlength: 2000, rows: 3 }),
        text("attribution", { maxlength: 500, hint: t("admin.attributionHint") }),
        text("licence", { maxlength: 200 }),
        text("sourceURL", { type: "url", maxlength: 2000 }),
      ],
      submit: { label: t("admin.save"), async run(values) {
        await patch(path, Object.fromEntries(Object.entries(values).map(([key, value]) => [key, value || null])));
        toast(t("admin.saved"));
        datasets.refresh();
      } },
    }));
}

function versionsPanel(dataset, path, changed) {
  const restore = async (version) => {
    const done = await ask({ title: t("admin.restoreTitle", { number: String(version.number) }),
      text: t("admin.restoreText", { count: version.count }), confirm: t("admin.restore"),
      run: async () => {
        await post(`${path}/versions/${version.number}/restore`);
        return true;
      } });
    if (!done) return;
    toast(t("admin.restored", { number: String(version.number) }));
    datasets.refresh();
    changed();
  };
  return panel(t("admin.versions"), list({
    pages: () => pages(`${path}/versions`),
    key: (version) => version.number,
    empty: t("admin.versionsNone"),
    row: (version) => make("li", { class: "version" },
      make("div", { class: "admin-row" },
        make("span", { class: "admin-who" },
          make("b", { text: t("admin.version", { number: String(version.number) }) }),
          make("span", { class: "admin-meta" }, formatDate(version.createdAt, "full"),
            version.createdBy ? [" · ", make("bdi", { text: `@${version.createdBy}` })] : null,
            version.restores ? ` · ${t("admin.restores", { number: String(version.restores) })}` : null)),
        version.current ? make("span", { class: "tag", text: t("admin.current") })
          : button({ label: t("admin.restore"), kind: "quiet small",
            "aria-label": t("admin.restoreOf", { number: String(version.number) }), run: () => restore(version) })),
      countsOf(version)),
  }));
}

function endPanel(dataset, path) {
  return panel(t("admin.delete"),
    make("p", { class: "hint", text: t("admin.deleteText", { count: dataset.count }) }),
    make("div", {}, button({ label: t("admin.delete"), kind: "danger", run: async () => {
      const done = await ask({
        title: phrase("admin.deleteTitle", { dataset: dataset.title }), confirm: t("admin.delete"), danger: true,
        text: t("admin.deleteText", { count: dataset.count }),
        fields: [{ name: "typed", label: t("admin.deleteTyped", { name: dataset.name }), required: true,
          autocomplete: "off", check: (typed) => (typed === dataset.name ? null : t("admin.deleteWrong")) }],
        run: async () => {
          await remove(path);
          return true;
        },
      });
      if (!done) return;
      toast(phrase("admin.deleted", { dataset: dataset.title }));
      datasets.refresh();
      router.go("/#admin/datasets");
    } })));
}
