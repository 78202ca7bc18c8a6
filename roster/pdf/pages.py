"""Compose pages to read: bands, columns, feet. Lengths are in millimetres."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from catalogue.definitions.identity import UNKNOWN, Identity
from roster.pdf.flow import Part, Split, fill_faces, sum_heights
from roster.pdf.markup import break_lines, join, mm, tag
from roster.pdf.render import lay_out
from roster.pdf.shapes import ListSheet
from roster.pdf.sheet_options import PaperSize
from roster.pdf.type.measure import POINT, Face, fit_text, measure_width
from roster.pdf.type.signs import find_sign
from roster.wording import cards as words

PAPERS = {PaperSize.A4: (210.0, 297.0), PaperSize.LETTER: (215.9, 279.4)}
MARGIN, FOOT = 10.0, 15.0
"""At the sides and top; at the bottom, including the foot."""
GUTTER, GAP = 3.0, 2.2
"""Between columns, and between blocks in a column."""
BAND, BAND_GAP = 15.0, 2.6
LINE = 1.08
"""The leading of two lines in a band."""
SHORTENING_STEPS = 64
BLACK, WHITE = "#111", "#fff"


_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")


def choose_colour(text: str, otherwise: str = BLACK) -> str:
    """Return a colour if it is valid, else another, because styles contain it unescaped."""
    return text if _COLOUR.fullmatch(text) else otherwise


@dataclass(frozen=True, slots=True, kw_only=True)
class PageLook:
    paper: PaperSize = PaperSize.A4
    identity: Identity = UNKNOWN
    saves_ink: bool = False

    @property
    def width(self) -> float:
        """The text's width."""
        return PAPERS[self.paper][0] - 2 * MARGIN

    @property
    def height(self) -> float:
        """The text's height."""
        return PAPERS[self.paper][1] - MARGIN - FOOT

    @property
    def dark(self) -> str:
        return BLACK if self.saves_ink else choose_colour(self.identity.dark)

    @property
    def light(self) -> str:
        return BLACK if self.saves_ink else choose_colour(self.identity.light, WHITE)

    def measure_column(self, columns: int) -> float:
        return (self.width - (columns - 1) * GUTTER) / columns

    @property
    def fill(self) -> str:
        if self.saves_ink:
            return f"color:{BLACK};border-bottom:.4mm solid {BLACK}"
        return f"background:{self.dark};color:#fff"


@dataclass(frozen=True, slots=True)
class PaperPage:
    content: SafeString
    foot: str = ""


FLOWING = 2
"""The fewest parts that stay with the heading of a flowing group."""


@dataclass(frozen=True, slots=True)
class Group(Part):
    """Parts that stay together under a heading unless they are higher than a column.

    A group that `flows` breaks after two or more parts, then continues under `again`. A `movable` group may come
    earlier to fill the end of a column.
    """

    heading: Part
    parts: tuple[Part, ...]
    gap: float = GAP
    css: str = ""
    padding: float = 0.0
    flows: bool = False
    movable: bool = False
    again: Part | None = None

    @property
    def height(self) -> float:
        return self.heading.height + sum(part.height for part in self.parts) + self.padding + self.gap

    def render(self, more_gap: float = 0.0) -> SafeString:
        inside = tag("div", *(part.render() for part in self.parts), css="in")
        style = f"margin-bottom:{mm(self.gap + more_gap)}"
        return tag("div", self.heading.render(), inside, css=self.css, style=style)

    def split(self, room: float, *, is_first: bool) -> Split:
        if self.height - self.gap <= room:
            return Split(self, None)
        below = room - self.heading.height - self.padding
        # A heading above a single part at the end of a column looks like a mistake.
        can_begin = self.flows and sum(part.height for part in self.parts[:FLOWING]) <= below
        if not is_first and not can_begin:
            return Split(None, self)
        first, *others = fill_faces(self.parts, below, below)
        # Join the rest: the next column may be higher than this one.
        rest = tuple(chain.from_iterable(others))
        fitting = replace(self, parts=tuple(first))
        heading = self.again or self.heading
        return Split(fitting, replace(self, parts=rest, heading=heading) if rest else None)


def fill_columns(parts: Sequence[Part], rooms: Sequence[float], columns: int = 2) -> list[list[list[Part]]]:
    """Arrange parts by page and column in reading order, with even columns on the last page.

    `rooms` are page heights; the last applies to all further pages.
    """
    filled, last = _fill(parts, rooms, columns)
    pages = [filled[start : start + columns] for start in range(0, len(filled), columns)]
    pages[-1] = _shorten_columns(pages[-1], last, rooms[min(len(pages), len(rooms)) - 1], columns)
    return pages


def _shorten_columns(page: list[list[Part]], parts: Sequence[Part], limit: float, columns: int) -> list[list[Part]]:
    low, high, best = 0, SHORTENING_STEPS, page
    while high - low > 1:
        middle = (low + high) // 2
        room = limit * middle / SHORTENING_STEPS
        tried = fill_faces(parts, room, room)
        # A part that never breaks may be higher than the tried room. Blocks break only if they must.
        is_whole = _count_blocks(tried) <= _count_blocks(page)
        if len(tried) <= columns and is_whole and all(measure_parts(column) <= room for column in tried):
            high, best = middle, tried
        else:
            low = middle
    return best


def _count_blocks(page: Iterable[Iterable[Part]]) -> int:
    return sum(isinstance(part, Group) and part.movable for part in chain.from_iterable(page))


