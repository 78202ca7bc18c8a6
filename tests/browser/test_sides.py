"""Three and four players in a browser: captured tokens are seen at once, and counted as the server does."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from roster.play.models import Game
from roster.play.services.game_board import build_game_board
from tests.browser.axe import findings
from tests.browser.conftest import PHONE
from tests.browser.test_offline import IN_CHARGE, cut, wait_until
from tests.browser.test_offline_game import start
from tests.browser.test_two_phones import join, paste, read_text, wait_until_all_is_sent
from tests.play.games import DAWNFALL, load_army

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def play(visit: Callable[..., Page], transactional_db: None) -> Callable[[str], Page]:
    """Begins a game of a mission by the form, with a list of one's own and none of the others."""

    def begin(mission: str) -> Page:
        page = visit(viewport=PHONE, bypass_csp=True)
        start(page, load_army(DAWNFALL, "army-the-forest-walks"), mission=mission)
        page.locator(".falls > summary").click()
        return page

    return begin


def fell(page: Page, killer: str, owner: int, number: int) -> None:
    page.locator(f'[name="killer"][value="{killer}"]').check()
    page.locator(f'[name="fallen"][value^="{owner} {number} "]').check()
    page.get_by_role("button", name="Move the tokens", exact=True).click()


def count_points() -> list[int]:
    return [side.score.total for side in build_game_board(Game.objects.get(), None).by_place]


def test_captured_tokens_are_seen_at_once(play: Callable[[str], Page]) -> None:
    page = play("ffa-3")
    fell(page, "0", 2, 4)
    fell(page, "2", 1, 3)
    fell(page, "-", 1, 2)
    expect(page.locator('[data-captured="0 2"] b')).to_have_text("4")
    expect(page.locator('[data-captured="2 1"] .on')).to_have_count(3)
    expect(page.locator('[data-kept="1"]')).to_have_text("5 left")
    expect(page.locator("[data-lead] b")).to_have_text("You lead by 1")
    expect(page.locator("[data-win]")).to_be_hidden()
    fell(page, "0", 1, 4)
    expect(page.locator("[data-win] b")).to_have_text(re.compile("You win at once"))
    expect(page.locator("#unsent")).to_have_text("")
    assert count_points() == [8, 0, 3]
    # The last token that Player 2 has: nobody takes more, on the page and on the server.
    fell(page, "2", 1, 4)
    expect(page.locator('[data-kept="1"]')).to_have_text("0 left")
    expect(page.locator("#unsent")).to_have_text("")
    assert count_points() == [8, 0, 4]
    page.locator("[data-undo]").click()
    expect(page.locator('[data-kept="1"]')).to_have_text("1 left")
    page.reload()
    expect(page.locator('[data-kept="1"]')).to_have_text("1 left")


def test_turns_go_round_the_table(play: Callable[[str], Page]) -> None:
    page = play("ffa-4")
    for name in ("Player 2", "Player 3", "Player 4"):
        page.locator("[data-next-step]").click()
        expect(page.locator("[data-next-step]")).to_contain_text(name)
        page.locator("[data-next-step]").click()
        expect(page.locator("[data-turn]").first).to_contain_text(name)
    page.locator("[data-next-step]").click()
    expect(page.locator("[data-next-step]")).to_contain_text("Round 2")


def test_a_team_wins_together(play: Callable[[str], Page]) -> None:
    page = play("team")
    fell(page, "0", 1, 4)
    # An ally takes nothing.
    fell(page, "0", 2, 4)
    expect(page.locator("header [data-total='0']")).to_have_text("4")
    fell(page, "2", 3, 4)
    expect(page.locator("[data-win]")).to_be_visible()
    expect(page.locator("#unsent")).to_have_text("")
    assert count_points() == [4, 0, 4, 0]


def test_three_phones_of_four_sides_exchange_taps_without_a_server(
    visit: Callable[..., Page], transactional_db: None
) -> None:
    first, second, third = (visit(viewport=PHONE, cut_off=True, service_workers="allow") for _phone in range(3))
    for page in (first, second, third):
        page.goto("/credits/")
        wait_until(page, IN_CHARGE)
    start(first, load_army(DAWNFALL, "army-the-forest-walks"), mission="ffa-4")
    join(second, 1)
    join(third, 2)
    for page in (first, second):
        page.reload()
    for page in (first, second, third):
        page.locator(".falls > summary").click()
        cut(page)
    # The second tap is for the side that nobody plays.
    fell(first, "0", 1, 2)
    fell(first, "3", 2, 1)
    first.locator("[data-next-step]").click()
    paste(second, read_text(first))
    fell(second, "1", 2, 3)
    second.locator("[data-next-step]").click()
    # The second phone passes on what it heard of the first.
    assert "The taps of the other phone were added" in paste(third, read_text(second))
    assert read_scores(third) == ["2", "3", "0", "1"]
    fell(third, "2", 0, 4)
    third.locator("[data-next-step]").click()
    assert "The taps of the other phone were added" in paste(first, read_text(third))
    assert "The taps of the other phone were added" in paste(second, read_text(third))
    reached = (third.locator("[data-next-step]").get_attribute("value") or "").split()[3]
    for page in (first, second, third):
        assert read_scores(page) == ["2", "3", "4", "1"]
        assert (page.locator("[data-next-step]").get_attribute("value") or "").split()[3] == reached
    # Whichever comes back first, the server counts each tap once.
    for page in (third, first, second):
        cut(page, off=False)
        page.reload()
        expect(page.locator("#unsent")).to_have_text("")
        wait_until_all_is_sent(page)
    assert (count_points(), str(Game.objects.get().now.step)) == ([2, 3, 4, 1], reached)
    third.reload()
    expect(third.locator("header [data-total='1']")).to_have_text("3")
    assert read_scores(third) == ["2", "3", "4", "1"]


def read_scores(page: Page) -> list[str]:
    return [page.locator(f"header [data-total='{place}']").inner_text() for place in range(4)]


@pytest.mark.parametrize("mission", ["ffa-3", "ffa-4"])
def test_the_tokens_are_readable_for_everybody(play: Callable[[str], Page], mission: str) -> None:
    page = play(mission)
    fell(page, "0", 1, 2)
    assert findings(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
