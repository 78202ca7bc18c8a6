"""The list of keys of the builder is true: each key of it does what its line says, and what was done is said."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.builder import Builder, settle
from tests.browser.test_deck import begun
from tests.roster.deck_owner import DAWNFALL
from tests.shipped_packs import install_shipped

SHEET = "#datasheet"


def leave_field(page: Page) -> None:
    page.locator("#roster").focus()


def slash(builder: Builder) -> None:
    builder.page.keyboard.press("/")
    expect(builder.page.get_by_role("searchbox")).to_be_focused()


def arrows(builder: Builder) -> None:
    page = builder.page
    for list_of in (page.locator("#offers .add"), page.locator(".unit .name")):
        list_of.nth(0).focus()
        page.keyboard.press("ArrowDown")
        expect(list_of.nth(1)).to_be_focused()
        page.keyboard.press("ArrowUp")
        expect(list_of.nth(0)).to_be_focused()


def enter(builder: Builder) -> None:
    page = builder.page
    builder.offer("Cutters").locator(".add").focus()
    page.keyboard.press("Enter")
    expect(builder.rows).to_have_count(3)
    settle(page)
    for is_open in ("true", "false"):
        builder.row("Cutters").locator(".name").focus()
        page.keyboard.press("Enter")
        settle(page)
        expect(builder.row("Cutters").locator(".name")).to_have_attribute("aria-expanded", is_open)


def alt_arrows(builder: Builder) -> None:
    builder.open("Cutters").get_by_label("Nets").check()
    builder.points_are("21")
    settle(builder.page)
    for key, place in (("Alt+ArrowDown", 1), ("Alt+ArrowUp", 0)):
        row = builder.rows.filter(has_text="Nets")
        row.locator(".name").focus()
        builder.page.keyboard.press(key)
        settle(builder.page)
        expect(builder.page.locator(".unit", has_text="Cutters").nth(place)).to_contain_text("Nets")


def duplicate_and_delete(builder: Builder) -> None:
    for key, number in (("d", 3), ("Delete", 2)):
        builder.row("Cutters").locator(".name").focus()
        builder.page.keyboard.press(key)
        expect(builder.rows).to_have_count(number)
        settle(builder.page)


def undo(builder: Builder) -> None:
    builder.take("Cutters")
    for key, number in (("Control+z", 2), ("Control+Shift+Z", 3)):
        settle(builder.page)
        leave_field(builder.page)
        builder.page.keyboard.press(key)
        expect(builder.rows).to_have_count(number)
        settle(builder.page)


def look(builder: Builder) -> None:
    builder.offer("Cutters").locator(".add").focus()
    builder.page.keyboard.press("i")
    expect(builder.page.locator(SHEET)).to_be_visible()


def places(builder: Builder) -> None:
    builder.page.keyboard.press("u")
    expect(builder.page.locator(".unit .name").first).to_be_focused()
    builder.page.keyboard.press("w")
    expect(builder.page.locator("#why")).to_be_focused()


def menus(builder: Builder) -> None:
    for key, menu in (("p", "#b-print"), ("s", "#b-share")):
        builder.page.keyboard.press(key)
        expect(builder.page.locator(f"{menu} .menu-body :focus")).to_have_count(1)
        builder.page.keyboard.press("Escape")
        expect(builder.page.locator(f"{menu} > summary")).to_be_focused()
    builder.page.keyboard.press("g")
    builder.page.wait_for_url("**/play/new/**")


def escape(builder: Builder) -> None:
    look(builder)
    builder.page.keyboard.press("Escape")
    expect(builder.page.locator(SHEET)).to_be_hidden()
    for opened, menu in (("p", "#b-print"), ("?", "#keys")):
        leave_field(builder.page)
        builder.page.keyboard.press(opened)
        expect(builder.page.locator(menu)).to_have_attribute("open", "")
        builder.page.keyboard.press("Escape")
        expect(builder.page.locator(menu)).not_to_have_attribute("open", "")


def show_help(builder: Builder) -> None:
    builder.page.keyboard.press("?")
    expect(builder.page.get_by_role("dialog", name="Keyboard")).to_be_visible()


KEYS: dict[str, Callable[[Builder], None]] = {
    "/": slash,
    "↑ ↓": arrows,
    "Enter": enter,
    "Alt+↑ ↓": alt_arrows,
    "D, Del": duplicate_and_delete,
    "Ctrl+Z": undo,
    "I": look,
    "U, W": places,
    "P, S, G": menus,
    "Esc": escape,
    "?": show_help,
}


@pytest.fixture
def two_cutters(builder: Builder) -> Builder:
    for _ in range(2):
        builder.take("Cutters")
    settle(builder.page)
    return builder


def test_each_key_of_the_list_does_what_it_says(two_cutters: Builder) -> None:
    page = two_cutters.page
    address = page.url
    rows = page.locator("#keys tr td:first-child")
    assert [re.sub(r"\s+", " ", text).strip() for text in rows.all_text_contents()] == list(KEYS)
    for press in KEYS.values():
        page.goto(address)
        settle(page)
        while two_cutters.rows.count() > 2:
            page.get_by_role("button", name="Undo").click()
            settle(page)
        leave_field(page)
        press(two_cutters)


def test_letters_are_no_keys_once_they_are_switched_off(two_cutters: Builder) -> None:
    page = two_cutters.page
    page.keyboard.press("?")
    page.get_by_label("Keys without Ctrl or Alt work").uncheck()
    page.keyboard.press("Escape")
    two_cutters.row("Cutters").locator(".name").focus()
    for key in "/dipsguw?":
        page.keyboard.press(key)
    settle(page)
    expect(two_cutters.rows).to_have_count(2)
    expect(two_cutters.row("Cutters").locator(".name")).to_be_focused()
    expect(page.locator("dialog[open], details.menu[open]")).to_have_count(0)


def test_undo_and_redo_say_what_they_change_and_the_sum(builder: Builder) -> None:
    page, said = builder.page, builder.page.locator("#said")
    builder.take("Wärden")
    builder.take("Cutters")
    sums = said.inner_text().removeprefix("Added Cutters.")
    assert re.match(r" \d+ ", sums), sums
    leave_field(page)
    page.keyboard.press("Control+z")
    expect(said).to_have_text(re.compile(r"^Undone: Added Cutters\. \d+ .*\w+\."))
    settle(page)
    page.keyboard.press("Control+Shift+Z")
    expect(said).to_have_text(f"Redone: Added Cutters.{sums}")
    settle(page)
    # The buttons say the same as the keys.
    page.locator("#b-undo").click()
    expect(said).to_contain_text("Undone: Added Cutters.")


def test_searches_say_how_many_they_find(builder: Builder) -> None:
    page, said = builder.page, builder.page.locator("#said")
    lines = page.locator("#offers li:visible")
    for text, words in (("cutt", "1 fits"), ("qqqqqq", "Nothing matches.")):
        page.get_by_role("searchbox").fill(text)
        expect(said).to_have_text(words)
    page.get_by_role("searchbox").fill("e")
    expect(said).to_have_text(re.compile(r"^\d+ fit$"))
    assert said.inner_text() == f"{lines.count()} fit"
    page.goto("/search/")
    results = page.locator("#results[aria-live]")
    page.get_by_role("searchbox").fill("cutters")
    expect(results.get_by_role("status").first).to_have_text(re.compile(r"^\s*1 unit\s*$"))
    page.get_by_role("searchbox").fill("qqqqqq")
    expect(results).to_contain_text("Nothing found")


def test_the_search_of_a_deck_says_how_many_it_finds(visit: Callable[..., Page], transactional_db: None) -> None:
    install_shipped(DAWNFALL)
    page = begun(visit())
    page.get_by_role("searchbox").fill("charging")
    found = page.locator("#found")
    expect(found).to_have_text(re.compile(r"^(1 fits|\d+ fit)$"))
    number = page.locator(".cardrow:visible").count()
    assert found.inner_text().startswith(f"{number} ")
    page.get_by_role("searchbox").fill("qqqqqq")
    expect(found).to_have_text("Nothing matches.")
