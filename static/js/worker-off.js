// Replaces a worker that is being removed: deletes the pages and files it kept, and itself. Unsent taps stay; pages
// send them.
"use strict";

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(leave()));
async function leave() {
  for (const name of await caches.keys()) if (/^(assets|pages)-/.test(name)) await caches.delete(name);
  await self.registration.unregister();
}
