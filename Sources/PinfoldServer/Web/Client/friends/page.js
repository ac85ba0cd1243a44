/** What the friends tab shows. */

import { make, nameOf, timeAgo } from "../shell/elements.js";
import { t } from "../shell/language.js";
import { live } from "../shell/live.js";
import { session } from "../shell/session.js";
import { sentence } from "./actions.js";
import { actButton, fillList, say } from "./button.js";
import { circlePanel, forgetCircles } from "./circles.js";
import { openInvite } from "./greeting.js";
import { forgetInvites, invitePanel } from "./invites.js";
import { people } from "./people.js";
import { openPerson, personRow } from "./person.js";
import { pullToRefresh } from "./pull.js";
import { forgetSearch, searchPanel } from "./search.js";

/** Rows of a list that are drawn at once; the rest behind a button, or the field that narrows them down. */
const ROWS = 100;

let root = null;
let parts = null;
let filterText = "";
let shown = ROWS;
let shownAddress = "";

function listPanel(id, title, options = {}) {
  const heading = make("h2", { id: `friends-${id}-title`, tabindex: "-1" }, title, " ",
    make("span", { class: "count" }));
  const list = make("ul", { class: "people", "aria-labelledby": heading.id });
  const foot = make("div", { class: "more" });
  const panel = make("section", { class: "panel", id: `friends-${id}`, "aria-labelledby": heading.id },
    heading, options.before ?? null, list, foot);
  return { panel, heading, list, foot, count: heading.querySelector(".count") };
}

function filterField() {
  const input = make("input", {
    type: "search", dir: "auto", autocomplete: "off", "aria-label": t("friends.filterFriends"),
    placeholder: t("friends.filterFriends"),
  });
  input.value = filterText;
  input.addEventListener("input", () => {
    filterText = input.value;
    shown = ROWS;
    draw();
  });
  return input;
}

function build() {
  const filter = filterField();
  const status = make("div", { class: "page-status" });
  const search = searchPanel();
  const incoming = listPanel("incoming", t("friends.incoming"));
  const outgoing = listPanel("outgoing", t("friends.outgoing"));
  const friends = listPanel("friends", t("friends.friends"), { before: filter });
  const blocked = listPanel("blocked", t("friends.blockedTitle"));
  const circles = circlePanel();
  const invites = invitePanel();
  const title = make("h1", { id: "friends-title", tabindex: "-1", text: t("friends.title") });
  const refresh = actButton({ act: "refresh", label: t("friends.refresh"), icon: "retry", run: reload });
  const page = make("div", { class: "page friends-page" },
    make("header", { class: "page-head" }, title, refresh),
    status,
    make("div", { class: "columns" },
      make("div", { class: "group first" }, incoming.panel, search, outgoing.panel),
      make("div", { class: "group second" }, friends.panel, circles),
      make("div", { class: "group third" }, invites, blocked.panel)));
  parts = { page, title, status, search, incoming, outgoing, friends, blocked, circles, invites, filter };
  root.replaceChildren(page);
  pullToRefresh(page, () => scrollerOf(page), reload);
  draw();
}

/** What scrolls the page: the nearest box around it that does, else the window. */
function scrollerOf(element) {
  for (let box = element.parentElement; box; box = box.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(box).overflowY) && box !== document.body) return box;
  }
  return document.scrollingElement;
}

function reload() {
  return Promise.all([people.load(), parts.circles.load(), parts.invites.load()]);
}

function fillPanel(part, rows, { nothing, count, hidden = false }) {
  part.count.textContent = count ? String(count) : "";
  fillList(part.list, rows, { home: hidden ? parts.title : part.heading, nothing });
  part.panel.hidden = hidden;
}

