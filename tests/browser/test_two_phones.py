"""Two phones at one table: what is tapped on one is soon seen on the other."""

import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import APIResponse, Page, Route, expect

from roster.models import Roster
from roster.play.models import Game, GameInvitation
from tests.browser.conftest import PHONE
from tests.browser.test_offline import IN_CHARGE, cut, wait_until
from tests.browser.test_offline_game import STORED, press, score, start
from tests.play.games import NINTH, load_army

SOON = 1.5
"""Seconds from a tap to the other phone."""


@pytest.fixture
def army(transactional_db: None) -> Roster:
    return load_army(NINTH, "necrons-incursion")


@pytest.fixture
def pair(visit: Callable[..., Page], army: Roster) -> tuple[Page, Page]:
    """A game on the phones of both players."""
    first, second = (visit(viewport=PHONE, cut_off=True, service_workers="allow") for _phone in range(2))
    for page in (first, second):
        page.goto("/credits/")
        wait_until(page, IN_CHARGE)
    start(first, army)
    join(second)
    first.reload()
    return first, second


def join(page: Page, place: int = 1) -> None:
    game = Game.objects.get()
    invitation = GameInvitation.objects.create(side=game.sides.get(place=place))
    page.goto(f"/play/join/{invitation.code}/")
    page.get_by_role("button", name="Join and play").click()
    page.locator("#taps").wait_for()


def measure(tapped: Page, other: Page) -> float:
    """Return how many seconds a tap takes to the other phone."""
    spot = other.locator("header [data-total='0']")
    before = int(spot.inner_text())
    began = time.monotonic()
    score(tapped)
    expect(spot).to_have_text(str(before + 1))
    return time.monotonic() - began


