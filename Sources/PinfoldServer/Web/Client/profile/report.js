/** What became of each row of an imported file. */

import { make } from "../shell/elements.js";
import { formatNumber, t } from "../shell/language.js";
import { faultText } from "../shell/faults.js";

/** The server's names of what a place has that there are words for. */
const FIELDS = ["address", "checkin", "comment", "coordinates", "feature", "geometry", "latitude", "longitude", "name",
  "ownerId", "rating", "type"];

/** Rows of a table that are shown; the rest is counted. */
const ROWS = 200;

/** The report of `/v1/pins/import` for the file called `name`. */
export function reportOf(report, name, isDryRun) {
  const done = report.created + report.updated + report.unchanged;
  const bad = report.rejected.length + report.notPlaced.length;
  return make("div", { class: "stack" },
    make("h3", { dir: "auto", text: t(isDryRun ? "profile.reportTry" : "profile.reportDone",
      { name: `\u2068${name}\u2069` }) }),
    make("dl", { class: "sums" },
      ...sum("created", report.created), ...sum("updated", report.updated), ...sum("unchanged", report.unchanged),
      ...(bad ? sum("rejected", bad) : [])),
    !done && !bad ? make("p", { text: t("profile.reportEmpty") }) : null,
    table("rejected", report.rejected, [
      ["row", ({ row }) => row], ["field", ({ field }) => named(field)],
      ["reason", ({ message }) => faultText(message) ?? make("span", { lang: "en", text: message })],
    ]),
    table("notPlaced", report.notPlaced, [
      ["row", ({ row }) => row], ["name", (each) => make("bdi", { text: each.name })],
      ["reason", ({ reason }) => faultText(reason) ?? make("span", { lang: "en", text: reason })],
    ]),
    table("shortened", report.shortened, [
      ["row", ({ row }) => row], ["field", ({ field }) => named(field)],
    ]));
}

const named = (field) => (FIELDS.includes(field) ? t(`profile.reportField.${field}`)
  : make("code", { text: field }));

const sum = (key, count) => [make("dt", { text: t(`profile.report.${key}`) }),
  make("dd", { text: formatNumber(count) })];

function table(key, rows, columns) {
  if (!rows.length) return null;
  return make("div", { class: "report-table" },
    make("table", {},
      make("caption", { text: t(`profile.reportTable.${key}`, { count: rows.length }) }),
      make("thead", {}, make("tr", {}, ...columns.map(([name]) =>
        make("th", { scope: "col", text: t(`profile.reportColumn.${name}`) })))),
      make("tbody", {}, ...rows.slice(0, ROWS).map((each) =>
        make("tr", {}, ...columns.map(([, cell]) => make("td", {}, shown(cell(each)))))))),
    rows.length > ROWS ? make("p", { class: "hint", text: t("profile.reportMore", { count: rows.length - ROWS }) })
      : null);
}

const shown = (value) => (typeof value === "number" ? formatNumber(value, { useGrouping: false }) : value);
