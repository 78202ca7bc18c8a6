"""The tour: once in each browser, again when asked for."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.builder import Builder
from tests.roster.small_game import installed

pytestmark = pytest.mark.django_db(transaction=True)
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}


@pytest.mark.parametrize("screen", [{}, PHONE])
def test_the_tour_is_shown_once_and_again_on_request(visit: Callable[..., Page], screen: dict[str, object]) -> None:
    installed()
    page = Builder(visit(tour=True, **screen)).start().page
    tour = page.locator("#tour")
    expect(tour).to_be_visible()
    tour.get_by_role("button", name="Skip").click()
    expect(tour).to_be_hidden()
    page.reload()
    expect(tour).to_be_hidden()
    page.locator(".b-band .menu > summary").last.click()
    page.get_by_role("button", name="Show me around").click()
    expect(tour).to_contain_text("Add units")
    for word in ("Next", "Next", "Next", "Done"):
        expect(page.locator(".toured")).to_have_count(1)
        tour.get_by_role("button", name=word).click()
    expect(tour).to_be_hidden()
    expect(page.locator(".toured")).to_have_count(0)
    page.locator(".b-band .menu > summary").last.click()
    page.get_by_role("button", name="Show me around").click()
    page.keyboard.press("Escape")
    expect(tour).to_be_hidden()


def test_escape_closes_a_datasheet_before_the_tour(visit: Callable[..., Page]) -> None:
    installed()
    page = Builder(visit(tour=True)).start().page
    tour, datasheet = page.locator("#tour"), page.locator("#datasheet")
    page.locator("#offers .look").first.click()
    expect(datasheet).to_be_visible()
    page.keyboard.press("Escape")
    expect(datasheet).to_be_hidden()
    expect(tour).to_be_visible()
    page.keyboard.press("Escape")
    expect(tour).to_be_hidden()
