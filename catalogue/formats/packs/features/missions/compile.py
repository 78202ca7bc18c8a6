"""Compile missions and their material."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, TypeVar

import msgspec

from catalogue.definitions.diagnostics import Level
from catalogue.definitions.missions import Brief, MissionDefinition, PlayBook, form_even_teams
from catalogue.definitions.table_rules import TableRules
from catalogue.documents.problems import Problems, SourceLine
from catalogue.formats.packs.compile.context import CompileContext
from catalogue.formats.packs.features.missions.map_syntax import MapSyntax
from catalogue.formats.packs.features.missions.syntax import (
    DUE_WORDS,
    OWN_PHASE,
    MissionSyntax,
    ObjectiveSyntax,
    PlayKind,
)
from catalogue.formats.packs.features.table_rules.compile import build_table_rules
from catalogue.formats.packs.syntax.base import DefinedSyntax
from catalogue.formats.packs.syntax.pack import PackSyntax
from catalogue.formats.packs.syntax.scalars import make_id

Rolled = TypeVar("Rolled", ObjectiveSyntax, MapSyntax)


def build_play_book(context: CompileContext) -> PlayBook:
    """Return all but missions and special rules, and report unknown names."""
    pack = context.pack
    _report_references(context)
    _report_packs(context)
    _report_duplicates(context)
    check_rolls(context)
    _check_teams(context)
    table = build_table_rules(context)
    _report_dues(context, table)
    return PlayBook(
        packs=build_definitions(pack.packs),
        groups=build_definitions(pack.groups),
        objectives=build_definitions(pack.objectives),
        maps=build_definitions(pack.maps),
        sizes=build_definitions(pack.sizes),
        stratagems=build_definitions(pack.stratagems),
        tokens=build_definitions(pack.tokens),
        reference=build_definitions(pack.reference),
        table=table,
    )


def _report_dues(context: CompileContext, table: TableRules) -> None:
    ids = {phase.id for phase in table.phases}
    for objective in context.pack.objectives:
        for scoring in objective.scores:
            phase = scoring.due.removeprefix(OWN_PHASE)
            if phase and phase not in ids | DUE_WORDS:
                message = f"The objective “{objective.name}” scores in a phase “{phase}” that the game does not have."
                names = [*(one.name for one in table.phases), *sorted(DUE_WORDS)]
                context.problems.add_unknown(objective.where, phase, names, message, "Add it under `phases:`.")


def _report_references(context: CompileContext) -> None:
    ids = {kind: {thing.id for thing in things} for kind, things in context.pack.list_play_kinds().items()}
    for kind, name in context.pack.references:
        if make_id(name.text) not in ids[kind]:
            message = f"The pack has no {kind} “{name.text}”."
            context.problems.add_unknown(name.where, name.text, ids[kind], message, "Add it, or correct the name.")


def build_missions(context: CompileContext) -> tuple[MissionDefinition, ...]:
    """Make missing scoring texts from objectives, and report unknown factions."""
    pack = context.pack
    names = {objective.id: objective.name for objective in pack.objectives}
    missions = []
    for syntax in pack.missions:
        mission = syntax.define()
        factions = tuple(context.index.find_ids(syntax.faction_names, "faction"))
        scoring = mission.scoring
        if not scoring:
            lines = [(side.name, _describe_brief(side, names)) for side in mission.sides]
            scoring = " ".join(f"{name}: {line}" for name, line in lines if line) or _describe_brief(mission, names)
        missions.append(msgspec.structs.replace(mission, scoring=scoring, factions=factions))
    return tuple(missions)


def _describe_brief(brief: Brief, names: dict[str, str]) -> str:
    """Write a text such as `King of the Hill (5), Meat Grinder (3); 20 to win.`"""
    if not brief.aims:
        return ""
    aims = []
    for aim in brief.aims:
        name = names.get(aim.objective_id, aim.objective_id)
        aims.append(f"{name} ({aim.points})" if aim.points else name)
    text = ", ".join(aims)
    return f"{text}; {brief.total} to win." if brief.total else f"{text}."


def build_definitions(things: Iterable[DefinedSyntax]) -> tuple[Any, ...]:
    return tuple(thing.define() for thing in things)


def _report_packs(context: CompileContext) -> None:
    names = {pack.name for pack in context.pack.packs}
    for mission in context.pack.missions if names else ():
        name = mission.pack_name
        if name and name.text not in names:
            message = f"There is no mission pack “{name.text}”."
            context.problems.add_unknown(name.where, name.text, names, message, "Add it under `mission packs:`.")


def _report_duplicates(context: CompileContext) -> None:
    for kind, things in context.pack.list_play_kinds().items():
        if kind not in (PlayKind.PACK, PlayKind.GROUP):
            context.report_doubled([thing.id for thing in things], f"of the kind “{kind}”", SourceLine(""))


def _check_teams(context: CompileContext) -> None:
    for mission in context.pack.missions:
        if not form_even_teams(mission.players, mission.teams):
            message = f"The {mission.players} players of “{mission.name}” do not form {mission.teams} even teams."
            mend = "Let `teams` divide `players` into teams of two or more, or leave it out."
            context.problems.add(mission.where, "uneven-teams", message, mend)


# ---- tables to roll on ----------------------------------------------------------------------------------------------

ONCE = "Let the results run from 1 to {}, each once."


class RollResult(NamedTuple):
    """Its results may be missing."""

    name: str
    low: int | None
    high: int | None
    where: SourceLine


class RollTable(NamedTuple):
    name: str
    sides: int
    rows: tuple[RollResult, ...]
    where: SourceLine


def check_rolls(context: CompileContext) -> None:
    pack = context.pack
    for table in _list_tables(pack):
        _check_table(table, context.problems)
    for mission in pack.missions:
        _check_die(mission, pack, context.problems)


def _list_tables(pack: PackSyntax) -> Iterator[RollTable]:
    draws = [mission.draw for mission in pack.missions if mission.draw]
    # Only groups with results or draws are rolled on, but players may choose any if a mission says so.
    chosen_ids = {objective.group for objective in pack.objectives if objective.roll is not None}
    chosen_ids = chosen_ids.union(*(draw.table for draw in draws))
    may_choose_any = any(draw.choose for draw in draws)
    for group in pack.groups:
        if may_choose_any or group.id in chosen_ids:
            objectives = [objective for objective in pack.objectives if objective.group == group.id]
            yield RollTable(group.name, len(objectives), _list_single_results(objectives), group.where)

    for mission_pack in pack.packs:
        rows = tuple(
            RollResult(mission.name, mission.low, mission.high, mission.where)
            for mission in pack.missions
            if mission.pack == mission_pack.name and mission.low is not None
        )
        if rows:
            yield RollTable(mission_pack.name, mission_pack.die, rows, mission_pack.where)

    maps = _list_single_results([deployment_map for deployment_map in pack.maps if deployment_map.roll is not None])
    if maps:
        yield RollTable("Maps", len(maps), maps, maps[0].where)


def _list_single_results(things: Iterable[ObjectiveSyntax | MapSyntax]) -> tuple[RollResult, ...]:
    return tuple(RollResult(thing.name, thing.roll, thing.roll, thing.roll_where) for thing in things)


def _check_table(table: RollTable, problems: Problems) -> None:
    taken: dict[int, RollResult] = {}
    for row in table.rows:
        for result in _read_results(row, table, problems):
            # Keep the first row, so that further rows are compared with it, too.
            holder = taken.setdefault(result, row)
            if holder is not row:
                message = f"The result {result} of “{table.name}” is “{holder.name}” already."
                problems.add(row.where, "double-roll", message, ONCE.format(table.sides), Level.FLAW)
    missing = sorted(set(range(1, table.sides + 1)) - taken.keys())
    if missing:
        message = f"No result {', '.join(map(str, missing))} leads to anything in “{table.name}”."
        problems.add(table.where, "missing-roll", message, ONCE.format(table.sides), Level.FLAW)


def _read_results(row: RollResult, table: RollTable, problems: Problems) -> range:
    once = ONCE.format(table.sides)
    if row.low is None or row.high is None:
        message = f"“{row.name}” has no result in “{table.name}”, so it never comes up."
        problems.add(row.where, "no-roll", message, f"Add `roll:`. {once}", Level.FLAW)
        return range(0)
    if not 1 <= row.low <= row.high <= table.sides:
        message = f"The result of “{row.name}” is not on the D{table.sides} of “{table.name}”."
        problems.add(row.where, "roll-beyond-die", message, once, Level.FLAW)
    return range(max(row.low, 1), min(row.high, table.sides) + 1)


def _check_die(mission: MissionSyntax, pack: PackSyntax, problems: Problems) -> None:
    draw = mission.draw
    if draw is None or draw.one_from_each:
        return
    # A die for chosen groups is as large as their number.
    rows = len(draw.table) or draw.choose
    if draw.die != rows:
        message = f"“{mission.name}” draws from {rows} groups by a D{draw.die}."
        mend = f"Write `die: D{rows}`." if rows else "Add `table:` or `choose:` to `draw:`."
        problems.add(mission.where, "die-beside-table", message, mend, Level.FLAW)
