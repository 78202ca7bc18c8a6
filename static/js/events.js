// Moments in the reader's own time, on all pages of events. They work without.
"use strict";

// ---- moments: the server writes the event's time; the reader's own is added if their clock shows another ----
const MOMENT = { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
function addOwnTime(part) {
  for (const time of part.querySelectorAll("time[data-zoned]:not([data-own])")) {
    const when = new Date(time.dateTime), { lang } = document.documentElement;
    const language = lang === "en" ? "en-GB" : lang; // the day before the month, as the server writes it
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const [mine, theirs] = [zone, time.dataset.zoned].map((timeZone) => when.toLocaleString(language, { ...MOMENT, timeZone }));
    time.dataset.own = "";
    if (mine !== theirs) time.append(` · ${mine} (${zone})`);
  }
}
addOwnTime(document);

// ---- the part that is open is on the screen, where the line of parts scrolls ----
document.querySelector(".tabs-line [aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" });

// ---- forms that ask for the reader's zone know it ----
for (const field of document.querySelectorAll("[data-own-zone]")) {
  if (!field.value) field.value = Intl.DateTimeFormat().resolvedOptions().timeZone;
}


// ---- what is in the zone of a form says which that is ----
for (const label of document.querySelectorAll("[data-zone-of]")) {
  const field = document.querySelector(label.dataset.zoneOf);
  field?.addEventListener("input", () => { label.textContent = field.value; });
}

document.addEventListener("htmx:after:swap", () => addOwnTime(document));
