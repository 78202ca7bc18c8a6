"""Read players and lists from exports of tournament sites: CSV, a table copied from a page, JSON."""

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from roster.formats.column_headings import (
    FACTION,
    FIRST_NAME,
    LAST_NAME,
    LIST,
    MAIL,
    PLAYER,
    PLAYER_LISTS,
    TEAM,
    make_heading_key,
)
from roster.formats.list_text import simplify_name

LONGEST_CELL = 2 * 2**20
DEEPEST = 12
"""The deepest nesting of lists in JSON that is read."""
_SURNAMES = frozenset(("nom", "name", "nombre", "nome"))
_WORDS = {
    LIST: frozenset(["list", "liste", "lista", "lists", "roster", "armeeliste", "armylist", "rozpiska"]),
    PLAYER: frozenset(
        [
            *("name", "nom", "nombre", "nome", "imie", "pseudo", "nickname"),
            *("player", "joueur", "spieler", "jugador", "giocatore", "gracz"),
        ]
    ),
}
"""Words that identify the column of a form question: `Please paste your army list here`."""
MOST_ABOVE = 10
"""The most lines above the headings: the name of an event, blank rows, `sep=;`."""
_PASSED_OVER = frozenset(("deleted", "pairings", "rounds", "placings"))
"""JSON keys without players, or only with players who left."""
_HOLDERS = frozenset(("event", "tournament", "data", "results"))
"""JSON keys that wrap the whole event."""
_MEANINGS = {key: meaning for meaning, keys in PLAYER_LISTS.items() for key in keys}
_RANKS = {key: rank for rank, key in enumerate(_MEANINGS)}


