// On every page: colours and row height, menus that close. No page needs it to work.
"use strict";

const root = document.documentElement;

// ---- texts as searches compare them: without accents and case ----
const folded = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim();

// ---- focus stays where it was: what is gone or unavailable passes it on to the nearest that can be used ----
const USABLE = "a[href], button, input:not([type=hidden]), select, textarea, summary";
const isUsable = (one) => Boolean(one?.isConnected && !one.disabled && one.checkVisibility());
// From near to far: those of the same part first, and of a part its kind first (a field opens the keyboard of a phone).
function listNear(focused) {
  const near = new Set();
  for (let part = focused.parentElement; part; part = part.parentElement) {
    const all = [...part.querySelectorAll(USABLE)], at = all.indexOf(focused);
    const around = [...all.slice(at + 1), ...all.slice(0, Math.max(at, 0)).reverse()];
    const isOther = (one) => Number(one.tagName !== focused.tagName);
    for (const one of around.sort((a, b) => isOther(a) - isOther(b))) near.add(one);
  }
  return [...near];
}
function findTwin(one) {
  if (one.isConnected) return one;
  return document.getElementById(one.id) ?? [...document.querySelectorAll("button[value]")].find(({ value }) => value === one.value);
}
// Call before a change; call what it returns after the change.
function holdFocus() {
  const focused = document.activeElement, held = focused === document.body ? [] : [focused, ...listNear(focused)];
  return () => {
    const now = document.activeElement;
    if (now === document.body || !isUsable(now)) held.map(findTwin).find(isUsable)?.focus({ preventScroll: true });
  };
}

// ---- colours and row height: applied at once, and kept in the cookie that the server reads ----
function showChoice() {
  for (const button of document.querySelectorAll("[data-look] button[name]")) {
    button.setAttribute("aria-pressed", String(root.dataset[button.name] === button.value));
  }
}
document.addEventListener("submit", (event) => {
  if (!event.target.matches("[data-look]") || !event.submitter) return;
  event.preventDefault();
  const { name, value } = event.submitter;
  root.dataset[name] = value;
  document.cookie = `${name}=${value}; path=/; max-age=31536000; samesite=lax`;
  showChoice();
});
showChoice();

// ---- menus: one open at a time, closed by Escape and by a click elsewhere ----
function closeMenus(except) {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (menu !== except) menu.open = false;
  }
}
document.addEventListener("click", (event) => closeMenus(event.target.closest("details.menu")));
document.addEventListener("focusin", (event) => closeMenus(event.target.closest("details.menu")));
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const menu = event.target.closest?.("details.menu[open]");
  if (!menu) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});

// ---- during an upgrade: an answer of another version makes this page load anew ----
document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
  if (root.dataset.version) ctx.request.headers["Page-Version"] = root.dataset.version;
});

// ---- offline: a worker keeps pages; a kept page says how old it is ----
const { worker, kept, keptAt } = root.dataset;
if (worker && "serviceWorker" in navigator) {
  window.addEventListener("load", async () => {
    const { controller } = navigator.serviceWorker;
    try {
      await navigator.serviceWorker.register(worker, { scope: "/", updateViaCache: "none" });
    } catch { return; /* the browser keeps nothing: all else works */ }
    if (!controller) (await navigator.serviceWorker.ready).active.postMessage({ keep: location.href });
  });
}
if (keptAt) {
  const line = Object.assign(document.createElement("p"), { className: "kept", role: "status" });
  line.textContent = kept.replace("%when", new Date(Number(keptAt)).toLocaleString(root.lang, { dateStyle: "medium", timeStyle: "short" }));
  document.body.prepend(line);
}

// ---- messages close on click; good news also by itself ----
document.addEventListener("click", (event) => {
  const message = event.target.closest(".message");
  if (message && !event.target.closest("a, button")) message.remove();
});
setTimeout(() => document.querySelectorAll(".message.success").forEach((message) => message.remove()), 10_000);

// ---- addresses: selected on focus, copied by a button ----
document.addEventListener("focusin", ({ target }) => { if (target.matches?.("[data-select]")) target.select(); });
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const field = document.querySelector(button.dataset.copy);
  field.select();
  try { await navigator.clipboard.writeText(field.value); } catch { document.execCommand("copy"); }
  const word = button.querySelector("[data-word]") ?? button, before = word.textContent;
  word.textContent = button.dataset.copied;
  setTimeout(() => { word.textContent = before; }, 2000);
});

// ---- forms that take long show that they were sent, and are sent once ----
document.addEventListener("submit", (event) => {
  const form = event.target, { submitter } = event;
  if (event.defaultPrevented || !form.matches("[data-waits]")) return;
  if (form.hasAttribute("aria-busy")) { event.preventDefault(); return; }
  form.setAttribute("aria-busy", "true");
  if (!submitter) return;
  submitter.dataset.heard = 1;
  submitter.prepend(Object.assign(document.createElement("i"), { className: "ring" }));
  const words = submitter.parentElement.querySelector(".waits");
  if (words) words.textContent = words.dataset.words;
});
window.addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("[data-waits][aria-busy]")) {
    form.removeAttribute("aria-busy");
    for (const mark of form.querySelectorAll("[data-heard]")) { delete mark.dataset.heard; mark.querySelector(".ring")?.remove(); }
    for (const words of form.querySelectorAll(".waits")) words.textContent = "";
  }
});

// ---- a file dropped on a form goes into its field ----
const dropTarget = (event) => event.target.closest?.("[data-drop]");
document.addEventListener("dragover", (event) => {
  const form = dropTarget(event);
  if (!form || ![...event.dataTransfer.types].includes("Files")) return;
  event.preventDefault();
  form.dataset.over = "";
});
document.addEventListener("dragleave", (event) => { delete dropTarget(event)?.dataset.over; });
document.addEventListener("drop", (event) => {
  const form = dropTarget(event);
  if (!form || !event.dataTransfer.files.length) return;
  event.preventDefault();
  delete form.dataset.over;
  document.querySelector(form.dataset.drop).files = event.dataTransfer.files;
  form.requestSubmit();
});

// ---- many lists: a button ticks all of a page, and ticks are passed on to the next page ----
const ticks = () => [...document.querySelectorAll("input[type=checkbox][form=bulk]")];
document.addEventListener("click", ({ target }) => {
  if (!target.closest("[data-tick-all]")) return;
  const all = ticks(), off = all.every((box) => box.checked);
  for (const box of all) box.checked = !off;
});
document.addEventListener("click", ({ target }) => {
  const link = target.closest(".pager a"), form = document.getElementById("bulk");
  if (!link || !form) return;
  const url = new URL(link.href);
  url.searchParams.delete("list");
  for (const list of new FormData(form).getAll("list")) url.searchParams.append("list", list);
  link.href = url;
});

// ---- long pages fold on a phone, but for what was searched or linked ----
if (matchMedia("(max-width: 40rem)").matches)
  for (const fold of document.querySelectorAll("details.long:not([data-stays], :has(:target))")) fold.open = false;
