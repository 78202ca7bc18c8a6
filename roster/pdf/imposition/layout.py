"""Lay cards out, each as a page of its own size: long text shrinks, then continues on a further page.

Nothing can overflow: a card is a page, and what does not fit a page continues on the next one.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.template.loader import render_to_string
from django.utils.translation import get_language
from weasyprint import Document
from weasyprint.document import Page

from roster.pdf.imposition.card_face import Face
from roster.pdf.imposition.card_format import CardFormat
from roster.pdf.imposition.fit import (
    SMALLEST_TYPE,
    choose_foot_type,
    choose_usual_type,
    fit_back_title,
    fit_tables,
    guess_type_step,
    has_tall_foot,
    measure_room_below,
)
from roster.pdf.render import choose_colour, lay_out

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
class FaceLayout:
    """The pages of each face, one if it fits, and the document that they were laid out in."""

    pages: dict[Face, list[Page]]
    document: Document


def list_type_sizes(card_format: CardFormat) -> list[float]:
    """Return the sizes of type to try on such a card, in points, the largest first, in even ratios."""
    largest = choose_usual_type(card_format) * GROWTH
    share = (SMALLEST_TYPE / largest) ** (1 / (STEPS - 1))
    return [round(largest * share**step, 2) for step in range(STEPS)]


def lay_faces(
    faces: Iterable[Face],
    card_format: CardFormat,
    styles: Sequence[str],
    accent: str,
    *,
    title: str,
    bleed: float,
) -> FaceLayout:
    """Lay out every face in the largest type in which it takes one page.

    A face that needs more even in the smallest type is set in the largest in which it needs as few, and continues on
    the back. `styles` name files of styles/ on top of `cards`. Raises TooSlowError when the time of this thread is
    over.
    """
    setter = _Setter(card_format, ["cards", *styles], accent, title, bleed)
    pages_by_face = _lay_out_fitting(setter, dict.fromkeys(faces, 1))
    long = {face: len(pages) for face, pages in pages_by_face.items() if len(pages) > 1}
    pages_by_face |= _lay_out_fitting(setter, long)
    if setter.document is None:
        raise ValueError("there are no cards to lay out")
    return FaceLayout(pages_by_face, setter.document)


def lay_faces_at_size(
    faces: Iterable[Face],
    card_format: CardFormat,
    styles: Sequence[str],
    accent: str,
    *,
    title: str,
    size: float,
) -> dict[Face, list[Page]]:
    """Return the pages of every face in one size of type.

    `styles` name files of styles/. Raises TooSlowError when the time of this thread is over.
    """
    return _Setter(card_format, styles, accent, title, bleed=0.0).lay(dict.fromkeys(faces), size)


def _lay_out_fitting(setter: "_Setter", wanted: Mapping[Face, int]) -> dict[Face, list[Page]]:
    """Return the pages of faces in the largest type in which they are no more than wanted, or else in the smallest."""
    sizes = list_type_sizes(setter.card_format)
    # A layout is slow: it begins with the type that is estimated to fit, and goes on to smaller types if it does not.
    steps = {face: guess_type_step(face, setter.card_format, sizes, pages) for face, pages in wanted.items()}
    pages_by_face: dict[Face, list[Page]] = {}
    for step, size in enumerate(sizes):
        faces = [face for face, first_step in steps.items() if first_step <= step]
        for face, pages in setter.lay(faces, size).items():
            pages_by_face[face] = pages
            if len(pages) <= wanted[face]:
                del steps[face]
    return pages_by_face


class _Setter:
    """Lays faces out in one type after another, and keeps the first document, from which the file is written."""

    def __init__(
        self, card_format: CardFormat, styles: Sequence[str], accent: str, title: str, bleed: float
    ) -> None:
        self.document: Document | None = None
        self.card_format, self._styles, self._accent, self._title = card_format, styles, accent, title
        self._bleed = bleed
        self._reading = "reading" in styles
        # Bands are filled but where ink is saved, and where cards are read.
        self._on_band = choose_colour(accent) if accent == BLACK or self._reading else "#fff"

    def lay(self, faces: Iterable[Face], size: float) -> dict[Face, list[Page]]:
        """Return the pages of each face in one size of type."""
        wanted = list(faces)
        if not wanted:
            return {}
        more = format_measures(self.card_format, size, self._bleed, wanted)
        html = render_faces(
            [self._fit_face(face, size) for face in wanted], self._title, self._accent, on_band=self._on_band
        )
        document = lay_out(html, self._styles, self._accent, more=more)
        # Fonts and metadata of what is written come from the first document; all of them share the fonts.
        self.document = self.document or document
        return dict(zip(wanted, _group_by_face(document.pages, len(wanted)), strict=True))

    def _fit_face(self, face: Face, size: float) -> Face:
        tall = not self._reading and has_tall_foot(face, self.card_format)
        return replace(fit_tables(face, self.card_format, size), tall_foot=tall)


def render_faces(faces: Sequence[Face], title: str, accent: str, *, on_band: str = "#fff") -> str:
    """Render the faces as a document, each a section on a page of its own. `on_band` colours signs on bands."""
    context = {
        "faces": faces,
        "title": title,
        "language": get_language() or "en",
        "accent": choose_colour(accent),
        "on_band": on_band,
    }
    return render_to_string("paper/deck.html", context)


def format_measures(card_format: CardFormat, size: float, bleed: float, faces: Sequence[Face]) -> str:
    """Return the style that depends on the size of a card and of its type, and for backs on their titles."""
    usual = choose_usual_type(card_format)
    title = fit_back_title(faces, card_format, usual * BACK_TITLE)
    below, tall = measure_room_below(card_format, 1), measure_room_below(card_format, 2)
    small = max(SMALLEST_TYPE, round(usual * 0.7, 2))
    return f"""@page {{ size: {card_format.width}mm {card_format.height}mm; bleed: {bleed}mm;
  margin-bottom: {below}mm;
  @bottom-left {{ font-size: {choose_foot_type(card_format)}pt }} }}
@page tall-foot {{ margin-bottom: {tall}mm }}
body {{ font-size: {size}pt }} .band {{ font-size: {usual}pt }} .plain, .token {{ font-size: {usual}pt }}
.kicker {{ font-size: {small}pt }} .frame h1 {{ font-size: {title:.2f}pt }}
.frame td {{ height: {card_format.height - FRAME}mm }} .token td {{ height: {card_format.height}mm }}"""


def _group_by_face(pages: Sequence[Page], count: int) -> list[list[Page]]:
    """Return the pages of each face, in the order of the faces that begin on them."""
    shares: list[list[Page]] = [[] for _ in range(count)]
    current = 0
    for page in pages:
        # The section of face 7 has the id f7; a page without such an anchor continues the face before.
        current = next((int(anchor[1:]) for anchor in page.anchors), current)
        shares[current].append(page)
    return shares
