import { attribution } from "./attribution.js";
import { createMap, loadStyle, onTheme } from "./engine.js";
import { wrapped } from "./geometry.js";
import { onLongPress } from "./longpress.js";
import { colors } from "./markers.js";
import { LANDMARKS, landmarkLayers } from "./landmarklayers.js";
import { pinLayers, TILES as PINS } from "./pinlayers.js";

const HERE = "here";
const EMPTY_RETRY = 15_000;
/** How near the map is brought to a point: less where the basemap ends long before the streets. */
const NEAREST = 14;
const NEAREST_COARSE = 11;
const COARSE = 8;

/** The box that holds pins, of which there is one at least. */
function boundsOf(pins) {
  const bounds = new globalThis.maplibregl.LngLatBounds();
  for (const { longitude, latitude } of pins) bounds.extend([longitude, latitude]);
  return bounds;
}

/** What of the map a sheet covers counts as its edge. */
function padding(container) {
  const sheet = document.querySelector("#sheets dialog");
  const frame = container.getBoundingClientRect();
  const covered = sheet?.getBoundingClientRect();
  const isBeside = matchMedia("(min-width: 720px)").matches;
  // On phones the search box lies over the map.
  const edges = { top: isBeside ? 50 : 110, bottom: 50, left: 40, right: 40 };
  if (!covered) return edges;
  if (isBeside) edges.right = Math.max(40, frame.right - covered.left + 20);
  else edges.bottom = Math.min(frame.height - edges.top - 10, Math.max(50, frame.bottom - covered.top + 15));
  return edges;
}

/** How near it is worth to look at the basemap of a style: what a map knows of its sources counts more. */
function nearest(style, map = null) {
  const zooms = Object.entries(style?.sources ?? {})
    .filter(([id, { type }]) => ![PINS, LANDMARKS].includes(id) && ["vector", "raster"].includes(type))
    .map(([id, { maxzoom }]) => map?.getSource(id)?.maxzoom ?? maxzoom ?? Infinity);
  return zooms.length && Math.max(...zooms) <= COARSE ? NEAREST_COARSE : NEAREST;
}

/**
 * The map itself. `first` settles with where it looks first, a view or pins. `acts`: `{openPin(id), openLandmark(id),
 * drop(place), moved(byPerson)}`. Views are `{center: [longitude, latitude], zoom}`, places `{latitude, longitude}`.
 */
