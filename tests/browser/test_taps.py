"""Taps on a phone: each is taken back to the page before, none is shown twice, and a late phone jumps nowhere."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from roster.models import Roster
from roster.play.models import Game, GameInvitation
from roster.play.services.game_taps import list_operations
from tests.browser.builder import intercept
from tests.browser.test_offline import cut
from tests.browser.test_offline_game import points, score, start
from tests.play.games import NINTH, load_army

PHONE = {"width": 390, "height": 844}
SHOWN = """() => ["total", "now", "points", "count", "step", "turn", "box", "place", "left", "at", "remind",
  "next-step", "last-step", "go", "go-turn"].flatMap((name) => [...document.querySelectorAll(`#taps [data-${name}]`)])
  .map((one) => [one.textContent.trim().replace(/\\s+/g, " "), one.value ?? "", one.hidden, one.className,
    one.getAttribute("aria-pressed"), one.getAttribute("aria-current")].join(" | "))"""
WITHOUT_IDS = "delete Crypto.prototype.randomUUID"
WITHOUT_CHANCE = "delete Crypto.prototype.randomUUID; delete Crypto.prototype.getRandomValues"


@pytest.fixture
def army(transactional_db: None) -> Roster:
    return load_army(NINTH, "necrons-incursion")


def is_sent(page: Page) -> None:
    expect(page.locator("#unsent")).to_have_text("")


def get_phase(page: Page) -> str:
    return page.locator("[data-step][aria-current]").inner_text()


def open_units(page: Page) -> None:
    page.locator("[data-unit='0 u1'] summary").click()
    page.locator("[data-unit='0 u1'] .wounds").first.wait_for()


TAPS: list[Callable[[Page], None]] = [
    lambda page: page.locator("[data-next-step]").click(),
    lambda page: page.locator("[data-step=fight]").click(),
    lambda page: (page.locator(".rnd summary").click(), page.locator("[data-go='3:1:objectives']").click())[0],
    lambda page: (page.locator(".cpbar summary").click(), page.locator("[data-go-turn='0']").click())[0],
    lambda page: page.locator("[data-unit='0 u1'] [data-box]").nth(1).click(),
    lambda page: score(page),
    lambda page: page.locator(".cpbar").get_by_role("button", name="Spend 1").first.click(),
    lambda page: page.locator("[data-unit='0 u1'] [data-at=reserve]").click(),
    lambda page: page.locator("[data-unit='0 u1'] [data-at=dead]").click(),
    lambda page: page.locator("[data-remind]:visible").first.click(),
]


@pytest.mark.parametrize("known", [False, True], ids=["waiting", "on the server"])
def test_each_tap_is_taken_back_to_the_page_before(visit: Callable[..., Page], army: Roster, known: bool) -> None:
    page = visit(cut_off=True, viewport=PHONE)
    start(page, army, mission="territorial-control", first="1")
    open_units(page)
    undo, redo = (page.get_by_role("button", name=name, exact=True) for name in ("Undo", "Redo"))
    if not known:
        cut(page)
    before = page.evaluate(SHOWN)
    for number, tap in enumerate(TAPS):
        tap(page)
        after = page.evaluate(SHOWN)
        assert after != before, number
        if known:
            is_sent(page)
            cut(page)
        undo.click()
        assert page.evaluate(SHOWN) == before, number
        redo.click()
        assert page.evaluate(SHOWN) == after, number
        undo.click()
        if known:
            cut(page, off=False)
            page.evaluate("() => window.dispatchEvent(new Event('online'))")
            is_sent(page)
            assert page.evaluate(SHOWN) == before, number
    cut(page, off=False)
    page.reload()
    is_sent(page)
    open_units(page)
    assert page.evaluate(SHOWN) == before
    assert str(Game.objects.get().now.step) == "1:1:objectives"


def join(page: Page, visit: Callable[..., Page]) -> Page:
    """Return the phone of the other player, who joins the game of a page."""
    address = page.url
    page.goto(f"{address}invite/")
    page.locator("button[value^=opponent]").click()
    page.wait_for_load_state()
    other = visit(cut_off=True, viewport=PHONE)
    other.goto(f"/play/join/{GameInvitation.objects.latest('pk').code}/")
    other.locator("main form button.main").last.click()
    other.locator("#taps").wait_for()
    page.goto(address)
    return other


def test_a_phone_that_was_away_does_not_throw_the_game_back(visit: Callable[..., Page], army: Roster) -> None:
    page = visit(viewport=PHONE)
    start(page, army, mission="territorial-control")
    other = join(page, visit)
    cut(other)
    other.locator("[data-next-step]").click()
    assert get_phase(other) == "Command"
    for _ in range(9):
        page.locator("[data-next-step]").click()
    is_sent(page)
    where = (page.locator(".rnd b[data-now=round]").inner_text(), get_phase(page))
    cut(other, off=False)
    is_sent(other)
    assert (other.locator(".rnd b[data-now=round]").inner_text(), get_phase(other)) == where
    # There is nothing of its own to take back.
    expect(other.get_by_role("button", name="Undo", exact=True)).to_be_disabled()
    page.reload()
    assert (page.locator(".rnd b[data-now=round]").inner_text(), get_phase(page)) == where


def test_the_box_of_a_number_sets_to_it(visit: Callable[..., Page], army: Roster) -> None:
    page = visit(viewport=PHONE)
    start(page, army)
    open_units(page)
    boxes = page.locator("[data-unit='0 u1'] .wounds").first.locator("[data-box]")
    number = boxes.count()
    assert number >= 4

    def count_lost() -> int:
        pressed = [box.get_attribute("aria-pressed") == "true" for box in boxes.all()]
        assert pressed == sorted(pressed, reverse=True)
        return sum(pressed)

    for box, lost in ((2, 2), (4, 4), (4, 3), (1, 1), (1, 0), (number, number)):
        boxes.nth(box - 1).click()
        assert count_lost() == lost
    is_sent(page)
    assert Game.objects.get().now.sides[0].counts["w:u1:0.0"] == number
    page.reload()
    expect(page.locator("[data-unit='0 u1'] [data-left]")).to_have_text("0")


@pytest.mark.parametrize("without", [WITHOUT_IDS, WITHOUT_CHANCE], ids=["at an address without TLS", "script fails"])
def test_a_tap_is_counted_where_a_browser_makes_no_ids(visit: Callable[..., Page], army: Roster, without: str) -> None:
    page = visit(viewport=PHONE)
    page.add_init_script(without)
    start(page, army)
    for number in (1, 2):
        score(page)
        expect(page.locator("header [data-total='0']")).to_have_text(str(number))
        is_sent(page)
    page.reload()
    assert points(page) == "2"
    begun, *taps = list_operations(Game.objects.get())
    assert (begun.amount, [one.amount for one in taps]) == (2, [1, 1])


def test_taps_whose_answer_was_lost_are_shown_once_after_a_reload(visit: Callable[..., Page], army: Roster) -> None:
    page = visit(cut_off=True, viewport=PHONE)
    start(page, army)

    def lose(route: Route) -> None:
        if route.request.method == "POST":
            route.fetch()
            route.abort()
        else:
            route.continue_()

    intercept(page, "**/taps/", lose)
    for number in (1, 2, 3):
        score(page)
        expect(page.locator("#unsent")).to_have_text(f"{number} not sent" if number else "")
    page.wait_for_function("() => true")
    while Game.objects.get().last < 3:
        page.wait_for_timeout(100)
    page.reload()
    page.wait_for_timeout(500)
    assert points(page) == "3"
    is_sent(page)
    page.unroute("**/taps/")
    score(page)
    is_sent(page)
    assert points(page) == "4"


def test_a_minus_stops_where_there_is_nothing_left(visit: Callable[..., Page], army: Roster) -> None:
    page = visit(cut_off=True, viewport=PHONE)
    start(page, army, mission="territorial-control", size="incursion")
    cut(page)
    has = page.locator(".cpbar [data-count]").first
    for _ in range(int(has.inner_text()) + 2):
        page.locator(".cpbar").get_by_role("button", name="Spend 1").first.click()
    assert has.inner_text() == "0"
    page.get_by_role("button", name="One less").first.click()
    assert points(page) == "0"
    cut(page, off=False)
    is_sent(page)
    page.reload()
    assert has.inner_text() == "0"
    assert points(page) == "0"


def test_the_last_step_ends_the_game(visit: Callable[..., Page], army: Roster) -> None:
    page = visit(viewport=PHONE)
    start(page, army, mission="territorial-control")
    end, following = page.locator("[data-last-step]"), page.locator("[data-next-step]")
    expect(end).to_be_hidden()
    page.locator(".rnd summary").click()
    page.locator("[data-go='5:0:objectives']").click()
    for _ in range(14):
        following.click()
    expect(following).to_be_hidden()
    expect(page.locator(".rnd b[data-now=round]")).to_have_text("5")
    is_sent(page)
    end.click()
    expect(page.locator("button[name=do][value=end]")).to_be_visible()


def test_marks_gains_and_who_goes_first_without_a_network(visit: Callable[..., Page], army: Roster) -> None:
    page = visit(cut_off=True, viewport=PHONE)
    start(page, army)
    cut(page)
    before = page.evaluate(SHOWN)
    undo, has = page.get_by_role("button", name="Undo", exact=True), page.locator(".cpbar [data-count]").first
    gain, points_before = page.locator("[data-gain]"), int(has.inner_text())
    gain.click()
    expect(gain).to_be_disabled()
    assert int(has.inner_text()) == points_before + 1
    undo.click()
    expect(gain).to_be_enabled()
    unit = page.locator("[data-unit='0 u2']")
    unit.locator(".mk").click()
    expect(unit.locator("[data-marks] i")).to_have_text(["Done"])
    # The quick button opens no unit.
    expect(unit.locator(".inside")).to_be_hidden()
    page.locator("[data-goes-first]").nth(1).click()
    expect(page.locator("[data-turn]")).to_have_text("Turn: Opponent")
    expect(unit.locator("[data-marks] i")).to_have_count(0)
    for _ in range(2):
        undo.click()
    assert page.evaluate(SHOWN) == before
    page.locator("[data-shared='setup:1']").click()
    page.locator("[data-goes-first]").nth(1).click()
    cut(page, off=False)
    is_sent(page)
    page.reload()
    expect(page.locator("[data-shared='setup:1']")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("[data-turn]")).to_have_text("Turn: Opponent")
    state = Game.objects.get().now
    assert (str(state.step), state.sides[0].counts) == ("1:1:command", {})
    choices = page.locator("[data-goes-first]")
    expect(choices.first).to_be_enabled()
    for _ in range(6):
        page.locator("[data-next-step]").click()
    # A side that goes first after its turn has begun would take a turn of the other.
    assert [choices.nth(at).is_disabled() for at in range(2)] == [True, True]
    assert page.locator("[data-next-step]").inner_text().strip() == "Next: your turn"
    page.locator("[data-next-step]").click()
    assert page.locator("[data-turn]").inner_text() == "Your turn"
    assert page.locator(".rnd b[data-now=round]").inner_text() == "1"
    # Undoing the steps opens the choice again.
    for _ in range(7):
        page.get_by_role("button", name="Undo", exact=True).click()
    expect(choices.first).to_be_enabled()
