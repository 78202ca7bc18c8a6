// The bench. The mark moves at once, the list next to the table follows where it stops, and acts on lists run one after
// the other. Without this script, rows are links and acts are forms.
"use strict";
(() => {
  const panel = document.getElementById("panel"), unsaved = document.getElementById("unsaved");
  if (!panel) return;
  const STOP = 150; // milliseconds without a key before the list loads
  const FRAGMENT = { headers: { "HX-Request": "true", "HX-Target": "panel" } };
  const queue = () => document.getElementById("queue");
  const rows = () => [...document.querySelectorAll("#queue tr[data-list]")];
  const findRow = (id) => rows().find((row) => row.dataset.list === id);
  const getShown = () => panel.querySelector("[data-at]")?.dataset.at;
  const press = (name) => panel.querySelector(`[data-key="${name}"]`);
  const parse = (html) => new DOMParser().parseFromString(html, "text/html");
  async function fetchPage(address, selector, options) {
    const answer = await fetch(address, options);
    const page = answer.ok && parse(await answer.text());
    // A user whose session has ended gets another page.
    if (!page || !page.querySelector(selector)) throw new Error(`${address}: ${answer.status}`);
    return page;
  }

  // ---- the mark, and the list that follows it ----
  let at = document.querySelector("#queue tr.at")?.dataset.list;
  let timer = 0, loading = new AbortController();
  let message = null; // text typed before its field has loaded: for which list, and whether typing goes on
  let opens = ""; // the list whose page opens once it has loaded
  function mark(id) {
    at = id;
    for (const row of rows()) {
      const isAt = row.dataset.list === id, link = row.querySelector("a");
      row.classList.toggle("at", isAt);
      if (isAt) link.setAttribute("aria-current", "true"); else link.removeAttribute("aria-current");
    }
    findRow(id)?.scrollIntoView({ block: "nearest" });
  }
  function follow(id, wait = STOP) {
    mark(id);
    clearTimeout(timer);
    loading.abort();
    if (opens !== id) opens = "";
    panel.toggleAttribute("aria-busy", false);
    if (getShown() === id) return usePanel();
    panel.setAttribute("aria-busy", "true");
    timer = setTimeout(load, wait, id);
  }
  async function load(id) {
    const address = findRow(id)?.querySelector("a").href;
    if (!address) return panel.removeAttribute("aria-busy");
    const { signal } = loading = new AbortController();
    try {
      const page = await fetchPage(address, "[data-at]", { ...FRAGMENT, signal });
      if (signal.aborted) return;
      history.replaceState(history.state, "", address);
      show(page.body);
    } catch {
      if (signal.aborted) return;
      if (message) message.isTyped = false;
      panel.replaceChildren(document.getElementById("unloaded").content.cloneNode(true));
      panel.querySelector("button").addEventListener("click", () => follow(id, 0));
    }
    panel.removeAttribute("aria-busy");
  }
  function show(source) {
    panel.replaceChildren(...source.childNodes);
    addOwnTime(panel);
    usePanel();
  }
  function usePanel() {
    const id = getShown(), field = press("reason");
    if (opens && opens === id) {
      opens = "";
      work.then(() => press("open")?.click());
    }
    if (message?.id !== id) return;
    field?.focus();
    field?.setRangeText(message.text, field.selectionStart, field.selectionStart, "end");
    message = null;
  }
  function step(by) {
    const all = rows(), from = all.findIndex((row) => row.dataset.list === at);
    const next = all[Math.max(0, Math.min(all.length - 1, from < 0 ? 0 : from + by))];
    if (next) follow(next.dataset.list);
  }

  // ---- acts: one after the other, each for the list that was marked when it was pressed ----
  let work = Promise.resolve(), waiting = 0;
  function enqueue(act) {
    waiting += 1;
    const table = queue();
    table.setAttribute("aria-busy", "true");
    findRow(act.id)?.classList.add("waits");
    work = work.then(() => carryOut(act)).catch(() => complain(act)).then(() => {
      waiting -= 1;
      findRow(act.id)?.classList.remove("waits");
      if (!waiting) table.removeAttribute("aria-busy");
    });
  }
  function name(id, key) {
    const link = findRow(id)?.querySelector("a");
    return { id, key, address: link?.href ?? location.href, name: link?.textContent ?? "" };
  }
  async function carryOut(act) {
    let { action, body } = act;
    if (!body) {
      const isHere = getShown() === act.id;
      const place = isHere ? panel : await fetchPage(act.address, "[data-at]", FRAGMENT);
      const button = place.querySelector(`[data-key="${act.key}"]`);
      if (!button) return;
      [action, body] = readForm(button.form, button);
    }
    renew(await fetchPage(action, "#queue", { method: "POST", body }), act.id);
  }
  function readForm(form, button) {
    const body = new FormData(form);
    if (button?.name) body.append(button.name, button.value);
    return [form.getAttribute("action"), body];
  }
  // Renew only what the act changed, because the judge has not seen other changes yet.
  function renew(page, id) {
    const row = findRow(id), fresh = page.querySelector(`#queue tr[data-list="${id}"]`);
    const { activeElement } = document;
    if (row && fresh) {
      fresh.querySelector("input").checked = row.querySelector("input").checked;
      const hadFocus = row.contains(activeElement);
      row.replaceWith(fresh);
      if (hadFocus) fresh.querySelector("a").focus();
    }
    for (const part of ["#messages", ".counts", "[value=accept-legal]"]) {
      const now = page.querySelector(part);
      if (now) document.querySelector(part)?.replaceWith(now);
    }
    const isTyping = panel.contains(activeElement) && activeElement.defaultValue !== undefined;
    if (getShown() === id && !(isTyping && activeElement.value !== activeElement.defaultValue)) {
      show(page.getElementById("panel"));
    }
    if (row && !fresh) {
      // The table shows only lists of another state.
      if (at === id) step(row === rows().at(-1) ? -1 : 1);
      row.remove();
    }
    mark(at);
  }
  function complain(act) {
    const line = document.getElementById("unsaved-act").content.cloneNode(true).firstElementChild;
    line.querySelector("b").textContent = act.name;
    line.querySelector("button").addEventListener("click", () => { line.remove(); enqueue(act); });
    unsaved.append(line);
  }
  panel.addEventListener("submit", (event) => {
    event.preventDefault();
    event.stopPropagation();
    const id = getShown(), { key } = event.submitter?.dataset ?? {};
    const [action, body] = readForm(event.target, event.submitter);
    if (panel.contains(document.activeElement)) document.activeElement.blur();
    enqueue({ ...name(id, key), action, body });
  });
  document.addEventListener("submit", async (event) => {
    if (!waiting || event.target.method !== "post" || panel.contains(event.target)) return;
    event.preventDefault();
    await work;
    event.target.requestSubmit(event.submitter);
  });
  window.addEventListener("beforeunload", (event) => { if (waiting || unsaved.firstElementChild) event.preventDefault(); });

  // ---- keys and clicks ----
  const KEYS = {
    j: () => step(1),
    k: () => step(-1),
    a: () => at && enqueue(name(at, "accept")),
    u: () => at && enqueue(name(at, "undo")),
    r: () => {
      if (!at) return;
      message = { id: at, text: "", isTyped: true };
      if (getShown() === at) usePanel();
    },
    "/": () => document.querySelector("[data-search]")?.focus(),
    Enter: () => {
      opens = at;
      if (getShown() === at) usePanel();
    },
  };
  function typeMessage({ key }) {
    if (key === "Escape") message = null;
    else if (key === "Backspace") message.text = message.text.slice(0, -1);
    else if (key === "Enter") message.text += "\n";
    else if (key.length === 1) message.text += key;
    else return false;
    return true;
  }
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (message?.isTyped && message.id === at) {
      if (typeMessage(event)) event.preventDefault();
      return;
    }
    if (event.target.closest("input:not([type=checkbox]), textarea, select")) return;
    if (event.key === "Enter" && event.target.closest("button, a, summary, input")) return;
    const act = KEYS[event.key];
    if (!act || (event.repeat && !"jk".includes(event.key))) return;
    event.preventDefault();
    act();
  });
  document.addEventListener("click", (event) => {
    const row = event.target.closest("#queue td > a")?.closest("tr");
    if (!row || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    follow(row.dataset.list, 0);
    // On a narrow screen, the list is below the table.
    if (panel.offsetTop > queue().offsetTop) panel.scrollIntoView({ block: "start" });
  });
  document.addEventListener("htmx:after:swap", () => { if (at) mark(at); });
})();
