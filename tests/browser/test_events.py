"""The organiser's bench in a browser: the queue with a keyboard alone, and what axe and narrow screens find."""

import re
import time
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Locator, Page, expect

from roster.events.models import Event
from roster.events.services.events import enter_player
from roster.events.services.teams import add_member, create_team
from roster.services.exchange import import_list, read_list_file
from roster.services.owners import Visitor
from tests.browser.axe import look_at
from tests.browser.builder import intercept, settle
from tests.browser.conftest import DESK, PHONE
from tests.browser.test_small_screens import too_wide
from tests.events.cast import LIST, TWO_CUTTERS, Bench, opened

TABLE = "round;table;player1;player2;points1;points2\n1;1;ann;bob;12;8\n1;2;eve;bye;;\n"


@pytest.fixture
def bench(transactional_db: None) -> Bench:
    bench = opened("ann", "bob", "eve")
    bench.submit("ann")
    bench.submit("bob", TWO_CUTTERS)
    return bench


def sign_in(page: Page, client: Client, address: str) -> None:
    session = client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": address}])


def url(bench: Bench, name: str, *args: str) -> str:
    return reverse(f"events:{name}", args=[bench.event.public_id, *args])


def test_the_queue_is_gone_through_with_keys_alone(visit, live_server, bench):
    page = visit()
    sign_in(page, bench.client("ora"), live_server.url)
    page.goto(url(bench, "bench"))
    at, panel = page.locator("#queue tr.at"), page.locator("#panel")
    for key, name in (("j", "ann"), ("j", "bob"), ("k", "ann"), ("k", "ann")):
        page.keyboard.press(key)
        settle(page)
        expect(at).to_contain_text(name)
        expect(panel.get_by_role("heading", name=name)).to_be_visible()
    page.keyboard.press("a")
    settle(page)
    assert bench.entry("ann").status == "accepted"
    page.keyboard.press("/")
    expect(page.locator("[data-search]")).to_be_focused()
    # What is typed is typed: no letter of it is an act.
    page.keyboard.type("bob a j k")
    settle(page)
    assert bench.entry("bob").status == "new"
    page.goto(url(bench, "bench"))
    page.keyboard.press("j")
    settle(page)
    page.keyboard.press("j")
    settle(page)
    expect(at).to_contain_text("bob")
    page.keyboard.press("r")
    expect(page.locator("#reason")).to_be_focused()


@pytest.fixture
def crowd(transactional_db: None) -> Bench:
    """An event with eight players who have handed in lists."""
    names = [f"p{number}" for number in range(1, 9)]
    bench = opened(*names)
    for name in names:
        bench.submit(name)
    return bench


def open_bench(page: Page, live_server: Any, crowd: Bench) -> list[str]:
    """Open the bench at its first list, and return the addresses that the page asks for after that."""
    sign_in(page, crowd.client("ora"), live_server.url)
    page.goto(url(crowd, "bench"))
    page.keyboard.press("j")
    settle(page)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    return asked


def delay(page: Page, seconds: float) -> None:
    """Have all answers of the server come late, as over a bad line."""
    intercept(page, "**/submissions/**", lambda route: (time.sleep(seconds), route.continue_()))


def marked(page: Page) -> str:
    return page.locator("#queue tr.at a").inner_text()


def panel_of(page: Page, name: str) -> Locator:
    return page.locator("#panel").get_by_role("heading", name=name, exact=True)


def test_five_keys_at_once_move_the_mark_by_five(visit, live_server, crowd):
    """The panel is asked for only where the mark stops."""
    page = visit()
    asked = open_bench(page, live_server, crowd)
    # At once, whatever the machine does between two keys.
    page.evaluate(
        "for (const key of 'jjjjj') document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))"
    )
    assert marked(page) == "p6"
    expect(panel_of(page, "p6")).to_be_visible()
    assert len([address for address in asked if "/submissions/" in address]) == 1
    assert crowd.entry("p6").public_id in page.url


