"""Focus never falls to the body: what becomes unavailable by being used passes it on, in games, steppers and decks."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.builder import Builder, settle
from tests.browser.test_deck import begun, copies
from tests.browser.test_offline_game import start
from tests.browser.test_taps import is_sent
from tests.play.games import DAWNFALL, EDGE, FIRST_EDGE, NINTH, WARZONE, load_army
from tests.roster.small_game import installed
from tests.shipped_packs import install_shipped

Visit = Callable[..., Page]

GAMES: tuple[tuple[Path, str, dict[str, str]], ...] = (
    (NINTH, "necrons-incursion", {"mission": "territorial-control", "size": "incursion"}),
    (EDGE, "army-hazard-pay", {"mission": "purple-gold"}),
    (FIRST_EDGE, "secdef-platoon", {"mission": "automated-uplink-relay"}),
    (WARZONE, "army-winter-wolves", {"mission": "mission-1"}),
    (DAWNFALL, "army-the-forest-walks", {"mission": "two-players"}),
)
MOST_BUTTONS = 40
"""Buttons of a page that are pressed, spread over all of them."""
FOCUSED = "() => document.activeElement !== document.body && document.activeElement.outerHTML.slice(0, 300)"
LIST_OPERATIONS = """() => [...document.querySelectorAll("#taps button[name=op]")]
  .filter((button) => !button.disabled && button.checkVisibility()).length"""
FOCUS_OPERATION = """(at) => {
  const buttons = [...document.querySelectorAll("#taps button[name=op]")];
  const button = buttons.filter((one) => !one.disabled && one.checkVisibility())[at];
  button?.focus();
  return button ? (button.getAttribute("aria-label") ?? button.textContent).replace(/\\s+/g, " ").trim() : "";
}"""


def press_all(page: Page) -> list[str]:
    """Press buttons of a game by key; return the names of those that lost the focus."""
    number = page.evaluate(LIST_OPERATIONS)
    lost = []
    for at in range(0, number, max(1, number // MOST_BUTTONS)):
        name = page.evaluate(FOCUS_OPERATION, at)
        if not name:
            continue
        if page.evaluate("() => document.activeElement.value").split()[2:3] == ["mission"]:
            # An objective that is chosen loads the page anew.
            with page.expect_navigation():
                page.keyboard.press("Enter")
            at_once = True
        else:
            page.keyboard.press("Enter")
            at_once = page.evaluate(FOCUSED)
        is_sent(page)
        settle(page)
        page.locator("[data-unit] .wounds").first.wait_for(state="attached")
        if not (at_once and page.evaluate(FOCUSED)):
            lost.append(name)
    return lost


@pytest.mark.parametrize(("pack", "name", "chosen"), GAMES, ids=[name for _, name, _ in GAMES])
def test_each_button_of_a_game_keeps_the_focus_or_passes_it_on(
    visit: Visit, transactional_db: None, pack: Path, name: str, chosen: dict[str, str]
) -> None:
    page = visit()
    start(page, load_army(pack, name), **chosen)
    page.locator("[data-unit] summary").first.click()
    page.locator(".wounds").first.wait_for()
    lost = press_all(page)
    assert not lost, "\n".join(lost)


def test_a_stepper_at_its_end_passes_the_focus_on(visit: Visit, transactional_db: None) -> None:
    installed()
    builder = Builder(visit()).start(limit="60")
    builder.take("Cutters")
    page = builder.page
    for key, other in (("One less: Cutter", "One more: Cutter"), ("One more: Cutter", "One less: Cutter")):
        row = builder.open("Cutters") if page.locator(".unit.open").count() == 0 else builder.row("Cutters")
        button = row.get_by_role("button", name=key, exact=True)
        for _ in range(12):
            button.focus()
            page.keyboard.press("Enter")
            settle(page)
            if button.is_disabled():
                break
        expect(button).to_be_disabled()
        expect(row.get_by_role("button", name=other, exact=True)).to_be_focused()


def test_steps_and_undo_of_a_deck_pass_the_focus_on(visit: Visit, transactional_db: None) -> None:
    install_shipped(DAWNFALL)
    page = begun(visit())
    more, less = (page.get_by_role("button", name=f"{name}: Charging / Trap") for name in ("One more", "One less"))
    for button, other in ((more, less), (less, more)):
        for _ in range(3):
            button.focus()
            page.keyboard.press("Enter")
        expect(button).to_be_disabled()
        expect(other).to_be_focused()
        page.wait_for_timeout(300)
        settle(page)
        expect(other).to_be_focused()
    expect(copies(page, "Charging / Trap")).to_have_value("0")
    undo = page.get_by_role("button", name="Undo")
    for _ in range(20):
        undo.focus()
        page.keyboard.press("Enter")
        settle(page)
        assert page.evaluate(FOCUSED)
        if undo.count() == 0 or undo.is_disabled():
            break
