"""The paper that cards are cut from: sizes, and where each card lies on a sheet. All lengths in millimetres.

Sheets stand upright and are printed on both sides, turned over the long edge. What lies at x on the front lies at width
- x on the back; a card that lies on its side is turned the other way there, so that both its sides have their top at
the same end.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from roster.pdf.sheet_options import PaperSize

MARGIN = 6.0
"""What a sheet keeps free around its cards: room for cut marks, and what printers cannot reach."""
BLEED = 3.0
MARK, MARK_GAP = 3.5, 1.0
"""How long a cut mark is, and how far it stays from the cards."""


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
    CardSize.A6: (105.0, 148.0),
    CardSize.A5: (148.0, 210.0),
}
PAPERS = {PaperSize.A4: (210.0, 297.0), PaperSize.LETTER: (215.9, 279.4)}


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
    """How cards lie on a sheet of paper, rows from the top."""

    card_format: CardFormat
    paper: PaperSize
    columns: int
    rows: int
    turned: bool = False
    bleed: float = 0.0

    @property
    def cell(self) -> tuple[float, float]:
        """Width and height of the room that a card takes, cut to size."""
        width, height = self.card_format.width, self.card_format.height
        return (height, width) if self.turned else (width, height)

    @property
    def gap(self) -> float:
        """The space between two cards: with bleed each card needs its own cut, without it one cut serves both."""
        return 2 * self.bleed

    @property
    def fronts(self) -> tuple[CardPosition, ...]:
        """The positions on the front, row by row."""
        return tuple(
            CardPosition(left, top, self.turned) for top in self._list_tops() for left in self._list_lefts()
        )

    @property
    def backs(self) -> tuple[CardPosition, ...]:
        """The positions on the back, in the order of the fronts that they belong to."""
        width, _ = PAPERS[self.paper]
        cell, _ = self.cell
        return tuple(CardPosition(width - front.left - cell, front.top, self.turned) for front in self.fronts)

    def list_marks(self) -> Iterator[tuple[float, float, float, float]]:
        """Yield the cut marks as lines from x, y to x, y: at every edge of a card, outside all of them."""
        cell_width, cell_height = self.cell
        lefts, tops = self._list_lefts(), self._list_tops()
        away = self.bleed + MARK_GAP
        xs = sorted({x for left in lefts for x in (left, left + cell_width)})
        ys = sorted({y for top in tops for y in (top, top + cell_height)})
        for x in xs:
            yield x, ys[0] - away - MARK, x, ys[0] - away
            yield x, ys[-1] + away, x, ys[-1] + away + MARK
        for y in ys:
            yield xs[0] - away - MARK, y, xs[0] - away, y
            yield xs[-1] + away, y, xs[-1] + away + MARK, y

    def _list_lefts(self) -> list[float]:
        return _distribute_evenly(PAPERS[self.paper][0], self.cell[0], self.gap, self.columns)

    def _list_tops(self) -> list[float]:
        return _distribute_evenly(PAPERS[self.paper][1], self.cell[1], self.gap, self.rows)


def _distribute_evenly(room: float, length: float, gap: float, count: int) -> list[float]:
    """Return where `count` lengths begin that are centered in the room."""
    start = (room - count * length - (count - 1) * gap) / 2
    return [round(start + number * (length + gap), 4) for number in range(count)]


def fit_grid(card_format: CardFormat, paper: PaperSize, *, bleed: float = 0.0) -> SheetGrid | None:
    """Return as many cards as fit on a sheet, upright or on their side; None if not even one does."""
    best: SheetGrid | None = None
    for turned in (False, True):
        width, height = card_format.width, card_format.height
        if turned:
            width, height = height, width
        columns = int((PAPERS[paper][0] - 2 * MARGIN) // (width + 2 * bleed))
        rows = int((PAPERS[paper][1] - 2 * MARGIN) // (height + 2 * bleed))
        # Upright wins a tie: a turned card is harder to check for register.
        if columns * rows > (best.columns * best.rows if best else 0):
            best = SheetGrid(card_format, paper, columns, rows, turned, bleed)
    return best
