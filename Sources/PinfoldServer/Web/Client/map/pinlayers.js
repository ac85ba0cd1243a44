import * as api from "../shell/api.js";
import { session } from "../shell/session.js";
import { isOffline, on as onStatus } from "../shell/status.js";
import { store } from "../shell/store.js";
import { CATEGORIES, filters } from "./filters.js";
import { addMarkers, colors, drawLabels, labelExpression } from "./markers.js";
import { outbox } from "./outbox.js";

const PROTOCOL = "pins";
export const TILES = "pins";
const KEPT = "kept";
const FRESH = "fresh";
const CHOSEN = "chosen";
const REFRESH = 250;
/** More changes than this at once are drawn by new tiles alone. */
const MOST_FRESH = 50;
const FONT = ["Noto Sans,Liberation Sans,sans-serif"];
const BOLD = ["Noto Sans Bold,Liberation Sans,sans-serif"];

let isRegistered = false;

/** Pin tiles come through the client's own calls, so that a session that is due is renewed. */
function registerProtocol(library) {
  if (isRegistered) return;
  isRegistered = true;
  library.addProtocol(PROTOCOL, async ({ url }, abort) => {
    const [, tile, query] = url.match(/^pins:\/\/([^?]*)\??(.*)$/);
    const data = await api.call("GET", `/v1/tiles/pins/${tile}.mvt${query ? `?${query}` : ""}`,
      { as: "bytes", accept: "application/vnd.mapbox-vector-tile", again: true, signal: abort.signal });
    return { data };
  });
}

/**
 * The pins on the map: tiles of the server, over them what has changed since they were drawn, and without the server
 * all from the store. `open(id)` is called for a pin that is pressed.
 */
