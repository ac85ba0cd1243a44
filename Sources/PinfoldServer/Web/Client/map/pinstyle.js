import { CATEGORIES } from "./filters.js";
import { colors, labelExpression } from "./markers.js";

const FONT = ["Noto Sans,Liberation Sans,sans-serif"];
const BOLD = ["Noto Sans Bold,Liberation Sans,sans-serif"];
const isCluster = ["has", "point_count"];

/** The ids of the layers of `clusteredPins`. */
export const partsOf = (source) => ["clusters", "counts", "pins"].map((part) => `${source}-${part}`);

/** The layers that draw pins and their clusters of a source: `SOURCE-clusters`, `SOURCE-counts`, `SOURCE-pins`. */
export function clusteredPins(source, more = {}) {
  const color = colors();
  return [
    { id: `${source}-clusters`, type: "circle", source, ...more, filter: isCluster, paint: {
      "circle-color": color("spruce"), "circle-stroke-color": color("card"), "circle-stroke-width": 2,
      "circle-radius": ["step", ["get", "point_count"], 15, 10, 18, 100, 22, 1000, 27] } },
    { id: `${source}-counts`, type: "symbol", source, ...more, filter: isCluster,
      layout: { "text-field": ["number-format", ["get", "point_count"], { locale: document.documentElement.lang }],
        "text-font": BOLD, "text-size": 13, "text-allow-overlap": true, "text-ignore-placement": true },
      paint: { "text-color": color("on-ink") } },
    singlePins(source, { ...more, filter: single([]) }),
  ];
}

/** The filter of pins that are no clusters, without those of some ids. */
export const single = (ids) =>
  ["all", ["!", isCluster], ...(ids.length ? [["!", ["in", ["to-string", ["get", "id"]], ["literal", ids]]]] : [])];

/** The layer that draws each feature of a source as a pin: `SOURCE-pins`. */
export function singlePins(source, more = {}, size = 1) {
  const color = colors();
  const prefix = ["case", ["to-boolean", ["get", "pending"]], "pending-", "pin-"];
  return { id: `${source}-pins`, type: "symbol", source, ...more,
    layout: {
      "icon-image": ["concat", prefix, ["match", ["get", "category"], CATEGORIES, ["get", "category"], "other"]],
      "icon-anchor": "bottom", "icon-size": size, "icon-allow-overlap": true,
      "text-field": ["step", ["zoom"], "", 12, labelExpression()],
      "text-font": FONT, "text-size": 12.5, "text-anchor": "top", "text-offset": [0, 0.15], "text-optional": true,
      "text-max-width": 9,
      ...more.layout,
    },
    paint: { "text-color": color("ink"), "text-halo-color": color("card"), "text-halo-width": 1.6 } };
}

/** The ring behind a pin that was chosen. */
export function halo(source) {
  const color = colors();
  return { id: `${source}-halo`, type: "circle", source, paint: {
    "circle-radius": 13, "circle-color": color("focus"), "circle-opacity": 0.25,
    "circle-stroke-color": color("focus"), "circle-stroke-width": 2 } };
}
