"""Find clues that show only across several lines: the margin, units closed by a sum, bare numbers."""

import re
from collections.abc import Iterator, Sequence
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
_NUMBERED_NAME = re.compile(r"(?P<name>[^:\[\]()|]*[^\W\d_][^:\[\]()|]*?)(?:\s+|(?<!\d)\s*[=–—-]\s*)(?P<cost>\d{1,4})")
_NUMBERED_ROW = re.compile(
    r"(?P<name>[^:\[\]()|\d]*[^\W\d_][^:\[\]()|\d]*?)\s+(?P<cost>\d{2,4})(?:\s+[–—-]\s+|\s*:\s+|\s+\()(?P<tail>[^\W\d_].*?)\)?"
)
"""`Overlord 115 - warlord, orb`: among lines of a name and a number, the rest is in the unit."""
LEAST_NUMBERED = 2
"""The fewest lines of a name and a number that make a hand-typed list."""
_LONE_NUMBER = re.compile(r"\d[\d.,]*")
_OPERATIVE = re.compile(
    r"(?:\d{1,2}[.)]\s+)?(?P<name>(?:\d{1,2}\s?x?\s+)?[^\W\d_][^:;,\[\]]{1,50}?)\s?:\s+(?P<weapons>(?:\d{1,2}x?\s+)?[^\W\d_].*)"
)
MIN_OPERATIVES = 2
"""The fewest lines that make a team: a single one may be prose."""


@dataclass(frozen=True, slots=True)
class ClosedUnit:
    first: int
    last: int
    points: Number


def drop_margin(lines: Sequence[TextLine]) -> list[TextLine]:
    below = list(dropwhile(lambda line: not line.column, (line for line in lines if not line.is_blank)))
    if not below or below[0].bullet:
        return list(lines)
    heading, margin = below[0].text, below[0].column
    if not DASHED.fullmatch(heading) and not is_section_word(heading.rstrip(" :")):
        return list(lines)
    for line in below:
        shape = match_unit(line.text) if line.column < margin else None
        # A unit left of the margin shows that the indented lines belong to units.
        if shape and not is_sum(shape):
            return list(lines)
    return [replace(line, column=max(0, line.column - margin)) for line in lines]


def is_sum(shape: UnitShape) -> bool:
    words = simplify_words(shape.name)
    return not shape.tail and (CLAIM_KEYS.get(words) in (ClaimKey.TOTAL, ClaimKey.LIMIT) or words.endswith(" total"))


def has_bare_points(lines: Sequence[TextLine]) -> bool:
    """Return whether no unit has a word for points; title, size and total may have one."""
    filled = keep_filled(lines)
    if any(map(_names_points, filled[1:])):
        return False
    shape = match_unit(filled[0].text) if filled else None
    if shape is None or shape.cost.points is None:
        return True
    # The first line may be a unit with points. Then no line below it has a cost.
    return sum(match_unit(line.text, bare=True) is not None for line in filled[1:] if not line.bullet) >= 2


def _names_points(line: TextLine) -> bool:
    if match_lone_cost(line.text):
        return True
    shape = match_unit(line.text)
    if shape is None or is_sum(shape) or is_battle_size(shape.name):
        return False
    return shape.cost.points is not None and shape.parts is None


def find_closed_units(lines: Sequence[TextLine]) -> dict[int, ClosedUnit]:
    """Find units that end with `Unit total: 82`, by the place of each line."""
    closed: dict[int, ClosedUnit] = {}
    for last, line in enumerate(lines):
        match = None if line.bullet else _SUM_OF_UNIT.fullmatch(line.text)
        points = parse_number(match["cost"]) if match else None
        if points is None:
            continue

        # Blank lines, rules and sums separate units.
        top = last
        while top and top - 1 not in closed:
            above = lines[top - 1]
            if above.is_blank or above.is_rule or _SUM_OF_UNIT.fullmatch(above.text):
                break
            top -= 1
        # A title right above the unit has no cost.
        first = next((index for index in range(top, last) if match_unit(lines[index].text, bare=True)), top)
        if first < last:
            unit = ClosedUnit(first, last, points)
            closed |= dict.fromkeys(range(first, last + 1), unit)
    return closed


