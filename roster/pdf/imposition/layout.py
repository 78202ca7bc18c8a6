"""Lay out all sides of cards in one pass, each as a page of its own size."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain, islice

from django.utils.safestring import SafeString
from django.utils.translation import get_language
from weasyprint import Document
from weasyprint.document import Page

from roster.pdf.imposition.card_face import Face
from roster.pdf.imposition.set_face import CardLook, set_faces
from roster.pdf.markup import tag
from roster.pdf.render import lay_out

CARD_STYLES = ("cards", "datasheet")


@dataclass(frozen=True, slots=True)
class FaceLayout:
    """The pages of each face: several if its text continues."""

    pages: dict[Face, list[Page]]
    document: Document

    def get_pages(self, face: Face | None) -> list[Page]:
        return self.pages[face] if face else []


def lay_faces(faces: Iterable[Face], look: CardLook, *, title: str) -> FaceLayout:
    """Lay out all faces. Raises TooSlowError."""
    sides_by_face = set_faces(dict.fromkeys(faces), look)
    sides = list(chain.from_iterable(sides_by_face.values()))
    if not sides:
        raise ValueError("there are no cards to lay out")
    document = lay_out(render_sides(sides, title), CARD_STYLES, format_page(look))
    pages = iter(document.pages)
    pages_by_face = {face: list(islice(pages, len(face_sides))) for face, face_sides in sides_by_face.items()}
    return FaceLayout(pages_by_face, document)


def lay_blank_side(look: CardLook) -> Page:
    return lay_out(render_sides([tag("section", css="card")], ""), CARD_STYLES, format_page(look)).pages[0]


def render_sides(sides: Iterable[SafeString], title: str) -> str:
    head = tag("head", tag("title", title), SafeString('<meta name="generator" content="Armybuilder"/>'))
    body = tag("body", *sides)
    return SafeString(f'<html lang="{get_language() or "en"}">{head}{body}</html>')


def format_page(look: CardLook) -> str:
    width, height = look.card_format.width, look.card_format.height
    page = f"@page {{ size: {width}mm {height}mm; margin: 0; bleed: {look.bleed}mm }}"
    return f"{page} .card {{ width: {width}mm; height: {height}mm }}"
