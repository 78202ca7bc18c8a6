"""Define the measures of each card size and of the blocks of a sheet: millimetres, type in points."""

from dataclasses import dataclass

from roster.pdf.type.measure import POINT

LEADING = 1.17
"""In multiples of the type size."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stock:
    """The measures of one kind of card.

    `inset` is the edge that printers cannot reach on untrimmed sheets. `names` and `texts` are type sizes, largest
    first.
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

    @property
    def foot_height(self) -> float:
        return self.foot * 1.2 * POINT

    @property
    def top(self) -> float:
        """The distance from the top of a card to its text."""
        return self.band + 1.0

    @property
    def bottom(self) -> float:
        """The distance from the bottom of a card to its text."""
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
_BY_WIDTH = ((55.0, MINI), (68.0, POKER), (95.0, TAROT))


def choose_stock(width: float, height: float) -> Stock:
    """Return the measures of the nearest size that is not larger.

    >>> choose_stock(63.5, 88) is POKER, choose_stock(148.5, 210) is A6
    (True, True)
    """
    # The measures of a wide card follow its height.
    least = min(width, height * 0.72)
    return next((stock for limit, stock in _BY_WIDTH if least < limit), A6)


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
