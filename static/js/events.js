// The bench with a keyboard, and moments in the reader's own time. All of it works without.
"use strict";

// ---- moments: the event's zone stands there, the reader's own is added where it is another ----
function addOwnTime(part) {
  for (const time of part.querySelectorAll("time[data-zoned]:not([data-own])")) {
    const when = new Date(time.dateTime), language = document.documentElement.lang;
    const mine = when.toLocaleString(language, { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    time.dataset.own = "";
    if (!time.textContent.includes(zone)) time.append(` · ${mine} (${zone})`);
  }
}
addOwnTime(document);

// ---- the part that is open is on the screen, where the line of parts scrolls ----
document.querySelector(".tabs-line [aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" });

// ---- forms that ask for the reader's zone know it ----
for (const field of document.querySelectorAll("[data-own-zone]")) {
  if (!field.value) field.value = Intl.DateTimeFormat().resolvedOptions().timeZone;
}

// ---- the queue: J and K go through it, the other keys press the buttons of the list beside it ----
const rows = () => [...document.querySelectorAll("#queue tbody tr[data-list]")];
function openRow(step) {
  const all = rows(), at = all.findIndex((row) => row.classList.contains("at"));
  const next = all[Math.max(0, Math.min(all.length - 1, at < 0 ? 0 : at + step))];
  if (next) next.querySelector("a").click();
}
const press = (name) => document.querySelector(`#panel [data-key="${name}"]`);
const KEYS = {
  j: () => openRow(1),
  k: () => openRow(-1),
  a: () => press("accept")?.click(),
  u: () => press("undo")?.click(),
  r: () => press("reason")?.focus(),
  "/": () => document.querySelector("[data-search]")?.focus(),
  Enter: () => press("open")?.click(),
};
document.addEventListener("keydown", (event) => {
  if (!document.querySelector("#queue") || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, textarea, select, button, a, summary") && event.key !== "Escape") {
    if (event.target.closest("input, textarea, select") || event.key === "Enter") return;
  }
  const act = KEYS[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});
document.addEventListener("htmx:after:swap", () => {
  addOwnTime(document);
  const at = document.querySelector("#panel [data-at]")?.dataset.at;
  for (const row of rows()) row.classList.toggle("at", row.dataset.list === at);
  document.querySelector("#queue tr.at")?.scrollIntoView({ block: "nearest" });
});
