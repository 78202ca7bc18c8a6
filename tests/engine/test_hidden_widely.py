"""What is hidden in a whole force is computed once, with the same result as in each place."""

from random import Random
from typing import Any

import pytest

from catalogue.definitions.queries import Condition, Field, Guard, Operator, Query, Scope, asks_widely, holds_widely
from catalogue.graph.compiled_entry import CompiledEntry
from catalogue.graph.ruleset import Ruleset
from roster.engine import conditions, edits
from roster.engine.edits import EditedRoster
from roster.engine.evaluate import evaluate
from roster.engine.evaluation import Evaluation
from roster.engine.offers import list_offers
from roster.engine.tree import RosterTree
from tests.engine.games import counting_ids, done, started
from tests.engine.spec_reader import ruleset_of
from tests.extent import sample

OF_FORCE = ("roster", "force", "primary-catalogue")
OF_PLACE = ("parent", "self", "ancestor", "unit", "root-entry", "unit-1", "core")
UNITS, PARTS, STEPS = 4, 5, 12


def make_guard(dice: Random, depth: int = 1) -> dict[str, Any]:
    """Return a guard about anything in the game; every other one also looks at its own place."""
    subjects = ["core", "any", "army", *(f"unit-{n}" for n in range(UNITS)), *(f"part-{n}" for n in range(PARTS))]
    scopes = dice.choice((OF_FORCE, OF_PLACE))
    guard: dict[str, Any] = {
        "any_of": dice.random() < 0.3,
        "negated": dice.random() < 0.2,
        "conditions": [
            {
                "operator": dice.choice(("atLeast", "atLeast", "lessThan", "instanceOf")),
                "value": dice.randint(1, 3),
                "query": {"scope": dice.choice(scopes), "child_id": dice.choice(subjects), "deep": dice.random() < 0.6},
            }
            for _ in range(dice.choice((1, 1, 2)))
        ],
    }
    if depth and dice.random() < 0.3:
        guard["guards"] = [make_guard(dice, depth - 1)]
    return guard


def make_modifiers(dice: Random) -> list[dict[str, Any]]:
    """Return modifiers that show or hide; most parts have one, as in large data."""
    return [
        {"change": "set", "field": "hidden", "value": dice.choice(("true", "false")), "guard": make_guard(dice)}
        for _ in range(dice.choice((0, 1, 1, 2)))
    ]


def make_game(dice: Random) -> Ruleset:
    """Return units with shared parts, required and default ones, that are hidden by other picks."""
    parts = [
        {
            "id": f"part-{n}",
            "name": f"Part {n}",
            "hidden": dice.random() < 0.5,
            "costs": [{"type_id": "pts", "value": n + 1}],
            "constraints": [
                {"id": f"least-{n}", "bound": "min", "value": dice.randint(0, 2), "query": {"scope": "parent"}}
            ],
            "modifiers": make_modifiers(dice),
        }
        for n in range(PARTS)
    ]
    units = [
        {
            "id": f"unit-{n}",
            "name": f"Unit {n}",
            "type": "unit",
            "hidden": dice.random() < 0.1,
            "categories": [{"id": f"c-{n}", "target_id": "core", "primary": True}],
            "modifiers": make_modifiers(dice) if dice.random() < 0.3 else [],
            "entries": [
                {
                    "id": f"group-{n}",
                    "kind": "group",
                    "name": "Parts",
                    "default_id": f"l-{n}-0",
                    "hidden": dice.random() < 0.2,
                    "constraints": [{"id": f"some-{n}", "bound": "min", "value": 1, "query": {"scope": "parent"}}],
                    "modifiers": make_modifiers(dice),
                    "entries": [
                        {"id": f"l-{n}-{part}", "kind": "entry-link", "target_id": f"part-{part}"}
                        for part in range(PARTS)
                    ],
                }
            ],
        }
        for n in range(UNITS)
    ]
    forces = [{"id": "patrol", "name": "Patrol", "categories": [{"id": "s", "target_id": "core"}]}]
    game = {"cost_types": [{"id": "pts", "name": "points"}], "categories": [{"id": "core", "name": "Core"}]}
    return ruleset_of({"game": {**game, "forces": forces}, "army": {"shared_entries": parts, "entries": units}})


def play(seed: int) -> list[object]:
    """Return everything that is said of a list of random picks in two forces, after each pick."""
    dice = Random(seed)
    ruleset, ids = make_game(dice), counting_ids()
    roster, _ = started(ruleset, ids)
    roster = done(edits.add_force(ruleset, roster, "patrol", "army", ids=ids)).roster
    said: list[object] = []
    for _ in range(STEPS):
        containers = list_containers(roster)
        entry_id = dice.choice([*(f"unit-{n}" for n in range(UNITS)), *(f"part-{n}" for n in range(PARTS))])
        picked = edits.select(ruleset, roster, dice.choice(containers), entry_id, ids=ids)
        roster = picked.roster if isinstance(picked, EditedRoster) else roster
        evaluation = Evaluation(ruleset, roster)
        said += [roster.forces, evaluate(ruleset, roster)]
        said += [list_offers(evaluation, container) for container in list_containers(roster)]
    return said


def list_containers(roster: RosterTree) -> list[str]:
    return [node.id for force in roster.forces for node in (force, *force.selections)]


@pytest.mark.parametrize("seed", sample(range(200), 25))
def test_asking_once_comes_to_the_same_as_asking_everywhere(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    quick = play(seed)
    monkeypatch.setattr(CompiledEntry, "hides_widely", False)
    monkeypatch.setattr(conditions, "asks_widely", lambda condition: False)
    assert play(seed) == quick
    assert len(quick) > 2 * STEPS


def ask(scope: str, operator: Operator = Operator.AT_LEAST, field: str = "selections", **parts: Any) -> Condition:
    return Condition(operator=operator, query=Query(scope=scope, child_id="any", field=field, **parts))


@pytest.mark.parametrize("scope", [Scope.ROSTER, Scope.FORCE, Scope.PRIMARY_CATALOGUE])
def test_what_counts_in_a_force_or_list_is_the_same_in_all_the_force(scope: Scope) -> None:
    assert asks_widely(ask(scope))


@pytest.mark.parametrize("scope", [Scope.PARENT, Scope.SELF, Scope.ANCESTOR, Scope.UNIT, Scope.ROOT_ENTRY, "an-id"])
def test_what_counts_around_its_own_place_is_not(scope: str) -> None:
    assert not asks_widely(ask(scope))


def test_what_compares_with_whoever_asks_is_not() -> None:
    before = Guard(conditions=(ask(Scope.ROSTER, Operator.BEFORE),))
    deeper = Guard(guards=(before,))
    assert not asks_widely(ask(Scope.ROSTER, Operator.AFTER))
    assert not asks_widely(ask(Scope.ROSTER, field=Field.ASSOCIATIONS))
    assert not asks_widely(ask(Scope.FORCE, where=deeper))
    assert asks_widely(ask(Scope.FORCE, where=Guard(conditions=(ask(Scope.PARENT),))))


def test_one_narrow_question_makes_a_guard_narrow() -> None:
    wide, narrow = ask(Scope.ROSTER), ask(Scope.PARENT)
    assert holds_widely(Guard())
    assert holds_widely(Guard(conditions=(wide,), guards=(Guard(conditions=(wide,)),)))
    assert not holds_widely(Guard(conditions=(wide,), guards=(Guard(conditions=(narrow,)),)))
