"""Building, breaking and mending a list by clicking."""

import re

from playwright.sync_api import Locator, Route, expect

from tests.browser.builder import Builder, intercept, settle
from tests.roster.small_game import installed


def test_a_list_is_built_broken_and_mended(builder: Builder):
    page = builder.page
    builder.verdict_is("Empty")
    expect(page.locator("#verdict .needed")).to_contain_text("1 ")

    builder.take("Wärden")
    builder.take("Cutters")
    builder.verdict_is("Legal")
    builder.points_are("30")

    builder.take("Giants")
    builder.verdict_is("Legal")
    builder.take("Giants")
    expect(page.locator("#verdict .fix").first).to_contain_text("Columns")
    expect(page.locator(".unit .marks a")).to_have_count(2)

    builder.menu("Giants", "Remove", which=1)
    builder.verdict_is("Legal")
    expect(page.locator(".unit .marks a")).to_have_count(0)


def test_a_breach_says_rule_figures_and_place_and_leads_to_the_culprit(builder: Builder):
    for name in ("Wärden", "Giants", "Giants"):
        builder.take(name)
    violation = builder.page.locator("#verdict .fix", has_text="Needs 2 Core")
    expect(violation).to_contain_text("Columns: Giants")
    expect(violation).to_contain_text("Fen Book, p. 4")
    violation.locator(".src summary").click()
    expect(violation).to_contain_text("No more hammer units than core ones.")
    violation.get_by_role("link", name="Giants").first.click()
    expect(builder.page).to_have_url(re.compile(r"#u-"))
    expect(builder.row("Giants")).to_be_in_viewport()


def test_what_is_pressed_while_an_answer_is_on_its_way_counts(builder: Builder):
    builder.take("Cutters")
    row = builder.open("Cutters")
    held: list[Route] = []
    intercept(builder.page, "**/edits/", lambda route: held.append(route), times=1)
    more = row.get_by_role("button", name="One more: Cutter")
    more.click()
    for _ in range(200):
        if held:
            break
        builder.page.wait_for_timeout(50)
    answer = held[0].fetch()
    more.click()
    # It arrives before the second press is sent, which waits for a third.
    held[0].fulfill(response=answer)
    builder.points_are("14")


def hold_deeds(builder: Builder) -> tuple[Locator, Locator, list[Route]]:
    """Take a unit too many, then another, and return the outdated deed, its place and the held request for new ones."""
    page = builder.page
    for name in ("Wärden", "Giants", "Giants"):
        builder.take(name)
    deed, outdated = page.locator("#verdict .do form button").first, page.locator(".do.stale")
    expect(deed).to_contain_text("Remove Giants")
    settle(page)
    held: list[Route] = []
    intercept(page, "**/deeds/**", lambda route: held.append(route), times=1)
    builder.offer("Crew").first.locator(".add").click()
    expect(builder.rows).to_have_count(4)
    expect(outdated).to_have_count(1)
    for _ in range(200):
        if held:
            break
        page.wait_for_timeout(50)
    # By keyboard: a pointer does not reach it.
    deed.press("Enter")
    expect(outdated).to_have_count(1)
    expect(builder.rows).to_have_count(4)
    return deed, outdated, held


def test_a_deed_pressed_while_new_ones_are_sought_is_done_once_if_it_is_still_offered(builder: Builder):
    _deed, outdated, held = hold_deeds(builder)
    held[0].continue_()
    expect(outdated).to_have_count(0)
    expect(builder.rows).to_have_count(3)
    builder.verdict_is("Legal")
    settle(builder.page)
    expect(builder.rows).to_have_count(3)


def test_a_deed_pressed_while_new_ones_are_sought_is_dropped_if_an_edit_made_it_needless(builder: Builder):
    deed, _outdated, held = hold_deeds(builder)
    # Not by the builder's menu, which waits for answers.
    row = builder.row("Giants")
    row.locator(".menu > summary").click()
    row.locator(".menu").get_by_role("button", name="Remove").click()
    expect(builder.rows).to_have_count(3)
    held[0].continue_()
    builder.verdict_is("Legal")
    settle(builder.page)
    expect(builder.rows).to_have_count(3)
    expect(deed).to_have_count(0)


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


