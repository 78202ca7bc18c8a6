"""Everything for a game in one file: both lists, the mission, its objectives and maps, a score sheet, the reference."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.template.loader import render_to_string
from django.utils.translation import get_language

from roster.pdf.cache import SheetCache
from roster.pdf.decks.faces import PrintCard, faces_of
from roster.pdf.decks.stock import PAPERS, Stock, grid_of
from roster.pdf.options import Ink, Paper
from roster.pdf.pile import laid_out
from roster.pdf.sheets import LONGEST_WAIT, Busy, Order, ordered_sheet
from roster.pdf.stamp import program_stamp
from roster.pdf.turns import TooSlowError, turn

if TYPE_CHECKING:
    from roster.pdf.decks.imposing import SheetPage

EDGE = 20
"""Millimetres of a sheet that tiles leave free, both edges together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tiles:
    """Cards to be read on sheets, not cut out: so many columns of two rows."""

    title: str
    cards: tuple[PrintCard, ...]
    columns: int = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """A player on the score sheet: what scores, each a column."""

    name: str
    aims: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """The score sheet: a table for each player, a line for each turn."""

    title: str
    heading: str
    turns: tuple[int, ...]
    sides: tuple[Side, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GamePack:
    """What goes into the file, in this order."""

    title: str
    heading: str
    lists: tuple[Order, ...]
    before: tuple[Tiles, ...]
    scores: Scores
    after: tuple[Tiles, ...]
    paper: Paper = Paper.A4
    ink: Ink = Ink.LIGHT
    accent: str = ""

    @property
    def key(self) -> str:
        """The hash that the finished file is kept under, in hexadecimal: equal keys, equal bytes."""
        lists = [order.key for order in self.lists]
        parts = (
            program_stamp(),
            get_language(),
            self.title,
            self.heading,
            lists,
            self.before,
            self.scores,
            self.after,
            self.paper,
            self.ink,
            self.accent,
        )
        return sha256(repr(parts).encode()).hexdigest()


def render_pack(pack: GamePack) -> bytes:
    """The PDF, with contents and bookmarks. What was made once is not made again. Raises Busy."""
    given = settings.ARMYBUILDER
    kept = SheetCache(given["PDF_CACHE_DIR"], given["PDF_CACHE_MAX_BYTES"])
    key = pack.key
    if pdf := kept.get(key):
        return pdf
    with turn(kept.folder, given["PDF_LAYOUTS_AT_ONCE"], min(LONGEST_WAIT, given["PDF_SECONDS"])):
        pdf = kept.get(key) or _made(pack, key, time.monotonic() + given["PDF_SECONDS"])
    kept.put(key, pdf)
    return pdf


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of the file, laid out."""

    title: str
    pages: Sequence[Any]


def _made(pack: GamePack, key: str, end: float) -> bytes:
    from roster.pdf.render import deadline  # takes half a second, which only sheets have to wait for

    try:
        parts = list(_lists(pack, end))
        with deadline(end):
            parts += [_tiles(pack, tiles) for tiles in pack.before]
            parts.append(_Part(pack.scores.heading, _page(pack, "score", {"scores": pack.scores}).pages))
            parts += [_tiles(pack, tiles) for tiles in pack.after]
            contents = _page(pack, "contents", {"lines": _numbered(parts)})
            for number, part in enumerate(parts):
                part.pages[0].anchors[f"part-{number}"] = (0, 0, 0, 0)
            pages = [*contents.pages, *(page for part in parts for page in part.pages)]
            pdf: bytes = contents.copy(pages).write_pdf(pdf_identifier=key[:32].encode())
            return pdf
    except TooSlowError as error:
        raise Busy(f"the layout took too long: {error}", too_slow=True) from error


def _lists(pack: GamePack, end: float) -> Iterator[_Part]:
    for order in pack.lists:
        yield _Part(ordered_sheet(order).title, laid_out(order, end).pages)


def _numbered(parts: Sequence[_Part]) -> list[tuple[str, int]]:
    """Titles with the page of the file that each begins on, after one page of contents."""
    found, number = [], 2
    for part in parts:
        found.append((part.title, number))
        number += len(part.pages)
    return found


def _page(pack: GamePack, name: str, more: dict[str, Any]) -> Any:
    from roster.pdf.render import lay_out

    context = {"pack": pack, "language": get_language() or "en", **more}
    html = render_to_string(f"paper/pack/{name}.html", context)
    styles = ["paper", "pack", pack.paper.value, *(["saver"] if pack.ink is Ink.SAVER else [])]
    return lay_out(html, styles, _accent(pack))


def _tiles(pack: GamePack, tiles: Tiles) -> _Part:
    from roster.pdf.decks.imposing import impose
    from roster.pdf.decks.laying import lay_faces

    width, height = PAPERS[pack.paper]
    stock = Stock((width - EDGE) / tiles.columns, (height - EDGE) / 2)
    grid = grid_of(stock, pack.paper)
    assert grid is not None  # noqa: S101 - tiles are made to fit
    styles = ["saver"] if pack.ink is Ink.SAVER else []
    laid = lay_faces(faces_of(tiles.cards), stock, styles, _accent(pack), title=tiles.title, bleed=0)
    faces = [page for card in tiles.cards for page in laid.pages[card.front]]
    sheets: list[SheetPage] = list(impose([(page, None) for page in faces], grid, marks=False))
    sheets[0].bookmarks.append((1, tiles.title, (0, 0), "open"))
    return _Part(tiles.title, sheets)


def _accent(pack: GamePack) -> str:
    return "#000" if pack.ink is Ink.SAVER else pack.accent
