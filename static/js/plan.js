// The game plan keeps itself: each change sends the whole form, on the revision that the page is at when it is sent.
"use strict";

document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
  const form = ctx.request.body;
  if (form?.has?.("revision")) form.set("revision", document.getElementById("plan-revision").value);
});
