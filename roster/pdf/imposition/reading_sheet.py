"""Cards to be read on sheets, not cut out: pieces in columns under a head."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.template.loader import render_to_string
from django.utils.translation import get_language
from weasyprint import Document
from weasyprint.document import Page

from roster.pdf.imposition.card_face import Face, Reading, faces_of
from roster.pdf.imposition.card_format import PAPERS, Stock
from roster.pdf.imposition.columns import sheets_of
from roster.pdf.imposition.impose import MM, merged
from roster.pdf.imposition.layout import lay_at
from roster.pdf.render import lay_out
from roster.pdf.sheet_options import Paper

SIDE, TOP, BOTTOM = 12.0, 31.0, 15.0
"""Millimetres of a sheet beside the columns, above them with the head, and below."""
GAP, BETWEEN = 6.0, 3.0
"""Millimetres between columns, and between the pieces in one."""
TYPE = 7.9
"""Points."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A page at its place on a sheet, in CSS pixels; no more of it than so tall."""

    page: Page
    left: float = 0.0
    top: float = 0.0
    height: float | None = None


class Composed:
    """A page with others laid on it, in the form in which WeasyPrint writes its own pages."""

    def __init__(self, base: Page, pieces: Sequence[Piece]) -> None:
        self.width, self.height, self.bleed = base.width, base.height, base.bleed
        self.bookmarks, self.links, self.anchors = list(base.bookmarks), list(base.links), dict(base.anchors)
        self.forms: dict[Any, list[Any]] = {None: []}
        self._pieces = [Piece(base), *pieces]

    @property
    def _page_box(self) -> Any:
        """What the tags of the page are made of."""
        return merged([piece.page for piece in self._pieces])

    def paint(self, stream: Any, scale: float = 1) -> None:
        """Paint the page, then the others."""
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
    """Sheets, and the document that their heads were laid out in."""

    sheets: list[Composed]
    document: Document


def reading_sheets(reading: Reading, paper: Paper, styles: Sequence[str], accent: str) -> ReadingSheets:
    """The sheets; what is longer than a column goes on in the next. Raises TooSlowError as layouts do."""
    width, height = PAPERS[paper]
    column = (width - 2 * SIDE - (reading.columns - 1) * GAP) / reading.columns
    room = height - TOP - BOTTOM
    pages = _pages(faces_of(reading.cards), Stock(column, room), styles, accent, reading.title)
    sheets = sheets_of([page.height / MM + BETWEEN for page in pages], room + BETWEEN, reading.columns)
    bases = _bases(reading, len(sheets), paper, styles, accent)
    composed = [
        Composed(base, list(_placed(sheet, pages, column)))
        for base, sheet in zip(bases.pages, sheets, strict=True)
    ]
    return ReadingSheets(composed, bases)


@dataclass(frozen=True, slots=True)
class _Cut:
    """A page of a column's size, and how much of it is used, in CSS pixels."""

    page: Page
    height: float


def _pages(faces: Sequence[Face], stock: Stock, styles: Sequence[str], accent: str, title: str) -> list[_Cut]:
    laid = lay_at(faces, stock, ["cards", "reading", *styles], accent, title=title, size=TYPE)
    return [_Cut(page, _used(page)) for face in faces for page in laid[face]]


def _used(page: Page) -> float:
    """How far down a page's last box reaches."""
    section = page._page_box.children[0].children[0].children[-1]
    last = section.children[-1]
    return float(min(last.position_y + last.margin_height(), page.height))


def _bases(reading: Reading, count: int, paper: Paper, styles: Sequence[str], accent: str) -> Document:
    """Sheets with nothing but their heads."""
    context = {"reading": reading, "sheets": range(count), "language": get_language() or "en"}
    html = render_to_string("paper/pack/reading.html", context)
    return lay_out(html, ["paper", "pack", paper.value, *styles], accent)


def _placed(sheet: Sequence[Sequence[int]], pages: Sequence[_Cut], column: float) -> Iterator[Piece]:
    for number, places in enumerate(sheet):
        left, top = SIDE + number * (column + GAP), TOP
        for place in places:
            cut = pages[place]
            yield Piece(cut.page, left * MM, top * MM, cut.height)
            top += cut.height / MM + BETWEEN
