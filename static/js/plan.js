// The game plan saves itself: each change sends the whole form with the page's revision at that time. Bases are moved
// between zones by dragging, by choosing a base and then its place, or by keys. Each way sets the fields of the unit's
// row, so that the form stays the only thing that is sent.
"use strict";

const LONG_PRESS = 250;
const STEADY = 8;
const zonesOf = () => document.getElementById("plan-zones");
const rowOf = (token) => document.querySelector(token.getAttribute("href"));
const nameOf = (token) => token.querySelector(".nm").textContent;
const former = [];
let lifted = null;
let drag = null;
let droppedAt = -1;

document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
  const form = ctx.request.body;
  if (form?.has?.("revision")) form.set("revision", document.getElementById("plan-revision").value);
});

// ---- the fields of a unit ---------------------------------------------------------------------------------------

const fieldsOf = (token) => [...rowOf(token).querySelectorAll("select, input[name=reserves]")];
const optionFor = (select, value) => [...select.options].find((option) => option.value === value);

/** The field of a unit that puts it into a zone, and its value there; null if it cannot start there. */
function fieldFor(token, { kind, subject }) {
  const unit = token.dataset.unit;
  const wanted = { aboard: ["rides", `${unit}:${subject}`], answer: ["answers", `${subject}:${unit}`] }[kind];
  for (const field of fieldsOf(token)) {
    if (kind === "reserve" && field.name === "reserves") return { field };
    if (wanted && field.name === wanted[0] && optionFor(field, wanted[1])) return { field, value: wanted[1] };
  }
  return kind === "table" ? {} : null;
}

function hostField(token, host) {
  const value = `${token.dataset.unit}:${host.dataset.unit}`;
  const field = fieldsOf(token).find((select) => select.name === "joins" && optionFor(select, value));
  return field ? { field, value } : null;
}

function say(word, values) {
  const text = zonesOf().dataset[word].replace(/%(\w+)/g, (_all, key) => values[key]);
  document.getElementById("plan-said").textContent = text;
}

const read = (field) => (field.type === "checkbox" ? field.checked : field.value);

function write(field, value) {
  if (field.type === "checkbox") field.checked = value;
  else field.value = value;
}

/** Whether a base stands in a zone on its own: one that joined a unit may leave it for the zone they share. */
const stands = (token, zone) => zone.contains(token) && token.closest(".block").querySelector(".tok") === token;

/** Set one field of a unit, clear its others, and let the form save them. */
function settle(token, { field, value = true }) {
  const fields = fieldsOf(token);
  former.push(fields.map((old) => [old, read(old)]));
  for (const other of fields) write(other, other === field ? value : other.type === "checkbox" ? false : "");
  save(token);
}

function save(token) {
  document.getElementById("plan-undo").hidden = !former.length;
  fieldsOf(token)[0].dispatchEvent(new Event("change", { bubbles: true }));
}

function undo() {
  const fields = former.pop()?.filter(([field]) => field.isConnected) ?? [];
  if (!fields.length) return;
  for (const [field, value] of fields) write(field, value);
  const token = zonesOf().querySelector(`.tok[href="#${fields[0][0].closest("li").id}"]`);
  save(token);
  token.focus();
}

// ---- moving ------------------------------------------------------------------------------------------------------

function moveTo(token, zone) {
  const field = fieldFor(token, zone.dataset);
  drop();
  if (stands(token, zone)) return undefined;
  if (!field) return say("refused", { unit: nameOf(token) });
  // Shown at once; the server's answer replaces it.
  const block = token.closest(".block");
  const goes = block.querySelector(".tok") === token ? block : Object.assign(document.createElement("span"), { className: "block" });
  if (goes !== block) goes.append(token);
  zone.querySelector(".toks").append(goes);
  token.classList.add("going");
  token.focus();
  settle(token, field);
  return say("moved", { unit: nameOf(token), place: zone.querySelector("h2").textContent.trim() });
}

function join(token, host) {
  const field = hostField(token, host);
  drop();
  if (!field) return say("refused", { unit: nameOf(token) });
  host.closest(".block").append(token);
  token.classList.add("going");
  token.focus();
  settle(token, field);
  return say("joined", { unit: nameOf(token), host: nameOf(host) });
}

function joinNext(token) {
  const select = fieldsOf(token).find((field) => field.name === "joins");
  if (!select) return;
  const next = select.options[(select.selectedIndex + 1) % select.options.length];
  const host = [...zonesOf().querySelectorAll(".tok")].find((other) => next.value.endsWith(`:${other.dataset.unit}`));
  if (host) join(token, host);
  else moveTo(token, zonesOf().querySelector(".zone.table"));
}

/** Mark where a base may go. */
function lift(token) {
  drop();
  lifted = token;
  token.classList.add("lift");
  token.setAttribute("aria-pressed", "true");
  for (const zone of zonesOf().querySelectorAll(".zone")) {
    const goes = !stands(token, zone) && fieldFor(token, zone.dataset);
    zone.classList.toggle("may", Boolean(goes));
    zone.querySelector(".here").hidden = !goes;
  }
  for (const other of zonesOf().querySelectorAll(".tok"))
    other.classList.toggle("host", other !== token && Boolean(hostField(token, other)));
  say("lifted", { unit: nameOf(token) });
}

