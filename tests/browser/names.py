"""Buttons of one page that sound alike and do different things."""

from playwright.sync_api import Page

LIST = """() => {
  const words = (text) => text.replace(/\\s+/g, " ").trim();
  const textOf = (node) => words([...node.childNodes].map((inner) => {
    if (inner.nodeType === Node.TEXT_NODE) return inner.data;
    if (inner.nodeType !== Node.ELEMENT_NODE || inner.getAttribute("aria-hidden") === "true") return "";
    // Only what a style hides from readers, too, has no part in a name.
    return inner.matches(".sr") || getComputedStyle(inner).display !== "none" ? textOf(inner) : "";
  }).join(" "));
  const nameOf = (node) => {
    const ids = (node.getAttribute("aria-labelledby") ?? "").split(" ").map((id) => document.getElementById(id));
    return ids.filter(Boolean).map(textOf).join(" ") || words(node.getAttribute("aria-label") ?? "") || textOf(node);
  };
  const SENT = "csrfmiddlewaretoken revision".split(" ");
  const aimOf = (node) => {
    if (node.matches("summary")) return `menu ${[...document.querySelectorAll("summary")].indexOf(node)}`;
    const form = node.form;
    if (!form || node.type === "button") return `script ${JSON.stringify(node.dataset)} ${node.id}`;
    const hidden = [...form.elements].filter((one) => one.type === "hidden" && !SENT.includes(one.name));
    const sent = hidden.map((one) => `${one.name}=${one.value}`).sort();
    const aim = node.getAttribute("formaction") ?? form.getAttribute("action");
    return [aim, form.method, `${node.name}=${node.value}`, ...sent].join(" ");
  };
  const kinds = "button, summary, [role=button]";
  const found = new Map();
  for (const node of document.querySelectorAll(kinds)) {
    // Templates for scripts, and dialogs that are shut, are no part of the page.
    if (node.closest("template, dialog:not([open]), [aria-hidden=true]")) continue;
    const name = nameOf(node);
    if (!found.has(name)) found.set(name, new Set());
    found.get(name).add(aimOf(node));
  }
  const alike = [...found].filter(([, aims]) => aims.size > 1);
  return alike.map(([name, aims]) => `${name}: ${[...aims].slice(0, 2).join(" | ")}`);
}"""
"""Names and what each control sends, also in menus that are shut, which are read out when they open."""


def find_alike(page: Page) -> list[str]:
    """Return the names that several controls share although they do different things."""
    found: list[str] = page.evaluate(LIST)
    return [f"{page.url} {line}" for line in found]
