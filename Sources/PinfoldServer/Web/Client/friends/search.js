/** Finding people while their name is typed. */

import { get } from "../shell/api.js";
import { make } from "../shell/elements.js";
import { t } from "../shell/language.js";
import { sentence } from "./actions.js";
import { actButton, fillList, say } from "./button.js";
import { personRow } from "./person.js";

/** Typing pauses this long before the server is asked, in milliseconds. */
const PAUSE = 220;
const PAGE = 20;

const found = { text: "", items: [], next: null, asking: null, problem: null, timer: 0 };

/** Forgets what was looked for, as another account must not see it. */
export function forgetSearch() {
  clearTimeout(found.timer);
  found.asking?.abort();
  Object.assign(found, { text: "", items: [], next: null, asking: null, problem: null });
}

/** The panel; `panel.refresh()` draws the rows anew as friends and requests change. */
export function searchPanel() {
  const input = make("input", {
    id: "friends-search", type: "search", dir: "auto", autocomplete: "off", autocapitalize: "none",
    spellcheck: "false", enterkeyhint: "search", maxlength: "100", "aria-describedby": "friends-search-hint",
    "aria-controls": "friends-found",
  });
  input.value = found.text;
  const status = make("p", { class: "note", role: "status" });
  const rows = make("ul", { class: "people", id: "friends-found", "aria-label": t("friends.findResults") });
  const more = make("div", { class: "more" });

  const draw = () => {
    fillList(rows, found.items.map((user) => personRow(user, { note: user.bio ? firstLine(user.bio) : null })),
      { home: input });
    say(status, stateText(), found.problem ? " " : null,
      found.problem ? actButton({ label: t("friends.again"), act: "again", run: () => look(found.text) }) : null);
    more.replaceChildren(found.next
      ? actButton({ label: t("friends.showMore"), act: "more", run: () => look(found.text, found.next) }) : "");
  };

  async function look(text, cursor = null) {
    found.asking?.abort();
    const asking = new AbortController();
    found.asking = asking;
    try {
      const query = { q: text, limit: PAGE, ...(cursor ? { cursor } : {}) };
      const page = await get("/v1/users", { query, signal: asking.signal });
      if (found.asking !== asking) return;
      found.items = cursor ? [...found.items, ...page.items] : page.items;
      found.next = page.next;
      found.problem = null;
    } catch (problem) {
      if (found.asking !== asking || problem.name === "AbortError") return;
      found.problem = problem;
    }
    found.asking = null;
    draw();
  }

  function stateText() {
    if (found.problem) return sentence(found.problem);
    if (!found.text) return "";
    if (found.asking || found.timer) return found.items.length ? "" : t("friends.finding");
    if (!found.items.length) return t("friends.findNone");
    return t(found.next ? "friends.findSome" : "friends.findCount", { count: found.items.length });
  }

  function typed(pause) {
    const text = input.value.trim();
    if (text === found.text && !found.problem) return;
    found.text = text;
    clearTimeout(found.timer);
    found.timer = 0;
    if (!text) {
      forgetSearch();
      draw();
      return;
    }
    found.timer = setTimeout(() => {
      found.timer = 0;
      look(text);
    }, pause);
    draw();
  }

  input.addEventListener("input", (event) => {
    if (!event.isComposing) typed(PAUSE);
  });
  input.addEventListener("compositionend", () => typed(PAUSE));
  const form = make("form", { role: "search", novalidate: true },
    make("div", { class: "field" },
      make("label", { for: "friends-search", text: t("friends.findLabel") }),
      input,
      make("p", { class: "hint", id: "friends-search-hint", text: t("friends.findHint") })));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    typed(0);
  });

  const panel = make("section", { class: "panel", "aria-labelledby": "friends-find-title" },
    make("h2", { id: "friends-find-title", text: t("friends.findTitle") }), form, status, rows, more);
  panel.refresh = draw;
  draw();
  return panel;
}

/** The start of a text about oneself, short enough for a row. */
function firstLine(text) {
  const letters = Array.from(text.trim().split("\n")[0]);
  return make("bdi", { text: letters.length > 80 ? `${letters.slice(0, 79).join("")}…` : letters.join("") });
}

