"""Cards are cut out: what belongs together is on one face, and nothing stands on a cut.

The units of every pack on every size of card: of those with most on them, and with the longest names, some each.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from weasyprint.document import Page

from catalogue.formats.packs.load import find_packs
from catalogue.graph.ruleset import compile_ruleset
from roster.engine.edits import EditedRoster, add_force, create_roster, select
from roster.engine.evaluate import evaluate
from roster.pdf.imposition.card_face import Face, FaceBlock, FigureGrid, PrintCard
from roster.pdf.imposition.card_format import CardSize, fit_grid, get_format
from roster.pdf.imposition.impose import MM
from roster.pdf.imposition.layout import lay_faces
from roster.pdf.imposition.list_cards import build_unit_cards
from roster.pdf.imposition.print_cards import CardOptions, print_cards
from roster.pdf.shapes import Imprint
from roster.pdf.sheet_model import build_sheet_model
from tests.extent import sample
from tests.roster.paper_tools import words_in
from tests.roster.test_pdf_imposition_packs import boxes, texts
from tests.shipped_packs import read_shipped

pytestmark = pytest.mark.slow

PACKS = find_packs()
EDGE = 2.0
"""Millimetres between a cut and any text."""
SLACK = 0.6
LIST_NAME = "Foundation line, all contractors of the outer rim"
TAKEN = {CardSize.MINI: 8, CardSize.POKER: 5}
ELSEWHERE = 3

HEADS = ("Later in the battle", "M", "WS", "BS")


SIZES = sample(CardSize, 2)


@cache
def fronts_of(pack: Path) -> tuple[Face, ...]:
    """The cards of the units of the pack's largest faction, one of each."""
    data = read_shipped(pack).data
    assert data is not None
    ruleset = compile_ruleset(data)
    books = [book for one in data.catalogues if (book := ruleset.find_catalogue(one.id))]
    book = max(books, key=lambda book: len(book.root_options.options))
    entry = max(book.force_entries, key=lambda force: len(force.categories))
    added = add_force(ruleset, create_roster(ruleset, LIST_NAME).roster, entry.id, book.catalogue.id)
    assert isinstance(added, EditedRoster)
    roster, force = added.roster, added.created[0]
    for option in islice(book.root_options.options, 60):
        taken = select(ruleset, roster, force, option.local_id)
        roster = taken.roster if isinstance(taken, EditedRoster) else roster
    judged = evaluate(ruleset, roster)
    sheet = build_sheet_model(judged, Imprint(game="A game"), title=LIST_NAME, cite=lambda place: place.page)
    return tuple(card.front for card in build_unit_cards(sheet))


def weight(face: Face) -> int:
    return sum(
        sum(map(len, block.texts)) + sum(len(line) for line in (block.grid.lines if block.grid else ())) * 8
        for block in face.blocks
    )


@cache
def choose_faces(size: CardSize) -> tuple[Face, ...]:
    """From each pack the fullest cards and those with the longest names."""
    count = TAKEN.get(size, ELSEWHERE)
    found: list[Face] = []
    for pack in PACKS:
        fronts = fronts_of(pack)
        found += sorted(fronts, key=weight)[-count:]
        found += sorted(fronts, key=lambda face: len(face.title))[-2:]
    return tuple(dict.fromkeys(found))


@cache
def laid(size: CardSize) -> list[tuple[Face, int, Page]]:
    """The sample's pages, each with its face and its number there."""
    pages = lay_faces(choose_faces(size), get_format(size), [], "#000", title="", bleed=0.0).pages
    return [(face, number, page) for face in pages for number, page in enumerate(pages[face])]


def of_class(page: Page, name: str) -> Iterator[Any]:
    for box in boxes(page._page_box):
        if box.element is not None and name in box.element.get("class", "").split():
            yield box


def tables(page: Page) -> Iterator[Any]:
    return (box for box in of_class(page, "grid") if type(box).__name__ == "TableBox")


@pytest.mark.parametrize("size", SIZES)
def test_no_head_without_a_row_and_no_row_without_its_head(size: CardSize) -> None:
    seen = 0
    for face, number, page in laid(size):
        for table in tables(page):
            seen += 1
            assert [group.is_header for group in table.children[:2]] == [True, False], (face.title, number)
            assert all(group.children for group in table.children), (face.title, number)
    assert seen > len(choose_faces(size)) / 2


@pytest.mark.parametrize("size", SIZES)
def test_figures_without_a_name_stay_with_the_line_they_belong_to(size: CardSize) -> None:
    seen = 0
    for face, number, page in laid(size):
        blocks = [box for box in of_class(page, "block") if list(boxes(box))]
        assert not blocks or blocks[0] not in list(of_class(page, "on")), (face.title, number)
        seen += len(blocks)
    assert seen


