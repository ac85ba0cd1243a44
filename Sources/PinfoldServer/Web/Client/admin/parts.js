/** What the sections of the admin page are made of. */

import { describe, Problem } from "../shell/api.js";
import { button, make, replace } from "../shell/elements.js";
import { formatNumber, t } from "../shell/language.js";

let counter = 0;

/** A part of a section under a heading of its own. */
export function panel(title, ...children) {
  counter += 1;
  const id = `admin-title-${counter}`;
  return make("section", { class: "panel stack", "aria-labelledby": id },
    make("h2", { id, tabindex: "-1", text: title }), ...children);
}

/** What `build` makes of what `fetch` brings; where that fails, why, and another try. */
export function loading(fetch, build) {
  const box = make("div", { class: "stack" });
  const start = async () => {
    replace(box, make("p", { class: "waiting", role: "status", text: t("shell.list.loading") }));
    try {
      replace(box, build(await fetch()));
    } catch (problem) {
      if (!(problem instanceof Problem)) reportError(problem);
      replace(box, make("div", { class: "alert", role: "alert" }, make("p", { text: describe(problem) }),
        button({ label: t("shell.retry"), kind: "quiet small", run: start })));
    }
  };
  start();
  return box;
}

/** Numbers under their names: `[[name, number], …]`. */
export const sums = (pairs) => make("dl", { class: "admin-sums" }, ...pairs.flatMap(([name, number]) =>
  [make("dt", { text: name }), make("dd", { text: formatNumber(number) })]));

/** What an import did, or would do. */
export const countsOf = (report) => sums(["inserted", "updated", "unchanged", "removed", "rejected"]
  .map((name) => [t(`admin.count.${name}`), report[name] ?? 0]));

/** A table: `columns` are `[title, cell(row)]`. It can be scrolled by keys where it is too wide. */
export function table(caption, rows, columns) {
  return make("div", { class: "table-frame", tabindex: "0", role: "region", "aria-label": caption },
    make("table", {}, make("caption", { class: "unseen", text: caption }),
      make("thead", {}, make("tr", {}, ...columns.map(([title]) => make("th", { scope: "col", text: title })))),
      make("tbody", {}, ...rows.map((row) => make("tr", {}, ...columns.map(([, cell]) =>
        make("td", {}, cell(row))))))));
}

/** A text of the server in its own language, where there is no other. */
export const english = (text) => make("span", { lang: "en", text });
