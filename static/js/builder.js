// Improves the builder: parts instead of pages, live search, steppers, keys. Without it, every form still works.
"use strict";

(() => {
  const $ = (selector, from = document) => from.querySelector(selector);
  const $$ = (selector, from = document) => [...from.querySelectorAll(selector)];
  const state = () => $("#state").dataset;
  const narrow = matchMedia("(max-width: 40rem)"), tablet = matchMedia("(max-width: 67.5rem)");
  const say = (text) => { $("#said").textContent = text; };

  // ---- steps that wait for a network have a script of their own, which does not hold up the first view ----
  const [BOX, UNSENT] = $("#unsent").dataset.scripts.split(" "), loads = {};
  function load(src) {
    loads[src] ??= new Promise((onload, onerror) => { document.head.append(Object.assign(document.createElement("script"), { src, onload, onerror })); });
    return loads[src].catch(() => { delete loads[src]; });
  }
  const loadUnsent = () => load(BOX).then(() => load(UNSENT));
  for (const type of ["pointerdown", "keydown"]) addEventListener(type, loadUnsent, { capture: true });
  async function loadIfStored() {
    const stores = await indexedDB.databases?.();
    if (stores && !stores.some(({ name }) => name === "play")) return;
    await load(BOX);
    const { taps, refused } = await window.playBox.load(`list:${$("#unsent").dataset.list}`);
    if (taps.length || refused.length) await loadUnsent();
  }
  if (root.dataset.keptAt) loadUnsent(); else loadIfStored().catch(loadUnsent);

  // ---- requests: each edit names the page's revision when it is sent, and the parts that the page has ----
  const have = () => $$("[data-key]").map((part) => `${part.id}.${part.dataset.key}`).join(" ");
  let place = null;

  document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
    const now = state();
    place = remember();
    if (ctx.request.body) {
      const form = ctx.request.body;
      form.set("revision", now.revision);
      if (form.get("do") !== "add-unit") form.set("into", now.into);
      form.set("open", now.open);
      if (now.apart) form.set("apart", now.apart);
      form.set("have", have());
      form.set("starred", $("#quick").dataset.starred);
      if (ctx.sourceElement.matches("[data-describes]")) leaveOut(ctx.sourceElement, form);
    } else {
      const url = new URL(ctx.request.action, location.href);
      if (!url.searchParams.has("into")) url.searchParams.set("into", now.into);
      const opens = url.searchParams.has("open") || ctx.sourceElement?.matches?.(".name");
      if (!opens) url.searchParams.set("open", now.open);
      url.searchParams.set("was", now.open);
      url.searchParams.set("from", now.into);
      url.searchParams.set("revision", now.revision);
      if (isLater(ctx)) url.searchParams.set("had", $$("#roster .unit").length);
      ctx.request.action = url.pathname + url.search;
    }
  });

  // ---- a long list: rows load on scrolling; links to a row already loaded need no request ----
  const isLater = (ctx) => ctx.sourceElement?.matches?.(".later");
  let later = false;
  document.addEventListener("htmx:after:request", ({ detail: { ctx } }) => { later = isLater(ctx); });
  document.addEventListener("click", (event) => {
    const link = event.target.closest('a[href^="?at="]');
    if (!link || !document.getElementById(link.hash.slice(1))) return;
    event.preventDefault();
    location.hash = link.hash;
  });

  // A form that saves itself sends only valid changed fields, so that a mistake in one field does not hold back the
  // others.
  const changed = (field) => (field.options ? [...field.options].some((one) => one.selected !== one.defaultSelected) : field.value !== field.defaultValue);
  function leaveOut(form, body) {
    for (const field of form.elements) {
      if (field.name && field.type !== "hidden" && !(changed(field) && field.validity.valid)) body.delete(field.name);
    }
    form.reportValidity();
  }
  // Keep a menu open while the reader types in it.
  let menu = null;
  document.addEventListener("htmx:before:swap", () => { menu = document.activeElement?.closest("[data-describes]")?.closest("details[open]"); });

  // If a form was replaced while it waited, its answer belongs to the board.
  document.addEventListener("htmx:after:request", ({ detail: { ctx } }) => {
    if (!ctx.sourceElement.isConnected) ctx.sourceElement = $("#board");
  });

  // The server sends words that many lines share once, with the ids of the lines.
  document.addEventListener("htmx:after:swap", () => {
    for (const shared of $$("#alike > [data-alike]")) {
      for (const id of shared.dataset.alike.split(" ")) {
        const line = shared.cloneNode(true);
        line.id = id;
        line.dataset.key = shared.dataset.of;
        for (const name of ["data-alike", "data-of"]) line.removeAttribute(name);
        document.getElementById(id)?.replaceWith(line);
      }
      shared.remove();
    }
  });

  // Keep numbers that were entered during a request; they are about to be sent, and the answer does not include them.
  let pressed = [];
  document.addEventListener("htmx:before:swap", () => {
    pressed = [...waiting.keys()].map((form) => $("input[type=number]", form)).filter(Boolean).map((input) => [input, input.value]);
  });

  document.addEventListener("htmx:after:swap", () => {
    const now = state();
    for (const input of $$("input[name=revision]:not([data-keep])")) input.value = now.revision;
    for (const [input, value] of pressed) if (waiting.has(input.form)) input.value = value;
    for (const input of $$("form[data-auto] input:not([type=hidden])")) {
      const typing = input.type === "number" && input === document.activeElement;
      if (typing || waiting.has(input.form)) continue; // the reader is still typing
      input.checked = input.defaultChecked;
      input.value = input.defaultValue;
    }
    for (const id of place?.folds ?? []) { const fold = document.getElementById(id); if (fold) fold.open = true; }
    if (menu) menu.open = true;
    filter();
    barOffers();
    refocus();
    const url = new URL(location.href);
    for (const name of ["open", "into"]) now[name] ? url.searchParams.set(name, now[name]) : url.searchParams.delete(name);
    history.replaceState(history.state, "", url);
  });

  document.addEventListener("htmx:after:settle", ({ detail: { task, newContent } }) => {
    if (later || !task?.swapSpec?.style?.startsWith("after")) return;
    for (const row of newContent) {
      if (row.nodeType !== 1 || !row.matches(".unit")) continue;
      row.classList.add("new");
      row.addEventListener("animationend", () => row.classList.remove("new"), { once: true });
    }
  });

  // ---- waiting: a press shows at once, and a failed step says so where it was pressed ----
  const STILL_WORKING = 3000; // milliseconds until the page says that it is still working
  const steps = new Map(); // pending edits, each with the pressed element
  const words = $("#board").dataset;
  const fill = (text, value) => text.replace("%s", value);
  let slow = 0, counting = 0;
  function showSteps() {
    for (const one of $$("[data-heard]")) one.removeAttribute("data-heard");
    const marks = [...steps.values()].map((pressed) => $(".base", pressed) ?? pressed);
    for (const mark of [...marks, ...window.unsentSteps?.listMarks() ?? []]) {
      mark.dataset.heard = Number(mark.dataset.heard ?? 0) + 1;
    }
    const working = $("#working"), unjudged = window.unsentSteps?.countWords();
    working.hidden = !steps.size && !unjudged;
    working.classList.toggle("waits", Boolean(unjudged));
    $("span", working).textContent = unjudged || (steps.size === 1 ? words.step : fill(words.steps, steps.size));
    if (steps.size) return;
    clearTimeout(slow);
    slow = 0;
  }
  document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
    if (ctx.request.method !== "POST" || window.unsentSteps?.isSending(ctx)) return;
    clearTimeout(counting); // announce the new action instead
    steps.set(ctx, ctx.request.submitter ?? ctx.sourceElement);
    showSteps();
    slow ||= setTimeout(() => { say(words.slow); $("#working span").textContent = words.slow; }, STILL_WORKING);
  });
  document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => { if (steps.delete(ctx)) showSteps(); });
  document.addEventListener("htmx:after:swap", showSteps);
  document.addEventListener("unsent", showSteps);

  function complain(text) {
    const note = document.createElement("p");
    note.className = "message error";
    note.textContent = text;
    $("#messages").replaceChildren(note);
  }
  // The line of a step without an answer says so and offers to try again. Refusals have their own words.
  function tell(pressed, reason) {
    const note = $("#failed").content.firstElementChild.cloneNode(true);
    const line = pressed.closest(".p-line"), name = pressed.closest(".p-line, .quick") ? $(".nm", pressed)?.textContent : "";
    $("b", note).textContent = name ? fill(words.notAdded, name) : words.notDone;
    $("[data-reason]", note).textContent = reason;
    note.addEventListener("click", ({ target }) => {
      const button = target.closest("button");
      if (!button) return;
      note.remove();
      if (button.hasAttribute("data-again")) {
        if (pressed.matches(".star")) pressed.click();
        else (pressed.form ?? pressed).requestSubmit(pressed.form ? pressed : null);
      }
      pressed.focus?.();
    });
    const place = line ?? pressed.closest(".opts, .acts, .fix, .strip, .quick form");
    for (const earlier of $$(".told", place ?? $("#messages"))) earlier.remove();
    (place ?? $("#messages")).append(note);
  }
  document.addEventListener("htmx:response:error", ({ detail: { ctx } }) => {
    if (ctx.sourceElement === ahead && isBusy(ctx.response)) return; // retried automatically
    if (ctx.sourceElement === sheet) return; // the sheet shows the failure
    const page = new DOMParser().parseFromString(ctx.text ?? "", "text/html");
    const detail = $("#detail", page)?.textContent;
    if (steps.has(ctx) && (detail || ctx.response.status >= 500)) tell(steps.get(ctx), detail ?? words.noAnswer);
    else if (detail) complain(detail);
  });
  document.addEventListener("htmx:error", ({ detail: { ctx } }) => {
    if (!ctx || ctx.response || [ahead, sheet].includes(ctx.sourceElement)) return;
    if (steps.has(ctx)) tell(steps.get(ctx), words.noAnswer);
    else if (ctx.sourceElement.matches(".name")) foldHere(ctx.sourceElement);
    else complain(words.offline);
  });

  // Without a network, the unit that was open last closes and opens here. Options of others are unknown.
  function foldHere(name) {
    const row = name.closest(".unit"), inside = $(".uopen", row);
    if (!inside) { complain(fill(words.unopened, name.textContent)); return; }
    const opens = !row.classList.contains("open"), now = state();
    row.classList.toggle("open", opens);
    inside.hidden = !opens;
    name.setAttribute("aria-expanded", String(opens));
    if (!opens) inside.dataset.node = now.open;
    now.open = opens ? inside.dataset.node : "";
  }

  // ---- focus stays on the element used; if it is gone or disabled, the next of its kind gets the focus ----
  function remember() {
    const focused = document.activeElement;
    const row = focused?.closest?.(".unit");
    const index = row ? $$(".unit").indexOf(row) : -1;
    const part = focused?.closest?.(".p-group, .opts, .unit, .fix, .strip, section, header");
    const usable = part ? $$(USABLE, part) : [];
    const at = usable.indexOf(focused);
    return {
      focused, id: focused?.id ?? "", row: row?.id, index, sections: $$("section[tabindex]").filter((one) => one.contains(focused)).reverse(),
      next: at < 0 ? [] : [...usable.slice(at + 1), ...usable.slice(0, at).reverse()].map((one) => [one, one.id]),
      folds: $$("details.fold[open][id]").map((fold) => fold.id),
    };
  }
  function refocus() {
    const now = document.activeElement;
    if (!place || (now && now !== document.body && isUsable(now))) return;
    const byId = (id) => (id ? document.getElementById(id) : null);
    const twin = byId(/-[mp]$/.test(place.id) && place.id.replace(/-[mp]$/, (end) => (end === "-m" ? "-p" : "-m")));
    const row = byId(place.row) ?? $$(".unit")[Math.min(place.index, $$(".unit").length - 1)];
    const neighbours = place.next.map(([one, id]) => byId(id) ?? one);
    const candidates = [byId(place.id) ?? place.focused, twin, ...(byId(place.row) ? neighbours : []), place.index >= 0 && row && $(".name", row), ...neighbours];
    const target = candidates.find((one) => one !== document.body && isUsable(one)) ?? place.sections.find(isUsable);
    target?.focus({ preventScroll: true });
  }

  // ---- options that submit themselves ----
  const waiting = new Map();
  function sendSoon(form, delay) {
    clearTimeout(waiting.get(form));
    waiting.set(form, setTimeout(() => { waiting.delete(form); if (form.isConnected) form.requestSubmit($("[data-save]", form)); }, delay));
  }
  document.addEventListener("change", ({ target }) => {
    const form = target.closest?.("form[data-auto]");
    if (form && $("[data-save]", form)) sendSoon(form, 0);
    if (target.id === "onekey") localStorage.setItem("onekey", target.checked ? "on" : "off");
  });
  document.addEventListener("click", (event) => {
    const step = event.target.closest("button[data-step]");
    if (!step) return;
    event.preventDefault();
    const input = $("input[type=number]", step.parentElement);
    const now = Number(input.value || 0), most = Math.max(now, Number(input.dataset.most ?? Infinity));
    const wanted = Math.min(most, Math.max(0, now + Number(step.dataset.step)));
    input.value = wanted;
    const less = $("[data-step^='-']", step.parentElement), more = $("[data-step]:not([data-step^='-'])", step.parentElement);
    less.disabled = wanted === 0;
    more.disabled = wanted === most;
    if (step.disabled) [step === less ? more : less, input].find((one) => !one.disabled).focus();
    sendSoon(input.form, 180);
  }, true);

  // ---- what may be taken: search and types, at once ----
  // Further search words of a faction's units are one file, loaded when the reader begins to search.
  let texts = {}, asked = "";
  async function loadTexts() {
    const address = $("#offers")?.dataset.words ?? "";
    if (!address || address === asked) return;
    asked = address;
    const answer = await fetch(address).catch(() => null);
    if (answer?.ok) { texts = await answer.json(); filter(); } else asked = "";
  }
  const nameOf = (item) => folded($(".nm", item).textContent);
  const findable = (item) => texts[item.dataset.unit] ?? nameOf(item);
  // As the server ranks: the name, its beginning, beginnings of its words, inside them, then weapons and keywords.
  function rank(name, words) {
    const text = words.join(" "), parts = name.split(/[^\p{L}\p{N}']+/u);
    if (name === text) return 0;
    if (name.startsWith(text)) return 1;
    if (words.every((word) => parts.some((part) => part.startsWith(word)))) return 2;
    return words.every((word) => name.includes(word)) ? 3 : 4;
  }
  // The similarity of two words from 0 to 1: twice the letters that they share in order, divided by all their letters.
  function likeness(one, other) {
    let row = new Array(other.length + 1).fill(0);
    for (const letter of one) row = row.reduce((next, above, at) => { next.push(at && (other[at - 1] === letter ? row[at - 1] + 1 : Math.max(above, next[at - 1]))); return next; }, []);
    return 2 * row.at(-1) / (one.length + other.length);
  }
  const ALIKE = .72, SHORTEST_MISTAKE = 4;
  function correct(words, items) {
    const known = [...new Set(items.flatMap((item) => nameOf(item).split(/\s+/)))].sort();
    return words.map((word) => {
      if (word.length < SHORTEST_MISTAKE || known.some((one) => one.includes(word))) return word;
      const best = known.reduce((best, one) => { const like = likeness(word, one); return like > best.like ? { one, like } : best; }, { one: word, like: ALIKE });
      return best.one;
    });
  }
  // Among lines of one rank, favourites come first, then the units taken last.
  function habit(item) {
    if ($(".star[aria-pressed=true]", item)) return 0;
    return document.getElementById(item.id.replace("p-", "q-"))?.dataset.section === "taken" ? 1 : 2;
  }
  const HABITS = 3, UNFIT = 5 * HABITS;
  // The server sends lines and groups in book order; during a search, the best come first.
  const places = new Map();
  function arrange(container, children, rankOf) {
    if (!container.dataset.ranked) children.forEach((child, place) => places.set(child.id, place));
    const ranks = new Map(children.map((child) => [child, rankOf ? rankOf(child) : 0]));
    const order = [...children].sort((a, b) => ranks.get(a) - ranks.get(b) || (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0));
    if (rankOf) container.dataset.ranked = "yes"; else delete container.dataset.ranked;
    if (order.every((child, at) => child === children[at])) return;
    const focused = document.activeElement;
    for (const child of order) container.append(child);
    if (focused !== document.activeElement) focused.focus({ preventScroll: true });
  }
  let type = $("[data-filter] [aria-pressed=true]")?.value ?? "";
  function filter() {
    const offers = $("#offers"), groups = $$(".p-group", offers), items = $$(".p-group li", offers);
    const typed = folded($("#q")?.value ?? "").split(/\s+/).filter(Boolean);
    const most = Number.parseFloat($("#most")?.value ?? "");
    const matches = (item, words) => words.every((word) => findable(item).includes(word));
    const inVain = typed.length > 0 && !items.some((item) => matches(item, typed));
    const words = inVain ? correct(typed, items) : typed;
    const ranks = new Map(), onlyOwned = Boolean($("#only-owned")?.checked); // the marks are set by owned.js
    let found = 0;
    for (const group of groups) {
      let shown = 0;
      const lines = $$("li", group);
      for (const item of lines) {
        const fits = matches(item, words) && (!type || group.dataset.type === type) && !(Number.parseFloat(item.dataset.cost) > most) && (!onlyOwned || "owned" in item.dataset);
        item.hidden = !fits;
        shown += fits;
        ranks.set(item, fits ? HABITS * rank(nameOf(item), words) + habit(item) : UNFIT);
      }
      group.classList.toggle("empty", !shown);
      found += shown;
      if (lines.length) arrange(lines[0].parentElement, lines, words.length ? (item) => ranks.get(item) : null);
      ranks.set(group, Math.min(UNFIT, ...lines.map((item) => ranks.get(item))));
    }
    if (groups.length) arrange(groups[0].parentElement, groups, words.length ? (group) => ranks.get(group) : null);
    for (const chip of $$("[data-filter] button[name=type]")) chip.setAttribute("aria-pressed", String(chip.value === type));
    $("#quick").hidden = typed.length > 0 || Boolean(type) || onlyOwned || !Number.isNaN(most);
    const none = $("#nomatch");
    if (none) none.hidden = found > 0 || !groups.length;
    const instead = $("#instead");
    if (instead) {
      instead.hidden = !inVain || !found;
      instead.textContent = fill(instead.dataset.text, words.join(" "));
    }
    return found;
  }
  function sayFound(found) {
    const { found: many, foundOne, foundNone } = $("#q").dataset;
    clearTimeout(counting);
    // Announce the count when the reader pauses, not after each letter.
    counting = setTimeout(() => say(found === 1 ? foundOne : found ? fill(many, found) : foundNone), 600);
  }
  document.addEventListener("input", ({ target }) => {
    if (target.id === "q") loadTexts();
    if (target.id === "q" || target.id === "most") sayFound(filter());
  });
  document.addEventListener("narrowed", () => sayFound(filter()));
  document.addEventListener("focusin", ({ target }) => { if (target.id === "q") loadTexts(); });
  document.addEventListener("submit", (event) => {
    if (!event.target.matches("[data-filter]")) return;
    event.preventDefault();
    if (event.submitter?.name === "type") { type = event.submitter.value; sayFound(filter()); return; }
    filter();
    const first = takes()[0];
    if (!$("#q").value.trim() || first?.hasAttribute("data-barred")) { first?.focus(); return; }
    $("#q").select(); // ready to type the next name
    first?.click();
  });
  document.addEventListener("click", async (event) => {
    const link = event.target.closest("a[data-into]");
    if (!link || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    closeMenus(null);
    type = link.dataset.show ?? "";
    if ($("#q")) $("#q").value = "";
    if (link.dataset.into && link.dataset.into !== state().into) {
      $("#offers").inert = true; // until it shows the other detachment's offers
      await htmx.ajax("GET", `${location.pathname}?into=${encodeURIComponent(link.dataset.into)}`, { target: "#board", swap: "none" });
      $("#offers").inert = false;
    }
    filter();
    if (narrow.matches) location.hash = "#picks";
    (takes()[0] ?? $("#q"))?.focus();
  });

  // The line of a barred unit opens its datasheet, which gives the reason.
  function barOffers() {
    for (const take of $$("#offers .add")) {
      take.disabled = false;
      take.toggleAttribute("data-barred", Boolean($(".no", take)));
    }
    // Edits do not send the sections above, so that nothing moves: their buttons follow the lines.
    for (const chip of $$("#quick [data-of]")) {
      const take = document.getElementById(`o-${chip.dataset.of}`);
      chip.hidden = !take;
      chip.disabled = false;
      chip.toggleAttribute("data-barred", Boolean(take?.hasAttribute("data-barred")));
      if (take) $(".pts", chip).textContent = $(".pts", take).textContent;
    }
  }
  document.addEventListener("click", (event) => {
    const barred = event.target.closest("[data-barred]");
    if (!barred) return;
    event.preventDefault();
    document.getElementById(`i-${barred.dataset.of ?? barred.id.slice(2)}`)?.click();
  }, true);
  barOffers();

  // ---- the two sides as sheets on a phone ----
  let sheets = 0;
  addEventListener("hashchange", () => {
    const side = $(".builder > :is(.side, .picker):target");
    sheets = side ? sheets + 1 : 0;
    if (side) side.focus({ preventScroll: true });
  });
  function closeSheet() {
    const unit = narrow.matches && !$(".builder > :is(.side, .picker):target") && $(".unit.open .name");
    if (unit) { unit.click(); return; }
    if (sheets) history.go(-sheets); else location.hash = "#roster";
    sheets = 0;
  }
  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-close]")) return;
    event.preventDefault();
    closeSheet();
  });

  // ---- a unit's datasheet, or other factions' detachments, next to the list ----
  const sheet = $("#datasheet");
  const sheetLabel = sheet?.getAttribute("aria-label");
  let lookedAt = "";
  async function fillSheet(address) {
    let came = false;
    const note = ({ detail: { ctx } }) => { if (ctx.sourceElement === sheet) came = ctx.response?.status === 200; };
    document.addEventListener("htmx:after:request", note);
    await htmx.ajax("GET", address, { source: sheet, target: "#datasheet", swap: "innerHTML" });
    document.removeEventListener("htmx:after:request", note);
    return came;
  }
  // If a datasheet fails to load, show the words of its line and further links.
  function showFailure(link) {
    const failure = $("#nosheet").content.cloneNode(true), line = link.closest(".p-line");
    const name = link.dataset.sheet || (line && $(".nm", line).textContent) || sheetLabel;
    $("h2", failure).textContent = name;
    $("[data-price]", failure).textContent = line ? $(".pts", line).textContent : "";
    $("[data-again]", failure).addEventListener("click", () => link.click());
    const take = $("[data-take]", failure), add = line && $(".add:not([data-barred])", line);
    if (add) take.addEventListener("click", () => { sheet.close(); add.click(); });
    else take.remove();
    sheet.replaceChildren(failure);
  }
  document.addEventListener("click", async (event) => {
    if (event.target === sheet || event.target.closest("[data-close-sheet]")) { event.preventDefault(); sheet.close(); return; }
    const link = event.target.closest("a[data-sheet]");
    if (!link || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    lookedAt = link.id;
    const address = new URL(link.href);
    if ($(".add .dead", link.parentElement)) address.searchParams.set("dead", "1");
    if (!(await fillSheet(address.pathname + address.search))) showFailure(link);
    sheet.setAttribute("aria-label", link.dataset.sheet || sheetLabel);
    if (!sheet.open) sheet.showModal();
    else if (!sheet.contains(document.activeElement)) $("h2", sheet)?.focus(); // the pressed link is gone
  });
  document.addEventListener("submit", (event) => { if (event.target.closest("#datasheet [method=post]")) sheet.close(); });
  document.addEventListener("keydown", (event) => { // another unit replaces the focused element of the sheet
    const step = sheet?.open && { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const looks = $$("#offers a.look").filter((look) => look.checkVisibility());
    const at = looks.findIndex((look) => look.id === lookedAt);
    if (!step || at < 0) return;
    event.preventDefault();
    looks[at + step]?.click();
  });

  // ---- fixes and completions: requested once the page is idle, cancelled by any edit ----
  const ahead = $("#ahead");
  const told = {}; // by address, the page state of the last answer
  let asking = 0, retryAt = 0; // when a busy server wants the next request
  const isBusy = (response) => [429, 503].includes(response.status);
  async function askFor(address, query = "") {
    const now = `${state().revision}:${state().into}`;
    if (!address || told[address] === now || Date.now() < retryAt) return false;
    let answered = false;
    const note = ({ detail: { ctx } }) => {
      if (ctx.sourceElement !== ahead || !ctx.response) return;
      if (isBusy(ctx.response)) retryAt = Date.now() + 1000 * (Number(ctx.response.headers.get("Retry-After")) || 30);
      else answered = true;
    };
    document.addEventListener("htmx:after:request", note);
    await htmx.ajax("GET", address + query, { source: ahead, target: "#board", swap: "none" });
    document.removeEventListener("htmx:after:request", note);
    if (answered) told[address] = now;
    return answered;
  }
  // Until new fixes arrive, the old ones keep their place but are disabled, because they may be wrong now.
  htmx.registerExtension("deeds", {
    htmx_before_morph_node: (_elt, { oldNode, newNode }) => {
      const stays = oldNode.matches?.(".do") && newNode.matches?.(".due") && oldNode.childElementCount === newNode.childElementCount;
      if (stays) oldNode.classList.add("stale");
      return !stays;
    },
  });
  // A press on an old fix waits for the new ones, and is made if the same fix is still offered.
  let early = "";
  document.addEventListener("submit", (event) => {
    if (!event.target.closest(".do.stale")) return;
    event.preventDefault();
    event.stopPropagation();
    early = event.submitter?.id ?? "";
    if (early) event.submitter.dataset.heard = 1;
  }, true);
  function pressAgain() {
    const button = document.getElementById(early);
    early = "";
    button?.removeAttribute("data-heard");
    button?.click();
  }
  async function askAhead() {
    const { revision } = state(), address = $("#verdict")?.dataset.deeds;
    const isAnswered = await askFor(address);
    if (state().revision === revision) {
      for (const deeds of $$(".do.due, .do.stale")) deeds.classList.remove("due", "stale");
      // Not after an edit that cancelled the request: it may have made the fix needless.
      if (early && (isAnswered || !address)) return pressAgain();
    }
    const grey = $$("#offers .dead").map((why) => why.id).join(",");
    const isNewPanel = await askFor(ahead.dataset.outlook, `?grey=${encodeURIComponent(grey)}`);
    const ways = $("#mending")?.dataset.ways;
    if (isNewPanel) delete told[ways]; // after an undo the panel is empty again, though its state was answered before
    await askFor(ways);
    if (Date.now() < retryAt) askSoon();
  }
  document.addEventListener("click", async (event) => { // continue a search that the server stopped early
    const link = event.target.closest("a[data-ask]");
    if (!link || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    delete told[link.dataset.ask]; // the link appears again if the search is unfinished
    await askFor(link.dataset.ask);
    const ways = $("#mending.looking")?.dataset.ways; // a new panel searches again
    if (!ways) return;
    delete told[ways];
    await askFor(ways);
  });
  function askSoon() {
    const ways = $("#ways"); // offer nothing for an outdated list
    if (ways?.dataset.at) ways.inert = ways.dataset.at !== `${state().revision}:${state().into}`;
    clearTimeout(asking);
    asking = setTimeout(askAhead, Math.max(120, retryAt - Date.now()));
  }
  document.addEventListener("htmx:after:swap", askSoon);
  askSoon();

  // ---- a form that saves itself says so for two seconds ----
  let saying = 0;
  document.addEventListener("htmx:after:request", ({ detail: { ctx } }) => {
    if (!ctx.sourceElement.matches?.("[data-describes]") || ctx.response?.status !== 200) return;
    const saved = $("#saved");
    saved.textContent = saved.dataset.word;
    clearTimeout(saying);
    saying = setTimeout(() => { saved.textContent = ""; }, 2000);
  });
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-unfold]")) { $("#settings").open = true; closeMenus(null); }
  });

  // ---- drag units to the place of another of their kind; a neighbour's button knows the place ----
  let dragged = null;
  const headOf = (row) => { while (row.previousElementSibling && !$(".grouphead", row)) row = row.previousElementSibling; return row; };
  function placeOf(row) {
    if (!row || row === dragged || row.parentElement !== dragged.parentElement || headOf(row) !== headOf(dragged)) return null;
    const below = dragged.compareDocumentPosition(row) & Node.DOCUMENT_POSITION_FOLLOWING;
    return below ? $("[id^=down-]", row.previousElementSibling).value : $("[id^=up-]", row.nextElementSibling).value;
  }
  const aim = (row) => { for (const one of $$(".unit.aim")) if (one !== row) one.classList.remove("aim"); row?.classList.add("aim"); };
  document.addEventListener("dragstart", (event) => {
    dragged = event.target.closest?.(".urow")?.closest(".unit") ?? null;
    if (!dragged) return;
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", $(".name", dragged).textContent);
    event.dataTransfer.setDragImage($(".urow", dragged), 20, 20);
    dragged.classList.add("dragged");
  });
  document.addEventListener("dragover", (event) => {
    const over = dragged && event.target.closest?.(".unit");
    const place = over ? placeOf(over) : null;
    aim(place === null ? null : over);
    if (place !== null) event.preventDefault();
  });
  document.addEventListener("drop", (event) => {
    const place = dragged && placeOf(event.target.closest?.(".unit"));
    if (!place) return;
    event.preventDefault();
    const button = $("[id^=up-]", dragged);
    button.disabled = false;
    button.value = place;
    button.form.requestSubmit(button);
  });
  document.addEventListener("dragend", () => { aim(null); dragged?.classList.remove("dragged"); dragged = null; });

  // ---- keys ----
  const takes = () => $$("#offers .add").filter((take) => take.offsetParent);
  const names = () => $$(".unit .name");
  const typing = (target) => target.matches?.("input:not([type=radio], [type=checkbox]), textarea, select");
  const help = $("#keys");
  if ($("#onekey")) $("#onekey").checked = localStorage.getItem("onekey") !== "off";
  document.addEventListener("click", (event) => { if (event.target.closest("[data-keys]")) help.showModal(); });

  function walk(list, from, step) {
    const next = list[list.indexOf(from) + step];
    next?.focus();
    next?.scrollIntoView({ block: "nearest" });
    return Boolean(next);
  }
  function onRow(event, row) {
    const id = row.id.slice(2);
    if (event.altKey && (event.key === "ArrowUp" || event.key === "ArrowDown")) return document.getElementById(`${event.key === "ArrowUp" ? "up" : "down"}-${id}`);
    if (event.key === "Delete") return document.getElementById(`del-${id}`);
    if (event.key === "d" && $("#onekey").checked) return document.getElementById(`dup-${id}`);
    return null;
  }
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.defaultPrevented || help.open) return;
    if ((event.ctrlKey || event.metaKey) && key.toLowerCase() === "z" && !typing(target)) {
      event.preventDefault();
      $(event.shiftKey ? "#b-redo" : "#b-undo").click();
      return;
    }
    if (key === "Escape") {
      if (target.id === "q" && target.value) { target.value = ""; filter(); return; }
      if (target.id === "q") { $("#picks").focus(); return; } // keys of the page work again
      if ($(".builder > :is(.side, .picker):target")) closeSheet();
      return;
    }
    if (target.id === "q" && key === "ArrowDown") { event.preventDefault(); takes()[0]?.focus(); return; }
    if (typing(target) || event.ctrlKey || event.metaKey) return;
    const row = target.matches?.(".name") && target.closest(".unit");
    if (key === "i" && target.matches?.(".add") && $("#onekey").checked) { event.preventDefault(); target.parentElement.querySelector("a.look").click(); return; }
    const button = row && onRow(event, row);
    if (button) { event.preventDefault(); if (!button.disabled) button.click(); return; }
    if (key === "ArrowDown" || key === "ArrowUp") {
      const step = key === "ArrowDown" ? 1 : -1;
      const list = target.matches?.(".add") ? takes() : row ? names() : null;
      if (!list) return;
      event.preventDefault();
      if (!walk(list, target, step) && step < 0 && list.includes(target) && target.matches(".add")) $("#q").focus();
      return;
    }
    if (event.altKey || !$("#onekey").checked) return;
    const open = (id) => { // on a phone, the menu is a separate page
      const menu = $(id);
      if (!menu?.checkVisibility()) return;
      if (menu.matches("a")) { menu.click(); return; }
      closeMenus(menu);
      menu.open = true;
      $(USABLE, $(".menu-body", menu))?.focus();
    };
    const act = { p: () => open("#b-print"), s: () => open("#b-share"), g: () => open("#b-play"), "/": () => { if (narrow.matches) location.hash = "#picks"; $("#q")?.focus(); $("#q")?.select(); }, "?": () => help.showModal(), w: () => (tablet.matches ? (location.hash = "#why") : $("#why").focus()), u: () => (names()[0] ?? $("#roster"))?.focus() }[key];
    if (act) { event.preventDefault(); act(); }
  });

  if ($("#q")?.value) loadTexts();
  filter();
})();
