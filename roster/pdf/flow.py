"""Fill cards and columns with parts of known height. Rows stay with their heading; texts break last."""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from django.utils.safestring import SafeString

from catalogue.definitions.emphasis import split_runs
from roster.pdf.markup import join, mm, tag
from roster.pdf.paper_text import split_paragraphs
from roster.pdf.type.measure import POINT, TextRun, count_lines, has_wide_word


@dataclass(frozen=True, slots=True)
class Split:
    fitting: "Part | None"
    rest: "Part | None"


class Part(ABC):
    __slots__ = ()

    @property
    @abstractmethod
    def height(self) -> float:
        """Millimetres, including the gap below."""

    @abstractmethod
    def render(self, more_gap: float = 0.0) -> SafeString:
        """Return the markup, with a larger gap below."""

    @abstractmethod
    def split(self, room: float, *, is_first: bool) -> Split:
        """Split the part at this height. If it `is_first`, something must fit."""


@dataclass(frozen=True, slots=True)
class Solid(Part):
    """A part that never breaks. `content` is a single element without a style."""

    content_height: float
    content: SafeString
    gap: float = 0.0

    @property
    def height(self) -> float:
        return self.content_height + self.gap

    def render(self, more_gap: float = 0.0) -> SafeString:
        return tag(
            "div", self.content, style=f"height:{mm(self.content_height)};margin-bottom:{mm(self.gap + more_gap)}"
        )

    def split(self, room: float, *, is_first: bool) -> Split:
        return Split(self, None) if is_first or self.content_height <= room else Split(None, self)


@dataclass(frozen=True, slots=True)
class FittedRow:
    height: float
    content: SafeString


@dataclass(frozen=True, slots=True)
class RowTable(Part):
    """A table that repeats its heading when it breaks between rows. A `whole` table breaks only if it fills a face from
    the top.

    `opening` replaces the heading below a table with the same columns.
    """

    head_height: float
    head: SafeString
    rows: tuple[FittedRow, ...]
    css: str
    gap: float = 0.0
    whole: bool = False
    style: str = ""
    opening: FittedRow | None = None

    @property
    def heading(self) -> FittedRow:
        return self.opening or FittedRow(self.head_height, self.head)

    @property
    def height(self) -> float:
        return self.heading.height + sum(row.height for row in self.rows) + self.gap

    def render(self, more_gap: float = 0.0) -> SafeString:
        rows = [row.content for row in self.rows]
        style = ";".join(filter(None, (self.style, f"margin-bottom:{mm(self.gap + more_gap)}")))
        return tag("table", self.heading.content, *rows, css=self.css, style=style)

    def split(self, room: float, *, is_first: bool) -> Split:
        if is_first and self.opening:
            return replace(self, opening=None).split(room, is_first=True)
        if self.whole and not is_first and self.height - self.gap > room:
            return Split(None, self)
        used, count = self.heading.height, 0
        while count < len(self.rows) and used + self.rows[count].height <= room:
            used += self.rows[count].height
            count += 1
        # At the top, one row must fit even if it is cut off: otherwise it would be moved on for ever.
        count = count or int(is_first)
        fitting = replace(self, rows=self.rows[:count]) if count else None
        if count == len(self.rows):
            return Split(fitting, None)
        rest = replace(self, rows=self.rows[count:], opening=None) if count else self
        return Split(fitting, rest)


FEWEST_LINES = 2
"""The fewest lines on each side of a break."""


