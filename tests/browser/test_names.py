"""Buttons in repeated rows name their row, so that people who hear a page can tell them apart."""

import pytest
from django.contrib.auth import get_user_model

from catalogue.formats.packs.load import SHIPPED
from roster.services.owners import Visitor
from roster.services.rosters import copy_roster, load_example
from tests.browser.builder import play, settle
from tests.browser.names import find_alike
from tests.browser.test_axe import ARMIES, AROUND
from tests.browser.test_events import sign_in, url
from tests.events.cast import TWO_CUTTERS, opened
from tests.extent import sample
from tests.roster.deck_owner import REEDS
from tests.shipped_packs import install_shipped

GAMES = (
    ("wh40k/ninth", "necrons-incursion.yaml"),
    ("warzone/resurrection", "army-blood-berets-forward.yaml"),
    ("maelstroms_edge/second", "army-angels-over-epirus.yaml"),
)


def find_all(page, addresses):
    found = []
    for address in addresses:
        page.goto(address)
        settle(page)
        found += find_alike(page)
    return found


@pytest.fixture
def staff(visit, transactional_db, live_server, client):
    """A page of a person who may see every page, with two lists of a game with everything."""
    user = get_user_model().objects.create_superuser("staff@example.org", "staff@example.org", "x")
    client.force_login(user)
    page = visit()
    session = client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    return page, Visitor(user_id=user.pk)


def test_no_two_buttons_sound_alike(staff):
    page, owner = staff
    install_shipped(REEDS)
    army, other = (copy_roster(load_example(REEDS / "lists" / name, SHIPPED), owner) for name in ARMIES)
    names = {"game": "reeds-and-rust", "faction": "marsh-compact", "unit": "lock-warden", "mission": "high-water"}
    names |= {"list": army.public_id, "other": other.public_id}
    addresses = [address.format(**names) for address in sample(AROUND, 6) if "{deck}" not in address]
    lists = ["/rosters/", "/rosters/folders/", "/rosters/bin/"]
    assert find_all(page, [*addresses, *lists]) == []
    page.goto(f"/rosters/{army.public_id}/")
    page.locator(".unit .name").first.click()
    page.locator(".unit.open").wait_for()
    settle(page)
    assert find_alike(page) == []
    assert find_all(page, play(page, f"/r/{army.public_id}/")) == []


@pytest.mark.parametrize(("pack", "army"), GAMES, ids=[pack.partition("/")[0] for pack, _ in GAMES])
def test_no_two_buttons_of_a_list_or_its_game_sound_alike(staff, pack, army):
    page, owner = staff
    install_shipped(SHIPPED / pack)
    public_id = copy_roster(load_example(SHIPPED / pack / "lists" / army, SHIPPED), owner).public_id
    page.goto(f"/rosters/{public_id}/")
    settle(page)
    found = find_alike(page)
    for number in range(min(page.locator(".unit").count(), 3)):
        page.locator(".unit .name").nth(number).click()
        page.locator(".unit.open .opts").wait_for()
        settle(page)
        found += find_alike(page)
    assert "\n".join(found) == ""
    assert find_all(page, play(page, f"/r/{public_id}/")) == []


def test_no_two_buttons_of_an_event_sound_alike(visit, live_server, transactional_db):
    bench = opened("ann", "bob", "eve")
    bench.submit("ann")
    bench.submit("bob", TWO_CUTTERS)
    page = visit()
    sign_in(page, bench.client("ora"), live_server.url)
    names = ("event", "bench", "settings", "print", "audit", "numbers", "pairings", "standings", "teams")
    addresses = [url(bench, name) for name in names]
    assert find_all(page, addresses) == []
