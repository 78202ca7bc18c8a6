"""The pocket roster: one side that is folded twice, complete or refused."""

import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from catalogue.formats.packs.load import SHIPPED, find_packs
from roster.pdf.imposition.print_cards import CannotPrintError
from roster.pdf.pages import MARGIN, PAPERS
from roster.pdf.pocket import INSIDE
from roster.pdf.render import write_pdf
from roster.pdf.shapes import ListSheet
from roster.pdf.sheet_job import lay_out_sheet
from roster.pdf.sheet_options import PaperSize, SheetOptions, Style
from roster.pdf.sheet_pages import build_sheet_pages, make_look
from roster.pdf.weasyprint_hooks import limit_time
from tests.extent import sample
from tests.full_lists import full_sheet
from tests.roster.paper_tools import words_in
from tests.roster.test_pdf_every_pack import Word, find_overlaps
from tests.roster.test_pdf_imported import ARCHIVES, build_imported_sheet, evaluate_imported

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _in_time() -> Iterator[None]:
    with limit_time(time.monotonic() + 240):
        yield


def print_pocket(sheet: ListSheet, paper: PaperSize = PaperSize.A4) -> list[Word]:
    document = lay_out_sheet(sheet, SheetOptions(style=Style.POCKET, paper=paper))
    (words,) = words_in(write_pdf(document, document.pages))
    return words


def check_quarters(words: list[Word], paper: PaperSize) -> None:
    """Check that no word leaves its quarter and none lies on another."""
    width, height = PAPERS[paper]
    for left, top, right, bottom, text in words:
        column, row = left > width / 2, top > height / 2
        start = width / 2 + INSIDE if column else MARGIN
        end = width - MARGIN if column else width / 2 - INSIDE
        assert start - 0.5 <= left, text
        assert right <= end + 0.5, text
        assert top >= (height / 2 + INSIDE if row else MARGIN) - 1.0, text
        assert bottom <= (height - MARGIN if row else height / 2 - INSIDE) + 1.0, text
    assert not find_overlaps(words)


@pytest.mark.parametrize(("pack", "paper"), sample(product(find_packs(), PaperSize), 3))
def test_a_list_of_each_pack_is_in_four_quarters(pack: Path, paper: PaperSize) -> None:
    sheet = full_sheet(pack, 6)
    words = print_pocket(sheet, paper)
    check_quarters(words, paper)
    text = [word[4] for word in words]
    # In the list, and above its figures.
    # Lists of Warzone begin with choices for the whole army, which have no datasheet.
    assert sheet.datasheets or pack.parent.name == "warzone"
    times = {unit.name: 2 if unit.profile else 1 for unit in sheet.datasheets}
    assert [name for name, least in times.items() if text.count(name.split()[0]) < least] == []


@pytest.mark.parametrize(("archive", "units"), sample(product(ARCHIVES, (4, 9)), 2))
def test_imported_lists_fit_or_are_refused(archive: str, units: int, shared: Path) -> None:
    path = shared / "bsdata" / f"{archive}.zip"
    sheet = build_imported_sheet(path, evaluate_imported(path, units))
    with suppress(CannotPrintError):
        check_quarters(print_pocket(sheet), PaperSize.A4)


def test_the_upper_half_is_upside_down() -> None:
    sheet = full_sheet(SHIPPED / "wh40k" / "ninth", 6)
    words = print_pocket(sheet)
    middle = PAPERS[PaperSize.A4][1] / 2
    turned = [word for word in words if word[3] < middle]
    # The first unit is nearest to the fold, at the right.
    first = min(turned, key=lambda word: (-round(word[3]), -word[2]))
    assert first[4] in sheet.datasheets[0].name.split()


@pytest.mark.parametrize(("units", "code"), [(0, "no-units"), (90, "pocket-full")])
def test_a_list_that_is_empty_or_too_long_is_refused(units: int, code: str) -> None:
    sheet = full_sheet(SHIPPED / "wh40k" / "ninth", units or 1)
    if not units:
        sheet = replace(sheet, blocks=(), datasheets=())
    options = SheetOptions(style=Style.POCKET)
    with pytest.raises(CannotPrintError) as refused:
        build_sheet_pages(sheet, options, make_look(sheet, options))
    assert refused.value.code == code
