"""Share out the width of a table among its columns, so that its rows come out as low as they can."""

import math
from collections.abc import Sequence

CELL = 0.9
"""What the edges of a cell take, in average characters."""
# Rows and widenings that are tried: more take time and change little.
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
    widths = list(least)
    spare = width - math.fsum(widths)
    crowded = _list_crowded_rows(rows, widths)
    while spare > 0:
        column, more = _find_best_step(crowded, widths, spare)
        if not more:
            break
        widths[column] += more
        spare -= more
    widths = _share_spare(rows, widths, spare)
    # The first column holds names and is wide enough; the others share what nobody needs.
    rest = max(width - math.fsum(widths), 0.0) / max(len(widths) - 1, 1)
    return [widths[0], *(column + rest for column in widths[1:])]


def _share_spare(rows: Extents, widths: Sequence[float], spare: float) -> list[float]:
    """Return columns widened towards their longest texts, each by a like share of what it lacks."""
    lacks: list[float] = []
    for column, width in enumerate(widths):
        longest = max((row[column] for row in rows), default=0)
        lacks.append(max(longest + CELL - width, 0.0))
    total = math.fsum(lacks)
    share = min(1.0, spare / total) if spare > 0 and total else 0.0
    return [width + lack * share for width, lack in zip(widths, lacks, strict=True)]


def count_cell_lines(extent: float, width: float) -> int:
    """Return how many lines a text takes in a column."""
    return max(1, math.ceil(extent / max(width - CELL, 0.1)))


def _list_crowded_rows(rows: Extents, widths: Sequence[float]) -> Extents:
    """Return the rows that take more than one line, the fullest ones first."""
    crowded_rows = dict.fromkeys(tuple(row) for row in rows if _count_row_lines(row, widths) > 1)
    # Looking at some rows is enough: the fullest decide, and a table may have hundreds.
    return sorted(crowded_rows, key=math.fsum, reverse=True)[:_ROWS]


def _count_row_lines(row: Sequence[float], widths: Sequence[float]) -> int:
    return max(map(count_cell_lines, row, widths))


def _find_best_step(rows: Extents, widths: Sequence[float], spare: float) -> tuple[int, float]:
    """Return the column to widen and by how much, to save the most lines per width; (0, 0.0) if none is saved."""
    most_saved, best_step = 0.0, (0, 0.0)
    counts = [list(map(count_cell_lines, row, widths)) for row in rows]
    for column, width in enumerate(widths):
        # A row is as high as its highest cell, so a cell saves lines only down to the next highest one.
        others = [max([1, *count[:column], *count[column + 1 :]]) for count in counts]
        extents = [row[column] for row in rows]
        before = sum(max(count[column], other) for count, other in zip(counts, others, strict=True))
        for more in _list_steps(extents, width, spare):
            lines = (count_cell_lines(extent, width + more) for extent in extents)
            saved = before - sum(map(max, lines, others))
            if saved / more > most_saved:
                most_saved, best_step = saved / more, (column, more)
    return best_step


def _list_steps(extents: Sequence[float], width: float, spare: float) -> list[float]:
    """Return the smallest widenings that take a line off some text."""
    steps: set[float] = set()
    for extent in extents:
        count = count_cell_lines(extent, width)
        if count > 1:
            # Rounded up a little, so that the text really needs one line less.
            steps.add(round(extent / (count - 1) + CELL - width + 0.01, 2))
    return sorted(step for step in steps if 0 < step <= spare)[:_TRIES]
