import * as api from "../shell/api.js";
import * as database from "../shell/database.js";
import { button, icon, make, replace, titleOf } from "../shell/elements.js";
import { phrase, t } from "../shell/language.js";
import { live } from "../shell/live.js";
import { atRest, rest } from "../shell/rest.js";
import * as router from "../shell/router.js";
import { session } from "../shell/session.js";
import { ask, closeSheet, openSheet } from "../shell/sheet.js";
import { store } from "../shell/store.js";
import { toast } from "../shell/toast.js";
import { datasets } from "./datasets.js";
import { deletedPins, openDetails, restore } from "./details.js";
import { MapMissing, prepare } from "./engine.js";
import { filterPanel, filters, ownerName } from "./filters.js";
import { distanceBetween, parseView, positionText, viewText, zoomOf } from "./geometry.js";
import { openLandmark } from "./landmark.js";
import { landmarkList } from "./landmarklist.js";
import { locate } from "./location.js";
import { mapView } from "./mapview.js";
import { outbox } from "./outbox.js";
import { openPinForm } from "./pinform.js";
import { pinList } from "./pinlist.js";
import { searchBox } from "./search.js";

const VIEW = "view";
const WORLD = { center: [5, 30], zoom: 1.6 };
const AROUND = 60_000;
/** How long the map waits for pins that it could look at. */
const PATIENCE = 700;

let parts = null;
let map = null;
let details = null;
let form = null;
let here = null;
/** A pin whose sheet the address asks for. */
let wantedPin = null;
/** A pin that the server is asked for, until it says that it is gone. */
let asked = null;

function mount(element) {
  const search = searchBox({ near: () => map?.middle() ?? here, choose: chooseResult });
  const panel = filterPanel();
  const filterButton = button({ label: t("map.filter.title"), icon: "filter", hidden: true, "aria-expanded": "false",
    "aria-controls": "filter-panel", run: () => showFilters(panel.hidden) });
  const list = pinList({ view, deleted: deletedPins, restore: (pin) => restore(pin, () => list.update()),
    editWaiting: (entry) => editForm({ entry }), discardWaiting });
  const landmarks = landmarkList({ box: () => map?.box() ?? null, open: showLandmark });
  const listButton = button({ label: t("map.list.show"), icon: "list", kind: "list-button", "aria-expanded": "false",
    run: () => showList(!element.classList.contains("with-list")) });
  const banner = make("div", { class: "banner", role: "status", hidden: true });
  const canvas = make("div", { class: "map-canvas" });
  const missing = make("div", { class: "map-missing", hidden: true });
  const controls = make("div", { class: "map-controls" });
  const side = make("div", { class: "map-side" }, make("div", { class: "map-top" }, search, filterButton, panel),
    make("section", { class: "map-list", id: "map-list", "aria-label": t("map.list.title") }, list, landmarks));
  const frame = make("div", { class: "map-view" }, canvas, missing, banner, controls, listButton);
  element.classList.add("map-tab");
  const title = make("h1", { class: "unseen" });
  element.append(title, side, frame);
  parts = { element, title, search, panel, filterButton, list, landmarks, listButton, banner, canvas, missing,
    controls };
  render();

  store.on("change", ({ changed, removed, reset }) => {
    // A store that is only being filled says nothing of a pin that it does not have yet.
    if (details && removed.includes(details.id)) closeDetails(true);
    if (removed.includes(asked)) asked = null;
    const again = details && changed.find(({ id }) => id === details.id);
    if (again) details.show(again);
    if (reset) list.forget();
    list.updateSoon();
    // A pin that comes later moves nothing under the eyes of whoever looks: least of all one that was dropped here.
    if (reset || !store.complete) firstView();
  });
  store.on("state", () => list.updateSoon());
  // A pin that was opened by its address need not be among those that are kept here.
  live.on("friend.removed", ({ user }) => details?.ownerId === user.id && closeDetails(true));
  outbox.on("change", () => list.updateSoon());
  session.beforeSignOut(mayLoseWaiting);
  outbox.on("refused", ({ body }) => toast(phrase("map.outbox.refused", { name: titleOf(body) }), { kind: "fault" }));
  filters.on("change", () => {
    showFilterButton();
    showBanner();
    list.update({ isMoved: true });
    renameView();
  });
  filters.on("friends", showBanner);
  datasets.on("change", landmarks.update);
  // They are not what the first map waits for.
  atRest().then(() => datasets.load());
  session.on("change", (user) => user && atRest().then(() => datasets.load()));
  session.onPurge(() => {
    here = null;
    wantedPin = null;
    closeSheet();
    map?.forget();
    list.forget();
  });
  startMap(canvas);
}

