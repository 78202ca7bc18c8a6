"""Apply a user's corrections to lines: a note, or a unit of another name."""

import re
from collections.abc import Mapping

from roster.formats.list_text import simplify_name
from roster.formats.text.doubts import mark_doubts
from roster.formats.text.pasted import LineKind, PastedLine, PastedList, PastedUnit, Reading
from roster.formats.text.shapes import match_unit, parse_number
from roster.formats.text.unit_filler import MAX_KEY

NOTE = "note"
"""Any other correction is the name of a unit."""

_POINTS_AT_END = re.compile(r"(?P<number>\d[\d.,]*)\s*(?:pts?|points?)?\W*$", re.I)


def make_line_key(text: str) -> str:
    return f"line:{simplify_name(text) or text.strip()}"[:MAX_KEY]


def apply_line_answers(pasted: PastedList, choices: Mapping[str, str]) -> None:
    if pasted.document is not None or not any(key.startswith("line:") for key in choices):
        return
    for line in pasted.lines:
        answer = choices.get(make_line_key(line.text), "") if line.text.strip() else ""
        if answer == NOTE:
            _drop_line(pasted, line.number)
            line.kind, line.reading = LineKind.NOTE, Reading.UNDERSTOOD
            pasted.doubted.discard(line.number)
        elif answer:
            _name_unit(pasted, line, answer)
    pasted.units.sort(key=lambda unit: unit.line)
    mark_doubts(pasted)


def _drop_line(pasted: PastedList, number: int) -> None:
    for unit in [unit for unit in pasted.units if unit.line == number]:
        pasted.units.remove(unit)
        below = {item.line for item in unit.walk_items()} - {number, 0}
        for line in pasted.lines:
            if line.number in below:
                line.kind, line.reading = LineKind.UNKNOWN, Reading.UNREAD
        pasted.doubted -= below
    for unit in pasted.units:
        unit.items = [item for item in unit.items if item.line != number or number == unit.line]
        for item in unit.walk_items():
            item.items = [inner for inner in item.items if inner.line != number or number == item.line]


def _name_unit(pasted: PastedList, line: PastedLine, name: str) -> None:
    units = [unit for unit in pasted.units if unit.line == line.number]
    for unit in units:
        unit.name = name
    if not units:
        _drop_line(pasted, line.number)
        points = count = None
        if shape := match_unit(line.text.strip(), bare=True):
            points, count = shape.cost.points, shape.count
        elif match := _POINTS_AT_END.search(line.text):
            points = parse_number(match["number"])
        pasted.units.append(PastedUnit(name, line.number, points=points, count=count))
    line.kind, line.reading = LineKind.UNIT, Reading.UNDERSTOOD
