"""Points by lines in a browser: what a device shows at once is what the server counts."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from roster.play.models import Game
from roster.play.services.game_rules import load_rules
from roster.play.services.game_standings import score_rows
from tests.browser.axe import findings
from tests.browser.conftest import PHONE
from tests.browser.test_offline_game import start
from tests.play.games import DAWNFALL, EDGE, FIRST_EDGE, load_army

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table(visit: Callable[..., Page], transactional_db: None) -> Page:
    """A game of Purple Gold in the end phase of its third turn."""
    army = load_army(EDGE, "army-hazard-pay")
    page = visit(viewport=PHONE, bypass_csp=True)
    start(page, army, mission="purple-gold")
    for _step in range(8):
        page.locator("[data-next-step]").click()
    expect(page.locator("#unsent")).to_have_text("")
    return page


def line(page: Page, item: str) -> Locator:
    return page.locator(f'[data-line="0 {item}"]')


def count_points() -> list[int]:
    game = Game.objects.get()
    return [side.total for side in score_rows(game, game.sides.order_by("place"), load_rules(game))]


def test_what_a_line_gives_is_seen_at_once_and_counted_by_the_server(table: Page) -> None:
    refineries = line(table, "cybel-refineries.1")
    refineries.get_by_role("button", name="Score 4").click()
    refineries.get_by_role("button", name="Score 4").click()
    line(table, "decimation.1").get_by_role("button", name="Score 4").click()
    expect(table.locator("header [data-total='0']")).to_have_text("12")
    expect(table.locator("[data-lead] b")).to_have_text("You lead by 12")
    expect(table.locator("[data-held-points='0']")).to_have_text("4")
    expect(table.locator("#unsent")).to_have_text("")
    assert count_points() == [12, 0]
    # In the fourth turn each refinery brings twice as much; the bonus waits for the fifth.
    for _step in range(3):
        table.locator("[data-next-step]").click()
    expect(refineries.locator(".mult")).to_be_visible()
    refineries.get_by_role("button", name="Score 8").click()
    assert line(table, "cybel-refineries.2").locator("xpath=..").get_attribute("data-lines") == "later"
    for _step in range(3):
        table.locator("[data-next-step]").click()
    assert line(table, "cybel-refineries.2").locator("xpath=..").get_attribute("data-lines") == "live"
    line(table, "cybel-refineries.2").get_by_role("button", name="Score 8").click()
    line(table, "decimation.2").get_by_role("button", name="Score 8").click()
    expect(table.locator("[data-win]")).to_be_visible()
    expect(table.locator("header [data-total='0']")).to_have_text("36")
    expect(table.locator("#unsent")).to_have_text("")
    assert count_points() == [36, 0]
    line(table, "decimation.2").get_by_role("button", name="True now").click()
    expect(table.locator("[data-win]")).to_be_hidden()
    table.locator("[data-undo]").click()
    expect(table.locator("[data-win]")).to_be_visible()
    expect(table.locator("#unsent")).to_have_text("")
    table.reload()
    expect(table.locator("header [data-total='0']")).to_have_text("36")


def test_a_line_out_of_its_time_cannot_be_tapped(table: Page) -> None:
    table.locator("[data-next-step]").click()
    table.locator("details.later > summary").first.click()
    expect(line(table, "cybel-refineries.1").get_by_role("button", name="Score 8")).to_be_disabled()


def test_objectives_stop_at_what_they_bring_together(visit: Callable[..., Page], transactional_db: None) -> None:
    army = load_army(FIRST_EDGE, "secdef-platoon")
    page = visit(viewport=PHONE, bypass_csp=True)
    start(page, army, mission="automated-uplink-relay")
    for _step in range(2):
        page.locator("[data-next-step]").click()
    line(page, "each-end-phase").get_by_role("button", name="Score 1").click()
    last = line(page, "end-of-the-game").get_by_role("button", name="Score 1")
    last.click()
    last.click()
    expect(page.locator("header [data-total='0']")).to_have_text("3")
    expect(last).to_be_disabled()
    expect(page.locator("#unsent")).to_have_text("")
    assert count_points() == [3, 0]
    page.reload()
    expect(last).to_be_disabled()
    # The other side plays an objective of its own, which it says first.
    expect(page.locator("[data-line^='1 ']")).to_have_count(1)
    other = page.locator("[data-live=scores1]")
    other.get_by_role("button", name="Epic Hero").click()
    expect(page.locator("[data-line='1 epic-hero.a-kill']")).to_be_attached()
    # That hero falls for the first side, beyond what its own objective brings.
    page.locator("[data-line='0 epic-hero.their-hero-falls']").get_by_role("button", name="Score 1").click()
    expect(page.locator("header [data-total='0']")).to_have_text("4")
    expect(page.locator("#unsent")).to_have_text("")
    assert count_points() == [4, 0]


def test_points_pay_in_a_later_round_and_below_zero(visit: Callable[..., Page], transactional_db: None) -> None:
    page = visit(viewport=PHONE, bypass_csp=True)
    start(page, load_army(DAWNFALL, "army-the-forest-walks"), mission="two-players")
    points = line(page, "victory-points")
    points.get_by_role("button", name=re.compile("Score 1 ?: Victory points")).click()
    for _step in range(4):
        page.locator("[data-next-step]").click()
    for _point in range(2):
        points.get_by_role("button", name="One less: Victory points").click()
    expect(page.locator("header [data-total='0']")).to_have_text("-1")
    expect(page.locator("#unsent")).to_have_text("")
    assert count_points() == [-1, 0]


@pytest.mark.parametrize("dark", [False, True])
def test_the_lines_are_readable_for_everybody(table: Page, *, dark: bool) -> None:
    if dark:
        table.emulate_media(color_scheme="dark")
    assert findings(table) == []


def test_the_roll_for_priority_is_seen_in_a_game_that_counts_no_losses(table: Page) -> None:
    part = table.locator("[data-initiative]")
    expect(part).to_contain_text("Priority")
    part.get_by_role("button", name="Roll a D6 each").click()
    expect(part.locator("[data-rolled]")).to_have_text(re.compile(r"Rolled: You [1-6], .+ [1-6]\."))
    other = part.locator("[data-has-initiative='1']")
    other.click()
    expect(other).to_have_attribute("aria-pressed", "true")
