const cacheName = "shell-{{version}}";
const files = {{files}};
self.addEventListener("install", (event) => event.waitUntil(caches.open(cacheName).then((cache) => cache.addAll(files))));
