"""How high things come out on paper, in millimetres, near enough to share them out among columns.

The figures go with styles/paper.css; the layout decides in the end where a page breaks.
"""

import math
from collections.abc import Iterable

from roster.pdf.plans import FULL, HALF
from roster.pdf.shapes import Card, Table

PAGE = 245.0
"""The room on a page of the shorter paper."""
_CARD, _LINE, _ROW = 10.2, 3.5, 4.05
_LINE_CHARACTERS = 68 / HALF
_BOX_CHARACTERS = 1.8


def card_height(card: Card) -> float:
    """A card with the space below it."""
    width = (FULL if card.wide else HALF) * _LINE_CHARACTERS
    texts = [
        " · ".join([card.data_name, card.type, *card.keywords, card.citation]),
        ", ".join(card.options),
        ", ".join(card.abilities),
        card.notes,
    ]
    tables = sum(table_height(table, width) for table in card.tables)
    crews = sum(
        _paragraph(
            f"{crew.name}: {', '.join(crew.options)}", width, _BOX_CHARACTERS * sum(map(len, crew.boxes))
        )
        for crew in card.crews
    )
    return _CARD + tables + crews + sum(_paragraph(text, width) for text in texts if text)


def table_height(table: Table, width: float) -> float:
    """A table of profiles, its heading included."""
    rows = 0
    for row in table.rows:
        pairs = zip([row.name, *(c.text for c in row.cells)], _widths(table), strict=True)
        rows += max(lines(text, share * width / 100) for text, share in pairs)
    heads = zip([table.name, *(c.name for c in table.columns)], _widths(table), strict=True)
    return (rows + max(lines(head, share * width / 100) for head, share in heads)) * _ROW


def lines(text: str, width: float) -> int:
    """How many lines a text takes in so many characters."""
    return max(1, math.ceil(len(text) / max(width - 1, 1)))


def _widths(table: Table) -> Iterable[int]:
    return [table.width, *(column.width for column in table.columns)]


def _paragraph(text: str, width: float, before: float = 0) -> float:
    return (math.ceil((len(text) + before) / width) - 1) * _LINE + _ROW
