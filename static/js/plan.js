// The game plan saves itself: each change sends the whole form with the page's revision at that time.
"use strict";

document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
  const form = ctx.request.body;
  if (form?.has?.("revision")) form.set("revision", document.getElementById("plan-revision").value);
});
