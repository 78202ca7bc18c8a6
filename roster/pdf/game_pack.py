"""Everything for a game in one file: both lists, the mission, its objectives and maps, a score sheet, the reference."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string
from django.utils.translation import get_language

from roster.pdf.batch import laid_out
from roster.pdf.cache import SheetCache
from roster.pdf.imposition.card_face import Reading
from roster.pdf.render_lock import TooSlowError, turn
from roster.pdf.renderer_version import program_stamp
from roster.pdf.sheet_job import LONGEST_WAIT, Busy, Order, ordered_sheet
from roster.pdf.sheet_options import Ink, Paper


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """Who plays, as far as is known: the name of a player, that of a list, the side of the mission by its id."""

    player: str = ""
    list_name: str = ""
    side: str = ""


NOBODY_YET = Seat()


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """A player on the score sheet: what is noted in each turn and what scores, each a column."""

    name: str
    columns: tuple[str, ...] = ()
    aims: tuple[str, ...] = ()
    seat: Seat = NOBODY_YET


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """A line below the turns: words, and room to write or boxes to tick."""

    name: str
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """The score sheet: a table for each player, a line for each turn, and what is counted once in a game."""

    title: str
    heading: str
    turn: str
    turns: tuple[int, ...]
    total: str
    sides: tuple[Side, ...]
    tallies: tuple[Tally, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GamePack:
    """What goes into the file, in this order."""

    title: str
    heading: str
    lists: tuple[Order, ...]
    before: tuple[Reading, ...]
    scores: Scores
    after: tuple[Reading, ...]
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
    from roster.pdf.render import deadline, write  # takes half a second, which only sheets have to wait for

    try:
        parts = list(_lists(pack, end))
        with deadline(end):
            parts += [_read(pack, reading) for reading in pack.before]
            parts.append(_Part(pack.scores.heading, _page(pack, "score", {"scores": pack.scores}).pages))
            parts += [_read(pack, reading) for reading in pack.after]
            contents = _page(pack, "contents", {"lines": _numbered(parts)})
            for number, part in enumerate(parts):
                part.pages[0].anchors[f"part-{number}"] = (0, 0, 0, 0)
            pages = _with_numbers(pack, [*contents.pages, *(page for part in parts for page in part.pages)])
            return write(contents, pages, key[:32].encode())
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
    styles = ["paper", "pack", pack.paper.value, *_styles(pack)]
    return lay_out(html, styles, _accent(pack))


def _read(pack: GamePack, reading: Reading) -> _Part:
    from roster.pdf.imposition.reading_sheet import reading_sheets

    return _Part(reading.title, reading_sheets(reading, pack.paper, _styles(pack), _accent(pack)).sheets)


def _with_numbers(pack: GamePack, pages: Sequence[Any]) -> list[Any]:
    """The pages with their number in the whole file at the foot."""
    from roster.pdf.imposition.reading_sheet import Composed, Piece

    numbers = _page(pack, "numbers", {"pages": pages}).pages
    return [Composed(page, [Piece(number)]) for page, number in zip(pages, numbers, strict=True)]


def _styles(pack: GamePack) -> list[str]:
    return ["saver"] if pack.ink is Ink.SAVER else []


def _accent(pack: GamePack) -> str:
    return "#000" if pack.ink is Ink.SAVER else pack.accent
