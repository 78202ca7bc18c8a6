"""Cards laid out, each a page of its own size: text that is too much shrinks, then goes on on a further page.

Nothing can overflow: a card is a page, and what does not fit a page is broken over to the next one.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.template.loader import render_to_string
from django.utils.translation import get_language
from weasyprint import Document
from weasyprint.document import Page

from roster.pdf.decks.faces import Face
from roster.pdf.decks.stock import Stock
from roster.pdf.render import colour_of, lay_out

BLACK = "#000"
"""The accent of prints that save ink."""
SMALLEST_TYPE = 5.4
"""Points. Smaller than this nothing is printed."""
STEPS = 5
"""Sizes of type that are tried, the largest and the smallest among them."""
_TYPE_BY_WIDTH = ((30.0, 6.6), (50.0, 7.2), (66.0, 8.6), (90.0, 9.2), (120.0, 10.4))
_LARGEST_TYPE = 12.0


@dataclass(frozen=True, slots=True)
class Laid:
    """The pages of each face, one where it fits, and the document that they were laid out in."""

    pages: dict[Face, list[Page]]
    document: Document


def type_sizes(stock: Stock) -> list[float]:
    """The sizes of type to try on such a card, in points, the largest first."""
    largest = next((size for width, size in _TYPE_BY_WIDTH if stock.width < width), _LARGEST_TYPE)
    step = (largest - SMALLEST_TYPE) / (STEPS - 1)
    return [round(largest - place * step, 2) for place in range(STEPS)]


def lay_faces(
    faces: Iterable[Face], stock: Stock, styles: Sequence[str], accent: str, *, title: str, bleed: float
) -> Laid:
    """Lay out every face in the largest type in which it takes one page.

    One that needs more even in the smallest type is set so that it needs least, and goes on on the back. `styles` name
    files of styles/ on top of `cards`. Raises TooSlowError when the time of this thread is over.
    """
    setter = _Setter(stock, styles, accent, title, bleed)
    sizes = type_sizes(stock)
    found = setter.lay(dict.fromkeys(faces), sizes[0])
    # Which type is small enough is estimated, and tried; where it is not, the next smaller one is.
    tries = {face: _first_try(pages, sizes) for face, pages in found.items() if len(pages) > 1}
    for step, size in enumerate(sizes):
        here = [face for face, first in tries.items() if first <= step and len(found[face]) > 1]
        for face, pages in setter.lay(here, size).items():
            if len(pages) < len(found[face]):
                found[face] = pages
    if setter.document is None:
        raise ValueError("there are no cards to lay out")
    return Laid(found, setter.document)


def _first_try(pages: Sequence[Page], sizes: Sequence[float]) -> int:
    """The place in `sizes` of the type that a face laid out in the first of them should fit in, else of the smallest.

    Text takes room by the square of its size.
    """
    last = pages[-1]._page_box
    section = last.children[0].children[0].children[-1]
    fill = len(pages) - 1 + section.margin_height() / last.height
    most = sizes[0] * fill**-0.5
    return next((place for place, size in enumerate(sizes) if size <= most), len(sizes) - 1)


class _Setter:
    """Lays faces out in one type after another. What is written needs the document that came first."""

    def __init__(self, stock: Stock, styles: Sequence[str], accent: str, title: str, bleed: float) -> None:
        self.document: Document | None = None
        self._stock, self._styles, self._accent, self._title = stock, ["cards", *styles], accent, title
        self._bleed = bleed

    def lay(self, faces: Iterable[Face], size: float) -> dict[Face, list[Page]]:
        """The pages of each face in one size of type."""
        wanted = list(faces)
        if not wanted:
            return {}
        more = measures_of(self._stock, size, self._bleed)
        made = lay_out(html_of(wanted, self._title, self._accent), self._styles, self._accent, more=more)
        # Fonts and metadata of what is written come from the first document; all of them share the fonts.
        self.document = self.document or made
        return dict(zip(wanted, _by_face(made.pages, len(wanted)), strict=True))


def html_of(faces: Sequence[Face], title: str, accent: str) -> str:
    """The faces as a document, each a section that begins on a page."""
    context = {
        "faces": faces,
        "title": title,
        "language": get_language() or "en",
        "accent": colour_of(accent),
        "on_band": BLACK if accent == BLACK else "#fff",
    }
    return render_to_string("paper/deck.html", context)


def measures_of(stock: Stock, size: float, bleed: float) -> str:
    """What depends on the size of a card and of its type."""
    return f"@page {{ size: {stock.width}mm {stock.height}mm; bleed: {bleed}mm }}\nbody {{ font-size: {size}pt }}"


def _by_face(pages: Sequence[Page], count: int) -> list[list[Page]]:
    """The pages shared out among the faces that begin on them."""
    shares: list[list[Page]] = [[] for _ in range(count)]
    current = 0
    for page in pages:
        current = next((int(anchor[1:]) for anchor in page.anchors), current)
        shares[current].append(page)
    return shares
