"""The rulebook's example of additional units, built by clicking; each rule of detachments broken once and mended."""

import io
import re

import pytest
from playwright.sync_api import Page, expect
from pypdf import PdfReader

from catalogue.formats.packs.load import SHIPPED
from tests.browser.builder import Builder, settle
from tests.shipped_packs import install_shipped

PACK = SHIPPED / "maelstroms_edge" / "second"
FIRST = ("Kaddar Nova", "Karist Troopers", "Karist Praetorians", "Shadow Walkers", "Karist Heavy Squad")
SECOND = ("Angel Keeper", "Angel Minnow Pack", "Angel Hellblasters", "Mature Angel")


@pytest.fixture
def karists(visit, transactional_db) -> Builder:
    """A list of the Karist Enclave for 120 points with its first detachment, still empty."""
    install_shipped(PACK)
    page: Page = visit()
    page.goto("/rosters/new/")
    page.get_by_role("radio", name=re.compile("Karist Enclave")).check()
    page.get_by_role("radio", name=re.compile("Full game")).check()
    page.get_by_role("button", name="Build list").click()
    expect(page.locator("#offers")).to_be_attached()
    settle(page)
    return Builder(page)


def second_detachment(builder: Builder) -> None:
    """Open a second detachment and add to it from here on."""
    builder.page.get_by_text("Add detachment").click()
    builder.page.get_by_role("button", name="Add: Standard detachment").click()
    expect(builder.page.locator(".det")).to_have_count(2)
    builder.into(1)


def is_broken(builder: Builder, rule: str) -> None:
    expect(builder.page.locator("#verdict .fix", has_text=rule).first).to_be_visible()


def undo(builder: Builder) -> None:
    settle(builder.page)
    rows = builder.rows.count()
    builder.page.get_by_role("button", name="Undo").click()
    expect(builder.rows).to_have_count(rows - 1)


def test_the_example_is_built_and_printed(karists: Builder):
    page = karists.page
    for name in FIRST:
        karists.take(name)
    second_detachment(karists)
    for name in SECOND:
        karists.take(name)
    karists.verdict_is("Legal")
    karists.points_are("102")
    sheet = page.request.get(page.url.replace("/rosters/", "/r/").split("#")[0].split("?")[0] + "sheet.pdf")
    assert sheet.ok
    words = PdfReader(io.BytesIO(sheet.body())).pages[0].extract_text()
    assert "Legal" in words
    assert all(name in words for name in FIRST + SECOND)


def test_what_a_unit_allows_and_what_it_will_need_stand_together(karists: Builder):
    line = karists.page.locator("#offers li", has_text="Karist Heavy Squad")
    expect(line.locator(".then")).to_have_text("Then needs 1 Core")
    expect(line.locator(".sub")).to_be_visible()
    above, below = line.locator(".sub").bounding_box(), line.locator(".then").bounding_box()
    assert above is not None
    assert below is not None
    assert above["y"] + above["height"] <= below["y"] + 0.5
    before = line.bounding_box()
    karists.take("Kaddar Nova")
    karists.take("Karist Troopers")
    expect(line.locator(".then")).to_have_count(0)
    after = line.bounding_box()
    assert before is not None
    assert after is not None
    assert before["height"] == after["height"]


def test_each_rule_of_detachments_is_broken_and_mended(karists: Builder):
    karists.verdict_is("Empty")
    expect(karists.page.locator("#verdict .needed")).to_contain_text("1 Command")
    karists.take("Kaddar Nova")
    is_broken(karists, "Core")
    karists.verdict_is("Incomplete")
    karists.take("Karist Troopers")
    karists.verdict_is("Legal")

    karists.take("Karist Praetorians")
    karists.take("Karist Praetorians")
    is_broken(karists, "Not more than core")
    undo(karists)
    karists.verdict_is("Legal")

    karists.take("Angel Keeper")
    karists.verdict_is("Illegal")
    undo(karists)

    for _ in range(3):
        karists.take("Karist Troopers")
    karists.verdict_is("Legal")
    karists.take("Karist Troopers")
    karists.verdict_is("Illegal")
    undo(karists)

    for name in ("Karist Praetorians", "Shadow Walkers", "Shadow Walkers"):
        karists.take(name)
    is_broken(karists, "Eight selections")
    karists.verdict_is("Illegal")
    undo(karists)
    karists.verdict_is("Legal")
