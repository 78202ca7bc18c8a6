"""Frames of unit cards change the edge and nothing else."""

import io
import re
import time
from collections.abc import Iterator
from dataclasses import replace

import pypdf
import pytest

from catalogue.definitions.identity import Frame
from catalogue.formats.packs.load import SHIPPED
from roster.pdf.imposition.card_face import Face, FaceKind
from roster.pdf.imposition.card_format import CardSize, get_format
from roster.pdf.imposition.layout import lay_faces
from roster.pdf.imposition.list_cards import build_unit_cards
from roster.pdf.imposition.set_face import CardLook, set_faces
from roster.pdf.render import write_pdf
from roster.pdf.weasyprint_hooks import limit_time
from tests.full_lists import IDENTITY, full_sheet
from tests.roster.paper_tools import words_in
from tests.roster.test_pdf_every_pack import find_overlaps
from tests.roster.test_pdf_tags import check_accessible

pytestmark = pytest.mark.slow

DRAWN = [frame for frame in Frame if frame is not Frame.BAR]
BACK = Face(title="A game", lead="Necrons · HQ", foot="9th", kind=FaceKind.PLAIN)
EDGE = 2.8


@pytest.fixture(autouse=True)
def _in_time() -> Iterator[None]:
    with limit_time(time.monotonic() + 240):
        yield


def look(frame: Frame, size: CardSize = CardSize.POKER, **more: object) -> CardLook:
    return CardLook(
        card_format=get_format(size), dark=IDENTITY.dark, light=IDENTITY.light, emblem="heron", frame=frame, **more
    )


def fronts() -> list[Face]:
    return [card.front for card in build_unit_cards(full_sheet(SHIPPED / "wh40k" / "ninth", 12))]


def bodies(side: str) -> str:
    return re.sub(r'<div class="corner"[^>]*></div>', "", side[side.index('<div class="body"') :])


@pytest.mark.parametrize("frame", DRAWN)
def test_a_frame_leaves_everything_below_the_band_as_it_is(frame: Frame) -> None:
    plain, framed = (set_faces(fronts(), look(one)) for one in (Frame.BAR, frame))
    assert plain
    for face, sides in plain.items():
        assert len(sides) == len(framed[face])
        assert list(map(bodies, sides)) == list(map(bodies, framed[face]))
        assert sides[0] != framed[face][0]
        # Only the front has a frame.
        assert sides[1:] == framed[face][1:]


@pytest.mark.parametrize("frame", DRAWN)
@pytest.mark.parametrize("size", [CardSize.MINI, CardSize.POKER, CardSize.TAROT])
def test_words_keep_from_the_cut_and_from_the_number(frame: Frame, size: CardSize) -> None:
    card_look = look(frame, size)
    document = lay_faces([*fronts()[:6], BACK], card_look, title="T").document
    pdf = write_pdf(document, document.pages)
    width = card_look.card_format.width
    pages = words_in(pdf)
    assert all(pages)
    for number, words in enumerate(pages):
        assert min(word[0] for word in words) >= EDGE - 0.05, number
        assert max(word[2] for word in words) <= width - EDGE + 0.05, number
        assert not find_overlaps(words), number
    check_accessible(pypdf.PdfReader(io.BytesIO(pdf)))


def test_ink_savers_and_cards_that_fill_a_sheet_keep_the_bar() -> None:
    face = fronts()[0]
    for more in ({"saves_ink": True}, {"fills_sheet": True}):
        plain, framed = (replace(look(frame), **more) for frame in (Frame.BAR, Frame.ARCH))
        assert set_faces([face, BACK], plain) == set_faces([face, BACK], framed)


def test_backs_differ_by_frame() -> None:
    backs = {frame: set_faces([BACK], look(frame))[BACK][0] for frame in Frame}
    assert len(set(backs.values())) == len(Frame)
    assert all("Necrons · HQ" in back for back in backs.values())
