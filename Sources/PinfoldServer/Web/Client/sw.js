// The shell is kept whole, so that it opens without the server; of the basemap, the tiles that were seen. Nothing of
// the API is ever kept here: pins are in the page's own store, which knows when to forget them.
const VERSION = "{{version}}";
const FILES = {{files}};
const SHELL = `shell-${VERSION}`;
const BASEMAP = "basemap";
const MOST_TILES = 600;
const PATIENCE = 4000;

self.addEventListener("install", (event) => {
  event.waitUntil(keepShell());
  self.skipWaiting();
});

self.addEventListener("activate", (event) => {
  event.waitUntil(dropOldShells().then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin) return;
  if (request.mode === "navigate") {
    if (url.pathname === "/" || url.pathname.startsWith("/p/")) event.respondWith(page(request));
  } else if (url.pathname.startsWith("/app/")) {
    event.respondWith(shellFile(request));
  } else if (url.pathname.startsWith("/tiles") || url.pathname === "/style.json") {
    event.respondWith(basemap(event));
  }
});

async function keepShell() {
  const cache = await caches.open(SHELL);
  await Promise.all(FILES.map(async (path) => {
    const response = await fetch(path, { cache: path.startsWith("/app/") ? "default" : "no-cache" });
    if (response.ok) await cache.put(path, response);
    // Without the map's library all but the map works.
    else if (!path.includes("/maplibre/")) throw new Error(`${path} answered ${response.status}`);
  }));
}

/** Pages that are still open came with the shell before this one. */
async function dropOldShells() {
  const shells = (await caches.keys()).filter((name) => name.startsWith("shell-") && name !== SHELL);
  await Promise.all(shells.slice(0, -1).map((name) => caches.delete(name)));
}

async function page(request) {
  try {
    const response = await fetch(request, { signal: AbortSignal.timeout(PATIENCE) });
    if (response.ok || response.status < 500) return response;
    return (await kept()) ?? response;
  } catch (error) {
    const response = await kept();
    if (response) return response;
    throw error;
  }
}

const kept = async () => (await caches.open(SHELL)).match("/");

async function shellFile(request) {
  return (await caches.match(request)) ?? fetch(request);
}

/** What was seen before at once, and what the server has now for the next time. */
async function basemap(event) {
  const cache = await caches.open(BASEMAP);
  const known = await cache.match(event.request);
  const fresh = fetch(event.request).then(async (response) => {
    if (response.ok) {
      await cache.put(event.request, response.clone());
      await trim(cache);
    }
    return response;
  });
  if (!known) return fresh;
  event.waitUntil(fresh.catch(() => {}));
  return known;
}

async function trim(cache) {
  const keys = await cache.keys();
  for (const key of keys.slice(0, Math.max(0, keys.length - MOST_TILES))) await cache.delete(key);
}
