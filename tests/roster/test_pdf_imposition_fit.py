"""Type as large as it may be, tables as wide as there is room for, and no figure in two halves."""

import io
from itertools import product
from pathlib import Path

import pytest
from pypdf import PdfReader

from catalogue.formats.packs.load import SHIPPED
from roster.pdf.imposition.card_face import Face, FaceBlock, FaceKind, FaceRow, PrintCard, list_faces
from roster.pdf.imposition.card_face import FigureGrid as Table
from roster.pdf.imposition.card_format import POKER, CardSize, get_format
from roster.pdf.imposition.fit import SMALLEST_TYPE, choose_usual_type, fit_tables, guess_type_step
from roster.pdf.imposition.layout import lay_faces, list_type_sizes
from roster.pdf.imposition.list_cards import build_deck_cards, build_unit_cards
from roster.pdf.imposition.print_cards import CardOptions, print_cards
from roster.pdf.sheet_options import Ink
from tests.extent import sample
from tests.roster.test_pdf_deck_lists import FIRST_DECK, sheet_of
from tests.roster.test_pdf_imposition_packs import name_case, texts

pytestmark = pytest.mark.slow

LISTS = [
    SHIPPED / "warzone" / "resurrection" / "lists" / "line-battalion.yaml",
    SHIPPED / "wh40k" / "ninth" / "lists" / "tyranids-strike-force.yaml",
    SHIPPED / "maelstroms_edge" / "second" / "lists" / "broken-and-karist.yaml",
    FIRST_DECK,
]


def laid(*faces: Face, size: CardSize = CardSize.POKER):
    return lay_faces(faces, get_format(size), [], "#000", title="", bleed=0.0).pages


def type_of(pages) -> float:
    """The size of type of a face's last text, in points."""
    *_, (_page, last) = texts(pages, margins=False)
    return last.style["font_size"] * 72 / 96


def said(words: int) -> Face:
    return Face(title="A title", blocks=(FaceBlock(texts=(" ".join(["water"] * words),)),))


def test_few_words_are_set_larger_than_usual_and_many_smaller() -> None:
    few, some, many = said(5), said(90), said(160)
    pages = laid(few, some, many)
    assert type_of(pages[few]) == pytest.approx(list_type_sizes(POKER)[0], abs=0.02)
    assert type_of(pages[few]) > choose_usual_type(POKER) > type_of(pages[many])
    assert type_of(pages[few]) >= type_of(pages[some]) > type_of(pages[many])
    assert [len(pages[face]) for face in (few, some, many)] == [1, 1, 1]


def test_what_goes_on_on_its_back_is_not_set_smaller_than_it_has_to_be() -> None:
    face = said(330)
    pages = laid(face)[face]
    assert len(pages) == 2
    assert type_of(pages) > SMALLEST_TYPE + 0.5


def test_no_word_of_a_back_is_broken() -> None:
    back = Face(title="Warzone Resurrection", lead="Mission", kind=FaceKind.PLAIN)
    for size in CardSize:
        said = [box.text for _, box in texts(laid(back, size=size)[back])]
        assert " ".join(said).split() == ["Mission", "Warzone", "Resurrection"]


def test_titles_are_alike_whatever_stands_below() -> None:
    few, many = said(5), said(160)
    pages = laid(few, many)
    sizes = {
        box.style["font_size"]
        for face in (few, many)
        for _page, box in texts(pages[face], margins=False)
        if box.text == "A title"
    }
    assert len(sizes) == 1


def test_a_wide_table_stands_in_parts_and_names_a_single_line_once() -> None:
    heads = ("Infantry", *(f"C{n}" for n in range(12)))
    face = Face(blocks=(FaceBlock(grid=Table(heads=heads, lines=(("Guard", *["14/8"] * 12),))),))
    grids = [block.grid for block in fit_tables(face, POKER, 8.6).blocks if block.grid]
    assert len(grids) > 1
    assert [head for grid in grids for head in grid.heads] == list(heads)
    assert all(sum(grid.shares) <= 100 for grid in grids)
    two = Face(
        blocks=(
            FaceBlock(grid=Table(heads=heads, lines=(("Guard", *["1"] * 12), ("Sergeant", *["2"] * 12)))),
        )
    )
    names = [
        block.grid.lines[1][0]
        for block in fit_tables(two, get_format(CardSize.MINI), 8.6).blocks
        if block.grid
    ]
    assert set(names) == {"Sergeant"}


def test_a_value_too_wide_for_its_column_asks_for_smaller_type() -> None:
    sizes = list_type_sizes(get_format(CardSize.MINI))
    wide = Face(blocks=(FaceBlock(rows=(FaceRow(name="Paid in", value="counterintelligence"),)),))
    short = Face(blocks=(FaceBlock(rows=(FaceRow(name="Paid in", value="2"),)),))
    assert (
        guess_type_step(wide, get_format(CardSize.MINI), sizes)
        > guess_type_step(short, get_format(CardSize.MINI), sizes)
        == 0
    )


@pytest.mark.parametrize(
    ("path", "size"), sample(product(LISTS, [CardSize.MINI, CardSize.POKER, CardSize.A6]), 6), ids=name_case
)
def test_no_figure_is_broken(path: Path, size: CardSize) -> None:
    sheet = sheet_of(path)
    faces = list_faces([*build_unit_cards(sheet), *build_deck_cards(sheet)])
    assert faces
    for face, pages in laid(*faces, size=size).items():
        lines = {word for _page, box in texts(pages) for word in box.text.split()}
        figures = [
            word
            for block in face.blocks
            for value in (
                *(row.value for row in block.rows),
                *(cell for line in (block.grid.lines if block.grid else ()) for cell in line[1:]),
            )
            for word in value.split()
            if len(word) <= 8
        ]
        assert [word for word in figures if word not in lines] == [], face.title


def test_what_has_but_a_name_has_no_card() -> None:
    titles = [card.front.title for card in build_unit_cards(sheet_of(FIRST_DECK))]
    assert "Ranger" in titles
    assert "Sanctuary" not in titles


def test_the_cards_of_a_deck_as_often_as_it_holds_them() -> None:
    cards = {card.front.title: card for card in build_deck_cards(sheet_of(FIRST_DECK))}
    shoot = cards["Dodge / Shoot"]
    assert shoot.copies == 4
    assert [(row.name, row.value) for row in shoot.front.blocks[0].rows] == [
        ("Upper", "2"),
        ("Lower", "0"),
        ("Paid in", "crystal"),
    ]
    assert sum(card.copies for card in cards.values()) == 25


@pytest.mark.parametrize(("ink", "filled"), [(Ink.LIGHT, True), (Ink.SAVER, False)])
def test_tokens_of_the_second_player_are_filled_unless_ink_is_saved(ink: Ink, filled: bool) -> None:
    def colours(inverse: bool) -> set[tuple[str, ...]]:
        token = Face(title="Flag", kind=FaceKind.TOKEN, inverse=inverse)
        card = PrintCard(key="t", front=token, card_format=get_format(CardSize.MINI))
        options = CardOptions(ink=ink, marks=False)
        pdf = print_cards([card], options, title="T", accent="#8a3b12", identifier=b"0" * 16, plain=None)
        data = PdfReader(io.BytesIO(pdf)).pages[0].get_contents()
        assert data is not None
        return {
            tuple(str(value) for value in operands)
            for operands, operator in data.operations
            if operator in (b"rg", b"scn")
        }

    assert (colours(True) != colours(False)) is filled
