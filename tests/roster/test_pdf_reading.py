"""Cards to be read on sheets: everything is there, in columns, inside the margins, nothing over anything else."""

import io
import time
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfReader

from roster.pdf.imposition.card_face import Face, FaceBlock, PrintCard, ReadingSection
from roster.pdf.imposition.card_format import PAPERS, CardFormat
from roster.pdf.imposition.card_job import read_card_options
from roster.pdf.imposition.impose import MM
from roster.pdf.imposition.print_cards import CannotPrintError, CardOptions, print_cards
from roster.pdf.imposition.reading_sheet import BOTTOM, GAP, SIDE, TOP, arrange_pieces, lay_out_reading
from roster.pdf.render import limit_time
from roster.pdf.sheet_options import Ink, PaperSize
from tests.extent import sample
from tests.roster.test_pdf_imposition_packs import PACKS, cards_in, name_case, play_in, words_of

pytestmark = pytest.mark.slow


@given(st.lists(st.floats(1, 50), max_size=40), st.integers(1, 3))
def test_pieces_keep_their_order_and_columns_their_height(heights: list[float], columns: int) -> None:
    sheets = arrange_pieces(heights, 60, columns)
    assert [place for sheet in sheets for column in sheet for place in column] == list(range(len(heights)))
    for sheet in sheets:
        assert len(sheet) <= columns
        for column in sheet:
            assert sum(heights[place] for place in column) <= 60 + 1e-6


def test_what_is_taller_than_a_column_has_one_of_its_own() -> None:
    assert arrange_pieces([5, 90, 5], 60, 2) == [[[0], [1]], [[2]]]
    assert arrange_pieces([], 60, 2) == []


def text_of(pdf: bytes) -> str:
    return "".join("".join(page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages).split())


def printed(cards: list[PrintCard], **options: object) -> bytes:
    return print_cards(
        cards,
        CardOptions(sheet=True, **options),
        title="To read",
        accent="#8a3b12",
        identifier=b"0" * 16,
    )


@pytest.mark.parametrize(("path", "paper"), sample(product(PACKS, PaperSize), 4), ids=name_case)
def test_nothing_of_any_pack_is_lost_or_lies_over_anything_else(path: Path, paper: PaperSize) -> None:
    cards = tuple(card for card in cards_in(play_in(path)) if card.card_format is None)
    with limit_time(time.monotonic() + 300):
        laid = lay_out_reading(ReadingSection(title="T", cards=cards), paper, [], "#8a3b12")
    width, height = PAPERS[paper]
    column = (width - 2 * SIDE - GAP) / 2
    assert cards
    for sheet in laid.sheets:
        below: dict[float, float] = {}
        assert sheet._pieces[1:]
        for piece in sheet._pieces[1:]:
            assert piece.height is not None
            left, top = round(piece.left / MM, 3), piece.top / MM
            assert left in (SIDE, round(SIDE + column + GAP, 3))
            assert top >= below.get(left, TOP) - 0.01
            below[left] = top + piece.height / MM
            assert below[left] <= height - BOTTOM + 0.01
    text = text_of(laid.document.copy(laid.sheets).write_pdf())
    for card in cards:
        assert [word for word in words_of(card.front) if word not in text] == [], card.front.title


def test_what_is_longer_than_a_column_goes_on_in_the_next() -> None:
    words = " ".join(f"w{n}." for n in range(2500))
    text = text_of(
        printed([PrintCard(key="a", front=Face(title="Long", blocks=(FaceBlock(texts=(words,)),)))])
    )
    assert [n for n in range(2500) if f"w{n}." not in text] == []


def test_tokens_are_cut_out_all_the_same() -> None:
    token = PrintCard(
        key="t", front=Face(title="Flag"), card_format=CardFormat(40.0, 40.0, round=True), copies=3
    )
    read = PrintCard(key="r", front=Face(title="Read me"), copies=5)
    pages = [page.extract_text() for page in PdfReader(io.BytesIO(printed([token, read]))).pages]
    assert [page.count("Read me") for page in pages] == [1, 0]
    assert [page.count("Flag") for page in pages] == [0, 3]


def test_equal_cards_give_equal_bytes_and_saving_ink_no_colour() -> None:
    cards = [PrintCard(key="r", front=Face(title="Read me", icon="flag"))]
    assert printed(cards) == printed(cards)
    data = PdfReader(io.BytesIO(printed(cards, ink=Ink.SAVER))).pages[0].get_contents()
    assert data is not None
    assert "0.541" not in data.get_data().decode("latin-1")


def test_nothing_to_read_says_so_and_sheets_are_a_size() -> None:
    with pytest.raises(CannotPrintError):
        printed([])
    assert read_card_options({"size": "sheet"}).sheet
    assert not read_card_options({}).sheet
