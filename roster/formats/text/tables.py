"""Rewrite a table's rows as unit lines: `5x Reed Cutters (120 pts): Net throwers`."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import StrEnum

from roster.formats.text.shapes import MAX_LINE, TextLine, clean_line, parse_number
from roster.formats.text.words import CLAIM_KEYS, POINTS_WORDS, ClaimKey, gather_words, simplify_words

_ROW = re.compile(r"(?P<name>[^\t]*[^\W\d_][^\t]*)\t+ *(?P<cost>\d[\d.,]*) *")
LEAST_ROWS = 2
_HEAD = "---"
"""A rule, which replaces the heading of a table."""


class TableColumn(StrEnum):
    NAME = "name"
    MODELS = "models"
    OPTIONS = "options"
    POINTS = "points"


_COLUMNS: dict[TableColumn, frozenset[str]] = {
    TableColumn.NAME: gather_words(
        "unit,units,name,unit name,entry,datasheet,warscroll",
        "einheit,einheiten,unité,unités,nom,unidad,unidades,unità,jednostka",
    ),
    TableColumn.MODELS: gather_words(
        "models,model count,size,unit size,count,qty,quantity,number,no",
        "modelle,anzahl,figurines,nombre,effectif,miniaturas,modelli,modele",
    ),
    TableColumn.OPTIONS: gather_words(
        "options,upgrades,wargear,equipment,loadout,weapons,gear",
        "optionen,ausrüstung,équipement,opciones,equipo,opzioni,equipaggiamento,opcje",
    ),
    TableColumn.POINTS: POINTS_WORDS | gather_words("cost,costs,total points,kosten,coût,coste,costo,koszt"),
}
_COLUMN_WORDS = {word: column for column, words in _COLUMNS.items() for word in words}


def read_tables(lines: list[TextLine]) -> list[TextLine]:
    """Rewrite a paste's tables.

    A heading has a column of units and a column of points or models, separated by tabs or `|`. Without headings, a
    name, a tab and a number are a unit with its points.
    """
    written = list(lines)
    place, tables = 0, 0
    while place < len(lines):
        columns = _read_columns(lines[place])
        if columns is None:
            place += 1
            continue
        written[place] = replace(lines[place], text=_HEAD, column=0, bullet="")
        place, tables = place + 1, tables + 1
        # Blank lines may be between the rows.
        while place < len(lines) and ((cells := _split_cells(lines[place])) or lines[place].is_blank):
            if cells and (text := _write_row(columns, cells)):
                written[place] = replace(lines[place], text=text, column=0, bullet="")
            place += 1
    return written if tables else _read_pairs(lines)


def _split_cells(line: TextLine) -> list[str]:
    raw = clean_line(line.raw).strip(" ")
    if len(raw) > MAX_LINE or line.is_blank:
        return []
    sign = "\t" if "\t" in raw else "|"
    cells = [cell.strip(" *_`") for cell in raw.strip("|" if sign == "|" else "").split(sign)]
    return cells if len(cells) > 1 else []


def _read_columns(line: TextLine) -> list[TableColumn | None] | None:
    names = [_COLUMN_WORDS.get(simplify_words(cell)) for cell in _split_cells(line)]
    if TableColumn.NAME not in names or not (TableColumn.POINTS in names or TableColumn.MODELS in names):
        return None
    return names


def _write_row(columns: Sequence[TableColumn | None], cells: Sequence[str]) -> str:
    values: dict[TableColumn, str] = {}
    for column, cell in zip(columns, cells, strict=False):
        if column:
            values.setdefault(column, cell)
    name = values.get(TableColumn.NAME, "")
    points = parse_number(values.get(TableColumn.POINTS, "").rstrip("abcdefghijklmnopqrstuvwxyz. "))
    if CLAIM_KEYS.get(simplify_words(name)) is ClaimKey.TOTAL:
        return f"Total: {points}" if points is not None else ""
    # A row may be a rule: `--- | --- | ---`.
    if not any(map(str.isalpha, name)):
        return _HEAD if not any(map(str.isalnum, "".join(cells))) else ""

    models = re.match(r"\d{1,4}", values.get(TableColumn.MODELS, ""))
    count = f"{models[0]}x " if models and int(models[0]) > 1 else ""
    cost = f" ({points} pts)" if points is not None else ""
    options = f": {values[TableColumn.OPTIONS]}" if values.get(TableColumn.OPTIONS) else ""
    return f"{count}{name}{cost}{options}"


def _read_pairs(lines: list[TextLine]) -> list[TextLine]:
    rows = dict(_match_pairs(lines))
    # A single line may end in a number by chance.
    if len(rows) < LEAST_ROWS:
        return lines
    return [
        replace(line, text=f"{row['name'].strip()} ({row['cost']} pts)") if (row := rows.get(line.number)) else line
        for line in lines
    ]


def _match_pairs(lines: Sequence[TextLine]) -> Iterator[tuple[int, re.Match[str]]]:
    for line in lines:
        # The pattern is slow on long lines.
        if line.is_bare and len(line.raw) <= MAX_LINE and (row := _ROW.fullmatch(line.raw)):
            yield line.number, row