@pytest.mark.parametrize("size", SIZES)
def test_no_cell_runs_into_the_next(size: CardSize) -> None:
    seen = 0
    for face, _number, page in laid(size):
        for table in tables(page):
            for cell in (box for box in boxes(table) if type(box).__name__ == "TableCellBox"):
                for text in (box for box in boxes(cell) if getattr(box, "text", "").strip()):
                    seen += 1
                    where = (face.title, text.text)
                    assert text.position_x + text.width <= cell.position_x + cell.border_width() + SLACK, (
                        where
                    )
    assert seen


@pytest.mark.parametrize("size", SIZES)
def test_no_text_comes_near_a_cut(size: CardSize) -> None:
    seen = 0
    for face, number, page in laid(size):
        for _page, box in texts([page]):
            if box.style["font_size"] == 0:
                continue
            seen += 1
            where = (face.title, number, box.text)
            assert box.position_x >= EDGE * MM, where
            # A title that goes on is cut short when it is painted, see the tests of print below.
            if not (number and box.text == face.title):
                assert box.position_x + box.width <= page.width - EDGE * MM, where
            assert box.position_y >= EDGE * MM, where
            assert box.position_y + box.height <= page.height - EDGE * MM, where
    assert seen


def torn(words: int, title: str, foot: str) -> Face:
    """A card whose table comes somewhere near its end."""
    lines = tuple((f"Row {number}", '10"', "3+", "4+") for number in range(4))
    text = " ".join(["water"] * words)
    blocks = (
        FaceBlock(texts=(text,)),
        FaceBlock(grid=FigureGrid(heads=HEADS, lines=lines)),
        FaceBlock(texts=(text,)),
    )
    return Face(title=title, kicker="Heavy Support", corner="180", blocks=blocks, foot=foot)


NAMES = ("Phalanx of the Undying, cohort doomsday-ark", "W" * 60, "Gun")
FEET = ("rules, p. 7 · " + LIST_NAME * 2, "x" * 200, "")


@pytest.mark.parametrize("size", [CardSize.MINI, CardSize.POKER])
def test_names_and_feet_of_any_length_stay_on_their_own_card(size: CardSize) -> None:
    grid = fit_grid(get_format(size), CardOptions().paper)
    assert grid is not None
    amounts = range(40, 400, 60)
    faces = [torn(words, NAMES[n % 3], FEET[n // 3 % 3]) for n, words in enumerate(amounts)]
    cards = [PrintCard(key=str(number), front=face) for number, face in enumerate(faces)]
    options = CardOptions(card_format=get_format(size))
    pdf = print_cards(cards, options, title="T", accent="#8a3b12", identifier=b"0" * 16)
    width, height = grid.cell
    places = [(place.left, place.top) for place in (*grid.fronts, *grid.backs)]
    for words in words_in(pdf):
        assert words
        for left, top, right, bottom, word in words:
            inside = [
                (x, y)
                for x, y in places
                if x + EDGE <= left
                and right <= x + width - EDGE
                and y + 1 <= top
                and bottom <= y + height - 1
            ]
            assert inside, (word, left, top, right, bottom)


def pages_of(faces: Sequence[Face], size: CardSize) -> dict[Face, list[Page]]:
    return lay_faces(faces, get_format(size), [], "#000", title="", bleed=0.0).pages


def test_a_head_is_repeated_where_its_rows_go_on() -> None:
    lines = tuple((f"Weapon {number}", '24"', "3+", "4+") for number in range(40))
    face = Face(title="Arsenal", blocks=(FaceBlock(grid=FigureGrid(heads=HEADS, lines=lines)),))
    pages = pages_of([face], CardSize.MINI)[face]
    assert len(pages) > 1
    for page in pages:
        assert [box.text for _page, box in texts([page], margins=False)].count("WS") == 1


def test_the_title_of_a_further_face_takes_one_line() -> None:
    card = PrintCard(key="long", front=torn(120, NAMES[0], ""))
    options = CardOptions(card_format=get_format(CardSize.MINI))
    front, back = words_in(print_cards([card], options, title="T", accent="#000", identifier=b"0" * 16))
    assert any("doomsday" in word for *_, word in front)
    top = min(top for _left, top, *_ in back)
    lines = [(word, at < top + 1) for _left, at, _right, _bottom, word in back]
    assert ("Phalanx", True) in lines
    # Copied from the file it is whole: what is cut short is what is seen.
    assert [here for word, here in lines if "doomsday" in word] == [True]
