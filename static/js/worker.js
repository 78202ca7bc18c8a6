// Keeps marked pages and their files for offline use. The server puts these constants above: VERSION, ASSETS, STATIC,
// COLOURS, OFFLINE, LEAVING. See docs/adr/0027-what-a-device-keeps.md.
"use strict";

/* global VERSION, ASSETS, STATIC, COLOURS, OFFLINE, LEAVING */
const FILES = `assets-${VERSION}`;
const PATIENCE = 4_000; // ms to wait for the network before a kept page is shown
const MOST_PAGES = 60;
// Increases when a user signs in or out; answers to earlier requests are not kept.
let era = 0;

// ---- install a new version completely or not at all, then delete the old one ----
self.addEventListener("install", (event) => event.waitUntil(install()));
async function install() {
  const there = await caches.has(FILES);
  try {
    await (await caches.open(FILES)).addAll([...ASSETS, OFFLINE]);
  } catch (error) {
    if (!there) await caches.delete(FILES);
    throw error;
  }
  await self.skipWaiting();
}
self.addEventListener("activate", (event) => event.waitUntil(activate()));
async function activate() {
  await self.registration.navigationPreload?.enable();
  const needed = await listNeeded(), fresh = await caches.open(FILES);
  for (const name of await listCaches("assets-")) {
    if (name !== FILES) await moveFiles(await caches.open(name), fresh, needed).then(() => caches.delete(name));
  }
  await self.clients.claim();
}
// Pages kept before the update still need their old files.
async function moveFiles(old, fresh, needed) {
  for (const request of await old.keys()) {
    const { pathname } = new URL(request.url);
    const wanted = needed.has(pathname) || pathname.endsWith(".woff2");
    if (wanted && !(await fresh.match(request))) await fresh.put(request, await old.match(request));
  }
}
async function listNeeded() {
  const needed = new Set([COLOURS]);
  for (const name of await listCaches("pages-")) {
    const pages = await caches.open(name);
    for (const request of await pages.keys()) {
      for (const address of findFiles(await (await pages.match(request)).text())) needed.add(address);
    }
  }
  return needed;
}
const listCaches = async (start) => (await caches.keys()).filter((name) => name.startsWith(start));
const findFiles = (text) => new Set([...text.matchAll(/(?:href|src)="([^"#?]+)/g)].map((match) => match[1])
  .filter((address) => address.startsWith(STATIC) || address === COLOURS));

// ---- requests: pages from the network first, files from the device first, nothing else ----
self.addEventListener("fetch", (event) => {
  const { request } = event, url = new URL(request.url);
  if (url.origin !== location.origin) return;
  if (request.mode === "navigate" && request.method === "GET") event.respondWith(showPage(event, url));
  else if (request.mode === "navigate") event.respondWith(sendForm(event, url));
  else if (request.method !== "GET") return;
  else if (url.pathname === COLOURS) event.respondWith(serveColours(event));
  else if (url.pathname.startsWith(STATIC)) event.respondWith(serveFile(event, url));
  else if (request.headers.get("Accept") === "text/html") event.respondWith(fetchPage(event, url));
});
async function fetchPage(event, url) {
  const asked = era;
  const answer = (await event.preloadResponse) ?? await fetch(event.request);
  event.waitUntil(notePage(url, answer.clone(), asked));
  return answer;
}
async function showPage(event, url) {
  const kept = await findPage(url);
  const fresh = fetchPage(event, url);
  if (!kept) return fresh.catch(showOffline);
  // If a proxy answers because its server is down, show the kept page.
  const sound = fresh.then((answer) => ([502, 503, 504].includes(answer.status) ? kept : answer), () => kept);
  event.waitUntil(sound);
  return Promise.race([sound, new Promise((done) => { setTimeout(() => done(kept), PATIENCE); })]);
}
async function sendForm(event, url) {
  const leaves = LEAVING.some((start) => url.pathname.startsWith(start));
  if (leaves) era += 1;
  try {
    const answer = await fetch(event.request);
    if (leaves && answer.type === "opaqueredirect") await forgetPages();
    return answer;
  } catch {
    // The request may have reached the server, so forget the pages anyway.
    if (leaves) await forgetPages();
    return showOffline();
  }
}
async function showOffline() {
  const page = await caches.match(OFFLINE, { ignoreVary: true });
  return page ? new Response(await page.blob(), { status: 503, headers: page.headers }) : Response.error();
}
async function serveFile(event, url) {
  const kept = await caches.match(event.request, { ignoreVary: true });
  if (kept) return kept;
  const answer = await fetch(event.request);
  // Do not keep a missing file. Fonts are the only files worth keeping that no page names.
  const isFont = answer.status === 200 && url.pathname.endsWith(".woff2");
  if (isFont) event.waitUntil(keepFile(event.request, answer.clone()));
  return answer;
}
async function serveColours(event) {
  const kept = await caches.match(event.request, { ignoreVary: true });
  const fresh = fetch(event.request).then(async (answer) => {
    if (answer.status === 200) await keepFile(event.request, answer.clone());
    return answer;
  });
  event.waitUntil(fresh.catch(() => {}));
  return kept ?? fresh;
}
const keepFile = async (request, answer) => (await caches.open(FILES)).put(request, answer);

// ---- pages that are kept, for one owner at a time ----
async function findPage(url) {
  for (const name of await listCaches("pages-")) {
    const pages = await caches.open(name), exact = await pages.match(url.href, { ignoreVary: true });
    // On a list's link, the query may name another state of the list.
    const ignoreSearch = !url.pathname.startsWith("/r/");
    const page = exact ?? await pages.match(url.href, { ignoreVary: true, ignoreSearch });
    if (page) return page;
  }
  return undefined;
}
async function notePage(url, answer, asked) {
  const owner = answer.headers.get("Offline-Owner");
  if (owner === null || asked !== era) return;
  for (const name of await listCaches("pages-")) if (name !== `pages-${owner}`) await caches.delete(name);
  const pages = await caches.open(`pages-${owner}`), address = url.href.split("#")[0];
  const keeps = answer.headers.has("Offline-Keep") && !answer.redirected;
  // Delete a page that is gone. Keep the old copy if a request failed otherwise.
  if (keeps) await keepPage(pages, address, answer, asked);
  else if ([403, 404, 410].includes(answer.status)) await pages.delete(address, { ignoreVary: true, ignoreSearch: true });
}
async function keepPage(pages, address, answer, asked) {
  const text = await answer.text(), headers = new Headers(answer.headers);
  for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name);
  await keepFiles(text);
  if (asked !== era) return;
  const marked = text.replace("<html", `<html data-kept-at="${Date.now()}"`);
  // Put the page last, because the oldest are deleted first. Of a builder, only the last state stays.
  const ignoreSearch = answer.headers.get("Offline-Keep") === "latest";
  await pages.delete(address, { ignoreVary: true, ignoreSearch });
  await pages.put(address, new Response(marked, { headers }));
  const rows = await pages.keys();
  for (const old of rows.slice(0, Math.max(rows.length - MOST_PAGES, 0))) await pages.delete(old, { ignoreVary: true });
}
async function keepFiles(text) {
  for (const address of findFiles(text)) {
    if (await caches.match(address, { ignoreVary: true })) continue;
    const answer = await fetch(address);
    if (answer.status === 200) await keepFile(address, answer);
  }
}
async function forgetPages() {
  era += 1;
  for (const name of await listCaches("pages-")) await caches.delete(name);
}

// ---- a page that loaded before its worker asks to be kept ----
self.addEventListener("message", (event) => {
  const url = new URL(event.data?.keep ?? "", location.href);
  if (event.data?.keep && url.origin === location.origin) event.waitUntil(keepLate(url));
});
async function keepLate(url) {
  const asked = era;
  const answer = await fetch(url, { headers: { Accept: "text/html" } }).catch(() => null);
  if (answer) await notePage(url, answer, asked);
}