@dataclass(frozen=True, slots=True)
class Paragraph(Part):
    """Text in one size, `room` millimetres wide.

    It breaks if it is higher than a face or, if it `flows`, to fill a face.
    """

    runs: tuple[TextRun, ...]
    room: float
    size: float
    leading: float
    css: str = ""
    gap: float = 0.0
    style: str = ""
    flows: bool = False

    @property
    def lines(self) -> int:
        return count_lines(self.runs, self.room)

    @property
    def height(self) -> float:
        return self.lines * self.line_height + self.gap

    @property
    def line_height(self) -> float:
        return self.size * self.leading * POINT

    def render(self, more_gap: float = 0.0) -> SafeString:
        style = f"margin-bottom:{mm(self.gap + more_gap)};font-size:{self.size:g}pt;line-height:{mm(self.line_height)}"
        classes = [self.css, "any" if has_wide_word(self.runs, self.room) else ""]
        # Keep line breaks of the data; checking for wide words takes time.
        classes.append("lines" if any("\n" in run.text for run in self.runs) else "")
        if self.style:
            style = f"{style};{self.style}"
        return tag("p", *render_runs(self.runs, self.size), css=" ".join(filter(None, classes)), style=style)

    def split(self, room: float, *, is_first: bool) -> Split:
        if self.height - self.gap <= room:
            return Split(self, None)
        lines = int(room / self.line_height)
        if self.flows:
            lines = min(lines, self.lines - FEWEST_LINES)
        if not is_first and not (self.flows and lines >= FEWEST_LINES):
            return Split(None, self)

        # Find the number of words that fit by bisection: counting lines is slow.
        lines = max(1, lines)
        words: list[tuple[int, str]] = []
        for index, run in enumerate(self.runs):
            *before, last = run.text.split(" ")
            words += [(index, f"{word} ") for word in before]
            if last:
                words.append((index, last))
        low, high = 1, len(words)
        while low < high:
            middle = (low + high + 1) // 2
            if count_lines(self._join_words(words[:middle]), self.room) <= lines:
                low = middle
            else:
                high = middle - 1
        if low >= len(words):
            # A single word higher than the face is cut off.
            return Split(self, None)
        fitting, rest = self._join_words(words[:low]), self._join_words(words[low:])
        return Split(replace(self, runs=fitting), replace(self, runs=rest))

    def _join_words(self, words: Sequence[tuple[int, str]]) -> tuple[TextRun, ...]:
        runs = []
        for index in dict.fromkeys(index for index, _ in words):
            text = "".join(word for place, word in words if place == index)
            runs.append(self.runs[index]._replace(text=text))
        return tuple(runs)


_UNCLOSED = re.compile(r"(?<![\d+])\*\*|\^\^")


def read_text(text: str, size: float) -> list[TextRun]:
    """Split a text into runs; marks in community data make words bold or capital.

    Unclosed marks are dropped, except footnote stars after a figure.
    """
    return [
        TextRun(words.upper() if run.capitals else words, "bold" if run.bold else "text", size)
        for run in split_runs(text)
        if (words := _UNCLOSED.sub("", run.text))
    ]


def format_notes(text: str) -> str:
    """Remove blank lines and repeated spaces from a player's notes."""
    return "\n".join(split_paragraphs(text))


_TAGS = {"bold": "b", "semi": "em", "signs": "s", "name": "strong", "tag": "u", "pill": "mark", "who": "cite"}


def render_runs(runs: Sequence[TextRun], size: float) -> list[SafeString | str]:
    """Render runs as elements. `size` is the surrounding type size.

    WeasyPrint measures the space at the end of a run with its words, and may move all words but the first to the next
    line. A separate element for the space prevents that.
    """
    elements: list[SafeString | str] = []
    for number, run in enumerate(runs, 1):
        words = run.text.rstrip(" ")
        pieces: list[SafeString | str] = [run.text]
        if number < len(runs) and words != run.text and " " in words:
            pieces = [words, tag("span", run.text[len(words) :])]
        # Without a height, type of another size on the same baseline does not make the line higher.
        style = "" if run.size == size else f"font-size:{run.size:g}pt;line-height:0"
        if style or run.face in _TAGS:
            pieces = [tag(_TAGS.get(run.face, "span"), *pieces, style=style)]
        elements += pieces
    return elements


def fill_faces(parts: Sequence[Part], first_room: float, later_room: float) -> list[list[Part]]:
    faces: list[list[Part]] = [[]]
    left = first_room
    pending = list(parts)
    while pending:
        part = pending.pop(0)
        split = part.split(left, is_first=not faces[-1])
        if split.fitting is not None:
            faces[-1].append(split.fitting)
            left -= split.fitting.height
        if split.rest is not None:
            pending.insert(0, split.rest)
            faces.append([])
            left = later_room
    return faces


def sum_heights(parts: Iterable[Part]) -> float:
    """Return millimetres, including gaps."""
    return sum(part.height for part in parts)


def render_parts(parts: Sequence[Part], room: float, most_gap: float) -> SafeString:
    """Render a face, and distribute its free room between the parts."""
    free = room - sum_heights(parts)
    # Limit the gaps: three lines spread over a whole card look torn apart.
    more = min(most_gap, max(0.0, free / len(parts))) if parts else 0.0
    return join([part.render(more) for part in parts])
