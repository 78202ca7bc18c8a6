"""Cards keep related content on one face and no text on a cut.

Tried with the fullest units and the longest names of every pack, on every card size.
"""

import re
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from html import unescape
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from weasyprint.formatting_structure.boxes import BlockBox

from catalogue.formats.packs.load import find_packs
from roster.pdf.imposition.card_face import Face, FaceBlock, PrintCard
from roster.pdf.imposition.card_format import CardSize, SheetGrid, fit_grid, get_format
from roster.pdf.imposition.layout import lay_faces
from roster.pdf.imposition.list_cards import build_unit_cards
from roster.pdf.imposition.print_cards import CardOptions, lay_out_cards, print_cards
from roster.pdf.imposition.set_face import CardLook, choose_unit_sizes, count_foot_lines, move_long_kicker, set_faces
from roster.pdf.render import write_pdf
from roster.pdf.shapes import Datasheet, WeaponRow, WeaponTable
from roster.pdf.sheet_options import Ink, PaperSize, TypeSize
from roster.pdf.weasyprint_hooks import limit_time
from tests.extent import sample
from tests.full_lists import LIST_NAME, full_sheet
from tests.roster.paper_fixture import IDENTITY
from tests.roster.paper_tools import words_in

pytestmark = pytest.mark.slow

PACKS = find_packs()
EDGE, QUARTER_EDGE = 2.8, 6.0
"""Least distance of text from a cut in millimetres; more if a sheet is cut without trimming."""
Word = tuple[float, float, float, float, str]
TAKEN = {CardSize.MINI: 8, CardSize.POKER: 5}
ELSEWHERE = 3
MILLIMETRE = 96 / 25.4

SIZES = sample(product(CardSize, TypeSize), 1)


def fronts_of(pack: Path) -> tuple[Face, ...]:
    """Return the cards of a pack's largest faction, one for each unit."""
    return tuple(card.front for card in build_unit_cards(full_sheet(pack)))


def weight(face: Face) -> int:
    sheet = face.datasheet
    assert sheet is not None
    return sum(len(ability.text) for ability in sheet.abilities) + 40 * sum(len(table.rows) for table in sheet.weapons)


@cache
def look(size: CardSize, kind: TypeSize) -> CardLook:
    """Return the look of a print of the chosen faces."""
    bare = CardLook(
        card_format=get_format(size),
        emblem=IDENTITY.emblem,
        fills_sheet=size in (CardSize.A6, CardSize.A5),
        is_large=kind is TypeSize.LARGE,
    )
    return replace(bare, foot_lines=count_foot_lines(choose_faces(size), bare))


@cache
def move_kickers(size: CardSize, kind: TypeSize) -> tuple[Face, ...]:
    """Return the chosen faces as a print sets them."""
    return tuple(move_long_kicker(face, look(size, kind)) for face in choose_faces(size))


@cache
def choose_faces(size: CardSize) -> tuple[Face, ...]:
    """From each pack, the fullest cards and those with the longest names."""
    count = TAKEN.get(size, ELSEWHERE)
    found: list[Face] = []
    for pack in PACKS:
        fronts = fronts_of(pack)
        found += sorted(fronts, key=weight)[-count:]
        found += sorted(fronts, key=lambda face: len(face.title))[-2:]
    return tuple(dict.fromkeys(found))


@cache
def set_size(size: CardSize, kind: TypeSize) -> dict[Face, list[str]]:
    return set_faces(move_kickers(size, kind), look(size, kind))


def print_size(
    size: CardSize, paper: PaperSize, ink: Ink, kind: TypeSize, *, bleed: bool
) -> tuple[SheetGrid, list[list[Word]]]:
    options = CardOptions(card_format=get_format(size), paper=paper, ink=ink, bleed=bleed, type_size=kind)
    grid = fit_grid(options.card_format, options.paper, bleed=options.margin)
    assert grid is not None
    cards = [PrintCard(key=str(number), front=face) for number, face in enumerate(choose_faces(size))]
    with limit_time(time.monotonic() + 300):
        layout = lay_out_cards(cards, options, title="T", identity=IDENTITY)
        words = words_in(write_pdf(layout.document, layout.pages))
    # The card of rules may be larger, with other cuts.
    trim = getattr(layout.pages[0], "trim", None)
    pages = zip(layout.pages, words, strict=True)
    return grid, [page_words for page, page_words in pages if getattr(page, "trim", None) == trim]


def list_boxes(box: Any) -> Iterator[Any]:
    yield box
    for child in getattr(box, "children", ()):
        yield from list_boxes(getattr(child, "_box", child))


def has_class(box: Any, name: str) -> bool:
    return isinstance(box, BlockBox) and box.element is not None and name in box.element.get("class", "").split()


def find_card(grid: SheetGrid, word: Word) -> tuple[float, float] | None:
    """Return the upper left corner of the card with a word in its middle part; None for the ruler."""
    width, height = grid.cell
    middle = (word[1] + word[3]) / 2
    for place in (*grid.fronts, *grid.backs):
        if place.left <= word[0] < place.left + width and place.top <= middle < place.top + height:
            return place.left, place.top
    return None


