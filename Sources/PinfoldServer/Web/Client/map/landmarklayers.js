import * as api from "../shell/api.js";
import { outline } from "../shell/elements.js";
import { datasets, landmarkCategories, landmarkIcon } from "./datasets.js";
import { colors, labelExpression } from "./markers.js";

export const LANDMARKS = "landmarks";
const FONT = ["Noto Sans,Liberation Sans,sans-serif"];
const BOLD = ["Noto Sans Bold,Liberation Sans,sans-serif"];
const SIZE = 22;
const isCluster = ["has", "point_count"];
const pressable = ["clusters", "points", "lines", "areas"].map((part) => `${LANDMARKS}-${part}`);

/**
 * The landmarks of the datasets that are shown, below the pins. `open(id)` is called for one that is pressed.
 */
export function landmarkLayers(map, open) {
  let shown = null;
  let turn = 0;

  /** Shows what is to be shown now; `isNew` after a style has taken the place of another. */
  async function draw(isNew = false) {
    const wanted = datasets.shown.map(({ name, version, updatedAt }) => `${name} ${version} ${updatedAt}`).join()
      || null;
    if (wanted === shown && !isNew) return;
    const mine = (turn += 1);
    shown = wanted;
    try {
      // Its addresses of tiles have the versions in them.
      const description = wanted && await api.get("/v1/tiles/landmarks.json", { query: datasets.query() });
      if (mine !== turn) return;
      take();
      if (description) add(description);
    } catch {
      // Without the server there are none; the next change asks again.
      if (mine === turn) shown = null;
    }
  }

  function add({ tiles, minzoom, maxzoom, bounds, attribution }) {
    for (const category of landmarkCategories) addImage(landmarkIcon(category));
    map.addSource(LANDMARKS, { type: "vector", tiles, minzoom, maxzoom, ...(bounds ? { bounds } : {}),
      ...(attribution ? { attribution } : {}) });
    const above = map.getStyle().layers.find(({ id }) => /^(pins|kept|fresh|chosen)-/.test(id))?.id;
    for (const layer of layers()) map.addLayer(layer, above);
  }

  function take() {
    for (const { id, source } of map.getStyle()?.layers ?? []) if (source === LANDMARKS) map.removeLayer(id);
    if (map.getSource(LANDMARKS)) map.removeSource(LANDMARKS);
  }

  function addImage(name) {
    const color = colors();
    const image = drawSign(name, color("landmark"), color("card"));
    if (map.hasImage(name)) map.removeImage(name);
    map.addImage(name, image, { pixelRatio: image.width / SIZE });
  }

  map.on("style.load", () => draw(true));
  datasets.on("change", () => draw());

  return {
    draw,
    /** What is in a box of the screen, a landmark rather than a cluster, or null. */
    featureAt(box) {
      const found = map.queryRenderedFeatures(box, { layers: pressable.filter((id) => map.getLayer(id)) });
      return found.find(({ properties }) => !properties.point_count) ?? found[0] ?? null;
    },
    press({ properties, geometry }) {
      if (!properties.point_count) open(String(properties.id));
      else map.easeTo({ center: geometry.coordinates, zoom: Math.max(properties.expansion_zoom, map.getZoom() + 0.5) });
    },
  };
}

function layers() {
  const color = colors();
  const sign = color("landmark");
  const points = { source: LANDMARKS, "source-layer": "landmarks" };
  const shapes = { source: LANDMARKS, "source-layer": "landmark_shapes" };
  const categories = landmarkCategories.flatMap((category) => [category, landmarkIcon(category)]);
  return [
    { id: `${LANDMARKS}-areas`, type: "fill", ...shapes, filter: ["==", ["geometry-type"], "Polygon"],
      paint: { "fill-color": sign, "fill-opacity": 0.12 } },
    { id: `${LANDMARKS}-lines`, type: "line", ...shapes, paint: { "line-color": sign, "line-width": 1.6,
      "line-opacity": 0.7 }, layout: { "line-join": "round", "line-cap": "round" } },
    { id: `${LANDMARKS}-clusters`, type: "circle", ...points, filter: isCluster, paint: {
      "circle-color": color("card"), "circle-stroke-color": sign, "circle-stroke-width": 1.5, "circle-opacity": 0.9,
      "circle-radius": ["step", ["get", "point_count"], 10, 100, 13, 10000, 17] } },
    { id: `${LANDMARKS}-counts`, type: "symbol", ...points, filter: isCluster,
      layout: { "text-field": ["case", [">=", ["get", "point_count"], 1000],
        ["concat", ["to-string", ["floor", ["/", ["get", "point_count"], 1000]]], "k"],
        ["to-string", ["get", "point_count"]]],
      "text-font": BOLD, "text-size": 10.5, "text-allow-overlap": true, "text-ignore-placement": true },
      paint: { "text-color": sign } },
    { id: `${LANDMARKS}-points`, type: "symbol", ...points, filter: ["!", isCluster],
      layout: {
        "icon-image": ["match", ["get", "category"], ...categories, landmarkIcon("other")],
        "icon-padding": 1,
        "text-field": ["step", ["zoom"], "", 13, labelExpression()],
        "text-font": FONT, "text-size": 11.5, "text-anchor": "top", "text-offset": [0, 1], "text-optional": true,
        "text-max-width": 9,
      },
      paint: { "text-color": sign, "text-halo-color": color("card"), "text-halo-width": 1.5 } },
  ];
}

/** A square with the outline of a category in it: pins are drops. */
function drawSign(name, hue, card) {
  const ratio = Math.max(2, Math.ceil(devicePixelRatio));
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: SIZE * ratio, height: SIZE * ratio });
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.scale(ratio, ratio);
  Object.assign(context, { lineJoin: "round", lineCap: "round", fillStyle: hue, strokeStyle: card, lineWidth: 1.5 });
  context.beginPath();
  context.roundRect(1, 1, SIZE - 2, SIZE - 2, 6);
  context.fill();
  context.stroke();
  context.translate(4.2, 4.2);
  context.scale(0.85, 0.85);
  context.stroke(new Path2D(outline(name)));
  return context.getImageData(0, 0, canvas.width, canvas.height);
}
