import * as api from "../shell/api.js";
import { button, icon, make, replace, titleOf } from "../shell/elements.js";
import { formatDistance, language, t } from "../shell/language.js";
import { store } from "../shell/store.js";
import { knownLandmark, landmarkIcon } from "./datasets.js";
import { known } from "./filters.js";
import { parsePoint, positionText } from "./geometry.js";

const PAUSE = 120;
const MOST = 8;

/**
 * The search box over pins and places: an editable combobox with a list (ARIA Authoring Practices 1.2). `near()`
 * answers with the middle of the map or null; `choose(item)` gets an item of `/v1/places/search`, or `{kind:
 * "point"}`.
 */
export function searchBox({ near, choose }) {
  const input = make("input", {
    id: "search", type: "search", role: "combobox", "aria-expanded": "false", "aria-controls": "search-options",
    "aria-autocomplete": "list", autocomplete: "off", autocapitalize: "none", spellcheck: "false",
    enterkeyhint: "search", maxlength: "200", dir: "auto",
  });
  const label = make("label", { class: "unseen", for: "search" });
  const options = make("ul", { id: "search-options", role: "listbox", class: "options", hidden: true });
  const note = make("p", { class: "unseen", role: "status" });
  const clear = button({ label: t("map.search.clear"), icon: "close", hidden: true, kind: "clear", run: () => {
    input.value = "";
    close();
    input.focus();
  } });
  const element = make("div", { class: "search", role: "search" },
    label, icon("search", 18), input, clear, options, note);
  let items = [];
  let active = -1;
  let timer = 0;
  let asking = null;

  function render() {
    label.textContent = t("map.search.label");
    input.placeholder = t("map.search.placeholder");
    options.setAttribute("aria-label", t("map.search.results"));
    clear.setAttribute("aria-label", t("map.search.clear"));
    clear.title = t("map.search.clear");
    clear.hidden = !input.value;
    if (!options.hidden) ask();
  }

  async function ask() {
    asking?.abort();
    const text = input.value.trim();
    if (!text) {
      close();
      return;
    }
    const point = parsePoint(text);
    if (point) {
      show([{ kind: "point", id: "point", name: positionText(point), label: t("map.search.point"), ...point }]);
      return;
    }
    const mine = new AbortController();
    asking = mine;
    try {
      const middle = near();
      const answer = await api.get("/v1/places/search", { signal: mine.signal, query: {
        q: text, limit: MOST, lang: language(), near: middle ? `${middle.latitude},${middle.longitude}` : null } });
      if (asking === mine) show(answer.items);
    } catch (problem) {
      if (asking !== mine || mine.signal.aborted) return;
      if (problem.slug === "offline") show(keptPins(text), t("map.search.offline"));
      else show([], problem.status === 400 ? t("map.search.none") : api.describe(problem));
    }
  }

  /** Without the server: the pins that this browser has. */
  function keptPins(text) {
    const fold = (string) => string.normalize("NFKD").replace(/\p{M}/gu, "").toLocaleLowerCase();
    const wanted = fold(text);
    return store.pins().filter((pin) => fold(pin.name).split(/\s+/).some((word) => word.startsWith(wanted))
      || fold(pin.name).startsWith(wanted)).slice(0, MOST)
      .map((pin) => ({ ...pin, kind: "pin", label: pin.address ?? positionText(pin) }));
  }

  function show(found, hint = null) {
    items = found;
    active = -1;
    input.removeAttribute("aria-activedescendant");
    const text = hint ?? (found.length ? null : t("map.search.none"));
    replace(options, found.map(row), text ? make("li", { class: "none", role: "presentation", text }) : null);
    note.textContent = found.length ? t("map.search.count", { count: found.length }) : text;
    options.hidden = false;
    input.setAttribute("aria-expanded", "true");
  }

  function row(item, place) {
    const isPin = item.kind === "pin";
    const below = [
      item.label === item.name ? null : make("span", { dir: "auto", text: withoutName(item) }),
      item.kind === "landmark" ? make("span", { text: t(`map.landmark.${knownLandmark(item.category)}`) }) : null,
      isPin && item.ownerUsername ? make("bdi", { text: `@${item.ownerUsername}` }) : null,
      typeof item.distance === "number" ? make("span", { text: formatDistance(item.distance) }) : null,
    ].filter(Boolean);
    return make("li", { id: `search-option-${place}`, role: "option", "aria-selected": "false",
      class: isPin ? known(item.category) : item.kind === "landmark" ? "sign" : "other",
      // The input keeps the focus; the choice is made when the press is over.
      onpointerdown: (event) => event.preventDefault(), onclick: () => take(place) },
    make("span", { class: "token small" }, icon(signOf(item), 18)),
    make("span", { class: "option-text" }, make("b", { dir: "auto", text: titleOf(item) }),
      make("span", { class: "option-meta" }, below.flatMap((part, index) => [index ? " · " : null, part]))));
  }

  const signOf = ({ kind, category }) =>
    (kind === "pin" ? known(category) : kind === "landmark" ? landmarkIcon(category) : "map");

  /** The address behind a name that it begins with. */
  const withoutName = ({ name, label: full }) => (full.startsWith(`${name}, `) ? full.slice(name.length + 2) : full);

  function move(to) {
    const rows = [...options.querySelectorAll("[role=option]")];
    if (!rows.length) return;
    rows[active]?.setAttribute("aria-selected", "false");
    active = (to + rows.length) % rows.length;
    rows[active].setAttribute("aria-selected", "true");
    rows[active].scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", rows[active].id);
  }

  function take(place) {
    const item = items[place];
    if (!item) return;
    input.value = item.name;
    clear.hidden = false;
    close();
    choose(item);
  }

  function close() {
    asking?.abort();
    asking = null;
    clearTimeout(timer);
    options.hidden = true;
    items = [];
    active = -1;
    replace(options);
    note.textContent = "";
    clear.hidden = !input.value;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  }

  input.addEventListener("input", () => {
    clear.hidden = !input.value;
    clearTimeout(timer);
    timer = setTimeout(ask, PAUSE);
  });
  input.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    const isOpen = !options.hidden;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (!isOpen) ask();
      else move(event.key === "ArrowDown" ? active + 1 : active < 0 ? -1 : active - 1);
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (isOpen && items.length) take(Math.max(0, active));
      else ask();
    } else if (event.key === "Escape") {
      event.preventDefault();
      if (!isOpen) input.value = "";
      close();
    }
  });
  element.addEventListener("focusout", ({ relatedTarget }) => {
    if (!element.contains(relatedTarget)) close();
  });
  return Object.assign(element, { render, focusInput: () => input.focus() });
}
