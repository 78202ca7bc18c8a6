"""Web pages on paper, for those who print what they see instead of the sheet."""

import io
import subprocess

import pytest
from playwright.sync_api import Page, expect

from tests.browser.builder import Builder
from tests.roster.deck_owner import REEDS
from tests.roster.small_game import installed
from tests.shipped_packs import install_shipped


def printed(page: Page) -> list[str]:
    """The text of each sheet of A4."""
    text = subprocess.run(["pdftotext", "-", "-"], input=page.pdf(format="A4"), capture_output=True, check=True)
    return io.StringIO(text.stdout.decode()).read().split("\f")[:-1]


@pytest.fixture
def broken(visit, transactional_db) -> Page:
    """A list of a few units that breaks a rule, with the tour in front of it."""
    installed()
    builder = Builder(visit(tour=True)).start(name="Low water")
    for unit in ("Wärden", "Giants", "Giants"):
        builder.take(unit)
    expect(builder.page.locator("#tour")).to_be_visible()
    # Two giants too many for one warden: that nothing completes such a list is found out behind the page.
    builder.verdict_is("Illegal")
    return builder.page


def test_the_builder_prints_its_verdict_and_no_controls(broken):
    [sheet] = printed(broken)
    for word in ("Illegal", "No more hammer units than core ones", "Fen Book", "Low water", "Giants"):
        assert word in sheet
    for control in ("Cutters", "My lists", "Make it legal", "Share", "Print", "Skip", "History"):
        assert control not in sheet
    # "Add" is a control, and what the verdict asks for as well.
    controls = broken.locator("button, select, textarea, input:not([name=name]), .btn").locator("visible=true")
    expect(controls.first).to_be_visible()
    broken.emulate_media(media="print")
    expect(controls).to_have_count(0)


def test_what_others_read_is_on_one_sheet(broken):
    broken.goto(broken.url.split("?")[0].replace("/rosters/", "/r/"))
    sheets = printed(broken)
    assert "Illegal" in sheets[0]
    assert "Giants" in sheets[0]
    assert all(sheet.strip() for sheet in sheets), "no sheet stays blank"


def test_missions_begin_on_the_first_sheet(visit, transactional_db):
    install_shipped(REEDS)
    page = visit()
    page.goto("/missions/reeds-and-rust/")
    sheets = printed(page)
    assert "Night crossing" in sheets[0]
    assert "Hold the locks" in sheets[0], "objectives after the missions, and not on a sheet of their own"
    assert all(sheet.strip() for sheet in sheets)