function drop() {
  lifted?.classList.remove("lift");
  lifted?.setAttribute("aria-pressed", "false");
  lifted = null;
  for (const zone of zonesOf().querySelectorAll(".zone")) zone.classList.remove("may", "drop");
  for (const button of zonesOf().querySelectorAll(".here")) button.hidden = true;
  for (const token of zonesOf().querySelectorAll(".tok")) token.classList.remove("host", "over");
}

document.addEventListener("click", (event) => {
  // The end of a drag is no press.
  if (event.timeStamp - droppedAt < 50) return event.preventDefault();
  if (event.target.closest("#plan-undo")) return undo();
  const here = event.target.closest("#plan-zones .here");
  if (here && lifted) return moveTo(lifted, here.closest(".zone"));
  const token = event.target.closest("#plan-zones .tok");
  if (token) {
    event.preventDefault();
    if (token === lifted) drop();
    else if (lifted && token.classList.contains("host")) join(lifted, token);
    else lift(token);
  } else if (lifted && event.target.closest(".zone.may")) moveTo(lifted, event.target.closest(".zone.may"));
  return undefined;
});

document.addEventListener("keydown", (event) => {
  if (event.key.toLowerCase() === "z" && (event.ctrlKey || event.metaKey) && !event.target.matches("input, textarea")) {
    event.preventDefault();
    return undo();
  }
  if (event.key === "Escape" && lifted) {
    const token = lifted;
    drop();
    return token.focus();
  }
  const token = event.target.closest("#plan-zones .tok");
  if (!token || event.ctrlKey || event.altKey || event.metaKey) return undefined;
  const tokens = [...zonesOf().querySelectorAll(".tok")];
  const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
  if (step) tokens[(tokens.indexOf(token) + step + tokens.length) % tokens.length].focus();
  else if (event.key === " ") token.click();
  else if (event.key.toLowerCase() === "j") joinNext(token);
  else if (/^[1-9]$/.test(event.key) && document.getElementById(`z-${event.key}`))
    moveTo(token, document.getElementById(`z-${event.key}`));
  else return undefined;
  return event.preventDefault();
});

// ---- dragging: at once with a mouse or pen, after a long press on touch, so that the page still scrolls ---------------

document.addEventListener("pointerdown", (event) => {
  const token = event.target.closest("#plan-zones .tok");
  if (!token || event.button) return;
  drag = { token, x: event.clientX, y: event.clientY, on: false };
  if (event.pointerType === "touch") drag.timer = setTimeout(() => begin(event), LONG_PRESS);
});

function begin(event) {
  drag.on = true;
  lift(drag.token);
  drag.shadow = drag.token.cloneNode(true);
  drag.shadow.removeAttribute("id");
  drag.shadow.setAttribute("aria-hidden", "true");
  drag.shadow.classList.add("shadow");
  drag.token.classList.add("ghost");
  zonesOf().append(drag.shadow);
  follow(event);
}

function follow({ clientX, clientY }) {
  drag.shadow.style.translate = `${clientX}px ${clientY}px`;
  const below = document.elementFromPoint(clientX, clientY);
  drag.host = below?.closest(".tok.host");
  drag.zone = drag.host ? null : below?.closest("#plan-zones .zone");
  for (const zone of zonesOf().querySelectorAll(".zone"))
    zone.classList.toggle("drop", zone === drag.zone && zone.classList.contains("may"));
  for (const token of zonesOf().querySelectorAll(".tok")) token.classList.toggle("over", token === drag.host);
}

document.addEventListener("pointermove", (event) => {
  if (!drag) return;
  const far = Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > STEADY;
  if (!drag.on && far && event.pointerType !== "touch") begin(event);
  else if (!drag.on && far) end();
  if (drag?.on) follow(event);
});

// Only a listener that may prevent it keeps the page still under a dragged base.
document.addEventListener("touchmove", (event) => drag?.on && event.preventDefault(), { passive: false });

function end() {
  clearTimeout(drag?.timer);
  drag?.shadow?.remove();
  drag?.token.classList.remove("ghost");
  drag = null;
}

document.addEventListener("pointerup", (event) => {
  if (!drag?.on) return end();
  const { token, zone, host } = drag;
  end();
  droppedAt = event.timeStamp;
  if (host) join(token, host);
  else if (zone) moveTo(token, zone);
  else drop();
  return event.preventDefault();
});

document.addEventListener("pointercancel", () => {
  if (drag?.on) drop();
  end();
});

document.addEventListener("contextmenu", (event) => {
  if (event.target.closest("#plan-zones .tok") && drag?.on) event.preventDefault();
});

// ---- after an answer ---------------------------------------------------------------------------------------------

/** Bases are links to their rows without this script, and buttons with it. */
function prepare() {
  for (const token of zonesOf()?.querySelectorAll(".tok") ?? []) {
    token.setAttribute("role", "button");
    token.setAttribute("aria-pressed", String(token === lifted));
  }
}

let focused = "";
document.addEventListener("focusin", (event) => {
  focused = event.target.id;
});
document.addEventListener("htmx:after:swap", () => {
  prepare();
  if (document.activeElement === document.body && focused.startsWith("t-")) document.getElementById(focused)?.focus();
});
prepare();
