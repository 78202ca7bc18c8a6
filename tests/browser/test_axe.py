"""axe finds nothing but trifles on any page, in the light and in the dark."""

import pytest
from django.contrib.auth import get_user_model
from playwright.sync_api import expect

from catalogue.formats.packs.load import SHIPPED
from roster.play.services.mission_decks import start_deck
from roster.services.owners import Visitor
from roster.services.rosters import copy_roster, load_example
from tests.browser.axe import findings, look_at
from tests.browser.builder import Builder, play
from tests.browser.conftest import DESK, PHONE
from tests.extent import sample
from tests.roster.deck_owner import REEDS
from tests.roster.small_game import installed
from tests.shipped_packs import install_shipped

ARMIES = ("low-water-column.yaml", "army-steam-at-the-sluice.yaml")


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
def test_axe(visit, transactional_db, viewport):
    installed()
    page = visit(viewport=viewport, bypass_csp=True)
    builder = Builder(page).start(name="Low water")
    here = page.url.split("?")[0]
    found = findings(page)
    if viewport is PHONE:
        page.locator("#dock-add").click()
    for name in ("Wärden", "Giants", "Giants", "Cutters"):
        builder.take(name)
    found += findings(page)
    if viewport is PHONE:
        page.locator("#dock .done").click()
        page.locator("#dock-why").click()
        expect(page.locator("#verdict")).to_be_visible()
        found += findings(page)
        page.locator("#why [data-close]").click()
        expect(page.locator("#verdict")).to_be_hidden()
    row = builder.open("Wärden")
    row.locator(".menu > summary").click()
    if viewport is PHONE:
        found += findings(page)
        page.locator("#dock .done").click()
        expect(page.locator(".unit.open")).to_have_count(0)
    page.locator("#settings > summary").click()
    found += findings(page)
    if viewport is DESK:
        page.locator(".b-band .menu > summary").last.click()
        page.locator("[data-keys]").click()
        expect(page.get_by_role("dialog")).to_be_visible()
        found += findings(page)
    link = here.replace("/rosters/", "/r/")
    found += look_at(page, ["/", link])
    if viewport is DESK:
        games = "/games/fenland/"
        found += look_at(page, ["/rosters/", "/rosters/new/", here + "delete/", "/nowhere/"])
        found += look_at(page, ["/games/", games, games + "marsh-folk/"])
        found += look_at(page, [here + part for part in ("history/", "compare/?a=1&b=3", "data/")])
        found += look_at(page, ["/rosters/bin/", "/rosters/folders/", "/rosters/restore/"])
        page.goto("/rosters/")
        page.get_by_role("checkbox", name="Select Low water").check()
        for menu in ("#bulk .menu:has(#tag-name)", "#filters .menu", ".lrow .menu"):
            page.locator(f"{menu} > summary").click()
            expect(page.locator(f"{menu} > .menu-body")).to_be_visible()
            found += findings(page)
            page.keyboard.press("Escape")
            expect(page.locator(f"{menu} > .menu-body")).to_be_hidden()
            expect(page.locator(f"{menu} > summary")).to_be_focused()
    assert found == []


AROUND = [
    *("/games/", "/search/?q=a", "/missions/", "/missions/{game}/", "/missions/{game}/{mission}/", "/games/{game}/"),
    *("/games/{game}/{faction}/", "/games/{game}/{faction}/{unit}/", "/games/{game}/{faction}/cards/", "/rules/"),
    *("/rules/{game}/", "/lists/", "/lists/decks/", "/decks/", "/hands/", "/collections/", "/forces/"),
    "/credits/",
    *(
        "/accounts/email/",
        "/accounts/2fa/",
        "/account/delete/",
        "/account/tokens/",
        "/rosters/import/",
        "/rosters/restore/",
    ),
    *("/rosters/{list}/", "/rosters/{list}/deck/", "/rosters/{list}/plan/", "/rosters/{list}/sharing/"),
    *("/rosters/{list}/history/", "/rosters/{list}/data/", "/rosters/{list}/delete/", "/rosters/{list}/units/{unit}/"),
    *("/r/{list}/", "/r/{list}/text/", "/r/{list}/pack/", "/rosters/compare/?list={list}&list={other}"),
    "/rosters/text/?list={list}&list={other}",
    *("/docs/", "/docs/events/", "/docs/search/?q=undo", "/docs/search/?q=xyzzyplugh"),
    *("/data/", "/games/import/", "/games/sources/", "/rosters/new/?game={game}", "/decks/{deck}/"),
]
"""Every kind of page, as staff see it, but the description of the API, which a library draws."""


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
def test_pages_of_a_game_with_everything(visit, transactional_db, live_server, client, viewport):
    install_shipped(REEDS)
    user = get_user_model().objects.create_superuser("staff@example.org", "staff@example.org", "x")
    owner = Visitor(user_id=user.pk)
    army, other = (copy_roster(load_example(REEDS / "lists" / name, SHIPPED), owner) for name in ARMIES)
    deck = start_deck(owner, "Evening")
    client.force_login(user)
    page = visit(viewport=viewport, bypass_csp=True)
    session = client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    names = {"game": "reeds-and-rust", "faction": "marsh-compact", "unit": "lock-warden", "mission": "high-water"}
    names |= {"list": army.public_id, "other": other.public_id, "deck": deck.public_id}
    addresses = [address.format(**names) for address in sample(AROUND, 6)]
    assert look_at(page, addresses) == []


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
def test_pages_of_a_game_that_is_played(visit, transactional_db, viewport):
    installed()
    page = visit(viewport=viewport, bypass_csp=True)
    link = Builder(page).start(name="Low water").page.url.split("?")[0].replace("/rosters/", "/r/")
    assert look_at(page, play(page, link)) == []