/** The map comes when it can; all else works before. */
async function startMap(canvas) {
  try {
    map = await mapView(canvas, startView(),
      { openPin, openLandmark: (id) => showLandmark(id), drop: (place) => editForm({ place }), moved });
    // The tab may have been shown, at a place that its address names, while the map was on its way.
    const wanted = parseView(lastShown?.value);
    if (wanted) map.jump(wanted);
    map.map.once("idle", rest);
    parts.canvas.parentElement.append(map.attribution);
    renderControls();
    moved(false);
    parts.list.update();
    if (store.pins().length) firstView();
    if (parts.pending) parts.pending();
  } catch (error) {
    rest();
    if (!(error instanceof MapMissing)) throw error;
    parts.missing.hidden = false;
    parts.element.classList.add("without-map", "with-list");
    replace(parts.missing, make("p", { text: t(`map.missing.${error.reason}`) }),
      error.reason === "library" ? button({ label: t("shell.retry"), kind: "quiet", run: () => {
        parts.missing.hidden = true;
        parts.element.classList.remove("without-map", "with-list");
        return startMap(canvas);
      } }) : null);
    parts.list.update();
  }
}

/** Where to look first: the address, else where this account looked last, else the pins, else the world. */
async function startView() {
  const kept = await database.read("facts", VIEW).catch(() => null);
  // What is asked for comes a moment after the tab has been made.
  const wanted = parseView(lastShown?.value);
  if (wanted) return wanted;
  parts.isUnplaced = !kept;
  if (kept) return kept.view;
  await firstPins();
  if (!isFirstView()) return WORLD;
  parts.isUnplaced = false;
  return { pins: newestPins() };
}

/** The first pins, if they come soon: the map of the world would be drawn in vain. */
function firstPins() {
  if (store.complete || store.pins().length) return null;
  return new Promise((resolve) => {
    const stops = ["change", "state"].map((name) => store.on(name, () => {
      if (store.complete || store.pins().length || store.problem) done();
    }));
    const timer = setTimeout(done, PATIENCE);
    function done() {
      clearTimeout(timer);
      for (const stop of stops) stop();
      resolve();
    }
  });
}

const isFirstView = () => lastShown && parts.isUnplaced && store.pins().length && !wantedPin && !filters.owner;

/** The newest pin and what lies around it. */
function newestPins() {
  const newest = store.pins().reduce((a, b) => (a.id.length - b.id.length || (a.id < b.id ? -1 : 1)) < 0 ? b : a);
  return store.pins().filter((pin) => distanceBetween(pin, newest) < AROUND);
}

/** Whoever has never moved the map sees the newest pins and what lies around them. */
function firstView() {
  if (!map || !isFirstView()) return;
  parts.isUnplaced = false;
  map.fit(newestPins(), { animate: false });
}

function moved(byPerson) {
  if (byPerson) parts.isUnplaced = false;
  if (map) parts.list.follow(map.map);
  parts.landmarks.updateSoon();
  renameView();
  if (lastShown && !parts.isUnplaced && session.user) database.write("facts", [{ name: VIEW, view: map.current() }]);
}

/** The address says what is shown, unless it names a pin. */
function renameView() {
  // The map may be there before the tab is shown: then the address still says what was asked for.
  if (!map || !lastShown || parts.element.hidden || location.pathname !== "/") return;
  router.rename(mapAddress());
}

const mapAddress = () => `/#map${map ? `=${viewText(map.map)}` : ""}${filters.owner ? `?friend=${filters.owner}` : ""}`;

const view = () => ({ box: map?.box() ?? null, middle: map?.middle() ?? here, here });

let lastShown = null;

async function show(parameters) {
  lastShown = parameters;
  map?.resize();
  parts.panel.loadFriends();
  const { pin, value, query } = parameters;
  if (pin) {
    await showPin(pin);
    return;
  }
  wantedPin = null;
  if (details) closeDetails(false);
  if (query.friend) await showFriend(query.friend, Boolean(value));
  else if (value && filters.owner) filters.set({ owner: null });
  const wanted = parseView(value);
  if (wanted) parts.isUnplaced = false;
  if (wanted && map && viewText(map.map) !== value) map.jump(wanted);
  else if (!value) renameView();
  firstView();
}