def test_taps_quicker_than_the_answer_end_where_the_unit_does(builder: Builder):
    builder.take("Cutters")
    row = builder.open("Cutters")
    row.get_by_role("button", name="One more: Cutter").evaluate(
        "button => { for (let tap = 0; tap < 20; tap++) { button.disabled = false; button.click() } }"
    )
    builder.verdict_is("Incomplete")  # for want of a leader, and nothing else
    expect(row.get_by_label("Number of Cutter")).to_have_value("8")


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
    builder.names_are("Cutters")


def test_names_limit_and_notes(builder: Builder):
    page = builder.page
    builder.take("Wärden")
    page.locator("#settings > summary").click()
    page.get_by_label("Name", exact=True).fill("High water")
    page.locator("#limit-1").fill("15")
    page.locator("#notes").fill("for Sunday")
    page.get_by_label("Player").fill("Anna")
    page.get_by_label("Event").fill("Cup")
    page.get_by_label("Event").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("High water")
    expect(page.locator("#verdict")).to_contain_text("5 over")
    builder.verdict_is("Illegal")
    expect(page.locator("#offers li:visible")).not_to_have_count(0)
    builder.open("Wärden")
    row = builder.rows.first  # not by its name: that changes as soon as the field is left
    row.get_by_text("Name and notes").click()
    row.get_by_label("Custom name").fill("Old Ferryman")
    row.get_by_label("Notes").fill("blind")
    row.get_by_label("Notes").blur()
    expect(builder.row("Old Ferryman")).to_contain_text("blind")
    page.reload()
    page.locator("#settings > summary").click()
    words = {"#name": "High water", "#limit-1": "15", "#notes": "for Sunday", "#player": "Anna", "#event": "Cup"}
    for field, word in words.items():
        expect(page.locator(field)).to_have_value(word)
    expect(builder.row("Old Ferryman")).to_be_visible()


def test_a_mistake_in_one_field_holds_nothing_else_back(builder: Builder):
    page = builder.page
    page.locator("#settings > summary").click()
    page.locator("#limit-1").fill("many")
    page.get_by_label("Name", exact=True).fill("High water")
    page.get_by_label("Event").fill("Cup")
    page.get_by_label("Event").blur()
    expect(page.get_by_role("heading", level=1)).to_have_text("High water")
    expect(page.locator("#limit-1")).to_have_value("many")


def test_a_detachment_is_named_and_noted_in_its_menu(builder: Builder):
    page = builder.page
    head = page.locator(".det .head")
    head.locator(".menu > summary").click()
    head.get_by_label("Custom name").fill("Vanguard")
    head.get_by_label("Custom name").press("Tab")
    page.keyboard.type("wet feet")
    expect(head.get_by_role("heading")).to_contain_text("Vanguard")
    expect(head.get_by_label("Notes")).to_be_focused()
    head.get_by_label("Notes").blur()
    expect(head.locator(".note")).to_have_text("wet feet")


def test_without_script_one_button_keeps_all(visit, transactional_db):
    installed()
    page = visit()
    here = Builder(page).start().page.url.split("?")[0]
    state = page.context.storage_state()
    plain = visit(java_script_enabled=False, storage_state=state)
    plain.goto(here)
    plain.get_by_label("Name", exact=True).fill("High water")
    plain.get_by_role("button", name="Rename").first.click()
    plain.locator("#settings > summary").click()
    plain.locator("#limit-1").fill("15")
    plain.locator("#notes").fill("for Sunday")
    plain.get_by_role("button", name="Save").first.click()
    expect(plain.get_by_role("heading", level=1)).to_have_text("High water")
    expect(plain.locator("#limit-1")).to_have_value("15")
    expect(plain.locator("#notes")).to_have_value("for Sunday")


def test_duplicate_and_search(builder: Builder):
    page = builder.page
    builder.take("Cutters")
    builder.menu("Cutters", "Copy")
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
    page.locator(".start .req").first.click()
    expect(page.locator("#offers li:visible")).to_have_count(1)
    expect(page.locator("#offers .add:visible")).to_be_focused()
    page.keyboard.press("Enter")
    expect(builder.rows).to_have_count(1)
    expect(page.locator(".start")).to_have_count(0)


