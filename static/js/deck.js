// Improves the deck: steppers and search work at once. Without it, every form still works.
"use strict";

(() => {
  const $ = (selector, from = document) => from.querySelector(selector);
  const $$ = (selector, from = document) => [...from.querySelectorAll(selector)];
  const waiting = new Map(); // by field id: the wanted number, and the timer that sends it

  // Each edit names the page's revision when it is sent.
  document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
    const form = ctx.request.body;
    if (form?.has?.("revision")) form.set("revision", $("#deck").dataset.revision);
  });

  // If a form was replaced while it waited, its answer belongs to the deck.
  document.addEventListener("htmx:after:request", ({ detail: { ctx } }) => {
    if (!ctx.sourceElement.isConnected) ctx.sourceElement = $("#deck");
    else if (ctx.response?.status === 200 && ctx.sourceElement.matches("form[data-clear]")) ctx.sourceElement.reset();
  });
  let passFocusOn = () => {};
  document.addEventListener("htmx:before:swap", () => { passFocusOn = holdFocus(); });
  document.addEventListener("htmx:after:swap", () => {
    for (const input of $$("form[data-auto] input[type=number]")) input.value = waiting.get(input.id)?.wanted ?? input.defaultValue;
    filter();
    passFocusOn();
  });

  function sendSoon(id, wanted, delay) {
    clearTimeout(waiting.get(id)?.timer);
    const send = () => {
      waiting.delete(id);
      const input = document.getElementById(id);
      if (!input) return;
      input.value = wanted;
      input.form.requestSubmit($("[data-save]", input.form));
    };
    waiting.set(id, { wanted, timer: setTimeout(send, delay) });
  }
  document.addEventListener("change", ({ target }) => {
    if (target.matches?.("form[data-auto] input[type=number]")) sendSoon(target.id, target.value, 0);
    if (target.closest?.("form[data-filter]")) sayFound(filter());
  });
  document.addEventListener("click", (event) => {
    const step = event.target.closest("button[data-step]");
    if (!step) return;
    event.preventDefault();
    const input = $("input[type=number]", step.parentElement);
    const wanted = Math.min(Number(input.max), Math.max(0, Number(input.value || 0) + Number(step.dataset.step)));
    const passStepOn = holdFocus();
    input.value = wanted;
    $("[data-step='-1']", step.parentElement).disabled = wanted === 0;
    $("[data-step='1']", step.parentElement).disabled = wanted === Number(input.max);
    passStepOn();
    sendSoon(input.id, wanted, 180);
  }, true);

  // ---- which cards are shown ----
  const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  // Cards are found by their visible text, so answers need no search words.
  const findable = (row) => plain([$("h3", row.closest(".cardgroup")), ...$$("h4, .face", row)].map((part) => part?.textContent).join(" "));
  function filter() {
    const form = $("form[data-filter]");
    if (!form) return;
    const words = plain(form.q.value).split(/\s+/).filter(Boolean);
    const show = form.show.value;
    let found = 0;
    for (const row of $$(".cardrow")) {
      const text = words.length ? findable(row) : "";
      const fits = words.every((word) => text.includes(word));
      const meant = !show || (show === "mine" ? row.dataset.number !== "0" : row.dataset.free === "yes");
      row.hidden = !(fits && meant);
      found += row.hidden ? 0 : 1;
    }
    for (const group of $$(".cardgroup")) {
      const rows = $$(".cardrow", group);
      group.hidden = rows.length > 0 && rows.every((row) => row.hidden);
    }
    $("#nomatch").hidden = found > 0 || !(words.length || show);
    return found;
  }
  let counting = 0;
  function sayFound(found) {
    const spot = $("#found"), { found: many, foundOne, foundNone } = spot.dataset;
    clearTimeout(counting);
    // Announce the count when the reader pauses, not after each letter.
    counting = setTimeout(() => { spot.textContent = found === 1 ? foundOne : found ? many.replace("%s", found) : foundNone; }, 600);
  }
  document.addEventListener("input", ({ target }) => { if (target.closest?.("form[data-filter]")) sayFound(filter()); });
  document.addEventListener("submit", (event) => { if (event.target.matches("form[data-filter]")) { event.preventDefault(); filter(); } });
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !event.target.closest("input, textarea, select")) { event.preventDefault(); $("#q")?.focus(); }
  });
  // ---- a sample hand: draws from the copies in the deck ----
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-draw]");
    if (!button) return;
    const pile = $$(".cardrow").flatMap((row) => Array(Number(row.dataset.number)).fill($(".face", row)));
    const hand = [];
    while (pile.length && hand.length < Number(button.dataset.draw)) hand.push(pile.splice(Math.floor(Math.random() * pile.length), 1)[0].cloneNode(true));
    $("#hand").replaceChildren(...hand);
    // The button may be far away, at the top of a long page.
    $("#hand").scrollIntoView({ block: "nearest" });
  });
  filter();
})();
