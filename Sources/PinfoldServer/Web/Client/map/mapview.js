import { attribution } from "./attribution.js";
import { createMap, loadStyle, onTheme } from "./engine.js";
import { distanceBetween, wrapped } from "./geometry.js";
import { onLongPress } from "./longpress.js";
import { colors } from "./markers.js";
import { pinLayers, TILES as PINS } from "./pinlayers.js";

const HERE = "here";
const AROUND = 60_000;
const EMPTY_RETRY = 15_000;
/** How near the map is brought to a point: less where the basemap ends long before the streets. */
const NEAREST = 14;
const NEAREST_COARSE = 11;
const COARSE = 8;

/**
 * The map itself. `acts`: `{openPin(id), drop(place), moved(byPerson)}`. Views are `{center: [longitude, latitude],
 * zoom}`, places `{latitude, longitude}`.
 */
export async function mapView(container, first, acts) {
  const map = await createMap(container, first);
  const library = globalThis.maplibregl;
  const layers = pinLayers(map, library, acts.openPin);
  // For the browser's console, and for tests: the canvas says nothing of what is on it.
  container.map = map;
  let marker = null;
  let place = null;
  let retry = 0;

  map.on("style.load", () => {
    layers.add();
    addHere();
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
    const found = layers.featureAt(point);
    if (found) layers.press(found);
  });
  map.on("mousemove", ({ point }) => {
    if (map.isMoving()) return;
    map.getCanvas().style.cursor = layers.featureAt(point) ? "pointer" : "";
  });
  onLongPress(map, ({ lngLat }) => acts.drop({ latitude: lngLat.lat, longitude: wrapped(lngLat.lng) }));
  map.getCanvas().addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.defaultPrevented) return;
    event.preventDefault();
    acts.drop(view.middle());
  });
  onTheme(restyle);

  async function restyle() {
    const style = await loadStyle();
    layers.leave();
    map.setStyle(style, { diff: false });
  }

  function addHere() {
    map.addSource(HERE, { type: "geojson", data: hereFeature() });
    const color = colors();
    map.addLayer({ id: HERE, type: "circle", source: HERE, paint: { "circle-radius": 7, "circle-color": color("focus"),
      "circle-stroke-color": color("card"), "circle-stroke-width": 2.5 } });
  }

  const hereFeature = () => ({ type: "FeatureCollection", features: place ? [{ type: "Feature", properties: {},
    geometry: { type: "Point", coordinates: [place.longitude, place.latitude] } }] : [] });

  /** What of the map a sheet covers counts as its edge. */
  function padding() {
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

  function isInSight({ latitude, longitude }) {
    const { x, y } = map.project([longitude, latitude]);
    const { top, left, right, bottom } = padding();
    return x > left && y > top && x < container.clientWidth - right && y < container.clientHeight - bottom;
  }

  function nearest() {
    const zooms = Object.entries(map.getStyle()?.sources ?? {})
      .filter(([id, { type }]) => id !== PINS && ["vector", "raster"].includes(type))
      .map(([id]) => map.getSource(id).maxzoom);
    return zooms.length && Math.max(...zooms) <= COARSE ? NEAREST_COARSE : NEAREST;
  }

  /** Brings the map to a place, no nearer than the basemap is worth; `isFar` when it may lie anywhere. */
  function show(to, wanted = NEAREST, isFar = false) {
    const wasInSight = !isFar && isInSight(to);
    // A sheet that opens at the same time has its place on the screen a moment later.
    requestAnimationFrame(() => {
      const zoom = Math.min(wanted, nearest());
      const isNear = wasInSight && map.getZoom() >= zoom - 3;
      if (isNear && isInSight(to)) return;
      map.easeTo({ center: [to.longitude, to.latitude], padding: padding(), retainPadding: false,
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
    /** Shows all of some pins, or those around one of them. */
    fit(pins, { around = null, animate = true }) {
      const shown = around ? pins.filter((pin) => distanceBetween(pin, around) < AROUND) : pins;
      if (!shown.length) return;
      const bounds = new library.LngLatBounds();
      for (const { longitude, latitude } of shown) bounds.extend([longitude, latitude]);
      // A style that has just come says a moment later how near it is worth to look.
      requestAnimationFrame(() => map.fitBounds(bounds, { padding: padding(), maxZoom: nearest(), animate }));
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
      map.getSource(HERE)?.setData(hereFeature());
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
