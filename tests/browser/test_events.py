"""The organiser's bench in a browser: the queue with a keyboard alone, and what axe and narrow screens find."""

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, expect

from roster.events.models import Event
from roster.events.services.events import enter_player
from roster.events.services.teams import add_member, create_team
from roster.services.exchange import import_list, read_list_file
from roster.services.owners import Visitor
from tests.browser.axe import look_at
from tests.browser.builder import settle
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
    page.wait_for_load_state()
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
        *(url(bench, name) for name in ("pairings", "standings", "print", "bring-pairings", "event")),
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
