"""Read units as each layout writes them and their points."""

import re
from copy import deepcopy

from roster.formats.text.claims import add_written_claim, has_claim_key
from roster.formats.text.cursor import Cursor
from roster.formats.text.items import ItemParser, is_item_start
from roster.formats.text.pasted import LineKind, PastedLayout, PastedUnit, sum_points
from roster.formats.text.shapes import NAME, TextLine, has_letters, match_lone_cost, match_unit, split_count
from roster.formats.text.surroundings import find_closed_units, find_operatives
from roster.formats.text.words import FREE_SECTIONS, is_attachment, simplify_words

MAX_REPEATED = 500

_PLUS_UNIT = re.compile(r"\+\s*(?P<name>[^:]+?)\s*\((?P<count>\d{1,4})\)")
_UNCOSTED = frozenset({PastedLayout.BATTLESCRIBE, PastedLayout.OLD_WORLD_BUILDER})
"""Layouts that also exist without points."""


class UnitReader:
    """Reads units and lines that only hold their points. `read_` methods return whether they take the line."""

    def __init__(self, cursor: Cursor, items: ItemParser) -> None:
        self._cursor = cursor
        self._items = items
        self._closed_units = find_closed_units(cursor.lines)
        self._operatives = find_operatives(cursor.lines) if cursor.layout is PastedLayout.PLAIN else {}
        self._repeated: dict[int, int] = {}
        """By line number, if it is more than one."""

    def read_closed_unit(self, line: TextLine) -> bool:
        """Read a unit, its priced parts and its final sum: `Unit total: 82`."""
        cursor = self._cursor
        closed = self._closed_units.get(cursor.place)
        if closed is None:
            return False
        if cursor.place == closed.last:
            return cursor.note(line, LineKind.CLAIM)

        shape = match_unit(line.text, bare=True)
        if cursor.place > closed.first:
            cursor.pasted.units[-1].items.extend(self._items.parse_line(line))
            return cursor.note(line, LineKind.OPTION, sure=shape is not None or bool(line.bullet))
        count, name = (shape.count, shape.name) if shape else split_count(line.text)
        self._add_unit(PastedUnit(name, line.number, closed.points, count))
        return cursor.note(line, LineKind.UNIT)

    def read_operative(self, line: TextLine) -> bool:
        """Read `Gunner: long rifle, knife` of a team without points, or its equipment."""
        operative = self._operatives.get(line.number)
        if operative is None:
            return False
        if operative.is_claim:
            self._cursor.pasted.claims.other[operative.name] = operative.weapons
            return self._cursor.note(line, LineKind.CLAIM)
        count, name = split_count(operative.name)
        self._add_unit(PastedUnit(name, line.number, None, count), operative.weapons)
        return self._cursor.note(line, LineKind.UNIT)

    def read_plus_unit(self, line: TextLine) -> bool:
        """Read a unit whose points are on the next line: `+ UNIT NAME (5)`, or a bare name."""
        cursor = self._cursor
        following = cursor.look_right_below()
        cost = match_lone_cost(following.text) if following else None
        if following is None or cost is None or match_lone_cost(line.text):
            return False

        count: int | None
        if match := _PLUS_UNIT.fullmatch(line.text):
            count, name = int(match["count"]), match["name"]
        elif not line.is_bare or line.text.startswith("+") or cursor.match_unit(line):
            return False
        elif has_claim_key(line.text) or cursor.states_total(cost):
            # Points below a key, or below the name of the list, belong to the list.
            return False
        else:
            count, name = split_count(line.text)
        if not has_letters(name):
            return False

        self._add_unit(PastedUnit(name.strip(), line.number, cost.points, count))
        last = cursor.lines.index(following)
        for part in cursor.lines[cursor.place : last + 1]:
            cursor.note(part, LineKind.UNIT)
        cursor.place = last
        return True

    def read_unit(self, line: TextLine) -> bool:
        cursor = self._cursor
        shape = cursor.match_unit(line)
        if shape is None:
            return self._read_uncosted_unit(line)
        # War Organ signs the costs of options, so that units need no indents.
        is_unit = cursor.bulleted_too or cursor.layout is PastedLayout.WAR_ORGAN or cursor.is_named(line)
        if cursor.is_inside(line) and not (shape.reference or is_unit):
            return False
        unit = PastedUnit(shape.name, line.number, shape.cost.points, shape.count, reference=shape.reference)
        self._add_unit(unit, shape.tail)
        # Numbers in the text must not make the list endless.
        if 1 < shape.units <= MAX_REPEATED - sum(self._repeated.values()):
            self._repeated[line.number] = shape.units
        return cursor.note(line, LineKind.UNIT, sure=cursor.is_sure(line))

    def _read_uncosted_unit(self, line: TextLine) -> bool:
        cursor, sections = self._cursor, self._cursor.pasted.sections
        # There are no units before the first section or in a configuration section.
        if not line.is_bare or line.column or not sections or sections[-1].configures or cursor.is_undivided(line):
            return False
        # Right below a unit with points, a line without points belongs to the unit.
        if cursor.layout is PastedLayout.OLD_WORLD_BUILDER and cursor.has_costs and cursor.follows_unit:
            return False
        if cursor.layout not in _UNCOSTED:
            # In the Age of Sigmar app, units of some sections are free, such as faction terrain.
            is_free = simplify_words(sections[-1].name) in FREE_SECTIONS and NAME.fullmatch(line.text) is not None
            if cursor.layout is not PastedLayout.APP_AOS or not is_free:
                return False
        if line.text.startswith("(") or is_attachment(line.text):
            return False
        if split_count(line.text)[0] is None and is_item_start(line.text):
            return False

        name, _, tail = line.text.partition(": ")
        # Right below a unit with points, a row of names is its equipment.
        if tail and cursor.has_costs and cursor.follows_unit:
            return False
        if tail and cursor.has_costs and not cursor.has_contents():
            # Among units with points, `Mark: none` is a claim.
            add_written_claim(cursor.pasted.claims, name, tail)
            return cursor.note(line, LineKind.CLAIM)
        count, plain = split_count(name)
        self._add_unit(PastedUnit(plain, line.number, None, count), tail)
        # Among units with points, a name with contents may as well be a heading.
        is_alone_with_contents = cursor.has_contents() and not cursor.has_costs
        sure = bool(tail) or cursor.layout is PastedLayout.APP_AOS or self._stands_alone() or is_alone_with_contents
        return cursor.note(line, LineKind.UNIT, sure=sure)

    def _stands_alone(self) -> bool:
        place = self._cursor.place
        around = self._cursor.lines[max(0, place - 1) : place + 2]
        blank = sum(line.is_blank for line in around)
        return blank == 2 or (blank == 1 and len(around) < 3)

    def _add_unit(self, unit: PastedUnit, contents: str = "") -> None:
        cursor = self._cursor
        unit.section = cursor.pasted.sections[-1].name if cursor.pasted.sections else ""
        # Army Forge writes the rules of a unit after its points.
        is_forge = cursor.layout is PastedLayout.ARMY_FORGE
        unit.items.extend((self._items.parse_rules if is_forge else self._items.parse_inside)(contents, unit.line))
        cursor.pasted.units.append(unit)
        cursor.unit_column = cursor.lines[cursor.place].column
        cursor.begin_part()

    def repeat_units(self) -> list[PastedUnit]:
        """Repeat units as often as their lines say.

        Army Forge writes one number and a cost in each line, for one unit or for all. The sums show which.
        """
        pasted = self._cursor.pasted
        total = pasted.claims.total
        if self._cursor.layout is PastedLayout.ARMY_FORGE and total is not None:
            together = sum((unit.points or 0) * self._repeated.get(unit.line, 1) for unit in pasted.units)
            if total != together and total == sum_points(pasted.units):
                # Each line has the cost of all its units.
                self._repeated.clear()
            elif total != together:
                pasted.claims.total, pasted.claims.limit = None, total

        units = []
        for unit in pasted.units:
            units.append(unit)
            units += (deepcopy(unit) for _ in range(1, self._repeated.get(unit.line, 1)))
        return units
