// Shows the reason on the page if the browser refuses a passkey.
"use strict";

document.addEventListener("allauth.error", (event) => {
  event.preventDefault();
  const words = document.getElementById("passkey-words").dataset;
  const name = event.detail.exception?.name ?? "";
  const note = document.createElement("p");
  note.className = "message error";
  note.textContent = words[name[0]?.toLowerCase() + name.slice(1)] ?? words.other;
  const messages = document.getElementById("messages");
  messages.replaceChildren(note);
  messages.scrollIntoView({ block: "nearest" });
});
