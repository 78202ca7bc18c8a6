"""Dice: every result of a die leads to one thing. A pack in which one does not can be used all the same."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from catalogue.definitions.diagnostics import Level
from catalogue.documents.problems import Problems, SourceLine
from catalogue.formats.packs.compile.context import CompileContext
from catalogue.formats.packs.features.missions.map_syntax import MapSyntax
from catalogue.formats.packs.features.missions.syntax import (
    MissionSyntax,
    ObjectiveGroupSyntax,
    ObjectiveSyntax,
)
from catalogue.formats.packs.syntax.pack import PlaySyntax

ONCE = "Let the results run from 1 to {}, each once."


class RollResult(NamedTuple):
    """A thing that is rolled for, with its first and last result; None where it has none."""

    name: str
    low: int | None
    high: int | None
    where: SourceLine


class RollTable(NamedTuple):
    """What is rolled for with one die: its name, how many sides the die has, what is on it, where it is declared."""

    name: str
    sides: int
    rows: tuple[RollResult, ...]
    where: SourceLine


def check_rolls(context: CompileContext) -> None:
    """Report results that lead to nothing or to several things, and things that no result leads to."""
    play = context.pack.play
    for table in _list_tables(play):
        _check_table(table, context.problems)
    for mission in play.missions:
        _check_die(mission, play, context.problems)


def _list_tables(play: PlaySyntax) -> Iterator[RollTable]:
    for group in _list_drawn_groups(play):
        objectives = [objective for objective in play.objectives if objective.group == group.id]
        yield RollTable(group.name, len(objectives), _list_single_results(objectives), group.where)
    for pack in play.packs:
        missions = [mission for mission in play.missions if mission.pack == pack.name]
        # Missions without results are chosen.
        rows = [
            RollResult(mission.name, mission.low, mission.high, mission.where)
            for mission in missions
            if mission.low is not None
        ]
        if rows:
            yield RollTable(pack.name, pack.die, tuple(rows), pack.where)
    maps = _list_single_results(deployment for deployment in play.maps if deployment.roll is not None)
    if maps:
        yield RollTable("Maps", len(maps), maps, maps[0].where)


def _list_single_results(things: Iterable[ObjectiveSyntax | MapSyntax]) -> tuple[RollResult, ...]:
    return tuple(RollResult(thing.name, thing.roll, thing.roll, thing.roll_where) for thing in things)


def _list_drawn_groups(play: PlaySyntax) -> Iterable[ObjectiveGroupSyntax]:
    """Return the groups in which objectives are rolled for: all with results, and all that missions draw from."""
    draws = [mission.draw for mission in play.missions if mission.draw]
    named = {group for draw in draws for group in draw.table}
    named |= {objective.group for objective in play.objectives if objective.roll is not None}
    everything = any(draw.choose for draw in draws)
    return [group for group in play.groups if everything or group.id in named]


def _check_table(table: RollTable, problems: Problems) -> None:
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


def _check_die(mission: MissionSyntax, play: PlaySyntax, problems: Problems) -> None:
    """Report a die for categories that has not as many sides as there are categories to draw from."""
    draw = mission.draw
    if draw is None or draw.each:
        return
    rows = len(draw.table) or draw.choose
    if draw.die != rows:
        message = f"“{mission.name}” draws from {rows} groups by a D{draw.die}."
        mend = f"Write `die: D{rows}`." if rows else "Add `table:` or `choose:` to `draw:`."
        problems.add(mission.where, "die-beside-table", message, mend, Level.FLAW)
