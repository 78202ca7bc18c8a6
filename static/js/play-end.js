// Ends a game offline: the end waits with the other unsent taps.
"use strict";

(() => {
  const MOST_LETTERS = 600;
  const form = document.querySelector("form[data-shelf]");
  let isThere = false;
  form?.addEventListener("submit", async (event) => {
    const { submitter } = event, [, act, side] = /^(end|concede)(?: (\d))?$/.exec(submitter?.value ?? "") ?? [];
    if (!act || isThere) return;
    event.preventDefault();
    isThere = await fetch("/healthz", { cache: "no-store" }).then((answer) => answer.ok, () => false);
    if (isThere) form.requestSubmit(submitter); else await keepEnd(side ? Number(side) : null);
  });
  async function keepEnd(side) {
    const { shelf, game, long } = form.dataset, text = form.elements.notes.value;
    if (text.length > MOST_LETTERS) {
      tell(long.replace("%n", MOST_LETTERS));
      return;
    }
    try {
      const tap = { id: window.playBox.makeId(), kind: "end", side, key: "game", amount: 0, text, at: Date.now() };
      await window.playBox.add(shelf, tap);
      location.assign(game);
    } catch {
      tell(form.dataset.unstored);
    }
  }
  function tell(words) {
    const line = Object.assign(document.createElement("p"), { className: "wrong", textContent: words });
    line.setAttribute("role", "alert");
    form.before(line);
  }
})();