class TableError(Exception):
    """The table has no lists. The message is the reason's code."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerListRow:
    player: str
    text: str
    team: str = ""
    email: str = ""
    faction: str = ""


def read_list_table(text: str) -> list[PlayerListRow]:
    """Read the rows of a table or of JSON. Raises TableError.

    >>> [(row.player, row.text) for row in read_list_table("First name;Last name;Liste\\nAnn;Reed;Cutters (10)")]
    [('Ann Reed', 'Cutters (10)')]
    """
    plain = text.lstrip("\ufeff")
    if plain.lstrip().startswith(("{", "[")):
        return _read_json(plain)
    table = parse_table(_drop_lines_above(plain))
    guessed = _guess_columns(table[0]) if table else {}
    rows = [_map_cells({guessed.get(heading, heading): cell for heading, cell in row.items()}) for row in table]
    if not rows:
        raise TableError("no-archive")
    meanings = set().union(*rows)
    if not meanings & {PLAYER, FIRST_NAME, LAST_NAME}:
        raise TableError("no-player-column" if LIST in meanings else "no-archive")
    if LIST not in meanings:
        raise TableError("no-list-column")
    return [row for row in map(_build_row, rows) if row.player or row.text]


def _drop_lines_above(text: str) -> str:
    """Return a table from its heading line, or the whole text if no line names players and lists."""
    lines = text.splitlines(keepends=True)
    for place, line in enumerate(lines[:MOST_ABOVE]):
        headings = [heading.strip(' "') for heading in re.split(r"[\t;,]", line.rstrip())]
        meanings = set(_guess_columns(headings).values()) | {
            _MEANINGS.get(make_heading_key(one), "") for one in headings
        }
        if LIST in meanings and meanings & {PLAYER, FIRST_NAME, LAST_NAME}:
            return "".join(lines[place:])
    return text


def _guess_columns(headings: Iterable[str]) -> dict[str, str]:
    """Return the form's questions for players and lists, if only one heading is possible.

    >>> _guess_columns(["Email", "Your name", "Team name", "Paste your list here"])
    {'Paste your list here': 'list', 'Your name': 'player'}
    """
    meanings = {heading: _MEANINGS.get(make_heading_key(heading), "") for heading in headings}
    guessed: dict[str, str] = {}
    for meaning, names in ((LIST, {LIST}), (PLAYER, {PLAYER, FIRST_NAME, LAST_NAME})):
        alike = [
            one for one, sure in meanings.items() if not sure and _WORDS[meaning] & set(simplify_name(one).split())
        ]
        if len(alike) == 1 < len(meanings) and not names & set(meanings.values()) and alike[0] not in guessed:
            guessed[alike[0]] = meaning
    return guessed


def parse_table(text: str) -> list[dict[str, str]]:
    """Parse a table with a heading line, separated by commas, semicolons or tabs. Missing cells are "".

    >>> parse_table("Player;Team\\nAnn;Reeds")
    [{'Player': 'Ann', 'Team': 'Reeds'}]
    """
    plain = text.lstrip("\ufeff\r\n")
    head = plain.partition("\n")[0]
    delimiter = max(("\t", ";", ","), key=head.count)
    if delimiter == "\t" and '"' not in plain:
        return _parse_copied(plain.splitlines())
    csv.field_size_limit(LONGEST_CELL)
    rows: list[dict[str, str]] = []
    try:
        for row in csv.DictReader(io.StringIO(plain, newline=""), delimiter=delimiter):
            # The reader puts extra cells under None.
            rows.append({key: value or "" for key, value in row.items() if key is not None})
    except csv.Error as error:
        raise TableError("no-archive") from error
    return rows


def _parse_copied(lines: Sequence[str]) -> list[dict[str, str]]:
    """Parse a table copied from a page, whose cells of several lines are not quoted.

    A line that would give its row too many cells starts the next row. Other lines continue the last cell.
    """
    headings = lines[0].split("\t") if lines else []
    rows: list[list[str]] = []
    for line in lines[1:]:
        cells = line.split("\t")
        is_new = not rows or len(cells) >= len(headings) or len(rows[-1]) + len(cells) - 1 > len(headings)
        if is_new and (len(cells) > 1 or len(headings) == 1):
            rows.append(cells)
        elif rows:
            rows[-1][-1] += f"\n{cells[0]}"
            rows[-1] += cells[1:]
    return [dict(zip(headings, [*cells, *[""] * len(headings)], strict=False)) for cells in rows]


def _map_cells(row: Mapping[str, str]) -> dict[str, str]:
    keys = {make_heading_key(heading): heading for heading in row}
    meanings = {key: _MEANINGS[key] for key in sorted(keys.keys() & _RANKS.keys(), key=_RANKS.__getitem__)}
    if FIRST_NAME in meanings.values() and LAST_NAME not in meanings.values():
        # With `Prénom`, `Nom` is the surname and a nickname is ignored.
        meanings |= dict.fromkeys(meanings.keys() & _SURNAMES, LAST_NAME)
    cells: dict[str, str] = {}
    for key, meaning in meanings.items():
        # If a column is blank in this row, use the next column of the same meaning.
        cells[meaning] = cells.get(meaning, "").strip() or row[keys[key]]
    return cells


def _build_row(cells: Mapping[str, str], team: str = "") -> PlayerListRow:
    first, last = cells.get(FIRST_NAME, "").strip(), cells.get(LAST_NAME, "").strip()
    player = cells.get(PLAYER, "").strip()
    return PlayerListRow(
        player=f"{first} {last or player}".strip() if first else player or last,
        text=cells.get(LIST, "").strip(),
        team=cells.get(TEAM, "").strip() or team,
        email=cells.get(MAIL, "").strip(),
        faction=cells.get(FACTION, "").strip(),
    )


# ---- JSON ------------------------------------------------------------------------------------------------------------


def _read_json(text: str) -> list[PlayerListRow]:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise TableError("no-archive") from error
    rows = list(_walk_rows(document))
    if not any(row.text for row in rows):
        raise TableError("no-list-column" if rows else "empty-archive")
    return rows


def _walk_rows(value: object, team: str = "", depth: int = 0) -> Iterator[PlayerListRow]:
    if depth > DEEPEST:
        return
    if isinstance(value, list):
        for inner in value:
            yield from _walk_rows(inner, team, depth + 1)
    elif isinstance(value, dict):
        inside = [(str(key), inner) for key, inner in value.items() if make_heading_key(str(key)) not in _PASSED_OVER]
        nested = [
            (key, inner)
            for key, inner in inside
            if isinstance(inner, list) and _holds_mappings(inner) and _MEANINGS.get(make_heading_key(key)) != LIST
        ]
        holders = [inner for key, inner in inside if make_heading_key(key) in _HOLDERS and isinstance(inner, dict)]
        cells = _map_cells(dict(_flatten(inside)))
        if nested or (holders and LIST not in cells):
            # A mapping that contains players is an event or a team, so its name is not a player's.
            name = cells.get(PLAYER, "")
            for key, inner in nested:
                around = "" if make_heading_key(key) in ("teams", "equipes", "mannschaften") else name
                yield from _walk_rows(inner, around if depth > 1 else team, depth + 1)
            for inner in holders:
                yield from _walk_rows(inner, team, depth + 1)
        elif (row := _build_row(cells, team)).player:
            yield row


def _holds_mappings(values: Iterable[object]) -> bool:
    return any(isinstance(value, dict) for value in values)


def _flatten(fields: Iterable[tuple[str, Any]]) -> Iterator[tuple[str, str]]:
    """Flatten a player's fields: `{"user": {"firstName": "Ann"}, "team": {"name": "Reeds"}}` has a name and a team."""
    for key, value in fields:
        if isinstance(value, str):
            yield key, value
        elif isinstance(value, list) and _MEANINGS.get(make_heading_key(key)) == LIST:
            # For a player with two lists, the first counts.
            yield from list(_flatten((key, inner) for inner in value))[:1]
        elif isinstance(value, dict):
            parts = {make_heading_key(str(inner)): text for inner, text in value.items() if isinstance(text, str)}
            cells = _map_cells(parts)
            meaning = _MEANINGS.get(make_heading_key(key))
            if meaning in (TEAM, FACTION):
                yield key, cells.get(PLAYER, "")
            elif meaning == LIST:
                # `{"name": "List 1", "content": "..."}`: only the text of a list has several lines.
                longest = max((text for text in parts.values() if "\n" in text), key=len, default="")
                yield key, cells.get(LIST, "") or longest
            elif meaning == PLAYER:
                yield key, _build_row(cells).player
                yield MAIL, cells.get(MAIL, "")
