"""The game plan in a browser: it keeps itself, and works without script."""

import re
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.axe import findings
from tests.browser.builder import Builder, settle
from tests.browser.conftest import DESK, PHONE
from tests.roster.small_game_with_plan import installed

UNITS = ("Wärden", "Cutters", "Crew", "Giants")


def planning(page: Page) -> Page:
    """The page of the plan of a list with one of each unit."""
    installed()
    builder = Builder(page).start(name="Low water")
    if page.viewport_size == PHONE:
        page.locator("#dock-add").click()
    for name in UNITS:
        builder.take(name)
    page.goto(page.url.split("?")[0].split("#")[0] + "plan/")
    return page


def reserve(page: Page, unit: str):
    return page.get_by_role("checkbox", name=re.compile(f"Behind the dyke.*{unit}"))


def kept(page: Page, field: Locator) -> None:
    """Tick a field and wait for the answer to the form in which it is ticked."""
    ticked = urlencode({field.get_attribute("name"): field.get_attribute("value") or "on"})
    with page.expect_response(lambda answer: ticked in (answer.request.post_data or "").split("&")):
        field.check()
    settle(page)


def test_each_change_is_kept_and_judged_at_once(visit, transactional_db):
    page = planning(visit())
    verdict = page.locator("#plan-verdict .verdict")
    expect(verdict).to_contain_text("Incomplete")
    page.get_by_role("combobox", name="Mission").select_option("Raid")
    kept(page, page.get_by_role("radio", name="Keepers"))
    expect(page.locator("#plan-specials")).to_contain_text("No Reserves")
    reserve(page, "Crew").check()
    expect(verdict).to_contain_text("Illegal")
    expect(page.locator("#plan-verdict")).to_contain_text("Not allowed here: Crew")
    reserve(page, "Crew").uncheck()
    page.get_by_label("Hold").check()
    kept(page, page.get_by_label("Burn"))
    expect(verdict).to_contain_text("Legal")
    page.reload()
    expect(verdict).to_contain_text("Legal")
    expect(page.get_by_label("Burn")).to_be_checked()


def test_quick_changes_are_all_kept(visit, transactional_db):
    page = planning(visit())
    for unit in UNITS:
        reserve(page, unit).check()
    page.get_by_label("Secret aim").fill("Eels")
    width = page.get_by_label("Table width (feet)")
    width.fill("4")
    last = f"{width.get_attribute('name')}=4"
    with page.expect_response(lambda answer: last in (answer.request.post_data or "")):
        width.blur()
    for unit in UNITS:
        expect(reserve(page, unit)).to_be_checked()
    page.reload()
    for unit in UNITS:
        expect(reserve(page, unit)).to_be_checked()
    expect(page.get_by_label("Secret aim")).to_have_value("Eels")


def test_focus_stays_where_it_is(visit, transactional_db):
    page = planning(visit())
    page.get_by_role("combobox", name="Mission").focus()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_text("Keepers")).to_be_visible()
    expect(page.get_by_role("combobox", name="Mission")).to_be_focused()
    expect(page.get_by_role("combobox", name="Mission")).to_have_value("raid")


def test_two_tabs_are_a_conflict(visit, transactional_db):
    page = planning(visit())
    other = page.context.new_page()
    other.goto(page.url)
    reserve(other, "Crew").check()
    expect(other.locator("#plan-kept")).to_contain_text("Saved.")
    reserve(page, "Giants").check()
    expect(page.locator("#messages")).to_contain_text("changed in another tab")
    page.get_by_role("button", name="Keep mine instead").click()
    expect(reserve(page, "Giants")).to_be_checked()
    expect(reserve(page, "Crew")).not_to_be_checked()


def base(page: Page, unit: str) -> Locator:
    return page.locator("#plan-zones .tok", has_text=unit)


def zone(page: Page, name: str) -> Locator:
    return page.locator("#plan-zones .zone", has=page.get_by_role("heading", name=name, exact=True))


def drag(page: Page, unit: Locator, target: Locator) -> None:
    start, end = unit.bounding_box(), target.bounding_box()
    page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2, steps=5)
    page.mouse.up()


