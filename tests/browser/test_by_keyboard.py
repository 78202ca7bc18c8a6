"""From the front page to the print menu with keys alone, in each pack, and what a screen reader is told on the way."""

import re

import pytest
from playwright.sync_api import Page, expect

from catalogue.formats.packs.load import SHIPPED
from tests.browser.builder import settle
from tests.shipped_packs import install_shipped

GAMES = {
    "maelstroms-edge-1e": ("maelstroms_edge/first", ("Militus Warrior Prime",)),
    "maelstroms-edge-2e": ("maelstroms_edge/second", ("Militus Warrior Prime",)),
    "reeds-and-rust": ("reeds_and_rust/first", ("Lock Warden",)),
    "warzone-resurrection": ("warzone/resurrection", ("Venusian Kapitan",)),
    "maelstrom-of-war-9e": ("wh40k/ninth", ("Overlord", "Lord")),
    "edge-dawnfall": ("edge_dawnfall/dawnfall", ("",)),
}
"""The folder of each pack and what is taken by name, or "" for the first line; deeds of the verdict do the rest."""
MOST_KEYS = 45
"""From the front page of Maelstrom's Edge to the open print menu."""
MOST_TABS, MOST_DEEDS = 30, 30
DEEDS = "#verdict .do:not(.due) form button, #ways:not([inert]) #mending form button.main"
"""What mends or completes the list. While `#ways` is inert it still shows ways of the list before the last step."""
HEAR = """() => {
  window.heard = [];
  const LIVE = "[role=status], [role=alert], [aria-live]:not([aria-live=off])";
  new MutationObserver((changes) => {
    for (const { target } of changes) {
      const element = target.nodeType === Node.TEXT_NODE ? target.parentElement : target;
      const text = element?.closest?.(LIVE)?.textContent.replace(/\\s+/g, " ").trim();
      if (text && window.heard.at(-1) !== text) window.heard.push(text);
    }
  }).observe(document, { subtree: true, childList: true, characterData: true });
}"""
FOCUS = """() => {
  const node = document.activeElement;
  if (!node || node === document.body) return "";
  const label = node.getAttribute("aria-label") ?? node.labels?.[0]?.textContent ?? node.textContent;
  return `${node.tagName.toLowerCase()} ${label.replace(/\\s+/g, " ").trim().slice(0, 60)}`;
}"""


class Keyboard:
    """A person without a mouse: counts keys, and notes what was focused and said after each."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.keys = 0
        self.record: list[str] = []
        page.add_init_script(f"({HEAR})()")
        page.goto("/")

    def press(self, key: str) -> None:
        """Press a key; afterwards something is focused, unless another page opened."""
        address = self.page.url.split("#")[0]
        self.keys += 1
        self.page.keyboard.press(key)
        settle(self.page)
        focus = self.page.evaluate(FOCUS)
        said = " / ".join(self.page.evaluate("() => window.heard.splice(0)"))
        self.record.append(f"{key}: {focus}{f' -- {said}' if said else ''}")
        assert focus or self.page.url.split("#")[0] != address, "\n".join(self.record)

    def type(self, text: str) -> None:
        for letter in text:
            self.press(letter)

    def tab_to(self, selector: str) -> None:
        for _ in range(MOST_TABS):
            if self.page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
                return
            self.press("Tab")
        raise AssertionError("\n".join(self.record))

    def skip_to_main(self) -> None:
        self.press("Tab")
        self.press("Enter")

    def revision(self) -> str:
        return self.page.locator("#state").get_attribute("data-revision") or ""

    def edit(self, key: str) -> None:
        """Press a key that makes a step of the list, and wait for the step."""
        before = self.revision()
        self.press(key)
        expect(self.page.locator("#state")).not_to_have_attribute("data-revision", before)
        settle(self.page)
        focus = self.page.evaluate(FOCUS)
        assert focus, "\n".join(self.record)
        self.record.append(f"  then: {focus} -- {' / '.join(self.page.evaluate('() => window.heard.splice(0)'))}")

    @property
    def is_legal(self) -> bool:
        return "Legal" in self.page.locator("#verdict h2").inner_text()


@pytest.mark.parametrize("game", GAMES)
def test_from_the_front_page_to_the_print_menu(visit, transactional_db, record_property, game):
    folder, units = GAMES[game]
    install_shipped(SHIPPED / folder)
    hand = Keyboard(visit())
    page = hand.page
    hand.skip_to_main()
    hand.tab_to(f".tile[href$='game={game}']")
    hand.press("Enter")
    page.wait_for_url("**/rosters/new/**")
    settle(page)
    hand.skip_to_main()
    hand.tab_to("main input[type=radio], main input[name=name]")
    hand.press("Enter")
    page.wait_for_url(re.compile(r"/rosters/[\w-]{22}/"))
    settle(page)

    for name in units:
        hand.press("/")
        assert page.evaluate("document.activeElement.id") == "q"
        hand.type(name[:4])
        if not name:
            hand.press("ArrowDown")
        hand.edit("Enter")
    for _ in range(MOST_DEEDS):
        if hand.is_legal:
            break
        if page.evaluate("document.activeElement.id") == "q":
            hand.press("Escape")
            hand.press("Escape")
        hand.press("w")
        expect(page.locator(DEEDS).first).to_be_visible()
        settle(page)
        hand.tab_to(DEEDS)
        hand.edit("Enter")
        # A deed keeps the focus, or passes it on within the verdict.
        assert page.evaluate("Boolean(document.activeElement.closest('#why'))"), "\n".join(hand.record)
    assert hand.is_legal, "\n".join(hand.record)
    if page.evaluate("document.activeElement.id") == "q":
        hand.press("Escape")
        hand.press("Escape")
    hand.press("p")
    assert page.evaluate("Boolean(document.activeElement.closest('#b-print'))"), "\n".join(hand.record)
    hand.tab_to("#b-print [type=submit], #b-print button:not([type=button])")
    said = "\n".join(hand.record)
    assert re.search(r"-- .*Added [^.]+\. .*Incomplete\. \d to do\.", said), said
    assert "Legal." in said, said
    if game == "maelstroms-edge-1e":
        assert hand.keys <= MOST_KEYS, said
    record_property("keys", hand.keys)
    record_property("heard", said)
