import { fetchLibrary } from "../early.js";
import { stylesheet } from "../shell/elements.js";
import { language, t } from "../shell/language.js";
import * as themes from "../shell/theme.js";

const STYLES = new URL("../maplibre/maplibre-gl.css", import.meta.url);
const BACKGROUND = { light: "#d9e6e8", dark: "#131c20" };
const PATIENCE = 5000;
/** The style that was asked for before the map was. */
let early = null;
let isPrepared = false;

/** Why there is no map: `"webgl"` or `"library"`. */
export class MapMissing extends Error {
  constructor(reason) {
    super(`no map: ${reason}`);
    this.reason = reason;
  }
}

const theme = () => (themes.isDark() ? "dark" : "light");

/** Asks for all that a map is made of, so that it is there when the map is. */
export function prepare() {
  fetchLibrary().catch(() => {});
  stylesheet(STYLES);
  if (isPrepared) return;
  isPrepared = true;
  early = { address: styleAddress(), style: loadStyle() };
}

async function loadLibrary() {
  try {
    const [library] = await Promise.all([fetchLibrary(), stylesheet(STYLES)]);
    return library;
  } catch {
    throw new MapMissing("library");
  }
}

const styleAddress = () => `/style.json?theme=${theme()}&lang=${language()}`;

/** The style that was asked for early, if it is still the one that is wanted. */
function firstStyle() {
  const known = early;
  early = null;
  return known?.address === styleAddress() ? known.style : loadStyle();
}

/**
 * The style of the basemap in the theme and the language in use. Pins are worth showing without it: where the server
 * does not answer, an empty one.
 */
export async function loadStyle() {
  try {
    const response = await fetch(styleAddress(), { signal: AbortSignal.timeout(PATIENCE) });
    if (response.ok) return await response.json();
  } catch {
    // The empty one says it.
  }
  return {
    version: 8, sources: {}, metadata: { "pinfold:empty": true },
    layers: [{ id: "background", type: "background", paint: { "background-color": BACKGROUND[theme()] } }],
  };
}

/** Calls back when the theme changes. */
export const onTheme = (callback) => themes.on("change", callback);

/**
 * A map in an element. `first(style)` is given the basemap's and answers with what is to be shown, `{style}`, and where
 * it looks first: `{center: [longitude, latitude], zoom}` or `{bounds, fitBoundsOptions}`.
 */
export async function createMap(container, first) {
  const [library, style] = await Promise.all([loadLibrary(), firstStyle()]);
  const shown = await first(style);
  try {
    // Whether there is WebGL it finds out itself: another context, only to ask, would cost as much as the map's own.
    return new library.Map({
      container, ...shown,
      attributionControl: false,
      dragRotate: false, pitchWithRotate: false, touchPitch: false, maxPitch: 0,
      maxZoom: 19, minZoom: 1,
      // What has changed is there at once.
      fadeDuration: 80,
      // The server has checked what it wrote.
      validateStyle: false,
      // Addresses in the style are those of this server, whatever host it is reached by.
      transformRequest: (url) => (url.startsWith("/") ? { url: new URL(url, location.origin).href } : undefined),
      locale: { "Map.Title": t("map.canvas"), "Marker.Title": t("map.marker") },
      // Words on the map are drawn with the fonts of this device.
      localIdeographFontFamily: "sans-serif",
    });
  } catch {
    container.replaceChildren();
    throw new MapMissing("webgl");
  }
}