@pytest.mark.parametrize("streams", [20, 0])
def test_a_tap_is_soon_on_the_other_phone(pair: tuple[Page, Page], settings: Any, streams: int) -> None:
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "STREAMS_AT_ONCE": streams}
    first, second = pair
    for page in pair:
        page.reload()
    with second.expect_request("**/news/"):
        pass
    # The first one may come before the page has begun to listen.
    taken = [measure(first, second) for _number in range(6)][1:]
    # The machine of the tests does more than this: half of them count.
    assert sorted(taken)[len(taken) // 2] < SOON, taken


# ---- without a server ----

SHOW = """(text) => {
  const canvas = Object.assign(document.createElement("canvas"), { width: 640, height: 640 });
  const drawn = new Image();
  drawn.src = "data:image/svg+xml;base64," + btoa(text);
  const draw = () => {
    const context = canvas.getContext("2d");
    context.fillStyle = "#999";
    context.fillRect(0, 0, 640, 640);
    context.drawImage(drawn, 90, 70, 460, 460);
  };
  setInterval(draw, 100);
  navigator.mediaDevices.getUserMedia = async () => canvas.captureStream(10);
  window.showCamera = (next) => { drawn.src = "data:image/svg+xml;base64," + btoa(next); };
}"""
"""A camera that sees a code, a little off the middle and on grey."""
WRITE = "(message) => window.playCodes.write(message)"
READ = """async (texts) => {
  const parts = texts.reduce((parts, text) => (parts === null ? null : window.playCodes.collect(parts, text)), {});
  return parts && parts.count === parts.of ? window.playCodes.read(parts) : parts;
}"""


NO_NEWS = """(() => {
  const ask = window.fetch;
  window.fetch = (to, how) => (String(to).includes("/taps/?") ? new Promise(() => {}) : ask(to, how));
})()"""
"""Requests for news that are never answered. Routes of Playwright do not see all that a page with a worker sends."""


def open_codes(page: Page) -> None:
    page.get_by_role("button", name="Exchange taps by code").click()
    expect(page.locator("[data-code] svg")).to_be_visible()


def read_text(page: Page) -> str:
    open_codes(page)
    text = page.locator("#codes-text").input_value()
    press(page, "Close")
    return text


def paste(page: Page, text: str) -> str:
    """Give a phone the text of the other, and return what it says."""
    open_codes(page)
    if not page.locator("#codes-paste").is_visible():
        page.get_by_text("As text", exact=True).click()
    page.locator("#codes-paste").fill(text)
    status = page.locator("#codes [role=status]")
    before = status.inner_text()
    press(page, "Take over")
    expect(status).not_to_have_text(before)
    said = status.inner_text()
    press(page, "Close")
    return said


def tick(page: Page, side: int, number: int) -> None:
    unit = page.locator(f"[data-unit^='{side} ']").first
    if not unit.locator(".wounds").first.is_visible():
        unit.locator("summary").first.click()
    unit.locator("[data-box]").nth(number).click()


def total(page: Page, side: int) -> str:
    return page.locator(f"header [data-total='{side}']").inner_text()


def score_own(page: Page, side: int) -> None:
    page.locator(f"button[value^='count {side} score:points']").last.click()


def test_two_phones_exchange_taps_without_a_server(pair: tuple[Page, Page]) -> None:
    first, second = pair
    for page in pair:
        cut(page)
    score_own(first, 0)
    score_own(first, 0)
    first.locator("[data-next-step]").click()
    assert (total(first, 0), total(second, 0)) == ("2", "0")
    assert "The taps of the other phone were added" in paste(second, read_text(first))
    assert total(second, 0) == "2"
    step = first.locator("[data-next-step]").get_attribute("value")
    assert second.locator("[data-next-step]").get_attribute("value") == step
    # The same once more counts nothing twice, and the other way works as well.
    assert "The taps of the other phone were added" in paste(second, read_text(first))
    assert total(second, 0) == "2"
    score_own(second, 1)
    second.locator("[data-next-step]").click()
    assert "The taps of the other phone were added" in paste(first, read_text(second))
    assert (total(first, 1), total(second, 1)) == ("1", "1")
    step = first.locator("[data-next-step]").get_attribute("value")
    assert second.locator("[data-next-step]").get_attribute("value") == step
    # What was taken back since is taken back there.
    press(first, "Undo")
    older = read_text(first)
    score_own(first, 0)
    paste(second, read_text(first))
    shown = total(second, 0)
    assert shown == total(first, 0)
    assert "older than what this phone has" in paste(second, older)
    assert total(second, 0) == shown
    # It is kept over a reload, and the server counts each tap once, whichever phone comes first.
    for page in reversed(pair):
        cut(page, off=False)
        page.reload()
        expect(page.locator("#unsent")).to_have_text("")
    wait_until_all_is_sent(first)
    for page in pair:
        page.reload()
        expect(page.locator("header [data-total='0']")).to_have_text(shown)
        expect(page.locator("header [data-total='1']")).to_have_text("1")
    state = Game.objects.get().now
    assert [sum(side.counts.values()) for side in state.sides] == [int(shown), 1]


def test_a_page_shows_nothing_twice_that_its_state_and_a_code_hold(pair: tuple[Page, Page]) -> None:
    first, second = pair
    address = second.url
    for page in pair:
        cut(page)
    score_own(first, 0)
    score_own(first, 0)
    older = read_text(first)
    assert "The taps of the other phone were added" in paste(second, older)
    # The second phone leaves the page, so that it asks for no news before it opens the game again.
    second.goto("/credits/")
    cut(first, off=False)
    expect(first.locator("#unsent")).to_have_text("")
    wait_until_all_is_sent(first)
    cut(second, off=False)
    # No answer names what the server has: the page's state alone must do.
    second.add_init_script(NO_NEWS)
    second.goto(address)
    # The page offers codes after it has read what the device stores.
    read_text(second)
    assert total(second, 0) == "2"
    # A code from before the server had the taps, taken after it.
    assert "The taps of the other phone were added" in paste(second, older)
    assert total(second, 0) == "2"


def test_an_answer_that_comes_late_takes_no_tap_from_the_page(visit: Callable[..., Page], army: Roster) -> None:
    first, second = (visit(viewport=PHONE) for _phone in range(2))
    start(first, army)
    join(second)
    waiting: list[tuple[Route, APIResponse]] = []
    second.route("**/taps/?*", lambda route: waiting.append((route, route.fetch())), times=1)
    score_own(first, 0)
    expect(first.locator("#unsent")).to_have_text("")
    while not waiting:
        second.wait_for_timeout(50)
    # The answer has the first side's point alone, and comes after that to the second side's tap.
    score_own(second, 1)
    expect(second.locator("#unsent")).to_have_text("")
    wait_until_all_is_sent(second)
    second.evaluate("""() => {
      const spot = document.querySelector("header [data-total='1']");
      window.shown = new Set();
      new MutationObserver(() => window.shown.add(spot.textContent)).observe(spot, { childList: true });
    }""")
    (route, answer) = waiting[0]
    with second.expect_response("**/taps/?*"):
        route.fulfill(response=answer)
    score_own(second, 1)
    expect(second.locator("#unsent")).to_have_text("")
    wait_until_all_is_sent(second)
    assert set(second.evaluate("() => [...window.shown]")) <= {"1", "2"}


def wait_until_all_is_sent(page: Page) -> None:
    page.wait_for_function(f"async () => (await ({STORED})('taps')).length === 0")


def test_a_phone_that_comes_back_first_sends_the_steps_of_both(pair: tuple[Page, Page]) -> None:
    first, second = pair
    for page in pair:
        cut(page)
    first.locator("[data-next-step]").click()
    score_own(first, 0)
    paste(second, read_text(first))
    second.locator("[data-next-step]").click()
    reached = (second.locator("[data-next-step]").get_attribute("value") or "").split()[3]
    cut(second, off=False)
    wait_until_all_is_sent(second)
    expect(second.locator("#unsent")).to_have_text("")
    game = Game.objects.get()
    # The points of the first side come from its own phone alone.
    assert (str(game.now.step), game.now.sides[0].counts) == (reached, {})
    assert total(second, 0) == "1"
    cut(first, off=False)
    expect(first.locator("#unsent")).to_have_text("")
    wait_until_all_is_sent(first)
    game.refresh_from_db()
    assert (str(game.now.step), sum(game.now.sides[0].counts.values())) == (reached, 1)
    expect(second.locator("header [data-total='0']")).to_have_text("1")


def test_a_camera_reads_the_code_of_the_other_phone(pair: tuple[Page, Page]) -> None:
    first, second = pair
    for page in pair:
        cut(page)
    for _more in range(3):
        score_own(first, 0)
    open_codes(first)
    expect(first.locator("span[data-which]")).to_have_text("Code 1 of 1")
    code = first.locator("[data-code]").evaluate("(part) => part.innerHTML")
    second.evaluate(SHOW, code)
    open_codes(second)
    press(second, "Read the code on the other phone")
    expect(second.locator("#codes [role=status]")).to_contain_text("The taps of the other phone were added")
    expect(second.locator("#codes video")).to_be_hidden()
    assert total(second, 0) == "3"


def test_several_codes_make_one_message(pair: tuple[Page, Page]) -> None:
    first, _second = pair
    taps = [[f"{number:08x}", "count", 0, f"score:points:{number % 5}", number, "", 0] for number in range(300)]
    message = {"game": "g", "side": 0, "made": 300, "points": {"1": 5}, "taps": taps}
    texts = first.evaluate(WRITE, message)
    assert 1 < len(texts) < 12
    assert max(map(len, texts)) < 440
    # In any order, one of them twice.
    assert first.evaluate(READ, [texts[-1], *texts]) == message
    assert first.evaluate(READ, texts[:-1])["count"] == len(texts) - 1
    # A part that came to harm, and one of another message, make no message.
    harmed = [texts[0][:-1] + ("A" if texts[0][-1] != "A" else "B"), *texts[1:]]
    assert first.evaluate(READ, harmed) is None


NO_MESSAGES: tuple[object, ...] = (
    *([], 7, None, {}, {"game": "g"}),
    {"game": "g", "side": 0, "made": 1, "points": None, "taps": {}},
    {"game": "g", "side": 0, "made": -1, "points": None, "taps": []},
    {"game": "g", "side": 0, "made": 1, "points": {"1": "many"}, "taps": []},
    {"game": "g", "side": 0, "made": 1, "points": None, "taps": [["0b0c8a53", "end", None, "", 0, "", 0]]},
    {"game": "g", "side": 0, "made": 1, "points": None, "taps": [["<b>", "count", 0, "a", 1, "", 0]]},
    {"game": "g", "side": 0, "made": 1, "points": None, "taps": [["0b0c8a53", "count", 0, "a", 1.5, "", 0]]},
    {"game": "g", "side": 0, "made": 1, "points": None, "taps": [["0b0c8a53", "count", 0, "a" * 900, 1, "", 0]]},
    {"game": "g", "side": 0, "made": 1, "points": None, "taps": [], "ages": ["old"]},
    {"game": "g", "side": 0, "made": 1, "points": None, "taps": [], "heard": [{"side": 1}]},
    {"game": "g", "side": 0, "made": 1, "points": None, "taps": [], "heard": 3},
)


def test_what_is_no_message_is_not_taken(pair: tuple[Page, Page]) -> None:
    first, _second = pair
    read = [first.evaluate(READ, first.evaluate(WRITE, message)) for message in NO_MESSAGES]
    assert read == [None] * len(NO_MESSAGES)


def test_codes_of_something_else_are_refused_in_words(pair: tuple[Page, Page]) -> None:
    first, second = pair
    score_own(first, 0)
    mine = read_text(first)
    assert "is your own" in paste(first, mine)
    assert "is not a game’s code" in paste(first, "https://example.org/")
    assert "is not a game’s code" in paste(first, "")
    other = {"game": "another", "side": 1, "made": 1, "points": None, "taps": []}
    assert "from a different game" in paste(first, "\n".join(first.evaluate(WRITE, other)))
    # Taps for the side of this phone itself, and for none that there is, change nothing.
    game = Game.objects.get()
    foreign = [
        ["0b0c8a53", "count", 0, "score:points:1", 50, "", 0],
        ["0b0c8a54", "count", 7, "score:points:1", 50, "", 0],
    ]
    forged = {"game": game.public_id, "side": 1, "made": 1, "points": None, "taps": foreign}
    assert "The taps of the other phone were added" in paste(first, "\n".join(first.evaluate(WRITE, forged)))
    assert total(first, 0) == "1"
    assert json.loads(json.dumps(second.evaluate(STORED, "heard"))) == []
