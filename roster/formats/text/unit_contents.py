"""Read the items and models below a unit."""

import re

from roster.formats.text.cursor import Cursor
from roster.formats.text.items import ItemParser, is_item_start, split_at_commas
from roster.formats.text.pasted import ItemRole, LineKind, PastedItem, PastedLayout, PastedUnit
from roster.formats.text.shapes import TextLine, match_lone_cost
from roster.formats.text.words import RENOWN_WORDS, simplify_words

_PROFILE = re.compile(r"(?:\[[^\[\]]{1,80}\]\s*)?(?:[A-Z][A-Z]{0,3}\s?\([^()\s]{1,6}\)[\s,;|]*){4,}", re.I)


class ContentsReader:
    def __init__(self, cursor: Cursor, items: ItemParser) -> None:
        self._cursor = cursor
        self._items = items
        self._unit: PastedUnit | None = None
        self._open_items: list[tuple[int, PastedItem]] = []
        """The items of `_unit` that are still open, with their columns, outermost first."""
        self._part_margin = -1
        """The indentation of the last open item if it is a part of some models, else -1."""

    def read_item(self, line: TextLine) -> bool:
        cursor, pasted = self._cursor, self._cursor.pasted
        if (
            cursor.is_complete
            or not pasted.units
            or (pasted.sections and pasted.sections[-1].line > pasted.units[-1].line)
        ):
            return False
        has_signs = bool(line.bullet) or cursor.is_inside(line) or is_item_start(line.text)
        # Army Forge writes weapons in the line below a unit, each followed by brackets.
        is_below_forge = cursor.layout is PastedLayout.ARMY_FORGE and cursor.last_kind is LineKind.UNIT
        if not has_signs and not (is_below_forge and "(" in line.text):
            return False

        # With bullets under it, a row is a single name: `1 net, 3 poles`.
        below = cursor.look_right_below()
        has_bullets_under = below is not None and bool(below.bullet) and below.column > line.column
        items = self._items.parse_line(line, whole=has_bullets_under)
        for item in items:
            item.line = line.number

        unit = pasted.units[-1]
        if unit is not self._unit:
            self._unit, self._open_items, self._part_margin = unit, [], -1
        # Compare the raw indentation: a bullet alone does not make a level.
        margin = len(line.raw) - len(line.raw.lstrip())
        while self._open_items and (self._open_items[-1][0] >= line.column or self._part_margin >= margin):
            self._open_items.pop()
            self._part_margin = -1
        models = [item for item in unit.items if item.counted and item.role is ItemRole.OPTION]
        if self._open_items:
            self._open_items[-1][1].items.extend(items)
        elif not line.bullet and items and items[0].role is ItemRole.PART and models:
            # Without a bullet, a part belongs to the models above.
            models[-1].items.extend(items)
        else:
            unit.items.extend(items)
        if len(items) == 1 and items[0].role is not ItemRole.NOTE:
            self._open_items.append((line.column, items[0]))
            if items[0].role is ItemRole.PART:
                self._part_margin = margin

        is_note = all(item.role is ItemRole.NOTE for item in items)
        return cursor.note(line, LineKind.NOTE if is_note else LineKind.OPTION)

    def read_sum_of_unit(self, line: TextLine) -> bool:
        """Read points alone: the sum of the unit and its options."""
        cost = match_lone_cost(line.text)
        if cost is None or line.bullet or not self._cursor.pasted.units or not self._cursor.follows_unit:
            return False
        unit = self._cursor.pasted.units[-1]
        if (unit.points or 0) + sum(item.sum_points() for item in unit.items) != cost.points:
            return False
        unit.points = cost.points
        return self._cursor.note(line, LineKind.NOTE)

    def guess_item(self, line: TextLine) -> bool:
        """Take a line for an option that lost its bullet."""
        if not self._cursor.pasted.units or not self._cursor.follows_unit:
            return False
        unit = self._cursor.pasted.units[-1]
        items = self._items.parse_line(line)
        unit.items.extend(items)
        # A regiment of renown has all the points; the names of its units and their items follow.
        is_renowned = simplify_words(unit.section) in RENOWN_WORDS
        if is_renowned:
            self._unit, self._open_items, self._part_margin = unit, [(line.column, items[-1])], -1
        return self._cursor.note(line, LineKind.OPTION, sure=is_row_of_names(line.text) or is_renowned)

    def read_profile(self, line: TextLine) -> bool:
        """Read a row of characteristics, `[Guard] M(4) WS(3) S(3)`."""
        return _PROFILE.fullmatch(line.text) is not None and self._cursor.note(line, LineKind.NOTE)


def is_row_of_names(text: str) -> bool:
    parts = split_at_commas(text)
    return len(parts) > 1 and all(len(part.split()) <= 5 and part[-1] not in ".?!" for part in parts)
