"""Fenland with missions and everything that a game plan can settle, with a rule for most of it."""

from functools import cache

from catalogue.definitions.catalogues import DataSet
from catalogue.definitions.constraints import Constraint, RuleWords, Severity, Stage
from catalogue.definitions.missions import MissionDefinition, MissionSide, Special
from catalogue.definitions.planning import Planning, PlanNumber, PlanOption, PlanPart, PlanPartEntry, PlanQuestion
from catalogue.definitions.queries import ANY, Bound, Condition, Guard, Operator, Query, Scope
from catalogue.graph.ruleset import Ruleset, compile_ruleset
from catalogue.models import PackVersion
from catalogue.services.game_info import GameInfo
from roster.engine.tree import copy_with
from tests.installed_once import install_once
from tests.roster.small_game import CREW, CUTTERS, MARSH, SYSTEM, WEIR, bound, cite

ABOUT = GameInfo(slug="fenland-played", name="Fenland, played", label="1.0")


def staged(key: str, kind: Bound, value: int, stage: Stage = Stage.SETUP, **more: object) -> Constraint:
    return copy_with(bound(key, kind, value, rule=f"fen-{key}", name=key.replace("-", " ")), stage=stage, **more)


def asked(field: str) -> Query:
    return Query(field=field, scope=Scope.ROSTER, child_id=ANY)


def when(field: str) -> Guard:
    return Guard(conditions=(Condition(operator=Operator.AT_LEAST, query=asked(field), value=1),))


PLANNING = Planning(
    parts=(
        PlanPartEntry(part=PlanPart.OPPONENTS, name="Opponents", most=3),
        PlanPartEntry(part=PlanPart.ALLIES, name="Allies", most=1),
        PlanPartEntry(part=PlanPart.COMMANDER, name="Marshal", of=("command",), citation=cite(30)),
        PlanPartEntry(part=PlanPart.OBJECTIVE, name="Secret aim"),
        PlanPartEntry(part=PlanPart.JOINS, name="Companions", text="Who walks along.", of=("command",), to=("core",)),
        PlanPartEntry(part=PlanPart.RIDES, name="On the back", of=("core",), to=("giants",)),
        PlanPartEntry(part=PlanPart.RESERVES, name="Behind the dyke"),
    ),
    questions=(
        PlanQuestion(
            id="aims",
            name="Aims",
            text="Two of three.",
            most=2,
            options=(
                PlanOption(id="hold", name="Hold"),
                PlanOption(id="hunt", name="Hunt", text="For eels."),
                PlanOption(id="burn", name="Burn"),
            ),
        ),
        PlanQuestion(
            id="way",
            name="Way",
            per_unit=True,
            of=("core",),
            missions=("raid",),
            options=(PlanOption(id="flank", name="Flank"), PlanOption(id="boats", name="By boat")),
        ),
    ),
    numbers=(PlanNumber(id="table-width", name="Table width", unit="feet"),),
)
RULES = (
    staged(
        "no-reserves",
        Bound.MAX,
        0,
        query=Query(scope=Scope.RESERVE, child_id="unit", deep=True),
        when=when("special::no-reserves"),
    ),
    staged("no-boats", Bound.MAX, 0, query=asked("chosen::way/boats"), when=when("mission::raid")),
    staged("own-kind", Bound.MAX, 1, Stage.MATCH, query=asked("players::marsh")),
    staged("two-aims", Bound.MIN, 2, Stage.MATCH, query=asked("chosen::aims")),
    staged("wide-table", Bound.MIN, 3, query=asked("planned::table-width"), severity=Severity.WARNING),
)
ONE_GUEST = staged("one-guest", Bound.MAX, 1, query=Query(scope=Scope.GUESTS, child_id="unit", deep=True))
PLAYED = DataSet(
    catalogues=(
        copy_with(
            SYSTEM,
            constraints=(*SYSTEM.constraints, *RULES),
            planning=PLANNING,
            specials=(Special(id="no-reserves", name="No Reserves", text="Nobody waits.", citation=cite(41)),),
            missions=(
                MissionDefinition(
                    id="raid",
                    name="Raid",
                    pack="Fen missions",
                    scoring="Eels caught.",
                    sides=(
                        MissionSide(id="raiders", name="Raiders"),
                        MissionSide(id="keepers", name="Keepers", specials=("no-reserves",)),
                    ),
                    citation=cite(40),
                ),
                MissionDefinition(id="dawn", name="Dawn", pack="Fen missions", citation=cite(42)),
            ),
            words=(RuleWords(code="unknown-planned", of="aims", rule="fen-known-aims", name="Known aims"),),
        ),
        copy_with(
            MARSH,
            entries=tuple(
                copy_with(entry, constraints=(*entry.constraints, ONE_GUEST)) if entry in (CUTTERS, CREW) else entry
                for entry in MARSH.entries
            ),
        ),
        WEIR,
    )
)


def installed() -> PackVersion:
    return install_once(ABOUT, PLAYED)


@cache
def compiled() -> Ruleset:
    return compile_ruleset(PLAYED)
