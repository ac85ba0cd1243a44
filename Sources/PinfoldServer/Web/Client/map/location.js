import { t } from "../shell/language.js";

/** Where the browser says this device is: `{latitude, longitude, accuracy}`; rejects with a sentence for people. */
export function locate() {
  return new Promise((resolve, reject) => {
    if (!navigator.geolocation || !globalThis.isSecureContext) {
      reject(new Error(t("map.locate.insecure")));
      return;
    }
    navigator.geolocation.getCurrentPosition(
      ({ coords: { latitude, longitude, accuracy } }) => resolve({ latitude, longitude, accuracy }),
      ({ code }) => reject(new Error(t(code === 1 ? "map.locate.refused" : "map.locate.failed"))),
      { timeout: 15_000, maximumAge: 60_000, enableHighAccuracy: true });
  });
}
