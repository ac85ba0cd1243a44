import { button, icon, make, replace, stars, titleOf } from "../shell/elements.js";
import { formatDistance, t } from "../shell/language.js";
import { list } from "../shell/list.js";
import { session } from "../shell/session.js";
import { store } from "../shell/store.js";
import { filters, known } from "./filters.js";
import { contains, distanceBetween } from "./geometry.js";
import { outbox } from "./outbox.js";

const PAGE = 40;
const SOON = 50;
const SETTLED = 200;

/**
 * The list that says what the map shows: the pins in its box, nearest to its middle first. `view()` answers with
 * `{box, middle, here}` (each may be null); `deleted()` with the pins that can still be brought back; `restore(pin)`
 * does.
 */
export function pinList({ view, deleted, restore, editWaiting, discardWaiting }) {
  const summary = make("p", { class: "summary", role: "status" });
  const waiting = make("ul", { class: "rows waiting-pins" });
  const more = button({ label: "", kind: "quiet wide", run: () => {
    limit += PAGE;
    update();
  } });
  const blank = make("div", { class: "blank" });
  const rows = list({ row, key: (entry) => entry.pin.id, empty: () => blank });
  const gone = make("ul", { class: "rows gone" });
  const element = make("div", { class: "pin-list" }, summary, waiting, rows, more, gone);
  let limit = PAGE;
  let timer = 0;

  function row({ pin, distance }) {
    return make("li", {}, make("a", { href: `/p/${pin.id}`, class: `pin-row ${known(pin.category)}` },
      make("span", { class: "token" }, icon(known(pin.category), 20)),
      make("span", { class: "pin-text" },
        make("span", { class: "pin-name", dir: "auto", text: titleOf(pin) }),
        make("span", { class: "meta" },
          pin.rating ? stars(pin.rating) : null,
          make("span", { text: t(`map.category.${known(pin.category)}`) }),
          pin.ownerId === session.user?.id ? make("span", { text: t("map.you") })
            : make("span", {}, make("bdi", { text: pin.ownerUsername })),
          distance === null ? null : make("span", { text: formatDistance(distance) }),
          pin.audience === "private" ? make("span", {}, make("span", { class: "tag", text: t("map.audience.private") }))
            : null))));
  }

  function waitingRow(entry) {
    return make("li", { class: "waiting-pin" },
      make("span", {}, make("b", { dir: "auto", text: titleOf(entry.body) }), " ",
        make("span", { class: "tag", text: t("map.outbox.tag") }),
        entry.problem ? make("span", { class: "fault", text: entry.problem }) : null),
      make("span", { class: "acts" },
        button({ label: t("map.outbox.edit"), kind: "quiet small", run: () => editWaiting(entry) }),
        button({ label: t("map.outbox.discard"), kind: "quiet small", run: () => discardWaiting(entry) })));
  }

  function goneRow(pin) {
    return make("li", {}, make("span", { class: "gone-text" }, make("bdi", { text: titleOf(pin) }), " ",
      make("span", { class: "hint", text: t("map.deleted.tag") })),
    button({ label: t("map.deleted.undo"), kind: "quiet small", run: () => restore(pin) }));
  }

  /** Another view starts at the top. */
  function update({ isMoved = false } = {}) {
    if (isMoved) limit = PAGE;
    clearTimeout(timer);
    const { box, middle, here } = view();
    const all = store.pins();
    const shown = all.filter((pin) => filters.matches(pin) && (!box || contains(box, pin)))
      .map((pin) => ({ pin, order: middle ? distanceBetween(middle, pin) : 0 }))
      .sort((a, b) => a.order - b.order || (a.pin.id < b.pin.id ? 1 : -1));
    // Rows are drawn anew where something they show is another: the list compares the entries.
    const entries = shown.slice(0, limit).map(({ pin }) => entryOf(pin, here ? distanceBetween(here, pin) : null));
    rows.update(entries);
    element.setAttribute("aria-busy", String(!store.complete && !store.problem));
    summary.textContent = !store.complete && !all.length && !store.problem ? t("shell.list.loading")
      : t(box ? "map.list.inView" : "map.list.all", { count: shown.length });
    more.hidden = shown.length <= limit;
    more.querySelector("span").textContent = t("shell.list.more");
    replace(waiting, outbox.entries().map(waitingRow));
    replace(gone, deleted().map(goneRow));
    sayBlank(all.length);
  }

  function sayBlank(total) {
    const key = !store.complete && !total ? null : filters.count ? "filtered" : total ? "elsewhere" : "first";
    replace(blank, key ? [make("p", { class: "blank-title", text: t(`map.blank.${key}.title`) }),
      make("p", { text: t(`map.blank.${key}.text`) })] : null);
  }

  return Object.assign(element, {
    update,
    /** Soon, once for many reasons. */
    updateSoon() {
      clearTimeout(timer);
      timer = setTimeout(update, SOON);
    },
    /** When the map has come to rest: rows that nobody has time to read would cost it frames. */
    follow(map) {
      clearTimeout(timer);
      timer = setTimeout(() => (map.isMoving() ? element.follow(map) : update({ isMoved: true })), SETTLED);
    },
    forget: () => entryCache.clear(),
  });
}

const entryCache = new Map();

function entryOf(pin, distance) {
  const known = entryCache.get(pin.id);
  if (known?.pin === pin && known.distance === distance) return known;
  const entry = { pin, distance };
  entryCache.set(pin.id, entry);
  return entry;
}