export async function mapView(container, first, acts) {
  const layers = pinLayers(acts.openPin);
  const map = await createMap(container, async (style) => {
    const to = await first;
    const view = to.pins ? { bounds: boundsOf(to.pins),
      fitBoundsOptions: { padding: padding(container), maxZoom: nearest(style) } } : to;
    return { ...view, style: layers.extend(style) };
  });
  const library = globalThis.maplibregl;
  layers.attach(map);
  const landmarks = landmarkLayers(map, acts.openLandmark);
  // For the browser's console, and for tests: the canvas says nothing of what is on it.
  container.map = map;
  let marker = null;
  let place = null;
  let retry = 0;

  map.on("style.load", () => {
    if (place) addHere();
    clearTimeout(retry);
    if (map.getStyle().metadata?.["pinfold:empty"]) retry = setTimeout(restyle, EMPTY_RETRY);
  });
  map.on("error", ({ error }) => {
    // Tiles that do not come are said by the shell's status.
    if (error?.name !== "AbortError") console.warn("map:", error?.message);
  });
  map.on("moveend", ({ originalEvent }) => acts.moved(Boolean(originalEvent)));
  map.on("resize", () => acts.moved(false));
  map.on("click", ({ point }) => {
    const found = featureAt(point);
    if (found) found.of.press(found.feature);
  });
  map.on("mousemove", ({ point }) => {
    if (map.isMoving()) return;
    map.getCanvas().style.cursor = featureAt(point) ? "pointer" : "";
  });
  onLongPress(map, ({ lngLat }) => acts.drop({ latitude: lngLat.lat, longitude: wrapped(lngLat.lng) }));
  map.getCanvas().addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.defaultPrevented) return;
    event.preventDefault();
    acts.drop(view.middle());
  });
  onTheme(restyle);

  /** What can be pressed at a point of the screen: pins lie above landmarks. */
  function featureAt(point) {
    // Fingers are wide.
    const reach = matchMedia("(pointer: coarse)").matches ? 10 : 3;
    const box = [[point.x - reach, point.y - reach], [point.x + reach, point.y + reach]];
    for (const of of [layers, landmarks]) {
      const feature = of.featureAt(box);
      if (feature) return { of, feature };
    }
    return null;
  }

  async function restyle() {
    const style = await loadStyle();
    layers.leave();
    map.setStyle(layers.extend(style), { diff: false });
  }

  function addHere() {
    map.addSource(HERE, { type: "geojson", data: hereFeature() });
    const color = colors();
    map.addLayer({ id: HERE, type: "circle", source: HERE, paint: { "circle-radius": 7, "circle-color": color("focus"),
      "circle-stroke-color": color("card"), "circle-stroke-width": 2.5 } });
  }

  const hereFeature = () => ({ type: "FeatureCollection", features: place ? [{ type: "Feature", properties: {},
    geometry: { type: "Point", coordinates: [place.longitude, place.latitude] } }] : [] });

  function isInSight({ latitude, longitude }) {
    const { x, y } = map.project([longitude, latitude]);
    const { top, left, right, bottom } = padding(container);
    return x > left && y > top && x < container.clientWidth - right && y < container.clientHeight - bottom;
  }

  const fitting = () => ({ padding: padding(container), maxZoom: nearest(map.getStyle(), map) });

  /** Brings the map to a place, no nearer than the basemap is worth; `isFar` when it may lie anywhere. */
  function show(to, wanted = NEAREST, isFar = false) {
    const wasInSight = !isFar && isInSight(to);
    // A sheet that opens at the same time has its place on the screen a moment later.
    requestAnimationFrame(() => {
      const zoom = Math.min(wanted, nearest(map.getStyle(), map));
      const isNear = wasInSight && map.getZoom() >= zoom - 3;
      if (isNear && isInSight(to)) return;
      map.easeTo({ center: [to.longitude, to.latitude], padding: padding(container), retainPadding: false,
        zoom: isFar ? zoom : Math.max(map.getZoom(), isNear ? 0 : zoom), duration: 600 });
    });
  }

  const view = {
    map,
    attribution: attribution(map),
    restyle,
    show,
    choose: layers.choose,
    resize: () => map.resize(),
    zoomBy: (step) => map.easeTo({ zoom: map.getZoom() + step, duration: 200 }),
    jump: (to) => map.jumpTo(to),
    current: () => ({ center: map.getCenter().toArray(), zoom: map.getZoom() }),
    box() {
      const bounds = map.getBounds();
      return { west: bounds.getWest(), south: bounds.getSouth(), east: bounds.getEast(), north: bounds.getNorth() };
    },
    middle() {
      const { lat, lng } = map.getCenter();
      return { latitude: lat, longitude: wrapped(lng) };
    },
    /** Moves to a pin that was just saved, if it is out of sight. */
    reveal(pin) {
      if (!isInSight(pin)) show(pin, map.getZoom());
    },
    /** Shows all of some pins. */
    fit(pins, { animate = true } = {}) {
      if (!pins.length) return;
      // A style that has just come says a moment later how near it is worth to look.
      requestAnimationFrame(() => map.fitBounds(boundsOf(pins), { ...fitting(), animate }));
    },
    /** A marker that can be dragged when `dragged` is given. */
    mark(at, dragged) {
      if (!marker) {
        marker = new library.Marker({ color: colors()("focus") });
        marker.on("dragend", () => {
          const { lat, lng } = marker.getLngLat();
          marker.dragged?.({ latitude: lat, longitude: wrapped(lng) });
        });
      }
      marker.dragged = dragged;
      marker.setDraggable(Boolean(dragged)).setLngLat([at.longitude, at.latitude]).addTo(map);
      if (!isInSight(at)) show(at, map.getZoom());
    },
    unmark() {
      marker?.remove();
      marker = null;
    },
    here(at) {
      place = at;
      if (map.getSource(HERE)) map.getSource(HERE).setData(hereFeature());
      else if (place && map.isStyleLoaded()) addHere();
    },
    /** Nothing of an account stays. */
    forget() {
      view.unmark();
      view.here(null);
      layers.choose(null);
      layers.reset();
    },
  };
  new ResizeObserver(() => map.resize()).observe(container);
  return view;
}
