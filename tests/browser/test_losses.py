"""Losses, cards and initiative in a browser: what a device shows at once is what the server counts."""

import os
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from roster.play.models import Game
from roster.play.services.game_board import build_game_board
from roster.play.views.game_page import build_game_context
from tests.browser.axe import findings
from tests.browser.conftest import PHONE
from tests.play.games import WARZONE, load_army

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table(visit: Callable[..., Page], transactional_db: None) -> Page:
    """A game of Winter wolves against themselves."""
    army = load_army(WARZONE, "army-winter-wolves")
    page = visit(viewport=PHONE, bypass_csp=True, cut_off=True)
    page.goto(f"/play/new/{army.link_id}/")
    page.locator("select[name=mission]").select_option("mission-1")
    page.locator("[name=opponent_link]").fill(army.get_absolute_url())
    page.locator("main form button.main").last.click()
    page.locator("#taps").wait_for()
    return page


def look() -> tuple[list[object], int, str]:
    """Return what the server counts: both body counts, the reader's cards, who acts next."""
    context = build_game_context(build_game_board(Game.objects.get(), 0))
    (cards,) = context["resources"]
    return [one.bodies for one in context["losses"]], cards.has, context["acting"].name


def read(page: Page) -> tuple[list[object], int, str]:
    expect(page.locator("#unsent")).to_have_text("")
    bodies: list[object] = [int(page.locator(f"[data-bodies='{side}']").inner_text()) for side in (0, 1)]
    cards = int(page.locator(".cpbox [data-count]").inner_text())
    return bodies, cards, page.locator("[data-acting]").inner_text().removeprefix("Next to act: ")


def next_key(name: str) -> str:
    board = build_game_board(Game.objects.get(), 0)
    return next(unit.unit.key for unit in board.mine.units if unit.unit.sheet.name == name)


def test_losses_are_seen_at_once_and_counted_by_the_server(table: Page) -> None:
    assert read(table) == look() == ([0, 0], 11, "You")
    wolves, chief, bikes = map(
        next_key, ("Mourning Wolves", "High Chieftain Morten Oakenfist", "Hedgehog Necromower ATV")
    )
    table.locator(f"#s0{wolves} .mk").click()
    table.locator(f"#s0{wolves} summary").click()
    table.locator(f"#s0{wolves} .wounds button").nth(2).click()
    table.locator(f"#s0{wolves} [data-mark='leader-lost']").click()
    assert read(table) == look()
    assert read(table)[:2] == ([33, 0], 10)
    # Three cards are used, and the commander takes four: the used ones first.
    for _card in range(3):
        table.locator(".cpbox button").first.click()
    table.locator(f"#s0{chief} summary").click()
    table.locator(f"#s0{chief} [data-at='dead']").click()
    assert read(table) == look()
    assert read(table)[:2] == ([153, 0], 6)
    expect(table.locator("[data-commander='0']")).to_be_visible()
    table.locator(f"#s0{bikes} summary").click()
    hulls = table.locator(f"#s0{bikes} .wounds[aria-label='1 HULL'] button")
    hulls.nth(2).click()
    assert read(table) == look()
    assert read(table)[0] == [218, 0]
    if folder := os.environ.get("SHOTS"):
        table.screenshot(path=f"{folder}/wz-390.png", full_page=True)
        table.set_viewport_size({"width": 1280, "height": 900})
        table.screenshot(path=f"{folder}/wz-1280.png", full_page=True)
        table.set_viewport_size(PHONE)
    table.reload()
    assert read(table) == look()


def test_without_a_network_losses_take_cards_as_well(table: Page) -> None:
    chief = next_key("High Chieftain Morten Oakenfist")
    expect(table.locator(f"#s0{chief} [data-at='dead']")).to_be_attached()
    table.context.set_offline(True)
    table.locator(f"#s0{chief} summary").click()
    table.locator(f"#s0{chief} [data-at='dead']").click()
    expect(table.locator(".cpbox [data-count]")).to_have_text("7")
    expect(table.locator("[data-bodies='0']")).to_have_text("120")
    table.context.set_offline(False)
    assert read(table) == look()


def test_the_initiative_is_rolled_and_given(table: Page) -> None:
    for _step in range(3):
        table.locator("[data-next-step]").click()
    table.locator("[data-roll]").click()
    expect(table.locator("[data-rolled]")).to_contain_text("Rolled: You ")
    expect(table.locator("[data-roll]")).to_be_hidden()
    table.locator("[data-has-initiative='1']").click()
    expect(table.locator("[data-has-initiative='1']")).to_have_attribute("aria-pressed", "true")
    expect(table.locator("[data-acting]")).not_to_have_text("Next to act: You")
    if folder := os.environ.get("SHOTS"):
        table.screenshot(path=f"{folder}/wz-roll-390.png")
    table.locator("[data-undo]").click()
    expect(table.locator("[data-acting]")).to_have_text("Next to act: You")


@pytest.mark.parametrize("dark", [False, True])
def test_losses_are_readable_for_everybody(table: Page, *, dark: bool) -> None:
    if dark:
        table.emulate_media(color_scheme="dark")
    assert findings(table) == []
