"""Handing things out as people do it: an address is copied, opened in another browser, copied there, compared."""

from collections.abc import Iterator

import pytest
from django.core.cache import cache
from playwright.sync_api import expect

from catalogue.formats.packs.load import SHIPPED
from roster.play.models import MissionDeck
from tests.browser.axe import findings, look_at
from tests.browser.builder import Builder
from tests.browser.conftest import DESK, PHONE
from tests.roster.small_game import installed
from tests.shipped_packs import install_shipped


@pytest.fixture(autouse=True)
def _games(transactional_db: None) -> Iterator[None]:
    cache.clear()
    installed()
    install_shipped(SHIPPED / "reeds_and_rust" / "first")
    yield
    cache.clear()


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
def test_a_mission_deck_goes_from_hand_to_hand(visit, viewport):
    page = visit(viewport=viewport, bypass_csp=True)
    # "Copied" stands for two seconds, which a busy machine may sleep through: here it stands for an hour.
    page.add_init_script(
        "const start = setTimeout; setTimeout = (act, delay) => start(act, delay === 2000 ? 3600000 : delay)"
    )
    page.goto("/decks/")
    page.get_by_label("Name of the new deck").fill("Evening")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("heading", name="Missions in the deck")).to_be_visible()
    here = page.url
    page.get_by_role("spinbutton", name="High water").fill("2")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("link", name="High water")).to_be_visible()
    found = findings(page)
    page.get_by_role("link", name="Share").click()
    page.get_by_role("button", name="Copy").first.click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    link = page.get_by_label("Link", exact=True).input_value()
    found += findings(page) + look_at(page, [here + "delete/", "/lists/decks/"])
    other = visit(viewport=viewport, bypass_csp=True)
    found += look_at(other, [link + "report/", link])
    assert other.evaluate("() => document.documentElement.scrollWidth") <= viewport["width"]
    other.get_by_role("button", name="Copy to my decks").click()
    expect(other.get_by_role("heading", name="Missions in the deck")).to_be_visible()
    assert MissionDeck.objects.count() == 2
    assert found == []


def test_a_list_is_compared_with_one_of_somebody_else(visit):
    page, other = visit(), visit()
    Builder(page).start(name="Low water")
    Builder(other).start(name="High water").take("Giants")
    theirs = other.url.split("?")[0].replace("/rosters/", "/r/")
    page.goto(page.url.split("?")[0].replace("/rosters/", "/r/"))
    page.get_by_role("link", name="Compare").click()
    page.get_by_label("Paste the link of any list").fill(theirs)
    page.get_by_role("button", name="Compare").click()
    expect(page.locator(".summary")).to_contain_text("+1 Giants")
