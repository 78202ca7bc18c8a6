"""Read lists with their players from what tournament sites export: CSV, a table copied from a page, JSON.

No two sites share headings, so a column is known by any of its names in several languages.
"""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from roster.formats.list_text import simplify_name

LONGEST_CELL = 2 * 2**20
DEEPEST = 12
"""How deep lists in JSON may be nested."""
PLAYER, FIRST_NAME, LAST_NAME, LIST, TEAM, FACTION, MAIL = (
    *("player", "first_name", "last_name", "list"),
    *("team", "faction", "mail"),
)
_COLUMNS = {
    PLAYER: """
        player, player name, name, full name, user name, user, participant, attendee, competitor, nickname, pseudo,
        spieler, spielername, teilnehmer, joueur, nom du joueur, nom, jugador, nombre, giocatore, nome
    """,
    FIRST_NAME: "first name, given name, vorname, prénom",
    LAST_NAME: "last name, surname, family name, nachname, nom de famille, apellido, apellidos, cognome",
    LIST: """
        army list text, list text, roster text, army list, roster list, army roster, list, text, roster, army list 1,
        list 1, armeeliste text, armeeliste, texte de la liste, liste d'armée, liste, lista de ejército, lista
    """,
    TEAM: "team, team name, équipe, nom de l'équipe, mannschaft, equipo, squadra",
    FACTION: """
        faction, faction name, army, army name, armee, armée, fraktion, army faction, primary faction, parent faction,
        facción, ejército, fazione, esercito
    """,
    MAIL: "email, mail, email address, e-mail, e-mail-adresse, adresse mail, courriel, correo",
}
"""What each column means, with its headings. Of two columns that mean the same the first one here is read."""
_PASSED_OVER = frozenset(("deleted", "pairings", "rounds", "placings"))
"""What JSON holds that is of no player, or of one who left."""
_HOLDERS = frozenset(("event", "tournament", "data", "results"))
"""What JSON is wrapped in; it has a name of its own."""


def make_heading_key(heading: str) -> str:
    """Fold a heading so that spaces, signs and capitals do not tell it from another.

    >>> make_heading_key("Army List (text)"), make_heading_key("armyListText")
    ('armylisttext', 'armylisttext')
    """
    return simplify_name(heading).replace(" ", "")


_MEANINGS = {make_heading_key(name): meaning for meaning, names in _COLUMNS.items() for name in names.split(",")}
_RANKS = {key: rank for rank, key in enumerate(_MEANINGS)}


class TableError(Exception):
    """Carries the code of why a table has no lists."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerListRow:
    """A list with its player, as a table has them; `text` is blank for a player who has no list there."""

    player: str
    text: str
    team: str = ""
    email: str = ""
    faction: str = ""


def read_list_table(text: str) -> list[PlayerListRow]:
    """Return the lists of a table or of JSON; raises TableError for anything else.

    >>> [(row.player, row.text) for row in read_list_table("First name;Last name;Liste\\nAnn;Reed;Cutters (10)")]
    [('Ann Reed', 'Cutters (10)')]
    """
    plain = text.lstrip("\ufeff")
    if plain.lstrip().startswith(("{", "[")):
        return _read_json(plain)
    rows = [_map_cells(row) for row in parse_table(plain)]
    if not rows:
        raise TableError("no-archive")
    known = set().union(*rows)
    if not known & {PLAYER, FIRST_NAME, LAST_NAME}:
        raise TableError("no-player-column" if LIST in known else "no-archive")
    if LIST not in known:
        raise TableError("no-list-column")
    return [row for row in map(_build_row, rows) if row.player or row.text]


def parse_table(text: str) -> list[dict[str, str]]:
    """Parse a table with a line of headings, as a file or copied from a page: with commas, semicolons or tabs.

    Cells beyond the headings are left out, and missing cells are "".

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
            # The reader puts cells beyond the headings under None.
            rows.append({key: value or "" for key, value in row.items() if key is not None})
    except csv.Error as error:
        raise TableError("no-archive") from error
    return rows


def _parse_copied(lines: Sequence[str]) -> list[dict[str, str]]:
    """Parse a table that was copied from a page, where a cell of several lines is not between quotes.

    A line that would give its row too many cells begins the next row; any other goes on in the cell before.
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
    """Return the cells of a row by what their headings mean."""
    keys = {make_heading_key(heading): heading for heading in row}
    cells: dict[str, str] = {}
    for key in sorted(keys.keys() & _RANKS.keys(), key=_RANKS.__getitem__):
        # A column that is blank in this row leaves it to the next one of its meaning.
        cells[_MEANINGS[key]] = cells.get(_MEANINGS[key], "").strip() or row[keys[key]]
    return cells


def _build_row(cells: Mapping[str, str], team: str = "") -> PlayerListRow:
    first, last = cells.get(FIRST_NAME, "").strip(), cells.get(LAST_NAME, "").strip()
    player = cells.get(PLAYER, "").strip()
    # `Prénom` and `Nom` are the two parts of a name.
    if first:
        player = f"{first} {last or player}".strip()
    return PlayerListRow(
        player=player or last,
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
    """Walk everything in a document that is a player with a list or without; `team` is that of what is around it."""
    if depth > DEEPEST:
        return
    if isinstance(value, list):
        for inner in value:
            yield from _walk_rows(inner, team, depth + 1)
    elif isinstance(value, dict):
        inside = [(str(key), inner) for key, inner in value.items() if make_heading_key(str(key)) not in _PASSED_OVER]
        nested = [(key, inner) for key, inner in inside if isinstance(inner, list) and _holds_mappings(inner)]
        holders = [inner for key, inner in inside if make_heading_key(key) in _HOLDERS and isinstance(inner, dict)]
        cells = _map_cells(dict(_flatten(inside)))
        if nested or (holders and LIST not in cells):
            # What holds players is an event or a team, and its name is that of the team.
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
    """Flatten what a player has: `{"user": {"firstName": "Ann"}, "team": {"name": "Reeds"}}` are a name and a team."""
    for key, value in fields:
        if isinstance(value, str):
            yield key, value
        elif isinstance(value, dict):
            parts = {make_heading_key(str(inner)): text for inner, text in value.items() if isinstance(text, str)}
            cells = _map_cells(parts)
            meaning = _MEANINGS.get(make_heading_key(key))
            if meaning in (TEAM, FACTION):
                yield key, cells.get(PLAYER, "")
            elif meaning == LIST:
                yield key, cells.get(LIST, "")
            elif meaning == PLAYER:
                yield key, _build_row(cells).player
                yield MAIL, cells.get(MAIL, "")
