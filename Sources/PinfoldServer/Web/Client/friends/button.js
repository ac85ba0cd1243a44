/** Buttons in lists of people, and lists that keep the focus. */

import { button, make } from "../shell/elements.js";

const KINDS = { main: "small", quiet: "quiet small", danger: "danger small" };

/**
 * A button whose action runs once at a time.
 *
 * @param {object} options
 * @param {string} options.label what it says
 * @param {() => Promise<unknown> | unknown} options.run
 * @param {string} [options.about] whom or what it is about, told to screen readers behind the label
 * @param {"main" | "quiet" | "danger"} [options.kind]
 * @param {string} [options.icon] shown in place of the label
 * @param {string} [options.act] a name by which the focus comes back after a list was drawn anew
 */
export function actButton({ label, run, about, kind = "quiet", icon, act }) {
  return button({
    label, icon, run, hidden: Boolean(icon), kind: KINDS[kind], "data-act": act,
    "aria-label": about || icon ? [label, about].filter(Boolean).join(": ") : null,
  });
}

/**
 * Draws a list anew. Rows that look the same stay, so that a press on one is not lost to an event. The focus stays
 * where it was: on the same button of the same row, else on what took its place, else on `home`.
 */
export function fillList(list, rows, { home, nothing } = {}) {
  const active = document.activeElement;
  const held = list.contains(active)
    ? { act: active.dataset.act, id: active.closest("[data-id]")?.dataset.id, place: placeOf(list, active) } : null;
  const known = new Map([...list.children].map((row) => [row.dataset.id, row]));
  const wanted = (rows.length || !nothing ? rows : [make("li", { class: "none", text: nothing })]).map((row) => {
    const before = known.get(row.dataset.id);
    return before?.isEqualNode(row) ? before : row;
  });
  for (const row of [...list.children]) if (!wanted.includes(row)) row.remove();
  wanted.forEach((row, place) => {
    if (list.children[place] !== row) list.insertBefore(row, list.children[place] ?? null);
  });
  if (!held || list.contains(document.activeElement)) return;
  const same = held.id && list.querySelector(`[data-id="${CSS.escape(held.id)}"]`);
  const row = same ?? list.children[Math.min(held.place, list.children.length - 1)];
  const target = (held.act && row?.querySelector(`[data-act="${CSS.escape(held.act)}"]`))
    ?? row?.querySelector("button, a, input") ?? home;
  target?.focus({ preventScroll: true });
}

/** Says something in a live region, once: what it says already is not said again. */
export function say(region, ...content) {
  const text = content.map((part) => part?.textContent ?? part ?? "").join("");
  if (region.textContent !== text) region.replaceChildren(...content.filter((part) => part !== null));
}

function placeOf(list, element) {
  return [...list.children].findIndex((row) => row.contains(element));
}