def test_after_a_click_all_lines_say_why_they_are_grey(builder: Builder):
    """Each reason is sent once, with the lines that it is on."""
    page = builder.page
    lines = page.locator("#offers .cause")
    write = "lines => lines.map(line => [line.id, line.dataset.key, line.className, line.title, line.innerText])"
    builder.start(limit="10")
    before = lines.evaluate_all(write)
    builder.take("Wärden")
    settle(page)
    after = lines.evaluate_all(write)
    assert sum(old != new for old, new in zip(before, after, strict=True)) > 1
    expect(page.locator("#alike > *")).to_have_count(0)
    page.reload()
    assert lines.evaluate_all(write) == after


def test_two_detachments(builder: Builder):
    page = builder.page
    builder.take("Cutters")
    page.get_by_text("Add detachment").click()
    page.get_by_role("button", name="Add: Column").click()
    expect(page.locator(".det")).to_have_count(2)
    second = builder.into(1)
    builder.take("Crew")
    expect(second.locator(".unit")).to_have_count(1)
    second.locator("header .menu > summary").click()
    second.get_by_role("button", name="Remove").click()
    expect(page.locator(".det")).to_have_count(1)
    builder.names_are("Cutters")


def test_quick_clicks_are_all_made(builder: Builder):
    for _ in range(4):
        builder.offer("Cutters").locator(".add").click(no_wait_after=True)
    expect(builder.rows).to_have_count(4)


def test_two_tabs_are_a_conflict_and_the_change_can_be_made_again(builder: Builder):
    page = builder.page
    other = page.context.new_page()
    other.goto(page.url)
    Builder(other).take("Cutters")
    builder.offer("Wärden").locator(".add").click()
    expect(page.locator("#messages")).to_contain_text("changed elsewhere")
    expect(builder.rows).to_have_count(0)
    page.get_by_role("button", name="Apply my change again").click()
    expect(builder.rows).to_have_count(2)


def test_share_and_read(builder: Builder, visit):
    page = builder.page
    builder.take("Wärden")
    page.locator("summary", has_text="Share").click()
    address = page.get_by_label("Link", exact=True).input_value()
    stranger = visit()
    stranger.goto(address)
    expect(stranger.get_by_role("heading", level=1)).to_have_text("Low water")
    expect(stranger.locator("[id^=u-]")).to_have_count(1)
    stranger.get_by_role("button", name="Copy to my lists").click()
    expect(stranger.locator("#messages")).to_contain_text("your own copy")
    Builder(stranger).take("Cutters")
    page.reload()
    expect(builder.rows).to_have_count(1)


def test_all_lists_of_a_page_are_ticked_by_a_button(builder: Builder):
    page = builder.page
    builder.start(name="High water")
    page.goto("/rosters/")
    ticked = page.locator(".lrow .tick input:checked")
    expect(page.locator("#bulk")).to_be_hidden()
    page.get_by_role("button", name="Select all on this page").click()
    expect(ticked).to_have_count(2)
    expect(page.locator("#bulk")).to_be_visible()
    page.get_by_role("button", name="Select all on this page").click()
    expect(ticked).to_have_count(0)


def test_units_are_dragged_to_the_place_of_another_of_their_kind(builder: Builder):
    for name in ("Wärden", "Cutters", "Cutters", "Cutters"):
        builder.take(name)
    rows = builder.page.locator(".unit")
    order = "rows => rows.map(row => row.id)"
    warden, first, second, third = rows.evaluate_all(order)

    builder.row("Cutters", 2).locator(".urow").drag_to(builder.row("Cutters", 0).locator(".urow"))
    expect(rows.nth(1)).to_have_id(third)
    settle(builder.page)
    builder.row("Cutters", 0).locator(".urow").drag_to(builder.row("Cutters", 1).locator(".urow"))
    expect(rows.nth(1)).to_have_id(first)
    settle(builder.page)
    assert rows.evaluate_all(order) == [warden, first, third, second]

    builder.row("Cutters", 0).locator(".urow").drag_to(builder.row("Wärden").locator(".urow"))
    expect(builder.page.locator(".unit.aim, .unit.dragged")).to_have_count(0)
    assert rows.evaluate_all(order) == [warden, first, third, second]
    builder.page.get_by_role("button", name="Undo").click()
    expect(rows.nth(1)).to_have_id(third)
