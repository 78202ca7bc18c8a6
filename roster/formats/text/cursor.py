"""Hold the current line, its surroundings, and what the list readers have read."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise

from catalogue.definitions.numbers import Number
from roster.formats.text.items import has_added_cost
from roster.formats.text.layouts import FORCE_HEADING, detect_layout, find_aos_title
from roster.formats.text.names import make_key
from roster.formats.text.pasted import HeaderClaims, LineKind, PastedLayout, PastedLine, PastedList, Reading
from roster.formats.text.shapes import (
    TextLine,
    UnitShape,
    WrittenCost,
    drop_cost,
    is_battle_size,
    is_capitals,
    keep_filled,
    match_typed_numbers,
    match_unit,
    split_count_off,
)
from roster.formats.text.surroundings import drop_margin, find_colon_units, find_numbered_units, has_bare_points, is_sum
from roster.formats.text.words import is_section_word

FEWEST_SUMMED = 3
"""The fewest units whose total is unlikely to be the cost of another unit."""
ROUND_POINTS = 50
KnownNames = Callable[[str], Reading]
"""Returns how reliably a name is a unit of the game, for lists that no program wrote."""
_BEHIND_NAME = re.compile(
    r"(?P<name>\S.*?)(?:\s*[:,;([]\s*|\s+[–—-]\s+|\s+(?:with|w/|mit|avec)\s+)(?P<tail>\S.*?)[\])]?", re.I
)


class Cursor:
    """A position in a list's lines, and the list read so far.

    `in_head` is true until the first section or unit. The next line may continue `open_claim`. `is_complete` means that
    a total shows that no unit follows.
    """

    def __init__(
        self,
        lines: Sequence[TextLine],
        *,
        bulleted_too: bool = False,
        divided: bool = False,
        knows: KnownNames | None = None,
    ) -> None:
        self.lines = drop_margin(lines)
        self.layout = detect_layout(self.lines)
        self.pasted = PastedList(self.layout, HeaderClaims(), [], [], [])
        self.place = 0
        self.title = find_aos_title(keep_filled(self.lines)) if self.layout is PastedLayout.APP_AOS else None
        self.in_head = True
        self.open_claim = ""
        self.unit_column = 0
        self.is_complete = False
        self._bare = self.layout is PastedLayout.APP_AOS or has_bare_points(self.lines)
        self._ends = self.layout in (PastedLayout.OLD_WORLD_BUILDER, PastedLayout.PLAIN) or not self._has_usual_costs()
        self.bulleted_too = bulleted_too
        self._unit_bullet = ""
        # If blank lines and headings separate the units, a line right below another belongs to a unit.
        self._undivided = {
            line.number
            for above, line in pairwise(self.lines)
            if divided and not (above.is_blank or above.is_rule or FORCE_HEADING.fullmatch(above.text))
        }
        is_plain = self.layout is PastedLayout.PLAIN
        self._numbered = find_numbered_units(self.lines) if is_plain else {}
        self._bulleted_units = not bulleted_too and self._has_bulleted_units()
        self._named = self._find_named(knows) if is_plain and knows else {}

    def note(self, line: TextLine, kind: LineKind, *, sure: bool = True) -> bool:
        """Record how a line was read, and return True."""
        reading = Reading.UNDERSTOOD if sure else Reading.GUESSED
        self.pasted.lines.append(PastedLine(line.number, line.raw.rstrip(), kind, reading))
        return True

    def close_if_complete(self) -> None:
        units = self.pasted.units
        self.is_complete = bool(units) and self.pasted.claims.total == self.pasted.sum_points()

    def begin_part(self) -> None:
        self.in_head = False
        self.open_claim = ""

    # ---- lines above -------------------------------------------------------------------------------------------------

    @property
    def last_kind(self) -> LineKind:
        return self.pasted.lines[-1].kind if self.pasted.lines else LineKind.BLANK

    @property
    def follows_unit(self) -> bool:
        return self.last_kind in (LineKind.UNIT, LineKind.OPTION, LineKind.NOTE)

    def is_inside(self, line: TextLine) -> bool:
        return bool(self.pasted.units) and line.column > self.unit_column

    # ---- lines below -------------------------------------------------------------------------------------------------

    def list_below(self) -> Iterator[TextLine]:
        return (line for line in self.lines[self.place + 1 :] if line.is_filled)

    def look_ahead(self) -> TextLine | None:
        return next(self.list_below(), None)

    def look_right_below(self) -> TextLine | None:
        """Return the next line with words, or None after a blank line."""
        following = next((line for line in self.lines[self.place + 1 :] if not line.is_rule), None)
        return following if following and following.is_filled else None

    def has_contents(self) -> bool:
        following = self.look_right_below()
        return following is not None and (bool(following.bullet) or following.column > self.lines[self.place].column)

    def is_followed_by_unit(self) -> bool:
        for line in self.list_below():
            if self.match_unit(line):
                return True
            if line.bullet or not (is_section_word(line.text) or is_capitals(line.text)):
                return False
        return False

    def list_costs_below(self) -> list[Number]:
        shapes = map(self.match_unit, self.lines[self.place + 1 :])
        return [shape.points for shape in shapes if shape]

    def may_be_sum(self, points: Number) -> bool:
        """Return whether points may be the total or limit of all units below rather than a unit's cost.

        They must be at least three quarters of the sum, because a list need not be full. Right above one or two units
        they must also be round, or exactly the sum.
        """
        costs, following = self.list_costs_below(), self.look_ahead()
        is_in_row = following is not None and self.match_unit(following) is not None
        is_plausible = not is_in_row or len(costs) >= FEWEST_SUMMED or points % ROUND_POINTS == 0
        return bool(costs) and (points == sum(costs) or (is_plausible and points * 4 >= sum(costs) * 3))

    def states_total(self, cost: WrittenCost) -> bool:
        if not self.in_head:
            return False
        costs = self.list_costs_below()
        # A single unit of the same cost may be meant.
        return len(costs) > 1 and sum(costs) == cost.points

    # ---- units -------------------------------------------------------------------------------------------------------

    def match_unit(self, line: TextLine) -> UnitShape | None:
        if line.number in self._named:
            return self._named[line.number][0]
        if self.is_complete or line.number in self._undivided:
            return None
        # BattleScribe writes dots in front of the contents of a unit.
        if (bool(line.bullet) is not self._bulleted_units and not self.bulleted_too) or line.bullet == ".":
            return None
        if (line.heading and not self._bulleted_units) or has_added_cost(line.text):
            return None
        # The first of several bullets marks units, the others their contents.
        if self._bulleted_units and line.bullet and line.bullet != self._unit_bullet:
            return None

        typed = self._colon_units.get(line.number) or self._numbered.get(line.number)
        shape = typed or match_unit(line.text, bare=self._bare, ends=self._ends)
        # A signed cost, as `+5`, belongs to an option.
        if shape is None or shape.cost.signed or shape.cost.points is None or is_sum(shape):
            return None
        return shape

    def _has_usual_costs(self) -> bool:
        shapes = filter(None, (match_unit(line.text, bare=self._bare) for line in self.lines))
        return sum(not is_battle_size(shape.name) for shape in shapes) > 1

    def is_undivided(self, line: TextLine) -> bool:
        """Return whether a line follows another directly, although a blank line or heading should separate units."""
        return line.number in self._undivided

    def is_named(self, line: TextLine) -> bool:
        return line.number in self._named

    def is_sure(self, line: TextLine) -> bool:
        if line.number in self._named:
            return self._named[line.number][1] is Reading.UNDERSTOOD
        return line.number not in self._numbered

    def get_typed_shape(self, line: TextLine) -> UnitShape | None:
        return self._numbered.get(line.number)

    def shape_typed(self, line: TextLine) -> UnitShape | None:
        """Match a hand-typed unit: `2x Barge with sails`, `Barge 90`."""
        shape = self._numbered.get(line.number) or match_unit(line.text, bare=self._bare, ends=True)
        if shape is None or shape.cost.points is None:
            count, name = split_count_off(line.text)
            behind = _BEHIND_NAME.fullmatch(name)
            plain, tail = (behind["name"], behind["tail"]) if behind else (name, "")
            shape = UnitShape(plain, WrittenCost(None), count, tail, bracketed=False)
        return shape if shape.name and not is_sum(shape) else None

    def _find_named(self, knows: KnownNames) -> dict[int, tuple[UnitShape, Reading]]:
        """Find lines that name a unit of the game and have one form: with or without a bullet and a cost."""
        shapes: dict[int, UnitShape] = {}
        readings: dict[int, Reading] = {}
        filled = keep_filled(self.lines)
        has_costs = any(shape and shape.points for shape in map(self.shape_typed, filled))
        for line in filled:
            shape = self.shape_typed(line)
            reading = knows(shape.name) if shape else Reading.UNREAD
            if shape is None or shape.cost.points is None or reading is not Reading.UNDERSTOOD:
                # `Guard 10 150`, though other lines write the numbers otherwise.
                numbered = match_typed_numbers(line.text, has_costs=has_costs)
                if numbered and knows(numbered.name) is Reading.UNDERSTOOD:
                    shape, reading = numbered, Reading.UNDERSTOOD
            if shape:
                shapes[line.number], readings[line.number] = shape, reading
        first = next((line for line in filled if readings.get(line.number) is Reading.UNDERSTOOD), None)
        if first is None:
            return {}

        has_costs = any(shape.cost.points is not None for shape in shapes.values())
        named: dict[int, tuple[UnitShape, Reading]] = {}
        last_key = ""
        for line in filled:
            reading = readings.get(line.number, Reading.UNREAD)
            is_alike = line.number >= first.number and bool(line.bullet) is bool(first.bullet)
            if not is_alike or line.column > first.column or reading is Reading.UNREAD:
                continue
            shape = shapes[line.number]
            # In a list with costs, a line without one belongs to a unit, unless the game has another unit of that name.
            # The first line may be the total.
            is_inside = has_costs and shape.cost.points is None
            if is_inside and (reading is not Reading.UNDERSTOOD or make_key(shape.name) == last_key):
                continue
            others = sum(other.points for number, other in shapes.items() if number > line.number)
            if line is filled[0] and shape.points and shape.points == others:
                continue
            named[line.number], last_key = (shape, reading), make_key(shape.name)
        return named

    @cached_property
    def has_costs(self) -> bool:
        return any(map(self.match_unit, self.lines))

    @cached_property
    def _colon_units(self) -> dict[int, UnitShape]:
        if self.layout is not PastedLayout.PLAIN:
            return {}
        filled = keep_filled(self.lines)
        costs: list[Number] = []
        # The first line is the title with the total.
        for line in filled[1:]:
            shape = None if line.bullet else match_unit(line.text, bare=self._bare, ends=True)
            if shape and not is_sum(shape):
                costs.append(shape.points)
        return find_colon_units(filled, costs)

    def _has_bulleted_units(self) -> bool:
        bulleted = plain = 0
        for line in self.lines:
            shape = match_unit(line.text, bare=self._bare) or self._numbered.get(line.number)
            if line.heading or has_added_cost(line.text) or shape is None:
                continue
            # The cost in a heading belongs to a section or a force.
            if is_section_word(drop_cost(line.text)) or FORCE_HEADING.fullmatch(line.text):
                continue
            if is_section_word(shape.name) and not line.bullet:
                continue
            if line.bullet:
                bulleted += 1
                self._unit_bullet = self._unit_bullet or line.bullet
            else:
                plain += 1
        # One plain line with a cost may be the title above them.
        return bulleted >= 2 and plain <= 1
