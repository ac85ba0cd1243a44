/** Imports: those that were, and those that are under way. */

import { all, describe, get, pages, remove } from "../shell/api.js";
import { button, make, replace, timeAgo } from "../shell/elements.js";
import { formatNumber, t } from "../shell/language.js";
import { list } from "../shell/list.js";
import { save } from "../shell/save.js";
import { toast } from "../shell/toast.js";
import { countsOf, english, loading, panel, table } from "./parts.js";

const PAUSE = 600;
/** Rejected rows that are shown; a file has them all. */
const SHOWN = 100;

export const isOver = ({ state }) => !["queued", "running"].includes(state);

/** `/#admin/imports` */
export function jobsSection() {
  return panel(t("admin.jobs"), list({
    pages: () => pages("/v1/admin/imports"),
    empty: t("admin.jobsNone"),
    row: (job) => make("li", {}, make("a", { class: "admin-row", href: `/#admin/imports/${job.id}` },
      make("span", { class: "admin-who" },
        make("b", {}, make("bdi", { text: job.dataset })),
        make("span", { class: "admin-meta" }, make("bdi", { text: job.fileName }), " · ", timeAgo(job.createdAt),
          job.createdBy ? [" · ", make("bdi", { text: `@${job.createdBy}` })] : null)),
      stateTag(job))),
  }));
}

const stateTag = (job) => make("span", { class: `tag state-${job.state}`,
  text: t(job.dryRun && job.state === "succeeded" ? "admin.state.checked" : `admin.state.${job.state}`) });

/** `/#admin/imports/ID` */
export function jobSection(id) {
  return loading(() => get(`/v1/admin/imports/${id}`), (job) => panel(t("admin.jobOf", { dataset: job.dataset }),
    make("p", { class: "admin-meta" }, make("bdi", { text: job.fileName }), " · ", timeAgo(job.createdAt)),
    jobView(job)));
}

/**
 * An import that may still run: how far it is, a way to cancel it, and its report when it is over. `done(job)` is
 * called then; what it answers with is shown instead of the report.
 */
export function jobView(first, done = null) {
  const element = make("div", { class: "stack" });
  const bar = make("progress", { "aria-label": t("admin.progress") });
  const text = make("p", { class: "hint", role: "status" });
  const cancel = button({ label: t("admin.cancel"), kind: "quiet small", run: async () => {
    try {
      await remove(`/v1/admin/imports/${first.id}`);
    } catch (problem) {
      if (problem.slug !== "already-finished") toast(describe(problem), { kind: "fault" });
    }
  } });
  let said = 0;

  function show(job) {
    const { read, total, part } = job.progress;
    const share = part ?? (total ? read / total : null);
    if (share) bar.value = Math.min(1, share);
    // A screen reader is told now and then.
    if (Date.now() - said < 2000) return;
    said = Date.now();
    text.textContent = job.state === "queued" ? t("admin.queued")
      : total ? t("admin.rowsOf", { count: read, total }) : t("admin.rows", { count: read });
  }

  async function follow() {
    let job = first;
    replace(element, bar, text, make("div", {}, cancel));
    while (!isOver(job)) {
      show(job);
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
      // The section has been left: the import goes on without an onlooker.
      if (!element.isConnected) return;
      try {
        job = await get(`/v1/admin/imports/${first.id}`);
      } catch (problem) {
        if (problem.status === 404 || problem.status === 401) {
          replace(element, make("p", { class: "alert", role: "alert", text: describe(problem) }));
          return;
        }
        text.textContent = describe(problem);
      }
    }
    replace(element, done?.(job) ?? reportOf(job));
  }

  if (isOver(first)) replace(element, done?.(first) ?? reportOf(first));
  else setTimeout(follow);
  return element;
}

/** What an import that is over has done. */
export function reportOf(job) {
  return make("div", { class: "stack" },
    make("p", {}, stateTag(job)),
    job.problem ? make("div", { class: "alert", role: "alert" },
      make("p", {}, english(job.problem.detail || job.problem.title))) : null,
    warningsOf(job), job.state === "cancelled" ? null : countsOf(job), rejectedOf(job));
}

export const warningsOf = ({ warnings }) => (warnings.length ? make("ul", { class: "alert calm warnings" },
  ...warnings.map((each) => make("li", {}, english(each)))) : null);

/** The rows that did not go in, with a file of all of them. */
export function rejectedOf(job) {
  if (!job.rejected) return null;
  const download = button({ label: t("admin.rejectedSave"), kind: "quiet small", run: async () => {
    try {
      const rows = await all(`/v1/admin/imports/${job.id}/errors`);
      const lines = [["row", "field", "message"], ...rows.map(({ row, field, message }) => [row, field, message])];
      save(new Blob([lines.map((line) => line.map(quoted).join(",")).join("\r\n")], { type: "text/csv" }),
        `${job.dataset}-rejected.csv`);
    } catch (problem) {
      toast(describe(problem), { kind: "fault" });
    }
  } });
  return make("div", { class: "stack" }, make("h3", { text: t("admin.rejected", { count: job.rejected }) }),
    table(t("admin.rejected", { count: job.rejected }), job.errors.slice(0, SHOWN), [
      [t("admin.row"), ({ row }) => formatNumber(row, { useGrouping: false })],
      [t("admin.field"), ({ field }) => make("code", { text: field })],
      [t("admin.reason"), ({ message }) => english(message)],
    ]),
    job.rejected > Math.min(SHOWN, job.errors.length)
      ? make("p", { class: "hint", text: t("admin.rejectedMore",
        { count: job.rejected - Math.min(SHOWN, job.errors.length) }) }) : null,
    make("div", {}, download));
}

/** RFC 4180; a text that a spreadsheet would run is made one that it does not. */
function quoted(value) {
  const text = String(value);
  return `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
}
