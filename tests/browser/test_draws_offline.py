"""Objectives of Maelstrom of War are drawn without a network, by the dice that the server rolls when it hears of it."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from roster.play.models import Game
from tests.browser.test_offline import cut
from tests.browser.test_offline_game import draw_hand, go_to_round, points, press, start
from tests.play.games import NINTH, load_army

SENT = ""
LONGEST_ROUND = 14
"""More steps than a round has after its draw."""


@pytest.fixture
def page(visit: Callable[..., Page], transactional_db: None) -> Page:
    page = visit(cut_off=True)
    start(page, load_army(NINTH, "necrons-incursion"), mission="ambitious-surge")
    return page


def read_names(page: Page) -> list[str]:
    cards = page.locator("[data-hand='0'] article:visible h3")
    expect(cards).to_have_count(3)
    # A name that is just being replaced is not laid out, and is then read with the spaces of the page's source.
    return [name.strip().split("\n")[0].strip() for name in cards.all_inner_texts()]


def draw(page: Page) -> None:
    page.locator("[data-hand='0']").get_by_role("button", name="Draw 3 objectives").click()


def test_a_draw_without_a_network_is_what_the_server_draws(page: Page) -> None:
    draw_hand(page)
    expect(page.locator("[data-drawn]")).to_be_visible()
    expect(page.locator("#unsent")).to_have_text(SENT)
    first = read_names(page)
    cut(page)
    go_to_round(page, 2)
    assert read_names(page) == first
    draw(page)
    second = read_names(page)
    assert len(second) == 3
    # Each objective waits for its time, as with a network.
    cards = page.locator("[data-hand='0'] article:visible")
    scores, steps = cards.get_by_role("button", name="Score"), 0
    assert [scores.nth(at).is_disabled() for at in range(3)] == [True, True, True]
    while scores.first.is_disabled() and steps < LONGEST_ROUND:
        page.locator("[data-next-step]").click()
        steps += 1
    card = cards.first
    card.get_by_role("button", name="Score").click()
    expect(card.get_by_role("button", name="Scored")).to_be_visible()
    worth = card.locator(".vp").inner_text()
    assert points(page) == worth
    # Taken back and done again it shows the same.
    for _tap in range(steps + 2):
        press(page, "Undo")
    assert read_names(page) == first
    draw(page)
    assert read_names(page) == second
    go_to_round(page, 3)
    draw(page)
    third = read_names(page)
    assert len(third) == 3
    cut(page, off=False)
    expect(page.locator("#unsent")).to_have_text(SENT)
    hand = Game.objects.get().now.sides[0].hand
    assert hand is not None
    assert len(hand.rounds) == 3
    page.reload()
    assert read_names(page) == third
    expect(page.locator("[data-ahead]")).to_be_hidden()


def test_nothing_is_drawn_ahead_before_categories_are_chosen(page: Page) -> None:
    expect(page.get_by_role("button", name="Choose categories", exact=True).first).to_be_visible()
    expect(page.locator("[data-ahead]")).to_have_count(0)
    assert "draws" not in page.locator("[data-hand='0']").inner_html()
