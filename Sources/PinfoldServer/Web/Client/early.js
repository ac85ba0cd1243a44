/** What the first map waits for longest: it is asked for before the rest of the client has come. */

import { startLanguage } from "./shell/language.js";

const SESSION = "pinfold.session";
let library = null;
let tries = 0;

/** Settles when the texts are there. */
export const texts = startLanguage();

/**
 * MapLibre, once. It is no module, but runs as one too, and as one that is imported it keeps the page from nothing.
 * After a failure the next call tries again.
 */
export function fetchLibrary() {
  library ??= import(`./maplibre/maplibre-gl.js${tries ? `#${tries}` : ""}`).then(() => {
    // What draws the tiles starts while the rest is got ready.
    globalThis.maplibregl.prewarm();
    return globalThis.maplibregl;
  }).catch((error) => {
    library = null;
    // A browser may remember that an address has failed.
    tries += 1;
    throw error;
  });
  return library;
}

/** Whoever is not signed in sees no map. */
function mayHaveSession() {
  try {
    return localStorage.getItem(SESSION) !== null;
  } catch {
    return true;
  }
}

// Who needs them says it if they do not come.
texts.catch(() => {});
if (mayHaveSession()) fetchLibrary().catch(() => {});
