const RADIUS = 6371008.8;
const radians = (degrees) => (degrees * Math.PI) / 180;

/** Metres along the great circle on the sphere (haversine): near enough to put a list in order. */
export function distanceBetween(a, b) {
  const [from, to] = [radians(a.latitude), radians(b.latitude)];
  const across = Math.sin((to - from) / 2) ** 2
    + Math.cos(from) * Math.cos(to) * Math.sin(radians(b.longitude - a.longitude) / 2) ** 2;
  return 2 * RADIUS * Math.asin(Math.min(1, Math.sqrt(across)));
}

/** A longitude between -180 and 180. */
export const wrapped = (longitude) => ((((longitude + 180) % 360) + 360) % 360) - 180;

/** Whether a place is in a box `{west, south, east, north}`, whose east may lie beyond 180. */
export function contains({ west, south, east, north }, { latitude, longitude }) {
  if (latitude < south || latitude > north) return false;
  return east - west >= 360 || (((longitude - west) % 360) + 360) % 360 <= east - west;
}

/** Reads "44.9551, -93.1022"; null if that is no point on Earth. */
export function parsePoint(text) {
  const parts = text.trim().replace(/[−–]/g, "-").split(/\s*[,;]\s*|\s+/);
  if (parts.length !== 2 || parts.some((part) => !/^[-+]?\d{1,3}(\.\d+)?$/.test(part))) return null;
  const [latitude, longitude] = parts.map(Number);
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : null;
}

/** As people write positions. */
export const positionText = ({ latitude, longitude }) => `${latitude.toFixed(5)}, ${wrapped(longitude).toFixed(5)}`;

/** `ZOOM/LAT/LON` of an address, or null. */
export function parseView(text) {
  const [zoom, latitude, longitude] = String(text ?? "").split("/").map(Number);
  const isView = zoom >= 0 && zoom <= 24 && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 540;
  return isView ? { zoom, center: [longitude, latitude] } : null;
}

/** A map's view as the part of an address. */
export function viewText(map) {
  const { lng, lat } = map.getCenter();
  return `${+map.getZoom().toFixed(2)}/${lat.toFixed(5)}/${wrapped(lng).toFixed(5)}`;
}

/** How near a place is looked at: by what it is and how many live there. */
export function zoomOf({ featureCode, population }) {
  if (featureCode === "PCLI") return 4.5;
  if (featureCode === "ADM1") return 6.5;
  return population > 1e6 ? 10 : population > 1e5 ? 11.5 : 13;
}
