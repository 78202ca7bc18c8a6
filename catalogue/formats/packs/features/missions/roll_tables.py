"""Dice: every result of a die leads to one thing. A pack in which one does not can be used all the same."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from catalogue.definitions.diagnostics import Level
from catalogue.definitions.missions import Mission, ObjectiveGroup
from catalogue.formats.packs.compile.context import CompileContext
from catalogue.formats.packs.forms.play import Kind, PlayForms
from catalogue.formats.packs.problems import Problems, Where

ONCE = "Let the results run from 1 to {}, each once."


class Rolled(NamedTuple):
    """A thing that is rolled for, with its first and last result; None where it has none."""

    name: str
    low: int | None
    high: int | None
    where: Where


class Table(NamedTuple):
    """What is rolled for with one die: its name, how many sides the die has, what is on it, where it is declared."""

    name: str
    sides: int
    rows: tuple[Rolled, ...]
    where: Where


def check_rolls(context: CompileContext) -> None:
    """Report results that lead to nothing or to several things, and things that no result leads to."""
    forms = context.forms.play
    for table in _tables(forms):
        _check_table(table, context.problems)
    for mission in forms.missions:
        _check_die(mission, forms, context.problems)


def _tables(forms: PlayForms) -> Iterator[Table]:
    for group in _drawn_groups(forms):
        rows = [
            Rolled(each.name, each.roll, each.roll, forms.place(Kind.OBJECTIVE, each.id))
            for each in forms.objectives
            if each.group == group.id
        ]
        yield Table(group.name, len(rows), tuple(rows), forms.place(Kind.GROUP, group.id))
    for pack in forms.packs:
        rolled = [each for each in forms.missions if each.pack == pack.name and each.low is not None]
        rows = [Rolled(each.name, each.low, each.high, forms.place(Kind.MISSION, each.id)) for each in rolled]
        if rows:  # missions without results are chosen
            yield Table(pack.name, pack.die, tuple(rows), forms.place(Kind.PACK, pack.id))
    maps = [each for each in forms.maps if each.roll is not None]
    rows = [Rolled(each.name, each.roll, each.roll, forms.place(Kind.MAP, each.id)) for each in maps]
    if rows:
        yield Table("Maps", len(rows), tuple(rows), rows[0].where)


def _drawn_groups(forms: PlayForms) -> Iterable[ObjectiveGroup]:
    """The groups that objectives are rolled for in: all that have results, and all that missions draw from."""
    draws = [mission.draw for mission in forms.missions if mission.draw]
    named = {group for draw in draws for group in draw.table}
    named |= {each.group for each in forms.objectives if each.roll is not None}
    everything = any(draw.choose for draw in draws)
    return [group for group in forms.groups if everything or group.id in named]


def _check_table(table: Table, problems: Problems) -> None:
    once = ONCE.format(table.sides)
    taken: dict[int, str] = {}
    for row in table.rows:
        if row.low is None or row.high is None:
            message = f"“{row.name}” has no result in “{table.name}”, so it never comes up."
            problems.add(row.where, "no-roll", message, f"Add `roll:`. {once}", Level.FLAW)
            continue
        if not 1 <= row.low <= row.high <= table.sides:
            message = f"The result of “{row.name}” is not on the D{table.sides} of “{table.name}”."
            problems.add(row.where, "roll-beyond-die", message, once, Level.FLAW)
        for result in range(max(row.low, 1), min(row.high, table.sides) + 1):
            if result in taken:
                message = f"The result {result} of “{table.name}” is “{taken[result]}” already."
                problems.add(row.where, "double-roll", message, once, Level.FLAW)
            taken.setdefault(result, row.name)
    missing = [str(result) for result in range(1, table.sides + 1) if result not in taken]
    if missing:
        message = f"No result {', '.join(missing)} leads to anything in “{table.name}”."
        problems.add(table.where, "missing-roll", message, once, Level.FLAW)


def _check_die(mission: Mission, forms: PlayForms, problems: Problems) -> None:
    """The die for categories has as many sides as there are to draw from."""
    draw = mission.draw
    if draw is None or draw.each:
        return
    rows = len(draw.table) or draw.choose
    if draw.die != rows:
        message = f"“{mission.name}” draws from {rows} groups by a D{draw.die}."
        mend = f"Write `die: D{rows}`." if rows else "Add `table:` or `choose:` to `draw:`."
        problems.add(forms.place(Kind.MISSION, mission.id), "die-beside-table", message, mend, Level.FLAW)
