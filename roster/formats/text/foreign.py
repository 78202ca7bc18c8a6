"""Write lists in the layouts that events ask for, and as a table.

They say names, numbers and points as those layouts do; what only our own text can say is left out.
"""

import csv
import io
from collections.abc import Container, Iterable, Iterator, Sequence
from enum import StrEnum

from catalogue.definitions.groups import group_by
from catalogue.definitions.numbers import Number, format_number
from roster.engine.report import EffectiveForce, EffectiveSelection, Report, find_cost, find_primary
from roster.engine.stacks import Keys, index_equal
from roster.engine.tree import RosterTree, copy_with, list_selections
from roster.formats.text.own import WrittenHead

FENCE = "+" * 47
_FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n")


class TextLayout(StrEnum):
    """In which layout a text is written: our own, or one that events ask for."""

    OWN = "armybuilder"
    WTC = "wtc"
    NEW_RECRUIT = "new-recruit"
    BATTLESCRIBE = "battlescribe"


def write_foreign_text(
    layout: TextLayout, roster: RosterTree, report: Report, head: WrittenHead, settings: Container[str] = ()
) -> str:
    """Write a list in the layout of another program; `report` is the engine's for it, with its effective tree.

    `settings` are the ids of selections among the units that are no units: events count units and read nothing else,
    while the programs have a section of their own for them.
    """
    writer = ForeignWriter(roster, report, head, settings)
    lines = {
        TextLayout.WTC: writer.write_wtc,
        TextLayout.NEW_RECRUIT: writer.write_new_recruit,
        TextLayout.BATTLESCRIBE: writer.write_battlescribe,
    }[layout]()
    return "\n".join(lines) + "\n"


class ForeignWriter:
    """One list while it is written for another program."""

    def __init__(self, roster: RosterTree, report: Report, head: WrittenHead, settings: Container[str]) -> None:
        self._settings = settings
        self._roster = roster
        self._keys = index_equal(roster)
        self._names = {selection.id: selection.name for selection in list_selections(roster)}
        self._head = head
        self._forces = list(report.walk_forces())
        costs = {cost.type_id: cost.value for cost in report.costs}
        self._total = costs.get(head.points_id, 0)

    def _list_units(self) -> Iterator[EffectiveSelection]:
        for force in self._forces:
            yield from self._list_force_units(force)

    def _list_force_units(self, force: EffectiveForce) -> list[EffectiveSelection]:
        return [merge_equal(unit, self._keys) for unit in force.selections]

    def _name_unit(self, unit: EffectiveSelection) -> str:
        """Return what a unit is called in the data, without what rules write behind its name: others look it up."""
        return _tidy(self._names.get(unit.id) or unit.name)

    def _get_points(self, selection: EffectiveSelection) -> Number:
        cost = find_cost(selection.totals, self._head.points_id)
        return cost.value if cost else 0

    def _say_points(self, selection: EffectiveSelection) -> str:
        return f"{format_number(self._get_points(selection))} pts"

    # ---- WTC-compact -------------------------------------------------------------------------------------------------

    def write_wtc(self) -> Iterator[str]:
        units = [unit for unit in self._list_units() if unit.id not in self._settings]
        yield FENCE
        yield f"+ FACTION KEYWORD: {_tidy(self._head.faction)}"
        yield f"+ DETACHMENT: {', '.join(_tidy(force.title) for force in self._forces)}"
        yield f"+ TOTAL ARMY POINTS: {format_number(self._total)}pts"
        yield "+"
        yield f"+ NUMBER OF UNITS: {len(units)}"
        yield FENCE
        yield ""
        for unit in units:
            models = list_models(unit)
            count = sum(model.number for model in models) or unit.number
            start = f"{count}x {self._name_unit(unit)} ({self._say_points(unit)})"
            options = _join_unit_options(unit, models)
            yield start if models else _append_row(start, options)
            for model in models:
                inside = _join_options(model.selections, model.number)
                together = f"{model.number} with {inside}" if inside and model.number > 1 else inside
                yield _append_row(f"• {model.number}x {_name(model)}", together)
            if models and options:
                yield f"• {options}"
            for attachment in unit.attachments:
                yield f"  Attached to {_tidy(attachment.to.name)}"

    # ---- New Recruit -------------------------------------------------------------------------------------------------

    def write_new_recruit(self) -> Iterator[str]:
        total = f"[{format_number(self._total)} pts]"
        yield f"{_tidy(self._head.faction)} - {_tidy(self._roster.name) or 'List'} - {total}"
        yield ""
        yield f"# ++ Army Roster ++ {total}"
        for name, units in group_by(self._list_units(), _name_slot).items():
            yield f"## {name} [{self._sum_points(units)} pts]"
            for unit in units:
                models = list_models(unit)
                start = f"{_count(unit)}{self._name_unit(unit)} [{self._say_points(unit)}]"
                options = _join_unit_options(unit, models)
                yield f"{start}:" if models and not options else _append_row(start, options)
                for model in models:
                    yield _append_row(
                        f"• {model.number}x {_name(model)}", _join_options(model.selections, model.number)
                    )
            yield ""

    def _sum_points(self, units: Iterable[EffectiveSelection]) -> str:
        return format_number(sum(map(self._get_points, units), 0))

    # ---- BattleScribe ------------------------------------------------------------------------------------------------

    def write_battlescribe(self) -> Iterator[str]:
        for force in self._forces:
            units = self._list_force_units(force)
            points = self._sum_points(units)
            yield f"++ {_tidy(force.title)} ({_tidy(force.catalogue_name)}) [{points}pts] ++"
            slot = ""
            for unit in units:
                if _name_slot(unit) != slot:
                    slot = _name_slot(unit)
                    yield from ("", f"+ {slot} +")
                yield ""
                models = list_models(unit)
                start = f"{_count(unit)}{self._name_unit(unit)} [{format_number(self._get_points(unit))}pts]"
                yield _append_row(start, _join_options(_list_others(unit, models), 1))
                for model in models:
                    yield _append_row(f". {model.number}x {_name(model)}", _join_options(model.selections, 1))
            yield ""
        yield f"++ Total: [{format_number(self._total)}pts] ++"
        yield ""
        yield "Created with Armybuilder"