@pytest.mark.parametrize(
    ("size", "paper", "ink", "kind", "bleed"),
    sample(product(CardSize, PaperSize, Ink, TypeSize, (False, True)), 1, complete=32),
)
def test_no_word_comes_near_a_cut(size: CardSize, paper: PaperSize, ink: Ink, kind: TypeSize, bleed: bool) -> None:
    grid, pages = print_size(size, paper, ink, kind, bleed=bleed)
    width, height = grid.cell
    safe = EDGE if not grid.fills_paper else QUARTER_EDGE
    seen = 0
    for number, words in enumerate(pages):
        for word in words:
            corner = find_card(grid, word)
            if corner is None:
                continue
            seen += 1
            left, top = word[0] - corner[0], word[1] - corner[1]
            right, bottom = corner[0] + width - word[2], corner[1] + height - word[3]
            # The height of a word in poppler is that of its line.
            across, along = ((top, bottom), (left, right)) if grid.turned else ((left, right), (top, bottom))
            assert min(across) >= safe - 0.05, (number, word)
            assert min(along) >= 1.0, (number, word)
    assert seen > 20 * len(choose_faces(size))


@pytest.mark.parametrize(("size", "kind"), SIZES)
def test_no_head_without_a_row_and_no_row_without_its_head(size: CardSize, kind: TypeSize) -> None:
    sides = [side for all_sides in set_size(size, kind).values() for side in all_sides]
    tables = [table for side in sides for table in re.findall(r"<table.*?</table>", side)]
    assert tables
    for table in tables:
        rows = re.findall(r"<tr.*?</tr>", table)
        assert len(rows) > 1, table
        assert ["<th" in row for row in rows] == [True, *([False] * (len(rows) - 1))], table


@pytest.mark.parametrize(("size", "kind"), SIZES)
def test_text_ends_above_the_boxes_and_the_foot(size: CardSize, kind: TypeSize) -> None:
    laid = lay_faces(move_kickers(size, kind), look(size, kind), title="T")
    seen = 0
    for face, pages in laid.pages.items():
        for page in pages:
            bodies = [box for box in list_boxes(page._page_box) if has_class(box, "body")]
            text, *below = bodies or [None]
            if text is None:
                continue
            seen += 1
            end = min(
                (box.position_y for box in below), default=page.height - look(size, kind).stock.bottom * MILLIMETRE
            )
            lines = [box for box in list_boxes(text) if getattr(box, "text", "").strip()]
            lowest = max((box.position_y + box.height for box in lines), default=0.0)
            assert lowest <= end + 0.1 * MILLIMETRE, face.title
    assert seen > 20


@pytest.mark.parametrize(("size", "kind"), SIZES)
def test_every_side_that_goes_on_is_marked_and_type_is_readable(size: CardSize, kind: TypeSize) -> None:
    least = 5.5 if size is CardSize.MINI else 6.0
    faces = set_size(size, kind)
    assert faces
    for face, sides in faces.items():
        for number, side in enumerate(sides, 1):
            mark = f"{number}/{len(sides)}"
            assert (f"{mark}</span>" in side) is (len(sides) > 1), (face.title, mark)
            assert min(map(float, re.findall(r"font-size:([0-9.]+)pt", side))) >= least, face.title


@pytest.mark.parametrize(("size", "kind"), SIZES)
def test_neighbours_differ_by_a_point_at_most(size: CardSize, kind: TypeSize) -> None:
    sizes = choose_unit_sizes(move_kickers(size, kind), look(size, kind))
    assert max(sizes.values()) - min(sizes.values()) <= 1.0


@pytest.mark.parametrize(("size", "kind"), SIZES)
def test_nothing_is_lost(size: CardSize, kind: TypeSize) -> None:
    sides = set_size(size, kind)
    assert sides
    for face, html in sides.items():
        assert face.datasheet is not None
        text = unescape(re.sub(r"<[^>]*>", "", " ".join(html)))
        for ability in face.datasheet.abilities:
            assert [word for word in ability.text.split() if word not in text] == [], (face.title, ability.name)
        for table in face.datasheet.weapons:
            for row in table.rows:
                assert row.name in text, face.title


NAMES = ("Phalanx of the Undying, cohort doomsday-ark", "W" * 60, "Gun")
FEET = ("rules, p. 7 · " + LIST_NAME * 2, "x" * 200, "")


@pytest.mark.parametrize("size", [CardSize.MINI, CardSize.POKER])
def test_names_and_feet_of_any_length_stay_on_their_own_card(size: CardSize) -> None:
    grid = fit_grid(get_format(size), CardOptions().paper)
    assert grid is not None
    cards = []
    for number, words in enumerate(range(40, 400, 60)):
        text = FaceBlock(texts=(" ".join(["water"] * words),))
        face = Face(
            title=NAMES[number % 3], kicker="Heavy Support", corner="180", blocks=(text,), foot=FEET[number // 3 % 3]
        )
        cards.append(PrintCard(key=str(number), front=face))
    options = CardOptions(card_format=get_format(size))
    pages = words_in(print_cards(cards, options, title="T", identity=IDENTITY))
    width, _ = grid.cell
    seen = 0
    for word in (word for words in pages for word in words):
        if corner := find_card(grid, word):
            seen += 1
            assert corner[0] + EDGE <= word[0], word
            assert word[2] <= corner[0] + width - EDGE, word
    assert seen > 300


def test_a_head_is_repeated_where_its_rows_go_on() -> None:
    rows = tuple(WeaponRow(f"Weapon {number}", ('24"', "4")) for number in range(40))
    sheet = Datasheet(name="Arsenal", weapons=(WeaponTable("Weapons", ("Range", "S"), rows),))
    face = Face(title="Arsenal", datasheet=sheet)
    sides = set_faces([face], look(CardSize.MINI, TypeSize.USUAL))[face]
    assert len(sides) > 1
    assert all(side.count(">Range</th>") == 1 for side in sides)
