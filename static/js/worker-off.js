// Takes the place of a worker that is to be gone: deletes the pages and files that it kept, and itself. Taps that are
// not sent yet stay where they are, as the pages send them.
"use strict";

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(leave()));
async function leave() {
  for (const name of await caches.keys()) if (/^(assets|pages)-/.test(name)) await caches.delete(name);
  await self.registration.unregister();
}
