/** Invite links: making, sharing and taking them back. */

import { all, get, post, remove } from "../shell/api.js";
import { button, make } from "../shell/elements.js";
import { form } from "../shell/form.js";
import { formatDate, t } from "../shell/language.js";
import { ask, openSheet } from "../shell/sheet.js";
import { toast } from "../shell/toast.js";
import { sentence } from "./actions.js";
import { actButton, fillList, say } from "./button.js";
import { copyButton, copyText } from "./copy.js";

const DAY = 86400;
const invites = { items: null, problem: null };

/** Forgets the links of whoever was signed in. */
export function forgetInvites() {
  Object.assign(invites, { items: null, problem: null });
}

/** Whether a link can still be followed. */
const isOpen = (invite) => invite.uses < invite.maxUses && new Date(invite.expiresAt) > new Date();

/** The panel; `panel.load()` fetches the links. */
export function invitePanel() {
  const title = make("h2", { id: "friends-invites-title", tabindex: "-1", text: t("friends.inviteTitle") });
  const rows = make("ul", { class: "people", "aria-label": t("friends.inviteLinks") });
  const status = make("p", { class: "note", role: "status" });

  const draw = () => {
    const open = (invites.items ?? []).filter(isOpen);
    fillList(rows, open.map(row), { home: title });
    say(status, invites.problem ? sentence(invites.problem) : "");
  };

  const row = (invite) => make("li", { class: "person invite", "data-id": invite.code },
    make("div", { class: "who" },
      make("span", { class: "link-text", dir: "ltr", text: linkOf(invite) }),
      make("div", { class: "details" },
        make("span", { text: t("friends.inviteUses", { count: invite.maxUses - invite.uses }) }),
        make("span", { text: t("friends.inviteUntil", { date: formatDate(invite.expiresAt) }) }))),
    make("div", { class: "acts" },
      actButton({ act: "share", label: canShare() ? t("friends.share") : t("friends.copy"), kind: "quiet",
        run: () => share(invite) }),
      actButton({ act: "revoke", label: t("friends.revoke"), kind: "quiet", run: () => revoke(invite) })));

  async function revoke(invite) {
    const gone = await ask({
      title: t("friends.revokeTitle"), text: t("friends.revokeText"), confirm: t("friends.revoke"), danger: true,
      run: async () => {
        try {
          await remove(`/v1/invites/${encodeURIComponent(invite.code)}`);
        } catch (problem) {
          if (problem.status !== 404) throw problem;
        }
        return true;
      },
    });
    if (!gone) return;
    toast(t("friends.revoked"));
    invites.items = invites.items.filter((other) => other.code !== invite.code);
    draw();
  }

  const panel = make("section", { class: "panel", "aria-labelledby": "friends-invites-title" },
    make("div", { class: "panel-head" }, title,
      actButton({ act: "invite", label: t("friends.inviteNew"), kind: "main", run: () => openNew((invite) => {
        invites.items = [invite, ...(invites.items ?? [])];
        draw();
      }) })),
    make("p", { class: "hint", text: t("friends.inviteText") }), status, rows);

  panel.load = async () => {
    try {
      Object.assign(invites, { items: await all("/v1/invites"), problem: null });
    } catch (problem) {
      invites.problem = problem;
    }
    draw();
  };
  draw();
  return panel;
}

const linkOf = (invite) => invite.url ?? `${location.origin}/#invite=${encodeURIComponent(invite.code)}`;
const canShare = () => typeof navigator.share === "function";

/** Hands the link to the system's sharing, or to the clipboard. */
async function share(invite) {
  const url = linkOf(invite);
  if (canShare()) {
    try {
      await navigator.share({ title: t("friends.shareTitle"), text: t("friends.shareText"), url });
      return;
    } catch (error) {
      // Closing the system's sheet is no fault; where sharing is refused, copying still works.
      if (error.name === "AbortError") return;
    }
  }
  if (await copyText(url)) toast(t("friends.copied"));
  else showLink(invite);
}

/** The link in a field, to be copied by hand or shared. */
function showLink(invite) {
  const field = make("input",
    { id: "invite-link", readonly: true, dir: "ltr", "aria-describedby": "invite-link-hint" });
  field.value = linkOf(invite);
  field.addEventListener("focus", () => field.select());
  openSheet({
    title: t("friends.inviteReady"),
    modal: true,
    content: make("div", { class: "stack" },
      make("div", { class: "field" },
        make("label", { for: "invite-link", text: t("friends.inviteLink") }), field,
        make("p", { class: "hint", id: "invite-link-hint", text: [
          t("friends.inviteUses", { count: invite.maxUses - invite.uses }),
          t("friends.inviteUntil", { date: formatDate(invite.expiresAt) }),
        ].join(" · ") })),
      make("div", { class: "sheet-acts" },
        copyButton(field, canShare() ? "quiet" : ""),
        canShare() ? button({ label: t("friends.share"), run: () => share(invite) }) : null)),
  });
}

function openNew(made) {
  const days = (count) => ({ value: String(count * DAY), label: t("friends.days", { count }) });
  const content = form({
    name: "invite",
    fields: [
      { name: "expiresIn", label: t("friends.inviteExpiry"), type: "select", required: true, value: String(7 * DAY),
        options: [days(1), days(7), days(30)] },
      { name: "maxUses", label: t("friends.inviteMaxUses"), type: "select", required: true, value: "1",
        options: [1, 5, 20, 100].map((count) => ({ value: String(count), label: t("friends.people", { count }) })) },
    ],
    submit: {
      label: t("friends.inviteMake"),
      async run(values) {
        const invite = await post("/v1/invites",
          { expiresIn: Number(values.expiresIn), maxUses: Number(values.maxUses) });
        sheet.close();
        made({ uses: 0, maxUses: Number(values.maxUses), ...invite });
        showLink({ uses: 0, maxUses: Number(values.maxUses), ...invite });
      },
    },
  });
  const sheet = openSheet({ title: t("friends.inviteNew"), content, modal: true });
}

/** Who invites by `code`, for anybody who has it. */
export const inviteOf = (code) => get(`/v1/invites/${encodeURIComponent(code)}`);
/** Makes the viewer a friend of whoever invites by `code`. */
export const acceptInvite = (code) => post(`/v1/invites/${encodeURIComponent(code)}/accept`);

