// House rules: a value that differs from the book is marked as it is typed, and can go back to it.
"use strict";

document.addEventListener("input", ({ target }) => {
  const part = target.closest("[data-book]");
  part?.classList.toggle("ch", target.value.trim() !== part.dataset.book);
});
document.addEventListener("click", (event) => {
  const part = event.target.closest("[data-back]")?.closest("[data-book]");
  if (!part) return;
  event.preventDefault();
  const { book } = part.dataset, fields = [...part.querySelectorAll("input")];
  const field = fields.find(({ type, value }) => type !== "radio" || value === book);
  if (field.type === "radio") field.checked = true;
  else field.value = book;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.focus();
});