async function showPin(id) {
  wantedPin = id;
  let pin = store.pin(id);
  try {
    if (!pin) {
      asked = id;
      pin = await api.get(`/v1/pins/${id}`);
      // Kept, it is told of when it goes; unless it has gone before the answer came.
      if (asked === id) store.put(pin);
      else throw new api.Problem({ status: 404, slug: "not-found" });
    }
  } catch (problem) {
    // At the start the store may not have read yet what this browser kept.
    if (problem.slug === "offline") pin = (await database.read("pins", id)) ?? null;
    if (wantedPin !== id) return;
    if (!pin) {
      toast(problem.status === 404 ? t("map.pinMissing") : api.describe(problem), { kind: "fault" });
      leavePin();
      return;
    }
  }
  if (wantedPin !== id) return;
  if (details?.id === id) return;
  parts.isUnplaced = false;
  const isPlaced = () => map.show(pin);
  if (map) isPlaced();
  else parts.pending = isPlaced;
  map?.choose(pin);
  showList(false);
  details = openDetails(pin, {
    edit: (each) => editForm({ pin: each }),
    showOwner: (owner) => router.go(`/#map?friend=${owner}`),
    changed: () => parts.list.update(),
    refocus,
  }, () => {
    details = null;
    map?.choose(null);
    if (wantedPin === id) leavePin();
    refocus();
  });
}

/** Where the focus goes when what it would have gone back to is not on the screen any more. */
function refocus() {
  for (const next of [map?.map.getCanvas(), parts.listButton, document.getElementById("main")]) {
    if (![null, document.body].includes(document.activeElement)) return;
    next?.focus({ preventScroll: true });
  }
}

/** Back to the address of the map, when the sheet of a pin is closed. */
function leavePin() {
  wantedPin = null;
  if (location.pathname !== "/") router.rename(mapAddress());
}

function closeDetails(isGone) {
  if (isGone && !details.isRemoving) toast(t("map.pinGone"));
  details.close();
}

async function showFriend(id, isPlaced) {
  if (filters.owner !== id) filters.set({ owner: id });
  if (!ownerName(id)) {
    try {
      parts.friendName = (await api.get(`/v1/users/${id}`)).displayName;
      showBanner();
    } catch (problem) {
      if (problem.status === 404) {
        filters.set({ owner: null });
        toast(t("map.friendMissing"), { kind: "fault" });
        return;
      }
    }
  }
  const pins = store.pins().filter((pin) => pin.ownerId === id);
  const fit = () => map.fit(pins);
  if (isPlaced || !pins.length) return;
  parts.isUnplaced = false;
  if (map) fit();
  else parts.pending = fit;
}

function showBanner() {
  parts.banner.hidden = !filters.owner;
  if (!filters.owner) {
    replace(parts.banner);
    return;
  }
  const isOwn = filters.owner === session.user?.id;
  replace(parts.banner, make("span", {}, ...(isOwn ? [t("map.banner.mine")]
    : phrase("map.banner.friend", { name: ownerName(filters.owner) || parts.friendName || "…" }))),
  button({ label: t("map.banner.clear"), icon: "close", hidden: true, run: () => filters.set({ owner: null }) }));
}

const openPin = (id) => {
  if (!id.startsWith("outbox:")) {
    router.go(`/p/${id}`);
    return;
  }
  const entry = outbox.entry(id.slice("outbox:".length));
  if (entry) editForm({ entry });
};

async function editForm(what) {
  if (form && what.place && form.element.isConnected) {
    form.move(what.place);
    return;
  }
  try {
    parts.isUnplaced = false;
    showList(false);
    const marker = map ?? { show() {}, hide() {} };
    form = await openPinForm({ ...what,
      place: what.place ?? null,
      marker: { show: (place, dragged) => marker.mark?.(place, dragged), hide: () => marker.unmark?.() },
      done(pin) {
        parts.list.update();
        if (pin && what.pin) router.go(`/p/${pin.id}`);
        else if (pin) map?.reveal(pin);
      } });
  } catch (problem) {
    toast(api.describe(problem), { kind: "fault" });
  }
}

/** Signing out deletes what is kept here: only with the owner's word. */
async function mayLoseWaiting() {
  const count = outbox.entries().length;
  return !count || await ask({ title: t("map.outbox.lose.title"), text: t("map.outbox.lose.text", { count }),
    confirm: t("map.outbox.lose.confirm"), danger: true }) === true;
}

