import { describe } from "./api.js";
import { button, make, replace } from "./elements.js";
import { t } from "./language.js";

/**
 * A list. `items` is an array, or `pages` a function that answers with an async iterator over arrays (`api.pages`),
 * read one page at a time; `row(item)` makes the content of an `li`; `key(item)` names an item, so that its row is
 * kept and with it the focus; `empty` is a text or an element. The element has `update(items)` and `reload()`.
 */
export function list({ items = null, pages = null, row, empty, key = (item) => item.id, label = null }) {
  const rows = make("ul", { class: "rows", "aria-label": label });
  const foot = make("div", { class: "list-foot" });
  const element = make("div", { class: "list" }, rows, foot);
  const kept = new Map();
  let shown = [];
  let iterator = null;
  let turn = 0;

  function draw() {
    const wanted = new Set(shown.map(key));
    for (const [id, { node }] of kept) {
      if (wanted.has(id)) continue;
      if (node.contains(document.activeElement)) focusNear(node);
      node.remove();
      kept.delete(id);
    }
    let place = rows.firstElementChild;
    for (const item of shown) {
      const id = key(item);
      let entry = kept.get(id);
      if (entry?.item !== item) {
        const content = row(item);
        const node = content.tagName === "LI" ? content : make("li", {}, content);
        if (entry) {
          const hadFocus = entry.node.contains(document.activeElement);
          if (place === entry.node) place = node;
          entry.node.replaceWith(node);
          if (hadFocus) node.querySelector("a, button")?.focus();
        }
        entry = { item, node };
        kept.set(id, entry);
      }
      if (entry.node === place) place = place.nextElementSibling;
      else rows.insertBefore(entry.node, place);
    }
    rows.hidden = !shown.length;
  }

  function focusNear(node) {
    const near = node.nextElementSibling ?? node.previousElementSibling;
    (near?.querySelector("a, button") ?? element.closest("[tabindex]"))?.focus();
  }

  function say(content) {
    replace(foot, content);
  }

  async function more() {
    const mine = turn;
    element.setAttribute("aria-busy", "true");
    if (!shown.length) say(make("p", { class: "waiting", role: "status", text: t("shell.list.loading") }));
    try {
      const { value = [], done } = await iterator.next();
      if (mine !== turn) return;
      shown = [...shown, ...value];
      draw();
      if (!shown.length) say(blank());
      else say(done || value.isLast ? null : button({ label: t("shell.list.more"), kind: "quiet wide", run: more }));
    } catch (problem) {
      if (mine !== turn) return;
      iterator = null;
      say(make("p", { class: "alert", role: "alert" }, `${describe(problem)} `,
        button({ label: t("shell.retry"), kind: "link", run: () => element.reload() })));
    } finally {
      if (mine === turn) element.removeAttribute("aria-busy");
    }
  }

  const blank = () => (typeof empty === "string" ? make("p", { class: "none", text: empty }) : empty?.() ?? null);

  Object.assign(element, {
    update(next) {
      turn += 1;
      shown = next;
      draw();
      say(next.length ? null : blank());
    },
    reload() {
      turn += 1;
      shown = [];
      iterator = pages()[Symbol.asyncIterator]();
      return more();
    },
  });
  if (pages) element.reload();
  else if (items) element.update(items);
  return element;
}
