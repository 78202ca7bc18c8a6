"""Datasheet tables: short values in columns, longer texts below their row."""

from dataclasses import dataclass, replace

from catalogue.services.texts import blank_repeated
from catalogue.services.unit_card import CardProfileTable

LONGEST_FIGURE = 14
"""Wider tables do not fit a phone."""
RULES_COLUMNS = frozenset(("abilities", "keywords", "rules", "special", "special rules"))
"""Columns that are always shown below their row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasheetRow:
    """Short `figures` and longer `texts` by column, the option that adds the profile, and how often it occurs."""

    name: str
    figures: tuple[tuple[str, str], ...]
    texts: tuple[tuple[str, str], ...] = ()
    source: str = ""
    count: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasheetTable:
    name: str
    columns: tuple[str, ...]
    rows: tuple[DatasheetRow, ...]


def is_told_below(column: str, text: str) -> bool:
    return len(text) > LONGEST_FIGURE or column.casefold() in RULES_COLUMNS


def read_card_table(table: CardProfileTable) -> DatasheetTable:
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
    long = {column for row in table.rows for column, value in row.figures if is_told_below(column, value)}
    rows = []
    for row in table.rows:
        pairs = [pair for pair in row.figures if pair[0] not in long]
        figures = blank_repeated(text for _column, text in pairs)
        # A dash in the data means no value.
        texts = tuple(pair for pair in row.figures if pair[0] in long and pair[1].strip("-– "))
        named_figures = tuple(zip((column for column, _text in pairs), figures, strict=True))
        rows.append(replace(row, figures=named_figures, texts=texts))
    columns = tuple(column for column in table.columns if column not in long)
    return DatasheetTable(name=table.name, columns=columns, rows=tuple(rows))
