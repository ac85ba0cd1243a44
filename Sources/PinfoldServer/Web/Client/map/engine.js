import { make, stylesheet } from "../shell/elements.js";
import { language, t } from "../shell/language.js";
import * as themes from "../shell/theme.js";

const LIBRARY = new URL("../maplibre/maplibre-gl.js", import.meta.url);
const STYLES = new URL("../maplibre/maplibre-gl.css", import.meta.url);
const BACKGROUND = { light: "#d9e6e8", dark: "#131c20" };
const PATIENCE = 5000;
let loading = null;

/** Why there is no map: `"webgl"` or `"library"`. */
export class MapMissing extends Error {
  constructor(reason) {
    super(`no map: ${reason}`);
    this.reason = reason;
  }
}

const theme = () => (themes.isDark() ? "dark" : "light");

/** MapLibre, once; it is not a module. */
export function loadLibrary() {
  loading ??= Promise.all([
    stylesheet(STYLES),
    new Promise((resolve, reject) => {
      document.head.append(make("script", { src: LIBRARY.href, onload: resolve, onerror: () => {
        loading = null;
        reject(new MapMissing("library"));
      } }));
    }),
  ]).then(() => globalThis.maplibregl);
  return loading;
}

/**
 * The style of the basemap in the theme and the language in use. Pins are worth showing without it: where the server
 * does not answer, an empty one.
 */
export async function loadStyle() {
  try {
    const response = await fetch(`/style.json?theme=${theme()}&lang=${language()}`,
      { signal: AbortSignal.timeout(PATIENCE) });
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

export function hasWebGL() {
  try {
    const canvas = document.createElement("canvas");
    const context = canvas.getContext("webgl2") ?? canvas.getContext("webgl");
    context?.getExtension("WEBGL_lose_context")?.loseContext();
    return context !== null;
  } catch {
    return false;
  }
}

/** A map in an element. `view`: `{center: [longitude, latitude], zoom}`. */
export async function createMap(container, view) {
  if (!hasWebGL()) throw new MapMissing("webgl");
  const [library, style] = await Promise.all([loadLibrary(), loadStyle()]);
  try {
    return new library.Map({
      container, style, ...view,
      attributionControl: false,
      dragRotate: false, pitchWithRotate: false, touchPitch: false, maxPitch: 0,
      maxZoom: 19, minZoom: 1,
      // What has changed is there at once.
      fadeDuration: 80,
      // Addresses in the style are those of this server, whatever host it is reached by.
      transformRequest: (url) => (url.startsWith("/") ? { url: new URL(url, location.origin).href } : undefined),
      locale: { "Map.Title": t("map.canvas"), "Marker.Title": t("map.marker") },
      // Words on the map are drawn with the fonts of this device.
      localIdeographFontFamily: "sans-serif",
    });
  } catch {
    throw new MapMissing("webgl");
  }
}
