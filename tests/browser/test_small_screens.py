"""Small screens: nothing scrolls sideways, nothing lies over the list, and there is a way home from everywhere."""

import re

import pytest
from playwright.sync_api import Page, expect

from catalogue.formats.packs.load import SHIPPED
from tests.browser.builder import Builder, play, settle
from tests.browser.conftest import DESK, PHONE
from tests.roster.small_game import installed
from tests.shipped_packs import install_shipped

NARROW = [320, 360]
AROUND = [
    *("/", "/rosters/", "/rosters/import/", "/rosters/restore/", "/rosters/folders/", "/rosters/bin/"),
    *("/games/", "/games/fenland/", "/games/fenland/marsh-folk/", "/missions/", "/rules/", "/lists/"),
    *("/account/", "/account/tokens/", "/accounts/login/", "/accounts/signup/", "/decks/", "/hands/", "/collections/"),
    "/forces/",
    "/nowhere/",
    *("/offline/", "/play/"),
]

SIZES = """() => [...document.querySelectorAll("body *")].filter((element) => element.checkVisibility()
  && !element.closest(".mono")
  && [...element.childNodes].some((inner) => inner.nodeType === Node.TEXT_NODE && inner.data.trim())
).map((element) => [getComputedStyle(element).fontSize, element.outerHTML.slice(0, 80)])"""
"""Sizes of type in use, each with its element. The letters of an emblem are a picture."""

SPILT = """() => [...document.querySelectorAll("label")].filter((label) => label.checkVisibility()).flatMap((label) => {
  const box = label.getBoundingClientRect();
  if (box.width < 2) return [];
  const texts = document.createTreeWalker(label, NodeFilter.SHOW_TEXT), spilt = [];
  while (texts.nextNode()) {
    if (texts.currentNode.parentElement.getBoundingClientRect().width < 2) continue; // for screen readers only
    const range = document.createRange();
    range.selectNodeContents(texts.currentNode);
    const out = [...range.getClientRects()].some((line) => line.width > 1 && line.height > 1
      && (line.bottom > box.bottom + 3 || line.right > box.right + 3));
    if (out) spilt.push(texts.currentNode.data.trim());
  }
  return spilt;
})"""
"""Words of labels that stand outside their label, and so over something else."""


def too_wide(page: Page) -> int:
    """By how many pixels a page scrolls sideways."""
    return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


@pytest.mark.parametrize("width", NARROW)
def test_no_page_scrolls_sideways(visit, transactional_db, width):
    installed()
    page = visit(viewport={"width": width, "height": 780})
    here = Builder(page).start(name="Of" + "f" * 90).page.url.split("?")[0]
    of_list = [here + part for part in ("", "history/", "data/", "plan/", "sharing/", "delete/", "deck/")]
    found = {}
    for address in (*AROUND, *of_list, here.replace("/rosters/", "/r/")):
        page.goto(address)
        found[address] = too_wide(page)
    assert {address: width for address, width in found.items() if width > 0} == {}


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
def test_words_stay_in_their_labels(visit, transactional_db, viewport):
    installed()
    page = visit(viewport=viewport)
    here = Builder(page).start(name="Low water").page.url.split("?")[0]
    of_list = [here + part for part in ("", "history/", "data/", "plan/", "sharing/", "delete/", "deck/")]
    spilt = {}
    for address in (*AROUND, *of_list, "/rosters/new/?game=fenland"):
        page.goto(address)
        spilt[address] = page.evaluate(SPILT)
    assert {address: words for address, words in spilt.items() if words} == {}


def test_no_field_makes_a_phone_zoom(visit, transactional_db):
    """A phone zooms into a field whose type is smaller than 16 pixels, and does not zoom back."""
    installed()
    page = visit(viewport=PHONE)
    here = Builder(page).start(name="Low water").page.url.split("?")[0]
    fields = "input:not([type=hidden], [type=checkbox], [type=radio], [type=file]), select, textarea"
    small, seen = {}, 0
    for address in (*AROUND, here, here + "plan/", here + "sharing/", here + "deck/", "/rosters/new/?game=fenland"):
        page.goto(address)
        sizes = page.locator(fields).evaluate_all(
            "fields => fields.map(field => [field.name, parseFloat(getComputedStyle(field).fontSize)])"
        )
        seen += len(sizes)
        small |= {f"{address} {name}": size for name, size in sizes if size < 16}
    assert small == {}
    assert seen > 20


@pytest.mark.parametrize(
    ("viewport", "sizes"),
    [(DESK, {"13px", "15px", "18px", "24px", "34px", "56px"}), (PHONE, {"13px", "16px", "18px", "24px", "34px"})],
)
def test_pages_use_few_sizes_of_type(visit, transactional_db, viewport, sizes):
    installed()
    page = visit()
    builder = Builder(page).start(name="Low water")
    builder.take("Wärden")
    settle(page)
    page.set_viewport_size(viewport)
    here = page.url.split("?")[0].split("#")[0]
    used = {}
    for address in (*AROUND, here, here + "plan/", here + "sharing/", here + "deck/", here.replace("/rosters/", "/r/")):
        page.goto(address)
        used |= {size: f"{address} {element}" for size, element in page.evaluate(SIZES)}
    assert {size: element for size, element in used.items() if size not in sizes} == {}
    assert len(used) > 3


