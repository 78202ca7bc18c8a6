"""Starting a list in a game of many factions."""

import re

from playwright.sync_api import expect

from catalogue.models import Faction, GameSystem
from tests.browser.builder import settle
from tests.browser.conftest import PHONE
from tests.roster.small_game import installed

FAMILIES, RENOWN = 20, ("spring", "summer", "autumn")
SCREENS = 2


def crowd() -> None:
    """Give Fenland dozens of factions more, each with armies of renown."""
    installed()
    version = GameSystem.objects.get(slug="fenland").shown_version
    rows = [
        Faction(
            version=version, faction_id=f"f{family}-{army}", slug=f"f{family}-{army}", name=name, position=10 + family
        )
        for family in range(FAMILIES)
        for army, name in enumerate((f"Lodge {family}", *(f"Lodge {family} - Otters of {season}" for season in RENOWN)))
    ]
    Faction.objects.bulk_create(rows)


def test_many_factions_fit_two_screens_of_a_phone_and_the_button_stays(visit, transactional_db):
    crowd()
    page = visit(viewport=PHONE)
    page.goto("/rosters/new/?game=fenland")
    build = page.get_by_role("button", name="Build list")
    expect(build).to_be_in_viewport()
    folds = page.locator(".folds").bounding_box()
    assert folds["height"] <= SCREENS * PHONE["height"]
    expect(page.locator(".frow.kid:visible")).to_have_count(0)
    page.get_by_role("radio", name=re.compile("^Lodge 7 ")).check()
    expect(page.locator(".frow.kid:visible")).to_have_count(len(RENOWN))
    expect(page.locator("[data-choice=faction]")).to_have_text("Lodge 7")
    expect(build).to_be_in_viewport()


def test_a_search_among_factions_shows_armies_of_renown_below_theirs(visit, transactional_db):
    crowd()
    page = visit(viewport=PHONE)
    page.goto("/rosters/new/?game=fenland")
    search = page.get_by_role("searchbox", name="Find a faction")
    search.fill("summer otters")
    rows = page.locator(".frow:visible")
    expect(rows).to_have_count(2 * FAMILIES)
    search.fill("zeppelin")
    expect(page.locator(".folds .nothing")).to_be_visible()
    search.fill("marsh")
    search.press("Enter")
    expect(page.locator("[data-choice=faction]")).to_have_text(re.compile("Marsh"))
    page.get_by_role("button", name="Build list").click()
    settle(page)
    expect(page).to_have_url(re.compile(r"/rosters/[\w-]+/"))