def _fill(parts: Sequence[Part], rooms: Sequence[float], columns: int) -> tuple[list[list[Part]], list[Part]]:
    filled: list[list[Part]] = [[]]
    left = rooms[0]
    pending = list(parts)
    last = list(parts)
    while pending:
        part = pending.pop(0)
        room = rooms[min((len(filled) - 1) // columns, len(rooms) - 1)]
        # A part that is too high for the first page may fit the next one whole.
        is_full = not filled[-1] and room >= max(rooms)
        split = part.split(left, is_first=is_full)
        if split.fitting is None and filled[-1] and (place := _find_filling(pending, left)) is not None:
            pending.insert(0, part)
            split = Split(pending.pop(place + 1), None)
        if split.fitting is not None:
            filled[-1].append(split.fitting)
            left -= split.fitting.height
        if split.rest is not None:
            pending.insert(0, split.rest)
            if len(filled) % columns == 0:
                last = list(pending)
            filled.append([])
            left = rooms[min((len(filled) - 1) // columns, len(rooms) - 1)]
    return filled, last


def _find_filling(pending: Sequence[Part], room: float) -> int | None:
    for place, part in enumerate(pending):
        if isinstance(part, Group) and part.movable and part.height - part.gap <= room:
            return place
    return None


def measure_parts(parts: Iterable[Part]) -> float:
    """Return a column's height without the last gap."""
    total = sum_heights(parts)
    return total - GAP if total else 0.0


def render_columns(columns: Sequence[Sequence[Part]], look: PageLook, count: int = 2) -> SafeString:
    """Render columns side by side, each as wide as one of `count`."""
    width = look.measure_column(count)
    parts = []
    for number, column in enumerate(columns):
        body = join([part.render() for part in column])
        # The last column floats right, so that rounding never pushes it below the others.
        side = "right" if number == count - 1 and count > 1 else "left"
        gap = f";margin-right:{mm(GUTTER)}" if number < count - 2 else ""
        parts.append(tag("div", body, style=f"float:{side};width:{mm(width)}{gap}"))
    return join([*parts, tag("div", css="clear")])


@dataclass(frozen=True, slots=True)
class BandSpan:
    left: float
    room: float

    def render(
        self, element: str, text: str, face: Face, sizes: tuple[float, float], height: float, css: str = ""
    ) -> SafeString:
        """Render a text on one line, or on two of half the height if one would cut it."""
        fitted = fit_text(text, face, self.room, *sizes, 2, min(sizes[1], height / 2 / LINE / POINT))
        style = f"left:{mm(self.left)};font-size:{fitted.size:g}pt"
        if len(fitted.lines) > 1:
            style = f"{style};line-height:{mm(fitted.size * LINE * POINT)}"
        return tag(element, break_lines(fitted.lines), css=css, style=style)


def render_band(
    title: str, sub: str, look: PageLook, emblem: str = "", *, aside: str = "", boxes: str = "", width: float = 0.0
) -> SafeString:
    """Render the band at the top of a page or of a narrower part, with `boxes` below the word `aside` on its right."""
    sign = find_sign(emblem or look.identity.emblem)
    left = 17.0 if sign else 3.0
    beside = max(measure_width(aside, "text", 8), measure_width(boxes, "signs", 12)) + 3.0 if aside else 0.0
    room = (width or look.width) - left - 3.0 - beside
    span = BandSpan(left, room)
    pieces = [tag("p", sign, css="em")] if sign else []
    pieces.append(span.render("h1", title, "name", (18, 10), 7.0))
    pieces.append(span.render("p", sub, "semi", (9, 7), 5.2, "sub"))
    if aside:
        pieces += [tag("p", aside, css="aside"), tag("p", tag("s", boxes), css="aside boxes")]
    return tag("div", *pieces, css="pb", style=look.fill)


def format_foot(sheet: ListSheet) -> str:
    imprint = sheet.imprint
    revision = words.format_revision(imprint.revision) if imprint.revision else ""
    return " · ".join(filter(None, (sheet.title, revision, imprint.short_hash)))


PAGE_STYLES = ("pages", "datasheet")


def compose_document(
    pages: Sequence[PaperPage], title: str, about: str = "", *, saves_ink: bool = False, numbered: bool = True
) -> str:
    """Return the HTML document. `about` is its description."""
    sections = []
    for number, page in enumerate(pages, 1):
        foot = tag("p", page.foot, tag("span", f"{number} / {len(pages)}"), css="ft") if numbered else ""
        sections.append(tag("section", page.content, foot, css="pg"))
    metadata = SafeString('<meta name="generator" content="Armybuilder"/>')
    if about:
        metadata += format_html('<meta name="description" content="{}"></meta>', about)
    head = tag("head", tag("title", title), metadata)
    return SafeString(
        f'<html lang="{get_language() or "en"}">{head}{tag("body", *sections, css="saver" if saves_ink else "")}</html>'
    )


def format_paper(look: PageLook) -> str:
    width, height = PAPERS[look.paper]
    page = f"@page {{ size: {mm(width)} {mm(height)}; margin: 0 }}"
    return f"{page} .pg {{ width: {mm(look.width)}; height: {mm(height - 2 * MARGIN)}; padding: {mm(MARGIN)} }}"


def lay_out_blank_page(look: PageLook) -> Any:
    return lay_out(compose_document([], ""), PAGE_STYLES, format_paper(look)).pages[0]
