"""Favourites and the units taken last in a browser: starred by key, taken from a section, first in a search."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.builder import Builder, intercept, settle
from tests.roster.small_game import installed


def test_favourites_and_last_taken_are_first(builder: Builder):
    page = builder.page
    star = page.get_by_role("button", name="Favourite: Crew", exact=True)
    favourites = page.locator("#quick form", has_text="Favourites")
    expect(page.locator("#quick")).to_be_hidden()
    size = star.bounding_box()
    assert size
    assert min(size["width"], size["height"]) >= 24

    star.focus()
    star.press("Enter")
    expect(star).to_have_attribute("aria-pressed", "true")
    expect(star).to_be_focused()
    expect(favourites.get_by_role("button")).to_have_count(1)
    settle(page)

    favourites.get_by_role("button", name="Crew").press("Enter")
    expect(builder.rows).to_have_count(1)
    expect(star).to_have_attribute("aria-pressed", "true")
    builder.take("Cutters")
    # Nothing moves while units are added.
    expect(page.locator("#quick form")).to_have_count(1)

    page.reload()
    last = page.locator("#quick form", has_text="Last taken")
    expect(last.get_by_role("button")).to_have_count(1)
    expect(last.get_by_role("button", name="Cutters")).to_be_visible()
    search = page.get_by_role("searchbox")
    search.fill("r")
    expect(page.locator("#quick")).to_be_hidden()
    names = page.locator("#offers li:visible .nm")
    ranked = ["Crew", "Cutters", "Wärden", "Giants"]
    expect(names).to_have_text(ranked)
    page.goto(f"{page.url.partition('?')[0]}?q=r")
    expect(names).to_have_text(ranked)
    search.fill("")
    expect(page.locator("#quick")).to_be_visible()

    star.press("Space")
    expect(star).to_have_attribute("aria-pressed", "false")
    expect(favourites).to_have_count(0)
    # Without its star, it is among the units taken last.
    expect(last.get_by_role("button", name="Crew")).to_be_visible()


def test_a_section_opens_the_datasheet_of_what_cannot_be_taken(builder: Builder):
    page = builder.page
    page.get_by_role("button", name="Favourite: Giants", exact=True).click()
    quick = page.locator("#quick").get_by_role("button", name="Giants")
    expect(quick).to_be_visible()
    for _ in range(4):
        builder.take("Cutters")
    expect(quick).to_have_attribute("data-barred", "")
    quick.click()
    expect(page.locator("#datasheet")).to_be_visible()
    expect(builder.rows).to_have_count(4)


def test_a_star_without_an_answer_is_tried_again(visit: Callable[..., Page], transactional_db: None):
    installed()
    builder = Builder(visit(cut_off=True)).start()
    page = builder.page
    star = page.get_by_role("button", name="Favourite: Crew", exact=True)
    intercept(page, "**/favourites/", lambda route: route.abort(), times=1)
    star.click()
    told = page.locator("#offers .told")
    expect(told).to_contain_text("Not done.")
    told.get_by_role("button", name="Try again").click()
    expect(star).to_have_attribute("aria-pressed", "true")
    expect(builder.rows).to_have_count(0)
