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
from roster.pdf.render import lay_out

SMALLEST_TYPE = 5.4
"""Points. Smaller than this nothing is printed."""
STEPS = 5
_TYPE_BY_WIDTH = ((50.0, 7.2), (66.0, 8.6), (90.0, 9.2), (120.0, 10.4))
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
    """Lay out every face in the largest type in which it takes one page, else in the smallest.

    `styles` name files of styles/ on top of `cards`. Raises TooSlowError when the time of this thread is over.
    """
    open_faces = list(dict.fromkeys(faces))
    found: dict[Face, list[Page]] = {}
    document: Document | None = None
    for size in type_sizes(stock):
        if not open_faces:
            break
        made = lay_out(
            _html(open_faces, title),
            ["cards", *styles],
            accent,
            more=_measures(stock, size, bleed),
        )
        # Fonts and metadata of what is written come from the first document; all of them share the fonts.
        document = document or made
        found.update(zip(open_faces, _by_face(made.pages, len(open_faces)), strict=True))
        open_faces = [face for face in open_faces if len(found[face]) > 1]
    if document is None:
        raise ValueError("there are no cards to lay out")
    return Laid(found, document)


def _html(faces: Sequence[Face], title: str) -> str:
    return render_to_string(
        "paper/deck.html", {"faces": faces, "title": title, "language": get_language() or "en"}
    )


def _measures(stock: Stock, size: float, bleed: float) -> str:
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
