import csv
import io
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from roster.club.models import Collection, ModelState
from roster.club.services.collections import MOST_MODELS, set_models
from roster.formats.column_headings import (
    LOCATION,
    MODEL_STATES,
    MODELS,
    NAME,
    NOTES,
    NUMBER,
    STATE,
    make_heading_key,
    map_columns,
)
from roster.formats.list_text import clean_text
from roster.formats.text.csv_table import protect_cell
from roster.services.outcomes import Refused

HEADINGS = (NAME, *(state.value for state in ModelState), NOTES, LOCATION)
_DELIMITERS = ",;\t"
LONGEST_FILE = 500_000
LONGEST_CELL = 131_072
SHOWN = 40
"""The characters of a bad cell that are shown."""
_STATES = {word: state for state, words in MODEL_STATES.items() for word in words}
_NUMBER = re.compile(r"\d{1,4}", re.ASCII)
"""A number up to MOST_MODELS."""


@dataclass(frozen=True, slots=True)
class BadRow:
    """An unreadable row, with its number from 1."""

    row: int
    why: str


@dataclass(frozen=True, slots=True)
class ReadRow:
    """A readable row, with its number from 1."""

    row: int
    name: str
    numbers: dict[str, int]
    notes: str
    location: str


@dataclass(frozen=True, slots=True)
class ReadCollection:
    """Readable models, and the slugs of further games that they count for."""

    rows: list[ReadRow]
    more_games: list[str]


def write_collection_csv(collection: Collection) -> str:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(HEADINGS)
    for kind in collection.kinds.all():
        numbers = (str(kind.count(state)) for state in ModelState)
        writer.writerow(map(protect_cell, (kind.name, *numbers, kind.notes, kind.location)))
    return out.getvalue()


def write_collection_json(collection: Collection) -> str:
    content = {
        "collection": 1,
        "game": collection.game.slug if collection.game else collection.game_name,
        "faction": collection.faction_id,
        "name": collection.name,
        "more_games": [game.slug for game in collection.more_games.all()],
        "models": [
            {
                "entry": kind.entry_id,
                "name": kind.name,
                **{state.value: kind.count(state) for state in ModelState},
                "notes": kind.notes,
                "location": kind.location,
            }
            for kind in collection.kinds.all()
        ],
    }
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def read_models_csv(text: str) -> list[ReadRow] | list[BadRow]:
    """Read rows with a name and either `number` and `state`, or a number for each state.

    Without headings, the columns are number and name, or name and number. Any bad row refuses the whole text, as do
    headings without a column of numbers.
    """
    head = text.lstrip("\ufeff").splitlines()
    delimiter = max(_DELIMITERS, key=head[0].count) if head else ","
    csv.field_size_limit(LONGEST_CELL)
    try:
        rows = [[cell.strip() for cell in row] for row in csv.reader(io.StringIO("\n".join(head)), delimiter=delimiter)]
    except csv.Error:  # a quote that never ends
        return [BadRow(1, _("A cell is too long. Is a quotation mark missing?"))]
    numbered = [(number, row) for number, row in enumerate(rows, 1) if any(row)]
    if not numbered:
        return [BadRow(1, _("There is nothing in it."))]
    keys = [make_heading_key(cell) for cell in numbered[0][1]]
    mapping = map_columns(keys, MODELS)
    if NAME in mapping:
        (first, headings), *numbered = numbered
        if mapping.keys().isdisjoint((NUMBER, *MODEL_STATES)):
            return [
                BadRow(
                    first,
                    _("No column has numbers. Call one “number”, or use columns for states: %(states)s.")
                    % {"states": ", ".join(ModelState.values)},
                )
            ]
        place = keys.index(mapping[NAME])
        names = [row[place] for _number, row in numbered if row[place:]]
        if mapping[NAME] in MODELS[NUMBER] and any(names) and all(map(str.isdecimal, filter(None, names))):
            return [
                BadRow(
                    first,
                    _("The column “%(heading)s” only has numbers. Call the column of names “name”.")
                    % {"heading": headings[place][:SHOWN]},
                )
            ]
        meanings = {key: meaning for meaning, key in mapping.items()}
        columns = [meanings.get(key, "") for key in keys]
    else:
        columns = [NUMBER, NAME, STATE, NOTES] if numbered[0][1][0].isdecimal() else [NAME, NUMBER, STATE, NOTES]
    read: list[ReadRow] = []
    bad: list[BadRow] = []
    for number, row in numbered:
        # `protect_cell` writes the apostrophes.
        cells = {
            column: cell.removeprefix("'") if column in (NAME, NOTES, LOCATION) else cell
            for column, cell in zip(columns, row, strict=False)
        }
        outcome = _read_row(number, cells)
        if isinstance(outcome, str):
            bad.append(BadRow(number, outcome))
        else:
            read.append(outcome)
    return bad or read


def read_collection_json(text: str) -> ReadCollection | list[BadRow]:
    """Read what `write_collection_json` writes. Any bad model refuses the whole text."""
    try:
        content = json.loads(text.lstrip("\ufeff"))
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict) or content.get("collection") != 1 or not isinstance(content.get("models"), list):
        return [BadRow(1, _("This is not a collection that was saved here as JSON."))]
    rows: list[ReadRow] = []
    bad: list[BadRow] = []
    for number, model in enumerate(content["models"], 1):
        outcome = _read_model(number, model)
        if isinstance(outcome, str):
            bad.append(BadRow(number, outcome))
        else:
            rows.append(outcome)
    games = content.get("more_games")
    slugs = [game for game in games if isinstance(game, str) and game.isprintable()] if isinstance(games, list) else []
    return bad or ReadCollection(rows, slugs)


def _read_model(row: int, model: Any) -> ReadRow | str:
    cells: dict[str, str] = {}
    for column in (*HEADINGS, NUMBER, STATE):
        value = model.get(column) if isinstance(model, dict) else None
        if value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, str | int):
            return _("Its “%(column)s” is neither text nor a whole number.") % {"column": column}
        cells[column] = clean_text(str(value))
    return _read_row(row, cells)


def _read_row(row: int, cells: dict[str, str]) -> ReadRow | str:
    name, notes, location = (cells.get(key, "") for key in (NAME, NOTES, LOCATION))
    if not name:
        return _("It has no name.")
    written = cells.get(STATE, "") or ModelState.BUILT.value
    state = _STATES.get(make_heading_key(written))
    if state is None:
        return _("“%(state)s” is not a state. Use %(states)s.") % {
            "state": written[:SHOWN],
            "states": ", ".join(ModelState.values),
        }
    numbers: dict[str, int] = {}
    for column, key in ((NUMBER, state), *((one.value, one.value) for one in ModelState)):
        cell = cells.get(column, "")
        if not cell:
            continue
        if not _NUMBER.fullmatch(cell):
            return _("“%(cell)s” is not a number from 0 to %(most)d.") % {"cell": cell[:SHOWN], "most": MOST_MODELS}
        numbers[key] = numbers.get(key, 0) + int(cell)
    return ReadRow(row, name, numbers, notes, location)


class RowError(Exception):
    """A refused row of a file. Nothing of the file is stored."""

    def __init__(self, row: ReadRow, refused: Refused) -> None:
        super().__init__(row.name)
        self.row, self.refused = row, refused


@transaction.atomic
def import_models(collection: Collection, rows: Iterable[ReadRow]) -> None:
    """Set the numbers of the named kinds, and their notes and locations if given. Raises RowError."""
    for row in rows:
        refused = set_models(collection, row.name, row.numbers, row.notes, row.location)
        if refused:
            raise RowError(row, refused)
