"""Card files for print shops: each side a page with bleed, all of one size."""

import io
import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pypdf
import pytest

from catalogue.formats.packs.load import find_packs
from roster.pdf.imposition.card_face import Face, FaceBlock, FaceKind, PrintCard
from roster.pdf.imposition.card_format import BLEED, CardSize, get_format
from roster.pdf.imposition.list_cards import build_unit_cards
from roster.pdf.imposition.print_cards import CardOptions, print_cards
from roster.pdf.weasyprint_hooks import limit_time
from tests.extent import sample
from tests.full_lists import IDENTITY, full_sheet
from tests.roster.paper_tools import words_in

pytestmark = pytest.mark.slow

POINTS = 72 / 25.4
PLAIN = Face(title="A game", kind=FaceKind.PLAIN)


@pytest.fixture(autouse=True)
def _in_time() -> Iterator[None]:
    with limit_time(time.monotonic() + 120):
        yield


def card(name: str, words: int = 5, **more: object) -> PrintCard:
    text = FaceBlock(texts=(" ".join(["water"] * words),))
    return PrintCard(key=name, front=Face(title=name, blocks=(text,)), **more)


def pages_of(cards: list[PrintCard], size: CardSize = CardSize.POKER, plain: Face | None = PLAIN) -> pypdf.PdfReader:
    options = CardOptions(card_format=get_format(size), press=True)
    return pypdf.PdfReader(io.BytesIO(print_cards(cards, options, title="T", identity=IDENTITY, plain=plain)))


def titles_of(pdf: pypdf.PdfReader) -> list[str]:
    names = ("Pike", "Gun", "Long", "A game")
    texts = [page.extract_text() for page in pdf.pages]
    return [next((name for name in names if name in text), "") for text in texts]


def test_fronts_and_backs_alternate_and_copies_are_pages() -> None:
    pdf = pages_of([card("Pike", copies=2), card("Gun")])
    assert titles_of(pdf) == ["Pike", "A game"] * 2 + ["Gun", "A game"]
    assert pdf.trailer["/Root"]["/ViewerPreferences"]["/Duplex"] == "/Simplex"


def test_without_backs_there_are_only_fronts_unless_a_text_continues() -> None:
    assert titles_of(pages_of([card("Pike"), card("Gun")], plain=None)) == ["Pike", "Gun"]
    titles = titles_of(pages_of([card("Long", 400), card("Gun")], plain=None))
    assert titles == ["Long", "Long", "Gun", ""]


@pytest.mark.parametrize("size", CardSize)
def test_each_page_is_the_card_with_its_bleed(size: CardSize) -> None:
    width, height = get_format(size).width, get_format(size).height
    pages = list(pages_of([card("Pike")], size).pages)
    assert len(pages) == 2
    for page in pages:
        assert (float(page.mediabox.width) / POINTS, float(page.mediabox.height) / POINTS) == pytest.approx(
            (width + 2 * BLEED, height + 2 * BLEED), abs=0.02
        )
        assert (float(page.trimbox.width) / POINTS, float(page.trimbox.height) / POINTS) == pytest.approx(
            (width, height), abs=0.02
        )
        assert float(page.bleedbox.width) == pytest.approx(float(page.mediabox.width), abs=0.1)


@pytest.mark.parametrize(("pack", "size"), sample(product(find_packs(), CardSize), 2))
def test_cards_of_every_pack_have_one_size_and_keep_from_the_cut(pack: Path, size: CardSize) -> None:
    cards = list(build_unit_cards(full_sheet(pack, 14)))
    options = CardOptions(card_format=get_format(size), press=True)
    pdf = print_cards(cards, options, title="T", identity=IDENTITY, plain=PLAIN)
    reader = pypdf.PdfReader(io.BytesIO(pdf))
    assert len({tuple(map(float, page.mediabox)) for page in reader.pages}) == 1
    assert len(reader.pages) % 2 == 0
    assert len(reader.pages) >= 2 * len(cards)
    width, height = options.card_format.width, options.card_format.height
    for number, words in enumerate(words_in(pdf)):
        for left, _top, right, bottom, text in words:
            assert left >= BLEED + 2.75, (number, text)
            assert right <= BLEED + width - 2.75, (number, text)
            assert bottom <= BLEED + height - 1.0, (number, text)
