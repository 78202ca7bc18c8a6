"""A collection in the browser: filled, moved on, shown to a friend, without script, and by axe."""

import pytest
from playwright.sync_api import expect

from tests.browser.axe import findings, look_at
from tests.browser.builder import Builder
from tests.browser.conftest import DESK, PHONE
from tests.roster.small_game import installed

ROOM = """(heads) => heads.map((head) => {
  const text = document.createRange();
  text.selectNodeContents(head);
  return head.offsetWidth - text.getBoundingClientRect().width > 4;
})"""
"""For each heading, whether there is room beside its text."""


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
def test_a_collection_is_filled_and_shared(visit, transactional_db, viewport):
    installed()
    page = visit(viewport=viewport, bypass_csp=True)
    page.goto("/collections/")
    page.get_by_label("Faction").select_option(label="Marsh Folk")
    page.get_by_role("button", name="Open").click()
    expect(page.get_by_role("heading", name="No models yet.")).to_be_visible()
    here = page.url
    for name, number in (("Cutters", "5"), ("Boat", "1")):
        page.get_by_label("Model", exact=True).fill(name)
        page.get_by_label("How many").first.fill(number)
        page.get_by_label("State").select_option("Built")
        page.get_by_role("button", name="Add models").click()
        expect(page.locator("a.kind", has_text=name)).to_be_visible()
    page.goto(here)
    heads = page.locator(".heads .states > span")
    expect(heads).to_have_text(["Sprue", "Built", "Primed", "Painted", "Based"])
    assert heads.evaluate_all(ROOM) == [True] * 5
    page.locator("a.kind", has_text="Cutters").click()
    page.get_by_role("button", name="Cutters: to Primed").click()
    expect(page.get_by_role("button", name="Cutters: to Painted")).to_be_visible()
    found = findings(page)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= viewport["width"]
    page.get_by_role("link", name="Share").click()
    page.get_by_role("radio", name="Anyone with the link").check()
    page.get_by_role("button", name="Save").click()
    link = page.get_by_label("Link", exact=True).input_value()
    found += look_at(page, [here + "import/", here + "delete/"])
    other = visit(viewport=viewport, bypass_csp=True)
    found += look_at(other, [link])
    expect(other.get_by_text("Cutters")).to_be_visible()
    assert found == []


def test_a_collection_needs_no_script(visit, transactional_db):
    installed()
    page = visit(java_script_enabled=False)
    page.goto("/collections/")
    page.get_by_role("button", name="Open").click()
    page.get_by_label("Model", exact=True).fill("Cutters")
    page.get_by_role("button", name="Add models").click()
    expect(page.locator("a.kind", has_text="Cutters")).to_be_visible()
    page.get_by_role("button", name="1 Cutters added").click()
    expect(page.get_by_text("Undone: 1 Cutters added")).to_be_visible()


def test_the_builder_hides_what_is_not_owned(builder: Builder):
    page = builder.page
    expect(page.locator("#owning")).to_have_count(0)
    editor = page.url
    page.goto("/collections/")
    page.get_by_role("button", name="Open").click()
    page.get_by_label("Model", exact=True).fill("Cutters")
    page.get_by_label("How many").first.fill("40")
    page.get_by_role("button", name="Add models").click()
    expect(page.locator("a.kind", has_text="Cutters")).to_be_visible()
    page.goto(editor)
    expect(builder.offer("Cutters").get_by_text("40 owned")).to_be_visible()
    expect(builder.offer("Crew")).to_be_visible()
    page.get_by_label("Only what I own").check()
    expect(builder.offer("Crew")).to_be_hidden()
    builder.take("Cutters")
    expect(builder.offer("Cutters").get_by_text("40 owned")).to_be_visible()
    expect(builder.offer("Crew")).to_be_hidden()
    page.reload()
    expect(page.get_by_label("Only what I own")).to_be_checked()
    expect(builder.offer("Crew")).to_be_hidden()
    page.get_by_label("Only what I own").uncheck()
    expect(builder.offer("Crew")).to_be_visible()


def test_a_list_is_owned_and_filled_from_its_page(visit, transactional_db):
    installed()
    page = visit(bypass_csp=True)
    builder = Builder(page).start()
    builder.take("Cutters")
    editor = page.url
    page.get_by_label("More", exact=True).click()
    page.get_by_role("link", name="What I own").click()
    page.get_by_role("button", name="I own this").click()
    expect(page.get_by_text("added.")).to_be_visible()
    found = findings(page)
    page.set_viewport_size(PHONE)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= PHONE["width"]
    found += findings(page)
    page.get_by_role("button", name="Fill from what I own").click()
    expect(page.get_by_role("alert")).to_have_text("Nothing that you own fits into this list.")
    page.goto(editor)
    builder.row("Cutters")
    assert found == []