def merge_equal(unit: EffectiveSelection, keys: Keys) -> EffectiveSelection:
    """Return a unit in which equal selections are one with their number; what is inside it has no costs then."""

    def merge(selections: Iterable[EffectiveSelection]) -> tuple[EffectiveSelection, ...]:
        # Rules may rename one of several that were chosen alike.
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


def list_models(unit: EffectiveSelection) -> list[EffectiveSelection]:
    """List the models of a unit that have lines of their own."""
    return [child for child in unit.selections if child.type == "model"]


def _join_options(selections: Iterable[EffectiveSelection], parents: int) -> str:
    """Write options in a row, with the number that each of `parents` has."""
    return ", ".join(_write_option(selection, parents) for selection in selections)


def _write_option(selection: EffectiveSelection, parents: int) -> str:
    # Rounded up: of seven that three models share, some of them have three.
    number = -(-selection.number // max(parents, 1))
    inside = _join_options(selection.selections, selection.number)
    name = f"{number}x {_name(selection)}" if number > 1 else _name(selection)
    return f"{name} ({inside})" if inside else name


def _list_others(unit: EffectiveSelection, models: Sequence[EffectiveSelection]) -> Iterator[EffectiveSelection]:
    """List the selections of a unit that are no models."""
    return (child for child in unit.selections if child not in models)


def _join_unit_options(unit: EffectiveSelection, models: Sequence[EffectiveSelection]) -> str:
    return _join_options(_list_others(unit, models), unit.number)


def _append_row(start: str, row: str) -> str:
    return f"{start}: {row}" if row else start


def _count(unit: EffectiveSelection) -> str:
    """Write how many of a unit there are, for a unit that is taken in numbers."""
    return f"{unit.number}x " if unit.number > 1 else ""


def _name(selection: EffectiveSelection) -> str:
    return _tidy(selection.name)


def _name_slot(unit: EffectiveSelection) -> str:
    slot = find_primary(unit.categories)
    return _tidy(slot.name) if slot else "Other"


def _tidy(name: str) -> str:
    """Return a name without the signs that these layouts divide by."""
    return " ".join("".join(" " if sign in "[](),:;|+" else sign for sign in name).split())


def write_csv(roster: RosterTree, report: Report, head: WrittenHead, settings: Container[str] = ()) -> str:
    """Write the units as a table, without `settings`. No cell is a formula, whatever a program takes for one."""
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
                ", ".join(_tidy(attachment.to.name) for attachment in unit.attachments),
            )
            table.writerow(map(protect_cell, cells))
    return buffer.getvalue()


def protect_cell(text: str) -> str:
    """Return a cell that no spreadsheet takes for a formula.

    >>> protect_cell("=1+1"), protect_cell("Reed Guard"), protect_cell("-5")
    ("'=1+1", 'Reed Guard', "'-5")
    """
    return f"'{text}" if text.lstrip(" ").startswith(_FORMULA_SIGNS) else text
