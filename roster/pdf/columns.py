"""Where the unit cards stand: two columns that run on over the pages, wide cards below them."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from roster.pdf.height_estimate import PAGE, card_height
from roster.pdf.shapes import Card


@dataclass(frozen=True, slots=True)
class Columns:
    """The cards of the left and the right column, then those as wide as the page."""

    left: tuple[Card, ...] = ()
    right: tuple[Card, ...] = ()
    wide: tuple[Card, ...] = ()


def columns_of(cards: Iterable[Card]) -> Columns:
    """Each card, in order, in the column that is shorter so far. A card higher than a page may be broken."""
    left: list[Card] = []
    right: list[Card] = []
    wide: list[Card] = []
    heights = [0.0, 0.0]
    for card in cards:
        height = card_height(card)
        placed = replace(card, long=height > PAGE)
        if card.wide:
            wide.append(placed)
            continue
        side = 0 if heights[0] <= heights[1] else 1
        (left, right)[side].append(placed)
        heights[side] += height
    return Columns(tuple(left), tuple(right), tuple(wide))
