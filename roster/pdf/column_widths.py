"""Sharing out the width of a table among its columns, so that its rows come out as low as they can."""

import math
from collections.abc import Sequence

CELL = 0.9
"""What the edges of a cell take, in average characters."""
_ROWS = 40
_TRIES = 4

Extents = Sequence[Sequence[float]]
"""One row after another: how wide each of its texts is."""


def share_out(rows: Extents, least: Sequence[float], width: float) -> list[float]:
    """The width of each column: at least `least`, and what is left where it saves the most lines.

    What saves no line any more goes to the columns that have the most to hold.

    >>> [round(one) for one in share_out([[10, 30]], [6, 6], 44)]
    [11, 33]
    """
    wide = list(least)
    spare = width - math.fsum(wide)
    crowded = _crowded(rows, wide)
    while spare > 0:
        column, more = _best_step(crowded, wide, spare)
        if not more:
            break
        wide[column] += more
        spare -= more
    wishes = [max(max((row[i] for row in rows), default=0) + CELL - one, 0.0) for i, one in enumerate(wide)]
    wish = math.fsum(wishes)
    share = min(1.0, spare / wish) if spare > 0 and wish else 0.0
    wide = [one + wish * share for one, wish in zip(wide, wishes, strict=True)]
    rest = max(width - math.fsum(wide), 0.0) / max(len(wide) - 1, 1)
    return [wide[0], *(one + rest for one in wide[1:])]


def line_count(extent: float, width: float) -> int:
    """How many lines a text takes in a column."""
    return max(1, math.ceil(extent / max(width - CELL, 0.1)))


def _crowded(rows: Extents, wide: Sequence[float]) -> Extents:
    """The rows that take more than a line, the fullest of them."""
    found = dict.fromkeys(tuple(row) for row in rows if _height(row, wide) > 1)
    return sorted(found, key=lambda row: math.fsum(row), reverse=True)[:_ROWS]


def _height(row: Sequence[float], wide: Sequence[float]) -> int:
    return max(map(line_count, row, wide))


def _best_step(rows: Extents, wide: Sequence[float], spare: float) -> tuple[int, float]:
    """The column to widen and by how much, for the most lines saved per width; nothing where no line is saved."""
    best, found = 0.0, (0, 0.0)
    counts = [list(map(line_count, row, wide)) for row in rows]
    for column, own in enumerate(wide):
        others = [max([1, *count[:column], *count[column + 1 :]]) for count in counts]
        extents = [row[column] for row in rows]
        before = sum(max(count[column], other) for count, other in zip(counts, others, strict=True))
        for more in _steps(extents, own, spare):
            lines = (line_count(one, own + more) for one in extents)
            saved = before - sum(map(max, lines, others))
            if saved / more > best:
                best, found = saved / more, (column, more)
    return found


def _steps(extents: Sequence[float], wide: float, spare: float) -> list[float]:
    """The smallest widenings that take a line off some text."""
    needed = {
        round(one / (count - 1) + CELL - wide + 0.01, 2)
        for one in extents
        if (count := line_count(one, wide)) > 1
    }
    return sorted(more for more in needed if 0 < more <= spare)[:_TRIES]
