"""The small parts of the sheet: widths, citations, the code, and their doctests."""

import doctest
from importlib import import_module
from pathlib import Path
from xml.etree import ElementTree

import pytest

from catalogue.definitions.citations import NOWHERE, Citation, Publication
from roster import pdf
from roster.pdf.column_widths import count_cell_lines, share_width
from roster.pdf.height_estimate import estimate_card_height
from roster.pdf.html import arrange_cards
from roster.pdf.qr import draw_qr_code
from roster.pdf.sheet_content import Bibliography
from roster.pdf.summary_page import STEPS, list_summaries
from roster.pdf.text_width import MAY_BREAK, add_break_points, measure_widest_word, measure_width
from tests.roster.paper_fixture import empty_list, long_list, sheet, short_list

pytestmark = pytest.mark.slow

MODULES = sorted(path.stem for path in Path(pdf.__path__[0]).glob("*.py"))


@pytest.mark.parametrize("name", MODULES)
def test_doctests(name: str) -> None:
    assert doctest.testmod(import_module(f"roster.pdf.{name}")).failed == 0


# ---- widths ------------------------------------------------------------------------------------------------------


def test_formulas_may_be_broken_at_their_signs() -> None:
    assert add_break_points("(EVS+MAS+FOR)/2").split(MAY_BREAK) == ["(EVS+", "MAS+", "FOR)/2"]
    assert add_break_points("Short ranged") == "Short ranged"
    assert add_break_points('36" (60")') == f'36" {MAY_BREAK}(60")'
    assert measure_widest_word([add_break_points("(EVS+MAS+FOR)/2")]) < measure_width("(EVS+MAS+FOR)/2")


def test_all_of_the_width_is_shared_out() -> None:
    assert sum(share_width([[30, 3, 50], [10, 2, 80]], [9, 4, 12], 75)) == pytest.approx(75)


def test_every_column_keeps_what_it_needs() -> None:
    wide = share_width([[30, 3, 200]], [9, 4, 12], 40)
    assert all(one >= least for one, least in zip(wide, [9, 4, 12], strict=True))


def test_width_goes_where_it_saves_lines() -> None:
    rows = [[8, 3, 60]] * 10 + [[30, 3, 5]]
    name, _, text = share_width(rows, [9, 4, 12], 60)
    assert (count_cell_lines(60, text), count_cell_lines(30, name)) == (2, 2)


def test_too_little_width_is_no_failure() -> None:
    assert share_width([[30, 30]], [20, 20], 10) == [20, 20]
    assert share_width([], [9, 4], 50) == [9, 41]


# ---- columns of cards, steps of the summary ----------------------------------------------------------------------


def test_columns_come_out_about_as_high_as_each_other() -> None:
    cards = arrange_cards(sheet(long_list(30)).cards)
    left, right = sum(map(estimate_card_height, cards.left)), sum(map(estimate_card_height, cards.right))
    assert len(cards.left) + len(cards.right) == 30
    assert abs(left - right) < 50


def test_the_roomiest_summary_that_fits_comes_first() -> None:
    assert next(list_summaries(sheet(short_list()))).step is STEPS[0]
    assert next(list_summaries(sheet(empty_list()))).step is STEPS[0]
    tried = [summary.step for summary in list_summaries(sheet(long_list(100)))]
    assert tried[-1] is STEPS[-1]
    assert not tried[0].profiles


def test_a_summary_in_columns_holds_every_unit_once() -> None:
    summaries = list(list_summaries(sheet(long_list(40))))
    assert summaries
    for summary in summaries:
        names = [line.name for column in summary.columns for block in column for line in block.lines]
        assert len(names) == len(set(names)) == 40


# ---- citations and the code --------------------------------------------------------------------------------------


def test_a_book_with_a_long_name_is_cited_by_number() -> None:
    long = Publication(id="long", name="A community's data, revision 10")
    sources = Bibliography({"rr": Publication(id="rr", name="Reeds and Rust"), "long": long})
    assert sources.format_citation(Citation(publication_id="rr", page="9")) == "Reeds and Rust, p. 9"
    assert sources.format_citation(Citation(publication_id="long", page="4")) == "[1], p. 4"
    assert sources.format_citation(Citation(publication_id="long", section="Fords")) == "[1], “Fords”"
    assert sources.format_citation(Citation(publication_id="lost", page="4")) == "p. 4"
    assert sources.format_citation(NOWHERE) == ""
    assert sources.lines == ("[1] A community's data, revision 10",)


def test_the_code_is_an_image_with_a_title() -> None:
    code = ElementTree.fromstring(
        draw_qr_code("https://lists.example/r/x/?revision=7", "Low <water> & \x22tide\x22")
    )
    space = "{http://www.w3.org/2000/svg}"
    assert code.tag == f"{space}svg"
    assert code.findtext(f"{space}title") == 'Low <water> & "tide"'
    assert {child.tag for child in code} == {f"{space}title", f"{space}path"}


def test_no_address_no_code() -> None:
    assert draw_qr_code("", "Low water") == ""