@pytest.mark.parametrize("seconds", [0, 3])
def test_what_is_pressed_while_answers_are_late_is_carried_out(visit, live_server, crowd, seconds):
    page = visit()
    open_bench(page, live_server, crowd)
    delay(page, seconds)
    for key in "ajaja":
        page.keyboard.press(key)
    assert marked(page) == "p3"
    page.keyboard.press("j")
    page.keyboard.press("j")
    assert marked(page) == "p5"
    settle(page)
    names = [f"p{number}" for number in range(1, 6)]
    assert [crowd.entry(name).status for name in names] == ["accepted"] * 3 + ["new"] * 2
    expect(panel_of(page, "p5")).to_be_visible()
    expect(page.locator(".counts dd").nth(1)).to_have_text("3")
    expect(page.locator("#queue tr", has_text="p2").get_by_text("Accepted")).to_be_visible()
    page.keyboard.press("k")
    page.keyboard.press("k")
    page.keyboard.press("u")
    settle(page)
    assert crowd.entry("p3").status == "new"


def test_a_message_is_typed_before_its_field_is_there(visit, live_server, crowd):
    """No letter of it is an act on a list."""
    page = visit()
    open_bench(page, live_server, crowd)
    delay(page, 3)
    page.keyboard.press("j")
    page.keyboard.type("rTake a jug")
    page.keyboard.press("Backspace")
    expect(page.locator("#reason")).to_be_focused()
    page.keyboard.type("r, please")
    expect(page.locator("#reason")).to_have_value(re.compile("^Take a jur, please"))
    page.get_by_role("button", name="Return", exact=True).click()
    page.keyboard.press("j")
    assert marked(page) == "p3"
    settle(page)
    assert [crowd.entry(name).status for name in ("p1", "p2", "p3")] == ["new", "returned", "new"]
    assert crowd.entry("p2").comments.get().text.startswith("Take a jur, please")


def test_what_fails_is_named_and_can_be_tried_again(visit, live_server, crowd):
    page = visit(cut_off=True)
    open_bench(page, live_server, crowd)
    intercept(page, "**/*", lambda route: route.fulfill(status=503, body="busy"))
    page.keyboard.press("a")
    page.keyboard.press("j")
    expect(page.locator("#unsaved")).to_contain_text("p1")
    expect(page.locator("#panel").get_by_role("button", name="Try again")).to_be_visible()
    assert marked(page) == "p2"
    page.keyboard.press("a")
    expect(page.locator("#unsaved .message")).to_have_count(2)
    page.unroute_all()
    page.locator("#panel").get_by_role("button", name="Try again").click()
    expect(panel_of(page, "p2")).to_be_visible()
    for _one in range(2):
        page.locator("#unsaved button").first.click()
    settle(page)
    expect(page.locator("#unsaved .message")).to_have_count(0)
    assert [crowd.entry(name).status for name in ("p1", "p2", "p3")] == ["accepted", "accepted", "new"]


def test_a_list_that_was_handed_in_again_meanwhile_is_named(visit, live_server, crowd):
    page = visit()
    open_bench(page, live_server, crowd)
    crowd.submit("p1", TWO_CUTTERS)
    page.keyboard.press("a")
    settle(page)
    assert crowd.entry("p1").status == "new"
    expect(page.locator("#messages")).to_contain_text("submitted another list")


def test_a_list_that_leaves_the_filtered_table_hands_the_mark_on(visit, live_server, crowd):
    page = visit()
    sign_in(page, crowd.client("ora"), live_server.url)
    page.goto(url(crowd, "bench") + "?state=to-check")
    for key in "ja":
        page.keyboard.press(key)
        settle(page)
    expect(page.locator("#queue tbody tr")).to_have_count(7)
    assert marked(page) == "p2"


