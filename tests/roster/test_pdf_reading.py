"""Cards printed as pages to read: complete, in columns, inside the margins, without overlap."""

import io
import time
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfReader

from roster.pdf.flow import Solid
from roster.pdf.imposition.card_face import CardHalf, Face, FaceBlock, PrintCard
from roster.pdf.imposition.card_format import CardFormat
from roster.pdf.imposition.card_job import read_card_options
from roster.pdf.imposition.print_cards import CannotPrintError, CardOptions, print_cards
from roster.pdf.markup import tag
from roster.pdf.pages import MARGIN, PAPERS, fill_columns
from roster.pdf.sheet_options import Ink, PaperSize
from roster.pdf.weasyprint_hooks import limit_time
from tests.extent import sample
from tests.roster.paper_fixture import IDENTITY
from tests.roster.paper_promises import find_page_faults
from tests.roster.paper_tools import words_in
from tests.roster.test_pdf_imposition_packs import PACKS, cards_in, name_case, play_in, words_of

pytestmark = pytest.mark.slow


def solid(height: float) -> Solid:
    return Solid(height, tag("p", str(height)))


@given(st.lists(st.floats(1, 50), min_size=1, max_size=40), st.integers(1, 3))
def test_parts_keep_their_order_and_columns_their_height(heights: list[float], columns: int) -> None:
    pages = fill_columns([solid(height) for height in heights], [40, 60], columns)
    placed = [part.height for page in pages for column in page for part in column]
    assert placed == heights
    for number, page in enumerate(pages):
        assert len(page) <= columns
        for column in page:
            assert sum(part.height for part in column) <= (60 if number else 40) + 1e-6


def test_what_is_taller_than_a_column_has_one_of_its_own() -> None:
    pages = fill_columns([solid(5), solid(90), solid(5)], [60], 2)
    assert [[part.height for part in column] for page in pages for column in page] == [[5], [90], [5]]


def text_of(pdf: bytes) -> str:
    return "".join("".join(page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages).split())


def printed(cards: list[PrintCard], **options: object) -> bytes:
    return print_cards(cards, CardOptions(sheet=True, **options), title="To read", identity=IDENTITY)


@pytest.mark.parametrize(("path", "paper"), sample(product(PACKS, PaperSize), 2), ids=name_case)
def test_nothing_of_any_pack_is_lost_or_leaves_the_page(path: Path, paper: PaperSize) -> None:
    cards = [card for card in cards_in(play_in(path)) if card.card_format is None]
    assert cards
    with limit_time(time.monotonic() + 300):
        pdf = printed(cards, paper=paper)
    width, height = PAPERS[paper]
    for words in words_in(pdf):
        assert words
        assert min(word[0] for word in words) >= MARGIN - 0.1
        assert max(word[2] for word in words) <= width - MARGIN + 0.3
        assert max(word[3] for word in words) <= height - 4
    text = text_of(pdf)
    for card in cards:
        said = [word.replace("″", '"') for word in words_of(card.front)]
        assert [word for word in said if word not in text] == [], card.front.title


def test_what_is_longer_than_a_column_goes_on_in_the_next() -> None:
    words = " ".join(f"w{n}." for n in range(2500))
    text = text_of(printed([PrintCard(key="a", front=Face(title="Long", blocks=(FaceBlock(texts=(words,)),)))]))
    assert [n for n in range(2500) if f"w{n}." not in text] == []


def test_a_long_heading_goes_on_below() -> None:
    title, kicker = "Voluntary Auxiliaries of the Eternal Marshes and Rivers " * 2, "Heavy cavalry of the column " * 4
    half = CardHalf(title="Ford the river", cost="2", note="Only once in a game", text="Move through water.")
    front = Face(title=title.strip(), kicker=kicker.strip(), corner="12", halves=(half,))
    pdf = printed([PrintCard(key=str(number), front=replace(front, corner=str(number))) for number in range(3)])
    text = text_of(pdf)
    for part in (title, kicker, half.title, half.note, half.text):
        assert text.count("".join(part.split())) == 3
    (words,) = words_in(pdf)
    assert list(find_page_faults(words, "")) == []


def test_tokens_are_cut_out_all_the_same() -> None:
    token = PrintCard(key="t", front=Face(title="Flag"), card_format=CardFormat(40.0, 40.0, round=True), copies=3)
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
