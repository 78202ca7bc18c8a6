"""The builder with the keyboard alone, without script, and on a phone with a thumb."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from catalogue.formats.packs.load import SHIPPED
from tests.browser.builder import Builder, settle
from tests.browser.conftest import PHONE
from tests.roster.small_game import installed
from tests.shipped_packs import install_shipped


@pytest.fixture
def necrons(visit: Callable[..., Page], transactional_db: None) -> Page:
    """The builder with a new list of Necrons."""
    install_shipped(SHIPPED / "wh40k" / "ninth")
    page = visit()
    page.goto("/rosters/new/")
    page.get_by_role("radio", name=re.compile("Necrons")).check()
    page.get_by_role("button", name="Build list").click()
    settle(page)
    return page


def test_keyboard_alone(builder: Builder):
    page, press = builder.page, builder.page.keyboard.press
    page.locator("body").click(position={"x": 2, "y": 2})
    press("/")
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.keyboard.type("cutt")
    expect(page.locator("#offers li:visible")).to_have_count(1)
    press("ArrowDown")
    press("Enter")
    expect(builder.rows).to_have_count(1)
    expect(page.locator("#offers .add:visible")).to_be_focused()
    press("/")
    press("Escape")
    press("ArrowDown")
    expect(page.locator("#offers .add").first).to_be_focused()
    press("Enter")
    expect(builder.rows).to_have_count(2)

    press("u")
    expect(builder.row("Wärden").locator(".name")).to_be_focused()
    press("ArrowDown")
    press("Enter")
    expect(builder.row("Cutters").locator(".opts")).to_be_visible()
    expect(builder.row("Cutters").locator(".name")).to_be_focused()
    press("d")
    expect(builder.rows).to_have_count(3)
    expect(page.locator(".unit .name:focus")).to_have_count(1)
    press("Delete")
    expect(builder.rows).to_have_count(2)
    expect(page.locator(".unit .name:focus")).to_have_count(1)
    press("Control+z")
    expect(builder.rows).to_have_count(3)
    press("Control+Shift+Z")
    expect(builder.rows).to_have_count(2)

    press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    press("p")
    expect(page.locator("#b-print .menu-body :focus")).to_have_count(1)
    press("Escape")
    expect(page.locator("#b-print > summary")).to_be_focused()
    press("s")
    expect(page.get_by_label("Link", exact=True)).to_be_focused()


def test_a_search_puts_names_first_and_enter_takes_the_first(necrons: Page):
    page = necrons
    search, lines = page.get_by_role("searchbox"), page.locator("#offers li:visible .nm")
    book = page.locator("#offers .nm").all_inner_texts()
    search.fill("lord")
    names = lines.all_inner_texts()
    assert names[0] == "Lord"
    assert len(names) > 4
    assert names != [name for name in book if name in names]
    search.fill("overlord")
    assert lines.all_inner_texts()[0] == "Overlord"
    search.press("Enter")
    expect(page.locator(".unit .name")).to_have_text(["Overlord"])
    expect(search).to_be_focused()
    expect(page.locator("#said")).to_contain_text("Added Overlord.")
    assert lines.all_inner_texts()[0] == "Overlord"
    search.fill("")
    assert page.locator("#offers .nm").all_inner_texts() == book


def test_focus_stays_on_a_line_that_turns_grey(necrons: Page):
    page = necrons
    page.keyboard.press("/")
    page.keyboard.type("anrakyr")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator(".unit .name")).to_have_count(1)
    line = page.locator("#offers li", has_text="Anrakyr")
    expect(line.locator(".no")).to_be_visible()
    expect(line.locator(".add")).to_be_focused()
    expect(page.locator("#said")).to_contain_text("Added Anrakyr the Traveller.")


def test_a_mistyped_name_is_searched_as_it_was_meant(builder: Builder):
    page = builder.page
    page.get_by_role("searchbox").fill("cuttrs")
    expect(page.locator("#offers li:visible")).to_have_count(1)
    expect(page.locator("#instead")).to_have_text("No exact match. Showing: cutters")
    page.get_by_role("searchbox").fill("qqqqqq")
    expect(page.locator("#nomatch")).to_be_visible()
    expect(page.locator("#instead")).to_be_hidden()


def test_arrow_keys_turn_the_sheet_beside_the_list_to_the_next_unit(builder: Builder):
    page, press = builder.page, builder.page.keyboard.press
    looks = page.locator("#offers a.look")
    names = [text.removeprefix("Look at ") for text in looks.evaluate_all("looks => looks.map(look => look.ariaLabel)")]
    looks.nth(0).click()
    heading = page.locator("#datasheet-h")
    expect(heading).to_have_text(names[0])
    for key, at in (("ArrowUp", 0), ("ArrowDown", 1), ("ArrowDown", 2), ("ArrowUp", 1)):
        press(key)
        expect(heading).to_have_text(names[at])
    press("Escape")
    expect(page.locator("#datasheet")).to_be_hidden()


def test_verdict_is_said_to_screen_readers(builder: Builder):
    builder.take("Wärden")
    expect(builder.page.locator("#said")).to_contain_text("Legal")
    builder.take("Giants")
    expect(builder.page.locator("#said")).to_contain_text("Incomplete")


def test_without_script(visit, transactional_db):
    installed()
    page = visit(java_script_enabled=False)
    builder = Builder(page).start(limit="60")
    builder.take("Wärden")
    builder.take("Cutters")
    builder.verdict_is("Legal")
    row = builder.open("Cutters")
    row.get_by_label("Nets").check()
    row.get_by_role("button", name="Choose").click()
    builder.points_are("31")
    row = builder.row("Cutters")
    row.get_by_role("button", name="One more: Cutter").click()
    builder.points_are("33")
    row = builder.row("Cutters")
    row.get_by_label("Number of Cutter").fill("5")
    row.get_by_role("button", name="Set").click()
    builder.points_are("31")
    builder.menu("Cutters", "Remove")
    expect(builder.rows).to_have_count(1)
    page.get_by_role("button", name="Undo").click()
    expect(builder.rows).to_have_count(2)
    page.get_by_role("searchbox").fill("giants")
    page.get_by_role("button", name="Find").click()
    expect(page.locator("#offers li")).to_have_count(1)


def test_phone(visit, transactional_db):
    installed()
    page = visit(viewport=PHONE, has_touch=True, is_mobile=True)
    builder = Builder(page).start()
    dock = page.locator("#dock")
    expect(dock).to_contain_text("Empty")
    dock.get_by_role("link", name="Add").tap()
    builder.offer("Wärden").locator(".add").tap()
    expect(dock).to_contain_text("Legal")
    builder.offer("Cutters").locator(".add").tap()
    expect(dock).to_contain_text("30")
    dock.get_by_role("link", name="Done").tap()
    dock.locator("#dock-why").tap()
    expect(page.locator("#verdict")).to_be_visible()
    dock.get_by_role("link", name="Done").tap()
    expect(page.locator("#verdict")).to_be_hidden()
    row = builder.row("Cutters")
    row.locator(".name").tap()
    row.get_by_label("Nets").tap()
    expect(dock).to_contain_text("31")
    expect(page).to_have_url(re.compile("open="))


TOUCHED = ".btn, .add, .look, summary, .types button, .stepper button, .foot a"
SMALL = f"""() => [...document.querySelectorAll("{TOUCHED}")].filter((one) => {{
    const box = one.getBoundingClientRect();
    return box.width && !one.matches(".low") && (box.height < 43.5 || box.width < 43.5);
}}).map((one) => one.outerHTML.slice(0, 120))"""


def test_nothing_is_wider_than_the_phone_and_targets_fit_a_thumb(visit, transactional_db):
    installed()
    page = visit(viewport=PHONE, has_touch=True, is_mobile=True)
    builder = Builder(page).start(name="A list with a rather long name that goes on and on")
    page.locator("#dock-add").tap()
    for name in ("Wärden", "Cutters", "Giants"):
        builder.take(name)
    assert page.evaluate(SMALL) == []
    page.locator("#dock").get_by_role("link", name="Done").tap()
    builder.open("Cutters")
    assert page.evaluate(SMALL) == []
    for address in (page.url, "/", "/rosters/", page.url.split("?")[0].replace("/rosters/", "/r/")):
        page.goto(address)
        assert page.evaluate("() => document.documentElement.scrollWidth") <= PHONE["width"], address


def test_readings_in_the_ledger_begin_where_their_rule_does(visit, transactional_db):
    install_shipped(SHIPPED / "maelstroms_edge" / "first")
    page = visit()
    page.goto("/rules/maelstroms-edge-1e/")
    said = page.locator(".rulebook li", has_text="Read as").first
    edges = [said.get_by_role("heading"), said.get_by_text("Read as", exact=True)]
    left, right = (edge.bounding_box()["x"] for edge in edges)
    assert abs(left - right) < 1


def test_a_file_that_is_dropped_on_the_box_is_read(visit, transactional_db):
    installed()
    page = visit()
    page.goto("/rosters/import/")
    page.evaluate(
        """text => {
          const data = new DataTransfer();
          data.items.add(new File([text], "list.txt", {type: "text/plain"}));
          for (const kind of ["dragover", "drop"])
            document.querySelector("#paste").dispatchEvent(
              new DragEvent(kind, {bubbles: true, cancelable: true, dataTransfer: data}));
        }""",
        "Mine (20 points)\n\nMarsh Folk\n\nCORE\n\nCrew (20 pts)\n",
    )
    expect(page.get_by_role("heading", name="Mine")).to_be_visible()
    expect(page.locator("#text")).to_have_value(re.compile("^Mine"))
