"""Scrolling through a list that is longer than a page."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from roster.views.builder import page as builder_page
from tests.browser.builder import settle
from tests.roster.small_game import installed

LIST = "list: 1\ngame: fenland\nfaction: marsh\ndetachments:\n  - detachment: column\n    units: [{}]\n"


@pytest.fixture
def at_once(monkeypatch: Any) -> int:
    monkeypatch.setattr(builder_page, "ROWS_AT_ONCE", 12)
    return 12


def bring_in(page: Page, units: list[str]) -> None:
    page.goto("/rosters/import/")
    text = LIST.format(", ".join(units)).encode()
    page.locator("input[type=file]").first.set_input_files({"name": "x.yaml", "mimeType": "text/yaml", "buffer": text})
    page.locator("main form").first.evaluate("form => form.requestSubmit()")
    page.wait_for_url("**/rosters/*/*")
    settle(page)


@pytest.mark.usefixtures("transactional_db")
def test_rows_come_as_they_are_scrolled_to(visit: Callable[..., Page], at_once: int) -> None:
    installed()
    page = visit()
    bring_in(page, ["cutters"] * 60 + ["giants"] * 9)
    rows = page.locator(".unit")
    assert rows.count() < 60
    # One more that goes to the end is there once that is scrolled to.
    rows.first.locator(".menu > summary").click()
    rows.first.locator("[id^=dup-]").click()
    expect(page.locator(".later")).to_contain_text("more units")
    # Each time the end comes near.
    for _ in range(12):
        page.locator("#roster .unit").last.scroll_into_view_if_needed()
        settle(page)
    expect(rows).to_have_count(70)
    expect(page.locator(".later")).to_have_count(0)
    ids = rows.evaluate_all("rows => rows.map((row) => row.id)")
    assert len(set(ids)) == 70
    # All that came works as the first rows do.
    rows.nth(40).locator(".name").click()
    expect(rows.nth(40).locator(".opts")).to_be_visible()
    rows.nth(40).locator(".menu > summary").first.click()
    rows.nth(40).locator("[id^=del-]").click()
    expect(rows).to_have_count(69)


@pytest.mark.usefixtures("transactional_db")
def test_what_is_wrong_further_down_is_found_from_the_verdict(visit: Callable[..., Page], at_once: int) -> None:
    installed()
    page = visit(viewport={"width": 1280, "height": 500})
    bring_in(page, ["cutters"] * 80 + ["giants"] * 90)
    link = page.locator('#verdict a[href^="?at="]').first
    expect(link).to_be_visible()
    anchor = (link.get_attribute("href") or "").split("#")[1]
    link.click()
    expect(page.locator(f"#{anchor}")).to_be_in_viewport()


@pytest.mark.usefixtures("transactional_db")
def test_without_script_there_are_links(visit: Callable[..., Page], at_once: int) -> None:
    installed()
    page = visit(java_script_enabled=False)
    page.goto("/rosters/import/")
    text = LIST.format(", ".join(["cutters"] * 30)).encode()
    page.locator("input[type=file]").first.set_input_files({"name": "x.yaml", "mimeType": "text/yaml", "buffer": text})
    page.locator("main form button").last.click()
    page.wait_for_url("**/rosters/*/*")
    expect(page.locator(".unit")).to_have_count(at_once)
    page.get_by_role("link", name="18 more units").click()
    expect(page.locator(".unit")).to_have_count(30)
