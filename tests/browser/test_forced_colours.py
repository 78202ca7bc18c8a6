"""In forced colours, which draw no backgrounds of the page, filled places and main buttons still show."""

import re
from collections.abc import Callable

from playwright.sync_api import Page

from catalogue.formats.packs.load import SHIPPED
from tests.browser.builder import settle
from tests.shipped_packs import install_shipped

IS_FULL = """places => places.map(place => {
  const style = getComputedStyle(place);
  return style.backgroundColor === style.borderTopColor;
})"""
"""Whether places are discs of one colour. Backgrounds that the browser replaces differ from the border."""
BORDERS = "buttons => [...new Set(buttons.map(button => getComputedStyle(button).borderTopWidth))]"


def test_filled_places_and_main_buttons_differ_from_others(visit: Callable[..., Page], transactional_db: None) -> None:
    install_shipped(SHIPPED / "wh40k" / "ninth")
    page = visit(forced_colors="active")
    page.goto("/rosters/new/")
    page.get_by_role("radio", name=re.compile("Necrons")).check()
    main = page.locator("main .btn.main").evaluate_all(BORDERS)
    other = page.locator("main .btn:not(.main)").evaluate_all(BORDERS)
    assert main
    assert other
    assert not set(main) & set(other)

    page.get_by_role("button", name="Build list").click()
    settle(page)
    page.locator("#offers .add").first.click()
    settle(page)
    filled = page.locator(".pip.in").evaluate_all(IS_FULL)
    empty = page.locator(".pip:not(.in, .over)").evaluate_all(IS_FULL)
    assert (set(filled), set(empty)) == ({True}, {False})
