/** What the profile tab shows to whoever is signed in. */

import { avatar, button, icon, make, nameOf, replace } from "../shell/elements.js";
import { t } from "../shell/language.js";
import { session } from "../shell/session.js";
import { handle } from "../friends/names.js";
import { aboutSection } from "./about.js";
import { accountSection, youSection } from "./account.js";
// The words for refusals, also where nobody came in by the door.
import "./faults.js";
import { lookSection } from "./look.js";
import { pinsSection } from "./pins.js";
import { privacySection } from "./privacy.js";
import { removalSection } from "./removal.js";
import { sessionsSection, signOut } from "./sessions.js";
import { tokensSection } from "./tokens.js";

/** The sections by the end of their address, `/#profile/NAME`; `href` leads elsewhere. */
const SECTIONS = [
  { name: "you", icon: "profile", title: "profile.you", build: youSection },
  { name: "account", icon: "key", title: "profile.account", build: accountSection },
  { name: "sessions", icon: "device", title: "profile.sessions", build: sessionsSection },
  { name: "privacy", icon: "eye", title: "profile.privacy", build: privacySection },
  { name: "circles", icon: "friends", title: "profile.circles", href: "/#friends/circles" },
  { name: "pins", icon: "swap", title: "profile.pins", build: pinsSection },
  { name: "tokens", icon: "link", title: "profile.tokens", build: tokensSection },
  { name: "look", icon: "look", title: "profile.look", build: lookSection },
  { name: "about", icon: "info", title: "profile.about", build: aboutSection },
  { name: "delete", icon: "remove", title: "profile.delete", build: removalSection },
];

/** From here on list and section stand side by side. */
const wide = matchMedia("(min-width: 900px)");

let root = null;
let open = null;
let shownFor = null;

const sectionOf = (name) => SECTIONS.find((section) => section.name === name && section.build);

/** What stands beside the list: the section of the address, else where there is room the first. */
const shownSection = () => sectionOf(open) ?? (wide.matches ? SECTIONS[0] : null);

function navigation() {
  return make("nav", { class: "profile-list", "aria-label": t("profile.sections") },
    make("ul", {}, ...SECTIONS.map((section) => make("li", {},
      make("a", {
        href: section.href ?? `/#profile/${section.name}`,
        "aria-current": section === shownSection() ? "page" : null,
        class: section.name === "delete" ? "dangerous" : null,
      }, icon(section.icon), make("span", { text: t(section.title) }))))));
}

function head() {
  const { user } = session;
  return make("header", { class: "profile-head" }, avatar(user, 56),
    make("div", { class: "who" },
      make("h1", { class: "name", tabindex: "-1" }, make("bdi", { text: nameOf(user) })),
      make("div", { class: "details" }, handle(user),
        make("span", { text: t("profile.pinCount", { count: user.usage?.pins ?? 0 }) }))),
    button({ label: t("profile.signOut"), kind: "quiet small", run: signOut }));
}

/** Draws list and section anew, as after a change of the language. */
export function drawSections() {
  const section = sectionOf(open);
  root.classList.toggle("has-section", Boolean(section));
  const content = make("div", { class: "profile-section", tabindex: "-1", role: "group",
    "aria-label": shownSection() ? t(shownSection().title) : null });
  if (section) {
    // On phones it stands alone, without the head of the page.
    content.append(make("h1", { class: "unseen page-title", text: t(section.title) }),
      make("a", { class: "back", href: "/#profile" }, icon("back", 16), make("span", { text: t("profile.back") })));
  }
  if (shownSection()) content.append(shownSection().build());
  replace(root, make("div", { class: "page profile-page" }, head(), make("div", { class: "profile-columns" },
    navigation(), content)));
  shownFor = session.user.id;
}

/** Shows the section whose name an address ends with, or the list of them all. */
export function showSection(element, name) {
  const moved = name !== open || shownFor !== session.user.id;
  const first = shownFor === null;
  root = element;
  open = name;
  // An account that was read again is no reason to take a form from under somebody's hands.
  if (!moved) {
    root.querySelector(".profile-head")?.replaceWith(head());
    return;
  }
  drawSections();
  if (first) return;
  root.querySelector(open ? ".profile-section" : "h1").focus({ preventScroll: true });
  root.parentElement.scrollTop = 0;
}

/** Nothing of it is shown any more. */
export function leaveSections() {
  shownFor = null;
}

wide.addEventListener("change", () => {
  if (root && session.user && shownFor && !open) drawSections();
});

