"""axe finds nothing serious on any page, in the light and in the dark."""

import pytest
from playwright.sync_api import expect

from tests.browser.axe import findings, look_at
from tests.browser.builder import Builder
from tests.browser.conftest import DESK, PHONE
from tests.roster.small_game import installed


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
