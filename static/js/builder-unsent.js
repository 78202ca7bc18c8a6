// Keeps steps of the builder that the server has not judged: in order, on this device, until there is a network. See
// docs/adr/0090-steps-wait-on-the-device.md.
"use strict";

window.unsentSteps = (() => {
  const AGAIN = 4_000, KEEP_AFTER = 5_000; // milliseconds until the next try, and until the page itself is kept
  const ACTS = ["add-unit", "attach", "choose", "detach", "duplicate-unit", "leader", "remove", "set-number", "toggle"];
  const $ = (selector, from = document) => from.querySelector(selector);
  const $$ = (selector, from = document) => [...from.querySelectorAll(selector)];
  const part = $("#unsent"), words = part.dataset;
  const box = window.playBox, shelf = `list:${words.list}`;
  const fill = (text, value) => text.replace("%s", () => value);
  const say = (text) => { $("#said").textContent = text; };
  const showsRevision = () => Number($("#state").dataset.revision);
  let waiting = [], refused = [];
  // The revision that the first step was made on. After a conflict: held, and the revision that holds the step `of`.
  let base = {};
  let storing = Promise.resolve(), sending = null, own = null, again = 0, trouble = "";

  // ---- what a step says, and where it was pressed ----
  const read = (node) => node?.firstChild?.textContent.trim() ?? "";
  function describe(ctx, fields) {
    const form = ctx.sourceElement, pressed = ctx.request.submitter ?? form, row = pressed.closest(".unit");
    const unit = $(".name", row ?? form)?.textContent ?? "";
    if (fields.do === "add-unit" && !pressed.closest(".do, .todo-strip")) {
      const name = $(".nm, .grow", pressed)?.firstChild ?? $("#datasheet h2");
      return { what: fill(words.added, name.textContent.trim()) };
    }
    const choice = form.matches("[data-auto]") && $("input:checked, input[type=number]", form);
    const option = (choice || pressed).closest(".opt"), label = read($(".what", option ?? form));
    const inUnit = (text) => (unit ? `${unit}: ${text}` : text);
    const place = choice?.id || (option && pressed.id);
    if (fields.do === "set-number") {
      const name = pressed.closest(".stepper")?.getAttribute("aria-label") ?? label;
      return { what: inUnit(`${name} ${fields.number}`), place };
    }
    if (!option && row && fields.do === "remove") return { what: fill(words.removed, unit), row: row.id };
    if (!option && row && fields.do === "duplicate-unit") return { what: fill(words.copied, unit), row: row.id };
    if (option && (fields.do === "remove" || fields.do === "detach" || fields.on === "false")) {
      return { what: inUnit(fill(words.without, label)), place };
    }
    return { what: inUnit(option ? label : pressed.textContent.replace(/\s+/g, " ").trim()), place: place ?? pressed.id };
  }
  function findMark({ fields, place, row }) {
    if (fields.do === "add-unit") {
      const take = $$("#offers .add").find((one) => one.value === fields.entry);
      return take && ($(".base", take) ?? take);
    }
    const unit = row && document.getElementById(row);
    if (unit) return fields.do === "remove" ? $(".urow", unit) : $(".urow .base", unit);
    const control = place && document.getElementById(place);
    return control && (control.closest(".opt") ?? control);
  }

  // ---- the page shows what was asked for, in grey; all else is as last judged ----
  const countWords = () => (waiting.length === 1 ? words.one : waiting.length ? fill(words.many, waiting.length) : "");
  function showChoices() {
    for (const one of $$("[data-was]")) {
      const was = JSON.parse(one.dataset.was);
      if (one.matches("button")) { one.value = was.value; one.setAttribute("aria-checked", was.checked); }
      else Object.assign(one, was);
      one.removeAttribute("data-was");
    }
    for (const row of $$(".leaves")) row.classList.remove("leaves");
    for (const { fields, place, row } of waiting) {
      if (fields.do === "remove" && row) document.getElementById(row)?.classList.add("leaves");
      const control = place && document.getElementById(place);
      if (!control) continue;
      const { value, checked, defaultValue, defaultChecked } = control;
      if (control.matches("[role=checkbox]")) {
        control.dataset.was ??= JSON.stringify({ value, checked: control.getAttribute("aria-checked") });
        const isOn = ["true", "attach"].includes(fields.on ?? fields.do);
        control.setAttribute("aria-checked", String(isOn));
        if (fields.on) control.value = String(!isOn); else control.value = isOn ? "detach" : "attach";
      } else if (control.matches("[type=number]")) {
        control.dataset.was ??= JSON.stringify({ value: defaultValue });
        if (value !== fields.number) control.value = fields.number;
      } else if (control.matches("[type=radio]")) {
        const first = $$("input:checked", control.form).find((one) => one.defaultChecked);
        if (first && first !== control) first.dataset.was ??= JSON.stringify({ checked: true });
        control.dataset.was ??= JSON.stringify({ checked: defaultChecked });
        if (!checked) control.checked = true;
      }
    }
  }
  function draw() {
    const { held } = base;
    part.hidden = !waiting.length;
    $("h2 span", part).textContent = countWords();
    const older = document.documentElement.dataset.keptAt && showsRevision() < base.revision ? words.older : "";
    $("[data-trouble]", part).textContent = trouble || (held ? words.changed : older);
    $("[data-held]", part).hidden = !held;
    $("[data-unjudged]").hidden = !waiting.length;
    $("[data-unjudged]").textContent = `${countWords()}. ${words.last}`;
    $("ol", part).replaceChildren(...waiting.map((step) => {
      const line = $("template", part).content.firstElementChild.cloneNode(true);
      $("b", line).textContent = step.what;
      $("small", line).hidden = !["add-unit", "duplicate-unit"].includes(step.fields.do);
      for (const name of $$(".sr", line)) name.textContent = ` ${step.what}`;
      for (const button of $$("button", line)) { button.value = step.id; button.disabled = step === sending; }
      $("[data-send]", line).hidden = !held;
      return line;
    }));
    const told = $("#refused");
    told.hidden = !refused.length;
    $("ul", told).replaceChildren(...refused.map(({ what, reason }) => {
      return Object.assign(document.createElement("li"), { textContent: `${what}: ${reason}` });
    }));
    showChoices();
    document.dispatchEvent(new Event("unsent"));
  }

  // ---- the store ----
  function store(act) {
    storing = storing.then(act).catch(() => { if (waiting.length) { trouble = words.unstored; draw(); } });
  }
  function keep(step) {
    if (!waiting.length) base = { revision: showsRevision() };
    waiting.push(step);
    const now = { ...base };
    store(() => box.add(shelf, step, now));
    draw();
    say(fill(words.kept, step.what));
  }
  function settle(step, refusals = []) {
    waiting = waiting.filter((one) => one !== step);
    refused.push(...refusals);
    if (!waiting.length) base = {};
    const now = { ...base };
    store(() => box.settle(shelf, new Set([step.id]), refusals, now));
  }
  function drop(step) {
    settle(step);
    if (!waiting.length) trouble = "";
    draw();
    say(fill(words.dropped, step.what));
  }

  // ---- presses: sent as always, and kept here if nothing answers or if others wait before them ----
  const isEdit = (ctx) => ctx.request.method === "POST" && ctx.request.action === words.edits;
  const isSending = (ctx) => ctx.sourceElement === part;
  function keepPress(ctx) {
    const { csrfmiddlewaretoken, revision, have, starred, open, rows, step, ...fields } = Object.fromEntries(ctx.request.body);
    const { apart } = $("#state").dataset;
    if (apart) fields.apart = apart;
    keep({ id: step, fields, ...describe(ctx, fields) });
    closeMenus(null);
  }
  // Listens before the page's own script, which tells of what failed and was not kept.
  document.addEventListener("htmx:before:request", (event) => {
    const { ctx } = event.detail;
    if (isSending(ctx)) own = ctx;
    if (!isEdit(ctx) || isSending(ctx)) return;
    const act = ctx.request.body.get("do"), last = waiting.at(-1);
    ctx.request.body.set("step", box.makeId());
    if (!last || base.held) return;
    if (act === "undo" && last !== sending) drop(last);
    else if (ACTS.includes(act)) keepPress(ctx);
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
    run();
  }, true);
  // The page's script has named the revision that the page shows.
  window.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
    if (!isSending(ctx)) return;
    const { body } = ctx.request, { apart } = sending.fields;
    body.set("revision", base.revision);
    if (apart) body.set("apart", apart); else body.delete("apart");
  });
  document.addEventListener("htmx:error", (event) => {
    const { ctx } = event.detail;
    if (!ctx || ctx.response) return;
    if (!isSending(ctx)) {
      if (!isEdit(ctx) || !ACTS.includes(ctx.request.body.get("do"))) return;
      keepPress(ctx);
      trySoon();
    }
    event.stopImmediatePropagation();
  }, true);
  document.addEventListener("htmx:response:error", (event) => {
    if (isSending(event.detail.ctx)) event.stopImmediatePropagation();
  }, true);
  window.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
    // Other edits that the server has stored, such as a new name, are what the next step is made on.
    if (waiting.length && ctx?.response?.status === 200 && isEdit(ctx)) base.revision = showsRevision();
    if (waiting.length) draw();
    keepPage();
  });

  // ---- exchange with the server ----
  function trySoon(delay = AGAIN) {
    clearTimeout(again);
    again = setTimeout(run, delay);
  }
  async function run() {
    if (sending || trouble === words.stranger || base.held) return;
    clearTimeout(again);
    await storing;
    let goesOn = waiting.length > 0;
    while (goesOn) goesOn = await send(waiting[0]) && waiting.length > 0;
    draw();
    const retryAfter = 1000 * (Number(own?.response?.headers.get("Retry-After")) || 0);
    if (waiting.length && !base.held && trouble !== words.stranger) trySoon(Math.max(AGAIN, retryAfter));
  }
  async function post(step) {
    own = null;
    const values = { ...step.fields, step: step.id, csrfmiddlewaretoken: $("input[name=csrfmiddlewaretoken]").value };
    if (base.aside?.of === step.id) values.aside = base.aside.number;
    await new Promise((done) => {
      const note = ({ detail: { ctx } }) => {
        if (!isSending(ctx)) return;
        document.removeEventListener("htmx:finally:request", note);
        done();
      };
      document.addEventListener("htmx:finally:request", note);
      htmx.ajax("POST", words.edits, { source: part, target: "#board", swap: "none", values });
    });
    return own?.response?.status ?? 0;
  }
  // Returns whether the server has decided about the step.
  async function send(step) {
    sending = step;
    let status = await post(step);
    if (status === 403 && await renewToken()) status = await post(step);
    sending = null;
    if ([403, 404].includes(status)) trouble = words.stranger;
    else if (status && trouble === words.stranger) trouble = "";
    if (status === 409) return hold(step);
    if (status === 200) {
      $("body > .kept")?.remove(); // the page is as the server has it
      base = { ...base, revision: showsRevision() };
      if (base.aside?.of === step.id) delete base.aside;
      settle(step);
      return true;
    }
    if (status < 400 || [403, 404, 429].includes(status) || status >= 500) return false;
    const page = new DOMParser().parseFromString(own.text ?? "", "text/html");
    const reason = $(".message, #detail", page)?.textContent.trim() ?? String(status);
    $("#messages")?.replaceChildren(); // the reason stays with the step instead
    settle(step, [{ tap: step, what: step.what, reason }]);
    return true;
  }
  // The list has changed elsewhere. The server keeps this step beside it; the reader decides about all that wait.
  function hold(step) {
    const banner = $("#messages .conflict");
    const { head, number } = banner?.dataset ?? {};
    banner?.remove();
    base = { revision: Number(head ?? showsRevision()), held: true, aside: number ? { of: step.id, number } : base.aside };
    const now = { ...base };
    store(() => box.copy(shelf, now));
    return false;
  }
  // Signing in elsewhere replaces the token.
  async function renewToken() {
    const answer = await fetch(location.pathname, { headers: { Accept: "text/html" } }).catch(() => null);
    if (!answer?.ok) return false;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const token = $("#unsent", page) && $("input[name=csrfmiddlewaretoken]", page)?.value;
    for (const field of token ? $$("input[name=csrfmiddlewaretoken]") : []) field.value = token;
    return Boolean(token);
  }
  part.addEventListener("click", async ({ target }) => {
    const button = target.closest("button");
    if (!button) return;
    if (button.hasAttribute("data-send-all")) {
      delete base.held;
      const now = { ...base };
      store(() => box.copy(shelf, now));
      run();
      return;
    }
    const step = waiting.find((one) => one.id === button.value);
    if (!step || sending) return;
    const at = waiting.indexOf(step);
    if (button.hasAttribute("data-drop")) drop(step);
    else { await storing; await send(step); draw(); }
    ($$("ol li", part)[Math.min(at, waiting.length - 1)]?.querySelector("button:not([hidden])") ?? $("#roster")).focus();
  });
  $("#refused").addEventListener("click", ({ target }) => {
    const isAgain = target.closest("[data-again]");
    if (!isAgain && !target.closest("[data-dismiss]")) return;
    const steps = refused.map(({ tap }) => ({ ...tap, id: box.makeId() }));
    refused = [];
    store(() => box.dismiss(shelf));
    if (isAgain) steps.forEach(keep); else draw();
    $("#roster").focus();
    run();
  });
  function tryNow() {
    if (trouble === words.stranger) trouble = "";
    run();
  }
  addEventListener("online", tryNow);
  document.addEventListener("visibilitychange", () => { if (document.visibilityState === "visible") tryNow(); else keepPage(0); });

  // ---- the device keeps the page as it was judged last, so that it opens without a network ----
  let keeping = 0, isFresh = true;
  function keepPage(delay = KEEP_AFTER) {
    if (delay) isFresh = false;
    clearTimeout(keeping);
    if (isFresh) return;
    keeping = setTimeout(() => {
      isFresh = true;
      navigator.serviceWorker?.controller?.postMessage({ keep: location.href });
    }, delay);
  }

  (async () => {
    try {
      const kept = await box.load(shelf);
      waiting = [...kept.taps, ...waiting];
      refused = kept.refused;
      base = { ...kept.copy, ...base };
    } catch { return; /* this browser stores nothing: steps wait on this page */ }
    base.revision ??= showsRevision();
    if (base.held) base.revision = Math.max(base.revision, showsRevision());
    draw();
    run();
  })();

  return { countWords, isSending, listMarks: () => waiting.map(findMark).filter(Boolean) };
})();
