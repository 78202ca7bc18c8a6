// Times in the reader's own zone, on all pages of events. The pages work without it.
"use strict";

// ---- the server writes the event's time; add the reader's time if it differs ----
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

// ---- scroll the open tab into view ----
document.querySelector(".tabs-line [aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" });

// ---- fill in the reader's zone ----
for (const field of document.querySelectorAll("[data-own-zone]")) {
  if (!field.value) field.value = Intl.DateTimeFormat().resolvedOptions().timeZone;
}


// ---- name the zone of a form's times ----
for (const label of document.querySelectorAll("[data-zone-of]")) {
  const field = document.querySelector(label.dataset.zoneOf);
  field?.addEventListener("input", () => { label.textContent = field.value; });
}

document.addEventListener("htmx:after:swap", () => addOwnTime(document));
