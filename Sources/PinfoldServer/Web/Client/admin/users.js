/** Who may do what. */

import { describe, pages, patch } from "../shell/api.js";
import { button, make, nameOf, usernameOf } from "../shell/elements.js";
import { formatDate, t } from "../shell/language.js";
import { list } from "../shell/list.js";
import { session } from "../shell/session.js";
import { ask } from "../shell/sheet.js";
import { toast } from "../shell/toast.js";
import { panel } from "./parts.js";

const PAUSE = 250;
const ROLES = ["user", "curator", "admin"];

/** `/#admin/users` */
export function usersSection() {
  let wanted = "";
  let timer = 0;
  const search = make("input", { type: "search", id: "admin-users", autocomplete: "off", maxlength: "100", dir: "auto",
    oninput: () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        wanted = search.value.trim();
        users.reload();
      }, PAUSE);
    } });
  const users = list({
    pages: () => pages("/v1/admin/users", { query: { q: wanted } }),
    empty: t("admin.usersNone"),
    row: (user) => row(user),
  });

  return panel(t("admin.users"),
    make("div", { class: "field" }, make("label", { for: "admin-users", text: t("admin.usersFind") }), search), users);
}

function row(user) {
  const element = make("li", { class: "admin-row user", "data-id": user.id });
  const isSelf = user.id === session.user?.id;

  async function change(changes) {
    try {
      Object.assign(user, await patch(`/v1/admin/users/${user.id}`, changes));
      toast(t("admin.saved"));
    } catch (problem) {
      toast(problem.slug === "last-admin" ? t("admin.lastAdmin") : describe(problem), { kind: "fault" });
    }
    draw();
  }

  async function suspend() {
    const isSure = user.suspended || await ask({ title: t("admin.suspendTitle", { name: `@${usernameOf(user)}` }),
      text: t("admin.suspendText"), confirm: t("admin.suspend"), danger: true });
    if (isSure) await change({ suspended: !user.suspended });
  }

  function draw() {
    const name = `@${usernameOf(user)}`;
    const role = make("select", { "aria-label": t("admin.roleOf", { name }),
      onchange: () => change({ role: role.value }) },
    ...ROLES.map((each) =>
      make("option", { value: each, text: t(`admin.role.${each}`), selected: each === user.role })));
    const had = element.contains(document.activeElement) ? document.activeElement.tagName : null;
    element.replaceChildren(
      make("span", { class: "admin-who" },
        make("b", {}, make("bdi", { text: nameOf(user) })),
        make("span", { class: "admin-meta" }, make("bdi", { text: name }), " · ",
          make("bdi", { text: user.email ?? "" }), " · ", formatDate(user.createdAt))),
      user.suspended ? make("span", { class: "tag fault", text: t("admin.suspended") }) : "",
      make("span", { class: "acts" }, role, isSelf ? "" : button({ kind: "quiet small",
        label: t(user.suspended ? "admin.unsuspend" : "admin.suspend"),
        "aria-label": t(user.suspended ? "admin.unsuspendOf" : "admin.suspendOf", { name }), run: suspend })));
    if (had) element.querySelector(had === "SELECT" ? "select" : "button")?.focus();
  }

  draw();
  return element;
}
