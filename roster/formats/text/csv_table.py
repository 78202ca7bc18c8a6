"""Write a list's units as a table for spreadsheets."""

import csv
import io
from collections.abc import Container, Iterable

from catalogue.definitions.groups import group_by
from catalogue.definitions.numbers import format_number
from roster.engine.report import EffectiveSelection, Report, find_cost, find_primary
from roster.engine.stacks import Keys, index_equal
from roster.engine.tree import RosterTree, copy_with
from roster.formats.text.outline import tidy
from roster.formats.text.own import WrittenHead

_FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n")


def write_csv(roster: RosterTree, report: Report, head: WrittenHead, settings: Container[str] = ()) -> str:
    """Write the units, without `settings`. No cell can be read as a formula."""
    keys = index_equal(roster)
    buffer = io.StringIO()
    table = csv.writer(buffer, lineterminator="\r\n")
    table.writerow(["Detachment", "Slot", "Unit", "Name", "Number", "Points", "Options", "Attached to"])
    for force in report.walk_forces():
        for unit in force.selections:
            if unit.id in settings:
                continue
            points = find_cost(unit.totals, head.points_id)
            cells = (
                force.title,
                _name_slot(unit),
                unit.name,
                unit.custom_name,
                str(unit.number),
                format_number(points.value) if points else "",
                _join_options(merge_equal(unit, keys).selections, 1),
                ", ".join(tidy(attachment.to.name) for attachment in unit.attachments),
            )
            table.writerow(map(protect_cell, cells))
    return buffer.getvalue()


def protect_cell(text: str) -> str:
    """Quote a cell that a spreadsheet would take for a formula.

    >>> protect_cell("=1+1"), protect_cell("Reed Guard"), protect_cell("-5")
    ("'=1+1", 'Reed Guard', "'-5")
    """
    return f"'{text}" if text.lstrip(" ").startswith(_FORMULA_SIGNS) else text


def merge_equal(unit: EffectiveSelection, keys: Keys) -> EffectiveSelection:
    """Merge equal selections into one with their number and no costs."""

    def merge(selections: Iterable[EffectiveSelection]) -> tuple[EffectiveSelection, ...]:
        # Rules may rename one of several equal selections.
        stacks = group_by(selections, lambda selection: (keys[selection.id], selection.name))
        return tuple(
            copy_with(
                stack[0],
                number=sum(selection.number for selection in stack),
                selections=merge(inner for selection in stack for inner in selection.selections),
                costs=(),
                totals=(),
            )
            for stack in stacks.values()
        )

    return copy_with(unit, selections=merge(unit.selections))


def _join_options(selections: Iterable[EffectiveSelection], parents: int) -> str:
    return ", ".join(_write_option(selection, parents) for selection in selections)


def _write_option(selection: EffectiveSelection, parents: int) -> str:
    # Round up: if three models share seven, some of them have three.
    number = -(-selection.number // max(parents, 1))
    inside = _join_options(selection.selections, selection.number)
    name = f"{number}x {_name(selection)}" if number > 1 else _name(selection)
    return f"{name} ({inside})" if inside else name


def _name(selection: EffectiveSelection) -> str:
    return tidy(selection.name)


def _name_slot(unit: EffectiveSelection) -> str:
    slot = find_primary(unit.categories)
    return tidy(slot.name) if slot else "Other"
