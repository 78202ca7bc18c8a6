"""Building, breaking and mending a list by clicking."""

import re

from playwright.sync_api import expect

from tests.browser.builder import Builder


def test_a_list_is_built_broken_and_mended(builder: Builder):
    page = builder.page
    builder.verdict_is("Incomplete")
    expect(page.locator(".need")).to_contain_text("1 more")

    builder.take("Wärden")
    builder.take("Cutters")
    builder.verdict_is("Legal")
    builder.points_are("30")

    builder.take("Giants")
    builder.verdict_is("Legal")
    builder.take("Giants")
    expect(page.locator("#verdict .why li").first).to_contain_text("No more hammer units than core ones.")
    expect(page.locator(".row.hit")).to_have_count(2)

    builder.menu("Giants", "Remove", which=1)
    builder.verdict_is("Legal")
    expect(page.locator(".row.hit")).to_have_count(0)


def test_a_breach_says_rule_figures_and_place_and_leads_to_the_culprit(builder: Builder):
    for name in ("Wärden", "Giants", "Giants"):
        builder.take(name)
    breach = builder.page.locator("#verdict .why li", has_text="Columns")
    expect(breach).to_contain_text("2 counted, none allowed")
    expect(breach).to_contain_text("Fen Book, p. 4")
    breach.get_by_role("link", name="Giants").first.click()
    expect(builder.page).to_have_url(re.compile(r"#u-"))
    expect(builder.row("Giants")).to_be_in_viewport()


def test_options_are_chosen_in_place(builder: Builder):
    builder.take("Cutters")
    row = builder.open("Cutters")
    row.get_by_role("button", name="One more: Cutter").click()
    row.get_by_role("button", name="One more: Cutter").click()
    builder.points_are("14")
    row.get_by_label("Nets").check()
    builder.points_are("15")
    expect(row).to_contain_text("7 models")
    row.get_by_label("Nothing").check()
    builder.points_are("14")
    number = row.get_by_label("Number of Cutter")
    number.fill("8")
    number.blur()
    builder.points_are("16")


def test_nested_options_and_ticks(builder: Builder):
    builder.take("Wärden")
    row = builder.open("Wärden")
    lamp = row.get_by_role("checkbox", name="Lamp")
    lamp.click()
    expect(row.get_by_role("checkbox", name="Lamp")).to_have_attribute("aria-checked", "true")
    builder.points_are("22.5")
    expect(row.get_by_role("checkbox", name="Lamp")).to_be_focused()
    row.get_by_role("checkbox", name="Lamp").click()
    builder.points_are("20")


def test_undo_and_redo(builder: Builder):
    page = builder.page
    builder.take("Cutters")
    builder.take("Wärden")
    page.get_by_role("button", name="Undo").click()
    expect(builder.rows).to_have_count(1)
    page.get_by_role("button", name="Undo").click()
    expect(builder.rows).to_have_count(0)
    page.get_by_role("button", name="Redo").click()
    expect(builder.rows).to_have_count(1)
    assert builder.names() == ["Cutters"]


def test_names_limit_and_notes(builder: Builder):
    page = builder.page
    builder.take("Wärden")
    page.locator("#settings > summary").click()
    page.get_by_label("Name of the list").fill("High water")
    page.get_by_role("button", name="Rename").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("High water")
    page.get_by_label("Limit").fill("15")
    page.get_by_role("button", name="Set").click()
    expect(page.locator("#verdict")).to_contain_text("5 too many")
    builder.verdict_is("Illegal")
    row = builder.open("Wärden")
    row.get_by_text("Name and notes").click()
    row.get_by_label("A name of its own").fill("Old Ferryman")
    row.get_by_role("button", name="Rename").click()
    expect(builder.row("Old Ferryman")).to_be_visible()


def test_duplicate_and_search(builder: Builder):
    page = builder.page
    builder.take("Cutters")
    builder.menu("Cutters", "Duplicate")
    expect(builder.rows).to_have_count(2)
    page.get_by_role("searchbox").fill("warden")
    expect(page.locator("#offers li:visible")).to_have_count(1)
    page.get_by_role("searchbox").fill("")
    page.get_by_role("button", name="Hammer").click()
    expect(page.locator("#offers li:visible")).to_have_count(1)
    builder.take("Giants")
    expect(page.locator("#offers li:visible")).to_have_count(1)


def test_what_fits_shows_what_fits(builder: Builder):
    page = builder.page
    page.locator(".need").get_by_role("link", name="What fits").click()
    expect(page.locator("#offers li:visible")).to_have_count(1)
    expect(page.locator("#offers .take:visible")).to_be_focused()
    page.keyboard.press("Enter")
    expect(builder.rows).to_have_count(1)
    expect(page.locator(".need")).to_have_count(0)


def test_two_detachments(builder: Builder):
    page = builder.page
    builder.take("Cutters")
    page.get_by_role("button", name="Add: Column").click()
    expect(page.locator(".det")).to_have_count(2)
    second = builder.into(1)
    builder.take("Crew")
    expect(second.locator(".row")).to_have_count(1)
    second.locator("header .menu > summary").click()
    second.get_by_role("button", name="Remove").click()
    expect(page.locator(".det")).to_have_count(1)
    assert builder.names() == ["Cutters"]


def test_quick_clicks_are_all_made(builder: Builder):
    for _ in range(4):
        builder.offer("Cutters").locator(".take").click(no_wait_after=True)
    expect(builder.rows).to_have_count(4)


def test_two_tabs_are_a_conflict_and_the_change_can_be_made_again(builder: Builder):
    page = builder.page
    other = page.context.new_page()
    other.goto(page.url)
    Builder(other).take("Cutters")
    builder.offer("Wärden").locator(".take").click()
    expect(page.locator("#messages")).to_contain_text("changed elsewhere")
    expect(builder.rows).to_have_count(0)
    page.get_by_role("button", name="Make my change on the list as it is").click()
    expect(builder.rows).to_have_count(2)


def test_share_and_read(builder: Builder, visit):
    page = builder.page
    builder.take("Wärden")
    page.locator("summary", has_text="Share").click()
    address = page.get_by_label("Address of the list").input_value()
    stranger = visit()
    stranger.goto(address)
    expect(stranger.get_by_role("heading", level=1)).to_have_text("Low water")
    expect(stranger.locator(".row")).to_have_count(1)
    stranger.get_by_role("button", name="Copy to my lists").click()
    expect(stranger.locator("#messages")).to_contain_text("your own copy")
    Builder(stranger).take("Cutters")
    page.reload()
    expect(builder.rows).to_have_count(1)
