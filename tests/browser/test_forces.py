"""A force in the browser: units join, grow, are mustered and shown to a friend, without script, and by axe."""

import pytest
from playwright.sync_api import expect

from tests.browser.axe import findings, look_at
from tests.browser.builder import Builder
from tests.browser.conftest import DESK, PHONE
from tests.roster.small_game import installed


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
def test_a_force_grows_and_is_mustered(visit, transactional_db, viewport):
    installed()
    page = visit(bypass_csp=True)
    builder = Builder(page).start()
    builder.take("Cutters")
    page.set_viewport_size(viewport)
    page.goto("/forces/")
    page.get_by_label("Faction").select_option(label="Marsh Folk")
    page.get_by_label("Name").fill("Low water column")
    page.get_by_role("button", name="Start").click()
    page.get_by_role("button", name="Show its units").click()
    found = findings(page)
    page.get_by_role("button", name="Add to the force").click()
    expect(page.get_by_role("heading", name="Low water column")).to_be_visible()
    here = page.url
    page.locator("a.grown", has_text="Cutters").click()
    page.get_by_label("For what").fill("Held the weir")
    page.locator("#experience").fill("5")
    page.locator("button[value=experience]").click()
    page.get_by_label("Honour", exact=True).fill("Sure of foot")
    page.locator("button[value=honour]").click()
    page.get_by_label("Injury", exact=True).fill("Limping")
    page.locator("button[value=injury]").click()
    expect(page.locator(".honour", has_text="Sure of foot")).to_be_visible()
    expect(page.locator(".ledger", has_text="Held the weir").first).to_be_visible()
    assert page.evaluate("() => document.documentElement.scrollWidth") <= viewport["width"]
    found += findings(page)
    found += look_at(page, [here + part for part in ("muster/", "games/", "campaign/", "delete/")])
    page.goto(here)
    page.get_by_role("link", name="Share").click()
    page.get_by_role("radio", name="Anyone with the link").check()
    page.get_by_role("button", name="Save").click()
    link = page.get_by_label("Link", exact=True).input_value()
    other = visit(viewport=viewport, bypass_csp=True)
    found += look_at(other, [link])
    expect(other.locator(".grown", has_text="Cutters")).to_be_visible()
    page.goto(here + "muster/")
    page.get_by_role("button", name="Muster a list").click()
    expect(page.locator("#name, h1").first).to_be_visible()
    assert found == []


def test_a_force_needs_no_script(visit, transactional_db):
    installed()
    page = visit(java_script_enabled=False)
    page.goto("/forces/")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_text("You have no list of this faction.")).to_be_visible()
    page.goto("/forces/")
    page.get_by_role("link", name="Marsh Folk").click()
    expect(page.get_by_role("heading", name="No units yet.")).to_be_visible()
