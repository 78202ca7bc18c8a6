"""Compute the positions of cards on sheets, in millimetres.

Sheets are flipped on the long edge: x on the front is width - x on the back. A sideways card turns the other way on the
back, so that both tops are at the same end.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import product

from roster.pdf.pages import PAPERS
from roster.pdf.sheet_options import PaperSize

MARGIN = 6.0
"""Around the cards, with room for cut marks. Most printers reach this far."""
BLEED = 3.0
MARK, MARK_GAP, LEAST_MARK = 3.5, 1.0, 0.8
"""Length of a cut mark, its distance from the cards, and its least length."""
UNPRINTED = 5.0
"""The margin that many printers cannot reach."""
TOKEN_GAP = 2.5
"""Room to cut out each circle."""
CROSS = 2.0


class CardSize(StrEnum):
    POKER = "poker"
    MINI = "mini"
    TAROT = "tarot"
    A6 = "a6"
    A5 = "a5"


SIZES = {
    CardSize.POKER: (63.0, 88.0),
    CardSize.MINI: (44.0, 67.0),
    CardSize.TAROT: (70.0, 120.0),
    # Halves and quarters of A4 to a tenth of a millimetre, so that a sheet needs no trimming.
    CardSize.A6: (105.0, 148.5),
    CardSize.A5: (148.5, 210.0),
}


@dataclass(frozen=True, slots=True)
class CardFormat:
    """A size in millimetres."""

    width: float
    height: float
    round: bool = False


def get_format(size: CardSize) -> CardFormat:
    return CardFormat(*SIZES[size])


POKER = get_format(CardSize.POKER)


@dataclass(frozen=True, slots=True)
class CardPosition:
    """A card's upper left corner. `turned` means rotated by 90 degrees clockwise."""

    left: float
    top: float
    turned: bool = False


@dataclass(frozen=True, slots=True)
class SheetGrid:
    """Cards in rows on a sheet, centred or from `start`."""

    card_format: CardFormat
    paper: PaperSize
    columns: int
    rows: int
    turned: bool = False
    bleed: float = 0.0
    start: float | None = None

    @property
    def cell(self) -> tuple[float, float]:
        width, height = self.card_format.width, self.card_format.height
        return (height, width) if self.turned else (width, height)

    @property
    def count(self) -> int:
        return self.columns * self.rows

    @property
    def gap(self) -> float:
        """The distance between cards: with bleed each card needs its own cut, otherwise neighbours share one."""
        return max(2 * self.bleed, TOKEN_GAP if self.card_format.round else 0.0)

    @property
    def fills_paper(self) -> bool:
        return not self.bleed and _fills(self.paper, self.cell, self.columns, self.rows)

    @property
    def fronts(self) -> tuple[CardPosition, ...]:
        return tuple(CardPosition(left, top, self.turned) for top in self._list_tops() for left in self._list_lefts())

    @property
    def backs(self) -> tuple[CardPosition, ...]:
        """The positions in the order of their fronts."""
        width, _ = PAPERS[self.paper]
        cell, _ = self.cell
        return tuple(CardPosition(width - front.left - cell, front.top, self.turned) for front in self.fronts)

    def list_marks(self) -> Iterator[tuple[float, float, float, float]]:
        """Yield the cut marks as x1, y1, x2, y2."""
        xs = _list_edges(self._list_lefts(), self.cell[0])
        ys = _list_edges(self._list_tops(), self.cell[1])
        if self.fills_paper:
            return _list_crosses(xs, ys, *PAPERS[self.paper])
        if self.start is not None:
            # Other rows are above and below, so the sheet is cut into strips.
            return self._list_strip_marks(xs, ys)
        return self._list_outer_marks(xs, ys)

    def _list_outer_marks(self, xs: list[float], ys: list[float]) -> Iterator[tuple[float, float, float, float]]:
        away = self.bleed + MARK_GAP
        long_y = _measure_mark(ys[0] - away)
        for x in xs:
            yield x, ys[0] - away - long_y, x, ys[0] - away
            yield x, ys[-1] + away, x, ys[-1] + away + long_y
        yield from self._list_strip_marks(xs, ys)

    def _list_strip_marks(self, xs: list[float], ys: list[float]) -> Iterator[tuple[float, float, float, float]]:
        away = self.bleed + MARK_GAP
        long_x = _measure_mark(xs[0] - away)
        for y in ys:
            yield xs[0] - away - long_x, y, xs[0] - away, y
            yield xs[-1] + away, y, xs[-1] + away + long_x, y

    def _list_lefts(self) -> list[float]:
        return _distribute_evenly(PAPERS[self.paper][0], self.cell[0], self.gap, self.columns)

    def _list_tops(self) -> list[float]:
        if self.start is not None:
            return [round(self.start + number * (self.cell[1] + self.gap), 4) for number in range(self.rows)]
        return _distribute_evenly(PAPERS[self.paper][1], self.cell[1], self.gap, self.rows)