@pytest.mark.parametrize("width", NARROW)
def test_no_page_of_a_game_scrolls_sideways(visit, transactional_db, width):
    installed()
    page = visit(viewport={"width": width, "height": 780})
    link = Builder(page).start(name="Of" + "f" * 90).page.url.split("?")[0].replace("/rosters/", "/r/")
    found = {}
    for address in play(page, link):
        page.goto(address)
        found[address] = too_wide(page)
    assert {address: width for address, width in found.items() if width > 0} == {}


@pytest.mark.parametrize("width", [320, PHONE["width"]])
def test_menus_of_my_lists_open_on_the_screen(visit, transactional_db, width):
    installed()
    page = visit(viewport=PHONE | {"width": width})
    Builder(page).start(name="Low water")
    page.goto("/rosters/")
    page.get_by_role("checkbox", name="Select Low water").check()
    said = page.locator("#bulk > p").bounding_box()
    assert said["height"] < 30, "one line"
    menus = page.locator("main details.menu:visible")
    expect(menus).to_have_count(4)
    for menu in menus.all():
        menu.locator("summary").click()
        expect(menu.locator(".menu-body")).to_be_visible()
        box = menu.locator(".menu-body").bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert too_wide(page) <= 0
        page.keyboard.press("Escape")
        expect(menu.locator(".menu-body")).to_be_hidden()


@pytest.mark.parametrize("width", [320, PHONE["width"]])
def test_there_is_a_way_home_from_the_builder(visit, transactional_db, width):
    installed()
    page = visit(viewport=PHONE | {"width": width})
    Builder(page).start(name="Low water")
    page.get_by_role("link", name="My lists").click()
    expect(page).to_have_url(re.compile(r"/rosters/$"))
    page.go_back()
    settle(page)


def test_an_opened_unit_comes_up_from_below_and_done_puts_it_away(visit, transactional_db):
    installed()
    page = visit(viewport=PHONE)
    builder = Builder(page).start(name="Low water")
    page.locator("#dock-add").click()
    for _ in range(3):
        builder.take("Cutters")
    page.locator("#dock .done").click()
    row = builder.open("Cutters", which=2)
    sheet, dock = row.bounding_box(), page.locator("#dock").bounding_box()
    assert sheet["y"] < 80, "below the band, wherever its row was"
    assert sheet["y"] + sheet["height"] <= dock["y"]
    row.get_by_label("Nets").check()
    settle(page)
    expect(row.get_by_label("Nets")).to_be_checked()
    row.get_by_text("Name and notes").click()
    expect(page.locator("#dock-add")).to_be_hidden()
    page.locator("#dock .done").click()
    expect(page.locator(".unit.open")).to_have_count(0)
    expect(page.locator("#dock-add")).to_be_visible()
    expect(builder.rows).to_have_count(3)


def test_nothing_lies_over_the_list_in_a_large_print(visit, transactional_db):
    installed()
    page = visit(viewport={"width": 320, "height": 256}, tour=True)
    Builder(page).start(name="Low water")
    expect(page.locator("#tour")).to_be_hidden()
    assert page.locator("#dock").evaluate("dock => getComputedStyle(dock).position") == "static"


def test_a_list_that_turns_legal_offers_what_comes_next_on_a_phone(visit, transactional_db):
    installed()
    page = visit(viewport=PHONE)
    builder = Builder(page).start(name="Low water")
    strip = page.get_by_role("group", name=re.compile("To do|What comes next"))
    expect(strip.get_by_role("link", name="Print")).to_have_count(0)
    page.locator("#dock-add").click()
    builder.take("Wärden")
    builder.take("Cutters")
    page.locator("#dock .done").click()
    builder.verdict_is("Legal")
    for name in ("Print", "Share", "Play"):
        expect(strip.get_by_role("link", name=name)).to_be_in_viewport()
    strip.get_by_role("link", name="Print").click()
    expect(page).to_have_url(re.compile("/pack/"))


def test_groups_of_objectives_fold_on_a_phone_only(visit, transactional_db):
    install_shipped(SHIPPED / "wh40k" / "ninth")
    phone, desk = visit(viewport=PHONE), visit(viewport=DESK)
    for page in (phone, desk):
        page.goto("/missions/maelstrom-of-war-9e/")
    assert desk.locator("details.long:not([open])").count() == 0
    folds = phone.locator("details.long")
    assert folds.count() > 1
    assert phone.locator("details.long[open]").count() == 0
    folds.first.locator("summary").click()
    expect(folds.first.locator(".objective").first).to_be_visible()
    linked = desk.locator("details.long .objective").first.get_attribute("id")
    phone.goto(f"/missions/maelstrom-of-war-9e/?#{linked}")
    expect(phone.locator(f"[id='{linked}']")).to_be_visible()
