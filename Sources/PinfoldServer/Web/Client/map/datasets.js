import * as api from "../shell/api.js";
import * as database from "../shell/database.js";
import { addIcons, outlines } from "../shell/elements.js";
import { session } from "../shell/session.js";
import { signals } from "../shell/signal.js";

/** The categories of landmarks of the contract, in its order. */
const CATEGORIES = ["museum", "monument", "worship", "park", "nature", "viewpoint", "theatre", "stadium", "school",
  "library", "hospital", "airport", "station", "harbour", "hotel", "shop", "food", "other"];

const FACT = "landmarks";
const { on, emit } = signals();

/** The icon of each category of landmarks: its name is also that of its image on the map. */
export const landmarkIcon = (category) => `landmark-${knownLandmark(category)}`;

/** A category that this client does not know yet looks like `other`. */
export const knownLandmark = (category) => (CATEGORIES.includes(category) ? category : "other");

export const landmarkCategories = CATEGORIES;

addIcons({
  "landmark-museum": outlines.culture,
  "landmark-monument": "M8 1.6 6.6 3.8v6.8h2.8V3.8zM4.6 10.6h6.8v3.2H4.6z",
  "landmark-worship": "M8 1.4v3.4M6.5 2.8h3M3.2 14V8.4L8 5l4.8 3.4V14zM6.6 14v-3h2.8v3",
  "landmark-park": "M8 14.4V7.6M8 10.6c-2.9 0-4.6-1.8-4.6-4.4S5.3 1.8 8 1.8s4.6 1.8 4.6 4.4-1.7 4.4-4.6 4.4z",
  "landmark-nature": outlines.nature,
  "landmark-viewpoint": "M1.4 8S3.8 3.6 8 3.6 14.6 8 14.6 8 12.2 12.4 8 12.4 1.4 8 1.4 8zM8 6.2a1.8 1.8 0 1 0 .1 0z",
  "landmark-theatre": "M3 2.6h10v5.2c0 3.4-2 5.6-5 6-3-.4-5-2.6-5-6zM5.6 6H7M9 6h1.4M5.8 9.6c1.3 1.2 3.1 1.2 4.4 0",
  "landmark-stadium": "M1.6 8c0-2.2 2.9-4 6.4-4s6.4 1.8 6.4 4-2.9 4-6.4 4-6.4-1.8-6.4-4zM5 8c0-.9 1.3-1.6 3-1.6s3 .7 3 "
    + "1.6-1.3 1.6-3 1.6S5 8.9 5 8z",
  "landmark-school": outlines.education,
  "landmark-library": "M8 4C6.6 2.9 4.6 2.6 2 2.8v9.8c2.6-.2 4.6.1 6 1.2 1.4-1.1 3.4-1.4 6-1.2V2.8c-2.6-.2-4.6.1-6 1.2z"
    + "M8 4v9.8",
  "landmark-hospital": "M6 2.4h4V6h3.6v4H10v3.6H6V10H2.4V6H6z",
  "landmark-airport": "M8 1.6c.7 0 1.1.8 1.1 1.8v2.8l5 3v1.6l-5-1.5v2.9l1.5 1.1v1.1L8 13.7l-2.6.7v-1.1l1.5-1.1V9.3l-5 "
    + "1.5V9.2l5-3V3.4c0-1 .4-1.8 1.1-1.8z",
  "landmark-station": "M4 2.6h8v8.2H4zM4 7h8M6 9h.1M10 9h.1M5.4 10.8l-1.6 2.8M10.6 10.8l1.6 2.8",
  "landmark-harbour": "M8 4.6V14M8 1.6a1.5 1.5 0 1 0 .1 0zM5.4 6.8h5.2M2.6 9.4c.4 2.8 2.4 4.6 5.4 4.6s5-1.8 5.4-4.6",
  "landmark-hotel": "M1.8 3.4v9.2M1.8 10.6h12.4v2M14.2 10.6V8.4c0-1-.8-1.8-1.8-1.8H7v4M4.4 7.6a1.2 1.2 0 1 0 .1 0z",
  "landmark-shop": outlines.shopping,
  "landmark-food": outlines.food,
  "landmark-other": "M8 2l1.8 3.9 4.2.5-3.1 2.9.8 4.2L8 11.4l-3.7 2.1.8-4.2L2 6.4l4.2-.5z",
});

/**
 * The datasets of landmarks that this server has, and which of them the viewer wants on the map.
 * `on("change")`: other datasets, or another choice.
 */
export const datasets = {
  /** As `/v1/datasets` has them; empty until they have been read. */
  all: [],
  isOn: true,
  /** The names of those that are not shown. */
  hidden: new Set(),
  on,

  get shown() {
    return this.isOn ? this.all.filter(({ name, count }) => count > 0 && !this.hidden.has(name)) : [];
  },

  find: (id) => datasets.all.find((each) => each.id === id) ?? null,

  /** The names as a query of the API: nothing where all are shown. */
  query() {
    return this.hidden.size ? { dataset: this.shown.map(({ name }) => name) } : {};
  },

  /** Reads them, and what was chosen in this browser. */
  async load() {
    const kept = await database.read("facts", FACT).catch(() => null);
    if (kept) Object.assign(this, { isOn: kept.isOn, hidden: new Set(kept.hidden) });
    await this.refresh();
  },

  async refresh() {
    try {
      this.all = await api.all("/v1/datasets");
      emit("change");
    } catch {
      // Landmarks are worth no alarm: the map says that the server is away.
    }
  },

  set(changes) {
    Object.assign(this, changes);
    database.write("facts", [{ name: FACT, isOn: this.isOn, hidden: [...this.hidden] }]);
    emit("change");
  },
};

session.onPurge(() => {
  Object.assign(datasets, { isOn: true, hidden: new Set() });
});
