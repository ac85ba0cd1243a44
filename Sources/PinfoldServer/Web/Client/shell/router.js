import { addIcons, button, icon, make, replace, stylesheet } from "./elements.js";
import { onLanguage, t } from "./language.js";
import { rest } from "./rest.js";
import { session } from "./session.js";
import { closeSheet } from "./sheet.js";
import { signals } from "./signal.js";

const tabs = new Map();
const { on, emit } = signals();
let current = null;
let started = false;
/** Where the viewer was going when signing in came in between. */
let wanted = null;

/** `on("show", tab)`: another tab is shown. */
export { on };

/**
 * Adds a tab. `{name, icon, order, title, style?, signedOut?, claims?, isSlow?, shownTo?(user), mount(element),
 * show(parameters), hide?(), render(), badge?()}`: `title` is the key of a text; `style` the URL of its style sheet;
 * `signedOut` marks the one tab that is shown to whoever is not signed in; `claims` the names of fragments (`invite`,
 * `reset`) that come to this tab, once, and are taken out of the address bar; `badge` answers with a number or null; a
 * tab that `isSlow` calls `rest` itself when it has drawn what it shows; `shownTo` says who sees the tab, everybody if
 * there is none. `mount` is called once, before the first `show`; `render` after a change of the language, when mounted.
 * `show` gets `{path: […], value, query: {…}, …}`: of `#profile/sessions` path is `["sessions"]`; of `#map=Z/LAT/LON`
 * value is `"Z/LAT/LON"`; of `#map?friend=ID` query is `{friend: "ID"}`; of `/p/ID` there is `pin`; of `#invite=CODE`
 * there is `invite`.
 */
export function register(tab) {
  if (tab.outlines) addIcons(tab.outlines);
  tabs.set(tab.name, { ...tab, panel: null, ready: null });
  if (started) {
    renderNavigation();
    route();
  }
}

/** Shows an address of this client, such as `/#map?friend=ID`, as a step that Back undoes. */
export function go(url) {
  const target = new URL(url, location.origin);
  if (target.href === location.href) {
    route();
    return;
  }
  history.pushState(null, "", target);
  route();
}

/** Puts another address into the bar without showing anything else. */
export function rename(url) {
  history.replaceState(null, "", new URL(url, location.origin));
}

/** Draws the badges of the tabs again. */
export function refreshBadges() {
  if (started) renderNavigation();
}

/** Starts when the tabs are registered. */
export function start() {
  started = true;
  // It comes too when only the fragment is changed by hand.
  addEventListener("popstate", route);
  document.addEventListener("click", follow);
  onLanguage(() => {
    renderNavigation();
    for (const tab of tabs.values()) if (tab.panel && tab.isMounted) tab.render?.();
    setTitle();
  });
  let account = session.user?.id;
  session.on("change", (user) => {
    renderNavigation();
    // Another profile of the same person is no reason to show anything else, unless it may not see what is shown.
    if (user?.id === account && isShown(tabs.get(current))) return;
    account = user?.id;
    route();
  });
  renderNavigation();
  // It has its place from the first: what is seen never moves.
  document.getElementById("main").hidden = false;
  return route();
}

/** Links within the client are followed without loading it anew. */
function follow(event) {
  const link = event.target.closest?.("a[href]");
  if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
  const target = new URL(link.href);
  const isOurs = target.origin === location.origin
    && ((target.pathname === "/" && target.hash) || /^\/p\/\d+$/.test(target.pathname));
  if (!isOurs || link.target || link.hasAttribute("download")) return;
  event.preventDefault();
  go(target);
}