def _list_edges(starts: list[float], length: float) -> list[float]:
    return sorted({*starts, *(start + length for start in starts)})


def _measure_mark(room: float) -> float:
    return min(MARK, max(LEAST_MARK, room - UNPRINTED))


def _list_crosses(
    xs: list[float], ys: list[float], width: float, height: float
) -> Iterator[tuple[float, float, float, float]]:
    inner_xs, inner_ys = _list_inner(xs, width), _list_inner(ys, height)
    for x, (start, end) in product(inner_xs, _list_strokes(inner_ys, height)):
        yield x, start, x, end
    for y, (start, end) in product(inner_ys, _list_strokes(inner_xs, width)):
        yield start, y, end, y


def _list_inner(places: list[float], length: float) -> list[float]:
    return [place for place in places if 0 < place < length]


def _list_strokes(places: list[float], length: float) -> Iterator[tuple[float, float]]:
    yield UNPRINTED, UNPRINTED + MARK
    yield length - UNPRINTED - MARK, length - UNPRINTED
    for place in places:
        yield place - CROSS, place + CROSS


def _fills(paper: PaperSize, cell: tuple[float, float], columns: int, rows: int) -> bool:
    width, height = PAPERS[paper]
    return abs(width - columns * cell[0]) < 0.01 and abs(height - rows * cell[1]) < 0.01


def _distribute_evenly(room: float, length: float, gap: float, count: int) -> list[float]:
    start = (room - count * length - (count - 1) * gap) / 2
    return [round(start + number * (length + gap), 4) for number in range(count)]


def fit_grid(card_format: CardFormat, paper: PaperSize, *, bleed: float = 0.0) -> SheetGrid | None:
    """Choose the grid with the most cards, upright or sideways; None if no card fits."""
    upright = (card_format.width, card_format.height)
    grids = (
        SheetGrid(card_format, paper, *_count_cells(card_format, upright, paper, bleed), False, bleed),
        SheetGrid(card_format, paper, *_count_cells(card_format, upright[::-1], paper, bleed), True, bleed),
    )
    # Upright wins a tie, because the register of turned cards is harder to check.
    best = max(grids, key=lambda grid: grid.count)
    return best if best.count > 0 else None


def _count_cells(card_format: CardFormat, cell: tuple[float, float], paper: PaperSize, bleed: float) -> tuple[int, int]:
    width, height = PAPERS[paper]
    whole = round(width / cell[0]), round(height / cell[1])
    if not bleed and not card_format.round and _fills(paper, cell, *whole):
        return whole
    # The last token of a row needs no gap.
    gap, spare = (TOKEN_GAP, TOKEN_GAP) if card_format.round and not bleed else (2 * bleed, 0.0)
    room_x, room_y = width - 2 * MARGIN + spare, height - 2 * MARGIN + spare
    return int(room_x // (cell[0] + gap)), int(room_y // (cell[1] + gap))