function draw() {
  if (!parts || !session.user) return;
  const { state, problem } = people;
  parts.page.setAttribute("aria-busy", String(state === "loading"));
  drawStatus(problem);
  if (state !== "ready") {
    const bones = state === "loading"
      ? [0, 1, 2].map(() => make("li", { class: "person bone", "aria-hidden": "true" })) : [];
    fillPanel(parts.friends, bones, { nothing: "", count: 0, hidden: state === "failed" });
    for (const part of [parts.incoming, parts.outgoing, parts.blocked]) {
      fillPanel(part, [], { nothing: "", count: 0, hidden: true });
    }
    parts.filter.hidden = true;
    return;
  }
  fillPanel(parts.incoming, people.incoming.map((request) =>
    personRow(request.from, { note: timeAgo(request.createdAt) })),
  { count: people.incoming.length, hidden: !people.incoming.length });
  fillPanel(parts.outgoing, people.outgoing.map((request) =>
    personRow(request.to, { note: timeAgo(request.createdAt) })),
  { count: people.outgoing.length, hidden: !people.outgoing.length });
  drawFriends();
  fillPanel(parts.blocked, people.blocked.map((user) => personRow(user, { more: false })),
    { count: people.blocked.length, hidden: !people.blocked.length });
  parts.search.refresh();
  parts.circles.refresh();
}

function drawFriends() {
  const all = people.friends;
  parts.filter.hidden = all.length <= 8;
  const words = parts.filter.hidden ? "" : filterText.trim().toLocaleLowerCase();
  const fitting = words
    ? all.filter((user) => `${nameOf(user)} ${user.username}`.toLocaleLowerCase().includes(words)) : all;
  fillPanel(parts.friends, fitting.slice(0, shown).map((user) => personRow(user)), {
    nothing: words ? t("friends.filterNone") : t("friends.none"), count: all.length,
  });
  parts.friends.foot.replaceChildren(fitting.length > shown ? actButton({
    label: t("friends.showMore"), act: "more", run: () => {
      const next = shown;
      shown += ROWS;
      draw();
      parts.friends.list.children[next]?.querySelector("button")?.focus();
    },
  }) : "");
}

function drawStatus(problem) {
  const text = !problem ? null : people.state === "failed" ? sentence(problem)
    : t("friends.stale", { reason: sentence(problem) });
  const alert = text ? make("div", { class: "alert", role: "alert" }, make("p", { text }),
    actButton({ label: t("friends.again"), act: "again", run: reload })) : null;
  const held = parts.status.contains(document.activeElement);
  say(parts.status, alert);
  if (held && !parts.status.contains(document.activeElement)) parts.title.focus();
}

/** Shows what an address asks for: `#friends/circles`, `#friends/USERID`, or an invite that was followed. */
export async function show({ path = [], invite = null }) {
  if (invite) openInvite(invite);
  // What comes in parts would push what is there already about.
  const isFirst = people.state !== "ready" || !parts.circles.isLoaded();
  const { page } = parts;
  page.classList.toggle("coming", isFirst);
  try {
    if (people.state !== "ready") await reload();
    else if (!parts.circles.isLoaded()) await Promise.all([parts.circles.load(), parts.invites.load()]);
  } finally {
    page.classList.remove("coming");
  }
  // The same address again is an account that was read anew, not a step of the viewer's.
  const address = path.join("/");
  if (address === shownAddress) return;
  shownAddress = address;
  if (path[0] === "circles") {
    parts.circles.scrollIntoView({ block: "start" });
    parts.circles.querySelector("h2").focus({ preventScroll: true });
  } else if (path[0]) {
    const user = people.friends.find((friend) => friend.id === path[0]);
    if (user) openPerson(user);
  }
}

/** Builds the page in `element`, once. */
export function mount(element) {
  root = element;
  build();
}

/** The next address is a step of the viewer's again. */
export function hide() {
  shownAddress = "";
}

/** Builds the page anew, as after a change of the language. */
export const render = () => build();

people.onChange(draw);
// Who has just become a friend may have followed a link.
live.on("friend.added", () => parts?.invites.load());

session.onPurge(() => {
  filterText = "";
  shown = ROWS;
  forgetSearch();
  forgetCircles();
  forgetInvites();
  if (root) build();
});
