/** Somebody in a list, with what can be done, and the sheet that says more. */

import { avatar, make, nameOf, timeAgo } from "../shell/elements.js";
import { formatDate, t } from "../shell/language.js";
import { openSheet } from "../shell/sheet.js";
import { actions } from "./actions.js";
import { actButton } from "./button.js";
import { handle } from "./names.js";
import { people } from "./people.js";

/** The button that does `act` about `user`. */
function button(user, act, label, kind) {
  return actButton({ act, label, kind, about: nameOf(user), run: () => actions[act](user) });
}

/** What can be done about `user`, the likeliest first; `all` for a sheet, which has room. */
function buttonsFor(user, all) {
  const block = all ? button(user, "block", t("friends.block"), "danger") : null;
  switch (people.relation(user)) {
    case "self":
      return [make("span", { class: "note", text: t("friends.you") })];
    case "friend":
      return [
        button(user, "viewPins", t("friends.viewPins"), all ? "main" : "quiet"),
        all ? button(user, "remove", t("friends.removeFriend"), "quiet") : null,
        block,
      ];
    case "incoming":
      return [
        button(user, "accept", t("friends.accept"), "main"),
        button(user, "reject", t("friends.reject"), "quiet"),
        block,
      ];
    case "outgoing":
      return [button(user, "cancel", t("friends.cancelRequest"), "quiet"), block];
    case "blocked":
      return [button(user, "unblock", t("friends.unblock"), "quiet")];
    default:
      return [button(user, "ask", t("friends.add"), "main"), block];
  }
}

/** Whether a friend is here, in words and as a dot; null if they do not say. */
function presenceOf(user) {
  const presence = people.presence.get(user.id);
  if (!presence || people.relation(user) !== "friend") return null;
  if (presence.online) return make("span", { class: "here", text: t("friends.here") });
  if (!presence.lastSeenAt) return null;
  return make("span", {}, t("friends.lastSeen"), " ", timeAgo(presence.lastSeenAt));
}

function face(user) {
  const here = people.relation(user) === "friend" && people.presence.get(user.id)?.online;
  return make("span", { class: here ? "face-of is-here" : "face-of", "aria-hidden": "true" }, avatar(user));
}

/**
 * A row of a list of people: who, a `note` (an element or a text), and what can be done.
 *
 * @param {{note?: Node | string, more?: boolean}} options `more`: a button opens the sheet
 */
export function personRow(user, { note = null, more = true } = {}) {
  const details = [handle(user), presenceOf(user), note];
  const self = people.relation(user) === "self";
  return make("li", { class: "person", "data-id": user.id },
    face(user),
    make("div", { class: "who" },
      make("b", { class: "name" }, make("bdi", { text: nameOf(user) })),
      make("div", { class: "details" }, ...details.filter(Boolean).map((part) => make("span", {}, part)))),
    make("div", { class: "acts" }, ...buttonsFor(user, false),
      more && !self ? actButton({
        act: "more", label: t("friends.more"), icon: "more", kind: "quiet", about: nameOf(user),
        run: () => openPerson(user),
      }) : null));
}

/** The sheet about somebody, kept as they are while it is open. */
export function openPerson(user) {
  const content = make("div", { class: "person-sheet" });
  const known = () => people.friends.find((friend) => friend.id === user.id) ?? user;
  const fill = () => {
    const now = known();
    const held = content.contains(document.activeElement) ? document.activeElement.dataset.act : null;
    const since = people.relation(now) === "friend" && now.since
      ? t("friends.since", { date: formatDate(now.since) }) : null;
    const fresh = make("div", {},
      make("div", { class: "person" }, face(now), make("div", { class: "who" },
        make("b", { class: "name" }, make("bdi", { text: nameOf(now) })),
        make("div", { class: "details" },
          ...[handle(now), presenceOf(now), since]
            .filter(Boolean).map((part) => make("span", {}, part))))),
      now.bio ? make("p", { class: "bio", dir: "auto", text: now.bio }) : null,
      make("div", { class: "sheet-acts" }, ...buttonsFor(now, true).filter(Boolean)));
    const same = [...fresh.children].every((part, place) => content.children[place]?.isEqualNode(part));
    if (same && fresh.children.length === content.children.length) return;
    content.replaceChildren(...fresh.childNodes);
    if (held) (content.querySelector(`[data-act="${held}"]`) ?? content.querySelector("button"))?.focus();
  };
  fill();
  const stop = people.onChange(fill);
  const sheet = openSheet({ title: t("friends.about"), content, onclose: stop, modal: true });
  content.addEventListener("click", (event) => {
    if (event.target.closest('[data-act="viewPins"]')) sheet.close();
  });
  return sheet;
}
