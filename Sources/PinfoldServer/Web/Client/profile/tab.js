/** The profile tab; to whoever is not signed in, the door. */

import { avatar, button, icon, make, nameOf, replace } from "../shell/elements.js";
import { t } from "../shell/language.js";
import { register } from "../shell/router.js";
import { session } from "../shell/session.js";
import { handle } from "../friends/names.js";
import { aboutSection } from "./about.js";
import { accountSection, youSection } from "./account.js";
import { closeDoor, drawDoor, openDoor } from "./door.js";
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

function drawSections() {
  const section = sectionOf(open);
  root.classList.toggle("has-section", Boolean(section));
  const content = make("div", { class: "profile-section", tabindex: "-1", role: "group",
    "aria-label": shownSection() ? t(shownSection().title) : null });
  if (section) {
    // On phones it stands alone, without the head of the page.
    content.append(make("h1", { class: "unseen page-title", text: t(section.title) }),make("a", { class: "back", href: "/#profile" }, icon("back", 16),
      make("span", { text: t("profile.back") })));
  }
  if (shownSection()) content.append(shownSection().build());
  replace(root, make("div", { class: "page profile-page" }, head(), make("div", { class: "profile-columns" },
    navigation(), content)));
  shownFor = session.user.id;
}

function draw() {
  if (!session.user) {
    drawDoor();
    return;
  }
  drawSections();
}

register({
  name: "profile",
  icon: "profile",
  order: 40,
  title: "profile.title",
  style: new URL("./profile.css", import.meta.url),
  signedOut: true,
  claims: ["reset"],
  outlines: {
    key: "M5.4 6.4a3 3 0 1 0 0 3.2M7.6 8h6.6v2.4M11.6 8v2",
    device: "M4.4 1.8h7.2v12.4H4.4zM7.4 11.8h1.2",
    eye: "M1.4 8S3.8 3.6 8 3.6 14.6 8 14.6 8 12.2 12.4 8 12.4 1.4 8 1.4 8zM8 6.2a1.8 1.8 0 1 0 .1 0z",
    swap: "M5 13.4V2.6L2.2 5.4M5 2.6l2.8 2.8M11 2.6v10.8l2.8-2.8M11 13.4l-2.8-2.8",
    look: "M8 2.2a5.8 5.8 0 1 0 .1 0zM8 2.2v11.6M8 2.2a5.8 5.8 0 0 1 0 11.6",
    info: "M8 2.2a5.8 5.8 0 1 0 .1 0zM8 7.4v3.6M8 4.9h.1",
  },
  mount(element) {
    root = element;
  },
  show({ path = [], invite = null, reset = null }) {
    if (!session.user || reset) {
      shownFor = null;
      openDoor(root, { invite, reset });
      return;
    }
    closeDoor();
    const next = path[0] ?? null;
    const moved = next !== open || shownFor !== session.user.id;
    const first = shownFor === null;
    open = next;
    // An account that was read again is no reason to take a form from under somebody's hands.
    if (!moved) {
      root.querySelector(".profile-head")?.replaceWith(head());
      return;
    }
    drawSections();
    if (first) return;
    root.querySelector(open ? ".profile-section" : "h1").focus({ preventScroll: true });
    root.parentElement.scrollTop = 0;
  },
  render: draw,
});

wide.addEventListener("change", () => {
  if (root && session.user && shownFor && !open) drawSections();
});

