"""Three and four players in a browser: captured tokens are seen at once, and counted as the server does."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from roster.play.models import Game
from roster.play.services.game_board import build_game_board
from tests.browser.axe import findings
from tests.browser.conftest import PHONE
from tests.browser.test_offline_game import start
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
    page.get_by_role("button", name="Move the tokens").click()


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
    expect(page.locator("[data-win] b")).to_have_text(re.compile("wins at once"))
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


@pytest.mark.parametrize("mission", ["ffa-3", "ffa-4"])
def test_the_tokens_are_readable_for_everybody(play: Callable[[str], Page], mission: str) -> None:
    page = play(mission)
    fell(page, "0", 1, 2)
    assert findings(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
