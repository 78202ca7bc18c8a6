// The form that starts a list: search among many factions, and show the choice next to the button.
"use strict";

(() => {
  const form = document.getElementById("start");
  const search = form.querySelector("[data-find-rows]");
  search?.addEventListener("input", () => {
    const words = folded(search.value).split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const fold of form.querySelectorAll(".ff")) {
      let fitting = 0;
      for (const family of fold.querySelectorAll(".family")) {
        const rows = [...family.querySelectorAll(".frow")];
        const fits = (row) => words.every((word) => folded(row.querySelector(".nm").textContent).includes(word));
        for (const row of rows) row.hidden = !fits(row);
        // A matching army of renown also shows its faction.
        if (rows.some((row) => !row.hidden)) rows[0].hidden = false;
        family.classList.toggle("found", words.length > 0);
        fitting += rows.filter((row) => !row.hidden).length;
      }
      fold.hidden = !fitting;
      if (words.length && fitting) fold.open = true;
      shown += fitting;
    }
    form.querySelector(".folds .nothing").hidden = shown > 0;
  });
  search?.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    const row = [...form.querySelectorAll(".frow:not([hidden]) input")].find((input) => folded(input.dataset.called).includes(folded(search.value)));
    if (search.value.trim() && row) { row.checked = true; row.focus(); showChoice(); }
  });
  function showChoice() {
    for (const place of form.querySelectorAll("[data-choice]")) {
      place.textContent = form.querySelector(`[name=${place.dataset.choice}]:checked`)?.dataset.called ?? "";
    }
    const limit = form.elements.limit?.value.trim();
    if (limit) form.querySelector("[data-choice=way]").textContent = limit;
  }
  form.addEventListener("input", showChoice);
  showChoice();
})();
