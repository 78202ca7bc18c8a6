"""axe finds nothing serious on any page, in the light and in the dark."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.builder import Builder
from tests.browser.conftest import DESK, PHONE
from tests.roster.fenland import installed

AXE = Path(__file__).parents[1] / "vendor" / "axe.min.js"
SERIOUS = {"serious", "critical"}


def findings(page: Page) -> list[str]:
    """What axe finds, as one line each."""
    page.add_script_tag(path=AXE)
    found: dict[str, Any] = page.evaluate("() => axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{page.url} {broken['id']}: {node['html'][:200]}"
        for broken in found["violations"]
        if broken["impact"] in SERIOUS
        for node in broken["nodes"]
    ]


def look_at(page: Page, addresses: list[str]) -> list[str]:
    found = []
    for address in addresses:
        page.goto(address)
        found += findings(page)
    return found


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe(visit, transactional_db, scheme, viewport):
    installed()
    page = visit(color_scheme=scheme, viewport=viewport, bypass_csp=True)
    builder = Builder(page).start(name="Low water")
    here = page.url.split("?")[0]
    found = findings(page)
    if viewport is PHONE:
        page.locator("#dock-add").click()
    for name in ("Wärden", "Giants", "Giants", "Cutters"):
        builder.take(name)
    found += findings(page)
    if viewport is PHONE:
        page.locator("#dock-why").click()
        found += findings(page)
        page.locator("#why [data-close]").click()
        expect(page.locator("#verdict")).to_be_hidden()
    row = builder.open("Wärden")
    row.locator(".menu > summary").click()
    page.locator("#settings > summary").click()
    found += findings(page)
    if viewport is DESK:
        page.locator("[data-keys]").click()
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
        page.locator(".pick input").check()
        page.locator(".labelling > summary").click()
        page.locator(".filters > summary").click()
        found += findings(page)
    assert found == []
