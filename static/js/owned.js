// Marks the offered units that the reader has models of. The numbers come once for each page, so edits are not slower.
(() => {
  const box = document.getElementById("owning"), only = document.getElementById("only-owned");
  if (!box) return;
  const KEPT = "only-owned";
  let shelves = []; // for each collection, its kinds of model by id and by name
  const folded = (text) => text.replaceAll("’", "'").replaceAll("‑", "-").normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().trim().replace(/\s+/g, " ");
  const words = ({ own, ready }) => [box.dataset.own.replace("%s", own), ready ? box.dataset.painted.replace("%s", ready) : ""].filter(Boolean).join(", ");
  const hold = (map, key, kind) => map.set(key, [...map.get(key) ?? [], kind]);
  const sum = (kinds, of) => kinds.reduce((total, kind) => total + kind[of], 0);
  function stack(kinds) {
    const byId = new Map(), byName = new Map();
    for (const kind of kinds) {
      for (const id of kind.ids) hold(byId, id, kind);
      hold(byName, folded(kind.name), kind);
    }
    return { byId, byName };
  }
  function mark() {
    for (const line of document.querySelectorAll("#offers .p-line")) {
      const add = line.querySelector(".add"), name = add?.querySelector(".nm");
      const called = folded(name?.textContent ?? "");
      const kinds = shelves.flatMap(({ byId, byName }) => byId.get(add?.value) ?? byName.get(called) ?? []);
      const held = { own: sum(kinds, "own"), ready: sum(kinds, "ready") };
      line.toggleAttribute("data-owned", held.own > 0);
      const shown = line.querySelector(".owned");
      if (!held.own) { shown?.remove(); continue; }
      if (shown) continue;
      const sign = document.createElement("span");
      sign.className = "owned";
      sign.textContent = words(held);
      name.after(sign);
    }
  }
  const narrow = () => document.dispatchEvent(new Event("narrowed"));
  only.checked = localStorage.getItem(KEPT) === "yes";
  only.addEventListener("change", () => { localStorage.setItem(KEPT, only.checked ? "yes" : "no"); narrow(); });
  document.addEventListener("htmx:after:swap", mark);
  fetch(box.dataset.marks).then((answer) => answer.ok ? answer.json() : Promise.reject(new Error(answer.statusText))).then(({ collections }) => {
    shelves = collections.map(stack);
    mark();
    narrow();
  }).catch(() => { only.checked = false; only.disabled = true; box.querySelector("[role=status]").textContent = box.dataset.failed; narrow(); });
})();