def find_colon_units(lines: Sequence[TextLine], costs: Sequence[Number]) -> dict[int, UnitShape]:
    """Find units like `Bolt thrower: 130`, by line number; `costs` are the costs of all other units.

    Any list may contain `Drops: 3`. The lines are units if their numbers complete the total, or if no other line has a
    cost.
    """
    matches: dict[int, re.Match[str]] = {}
    for line in lines:
        match = _COLON_NUMBER.fullmatch(line.text) if line.is_bare else None
        if match and simplify_words(match["name"]) not in CLAIM_KEYS:
            matches[line.number] = match
    numbers = [number for match in matches.values() if (number := parse_number(match["cost"])) is not None]
    is_without_others = len(numbers) > 1 and not costs
    if not is_without_others and not (numbers and sum(costs) + sum(numbers) in _list_totals(lines)):
        return {}

    units: dict[int, UnitShape] = {}
    for line_number, match in matches.items():
        shape = match_unit(f"{match['name']} ({match['cost']})", bare=True)
        if shape:
            units[line_number] = shape
    return units


def find_numbered_units(lines: Sequence[TextLine]) -> dict[int, UnitShape]:
    """Find hand-typed lines like `Overlord 90`, by line number, unless the list uses words for points.

    The first line may be a title: `Necrons 1000`.
    """
    filled = keep_filled(lines)
    if any(map(_names_points, filled[1:])):
        return {}
    numbered: dict[int, UnitShape] = {}
    rows: dict[int, UnitShape] = {}
    for line in filled:
        row = _NUMBERED_ROW.fullmatch(line.text) if not line.heading and len(line.text) <= MAX_LINE else None
        if row and not find_claim_key(row["name"]) and not is_section_word(row["name"]):
            shape = match_unit(f"{row['name']} ({row['cost']})", bare=True)
            if shape:
                rows[line.number] = replace(shape, bracketed=False, tail=row["tail"])
            continue
        match = _NUMBERED_NAME.fullmatch(line.text) if not line.heading and len(line.text) <= MAX_LINE else None
        if match is None or find_claim_key(match["name"]) or is_section_word(match["name"]):
            continue
        shape = match_unit(f"{match['name']} ({match['cost']})", bare=True)
        if shape:
            numbered[line.number] = replace(shape, bracketed=False)
    return numbered | rows if len(numbered) >= LEAST_NUMBERED else {}


def _list_totals(lines: Sequence[TextLine]) -> Iterator[Number]:
    for index, line in enumerate(lines):
        shape = match_unit(line.text, bare=True) or match_unit(line.text.replace(": ", " - "), ends=True)
        total = shape.cost.points if shape and (index == 0 or is_sum(shape)) else None
        if total is not None:
            yield total
        elif cost := match_lone_cost(line.text):
            yield cost.points or 0
        elif _LONE_NUMBER.fullmatch(line.text) and (number := parse_number(line.text)) is not None:
            yield number


@dataclass(frozen=True, slots=True)
class Operative:
    """A team's line without points: `Gunner: long rifle, knife`, or its claim."""

    name: str
    weapons: str
    is_claim: bool


def find_operatives(lines: Sequence[TextLine]) -> dict[int, Operative]:
    """Find a team's operatives by line number, unless the list uses words for points.

    Any text may have a line with a colon. In a team, most lines have one, and most of those hold rows.
    """
    filled = keep_filled(lines)
    if any(map(_names_points, filled)):
        return {}
    matches: dict[int, re.Match[str]] = {}
    for line in filled:
        match = None if line.heading or len(line.text) > MAX_LINE else _OPERATIVE.fullmatch(line.text)
        if match and find_claim_key(match["name"]) is None:
            matches[line.number] = match

    rows = sum(re.search(r"[,;]", match["weapons"]) is not None for match in matches.values())
    if rows < MIN_OPERATIVES or rows * 2 < len(matches):
        return {}
    first, last = min(matches), max(matches)
    between = sum(first <= line.number <= last for line in filled)
    if len(matches) * 3 < between * 2:
        return {}
    return {
        number: Operative(match["name"], match["weapons"].replace(";", ","), simplify_words(match["name"]) in TEAM_KEYS)
        for number, match in matches.items()
    }