def test_rows_are_opened_with_the_mouse_as_well(visit, live_server, crowd):
    page = visit()
    open_bench(page, live_server, crowd)
    page.get_by_role("link", name="p4", exact=True).click()
    assert marked(page) == "p4"
    expect(panel_of(page, "p4")).to_be_visible()
    page.locator("#panel").get_by_role("button", name="Accept").click()
    settle(page)
    assert crowd.entry("p4").status == "accepted"
    page.keyboard.press("Enter")
    page.wait_for_url("**/list/")


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
def test_pages_of_the_day(visit, live_server, bench, viewport):
    client = bench.client("ora")
    client.post(url(bench, "bring-pairings"), {"text": TABLE})
    enter_player(bench.event, bench.people["ora"], "Ann")
    page = visit(viewport=viewport, bypass_csp=True)
    sign_in(page, client, live_server.url)
    digits = bench.entry("ann").current.content_hash[:8]
    addresses = [
        url(bench, "bench") + f"?at={bench.entry('ann').public_id}",
        *(
            url(bench, name)
            for name in ("pairings", "standings", "print", "bring-pairings", "event", "settings", "upload")
        ),
        url(bench, "paper") + f"?paper={digits}",
        url(bench, "paper") + "?paper=00000000",
        url(bench, "list", bench.entry("ann").public_id) + f"?hash={digits}",
    ]
    assert look_at(page, addresses) == []
    widths = {}
    for address in addresses:
        page.goto(address)
        widths[address] = too_wide(page)
    # What a table means is asked in two forms: columns, then names.
    for text in ("x;y\nann;bob", "player1;player2\nann;Ghost"):
        page.goto(url(bench, "bring-pairings"))
        page.fill("#text", text)
        page.locator("form.panel button.main").click()
        page.wait_for_load_state()
        widths[text] = too_wide(page)
        expect(page.locator("main select").first).to_be_visible()
    assert {address: width for address, width in widths.items() if width > 0} == {}


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
def test_the_menu_of_a_list_leads_to_the_events_that_take_it(visit, live_server, bench, viewport):
    roster = import_list(Visitor(user_id=bench.people["ann"].pk), read_list_file(LIST.encode()))
    page = visit(viewport=viewport, bypass_csp=True)
    sign_in(page, bench.client("ann"), live_server.url)
    page.goto(reverse("roster:builder", args=[roster.public_id]))
    page.locator("summary[aria-label=More]").click()
    page.get_by_role("link", name="Submit to an event").click()
    expect(page.get_by_role("heading", name="Autumn Muster")).to_be_visible()
    assert look_at(page, [reverse("events:offer", args=[roster.public_id])]) == []
    assert not too_wide(page)
    bench.pass_deadline()
    page.goto(reverse("roster:builder", args=[roster.public_id]))
    page.locator("summary[aria-label=More]").click()
    settle(page)
    expect(page.get_by_role("link", name="Submit to an event")).to_have_count(0)


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
def test_the_page_of_teams_can_be_worked_on_narrow_screens(visit, live_server, bench, viewport):
    Event.objects.update(is_team=True, team_size=2)
    team = create_team(bench.fresh(), bench.people["ann"], "Reeds of the upper marshes")
    add_member(team, bench.people["ann"], "Una of the long name", is_reserve=False)
    add_member(team, bench.people["ann"], "Ria of the long name", is_reserve=True)
    page = visit(viewport=viewport, bypass_csp=True)
    sign_in(page, bench.client("ann"), live_server.url)
    assert look_at(page, [url(bench, "teams")]) == []
    assert not too_wide(page)
    page.get_by_role("button", name="Swap in").click()
    expect(page.get_by_role("button", name="Swap in")).to_be_visible()
    assert bench.event.audit.filter(act="swap").count() == 1


@pytest.mark.parametrize(("zone", "times"), [("Europe/Vienna", 1), ("Asia/Tokyo", 2)])
def test_a_moment_is_said_twice_only_if_the_readers_clock_shows_another(visit, live_server, bench, zone, times):
    page = visit(timezone_id=zone)
    sign_in(page, bench.client("ann"), live_server.url)
    page.goto(url(bench, "event"))
    moment = page.locator("time[data-zoned]").first
    expect(moment).to_contain_text("(Europe/Berlin)")
    expect(moment).to_have_attribute("data-own", "")
    assert moment.inner_text().count(":") == times
    assert ("(Asia/Tokyo)" in moment.inner_text()) is (times == 2)
    assert not re.search(r"[AP]M", moment.inner_text())


def test_who_has_no_list_can_build_one_for_the_event(visit, live_server, bench):
    page = visit()
    sign_in(page, bench.client("eve"), live_server.url)
    page.goto(url(bench, "submit", bench.entry("eve").public_id))
    expect(page.get_by_label("Paste a list, or a link to one", exact=True)).to_be_visible()
    page.get_by_role("link", name="Build one for this event").click()
    expect(page.get_by_role("button", name="Build list")).to_be_visible()


@pytest.mark.parametrize(("players", "sent"), [((), False), (("ann",), False), (("ann",), True)])
def test_a_bench_without_lists_shows_no_tools(visit, live_server, transactional_db, players, sent):
    bench = opened(*players)
    if sent:
        bench.submit("ann")
    page = visit()
    sign_in(page, bench.client("ora"), live_server.url)
    page.goto(url(bench, "bench"))
    expect(page.get_by_role("button", name="Accept ticked")).to_be_visible(visible=sent)
