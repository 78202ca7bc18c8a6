"""How high things come out on paper, in millimetres, near enough to share them out among columns.

The figures go with styles/paper.css; the layout decides in the end where a page breaks.
"""

import math
from collections.abc import Iterable

from roster.pdf.column_widths import line_count
from roster.pdf.paper_text import paragraphs
from roster.pdf.shapes import Card, Table
from roster.pdf.table_columns import FULL, HALF
from roster.pdf.text_width import extent

PAGE = 245.0
"""The room on a page of the shorter paper."""
_CARD, _LINE, _ROW = 10.2, 3.5, 4.05
_EDGES = 2.5
_BOX = 1.3


def card_height(card: Card) -> float:
    """A card with the space below it."""
    width = (FULL if card.wide else HALF) - _EDGES
    texts = [
        " · ".join([card.data_name, card.type, *card.keywords, card.citation]),
        f"Options {', '.join(card.options)}" if card.options else "",
        f"Abilities {', '.join(card.abilities)}" if card.abilities else "",
        *paragraphs(card.notes),
    ]
    tables = sum(table_lines(table, FULL if card.wide else HALF) * _ROW for table in card.tables)
    crews = sum(
        _paragraph(f"{crew.name}: {', '.join(crew.options)}", width, _BOX * extent(" / ".join(crew.boxes)))
        for crew in card.crews
    )
    return _CARD + tables + crews + sum(_paragraph(text, width) for text in texts if text)


def table_lines(table: Table, width: float) -> int:
    """How many lines a table of profiles has, its heading included."""
    shares = [table.width, *(column.width for column in table.columns)]
    heads = [table.name, *(column.name for column in table.columns)]
    rows = [[row.name, *(cell.text for cell in row.cells)] for row in table.rows]
    return sum(_row_lines(texts, shares, width) for texts in [heads, *rows])


def lines(text: str, width: float) -> int:
    """How many lines a text takes in so many average characters."""
    return max(1, math.ceil(extent(text) / max(width, 1)))


def _row_lines(texts: Iterable[str], shares: Iterable[int], width: float) -> int:
    return max(
        line_count(extent(text), share * width / 100) for text, share in zip(texts, shares, strict=True)
    )


def _paragraph(text: str, width: float, before: float = 0) -> float:
    return (math.ceil((extent(text) + before) / width) - 1) * _LINE + _ROW
