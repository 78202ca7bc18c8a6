"""Cards laid out, each a page of its own size: text that is too much shrinks, then goes on on a further page.

Nothing can overflow: a card is a page, and what does not fit a page is broken over to the next one.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.template.loader import render_to_string
from django.utils.translation import get_language
from weasyprint import Document
from weasyprint.document import Page

from roster.pdf.imposition.card_face import Face
from roster.pdf.imposition.card_format import Stock
from roster.pdf.imposition.fit import (
    SMALLEST_TYPE,
    back_title,
    fitted,
    foot_type,
    guessed,
    has_tall_foot,
    room_below,
    usual_type,
)
from roster.pdf.render import colour_of, lay_out

FRAME = 9.0
"""Millimetres that a frame and what is around it take of a card's height."""
BLACK = "#000"
"""The accent of prints that save ink."""
STEPS = 7
"""Sizes of type that are tried, the largest and the smallest among them."""
BACK_TITLE = 1.75
"""How much larger than usual the type of a back's title is."""
GROWTH = 1.18
"""How much larger than usual the type of a card with few words is."""


@dataclass(frozen=True, slots=True)
class Laid:
    """The pages of each face, one where it fits, and the document that they were laid out in."""

    pages: dict[Face, list[Page]]
    document: Document


def type_sizes(stock: Stock) -> list[float]:
    """The sizes of type to try on such a card, in points, the largest first, each a like share smaller."""
    largest = usual_type(stock) * GROWTH
    share = (SMALLEST_TYPE / largest) ** (1 / (STEPS - 1))
    return [round(largest * share**place, 2) for place in range(STEPS)]


def lay_faces(
    faces: Iterable[Face], stock: Stock, styles: Sequence[str], accent: str, *, title: str, bleed: float
) -> Laid:
    """Lay out every face in the largest type in which it takes one page.

    One that needs more even in the smallest type is set in the largest in which it needs as few, and goes on on the
    back. `styles` name files of styles/ on top of `cards`. Raises TooSlowError when the time of this thread is over.
    """
    setter = _Setter(stock, ["cards", *styles], accent, title, bleed)
    found = _search(setter, dict.fromkeys(faces, 1))
    long = {face: len(pages) for face, pages in found.items() if len(pages) > 1}
    found |= _search(setter, long)
    if setter.document is None:
        raise ValueError("there are no cards to lay out")
    return Laid(found, setter.document)


def lay_at(
    faces: Iterable[Face], stock: Stock, styles: Sequence[str], accent: str, *, title: str, size: float
) -> dict[Face, list[Page]]:
    """The pages of every face in one size of type. `styles` name files of styles/. Raises TooSlowError likewise."""
    return _Setter(stock, styles, accent, title, bleed=0.0).lay(dict.fromkeys(faces), size)


def _search(setter: "_Setter", wanted: Mapping[Face, int]) -> dict[Face, list[Page]]:
    """Pages of faces in the largest type in which they are no more than wanted, else in the smallest."""
    sizes = type_sizes(setter.stock)
    # Which type is small enough is guessed, and tried; where it is not, the next smaller one is.
    first = {face: guessed(face, setter.stock, sizes, pages) for face, pages in wanted.items()}
    found: dict[Face, list[Page]] = {}
    for step, size in enumerate(sizes):
        here = [face for face, start in first.items() if start <= step]
        for face, pages in setter.lay(here, size).items():
            found[face] = pages
            if len(pages) <= wanted[face]:
                del first[face]
    return found


class _Setter:
    """Lays faces out in one type after another. What is written needs the document that came first."""

    def __init__(self, stock: Stock, styles: Sequence[str], accent: str, title: str, bleed: float) -> None:
        self.document: Document | None = None
        self.stock, self._styles, self._accent, self._title = stock, styles, accent, title
        self._bleed = bleed
        self._reading = "reading" in styles
        # Bands are filled but where ink is saved, and where cards are read.
        self._on_band = colour_of(accent) if accent == BLACK or self._reading else "#fff"

    def lay(self, faces: Iterable[Face], size: float) -> dict[Face, list[Page]]:
        """The pages of each face in one size of type."""
        wanted = list(faces)
        if not wanted:
            return {}
        more = measures_of(self.stock, size, self._bleed, wanted)
        html = html_of(
            [self._set(face, size) for face in wanted], self._title, self._accent, on_band=self._on_band
        )
        made = lay_out(html, self._styles, self._accent, more=more)
        # Fonts and metadata of what is written come from the first document; all of them share the fonts.
        self.document = self.document or made
        return dict(zip(wanted, _by_face(made.pages, len(wanted)), strict=True))

    def _set(self, face: Face, size: float) -> Face:
        tall = not self._reading and has_tall_foot(face, self.stock)
        return replace(fitted(face, self.stock, size), tall_foot=tall)


def html_of(faces: Sequence[Face], title: str, accent: str, *, on_band: str = "#fff") -> str:
    """The faces as a document, each a section that begins on a page. `on_band` is the colour of signs on bands."""
    context = {
        "faces": faces,
        "title": title,
        "language": get_language() or "en",
        "accent": colour_of(accent),
        "on_band": on_band,
    }
    return render_to_string("paper/deck.html", context)


def measures_of(stock: Stock, size: float, bleed: float, faces: Sequence[Face]) -> str:
    """What depends on the size of a card and of its type, and for backs on their titles."""
    usual = usual_type(stock)
    title = back_title(faces, stock, usual * BACK_TITLE)
    below, tall = room_below(stock, 1), room_below(stock, 2)
    small = max(SMALLEST_TYPE, round(usual * 0.7, 2))
    return f"""@page {{ size: {stock.width}mm {stock.height}mm; bleed: {bleed}mm;
  margin-bottom: {below}mm;
  @bottom-left {{ font-size: {foot_type(stock)}pt }} }}
@page tall-foot {{ margin-bottom: {tall}mm }}
body {{ font-size: {size}pt }} .band {{ font-size: {usual}pt }} .plain, .token {{ font-size: {usual}pt }}
.kicker {{ font-size: {small}pt }} .frame h1 {{ font-size: {title:.2f}pt }}
.frame td {{ height: {stock.height - FRAME}mm }} .token td {{ height: {stock.height}mm }}"""


def _by_face(pages: Sequence[Page], count: int) -> list[list[Page]]:
    """The pages shared out among the faces that begin on them."""
    shares: list[list[Page]] = [[] for _ in range(count)]
    current = 0
    for page in pages:
        current = next((int(anchor[1:]) for anchor in page.anchors), current)
        shares[current].append(page)
    return shares
