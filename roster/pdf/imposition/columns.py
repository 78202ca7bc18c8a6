"""Where pieces of known heights stand in columns: filled from the top, one after the other. Any unit of length."""

from collections.abc import Sequence


def sheets_of(heights: Sequence[float], room: float, columns: int) -> list[list[list[int]]]:
    """The places of the pieces, sheet by sheet and column by column; the columns of the last sheet about as long.

    >>> sheets_of([5, 5, 5, 5], room=20, columns=2)
    [[[0, 1], [2, 3]]]
    """
    filled = _filled(range(len(heights)), heights, room)
    sheets = [filled[start : start + columns] for start in range(0, len(filled), columns)]
    if sheets:
        sheets[-1] = _levelled([place for column in sheets[-1] for place in column], heights, room, columns)
    return sheets


def _filled(places: Sequence[int], heights: Sequence[float], room: float) -> list[list[int]]:
    found: list[list[int]] = []
    left = 0.0
    for place in places:
        if not found or heights[place] > left:
            found.append([])
            left = room
        found[-1].append(place)
        left -= heights[place]
    return found


def _levelled(places: list[int], heights: Sequence[float], room: float, columns: int) -> list[list[int]]:
    """The pieces in columns no longer than they have to be."""
    least = max(heights[place] for place in places)
    steps = 100
    for step in range(steps + 1):
        tried = _filled(places, heights, least + (max(room, least) - least) * step / steps)
        if len(tried) <= columns:
            return tried
    return _filled(places, heights, room)
