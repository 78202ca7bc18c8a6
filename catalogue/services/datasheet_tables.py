"""Tables of a datasheet as pages show them: columns of figures, and below each row what is too long for a column."""

from dataclasses import dataclass, replace

from catalogue.services.texts import blank_repeated
from catalogue.services.unit_card import CardProfileTable

LONGEST_FIGURE = 14
"""Letters of the longest text in a column of figures; with longer ones a table does not fit a phone."""
RULES_COLUMNS = frozenset(("abilities", "keywords", "rules", "special", "special rules"))
"""Columns of words, which are below the name of their row however short they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasheetRow:
    """A profile: figures with their columns, longer texts, and the option that brings it, blank for the unit's own.

    `count` is how many there are where the data says so.
    """

    name: str
    figures: tuple[tuple[str, str], ...]
    texts: tuple[tuple[str, str], ...] = ()
    source: str = ""
    count: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasheetTable:
    """Profiles of one kind; `columns` are those of the figures."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[DatasheetRow, ...]


def is_told_below(column: str, text: str) -> bool:
    """Say whether a text is not a figure: it is below the name of its row."""
    return len(text) > LONGEST_FIGURE or column.casefold() in RULES_COLUMNS


def read_card_table(table: CardProfileTable) -> DatasheetTable:
    """Read a table of a unit's card, its rules below its rows."""
    rows = (
        DatasheetRow(
            name=row.name,
            figures=tuple(zip(table.columns, row.values, strict=True)),
            source=row.source,
            count=row.count,
        )
        for row in table.rows
    )
    return move_texts_below(DatasheetTable(name=table.name, columns=table.columns, rows=tuple(rows)))


def move_texts_below(table: DatasheetTable) -> DatasheetTable:
    """Keep columns of short figures as columns; put rules and what is longer below the name of its row."""
    long = {column for row in table.rows for column, value in row.figures if is_told_below(column, value)}
    rows = []
    for row in table.rows:
        pairs = [pair for pair in row.figures if pair[0] not in long]
        figures = blank_repeated(text for _column, text in pairs)
        # Tables print a dash if there is nothing to say.
        texts = tuple(pair for pair in row.figures if pair[0] in long and pair[1].strip("-– "))
        named_figures = tuple(zip((column for column, _text in pairs), figures, strict=True))
        rows.append(replace(row, figures=named_figures, texts=texts))
    columns = tuple(column for column in table.columns if column not in long)
    return DatasheetTable(name=table.name, columns=columns, rows=tuple(rows))