def test_bases_are_dragged_between_zones_and_onto_units(visit, transactional_db):
    page = planning(visit())
    expect(zone(page, "On the table").locator(".tok")).to_have_count(4)
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        drag(page, base(page, "Crew"), zone(page, "Behind the dyke"))
    settle(page)
    expect(zone(page, "Behind the dyke").locator(".tok")).to_contain_text(["Crew"])
    expect(reserve(page, "Crew")).to_be_checked()
    drag(page, base(page, "Crew"), zone(page, "Aboard Giants"))
    expect(zone(page, "Aboard Giants").locator(".tok")).to_contain_text(["Crew"])
    expect(reserve(page, "Crew")).not_to_be_checked()
    settle(page)
    drag(page, base(page, "Wärden"), base(page, "Cutters"))
    expect(page.locator("#plan-zones .pairb .tok")).to_contain_text(["Cutters", "Wärden"])
    settle(page)
    page.reload()
    expect(zone(page, "Aboard Giants").locator(".tok")).to_contain_text(["Crew"])
    expect(page.locator("#plan-zones .pairb .tok")).to_contain_text(["Cutters", "Wärden"])


def test_a_base_stays_where_it_may_not_go(visit, transactional_db):
    page = planning(visit())
    drag(page, base(page, "Wärden"), zone(page, "Aboard Giants"))
    expect(page.locator("#plan-said")).to_have_text("Wärden cannot start there.")
    expect(zone(page, "Aboard Giants").locator(".tok")).to_have_count(0)
    page.reload()
    expect(page.locator("#plan-kept")).to_have_text("No changes yet.")


def test_bases_are_moved_by_keys_and_moves_undone(visit, transactional_db):
    page = planning(visit())
    base(page, "Crew").focus()
    page.keyboard.press("3")
    expect(page.locator("#plan-said")).to_have_text("Crew: Behind the dyke.")
    settle(page)
    expect(base(page, "Crew")).to_be_focused()
    expect(zone(page, "Behind the dyke").locator(".tok")).to_contain_text(["Crew"])
    page.keyboard.press("Control+z")
    settle(page)
    expect(base(page, "Crew")).to_be_focused()
    expect(zone(page, "On the table").locator(".tok")).to_have_count(4)
    base(page, "Wärden").focus()
    page.keyboard.press("j")
    expect(page.locator("#plan-said")).to_have_text("Wärden joins Crew.")
    settle(page)
    expect(base(page, "Wärden")).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(base(page, "Crew")).to_be_focused()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Move here Aboard Giants").press("Enter")
    settle(page)
    expect(base(page, "Crew")).to_be_focused()
    expect(zone(page, "Aboard Giants").locator(".tok")).to_contain_text(["Crew", "Wärden"])


def test_bases_are_moved_by_touch(visit, transactional_db):
    page = planning(visit(viewport=PHONE, has_touch=True))
    base(page, "Crew").tap()
    zone(page, "Behind the dyke").get_by_role("button").tap()
    settle(page)
    expect(zone(page, "Behind the dyke").locator(".tok")).to_contain_text(["Crew"])
    # A long press lifts a base, and the page stays still under it.
    start = base(page, "Cutters").bounding_box()
    end = zone(page, "Aboard Giants").bounding_box()
    finger = page.context.new_cdp_session(page)
    at = {"x": start["x"] + 30, "y": start["y"] + 30}
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [at]})
    expect(page.locator("#plan-zones .shadow")).to_be_visible()
    over = {"x": end["x"] + 60, "y": end["y"] + 20}
    finger.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [over]})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(zone(page, "Aboard Giants").locator(".tok")).to_contain_text(["Cutters"])
    settle(page)


def test_without_script(visit, transactional_db):
    page = planning(visit())
    plain = visit(java_script_enabled=False, storage_state=page.context.storage_state())
    plain.goto(page.url)
    plain.get_by_role("combobox", name="Mission").select_option("Raid")
    plain.get_by_role("button", name="Save plan").click()
    plain.get_by_role("radio", name="Keepers").check()
    reserve(plain, "Crew").check()
    plain.get_by_role("button", name="Save plan").click()
    expect(plain.locator("#plan-verdict")).to_contain_text("Illegal")
    expect(zone(plain, "Behind the dyke").locator(".tok")).to_contain_text(["Crew"])
    base(plain, "Crew").click()
    assert plain.url.endswith(base(plain, "Crew").get_attribute("href"))
    plain.get_by_role("button", name="Clear plan").click()
    expect(plain.locator("#plan-kept")).to_contain_text("No changes yet.")


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
def test_axe(visit, transactional_db, viewport):
    page = planning(visit(viewport=viewport, bypass_csp=True))
    page.get_by_role("combobox", name="Mission").select_option("Raid")
    page.get_by_role("radio", name="Keepers").check()
    reserve(page, "Crew").check()
    expect(page.locator("#plan-verdict")).to_contain_text("Illegal")
    assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
    found = findings(page)
    page.goto(page.url.replace("/rosters/", "/r/").replace("plan/", ""))
    expect(page.get_by_role("heading", name="Game plan")).to_be_visible()
    assert [*found, *findings(page)] == []
