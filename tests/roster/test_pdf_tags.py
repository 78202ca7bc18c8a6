"""Printed files are accessible: tags in reading order, table heads, metadata."""

import io
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pypdf
import pytest

from catalogue.formats.packs.load import SHIPPED
from catalogue.services.play import Play
from roster.pdf.imposition.card_face import Face, FaceKind, PrintCard
from roster.pdf.imposition.print_cards import CardOptions, print_cards
from roster.pdf.imposition.select_cards import CardKind, read_selection, select_cards
from roster.pdf.shapes import Datasheet, WeaponRow, WeaponTable
from tests.roster.paper_fixture import IDENTITY
from tests.roster.paper_tools import printed
from tests.shipped_packs import read_shipped

pytestmark = pytest.mark.slow

PLAIN = Face(title="Reeds", icon="flag", kind=FaceKind.PLAIN)
ROWS = (WeaponRow("Fowling Piece", ('7"', "3+")), WeaponRow("Boat Hook", ('6"', "4+")))
SHEET = Datasheet(name="Heron", weapons=(WeaponTable("Weapons", ("Range", "S"), ROWS),))


def card(number: int) -> PrintCard:
    face = Face(title=f"Card {number}", icon="skull", datasheet=SHEET)
    return PrintCard(key=str(number), front=face)


def pdf_of(cards: list[PrintCard], options: CardOptions, plain: Face | None = None) -> pypdf.PdfReader:
    made = print_cards(cards, options, title="Deck", identity=IDENTITY, plain=plain)
    return pypdf.PdfReader(io.BytesIO(made))


def tags(pdf: pypdf.PdfReader) -> Iterator[Any]:
    pending = [pdf.root_object["/StructTreeRoot"]["/K"][0].get_object()]
    while pending:
        element = pending.pop()
        yield element
        kids = element.get("/K", [])
        kids = kids if isinstance(kids, list) else [kids]
        pending += [kid.get_object() for kid in kids if isinstance(kid.get_object(), dict)]


def kinds(pdf: pypdf.PdfReader) -> Counter[str]:
    return Counter(element["/S"] for element in tags(pdf) if "/S" in element)


def check_accessible(pdf: pypdf.PdfReader) -> None:
    root = pdf.root_object
    assert root["/MarkInfo"]["/Marked"]
    assert root["/Lang"] == "en"
    metadata = root["/Metadata"].get_data().decode()
    assert 'pdfuaid:part="1"' in metadata or "<pdfuaid:part>1<" in metadata
    figures = [element for element in tags(pdf) if element.get("/S") == "/Figure"]
    assert all(element.get("/Alt") for element in figures)
    heads = [element for element in tags(pdf) if element.get("/S") == "/TH"]
    assert all(head["/A"]["/Scope"] == "/Column" for head in heads)
    for page in pdf.pages:
        assert "/StructParents" in page or "/Contents" not in page


def test_the_sheet_of_a_list() -> None:
    pdf = printed("short_list")
    check_accessible(pdf)
    assert kinds(pdf)["/Table"] > 1


@pytest.mark.parametrize("bleed", [False, True])
def test_cards_to_cut_out(bleed: bool) -> None:
    pdf = pdf_of([card(number) for number in range(11)], CardOptions(bleed=bleed), PLAIN)
    check_accessible(pdf)
    found = kinds(pdf)
    assert found["/H1"] == 11 + len(pdf.pages) // 2
    assert found["/Table"] >= 11
    heads = {
        head.get_object() if hasattr(head, "get_object") else head
        for element in tags(pdf)
        if element.get("/S") == "/TD" and "/A" in element
        for head in element["/A"].get("/Headers", [])
    }
    assert heads


def test_copies_on_one_sheet_are_read_out_once() -> None:
    one = PrintCard(key="one", front=card(1).front, copies=9)
    pdf = pdf_of([one], CardOptions())
    check_accessible(pdf)
    assert pdf.pages[0].extract_text().count("Card 1") == 9
    assert kinds(pdf)["/H1"] == 1


def test_sheets_to_read_and_tokens_of_their_own_size() -> None:
    data = read_shipped(SHIPPED / "wh40k" / "ninth").data
    assert data is not None
    play = Play(data.game_system)
    wanted = [CardKind.STRATAGEMS.value, CardKind.MAPS.value, CardKind.REFERENCE.value, CardKind.TOKENS.value]
    cards = select_cards(play, read_selection(play, wanted, [], ""), [])
    pdf = pdf_of(cards, CardOptions(sheet=True))
    check_accessible(pdf)
    assert kinds(pdf)["/H2"] > 10


def test_the_metadata_names_the_document() -> None:
    pdf = pdf_of([card(1)], CardOptions())
    assert pdf.metadata is not None
    assert pdf.metadata.title == "Deck"
    assert "Deck" in pdf.root_object["/Metadata"].get_data().decode()
