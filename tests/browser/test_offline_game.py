"""A game in a cellar: taps are seen, kept over reloads and new versions, and sent in order once there is a network."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from roster.models import Roster
from roster.play.models import Game
from roster.play.services.game_taps import list_operations
from tests.browser.axe import findings, look_at
from tests.browser.builder import intercept
from tests.browser.test_offline import IN_CHARGE, cut, deploy, update_worker, wait_until, wait_until_kept
from tests.play.games import DAWNFALL, FIRST_EDGE, NINTH, WARZONE, load_army

STORED = """(store) => new Promise((done) => {
  const request = indexedDB.open("play");
  request.onsuccess = () => {
    const all = request.result.transaction(store).objectStore(store).getAll();
    all.onsuccess = () => { request.result.close(); done(all.result); };
  };
})"""
AS_BEFORE = """(row) => new Promise((done) => {
  const request = indexedDB.open("play", 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore("taps", { autoIncrement: true }).createIndex("game", "game");
  };
  request.onsuccess = () => {
    const transaction = request.result.transaction("taps", "readwrite");
    transaction.objectStore("taps").add(row);
    transaction.oncomplete = () => { request.result.close(); done(true); };
  };
})"""
AS_LATER = """() => new Promise((done) => {
  const request = indexedDB.open("play", 99);
  request.onupgradeneeded = () => request.result.createObjectStore("of-a-later-version");
  request.onsuccess = () => { request.result.close(); done(true); };
})"""
LIGHT = """
window.lights = [];
navigator.wakeLock.request = async () => {
  const light = { released: false, release: async () => { light.released = true; } };
  window.lights.push(light);
  return light;
};
"""
LOSE_POSTS = """() => {
  const ask = window.fetch;
  window.fetch = (to, how) => (how?.method === "POST" ? Promise.reject(new TypeError("lost")) : ask(to, how));
}"""
"""Until the page is loaded anew. Routes of Playwright now and then keep a page that has a worker from ever loading."""
MOST_STEPS = 60
"""More than any game has up to its third round."""
BURNING = "() => window.lights.filter((light) => !light.released).length"


@pytest.fixture
def army(transactional_db: None) -> Roster:
    return load_army(NINTH, "necrons-incursion")


@pytest.fixture
def table(visit: Callable[..., Page], army: Roster) -> Page:
    """A running game on a device that has the worker."""
    page = visit(service_workers="allow", cut_off=True)
    page.goto("/credits/")
    wait_until(page, IN_CHARGE)
    start(page, army)
    wait_until_kept(page, page.url.removeprefix(page.evaluate("() => location.origin")))
    return page


def start(page: Page, army: Roster, **chosen: str) -> None:
    page.goto(f"/play/new/{army.link_id}/")
    for name, value in chosen.items():
        chosen_from = page.locator(f"select[name={name}]")
        if chosen_from.count():
            chosen_from.select_option(value)
        else:
            page.locator(f"[name={name}][value='{value}']").check()
    page.locator("main form button[type=submit], main form button.main").last.click()
    page.locator("#taps").wait_for()
    page.locator(".wounds").first.wait_for(state="attached")


def score(page: Page, times: int = 1) -> None:
    for _ in range(times):
        page.get_by_role("button", name="One more").first.click()


def points(page: Page) -> str:
    return page.locator("header [data-total='0']").inner_text()


def unsent(page: Page) -> str:
    return page.locator("#unsent").inner_text()


def read_amounts() -> list[int]:
    return [one.amount for one in list_operations(Game.objects.get()) if one.number]


def test_taps_are_shown_and_kept_over_a_reload_without_a_network(table: Page) -> None:
    cut(table)
    score(table, 3)
    assert (points(table), unsent(table)) == ("3", "3 not sent")
    table.reload()
    expect(table.locator("#unsent")).to_have_text("3 not sent")
    assert points(table) == "3"
    score(table)
    table.get_by_role("button", name="One less").first.click()
    expect(table.locator("#unsent")).to_have_text("5 not sent")
    cut(table, off=False)
    expect(table.locator("#unsent")).to_have_text("")
    assert read_amounts() == [1, 1, 1, 1, -1]
    assert table.evaluate(STORED, "taps") == []
    table.reload()
    assert points(table) == "3"


def test_taps_that_are_not_sent_stand_under_just_now_and_can_be_undone_there(table: Page) -> None:
    cut(table)
    score(table, 3)
    lines = table.locator("[data-just] li")
    mark = lines.get_by_text("not sent", exact=True)
    # The latest two, as their buttons are called.
    expect(lines).to_have_count(2)
    expect(mark).to_have_count(2)
    expect(lines.first).to_contain_text("One more")
    table.reload()
    expect(mark).to_have_count(2)
    lines.first.get_by_role("button", name="Undo").click()
    assert points(table) == "2"
    expect(mark).to_have_count(2)
    cut(table, off=False)
    expect(table.locator("#unsent")).to_have_text("")
    # The server's words take their place.
    expect(mark).to_have_count(0)
    expect(lines.first).to_contain_text("+1 points")
    assert read_amounts() == [1, 1, 1, 0]


def test_an_objective_that_is_chosen_without_a_network_is_pressed(
    transactional_db: None, visit: Callable[..., Page]
) -> None:
    page = visit(cut_off=True)
    start(page, load_army(FIRST_EDGE, "champions"))
    choices = page.locator("[data-choice$=' mission']")
    if not choices.first.is_visible():
        page.locator("details.own summary").first.click()
    for button in (choices.nth(1), choices.first):
        cut(page)
        button.click()
        expect(button).to_have_attribute("aria-pressed", "true")
        assert page.locator("[data-choice='0 mission'][aria-pressed=true]").count() == 1


def test_a_change_of_version_without_a_network_loses_nothing(table: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    cut(table)
    score(table, 2)
    expect(table.locator("#unsent")).to_have_text("2 not sent")
    # The new version is on the server while the device cannot reach it; then the worker comes, before the page asks.
    deploy(monkeypatch, "next")
    table.reload()
    expect(table.locator("#unsent")).to_have_text("2 not sent")
    table.evaluate(LOSE_POSTS)
    cut(table, off=False)
    update_worker(table)
    wait_until(table, "async () => (await caches.keys()).join().includes('assets-next')")
    wait_until(table, IN_CHARGE)
    cut(table)
    table.reload()
    expect(table.locator("#unsent")).to_have_text("2 not sent")
    score(table)
    expect(table.locator("#unsent")).to_have_text("3 not sent")
    cut(table, off=False)
    expect(table.locator("#unsent")).to_have_text("")
    assert read_amounts() == [1, 1, 1]


def test_an_answer_that_is_lost_counts_nothing_twice(visit: Callable[..., Page], army: Roster) -> None:
    page = visit(cut_off=True)
    start(page, army)
    lost = []

    def lose(route: Route) -> None:
        if route.request.method != "POST":
            route.continue_()
        elif not lost:
            lost.append(route.fetch())
            route.abort()
        else:
            route.continue_()

    intercept(page, "**/taps/", lose)
    score(page)
    expect(page.locator("#unsent")).to_have_text("1 not sent")
    score(page)
    expect(page.locator("#unsent")).to_have_text("")
    assert read_amounts() == [1, 1]


def test_what_the_server_refuses_is_told_in_words_and_stays_until_it_is_read(
    visit: Callable[..., Page], army: Roster
) -> None:
    page = visit()
    start(page, army)

    def refuse(route: Route) -> None:
        sent = route.request.post_data_json
        sent["taps"][0]["kind"] = "bogus"
        route.continue_(post_data=json.dumps(sent))

    intercept(page, "**/taps/", refuse, times=1)
    score(page)
    told = page.locator("#refused")
    expect(told).to_be_visible()
    expect(told.get_by_role("listitem")).to_have_count(1)
    assert points(page) == "0"
    page.reload()
    expect(told.get_by_role("listitem")).to_have_count(1)
    told.get_by_role("button", name="Apply my change again").click()
    expect(told).to_be_hidden()
    expect(page.locator("#unsent")).to_have_text("")
    assert points(page) == "1"
    assert page.evaluate(STORED, "refused") == []


def test_a_database_of_an_earlier_version_keeps_its_queue(visit: Callable[..., Page], army: Roster) -> None:
    page = visit()
    start(page, army)
    address = page.url
    page.goto("/credits/")
    page.evaluate("() => new Promise((done) => { indexedDB.deleteDatabase('play').onsuccess = done; })")
    tap = {
        "id": "0b0c8a53-4c1c-4f6a-9d3e-0a6f1d1c2b3a",
        "kind": "count",
        "side": 0,
        "key": "score:points:1",
        "amount": 7,
    }
    game = Game.objects.get()
    page.evaluate(AS_BEFORE, {"game": f"{game.public_id}:0", "tap": tap})
    page.goto(address)
    expect(page.locator("header [data-total='0']")).to_have_text("7")
    expect(page.locator("#unsent")).to_have_text("")
    assert read_amounts() == [7]
    # What a later version left goes on being used when the server goes back to this one.
    page.goto("/credits/")
    page.evaluate(AS_LATER)
    page.goto(address)
    score(page)
    expect(page.locator("#unsent")).to_have_text("")
    assert read_amounts() == [7, 1]


def test_a_running_game_is_a_file_in_one_tap(table: Page) -> None:
    score(table)
    expect(table.locator("#unsent")).to_have_text("")
    cut(table)
    score(table, 2)
    with table.expect_download() as waiting:
        table.get_by_role("link", name="Save a copy").click()
    saved = json.loads(Path(waiting.value.path()).read_text(encoding="utf-8"))
    assert [tap["amount"] for tap in saved["device"]["not sent"]] == [1, 1]
    assert saved["device"]["state"]["last"] == 1
    cut(table, off=False)
    expect(table.locator("#unsent")).to_have_text("")
    with table.expect_download() as waiting:
        table.get_by_role("link", name="Save a copy").click()
    saved = json.loads(Path(waiting.value.path()).read_text(encoding="utf-8"))
    assert [one["number"] for one in saved["operations"]] == [0, 1, 2, 3]
    assert saved["device"]["not sent"] == []


def test_the_screen_stays_on_until_the_game_ends(visit: Callable[..., Page], army: Roster) -> None:
    page = visit()
    page.add_init_script(LIGHT)
    start(page, army)
    wait_until(page, f"() => ({BURNING})() === 1")
    address = page.url
    page.goto(f"{address}end/")
    assert page.evaluate(BURNING) == 0
    page.locator("button[name=do][value=end]").click()
    # The next page is asked for after the answer has come: it would stop the form on its way otherwise.
    page.locator("button[name=do][value=reopen]").wait_for()
    page.goto(address)
    expect(page.get_by_text("This game is over.")).to_be_visible()
    assert page.evaluate("() => window.lights.length") == 0


def test_another_device_that_ends_the_game_lets_the_screen_go_dark(visit: Callable[..., Page], army: Roster) -> None:
    page = visit()
    page.add_init_script(LIGHT)
    start(page, army)
    wait_until(page, f"() => ({BURNING})() === 1")
    other = page.context.new_page()
    other.goto(f"{page.url}end/")
    other.locator("button[name=do][value=end]").click()
    # Nothing closes the page meanwhile: one that is closed while it loads may keep the browser waiting for ever.
    other.locator("button[name=do][value=reopen]").wait_for()
    score(page)
    expect(page.get_by_text("This game is over.")).to_be_visible()
    assert page.evaluate("() => window.lights.length") == 0


def test_a_token_that_is_too_old_is_renewed(visit: Callable[..., Page], army: Roster) -> None:
    page = visit()
    start(page, army)
    page.context.clear_cookies(name="csrftoken")
    score(page)
    expect(page.locator("#unsent")).to_have_text("")
    assert read_amounts() == [1]


def test_whoever_is_signed_out_is_told_and_loses_nothing(visit: Callable[..., Page], army: Roster) -> None:
    page = visit()
    start(page, army)
    cookies = page.context.cookies()
    page.context.clear_cookies()
    score(page, 2)
    expect(page.get_by_role("alert").filter(has_text="This browser no longer takes part in this game.")).to_be_visible()
    expect(page.locator("#unsent")).to_have_text("2 not sent")
    page.context.clear_cookies()
    page.context.add_cookies(cookies)
    page.reload()
    # A page that has just come says of no tap that it waits.
    wait_until(page, f"async () => (await ({STORED})('taps')).length === 0")
    assert read_amounts() == [1, 1]


def test_one_tap_that_cannot_be_read_is_not_in_the_way_of_the_others(visit: Callable[..., Page], army: Roster) -> None:
    page = visit()
    start(page, army)
    spoiled: list[str] = []

    def spoil(route: Route) -> None:
        sent = route.request.post_data_json if route.request.method == "POST" else None
        if sent:
            spoiled[:] = spoiled or [sent["taps"][0]["id"]]
            for tap in sent["taps"]:
                if tap["id"] in spoiled:
                    tap["amount"] = "many"
            route.continue_(post_data=json.dumps(sent))
        else:
            route.continue_()

    intercept(page, "**/taps/", spoil)
    score(page, 3)
    expect(page.locator("#refused").get_by_role("listitem")).to_have_count(1)
    expect(page.locator("#unsent")).to_have_text("")
    assert read_amounts() == [1, 1]


def test_what_was_refused_can_be_read_by_everybody(visit: Callable[..., Page], army: Roster) -> None:
    page = visit(bypass_csp=True, viewport={"width": 320, "height": 780})
    start(page, army)

    def refuse(route: Route) -> None:
        sent = route.request.post_data_json
        sent["taps"][0]["kind"] = "bogus"
        route.continue_(post_data=json.dumps(sent))

    intercept(page, "**/taps/", refuse, times=1)
    score(page)
    expect(page.locator("#refused")).to_be_visible()
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 320
    found = findings(page) + look_at(page, ["/offline/"])
    assert found == []


def send_unit(page: Page, place: str) -> None:
    page.locator("[data-unit='0 u1'] [data-at]").get_by_text(place).click()


def go_to_round(page: Page, number: int) -> None:
    """Go on step by step. Each is awaited: a click before the last is drawn could go past the round."""
    step = page.locator("[data-next-step]")
    for _ in range(MOST_STEPS):
        if page.locator(".rnd b[data-now=round]").inner_text() == str(number):
            return
        before = step.get_attribute("value") or ""
        step.click()
        expect(step).not_to_have_attribute("value", before)
    pytest.fail(f"round {number} was never reached")


def test_where_a_unit_is_can_be_taken_back_and_it_dies_in_the_round_that_is_played(table: Page) -> None:
    unit = table.locator("[data-unit='0 u1']")
    unit.locator("summary").click()
    cut(table)
    send_unit(table, "In reserve")
    expect(unit.locator("[data-place]")).to_have_text("in reserve")
    table.get_by_role("button", name="Undo", exact=True).click()
    expect(unit.locator("[data-place]")).to_have_text("")
    expect(unit.locator("[data-at=table]")).to_have_attribute("aria-pressed", "true")
    go_to_round(table, 2)
    send_unit(table, "Destroyed")
    expect(unit.locator("[data-place]")).to_have_text("destroyed in round 2")
    cut(table, off=False)
    expect(table.locator("#unsent")).to_have_text("")
    assert Game.objects.get().now.sides[0].texts["at:u1"] == "dead=2"


def test_what_was_spent_of_a_resource_comes_back_without_a_network(
    visit: Callable[..., Page], transactional_db: None
) -> None:
    page = visit(cut_off=True)
    start(page, load_army(WARZONE, "army-winter-wolves"), mission="mission-1")
    page.get_by_text("Gains and costs").click()
    back = page.locator("[data-back]")
    expect(back).to_be_hidden()
    cut(page)
    for _ in range(2):
        page.locator(".cpbar").get_by_role("button", name="Spend 1").first.click()
    expect(back).to_contain_text("+2")
    back.click()
    expect(back).to_be_hidden()
    cut(page, off=False)
    expect(page.locator("#unsent")).to_have_text("")
    assert read_amounts() == [-1, -1, 2]


def test_what_is_not_sent_stays_in_sight(visit: Callable[..., Page], army: Roster) -> None:
    page = visit(cut_off=True, viewport={"width": 320, "height": 640})
    start(page, army)
    cut(page)
    score(page, 2)
    for place in ("0", "document.body.scrollHeight"):
        page.evaluate(f"() => window.scrollTo(0, {place})")
        expect(page.locator("#unsent")).to_be_in_viewport(ratio=1)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 320


def test_caps_count_without_a_network(visit: Callable[..., Page], army: Roster) -> None:
    page = visit(cut_off=True)
    start(page, army)
    cut(page)
    item = page.locator(".ln", has=page.locator("[data-full='0 battle-ready']"))
    expect(item.locator("[data-full]")).to_be_hidden()
    item.get_by_role("button", name="Score 10").click()
    expect(item.locator("[data-full]")).to_be_visible()
    expect(item.get_by_role("button", name="Score 10")).to_be_disabled()
    assert points(page) == "10"
    assert page.locator("[data-points='0 1']").inner_text() == "10"
    cut(page, off=False)
    expect(page.locator("#unsent")).to_have_text("")
    assert points(page) == "10"
    page.reload()
    expect(item.locator("[data-full]")).to_be_visible()
    assert points(page) == "10"


MOST_STEPS = 20
"""More steps than a round has."""


def draw_hand(page: Page) -> Locator:
    """Choose three categories, draw, go to where objectives score, and return the first objective."""
    for place, choice in enumerate(page.locator("[name=h0-group]").all(), 1):
        choice.select_option(index=place)
    page.get_by_role("button", name="Choose categories", exact=True).first.click()
    page.get_by_role("button", name="Draw 3 objectives").first.click()
    card = page.locator("[data-held='0 0']")
    score, onwards = card.locator("[data-scored='']").first, page.locator("[data-next-step]")
    score.wait_for()
    for _step in range(MOST_STEPS):
        if score.is_enabled():
            break
        onwards.click()
    return card


def test_objectives_of_the_hand_score_without_a_network(visit: Callable[..., Page], army: Roster) -> None:
    page = visit(cut_off=True)
    start(page, army, mission="never-surrender")
    card = draw_hand(page)
    worth = str(card.get_attribute("data-worth"))
    expect(page.locator("#unsent")).to_have_text("")
    cut(page)
    card.get_by_role("button", name=f"Score {worth}").click()
    expect(card.get_by_role("button", name="Scored")).to_be_visible()
    expect(page.locator("[data-hand-points='0']")).to_contain_text(f"{worth} of")
    assert (points(page), unsent(page)) == (worth, "1 not sent")
    cut(page, off=False)
    expect(page.locator("#unsent")).to_have_text("")
    assert points(page) == worth


def test_a_game_without_a_last_round_gets_a_column_for_each(visit: Callable[..., Page], transactional_db: None) -> None:
    page = visit(cut_off=True)
    start(page, load_army(DAWNFALL, "army-altar-of-conquest"))
    cut(page)
    go_to_round(page, 3)
    score(page)
    expect(page.locator(".rounds [data-points='0 3']")).to_have_text("1")
    expect(page.locator(".rounds thead th")).to_have_text(["1", "2", "3", "Total"])


def test_a_device_that_hears_of_another_asks_more_often(visit: Callable[..., Page], army: Roster) -> None:
    page = visit()
    page.clock.install()
    start(page, army)
    other = page.context.new_page()
    other.goto(page.url)
    score(other)
    expect(other.locator("#unsent")).to_have_text("")
    # It asks each half minute; on a busy machine the first question may be under way when the other page taps.
    for _more in range(10):
        page.clock.run_for(40_000)
        page.wait_for_timeout(1_000)
        if points(page) == "1":
            break
    expect(page.locator("header [data-total='0']")).to_have_text("1")
    score(other)
    expect(other.locator("#unsent")).to_have_text("")
    page.clock.run_for(5_000)
    expect(page.locator("header [data-total='0']")).to_have_text("2")


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


@pytest.mark.parametrize("known", [False, True])
def test_taps_are_taken_back_and_done_again_without_a_network(
    visit: Callable[..., Page], army: Roster, known: bool
) -> None:
    page = visit(cut_off=True)
    start(page, army)
    redo = page.get_by_role("button", name="Redo")
    if not known:
        cut(page)
    score(page, 2)
    if known:
        expect(page.locator("#unsent")).to_have_text("")
        cut(page)
    expect(redo).to_be_disabled()
    seen = []
    for button in ("Undo", "Undo", "Redo", "Redo", "Undo"):
        press(page, button)
        seen.append(points(page))
    assert seen == ["1", "0", "1", "2", "1"]
    cut(page, off=False)
    expect(page.locator("#unsent")).to_have_text("")
    assert points(page) == "1"
    press(page, "Redo")
    expect(page.locator("#unsent")).to_have_text("")
    assert points(page) == "2"
    score(page)
    expect(redo).to_be_disabled()
    expect(page.locator("#unsent")).to_have_text("")
    counts = Game.objects.get().now.sides[0].counts
    assert sum(count for key, count in counts.items() if key.startswith("score:")) == 3


def test_cards_that_the_server_has_go_back_without_a_network(
    visit: Callable[..., Page], transactional_db: None
) -> None:
    page = visit(cut_off=True)
    start(page, load_army(DAWNFALL, "army-altar-of-conquest"))
    deck = page.locator("[data-deck]").first
    hand = deck.locator("[data-hand] > *")
    deck.get_by_role("button", name="Shuffle all but the hand").click()
    deck.get_by_role("button", name="Draw a hand of 3").click()
    names = hand.locator("[data-name]").all_inner_texts()
    expect(page.locator("#unsent")).to_have_text("")
    cut(page)
    press(page, "Undo")
    expect(hand).to_have_count(0)
    press(page, "Redo")
    assert hand.locator("[data-name]").all_inner_texts() == names
    hand.first.get_by_role("button").first.click()
    cut(page, off=False)
    expect(page.locator("#unsent")).to_have_text("")
    cut(page)
    press(page, "Undo")
    expect(hand).to_have_count(3)
    expect(page.locator("#unsent")).to_have_text("1 not sent")
    # Which of the cards in hand were drawn last is not known to the device any more.
    press(page, "Undo")
    expect(page.locator("#unsent")).to_have_text("2 not sent, not all of it is shown yet")
    cut(page, off=False)
    expect(page.locator("#unsent")).to_have_text("")
    expect(hand).to_have_count(0)


def test_an_objective_that_was_scored_is_taken_back_without_a_network(visit: Callable[..., Page], army: Roster) -> None:
    page = visit(cut_off=True)
    start(page, army, mission="never-surrender")
    card = draw_hand(page)
    card.locator("[data-scored='']").first.click()
    expect(page.locator("#unsent")).to_have_text("")
    worth = str(card.get_attribute("data-worth"))
    assert points(page) == worth
    cut(page)
    seen = []
    for button in ("Undo", "Redo", "Undo"):
        press(page, button)
        seen.append(points(page))
    assert seen == ["0", worth, "0"]
    expect(card.get_by_role("button", name="Scored")).to_be_hidden()
    cut(page, off=False)
    expect(page.locator("#unsent")).to_have_text("")
    assert points(page) == "0"


def test_a_game_is_left_invited_to_and_ended_without_a_network(table: Page) -> None:
    address = table.url
    paths = [address, f"{address}invite/", f"{address}end/", "/play/"]
    table.reload()
    for path in paths:
        wait_until_kept(table, path.removeprefix(table.evaluate("() => location.origin")))
    cut(table)
    score(table, 2)
    table.get_by_role("link", name="Invite the other player").click()
    expect(table.get_by_role("img", name="The link as a QR code")).to_have_count(2)
    table.goto("/play/")
    table.get_by_role("link", name=Game.objects.get().name).click()
    table.get_by_role("link", name="End the game").last.click()
    expect(table.locator(".kept")).to_be_visible()
    table.get_by_label("Notes", exact=True).fill("x" * 601)
    press(table, "End the game")
    expect(table.get_by_role("alert")).to_contain_text("at most 600 characters")
    table.get_by_label("Notes", exact=True).fill("In the cellar.")
    press(table, "End the game")
    table.locator("#taps").wait_for()
    expect(table.get_by_text("The end of the game is kept here")).to_be_visible()
    expect(table.locator("#unsent")).to_have_text("3 not sent")
    assert Game.objects.get().ended is None
    cut(table, off=False)
    table.reload()
    expect(table.get_by_role("link", name="Result and notes")).to_be_visible()
    game = Game.objects.get()
    assert (game.notes, game.sides.get(place=0).score) == ("In the cellar.", 2)
