"""Read pairings from other programs: CSV, a table pasted from a page, List Juggler JSON."""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from catalogue.definitions.numbers import parse_number
from roster.formats.column_headings import (
    BYES,
    FIRST,
    FIRST_POINTS,
    PAIRINGS,
    ROUND,
    SECOND,
    SECOND_POINTS,
    TABLE,
    make_heading_key,
)

MOST_ROWS = 4_000
LONGEST_TABLE = 2 * 2**20
NEEDED = (FIRST, SECOND)
NO_HEADINGS = "#"
"""Columns of a table without headings are called #1, #2 and so on."""


class PairingTableError(Exception):
    """The text has no pairings. The message is the reason's code."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairingRow:
    """`round` is 0 if unknown; `second` is blank for a bye."""

    first: str
    second: str
    table: str = ""
    round: int = 0
    points: tuple[Decimal | None, Decimal | None] = (None, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenTable:
    """Lines of cells. `keys` are the columns' headings, `numbers` where each line begins in the text, from 1."""

    keys: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]
    numbers: tuple[int, ...]


def read_juggler(text: str) -> list[PairingRow] | None:
    """Read List Juggler or Cryodex JSON; return None if the text is not JSON.

    Matches name players by name or id. A round without a number is numbered by its position.
    """
    if not text.lstrip().startswith(("{", "[")):
        return None
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise PairingTableError("no-pairings") from error
    # Cryodex wraps everything in `tournament`.
    tournament = document.get("tournament", document) if isinstance(document, dict) else document
    if not isinstance(tournament, dict) or not isinstance(tournament.get("rounds"), list):
        raise PairingTableError("no-pairings")

    players = _list_mappings(tournament.get("players"))
    names = {str(player.get("id")): str(player.get("name", "")) for player in players if "id" in player}
    rows: list[PairingRow] = []
    for place, one in enumerate(_list_mappings(tournament["rounds"]), 1):
        number = _read_number(one.get("round-number")) or place
        rows.extend(_read_match(match, number, names) for match in _list_mappings(one.get("matches")))
    return _check_rows(rows)


def _list_mappings(value: object) -> Iterator[Mapping[str, Any]]:
    if isinstance(value, list):
        yield from (one for one in value if isinstance(one, dict))


def _read_match(match: Mapping[str, Any], number: int, names: Mapping[str, str]) -> PairingRow:
    players = []
    for side in ("player1", "player2"):
        written = _write_cell(match.get(side, match.get(f"{side}-id")))
        players.append(names.get(written, written).strip())
    points = (
        read_points(_write_cell(match.get("player1points"))),
        read_points(_write_cell(match.get("player2points"))),
    )
    table = _write_cell(match.get("table", match.get("table-number")))
    return _build_row(players[0], players[1], table=table, number=number, points=points)


def _write_cell(value: object) -> str:
    return str(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else ""


def _read_number(value: object) -> int:
    text = _write_cell(value).strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 4 else 0


def read_points(text: str) -> Decimal | None:
    try:
        points = Decimal(parse_number(text.replace(",", ".")))
    except ValueError:
        return None
    return points if abs(points) < 100_000 else None


def read_table(text: str, known: Mapping[str, tuple[str, ...]] = PAIRINGS) -> WrittenTable:
    """Read a table separated by commas, semicolons or tabs. The first line is a heading if it has a known column."""
    first = text.lstrip("\ufeff\r\n").partition("\n")[0]
    delimiter = max(("\t", ";", ","), key=first.count)
    csv.field_size_limit(LONGEST_TABLE)
    reader = csv.reader(io.StringIO(text.lstrip("\ufeff"), newline=""), delimiter=delimiter)
    lines: list[tuple[str, ...]] = []
    numbers: list[int] = []
    begins = 1
    try:
        for written in reader:
            line = tuple(map(str.strip, written))
            if any(line):
                lines.append(line)
                numbers.append(begins)
            begins = reader.line_num + 1
    except csv.Error as error:
        raise PairingTableError("no-pairings") from error
    width = max(map(len, lines), default=0)
    # A single column cannot say who plays whom.
    if width < 2:
        raise PairingTableError("no-pairings")

    # A line with a repeated word is not a heading: two players may have the same name.
    heads = tuple(map(make_heading_key, lines[0]))
    headings = {name for names in known.values() for name in names}
    named = list(filter(None, heads))
    if not headings.isdisjoint(named) and len(set(named)) == len(named):
        return WrittenTable(keys=heads, lines=tuple(lines[1:]), numbers=tuple(numbers[1:]))
    keys = tuple(f"{NO_HEADINGS}{number}" for number in range(1, width + 1))
    return WrittenTable(keys=keys, lines=tuple(lines), numbers=tuple(numbers))


def read_rows(table: WrittenTable, mapping: Mapping[str, str]) -> list[PairingRow]:
    at = {meaning: table.keys.index(key) for meaning, key in mapping.items()}

    def get_cell(line: Sequence[str], meaning: str) -> str:
        place = at.get(meaning, len(line))
        return line[place] if place < len(line) else ""

    rows = []
    for line in table.lines:
        points = (read_points(get_cell(line, FIRST_POINTS)), read_points(get_cell(line, SECOND_POINTS)))
        first, second = get_cell(line, FIRST), get_cell(line, SECOND)
        number = _read_number(get_cell(line, ROUND))
        rows.append(_build_row(first, second, table=get_cell(line, TABLE), number=number, points=points))
    return _check_rows(rows)


def _build_row(
    first: str, second: str, *, table: str, number: int, points: tuple[Decimal | None, Decimal | None]
) -> PairingRow:
    if make_heading_key(first) in BYES:
        first, second, points = second, "", (points[1], points[0])
    second = "" if make_heading_key(second) in BYES else second
    return PairingRow(first=first[:200], second=second[:200], table=table[:20], round=number, points=points)


def _check_rows(rows: Iterable[PairingRow]) -> list[PairingRow]:
    games = [row for row in rows if make_heading_key(row.first) not in BYES]
    if not games:
        raise PairingTableError("no-pairings")
    if len(games) > MOST_ROWS:
        raise PairingTableError("too-many-rows")
    return games