async function discardWaiting(entry) {
  await outbox.drop(entry.key);
  toast(phrase("map.deleted.toast", { name: titleOf(entry.body) }), { seconds: 15,
    action: { label: t("map.deleted.undo"), run: () => outbox.add(entry.body, entry.key) } });
}

function chooseResult(item) {
  if (item.kind === "pin") {
    router.go(`/p/${item.id}`);
    return;
  }
  if (item.kind === "landmark") {
    showLandmark(item.id, true);
    return;
  }
  parts.isUnplaced = false;
  map?.show(item, item.kind === "point" ? undefined : zoomOf(item), true);
  map?.mark(item, null);
  const sheet = openSheet({ title: titleOf(item), kind: "place", onclose: () => map?.unmark(), content: make("div", {
    class: "details-body" },
  item.label && item.label !== item.name ? make("p", { class: "address", dir: "auto", text: item.label }) : null,
  make("p", { class: "position" }, make("bdi", { text: positionText(item) })),
  make("div", { class: "acts" }, button({ label: t("map.dropHere"), icon: "add", run: () => {
    sheet.close();
    const isAddress = item.kind === "point" || ["PCLI", "ADM1"].includes(item.featureCode);
    const { latitude, longitude } = item;
    return editForm({ place: { latitude, longitude, name: isAddress ? "" : item.name } });
  } }))) });
}

/** The sheet of a landmark; `isFar` when it may lie anywhere. */
async function showLandmark(id, isFar = false) {
  parts.isUnplaced = false;
  if (wantedPin) router.go(mapAddress());
  await openLandmark(id, {
    shown(landmark) {
      showList(false);
      map?.show(landmark, undefined, isFar);
      map?.mark(landmark, null);
    },
    drop: (place) => editForm({ place }),
  }, () => map?.unmark());
}

async function goToMe() {
  try {
    here = await locate();
    parts.isUnplaced = false;
    map?.here(here);
    map?.show(here, undefined, true);
    parts.list.update();
  } catch (error) {
    toast(error.message, { kind: "fault" });
  }
}

function showFilterButton() {
  const label = filters.count ? t("map.filter.titleOn", { count: filters.count }) : t("map.filter.title");
  parts.filterButton.setAttribute("aria-label", label);
  parts.filterButton.title = label;
  parts.filterButton.classList.toggle("on", filters.count > 0);
}

function showFilters(shown) {
  parts.panel.hidden = !shown;
  parts.filterButton.setAttribute("aria-expanded", String(shown));
  if (shown) parts.panel.loadFriends();
}

function showList(shown) {
  const isShown = shown || parts.element.classList.contains("without-map");
  parts.element.classList.toggle("with-list", isShown);
  parts.listButton.setAttribute("aria-expanded", String(isShown));
  parts.listButton.querySelector("svg").replaceWith(icon(isShown ? "map" : "list", 16));
  parts.listButton.querySelector("span").textContent = t(isShown ? "map.list.hide" : "map.list.show");
}

function renderControls() {
  if (!map) return;
  const control = (label, name, run, kind = "") => button({ label: t(label), icon: name, hidden: true, kind, run });
  replace(parts.controls,
    make("div", { class: "zoom" }, control("map.zoomIn", "add", () => map.zoomBy(1)),
      control("map.zoomOut", "subtract", () => map.zoomBy(-1))),
    control("map.locate.label", "locate", goToMe),
    button({ label: t("map.drop"), icon: "add", kind: "drop", run: () => editForm({ place: map.middle() }) }));
}

function render() {
  parts.title.textContent = t("map.title");
  parts.search.render();
  parts.panel.render();
  showFilterButton();
  parts.list.forget();
  parts.list.update();
  parts.landmarks.render();
  showBanner();
  showList(parts.element.classList.contains("with-list"));
  document.getElementById("map-list")?.setAttribute("aria-label", t("map.list.title"));
  renderControls();
  map?.restyle();
  details?.show();
}

router.register({
  name: "map",
  icon: "map",
  order: 10,
  isSlow: true,
  title: "map.title",
  style: new URL("map.css", import.meta.url),
  mount,
  show,
  hide() {},
  render,
});
// What the map is made of comes while the rest starts.
if (api.mayHaveSession()) prepare();
session.on("change", (user) => {
  if (user) prepare();
});
