"""What lines of a list show only together: its margin, units closed by a sum, bare numbers."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import dropwhile

from catalogue.definitions.numbers import Number
from roster.formats.text.shapes import (
    MAX_LINE,
    TextLine,
    UnitShape,
    is_battle_size,
    keep_filled,
    match_lone_cost,
    match_unit,
    parse_number,
)
from roster.formats.text.words import CLAIM_KEYS, TEAM_KEYS, ClaimKey, find_claim_key, is_section_word, simplify_words

DASHED = re.compile(r"(?:[-=*~]{2,}|\+)\s*(?P<name>[^-=*~+\s].*?)\s*(?:[-=*~]{2,}|\+)\s*(?P<rest>[\[(].*)?")
_SUM_OF_UNIT = re.compile(r"(?:ship|unit|squad|model|sub|unit sub)[ -]?total\s*:\s*(?P<cost>\d[\d.,]*)\b.*", re.I)
_COLON_NUMBER = re.compile(r"(?P<name>[^:\d\[\]()][^:\[\]]{1,60}?)\s*:\s*(?P<cost>\d{1,3}(?:[., ]\d{3})+|\d{1,5})")
_LONE_NUMBER = re.compile(r"\d[\d.,]*")
_OPERATIVE = re.compile(
    r"(?:\d{1,2}[.)]\s+)?(?P<name>(?:\d{1,2}\s?x?\s+)?[^\W\d_][^:;,\[\]]{1,50}?)\s?:\s+(?P<weapons>(?:\d{1,2}x?\s+)?[^\W\d_].*)"
)
LineMatcher = Callable[[TextLine], re.Match[str] | None]
MIN_OPERATIVES = 2
"""How many lines make a team: one alone may be prose."""


@dataclass(frozen=True, slots=True)
class ClosedUnit:
    """A unit whose points are in a line of their own at its end: places of its first and of that last line."""

    first: int
    last: int
    points: Number


def drop_margin(lines: Sequence[TextLine]) -> list[TextLine]:
    """Shift a list to the left that stands indented, as a whole, below its own head."""
    margin = _find_margin([line for line in lines if not line.is_blank])
    return [replace(line, column=max(0, line.column - margin)) for line in lines] if margin else list(lines)


def _find_margin(filled: Sequence[TextLine]) -> int:
    """Return by how much a list stands indented as a whole; 0 where only some of its lines do."""
    below = list(dropwhile(lambda line: not line.column, filled))
    if not below or not _is_heading(below[0]):
        return 0
    margin = below[0].column
    # A unit left of the margin shows that the indented lines belong to units, not to a list that is shifted.
    return 0 if _has_units_left_of(margin, below) else margin


def _has_units_left_of(margin: int, lines: Iterable[TextLine]) -> bool:
    return any(line.column < margin and _is_unit(line) for line in lines)


def _is_unit(line: TextLine) -> bool:
    shape = match_unit(line.text)
    return shape is not None and not is_sum(shape)


def _is_heading(line: TextLine) -> bool:
    return not line.bullet and (DASHED.fullmatch(line.text) is not None or is_section_word(line.text.rstrip(" :")))


def is_sum(shape: UnitShape | None) -> bool:
    """Whether what has the shape of a unit is `Total: 175 pts`."""
    key = CLAIM_KEYS.get(simplify_words(shape.name)) if shape else None
    return key in (ClaimKey.TOTAL, ClaimKey.LIMIT) and not (shape and shape.tail)


def has_bare_points(lines: Sequence[TextLine]) -> bool:
    """Whether no unit says that its number is one of points: title, size and total may say so."""
    filled = keep_filled(lines)
    return not any(map(_names_points, filled[1:])) and not (filled and _begins_units(filled))


def _begins_units(filled: Sequence[TextLine]) -> bool:
    """Whether the first line is a unit with points itself: nothing below it costs anything."""
    shape = match_unit(filled[0].text)
    return shape is not None and shape.cost.points is not None and _count_bare_costs(filled[1:]) < 2


def _count_bare_costs(lines: Iterable[TextLine]) -> int:
    return sum(match_unit(line.text, bare=True) is not None for line in lines if not line.bullet)


def _names_points(line: TextLine) -> bool:
    if match_lone_cost(line.text):
        return True
    shape = match_unit(line.text)
    return shape is not None and _has_points(shape) and not is_battle_size(shape.name)


def _has_points(shape: UnitShape) -> bool:
    """Whether a cost says that it is points: a number that is the sum of others need not, and totals do not count."""
    return shape.cost.points is not None and shape.parts is None and not is_sum(shape)


def find_closed_units(lines: Sequence[TextLine]) -> dict[int, ClosedUnit]:
    """Find the units that end in `Unit total: 82`, by the place of each of their lines."""
    closed: dict[int, ClosedUnit] = {}
    for last, line in enumerate(lines):
        match = None if line.bullet else _SUM_OF_UNIT.fullmatch(line.text)
        points = parse_number(match["cost"]) if match else None
        if points is None:
            continue
        first = _find_first_line(lines, last, closed)
        if first < last:
            unit = ClosedUnit(first, last, points)
            closed |= dict.fromkeys(range(first, last + 1), unit)
    return closed


def _find_first_line(lines: Sequence[TextLine], last: int, closed: dict[int, ClosedUnit]) -> int:
    """Return where a unit starts whose sum is at `last`: a title right above it has no cost."""
    start = _find_top(lines, last, closed)
    return next((index for index in range(start, last) if match_unit(lines[index].text, bare=True)), start)


def _find_top(lines: Sequence[TextLine], last: int, closed: dict[int, ClosedUnit]) -> int:
    """Return the place of the first of the lines that stand together with the one at `last`."""
    start = last
    # A blank line, a rule and the sum of another unit part units.
    while start and not (start - 1 in closed or _divides_units(lines[start - 1])):
        start -= 1
    return start


def _divides_units(line: TextLine) -> bool:
    return line.is_blank or line.is_rule or _SUM_OF_UNIT.fullmatch(line.text) is not None


def find_colon_units(lines: Sequence[TextLine], costs: Sequence[Number]) -> dict[int, UnitShape]:
    """Find units like `Bolt thrower: 130`, by the number of their line; `costs` are those of all other units.

    Any list may say `Drops: 3`. It is units where their numbers make up the total, or where nothing else has a cost.
    """
    matches = _match_lines(lines, _match_colon)
    numbers = [number for match in matches.values() if (number := parse_number(match["cost"])) is not None]
    if _is_without_others(numbers, costs) or _complete_total(numbers, costs, lines):
        return dict(_shape_colon_units(matches))
    return {}


def _match_lines(lines: Iterable[TextLine], match: LineMatcher) -> dict[int, re.Match[str]]:
    """Match each line that is of one kind, by its number."""
    return {line.number: matched for line in lines if (matched := match(line))}


def _shape_colon_units(matches: Mapping[int, re.Match[str]]) -> Iterator[tuple[int, UnitShape]]:
    """Shape units like `Bolt thrower: 130` as if they were written with their cost in brackets."""
    for number, match in matches.items():
        shape = match_unit(f"{match['name']} ({match['cost']})", bare=True)
        if shape:
            yield number, shape


def _is_without_others(numbers: Sequence[Number], costs: Sequence[Number]) -> bool:
    return len(numbers) > 1 and not costs


def _complete_total(numbers: Sequence[Number], costs: Sequence[Number], lines: Sequence[TextLine]) -> bool:
    """Whether some numbers make up, with what the other units cost, what a list says that it comes to."""
    return bool(numbers) and sum(costs) + sum(numbers) in _list_totals(lines)


def _match_colon(line: TextLine) -> re.Match[str] | None:
    match = _COLON_NUMBER.fullmatch(line.text) if line.is_bare else None
    return match if match and simplify_words(match["name"]) not in CLAIM_KEYS else None


def _list_totals(lines: Sequence[TextLine]) -> Iterator[Number]:
    """List what may be the total of a list: the cost of its first line, one behind a word for it, a lone number."""
    for index, line in enumerate(lines):
        total = _read_sum(line, first=index == 0)
        yield from _read_lone_total(line.text) if total is None else (total,)


def _read_lone_total(text: str) -> Iterator[Number]:
    """Yield the number in a line that has nothing else."""
    if cost := match_lone_cost(text):
        yield cost.points or 0
    elif _LONE_NUMBER.fullmatch(text) and (number := parse_number(text)) is not None:
        yield number


def _read_sum(line: TextLine, *, first: bool) -> Number | None:
    """Return the cost in a line that says of what it is the sum; the first line of a list is its title."""
    shape = match_unit(line.text, bare=True) or match_unit(line.text.replace(": ", " - "), ends=True)
    return shape.cost.points if shape and (first or is_sum(shape)) else None


@dataclass(frozen=True, slots=True)
class Operative:
    """A line of a team without points: `Gunner: long rifle, knife`, or what the team says of itself."""

    name: str
    weapons: str
    is_claim: bool


def find_operatives(lines: Sequence[TextLine]) -> dict[int, Operative]:
    """Find the operatives of a team, one a line, by the number of their line; none in a list that names points.

    Any text may have a line with a colon. It is a team where such lines are most of what is between the first and
    the last, and most of them hold rows.
    """
    filled = keep_filled(lines)
    matches = _match_lines(filled, _match_operative)
    if any(map(_names_points, filled)) or not _make_a_team(matches, filled):
        return {}
    return {number: _build_operative(match) for number, match in matches.items()}


def _has_row(match: re.Match[str]) -> bool:
    """Whether an operative has several weapons."""
    return re.search(r"[,;]", match["weapons"]) is not None


def _make_a_team(matches: Mapping[int, re.Match[str]], filled: Sequence[TextLine]) -> bool:
    rows = sum(map(_has_row, matches.values()))
    if rows < MIN_OPERATIVES or rows * 2 < len(matches):
        return False
    between = sum(min(matches) <= line.number <= max(matches) for line in filled)
    return len(matches) * 3 >= between * 2


def _match_operative(line: TextLine) -> re.Match[str] | None:
    match = None if line.heading or len(line.text) > MAX_LINE else _OPERATIVE.fullmatch(line.text)
    return match if match and find_claim_key(match["name"]) is None else None


def _build_operative(match: re.Match[str]) -> Operative:
    is_claim = simplify_words(match["name"]) in TEAM_KEYS
    return Operative(match["name"], match["weapons"].replace(";", ","), is_claim)
