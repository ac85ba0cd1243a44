import * as api from "../shell/api.js";
import { icon, make, replace, titleOf } from "../shell/elements.js";
import { t } from "../shell/language.js";
import { datasets, knownLandmark, landmarkIcon } from "./datasets.js";

const MOST = 30;
const SETTLED = 400;

/**
 * What landmarks the map shows, for whoever does not see it: read when it is unfolded. `box()` answers with the map's
 * box or null; `open(id)` is called for one that is chosen.
 */
export function landmarkList({ box, open }) {
  const title = make("span");
  const rows = make("ul", { class: "rows" });
  const note = make("p", { class: "hint", role: "status" });
  const element = make("details", { class: "landmark-list", hidden: true }, make("summary", {}, title), rows, note);
  let asking = null;
  let timer = 0;

  async function read() {
    if (!element.open || element.hidden) return;
    asking?.abort();
    const mine = new AbortController();
    asking = mine;
    const area = box();
    const query = { limit: MOST, ...datasets.query() };
    // A box around the whole Earth is none.
    if (area && area.east - area.west < 360) {
      query.bbox = [turned(area.west), Math.max(-90, area.south), turned(area.east), Math.min(90, area.north)]
        .map((each) => each.toFixed(6)).join();
    }
    try {
      const { items, next } = await api.get("/v1/landmarks", { query, signal: mine.signal });
      if (asking !== mine) return;
      replace(rows, items.map(row));
      note.textContent = items.length ? next ? t("map.landmark.more") : "" : t("map.landmark.none");
    } catch (problem) {
      if (asking === mine && !mine.signal.aborted) note.textContent = api.describe(problem);
    }
  }

  const row = (landmark) => make("li", {}, make("button", { type: "button", class: "pin-row",
    onclick: () => open(landmark.id) },
  make("span", { class: "token sign" }, icon(landmarkIcon(landmark.category), 20)),
  make("span", { class: "pin-text" }, make("span", { class: "landmark-name", dir: "auto", text: titleOf(landmark) }),
    make("span", { class: "meta" }, make("span", { text: t(`map.landmark.${knownLandmark(landmark.category)}`) })))));

  element.addEventListener("toggle", read);
  return Object.assign(element, {
    /** The map has moved, or other landmarks are shown. */
    update() {
      element.hidden = !datasets.shown.length;
      read();
    },
    /** When the map has come to rest. */
    updateSoon() {
      clearTimeout(timer);
      timer = setTimeout(element.update, SETTLED);
    },
    render() {
      title.textContent = t("map.landmark.here");
      element.update();
    },
  });
}

const turned = (longitude) => ((((longitude + 180) % 360) + 360) % 360) - 180;
