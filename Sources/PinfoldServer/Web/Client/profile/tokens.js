/** Tokens for scripts and map programs. */

import { all, post, remove } from "../shell/api.js";
import { button, make, timeAgo } from "../shell/elements.js";
import { form } from "../shell/form.js";
import { formatDate, t } from "../shell/language.js";
import { ask, openSheet } from "../shell/sheet.js";
import { toast } from "../shell/toast.js";
import { actButton, fillList } from "../friends/button.js";
import { copyButton } from "../friends/copy.js";
import { isolate } from "../friends/names.js";
import { loading, panel } from "./parts.js";

const DAY = 86400_000;
const SCOPES = ["read", "write", "import"];

export function tokensSection() {
  return loading(() => all("/v1/me/tokens"), (found) => {
    let tokens = found;
    const list = make("ul", { class: "people", "aria-labelledby": "profile-tokens-title" });

    const row = (token) => make("li", { class: "person", "data-id": token.id },
      make("div", { class: "who" },
        make("b", { class: "name" }, make("bdi", { text: token.name })),
        make("div", { class: "details" },
          make("span", { text: token.scopes.map((scope) => t(`profile.scope.${scope}`)).join(", ") }),
          make("span", { text: t("profile.madeOn", { date: formatDate(token.createdAt) }) }),
          token.expiresAt ? make("span", { class: isOver(token) ? "over" : null,
            text: t(isOver(token) ? "profile.expiredOn" : "profile.expiresOn", { date: formatDate(token.expiresAt) }) })
            : make("span", { text: t("profile.neverExpires") }),
          token.lastUsedAt ? make("span", {}, t("profile.lastUsed"), " ", timeAgo(token.lastUsedAt)) : null)),
      make("div", { class: "acts" }, actButton({ act: "revoke", label: t("profile.tokenRevoke"), about: token.name,
        run: () => revoke(token) })));

    async function revoke(token) {
      const gone = await ask({
        title: t("profile.tokenRevokeTitle", { name: isolate(token.name) }), text: t("profile.tokenRevokeText"),
        confirm: t("profile.tokenRevoke"), danger: true,
        run: async () => {
          try {
            await remove(`/v1/me/tokens/${token.id}`);
          } catch (problem) {
            if (problem.status !== 404) throw problem;
          }
          return true;
        },
      });
      if (!gone) return;
      tokens = tokens.filter((other) => other.id !== token.id);
      toast(t("profile.tokenRevoked", { name: isolate(token.name) }));
      draw();
    }

    const element = panel("tokens", t("profile.tokens"),
      make("p", { class: "hint" }, `${t("profile.tokensText")} `,
        make("a", { href: "/docs", text: t("profile.docs") })),
      list, make("div", { class: "sheet-acts" }, button({ label: t("profile.tokenNew"), run: () => openNew((token) => {
        tokens = [token, ...tokens];
        draw();
      }) })));

    function draw() {
      fillList(list, tokens.map(row), { home: element.querySelector("h2"), nothing: t("profile.tokensNone") });
    }
    draw();
    return element;
  });
}

const isOver = (token) => new Date(token.expiresAt) < new Date();

function openNew(made) {
  const boxes = SCOPES.map((scope) => make("label", { class: "tick" },
    make("input", { type: "checkbox", value: scope, checked: scope === "read" }),
    make("span", {}, make("span", { text: t(`profile.scope.${scope}`) }),
      make("small", { class: "hint", text: t(`profile.scopeText.${scope}`) }))));
  const ticks = make("fieldset", { class: "ticks-field" }, make("legend", { text: t("profile.scopes") }), ...boxes);
  const content = form({
    name: "token",
    fields: [
      { name: "name", label: t("profile.tokenName"), required: true, maxlength: 100, hint: t("profile.tokenNameHint") },
      { name: "scopes", type: "custom", element: ticks,
        read: () => boxes.map((box) => box.firstChild).filter((box) => box.checked).map((box) => box.value),
        write: (scopes) => {
          for (const box of boxes) if (scopes) box.firstChild.checked = scopes.includes(box.firstChild.value);
        },
        check: (scopes) => (scopes.length ? null : t("profile.scopesNone")) },
      { name: "days", label: t("profile.tokenExpiry"), type: "select", required: true, value: "90",
        options: [...[30, 90, 365].map((days) => ({ value: String(days), label: t("friends.days", { count: days }) })),
          { value: "never", label: t("profile.never") }] },
    ],
    submit: {
      label: t("profile.tokenMake"),
      async run({ name, scopes, days }) {
        const expiresAt = days !== "never" ? new Date(Date.now() + Number(days) * DAY).toISOString() : null;
        const body = { name, scopes, ...(expiresAt ? { expiresAt } : {}) };
        const answer = await post("/v1/me/tokens", body, { again: false });
        sheet.close();
        const { token, ...kept } = answer;
        made(kept);
        showToken(token, name);
      },
    },
  });
  const sheet = openSheet({ title: t("profile.tokenNew"), content, modal: true });
}

/** The token, this once. */
function showToken(token, name) {
  const field = make("input", { id: "token-shown", class: "code", readonly: true, dir: "ltr", autocomplete: "off",
    "aria-describedby": "token-shown-hint" });
  field.value = token;
  field.addEventListener("focus", () => field.select());
  const sheet = openSheet({
    title: t("profile.tokenReady", { name: isolate(name) }), modal: true,
    content: make("div", { class: "stack" },
      make("div", { class: "field" }, make("label", { for: "token-shown", text: t("profile.token") }), field,
        make("p", { class: "hint", id: "token-shown-hint", text: t("profile.tokenOnce") })),
      make("div", { class: "sheet-acts" },
        button({ label: t("profile.done"), kind: "quiet", run: () => sheet.close() }), copyButton(field))),
  });
}
