"""Share out the width of a table among its columns, so that its rows come out as low as they can."""

import math
from collections.abc import Sequence

CELL = 0.9
"""What the edges of a cell take, in average characters."""
_ROWS = 40
_TRIES = 4

Extents = Sequence[Sequence[float]]
"""One row after another: how wide each of its texts is."""


def share_width(rows: Extents, least: Sequence[float], width: float) -> list[float]:
    """Return the width of each column: at least `least`, and the rest where it saves the most lines.

    Width that saves no more lines goes to the columns with the longest texts.

        >>> [round(width) for width in share_width([[10, 30]], [6, 6], 44)]
        [11, 33]
    """
    wide = list(least)
    spare = width - math.fsum(wide)
    crowded = _list_crowded_rows(rows, wide)
    while spare > 0:
        column, more = _find_best_step(crowded, wide, spare)
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


def count_cell_lines(extent: float, width: float) -> int:
    """Return how many lines a text takes in a column."""
    return max(1, math.ceil(extent / max(width - CELL, 0.1)))


def _list_crowded_rows(rows: Extents, wide: Sequence[float]) -> Extents:
    """Return the rows that take more than one line, the fullest ones first."""
    crowded_rows = dict.fromkeys(tuple(row) for row in rows if _count_row_lines(row, wide) > 1)
    return sorted(crowded_rows, key=lambda row: math.fsum(row), reverse=True)[:_ROWS]


def _count_row_lines(row: Sequence[float], wide: Sequence[float]) -> int:
    return max(map(count_cell_lines, row, wide))


def _find_best_step(rows: Extents, wide: Sequence[float], spare: float) -> tuple[int, float]:
    """Return the column to widen and by how much, to save the most lines per width; (0, 0.0) if none is saved."""
    best, best_step = 0.0, (0, 0.0)
    counts = [list(map(count_cell_lines, row, wide)) for row in rows]
    for column, width in enumerate(wide):
        others = [max([1, *count[:column], *count[column + 1 :]]) for count in counts]
        extents = [row[column] for row in rows]
        before = sum(max(count[column], other) for count, other in zip(counts, others, strict=True))
        for more in _list_steps(extents, width, spare):
            lines = (count_cell_lines(one, width + more) for one in extents)
            saved = before - sum(map(max, lines, others))
            if saved / more > best:
                best, best_step = saved / more, (column, more)
    return best_step


def _list_steps(extents: Sequence[float], wide: float, spare: float) -> list[float]:
    """Return the smallest widenings that take a line off some text."""
    needed = {
        round(one / (count - 1) + CELL - wide + 0.01, 2)
        for one in extents
        if (count := count_cell_lines(one, wide)) > 1
    }
    return sorted(more for more in needed if 0 < more <= spare)[:_TRIES]
