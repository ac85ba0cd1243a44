/** The first rows of a file, on a map and in a table beside it. */

import { make, replace } from "../shell/elements.js";
import { t } from "../shell/language.js";
import { createMap, MapMissing } from "../map/engine.js";
import { knownLandmark } from "../map/datasets.js";
import { positionText } from "../map/geometry.js";
import { colors } from "../map/markers.js";
import { table } from "./parts.js";

const SAMPLE = "sample";

export function preview() {
  const canvas = make("div", { class: "preview-map" });
  const rows = make("div");
  const element = make("div", { class: "preview" }, canvas, rows);
  let map = null;
  let making = null;

  async function show(sample) {
    replace(rows, table(t("admin.sample"), sample, [
      [t("admin.row"), ({ row }) => String(row ?? "")],
      [t("admin.landmark.name"), ({ name }) => make("bdi", { text: name })],
      [t("admin.landmark.category"), ({ category }) => t(`map.landmark.${knownLandmark(category)}`)],
      [t("admin.landmark.address"), ({ address }) => make("bdi", { text: address ?? "" })],
      [t("admin.position"), (each) => make("bdi", { class: "position", text: positionText(each) })],
    ]));
    const data = { type: "FeatureCollection", features: sample.map(({ longitude, latitude, name }) => ({
      type: "Feature", properties: { name }, geometry: { type: "Point", coordinates: [longitude, latitude] } })) };
    const view = () => ({ bounds: boundsOf(sample), fitBoundsOptions: { padding: 40, maxZoom: 11 } });
    try {
      if (map) {
        map.getSource(SAMPLE)?.setData(data);
        map.resize();
        map.fitBounds(view().bounds, { ...view().fitBoundsOptions, animate: false });
        return;
      }
      making ??= createMap(canvas, (style) => ({ ...view(), style: withSample(style, data) }));
      const made = await making;
      // The section may have been left meanwhile.
      if (making) map = canvas.map = made;
      else made.remove();
    } catch (error) {
      making = null;
      if (!(error instanceof MapMissing)) throw error;
      replace(canvas, make("p", { class: "hint", text: t(`map.missing.${error.reason}`) }));
    }
  }

  return {
    element,
    show: (sample) => setTimeout(() => show(sample).catch(reportError)),
    remove() {
      map?.remove();
      map = making = null;
    },
  };
}

function boundsOf(sample) {
  const bounds = new globalThis.maplibregl.LngLatBounds();
  for (const { longitude, latitude } of sample) bounds.extend([longitude, latitude]);
  return bounds;
}

function withSample(style, data) {
  const color = colors();
  return { ...style, sources: { ...style.sources, [SAMPLE]: { type: "geojson", data } },
    layers: [...style.layers, { id: SAMPLE, type: "circle", source: SAMPLE, paint: { "circle-radius": 6,
      "circle-color": color("landmark"), "circle-stroke-color": color("card"), "circle-stroke-width": 2 } },
    { id: `${SAMPLE}-names`, type: "symbol", source: SAMPLE, layout: { "text-field": ["get", "name"],
      "text-font": ["Noto Sans,Liberation Sans,sans-serif"], "text-size": 12, "text-anchor": "top",
      "text-offset": [0, 0.7], "text-max-width": 9 },
    paint: { "text-color": color("ink"), "text-halo-color": color("card"), "text-halo-width": 1.6 } }] };
}
