"""Cards to be read on sheets, not cut out: pieces in columns under a heading."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.template.loader import render_to_string
from django.utils.translation import get_language
from weasyprint import Document
from weasyprint.document import Page

from roster.pdf.imposition.card_face import Face, ReadingSection, list_faces
from roster.pdf.imposition.card_format import PAPERS, CardFormat
from roster.pdf.imposition.impose import MM, merge_boxes
from roster.pdf.imposition.layout import lay_faces_at_size
from roster.pdf.render import lay_out
from roster.pdf.sheet_options import PaperSize

SIDE, TOP, BOTTOM = 12.0, 31.0, 15.0
"""Millimetres of a sheet beside the columns, above them with the head, and below."""
GAP, BETWEEN = 6.0, 3.0
"""Millimetres between columns, and between the pieces in one."""
TYPE = 7.9
"""Points."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A page at its place on a sheet, in CSS pixels; cut off at `height`."""

    page: Page
    left: float = 0.0
    top: float = 0.0
    height: float | None = None


class Composed:
    """A page with others laid on it, with the attributes and methods of a page of WeasyPrint, which writes it."""

    def __init__(self, base: Page, pieces: Sequence[Piece]) -> None:
        self.width, self.height, self.bleed = base.width, base.height, base.bleed
        self.bookmarks, self.links, self.anchors = list(base.bookmarks), list(base.links), dict(base.anchors)
        self.forms: dict[Any, list[Any]] = {None: []}
        self._pieces = [Piece(base), *pieces]

    @property
    def _page_box(self) -> Any:
        """The box that the tags of the page are made from."""
        return merge_boxes([piece.page for piece in self._pieces])

    def paint(self, stream: Any, scale: float = 1) -> None:
        """Paint the page, then the others. WeasyPrint calls this."""
        with stream.stacked():
            stream.transform(a=scale, d=scale)
            for piece in self._pieces:
                with stream.stacked():
                    stream.transform(e=piece.left, f=piece.top)
                    if piece.height is not None:
                        stream.rectangle(0, 0, piece.page.width, piece.height)
                        stream.clip()
                        stream.end()
                    piece.page.paint(stream, 1)


@dataclass(frozen=True, slots=True)
class ReadingSheets:
    """Sheets, and the document that their headings were laid out in."""

    sheets: list[Composed]
    document: Document


def lay_out_reading(
    reading: ReadingSection, paper: PaperSize, styles: Sequence[str], accent: str
) -> ReadingSheets:
    """Lay out the sheets. A piece longer than a column continues in the next one. Raises TooSlowError as layouts do."""
    width, height = PAPERS[paper]
    column = (width - 2 * SIDE - (reading.columns - 1) * GAP) / reading.columns
    room = height - TOP - BOTTOM
    pages = _lay_out_pieces(
        list_faces(reading.cards), CardFormat(column, room), styles, accent, reading.title
    )
    sheets = arrange_pieces([page.height / MM + BETWEEN for page in pages], room + BETWEEN, reading.columns)
    bases = _lay_out_heads(reading, len(sheets), paper, styles, accent)
    composed = [
        Composed(base, list(_place_pieces(sheet, pages, column)))
        for base, sheet in zip(bases.pages, sheets, strict=True)
    ]
    return ReadingSheets(composed, bases)


@dataclass(frozen=True, slots=True)
class _Cut:
    """A page of a column's size, and how much of it is used, in CSS pixels."""

    page: Page
    height: float


def _lay_out_pieces(
    faces: Sequence[Face], card_format: CardFormat, styles: Sequence[str], accent: str, title: str
) -> list[_Cut]:
    pages_by_face = lay_faces_at_size(
        faces, card_format, ["cards", "reading", *styles], accent, title=title, size=TYPE
    )
    return [_Cut(page, _measure_used(page)) for face in faces for page in pages_by_face[face]]


def _measure_used(page: Page) -> float:
    """Return how far down the last box of a page reaches."""
    section = page._page_box.children[0].children[0].children[-1]
    last = section.children[-1]
    return float(min(last.position_y + last.margin_height(), page.height))


def _lay_out_heads(
    reading: ReadingSection, count: int, paper: PaperSize, styles: Sequence[str], accent: str
) -> Document:
    """Lay out sheets with nothing but their headings."""
    context = {"reading": reading, "sheets": range(count), "language": get_language() or "en"}
    html = render_to_string("paper/pack/reading.html", context)
    return lay_out(html, ["paper", "pack", paper.value, *styles], accent)


def _place_pieces(sheet: Sequence[Sequence[int]], pages: Sequence[_Cut], column: float) -> Iterator[Piece]:
    for number, indexes in enumerate(sheet):
        left, top = SIDE + number * (column + GAP), TOP
        for index in indexes:
            cut = pages[index]
            yield Piece(cut.page, left * MM, top * MM, cut.height)
            top += cut.height / MM + BETWEEN


def arrange_pieces(heights: Sequence[float], room: float, columns: int) -> list[list[list[int]]]:
    """Return the indexes of the pieces, sheet by sheet and column by column.

    Columns are filled one after the other; those of the last sheet come out about equally long. `heights` and `room`
    are in any unit of length.

    >>> arrange_pieces([5, 5, 5, 5], room=20, columns=2)
    [[[0, 1], [2, 3]]]
    """
    filled = _fill_columns(range(len(heights)), heights, room)
    sheets = [filled[start : start + columns] for start in range(0, len(filled), columns)]
    if sheets:
        sheets[-1] = _balance_columns(
            [index for column in sheets[-1] for index in column], heights, room, columns
        )
    return sheets


def _fill_columns(indexes: Sequence[int], heights: Sequence[float], room: float) -> list[list[int]]:
    columns: list[list[int]] = []
    left = 0.0
    for index in indexes:
        if not columns or heights[index] > left:
            columns.append([])
            left = room
        columns[-1].append(index)
        left -= heights[index]
    return columns


def _balance_columns(
    indexes: list[int], heights: Sequence[float], room: float, columns: int
) -> list[list[int]]:
    """Return the pieces in columns no longer than they need to be."""
    least = max(heights[index] for index in indexes)
    steps = 100
    for step in range(steps + 1):
        tried = _fill_columns(indexes, heights, least + (max(room, least) - least) * step / steps)
        if len(tried) <= columns:
            return tried
    return _fill_columns(indexes, heights, room)
