"""The paper that cards are cut from: sizes, and where each card lies on a sheet. All lengths in millimetres.

Sheets stand upright and are printed on both sides, turned over the long edge. What lies at x on the front lies at width
- x on the back; a card that lies on its side is turned the other way there, so that both its sides have their top at
the same end.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import product

from roster.pdf.pages import PAPERS
from roster.pdf.sheet_options import PaperSize

MARGIN = 6.0
"""What a sheet keeps free around its cards: room for cut marks, and what printers cannot reach."""
BLEED = 3.0
MARK, MARK_GAP, LEAST_MARK = 3.5, 1.0, 0.8
"""How long a cut mark is, how far it stays from the cards, and how short it may become."""
UNPRINTED = 5.0
"""What marks stay away from the edge of the paper: many printers do not reach it."""
TOKEN_GAP = 2.5
"""Between round tokens, so that each circle can be cut."""
CROSS = 2.0
"""Half of the cross where a sheet is cut through."""


class CardSize(StrEnum):
    """The usual sizes of cards."""

    POKER = "poker"
    MINI = "mini"
    TAROT = "tarot"
    A6 = "a6"
    A5 = "a5"


SIZES = {
    CardSize.POKER: (63.0, 88.0),
    CardSize.MINI: (44.0, 67.0),
    CardSize.TAROT: (70.0, 120.0),
    # Halves and quarters of A4 to the tenth, so that a sheet is cut without trimming.
    CardSize.A6: (105.0, 148.5),
    CardSize.A5: (148.5, 210.0),
}


@dataclass(frozen=True, slots=True)
class CardFormat:
    """What is cut out: its width and height; `round` for tokens."""

    width: float
    height: float
    round: bool = False


def get_format(size: CardSize) -> CardFormat:
    return CardFormat(*SIZES[size])


POKER = get_format(CardSize.POKER)


@dataclass(frozen=True, slots=True)
class CardPosition:
    """The upper left corner of a card on a sheet. `turned` means by 90 degrees to the right."""

    left: float
    top: float
    turned: bool = False


@dataclass(frozen=True, slots=True)
class SheetGrid:
    """How cards lie on a sheet of paper, rows from the top: in its middle, or from `start` on."""

    card_format: CardFormat
    paper: PaperSize
    columns: int
    rows: int
    turned: bool = False
    bleed: float = 0.0
    start: float | None = None

    @property
    def cell(self) -> tuple[float, float]:
        """Width and height of the room that a card takes, cut to size."""
        width, height = self.card_format.width, self.card_format.height
        return (height, width) if self.turned else (width, height)

    @property
    def count(self) -> int:
        """How many cards it has room for."""
        return self.columns * self.rows

    @property
    def gap(self) -> float:
        """The space between two cards: with bleed each card needs its own cut, without it one cut serves both."""
        return max(2 * self.bleed, TOKEN_GAP if self.card_format.round else 0.0)

    @property
    def fills_paper(self) -> bool:
        """Whether the sheet is cut through into cards with nothing left over."""
        return not self.bleed and _fills(self.paper, self.cell, self.columns, self.rows)

    @property
    def fronts(self) -> tuple[CardPosition, ...]:
        """The positions on the front, row by row."""
        return tuple(CardPosition(left, top, self.turned) for top in self._list_tops() for left in self._list_lefts())

    @property
    def backs(self) -> tuple[CardPosition, ...]:
        """The positions on the back, in the order of the fronts that they belong to."""
        width, _ = PAPERS[self.paper]
        cell, _ = self.cell
        return tuple(CardPosition(width - front.left - cell, front.top, self.turned) for front in self.fronts)

    def list_marks(self) -> Iterator[tuple[float, float, float, float]]:
        """Yield the cut marks as lines from x, y to x, y: at every edge of a card, outside all of them."""
        xs = _list_edges(self._list_lefts(), self.cell[0])
        ys = _list_edges(self._list_tops(), self.cell[1])
        if self.fills_paper:
            return _list_crosses(xs, ys, *PAPERS[self.paper])
        if self.start is not None:
            # Other rows lie above and below: the sheet is cut into strips.
            return self._list_strip_marks(xs, ys)
        return self._list_outer_marks(xs, ys)

    def _list_outer_marks(self, xs: list[float], ys: list[float]) -> Iterator[tuple[float, float, float, float]]:
        """Yield a mark at both ends of each cut, beside all cards."""
        away = self.bleed + MARK_GAP
        long_y = _measure_mark(ys[0] - away)
        for x in xs:
            yield x, ys[0] - away - long_y, x, ys[0] - away
            yield x, ys[-1] + away, x, ys[-1] + away + long_y
        yield from self._list_strip_marks(xs, ys)

    def _list_strip_marks(self, xs: list[float], ys: list[float]) -> Iterator[tuple[float, float, float, float]]:
        """Yield a mark at the left and the right end of each cut."""
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
    """Return where cards of this length begin and end, each place once."""
    return sorted({*starts, *(start + length for start in starts)})


def _measure_mark(room: float) -> float:
    """Return how long a cut mark is where it has so much room to the edge of the sheet."""
    return min(MARK, max(LEAST_MARK, room - UNPRINTED))


def _list_crosses(
    xs: list[float], ys: list[float], width: float, height: float
) -> Iterator[tuple[float, float, float, float]]:
    """Yield a mark at both ends of each cut through the sheet, and a cross where cuts meet."""
    inner_xs, inner_ys = _list_inner(xs, width), _list_inner(ys, height)
    for x, (start, end) in product(inner_xs, _list_strokes(inner_ys, height)):
        yield x, start, x, end
    for y, (start, end) in product(inner_ys, _list_strokes(inner_xs, width)):
        yield start, y, end, y


def _list_inner(places: list[float], length: float) -> list[float]:
    """Return the places where a sheet is cut; its borders need no cut."""
    return [place for place in places if 0 < place < length]


def _list_strokes(places: list[float], length: float) -> Iterator[tuple[float, float]]:
    """Yield what is drawn of one cut: both of its ends, and a stroke wherever another one crosses it."""
    yield UNPRINTED, UNPRINTED + MARK
    yield length - UNPRINTED - MARK, length - UNPRINTED
    for place in places:
        yield place - CROSS, place + CROSS


def _fills(paper: PaperSize, cell: tuple[float, float], columns: int, rows: int) -> bool:
    width, height = PAPERS[paper]
    return abs(width - columns * cell[0]) < 0.01 and abs(height - rows * cell[1]) < 0.01


def _distribute_evenly(room: float, length: float, gap: float, count: int) -> list[float]:
    """Return where `count` lengths begin that are centered in the room."""
    start = (room - count * length - (count - 1) * gap) / 2
    return [round(start + number * (length + gap), 4) for number in range(count)]


def fit_grid(card_format: CardFormat, paper: PaperSize, *, bleed: float = 0.0) -> SheetGrid | None:
    """Return as many cards as fit on a sheet, upright or on their side; None if not even one does."""
    upright = (card_format.width, card_format.height)
    grids = (
        SheetGrid(card_format, paper, *_count_cells(card_format, upright, paper, bleed), False, bleed),
        SheetGrid(card_format, paper, *_count_cells(card_format, upright[::-1], paper, bleed), True, bleed),
    )
    # Upright wins a tie: a turned card is harder to check for register.
    best = max(grids, key=lambda grid: grid.count)
    return best if best.count > 0 else None


def _count_cells(card_format: CardFormat, cell: tuple[float, float], paper: PaperSize, bleed: float) -> tuple[int, int]:
    """Return how many columns and rows of cards a sheet has."""
    width, height = PAPERS[paper]
    whole = round(width / cell[0]), round(height / cell[1])
    if not bleed and not card_format.round and _fills(paper, cell, *whole):
        return whole
    # Behind the last token of a row no gap is needed.
    gap, spare = (TOKEN_GAP, TOKEN_GAP) if card_format.round and not bleed else (2 * bleed, 0.0)
    room_x, room_y = width - 2 * MARGIN + spare, height - 2 * MARGIN + spare
    return int(room_x // (cell[0] + gap)), int(room_y // (cell[1] + gap))
