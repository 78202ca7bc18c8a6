"""Estimates of heights on paper, in millimetres, good enough to share cards out among columns.

The figures go with styles/paper.css. Where a page really breaks is for the layout to say.
"""

import math
from collections.abc import Iterable

from roster.pdf.column_widths import count_cell_lines
from roster.pdf.paper_text import split_paragraphs
from roster.pdf.shapes import SheetCard, SheetTable
from roster.pdf.table_columns import FULL, HALF
from roster.pdf.text_width import measure_width

PAGE = 245.0
"""The room on a page of the shorter paper."""
# Millimetres, measured on paper: a card without its texts, a further line of a text, a row of a table.
_CARD, _LINE, _ROW = 10.2, 3.5, 4.05
# The padding of a card in average characters, and how much larger than text boxes to tick are set.
_EDGES = 2.5
_BOX = 1.3


def estimate_card_height(card: SheetCard) -> float:
    """Return the height of a card with the space below it."""
    width = (FULL if card.wide else HALF) - _EDGES
    texts = [
        " · ".join([card.data_name, card.type, *card.keywords, card.citation]),
        f"Options {', '.join(card.options)}" if card.options else "",
        f"Abilities {', '.join(card.abilities)}" if card.abilities else "",
        *split_paragraphs(card.notes),
    ]
    tables = sum(count_table_lines(table, FULL if card.wide else HALF) * _ROW for table in card.tables)
    crews = sum(
        _estimate_paragraph(
            f"{crew.name}: {', '.join(crew.options)}", width, _BOX * measure_width(" / ".join(crew.boxes))
        )
        for crew in card.model_lines
    )
    return _CARD + tables + crews + sum(_estimate_paragraph(text, width) for text in texts if text)


def count_table_lines(table: SheetTable, width: float) -> int:
    """Return how many lines a table of profiles has, its heading included."""
    shares = [table.width, *(column.width for column in table.columns)]
    heads = [table.name, *(column.name for column in table.columns)]
    rows = [[row.name, *(cell.text for cell in row.cells)] for row in table.rows]
    return sum(_count_row_lines(texts, shares, width) for texts in [heads, *rows])


def count_lines(text: str, width: float) -> int:
    """Return how many lines a text takes in a column of so many average characters."""
    return max(1, math.ceil(measure_width(text) / max(width, 1)))


def _count_row_lines(texts: Iterable[str], shares: Iterable[int], width: float) -> int:
    return max(
        count_cell_lines(measure_width(text), share * width / 100)
        for text, share in zip(texts, shares, strict=True)
    )


def _estimate_paragraph(text: str, width: float, before: float = 0) -> float:
    return (math.ceil((measure_width(text) + before) / width) - 1) * _LINE + _ROW
