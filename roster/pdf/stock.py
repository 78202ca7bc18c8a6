"""The measures of card sizes and sheet blocks, in millimetres; type is in points."""

from dataclasses import dataclass, replace
from math import inf

from roster.pdf.type.measure import POINT

LEADING = 1.17
"""Relative to the type size."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stock:
    """The measures of one kind of card.

    Printers cannot reach the margin `inset` of untrimmed sheets. `names` and `texts` are type sizes, the largest first.
    """

    safe: float
    band: float
    names: tuple[float, float]
    kicker: float
    corner: float
    emblem: float
    texts: tuple[float, ...]
    figures: float
    head: float
    foot: float
    box: float
    inset: float = 0.0
    foot_lines: int = 1

    @property
    def foot_height(self) -> float:
        return self.foot_lines * self.foot_line

    @property
    def foot_line(self) -> float:
        return self.foot * 1.2 * POINT

    @property
    def top(self) -> float:
        """The distance from top to text."""
        return self.band + 1.0

    @property
    def bottom(self) -> float:
        """The distance from bottom to text."""
        return max(self.safe, self.inset) + self.foot_height + 0.8


MINI = Stock(
    safe=3.0,
    band=10.0,
    names=(10.5, 7.5),
    kicker=6.0,
    corner=11.5,
    emblem=5.4,
    texts=(7.0, 6.5, 6.0),
    figures=8.0,
    head=5.5,
    foot=5.5,
    box=2.2,
)
POKER = Stock(
    safe=3.5,
    band=12.0,
    names=(13.0, 9.0),
    kicker=6.5,
    corner=15.0,
    emblem=7.0,
    texts=(7.5, 7.0, 6.5),
    figures=10.5,
    head=6.0,
    foot=6.0,
    box=2.7,
)
TAROT = Stock(
    safe=4.0,
    band=14.0,
    names=(15.0, 10.0),
    kicker=7.0,
    corner=18.0,
    emblem=8.5,
    texts=(8.5, 8.0, 7.5, 7.0, 6.5),
    figures=12.0,
    head=6.5,
    foot=6.5,
    box=3.1,
)
A6 = Stock(
    safe=8.0,
    band=19.0,
    names=(22.0, 13.0),
    kicker=9.0,
    corner=26.0,
    emblem=11.0,
    texts=(11.0, 10.5, 10.0, 9.5, 9.0, 8.5, 8.0, 7.5, 7.0),
    figures=17.0,
    head=8.0,
    foot=7.0,
    box=4.0,
    inset=5.0,
)
MINI_LARGE = replace(
    MINI, names=(11.5, 8.0), kicker=7.0, texts=(10.0, 9.5, 9.0), figures=10.5, head=7.0, foot=6.5, box=2.8
)
POKER_LARGE = replace(
    POKER, names=(15.0, 10.0), kicker=7.5, texts=(10.5, 10.0, 9.5, 9.0), figures=14.0, head=7.5, foot=7.0, box=3.6
)
TAROT_LARGE = replace(
    TAROT,
    names=(17.0, 11.0),
    kicker=8.5,
    texts=(12.0, 11.5, 11.0, 10.5, 10.0, 9.5, 9.0),
    figures=16.0,
    head=8.5,
    foot=7.5,
    box=4.2,
)
A6_LARGE = replace(
    A6,
    names=(24.0, 15.0),
    kicker=10.0,
    texts=(15.0, 14.5, 14.0, 13.5, 13.0, 12.5, 12.0),
    figures=22.0,
    head=10.0,
    foot=9.0,
    box=5.5,
)
_BY_WIDTH = ((55.0, MINI, MINI_LARGE), (68.0, POKER, POKER_LARGE), (95.0, TAROT, TAROT_LARGE), (inf, A6, A6_LARGE))


def choose_stock(width: float, height: float, *, large: bool = False) -> Stock:
    """Choose the measures of the largest size that fits. `large` type is readable at arm's length.

    >>> choose_stock(63.5, 88) is POKER, choose_stock(148.5, 210, large=True) is A6_LARGE
    (True, True)
    """
    # The measures of a wide card follow its height.
    least = min(width, height * 0.72)
    usual, larger = next((usual, larger) for limit, usual, larger in _BY_WIDTH if least < limit)
    return larger if large else usual


def enlarge_stock(stock: Stock, factor: float) -> Stock:
    """Enlarge everything between band and foot."""
    return replace(
        stock,
        texts=tuple(size * factor for size in stock.texts),
        figures=stock.figures * factor,
        head=stock.head * factor,
        box=stock.box * factor,
    )


def make_block_stock(size: float) -> Stock:
    return Stock(
        safe=1.6,
        band=5.2,
        names=(11.5, 8.5),
        kicker=7.0,
        corner=12.0,
        emblem=0.0,
        texts=(size,),
        figures=size + 1.2,
        head=6.5,
        foot=6.5,
        box=2.7,
    )
