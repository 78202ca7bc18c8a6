// A tour of the builder, shown once per browser and on request. Without scripts there is none.
"use strict";

(() => {
  const tour = document.getElementById("tour");
  const stops = [...tour.querySelectorAll("template")];
  const title = document.getElementById("tour-h");
  const text = document.getElementById("tour-p");
  const number = document.getElementById("tour-n");
  const next = tour.querySelector("[data-tour=next]");
  const on = next.textContent;
  const kept = "tour";
  let at = -1;
  let before = null;

  const seen = () => { try { return localStorage.getItem(kept); } catch { return "yes"; } };
  const keep = () => { try { localStorage.setItem(kept, "yes"); } catch { /* a browser that keeps nothing */ } };

  function unmark() {
    for (const marked of document.querySelectorAll(".toured")) marked.classList.remove("toured");
  }
  function shown(selector) {
    const found = selector && document.querySelector(selector);
    return found && found.getClientRects().length ? found : null;
  }
  function go(place) {
    unmark();
    const stop = stops[place];
    if (!stop) { end(); return; }
    at = place;
    title.textContent = stop.content.querySelector("b").textContent;
    text.textContent = stop.content.querySelector("i").textContent;
    number.textContent = `${place + 1} / ${stops.length}`;
    (shown(stop.dataset.at) ?? shown(stop.dataset.dock))?.classList.add("toured");
    const last = place === stops.length - 1;
    next.textContent = last ? next.dataset.done : on;
    tour.querySelector("[data-tour=end]").hidden = last;
    tour.hidden = false;
    next.focus({ preventScroll: true });
  }
  function end() {
    keep();
    unmark();
    at = -1;
    tour.hidden = true;
    before?.focus?.();
  }

  document.addEventListener("click", (event) => {
    const asked = event.target.closest("[data-tour]");
    // On a phone, the tour would cover what the reader opens, so end it.
    if (!asked && !tour.hidden && event.target.closest(".dock a, [data-into]") && matchMedia("(max-width: 40rem)").matches) end();
    if (!asked) return;
    if (asked.dataset.tour === "end") { end(); return; }
    if (asked.dataset.tour === "start") before = asked;
    go(asked.dataset.tour === "start" ? 0 : at + 1);
  });
  document.addEventListener("keydown", (event) => {
    // Open dialogs and sheets close before the tour.
    if (event.key === "Escape" && !tour.hidden && !document.querySelector("dialog[open]")) { event.preventDefault(); end(); }
  }, true);

  // A screen too low for both tour and list shows the tour only on request.
  if (!seen() && innerHeight > 480) go(0);
})();