/** What an address asks for: `{name, parameters}`, or null for what is not known. */
function parse({ pathname, hash }) {
  const pin = pathname.match(/^\/p\/(\d{1,20})$/)?.[1];
  const [, name = "", path = "", value = null, query = ""] =
    decodeURI(hash).match(/^#([a-z-]*)((?:\/[^=?/]*)*)(?:=([^?]*))?(?:\?(.*))?$/i) ?? [];
  const parameters = {
    path: path.split("/").filter(Boolean), value, query: Object.fromEntries(new URLSearchParams(query)),
  };
  const claimant = [...tabs.values()].find((tab) => tab.claims?.includes(name));
  if (claimant && value) return { name: claimant.name, claim: name, parameters: { ...parameters, [name]: value } };
  if (tabs.has(name) && isShown(tabs.get(name))) return { name, parameters };
  const first = inOrder()[0]?.name;
  return { name: tabs.has("map") ? "map" : first, parameters: pin ? { ...parameters, pin } : parameters, pin };
}

async function route() {
  let asked;
  try {
    asked = parse(location);
  } catch {
    asked = { name: inOrder()[0]?.name, parameters: { path: [], value: null, query: {} } };
  }
  if (asked.claim) rename(`/#${asked.name}`);
  if (!session.user) {
    const door = [...tabs.values()].find((tab) => tab.signedOut);
    if (asked.name !== door?.name && !asked.claim) wanted = location.href;
    asked = { ...asked, name: asked.claim ? asked.name : door?.name,
      parameters: asked.claim ? asked.parameters : { path: [], value: null, query: {} } };
    if (asked.claim && !tabs.get(asked.name)?.signedOut) asked.name = door?.name;
  } else if (wanted && !asked.claim) {
    const target = wanted;
    wanted = null;
    history.replaceState(null, "", target);
    return route();
  }
  await show(asked.name, asked.parameters);
}

async function show(name, parameters) {
  const tab = tabs.get(name);
  if (!tab) return;
  if (current !== name) {
    const previous = tabs.get(current);
    if (previous) {
      previous.panel.hidden = true;
      previous.hide?.();
      closeSheet();
    }
    current = name;
    emit("show", name);
  }
  renderNavigation();
  setTitle();
  tab.ready ??= mount(tab);
  try {
    await tab.ready;
  } catch (error) {
    reportError(error);
    showFailure(tab);
    return;
  }
  if (current !== name) return;
  tab.panel.hidden = false;
  tab.show?.(parameters);
  if (!tab.isSlow) rest();
}

/** Some of a tab's files did not come: a page that says so, and another try. */
function showFailure(tab) {
  tab.ready = null;
  if (tabs.get(current) !== tab) return;
  tab.panel.hidden = false;
  replace(tab.panel, make("div", { class: "page" }, make("h1", { text: t(tab.title) }),
    make("div", { class: "alert", role: "alert" }, make("p", { text: t("shell.problem.silent") }),
      button({ label: t("shell.retry"), kind: "quiet small", run: route }))));
}

async function mount(tab) {
  tab.panel?.remove();
  tab.panel = make("section",
    { id: `panel-${tab.name}`, class: "panel-tab", "aria-label": t(tab.title), hidden: true });
  document.getElementById("main").append(tab.panel);
  if (tab.style) await stylesheet(tab.style);
  await tab.mount(tab.panel);
  tab.isMounted = true;
}

function setTitle() {
  const tab = tabs.get(current);
  if (!tab) return;
  document.title = session.user ? `${t(tab.title)} · Pinfold` : "Pinfold";
  tab.panel?.setAttribute("aria-label", t(tab.title));
}

/** The tabs that the viewer may see. */
const inOrder = () => [...tabs.values()].filter(isShown).sort((a, b) => a.order - b.order);

const isShown = (tab) => !tab?.shownTo || tab.shownTo(session.user);

function renderNavigation() {
  const bar = document.getElementById("tabs");
  document.body.classList.toggle("signed-out", !session.user);
  bar.hidden = !session.user;
  bar.setAttribute("aria-label", t("shell.tabs"));
  const focused = bar.contains(document.activeElement) ? document.activeElement.dataset.tab : null;
  replace(bar, inOrder().map((tab) => {
    const count = tab.badge?.() ?? null;
    const badge = count
      ? make("span", { class: "badge", "aria-hidden": "true", text: count > 99 ? "99+" : String(count) }) : null;
    return make("a",
      { href: `/#${tab.name}`, "data-tab": tab.name, "aria-current": tab.name === current ? "page" : null },
      make("span", { class: "tab-icon" }, icon(tab.icon, 24), badge),
      make("span", { text: t(tab.title) }),
      count ? make("span", { class: "unseen", text: t("shell.waiting", { count }) }) : null);
  }));
  if (focused) bar.querySelector(`[data-tab="${focused}"]`)?.focus();
}
