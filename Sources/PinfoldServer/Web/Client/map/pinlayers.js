import * as api from "../shell/api.js";
import { session } from "../shell/session.js";
import { isOffline, on as onStatus } from "../shell/status.js";
import { store } from "../shell/store.js";
import { filters } from "./filters.js";
import { addMarkers, drawLabels } from "./markers.js";
import { outbox } from "./outbox.js";
import { clusteredPins, halo, partsOf, single, singlePins } from "./pinstyle.js";

const PROTOCOL = "pins";
export const TILES = "pins";
const KEPT = "kept";
const FRESH = "fresh";
const CHOSEN = "chosen";
const REFRESH = 250;
/** More changes than this at once are drawn by new tiles alone. */
const MOST_FRESH = 50;

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
export function pinLayers(open) {
  let map = null;
  /** What is newer than the tiles: pins by id, null for one that is gone; with the round of tiles that will have it. */
  let fresh = new Map();
  let round = 0;
  let loadingRound = null;
  let refreshTimer = 0;
  let chosen = null;
  /** Whether the style on the map has these layers. */
  let isReady = false;
  /** Whether something changed while a style was on its way. */
  let isOutdated = false;

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

  /** What is on the map when it is needed, from below to above: sources and layers by name. */
  const kinds = new Map([
    [TILES, { isNeeded: () => session.user !== null, layers: tileLayers,
      source: () => ({ type: "vector", tiles: [tilesURL()], maxzoom: 14 }) }],
    [KEPT, { isNeeded: isOffline, layers: () => clusteredPins(KEPT),
      source: () => ({ type: "geojson", data: keptFeatures(), cluster: true, clusterMaxZoom: 13,
        clusterRadius: 48 }) }],
    [FRESH, { isNeeded: () => freshFeatures().features.length > 0, layers: () => [singlePins(FRESH)],
      source: () => ({ type: "geojson", data: freshFeatures() }) }],
    [CHOSEN, { isNeeded: () => chosen !== null, layers: () => [halo(CHOSEN), singlePins(CHOSEN, {}, 1.2)],
      source: () => ({ type: "geojson", data: chosenFeature() }) }],
  ]);

  /** A style with the pins in it: MapLibre asks for all that a style names in one step. */
  function extend(style) {
    registerProtocol(globalThis.maplibregl);
    isOutdated = false;
    const needed = [...kinds].filter(([, { isNeeded }]) => isNeeded());
    return { ...style,
      sources: { ...style.sources, ...Object.fromEntries(needed.map(([name, { source }]) => [name, source()])) },
      layers: [...style.layers, ...needed.flatMap(([, { layers: own }]) => own())] };
  }

  /** Puts a kind in its place among the others, if it is not there. */
  function add(name) {
    if (map.getSource(name)) return;
    const names = [...kinds.keys()];
    const above = names.slice(names.indexOf(name) + 1).find((each) => map.getSource(each));
    const next = above && map.getStyle().layers.find(({ source }) => source === above)?.id;
    const { source, layers: own } = kinds.get(name);
    map.addSource(name, source());
    for (const layer of own()) map.addLayer(layer, next);
  }

  /** Shows other data in a kind. */
  function put(name, data) {
    if (map.getSource(name)) map.getSource(name).setData(data);
    else add(name);
  }

  function tileLayers() {
    const visibility = isOffline() ? "none" : "visible";
    return clusteredPins(TILES, { "source-layer": "pins" }).map((layer) => ({ ...layer,
      filter: layer.id === `${TILES}-pins` ? single([...fresh.keys()]) : layer.filter,
      layout: { ...layer.layout, visibility } }));
  }

  /** The images that the layers name, into a style that has just come. */
  function ready() {
    isReady = true;
    addMarkers(map);
    if (isOutdated) drawAnew();
  }

  function take(name) {
    if (!map.getSource(name)) return;
    for (const id of partsOf(name)) map.removeLayer(id);
    map.removeSource(name);
  }

  /** The server's tiles; nobody who is not signed in is sent any. */
  function addTiles() {
    if (session.user) add(TILES);
  }

  /** Tiles still have what has changed since: those pins are left out of them. */
  function hideStale() {
    if (!isReady || !map.getSource(TILES)) return;
    map.setFilter(`${TILES}-pins`, single([...fresh.keys()]));
  }

  /** Tiles while the server answers, the store while it does not. */
  function showSide() {
    for (const id of partsOf(TILES)) {
      if (map.getLayer(id)) map.setLayoutProperty(id, "visibility", isOffline() ? "none" : "visible");
    }
    if (isOffline()) put(KEPT, keptFeatures());
    else take(KEPT);
    showFresh();
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
    if (loadingRound === null || !isReady || !map.getSource(TILES) || !map.isSourceLoaded(TILES)) return;
    const done = loadingRound;
    loadingRound = null;
    for (const [id, entry] of fresh) if (entry.round <= done) fresh.delete(id);
    hideStale();
    showFresh();
  }

  /** Forgets all tiles, also those that are not on the screen, in a way that leaves nothing of them. */
  function reset() {
    fresh = new Map();
    loadingRound = null;
    drawAnew();
  }

  /** Another address for the same source is not enough: tiles that are on their way would stay those of the old one. */
  function drawAnew() {
    isOutdated = !isReady;
    if (!isReady) return;
    take(TILES);
    addTiles();
    showSide();
  }

  const showFresh = () => (isReady ? put(FRESH, freshFeatures()) : drawAnew());

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
      showFresh();
    }
    if (isReady && isOffline()) map.getSource(KEPT)?.setData(keptFeatures());
    if (store.complete) refresh();
  });
  filters.on("change", drawAnew);
  session.on("change", () => (isReady ? addTiles() : drawAnew()));
  outbox.on("change", showFresh);
  onStatus("change", (away) => {
    if (isReady) showSide();
    else drawAnew();
    if (!away) refresh(0);
  });
  const pressable = [`${CHOSEN}-pins`, `${FRESH}-pins`, `${TILES}-pins`, `${KEPT}-pins`, `${TILES}-clusters`,
    `${KEPT}-clusters`];

  function featureAt(box) {
    if (!isReady) return null;
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
    extend,
    /** Works on a map, whose style came out of `extend`, from when that style has loaded. */
    attach(to) {
      map = to;
      drawLabels(map);
      map.on("style.load", ready);
      map.on("sourcedata", ({ sourceId }) => {
        if (sourceId === TILES) settle();
      });
      map.on("idle", settle);
    },
    reset,
    /** What is in a box of the screen, a pin rather than a cluster, or null. */
    featureAt,
    press,
    /** Marks one pin, or none. */
    choose(pin) {
      chosen = pin;
      if (isReady) put(CHOSEN, chosenFeature());
      else drawAnew();
    },
    /** The style is about to go with all that is in it. */
    leave() {
      isReady = false;
    },
  };
  return layers;
}
