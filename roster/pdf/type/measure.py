"""Measure texts from the fonts' character widths, so that heights are known before layout.

Kerning and ligatures make print narrower, never wider: of 4,000 paragraphs, none took more lines than counted here, and
one in eighty took fewer.
"""

import json
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import Literal, NamedTuple

from roster.pdf.type.signs import FONTS

POINT = 25.4 / 72
"""In millimetres."""
LEAST = 6.0
"""The smallest type in which names keep their words whole, in points."""
STEP = 0.25
"""Sizes of fitted texts are multiples of it, in points."""
BREAK_AFTER = ("-", "\N{EN DASH}", "/")
"""Where a word may break without a hyphen of its own."""
NO_BREAK = "\N{NO-BREAK SPACE}"
_EM = 1000
NARROWEST = 1.0
"""Millimetres of the narrowest column."""

Face = Literal["text", "semi", "bold", "name", "signs", "tag", "pill", "who"]
_FONTS: dict[Face, Face] = {"tag": "semi", "pill": "bold", "who": "text"}
"""The fonts of framed and filled words, which are padded with no-break spaces, and of grey words."""


class TextRun(NamedTuple):
    """Text in one face; `size` is in points."""

    text: str
    face: Face
    size: float


@cache
def _read_tables() -> dict[str, dict[str, int]]:
    tables: dict[str, dict[str, int]] = json.loads((FONTS / "widths.json").read_text(encoding="utf-8"))
    return tables


@cache
def _get_table(face: Face) -> dict[str, int]:
    tables = _read_tables()
    return tables["system"] | tables["signs"] | tables["text"] | tables[_FONTS.get(face, face)]


def find_missing_letters(texts: Iterable[str]) -> str:
    """Return the characters, each once, that the bundled fonts lack.

    >>> find_missing_letters(["Heron, Żubr", "鷺 and 鷺"])
    '鷺'
    """
    letters = sorted(set("".join(texts)))
    widths = _get_table("name")
    return "".join(letter for letter in letters if letter not in widths and letter.isprintable())


@lru_cache(maxsize=65536)
def measure_width(text: str, face: Face, size: float) -> float:
    """Return a text's width in millimetres. Unknown characters count as a full em.

    >>> round(measure_width("00", "text", 10), 2)
    3.44
    """
    table = _get_table(face)
    return sum([table.get(letter, _EM) for letter in text]) * size * POINT / _EM


def count_lines(runs: Iterable[TextRun], room: float) -> int:
    """Count the lines of consecutive runs in a column `room` millimetres wide.

    Lines break at spaces; a word wider than the column breaks anywhere. A column without room counts as `NARROWEST`.
    """
    return count_lines_once(tuple(runs), room)


@lru_cache(maxsize=8192)
def count_lines_once(runs: tuple[TextRun, ...], room: float) -> int:
    """Count lines, cached because each page or card that is tried measures its paragraphs again."""
    if any("\n" in run.text for run in runs):
        return sum(_count_lines(line, room) for line in _split_lines(runs))
    return _count_lines(runs, room)


def has_wide_word(runs: Iterable[TextRun], room: float) -> bool:
    """Return whether a word is wider than its column, and so must break.

    >>> has_wide_word([TextRun("Heron", "text", 8), TextRun("s " * 9, "bold", 8)], 20)
    False
    """
    return any(width > room for width, _ in _list_words(runs))


def _split_lines(runs: Iterable[TextRun]) -> list[list[TextRun]]:
    lines: list[list[TextRun]] = [[]]
    for run in runs:
        first, *others = run.text.split("\n")
        lines[-1].append(run._replace(text=first))
        lines += [[run._replace(text=text)] for text in others]
    return lines


def _count_lines(runs: Iterable[TextRun], room: float) -> int:
    count, used = 1, 0.0
    room = max(room, NARROWEST)
    for width, gap in _list_words(runs):
        if used and used + gap + width > room:
            count, used = count + 1, 0.0
        used += width + (gap if used else 0.0)
        while used > room:
            count, used = count + 1, used - room
    return count


def _list_words(runs: Iterable[TextRun]) -> Iterator[tuple[float, float]]:
    """Yield the width of each word and of the space before it. A word may continue in the next run."""
    word, gap, pending = 0.0, 0.0, 0.0
    for text, face, size in runs:
        space = measure_width(" ", face, size)
        for index, part in enumerate(text.split(" ")):
            if index:
                if word:
                    yield word, gap
                    word, gap = 0.0, 0.0
                pending = space
            if part:
                if not word:
                    gap, pending = pending, 0.0
                word += measure_width(part, face, size)
    if word:
        yield word, gap


class FittedText(NamedTuple):
    """A whole text's lines, and the type size in points that makes them fit."""

    lines: tuple[str, ...]
    size: float


def fit_text(
    text: str, face: Face, room: float, largest: float, least: float, lines: int = 1, wrapped: float = 0.0
) -> FittedText:
    """Fit a whole text on one line of at least the smallest size, or on several lines, from the size `wrapped` down.

    Several lines break at spaces; below `LEAST`, words break too. A text limited to one line becomes smaller than
    `least` if it must.

    >>> fit_text("Heron", "name", 60, 13, 9)
    FittedText(lines=('Heron',), size=13)
    >>> fit_text("Heron Scout Wardens", "name", 24, 13, 9, 2)
    FittedText(lines=('Heron Scout', 'Wardens'), size=9)
    """
    width = measure_width(text, face, largest)
    size = largest if width <= room else max(largest * room / width // STEP, 1.0) * STEP
    if size >= least or lines == 1:
        return FittedText((text,), size)
    first = wrapped or least
    for count in range(2, lines + 1):
        size = first
        while size >= min(first, LEAST):
            parts = wrap_text(text, face, size, room)
            if len(parts) <= count and all(measure_width(part, face, size) <= room for part in parts):
                return FittedText(tuple(parts), size)
            size -= STEP
    size = min(first, LEAST)
    while size > STEP and len(wrap_text(text, face, size, room, breaks_words=True)) > lines:
        size -= STEP
    return FittedText(tuple(wrap_text(text, face, size, room, breaks_words=True)), size)


def wrap_text(text: str, face: Face, size: float, room: float, *, breaks_words: bool = False) -> list[str]:
    """Break a text into lines at spaces, and with `breaks_words` inside words wider than a line.

    >>> wrap_text("Heron Scout Wardens", "semi", 8, 16)
    ['Heron Scout', 'Wardens']
    >>> wrap_text("Heron Scoutwardenship", "semi", 8, 16, breaks_words=True)
    ['Heron', 'Scoutwarden-', 'ship']
    """
    lines: list[str] = []
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and measure_width(longer, face, size) <= room:
            lines[-1] = longer
        elif breaks_words:
            lines += _break_word(word, face, size, room)
        else:
            lines.append(word)
    return lines


def _break_word(word: str, face: Face, size: float, room: float) -> list[str]:
    """Break after a word's hyphen or slash, or add a hyphen if none is in the second half of the line."""
    pieces = []
    while len(word) > 1 and measure_width(word, face, size) > room:
        end = 1
        while measure_width(f"{word[: end + 1]}-", face, size) <= room:
            end += 1
        after = max(word.rfind(mark, 0, end) for mark in BREAK_AFTER) + 1
        if after <= end / 2:
            after = end
        piece, word = word[:after], word[after:]
        pieces.append(piece if piece.endswith(BREAK_AFTER) else f"{piece}-")
    return [*pieces, word]