export function pinLayers(map, library, open) {
  registerProtocol(library);
  drawLabels(map);
  /** What is newer than the tiles: pins by id, null for one that is gone; with the round of tiles that will have it. */
  let fresh = new Map();
  let round = 0;
  let loadingRound = null;
  let refreshTimer = 0;
  let chosen = null;
  let isReady = false;

  const feature = (pin, properties = {}) => ({
    type: "Feature",
    geometry: { type: "Point", coordinates: [pin.longitude, pin.latitude] },
    properties: { id: pin.id, name: pin.name, category: pin.category, ...properties },
  });
  const collection = (features) => ({ type: "FeatureCollection", features });
  const tilesURL = () => `pins://{z}/{x}/{y}${api.address("", filters.query())}`;
  const pending = () => outbox.entries().map(({ key, body }) =>
    feature({ ...body, id: `outbox:${key}`, category: body.category ?? "other" }, { pending: true }));

  function freshFeatures() {
    const pins = [...fresh.values()].map(({ pin }) => pin).filter((pin) => pin && filters.matches(pin));
    return collection([...(isOffline() ? [] : pins.map((pin) => feature(pin))), ...pending()]);
  }

  const keptFeatures = () => collection(isOffline()
    ? store.pins().filter((pin) => filters.matches(pin)).map((pin) => feature(pin)) : []);

  /** Puts images, sources and layers into a style that has just come. */
  function add() {
    isReady = true;
    addMarkers(map);
    map.addSource(KEPT,
      { type: "geojson", data: keptFeatures(), cluster: true, clusterMaxZoom: 13, clusterRadius: 48 });
    map.addSource(FRESH, { type: "geojson", data: freshFeatures() });
    map.addSource(CHOSEN, { type: "geojson", data: chosenFeature() });
    const color = colors();
    addLayers(KEPT, {}, color);
    addPins(FRESH, {}, color, []);
    map.addLayer({ id: "chosen-halo", type: "circle", source: CHOSEN, paint: {
      "circle-radius": 13, "circle-color": color("focus"), "circle-opacity": 0.25,
      "circle-stroke-color": color("focus"), "circle-stroke-width": 2 } });
    addPins(CHOSEN, {}, color, [], 1.2);
    addTiles();
    showSide();
  }

  const tileLayers = () => ["clusters", "counts", "pins"].map((part) => `${TILES}-${part}`);

  /** The server's tiles, below all else; nobody who is not signed in is sent any. */
  function addTiles() {
    if (!session.user || map.getSource(TILES)) return;
    map.addSource(TILES, { type: "vector", tiles: [tilesURL()], maxzoom: 14 });
    addLayers(TILES, { "source-layer": "pins" }, colors());
    for (const id of tileLayers()) map.moveLayer(id, `${KEPT}-clusters`);
    hideStale();
  }

  function removeTiles() {
    if (!map.getSource(TILES)) return;
    for (const id of tileLayers()) map.removeLayer(id);
    map.removeSource(TILES);
  }

  function addLayers(source, more, color) {
    const isCluster = ["has", "point_count"];
    map.addLayer({ id: `${source}-clusters`, type: "circle", source, ...more, filter: isCluster, paint: {
      "circle-color": color("spruce"), "circle-stroke-color": color("card"), "circle-stroke-width": 2,
      "circle-radius": ["step", ["get", "point_count"], 15, 10, 18, 100, 22, 1000, 27] } });
    map.addLayer({ id: `${source}-counts`, type: "symbol", source, ...more, filter: isCluster,
      layout: { "text-field": ["number-format", ["get", "point_count"], { locale: document.documentElement.lang }],
        "text-font": BOLD, "text-size": 13, "text-allow-overlap": true, "text-ignore-placement": true },
      paint: { "text-color": color("on-ink") } });
    addPins(source, more, color, ["all", ["!", isCluster]]);
  }

  function addPins(source, more, color, filter, size = 1) {
    const prefix = ["case", ["to-boolean", ["get", "pending"]], "pending-", "pin-"];
    map.addLayer({ id: `${source}-pins`, type: "symbol", source, ...more, ...(filter.length ? { filter } : {}),
      layout: {
        "icon-image": ["concat", prefix, ["match", ["get", "category"], CATEGORIES, ["get", "category"], "other"]],
        "icon-anchor": "bottom", "icon-size": size, "icon-allow-overlap": true,
        "text-field": ["step", ["zoom"], "", 12, labelExpression()],
        "text-font": FONT, "text-size": 12.5, "text-anchor": "top", "text-offset": [0, 0.15], "text-optional": true,
        "text-max-width": 9,
      },
      paint: { "text-color": color("ink"), "text-halo-color": color("card"), "text-halo-width": 1.6 } });
  }

  /** Tiles still have what has changed since: those pins are left out of them. */
  function hideStale() {
    if (!isReady || !map.getSource(TILES)) return;
    const ids = [...fresh.keys()];
    map.setFilter(`${TILES}-pins`,
      ["all", ["!", ["has", "point_count"]], ["!", ["in", ["to-string", ["get", "id"]], ["literal", ids]]]]);
  }

  /** Tiles while the server answers, the store while it does not. */
  function showSide() {
    if (!isReady) return;
    for (const id of tileLayers()) {
      if (map.getLayer(id)) map.setLayoutProperty(id, "visibility", isOffline() ? "none" : "visible");
    }
    map.getSource(KEPT).setData(keptFeatures());
    map.getSource(FRESH).setData(freshFeatures());
  }

  function refresh(delay = REFRESH) {
    clearTimeout(refreshTimer);
    refreshTimer = setTimeout(() => {
      if (!isReady || isOffline() || !map.getSource(TILES)) return;
      loadingRound = round;
      round += 1;
      map.refreshTiles(TILES);
      map.triggerRepaint();
    }, delay);
  }

  /** What the tiles have caught up with needs no drawing over them. */
  function settle() {
    if (loadingRound === null || !map.getSource(TILES) || !map.isSourceLoaded(TILES)) return;
    const done = loadingRound;
    loadingRound = null;
    for (const [id, entry] of fresh) if (entry.round <= done) fresh.delete(id);
    hideStale();
    map.getSource(FRESH).setData(freshFeatures());
  }

  /** Forgets all tiles, also those that are not on the screen, in a way that leaves nothing of them. */
  function reset() {
    fresh = new Map();
    loadingRound = null;
    if (!isReady) return;
    removeTiles();
    addTiles();
    showSide();
  }

  store.on("change", ({ changed, removed, reset: isWide }) => {
    if (chosen && removed.includes(chosen.id)) layers.choose(null);
    const again = chosen && changed.find(({ id }) => id === chosen.id);
    if (again) layers.choose(again);
    if (isWide) {
      reset();
      return;
    }
    if (store.complete && changed.length + removed.length <= MOST_FRESH) {
      for (const pin of changed) fresh.set(pin.id, { pin, round });
      for (const id of removed) fresh.set(id, { pin: null, round });
      hideStale();
    }
    if (isReady) {
      map.getSource(FRESH).setData(freshFeatures());
      if (isOffline()) map.getSource(KEPT).setData(keptFeatures());
    }
    if (store.complete) refresh();
  });
  filters.on("change", () => {
    if (!isReady) return;
    // Another address for the same source is not enough: tiles that are on their way while it changes, as when the map
    // moves in the same step, would stay those of the old one.
    removeTiles();
    addTiles();
    showSide();
  });
  session.on("change", () => isReady && addTiles());
  outbox.on("change", () => isReady && map.getSource(FRESH).setData(freshFeatures()));
  onStatus("change", (away) => {
    showSide();
    if (!away) refresh(0);
  });
  map.on("sourcedata", ({ sourceId }) => {
    if (sourceId === TILES) settle();
  });
  map.on("idle", settle);

  const pressable = [`${CHOSEN}-pins`, `${FRESH}-pins`, `${TILES}-pins`, `${KEPT}-pins`, `${TILES}-clusters`,
    `${KEPT}-clusters`];

  function featureAt(point) {
    if (!isReady) return null;
    // Fingers are wide.
    const reach = matchMedia("(pointer: coarse)").matches ? 10 : 3;
    const box = [[point.x - reach, point.y - reach], [point.x + reach, point.y + reach]];
    const found = map.queryRenderedFeatures(box, { layers: pressable.filter((id) => map.getLayer(id)) });
    return found.find(({ properties }) => !properties.point_count) ?? found[0] ?? null;
  }

  async function press(found) {
    const { properties, geometry } = found;
    if (!properties.point_count) {
      open(String(properties.id));
      return;
    }
    const zoom = properties.expansion_zoom
      ?? await map.getSource(KEPT).getClusterExpansionZoom(properties.cluster_id);
    map.easeTo({ center: geometry.coordinates, zoom: Math.max(zoom, map.getZoom() + 0.5) });
  }

  const chosenFeature = () => collection(chosen ? [feature(chosen)] : []);

  const layers = {
    add,
    reset,
    /** What is under a point of the screen, a pin rather than a cluster, or null. */
    featureAt,
    press,
    /** Marks one pin, or none. */
    choose(pin) {
      chosen = pin;
      if (isReady) map.getSource(CHOSEN).setData(chosenFeature());
    },
    /** The style is about to go with all that is in it. */
    leave() {
      isReady = false;
    },
  };
  return layers;
}
