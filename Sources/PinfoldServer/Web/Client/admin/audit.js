/** What admins and curators have done. */

import { pages } from "../shell/api.js";
import { make, timeAgo } from "../shell/elements.js";
import { t } from "../shell/language.js";
import { list } from "../shell/list.js";
import { panel } from "./parts.js";

/** The actions for which there are words. */
const ACTIONS = { "import": "import", "import.cancel": "importCancel", "dataset.change": "datasetChange",
  "dataset.delete": "datasetDelete", "dataset.restore": "datasetRestore", "user.role": "userRole",
  "user.suspend": "userSuspend", "user.unsuspend": "userUnsuspend" };

/** `/#admin/audit` */
export function auditSection() {
  return panel(t("admin.audit"), list({
    pages: () => pages("/v1/admin/audit"),
    empty: t("admin.auditNone"),
    row: (entry) => make("li", { class: "admin-row" }, make("span", { class: "admin-who" },
      make("b", {}, ACTIONS[entry.action] ? t(`admin.action.${ACTIONS[entry.action]}`)
        : make("code", { text: entry.action }), " ", make("bdi", { text: entry.subject ?? "" })),
      make("span", { class: "admin-meta" },
        entry.username ? make("bdi", { text: `@${entry.username}` }) : t("admin.commandLine"),
        " · ", timeAgo(entry.at), entry.detail ? [" · ", make("code", { text: told(entry.detail) })] : null))),
  }));
}

const told = (detail) => Object.entries(detail)
  .map(([key, value]) => `${key}: ${typeof value === "object" ? JSON.stringify(value) : value}`).join(", ");
