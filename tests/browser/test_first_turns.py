"""Who takes the first turn of a round, on the phones of two players."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from roster.play.models import Game
from roster.play.services.game_board import build_game_board
from tests.browser.axe import findings
from tests.browser.conftest import PHONE
from tests.browser.test_offline import IN_CHARGE, cut, wait_until
from tests.browser.test_offline_game import start
from tests.browser.test_two_phones import join, paste, read_text, wait_until_all_is_sent
from tests.play.games import REEDS, load_army

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def pair(visit: Callable[..., Page], transactional_db: None) -> tuple[Page, Page]:
    first, second = (
        visit(viewport=PHONE, cut_off=True, bypass_csp=True, service_workers="allow") for _phone in range(2)
    )
    for page in (first, second):
        page.goto("/credits/")
        wait_until(page, IN_CHARGE)
    start(first, load_army(REEDS, "army-steam-at-the-sluice"))
    join(second)
    first.reload()
    return first, second


def find_choice(page: Page, place: int) -> Locator:
    return page.locator(f"[data-has-initiative='{place}']")


def go_on(page: Page) -> None:
    page.locator("[data-next-step]").click()


def read_place(page: Page) -> tuple[str, str, str, list[str]]:
    """Return where the game is, the next step, and the turns of the round in order."""
    where = page.locator("[data-next-step]").get_attribute("value") or ""
    turns = page.locator("[data-go-turn]").evaluate_all("all => all.map((one) => one.dataset.goTurn)")
    words = page.locator("[data-next-step]").inner_text().strip()
    return where, words, page.locator(".cpbar [data-turn]").inner_text(), turns


def expect_place(page: Page, place: tuple[str, str, str, list[str]]) -> None:
    """Wait until the page shows this place: taps and answers are drawn a moment later."""
    for _wait in range(100):
        if read_place(page) == place:
            return
        page.wait_for_timeout(50)
    assert read_place(page) == place


def test_the_side_that_went_last_goes_first_in_the_next_round(pair: tuple[Page, Page]) -> None:
    first, second = pair
    for page in pair:
        expect(page.locator("[data-initiative]")).to_be_hidden()
    # Offline, for one whole round and into the next.
    cut(first)
    for _step in range(4):
        go_on(first)
    expect(first.locator("[data-initiative]")).to_be_visible()
    before = read_place(first)
    assert before[0].split()[-1] == "2:0:ebb"
    find_choice(first, 1).click()
    expect(find_choice(first, 1)).to_have_attribute("aria-pressed", "true")
    after = read_place(first)
    assert after[0].split()[-1] == "2:1:ebb"
    assert after[3] == ["1", "0"]
    for name, place in (("Undo", before), ("Redo", after)):
        first.get_by_role("button", name=name, exact=True).click()
        expect_place(first, place)
    go_on(first)
    go_on(first)
    expect(find_choice(first, 0)).to_be_disabled()
    # No turn is skipped.
    assert read_place(first)[0].split()[3:] == ["2:0:flood", "2:0:ebb"]
    cut(first, off=False)
    first.evaluate("() => window.dispatchEvent(new Event('online'))")
    wait_until_all_is_sent(first)
    expect(second.locator("[data-now=round]").first).to_have_text("2")
    expect(find_choice(second, 1)).to_have_attribute("aria-pressed", "true")
    expect(second.locator("[data-next-step]")).to_have_attribute("value", read_place(first)[0])
    assert read_place(second)[3] == ["1", "0"]
    for page in pair:
        shown = read_place(page)
        page.reload()
        page.locator(".wounds").first.wait_for(state="attached")
        expect_place(page, shown)
    board = build_game_board(Game.objects.get(), 0)
    assert (str(board.state.step), board.course.list_order(2)) == ("2:0:flood", (1, 0))


def test_a_turn_handed_over_is_taken_back_on_both_phones(pair: tuple[Page, Page]) -> None:
    first, second = pair
    for _step in range(4):
        go_on(first)
    wait_until_all_is_sent(first)
    expect(find_choice(second, 1)).to_be_visible()
    find_choice(second, 1).click()
    expect(find_choice(first, 1)).to_have_attribute("aria-pressed", "true")
    wait_until_all_is_sent(second)
    # The server knows the tap, and this phone undoes it without a network.
    cut(second)
    second.get_by_role("button", name="Undo", exact=True).click()
    expect(find_choice(second, 0)).to_have_attribute("aria-pressed", "true")
    assert read_place(second)[0].split()[-1] == "2:0:ebb"
    # So does a code.
    cut(first)
    paste(first, read_text(second))
    expect(find_choice(first, 0)).to_have_attribute("aria-pressed", "true")
    assert read_place(first)[0].split()[-1] == "2:0:ebb"
    for page in pair:
        cut(page, off=False)
        page.evaluate("() => window.dispatchEvent(new Event('online'))")
        wait_until_all_is_sent(page)
        expect(page.locator("#unsent")).to_have_text("")
        expect(find_choice(page, 0)).to_have_attribute("aria-pressed", "true")
    assert (str(Game.objects.get().now.step), Game.objects.get().now.firsts) == ("2:0:flood", {})


@pytest.mark.parametrize("size", [PHONE, {"width": 1280, "height": 900}], ids=["phone", "desk"])
def test_who_goes_first_is_readable(pair: tuple[Page, Page], size: dict[str, int]) -> None:
    page = pair[0]
    page.set_viewport_size(size)
    for _step in range(4):
        go_on(page)
    find_choice(page, 1).click()
    for _step in range(2):
        assert findings(page) == []
        go_on(page)
        go_on(page)
    expect(find_choice(page, 1)).to_be_visible()
