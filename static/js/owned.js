// Marks the offered units that the reader has models of. The numbers come once for each page, so edits are not slower.
(() => {
  const box = document.getElementById("owning"), only = document.getElementById("only-owned");
  if (!box) return;
  const KEPT = "only-owned";
  const byId = new Map(), byName = new Map(); // kinds of model
  const folded = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().trim();
  const words = ({ own, ready }) => [box.dataset.own.replace("%s", own), ready ? box.dataset.painted.replace("%s", ready) : ""].filter(Boolean).join(", ");
  const hold = (map, key, kind) => { if (key) map.set(key, [...map.get(key) ?? [], kind]); };
  const sum = (kinds, of) => [...kinds].reduce((total, kind) => total + kind[of], 0);
  function mark() {
    for (const line of document.querySelectorAll("#offers .p-line")) {
      const add = line.querySelector(".add"), name = add?.querySelector(".nm");
      const kinds = new Set([...byId.get(add?.value) ?? [], ...byName.get(folded(name?.textContent ?? "")) ?? []]);
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
  fetch(box.dataset.marks).then((answer) => answer.ok ? answer.json() : Promise.reject(new Error(answer.statusText))).then(({ kinds }) => {
    for (const kind of kinds) {
      hold(byId, kind.id, kind);
      hold(byName, folded(kind.name), kind);
    }
    mark();
    narrow();
  }).catch(() => { only.checked = false; only.disabled = true; box.querySelector("[role=status]").textContent = box.dataset.failed; narrow(); });
})();
