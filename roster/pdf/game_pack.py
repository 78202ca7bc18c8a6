"""Everything for a game in one file: both lists, the mission, its objectives and maps, a score sheet, the reference."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.template.loader import render_to_string
from django.utils.translation import get_language

from roster.pdf.imposition.card_face import ReadingSection
from roster.pdf.imposition.reading_sheet import Composed, Piece, lay_out_reading
from roster.pdf.print_job import PrintJob
from roster.pdf.render import lay_out, write_pdf
from roster.pdf.sheet_job import SheetJob, lay_out_sheet
from roster.pdf.sheet_options import Ink, PaperSize


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """Who plays, as far as is known: the name of a player, that of a list, the id of a side of the mission."""

    player: str = ""
    list_name: str = ""
    side: str = ""


NOBODY_YET = Seat()


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreSide:
    """A player on the score sheet: the columns to fill in each turn, and the aims that score, a column each."""

    name: str
    columns: tuple[str, ...] = ()
    aims: tuple[str, ...] = ()
    seat: Seat = NOBODY_YET


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreTally:
    """A line below the turns: words, and room to write or boxes to tick."""

    name: str
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """The score sheet: a table for each player with a line for each turn, and what is counted once in a game."""

    title: str
    heading: str
    turn: str
    turns: tuple[int, ...]
    total: str
    sides: tuple[ScoreSide, ...]
    tallies: tuple[ScoreTally, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GamePackJob(PrintJob):
    """The parts of the file, in their order."""

    title: str
    heading: str
    lists: tuple[SheetJob, ...]
    before: tuple[ReadingSection, ...]
    scores: Scores
    after: tuple[ReadingSection, ...]
    paper: PaperSize = PaperSize.A4
    ink: Ink = Ink.LIGHT
    accent: str = ""

    @property
    def content(self) -> tuple[object, ...]:
        """The keys of the lists, and all that goes in beside them."""
        return (
            self.title,
            self.heading,
            [job.key for job in self.lists],
            self.before,
            self.scores,
            self.after,
            self.paper,
            self.ink,
            self.accent,
        )

    def make_pdf(self, identifier: bytes) -> bytes:
        """Lay out all parts, then the contents, which need the numbers of their pages."""
        parts = [_lay_out_list(job) for job in self.lists]
        parts += [_lay_out_reading(self, reading) for reading in self.before]
        parts.append(_Part(self.scores.heading, _lay_out_page(self, "score", {"scores": self.scores}).pages))
        parts += [_lay_out_reading(self, reading) for reading in self.after]
        contents = _lay_out_page(self, "contents", {"lines": _number_parts(parts)})
        for number, part in enumerate(parts):
            part.pages[0].anchors[f"part-{number}"] = (0, 0, 0, 0)
        pages = _add_page_numbers(self, [*contents.pages, *(page for part in parts for page in part.pages)])
        return write_pdf(contents, pages, identifier)


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of the file, laid out."""

    title: str
    pages: Sequence[Any]


def _lay_out_list(job: SheetJob) -> _Part:
    sheet = job.build_sheet()
    return _Part(sheet.title, lay_out_sheet(sheet, job.options).pages)


def _number_parts(parts: Sequence[_Part]) -> list[tuple[str, int]]:
    """Return titles with the page on which each part begins, after one page of contents."""
    numbered_titles, number = [], 2
    for part in parts:
        numbered_titles.append((part.title, number))
        number += len(part.pages)
    return numbered_titles


def _lay_out_page(pack: GamePackJob, name: str, more: dict[str, Any]) -> Any:
    context = {"pack": pack, "language": get_language() or "en", **more}
    html = render_to_string(f"paper/pack/{name}.html", context)
    styles = ["paper", "pack", pack.paper.value, *_list_styles(pack)]
    return lay_out(html, styles, _choose_accent(pack))


def _lay_out_reading(pack: GamePackJob, reading: ReadingSection) -> _Part:
    return _Part(
        reading.title, lay_out_reading(reading, pack.paper, _list_styles(pack), _choose_accent(pack)).sheets
    )


def _add_page_numbers(pack: GamePackJob, pages: Sequence[Any]) -> list[Any]:
    """Return the pages with their number in the whole file at the foot."""
    numbers = _lay_out_page(pack, "numbers", {"pages": pages}).pages
    return [Composed(page, [Piece(number)]) for page, number in zip(pages, numbers, strict=True)]


def _list_styles(pack: GamePackJob) -> list[str]:
    return ["saver"] if pack.ink is Ink.SAVER else []


def _choose_accent(pack: GamePackJob) -> str:
    return "#000" if pack.ink is Ink.SAVER else pack.accent
