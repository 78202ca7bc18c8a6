// The offline page: lists the pages that this device has kept.
"use strict";

(async () => {
  const list = document.getElementById("kept"), places = new Map();
  for (const name of await caches.keys()) {
    if (!name.startsWith("pages-")) continue;
    const pages = await caches.open(name);
    for (const request of await pages.keys()) {
      const text = await (await pages.match(request)).text(), url = new URL(request.url);
      places.set(url.pathname, new DOMParser().parseFromString(text, "text/html").title);
    }
  }
  for (const [path, title] of [...places].reverse()) {
    const link = Object.assign(document.createElement("a"), { href: path, textContent: title });
    list.append(document.createElement("li"));
    list.lastChild.append(link);
  }
  list.parentElement.hidden = !places.size;
})();
