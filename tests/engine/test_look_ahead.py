"""Look-ahead outside the specs: without a solver, by name, and which rules collide."""

from collections.abc import Iterator
from typing import Any

import pytest

from catalogue.definitions.rule_codes import RuleCode
from roster.engine.completion import look_ahead as look_ahead_module
from roster.engine.completion import search as search_module
from roster.engine.completion.changes import UNIT
from roster.engine.completion.complete import StepwiseFilling, complete
from roster.engine.completion.effort import Effort
from roster.engine.completion.linear import Model, add_all
from roster.engine.completion.look_ahead import LookAhead
from roster.engine.completion.prospects import Horizon
from roster.engine.completion.repair import repair
from roster.engine.completion.search import Outlook
from roster.engine.completion.solver import Possibility
from roster.engine.evaluate import evaluate
from roster.engine.new_selections import generate_id
from roster.engine.report import Verdict
from roster.engine.tree import RosterTree, copy_with
from tests.engine.spec_reader import Case, Node, Spec, read_spec, roster_of, ruleset_of, spec_names

SPEC: Spec = read_spec("no-completion")


def case(it: str) -> Case:
    return next(case for case in SPEC.cases if case.it == it)


MUCH = Effort(100_000)
WITHOUT_A_LEGAL_LIST = {"groups-at-the-root", "message-with-a-figure"}
"""Specs that show violations only."""
LOST, UNFINISHED = case("lacks one that there are no points for"), case("lacks one that has room")


def test_nobody_who_does_not_ask_is_told() -> None:
    assert evaluate(SPEC.ruleset, LOST.roster).verdict is Verdict.INCOMPLETE


def test_without_a_solver_nothing_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(look_ahead_module, "load_solver", lambda: None)
    assert evaluate(SPEC.ruleset, LOST.roster, look_ahead=True).verdict is Verdict.INCOMPLETE
    assert LookAhead(SPEC.ruleset, LOST.roster).judge() is Possibility.UNKNOWN
    assert LookAhead(SPEC.ruleset, LOST.roster).find_collision() == ()


def test_the_rules_that_collide_are_the_fewest() -> None:
    collision = LookAhead(SPEC.ruleset, LOST.roster).find_collision()
    assert {(rule.code, rule.constraint_id) for rule in collision} == {
        (RuleCode.MINIMUM, "enough"),
        (RuleCode.COST_LIMIT, "pts"),
    }


def test_what_collides_is_named_by_costs_too() -> None:
    (ended,) = (v for v in evaluate(SPEC.ruleset, LOST.roster, look_ahead=True).violations if not v.mendable)
    assert "pts" in ended.counted.split(", ")


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> list[Horizon]:
    views: list[Horizon] = []

    class CountedOutlook(Outlook):
        def __init__(self, *args: Any, view: Horizon, **options: Any) -> None:
            views.append(view)
            super().__init__(*args, view=view, **options)

    monkeypatch.setattr(look_ahead_module, "Outlook", CountedOutlook)
    monkeypatch.setattr(search_module, "Outlook", CountedOutlook)
    return views


def test_no_model_is_built_twice(built: list[Horizon]) -> None:
    ahead = LookAhead(SPEC.ruleset, UNFINISHED.roster)
    assert ahead.judge() is ahead.ask_model() is Possibility.YES
    assert set(ahead.judge_units().by_unit.values()) == {Possibility.YES, Possibility.NO}
    assert len(built) == len(set(built)) > 1


def test_further_forces_are_tried_only_if_the_forces_of_the_list_do_not_suffice(built: list[Horizon]) -> None:
    assert LookAhead(SPEC.ruleset, UNFINISHED.roster).judge() is Possibility.YES
    assert {view.new_forces for view in built} == {False}
    built.clear()
    assert LookAhead(SPEC.ruleset, LOST.roster).judge() is Possibility.NO
    assert {view.new_forces for view in built} == {False, True}


def test_a_list_is_completed_with_what_it_lacks_and_no_more() -> None:
    completion = complete(SPEC.ruleset, UNFINISHED.roster)
    assert completion.roster
    (force,) = completion.roster.forces
    assert [selection.entry_id for selection in force.selections] == ["lord", "page"]
    assert evaluate(SPEC.ruleset, completion.roster).verdict is Verdict.LEGAL


FORCES: Spec = read_spec("forces-that-are-asked-for")
ONE_VAN = {"id": "one", "bound": "min", "value": 1, "query": {"field": "forces", "scope": "parent"}}


@pytest.mark.parametrize("case", FORCES.cases, ids=lambda case: case.it)
def test_a_list_is_completed_with_the_forces_that_it_lacks(case: Case) -> None:
    completion = complete(FORCES.ruleset, case.roster)
    assert completion.roster
    assert evaluate(FORCES.ruleset, completion.roster).verdict is Verdict.LEGAL
    is_legal = evaluate(FORCES.ruleset, case.roster).verdict is Verdict.LEGAL
    assert (completion.roster == case.roster) is is_legal


def test_a_list_is_lost_if_there_may_be_no_force_that_it_lacks() -> None:
    kind = {"id": "van", "name": "Van", "constraints": [ONE_VAN, {**ONE_VAN, "id": "none", "bound": "max", "value": 0}]}
    ruleset = ruleset_of({"game": {"forces": [{"id": "host", "name": "Host", "forces": [kind]}]}})
    roster = roster_of({"list": [{"force": "host"}]})
    assert evaluate(ruleset, roster).verdict is Verdict.INCOMPLETE
    assert evaluate(ruleset, roster, look_ahead=True).verdict is Verdict.ILLEGAL


@pytest.mark.parametrize("captain", ["captain", {"entry": "captain", "take": ["cap"]}])
def test_a_completion_declares_who_has_to_command(captain: object) -> None:
    """Only the captain allows two guards, but commands only with a hat, or next to a major if declared."""
    spec = read_spec("wrong-commander")
    roster = roster_of({"list": [{"force": "patrol", "take": [captain, "major", "guard", "guard"]}]})
    completion = complete(spec.ruleset, roster)
    assert completion.roster
    (force,) = completion.roster.forces
    led = next(unit for unit in force.selections if unit.entry_id == "captain")
    assert "hat" in [part.entry_id for part in led.selections]
    assert force.leader_id == led.id
    assert evaluate(spec.ruleset, completion.roster).verdict is Verdict.LEGAL


def test_a_pick_that_ends_every_way_is_told_apart() -> None:
    unfinished, full = UNFINISHED.roster, case("is complete").roster
    answers = LookAhead(SPEC.ruleset, unfinished).judge_units(unfinished.forces[0].id)
    assert answers.by_unit == {"page": Possibility.YES, "lord": Possibility.NO}
    assert LookAhead(SPEC.ruleset, unfinished).judge_units(unfinished.forces[0].id, {"lord"}).by_unit == {
        "lord": Possibility.NO
    }
    assert LookAhead(SPEC.ruleset, full).judge_units(full.forces[0].id).find("page") is Possibility.NO


@pytest.mark.parametrize("name", spec_names())
def test_what_is_left_of_a_legal_list_can_be_completed_whatever_the_rules(name: str) -> None:
    spec = read_spec(name)
    legal = [one for one in spec.cases if evaluate(spec.ruleset, one.roster, tree=False).verdict is Verdict.LEGAL]
    assert legal or name in WITHOUT_A_LEGAL_LIST
    for one in legal:
        for left in (one.roster, *leave_one_out(one.roster)):
            answer = LookAhead(spec.ruleset, left, MUCH.start()).judge()
            assert answer is not Possibility.NO, one.it


def leave_one_out(roster: RosterTree) -> Iterator[RosterTree]:
    for place, force in enumerate(roster.forces):
        for gone in force.selections:
            left = copy_with(force, selections=tuple(unit for unit in force.selections if unit is not gone))
            yield copy_with(roster, forces=(*roster.forces[:place], left, *roster.forces[place + 1 :]))


OF_POINTS = {"scope": "force", "field": "pts", "child_id": "any", "deep": True}


@pytest.mark.parametrize(
    ("constraints", "limits"),
    [([{"id": "few", "bound": "max", "value": 10, "query": OF_POINTS}], {}), ([], {"pts": 10})],
    ids=["sum of a query", "limit of the list"],
)
def test_costs_that_effects_may_change_prove_nothing(constraints: list[object], limits: dict[str, int]) -> None:
    """The missing squad costs too much, except next to a quartermaster."""
    cheaper = {"change": "decrement", "field": "pts", "value": "5"}
    enough = {"id": "enough", "bound": "min", "value": 1, "query": {"scope": "force", "child_id": "squad"}}
    game = {
        "cost_types": [{"id": "pts", "name": "pts"}],
        "forces": [{"id": "patrol", "name": "Patrol", "constraints": [enough, *constraints]}],
    }
    squad = {"id": "squad", "name": "Squad", "costs": [{"type_id": "pts", "value": 12}]}
    effect = {"scope": "force", "deep": True, "entry_id": "squad", "modifier": cheaper}
    quartermaster = {"id": "quartermaster", "name": "Quartermaster", "effects": [effect]}

    def judge(entries: list[object], *taken: str) -> tuple[Possibility, Verdict]:
        ruleset = ruleset_of({"game": game, "army": {"entries": entries}})
        bare, whole = (
            roster_of({"limits": limits, "list": [{"force": "patrol", "take": list(take)}]}) for take in ((), taken)
        )
        return LookAhead(ruleset, bare, MUCH.start()).judge(), evaluate(ruleset, whole).verdict

    assert judge([squad], "squad") == (Possibility.NO, Verdict.ILLEGAL)
    answer, verdict = judge([squad, quartermaster], "squad", "quartermaster")
    assert verdict is Verdict.LEGAL
    assert answer is not Possibility.NO


def test_a_completion_longer_than_any_list_is_given_up() -> None:
    """Nine in each of nine in each of nine would fill the memory."""
    inside: dict[str, object] = {"id": "bolt", "name": "Bolt"}
    for level in range(6):
        least = {"id": f"least{level}", "bound": "min", "value": 9, "query": {}}
        inside = {"id": f"box{level}", "name": "Box", "constraints": [least], "entries": [inside]}
    game = {"forces": [{"id": "patrol", "name": "Patrol"}]}
    ruleset = ruleset_of({"game": game, "army": {"entries": [{"id": "cart", "name": "Cart", "entries": [inside]}]}})
    roster = roster_of({"list": [{"force": "patrol", "take": ["cart"]}]})
    assert complete(ruleset, roster).roster is None
    assert LookAhead(ruleset, roster).judge() is not Possibility.YES


def test_what_no_change_mends_at_its_size_is_mended_at_a_larger_one() -> None:
    enough = {"id": "enough", "bound": "min", "value": 2, "query": {"scope": "force", "deep": True}}
    game = {
        "cost_types": [{"id": "pts", "name": "pts", "presets": [3, 5, 9, 12]}],
        "categories": [{"id": "guard", "name": "Guards", "constraints": [enough]}],
        "forces": [{"id": "patrol", "name": "Patrol", "categories": [{"id": "l1", "target_id": "guard"}]}],
    }
    page = {
        "id": "page",
        "name": "Page",
        "costs": [{"type_id": "pts", "value": 3}],
        "categories": [{"id": "l2", "target_id": "guard"}],
    }
    ruleset = ruleset_of({"game": game, "army": {"entries": [page]}})
    for limit, told in ((4, [(9, 2)]), (7, [(7, 2)])):
        roster = roster_of({"limits": {"pts": limit}, "list": [{"force": "patrol", "take": ["page"]}]})
        repairs = repair(ruleset, roster, effort=MUCH).repairs
        assert [(one.roster.limits[0].value, len(one.roster.forces[0].selections)) for one in repairs] == told
        # A page of three points, which counts as a model, and a line; the limit weighs nothing.
        assert [one.weight // UNIT for one in repairs] == [9]
        assert evaluate(ruleset, repairs[0].roster).verdict is Verdict.LEGAL


PATROL = {
    "cost_types": [{"id": "pts", "name": "pts"}],
    "categories": [{"id": "squads", "name": "Squads"}],
    "forces": [{"id": "patrol", "name": "Patrol", "categories": [{"id": "l1", "target_id": "squads"}]}],
}


def squad_of(name: str, points: int, option: Node) -> Node:
    model = {"id": f"{name}-model", "name": "Model", "type": "model"}
    return {
        "id": name,
        "name": name,
        "type": "unit",
        "costs": [{"type_id": "pts", "value": points}],
        "categories": [{"id": f"{name}-squads", "target_id": "squads"}],
        "entries": [model, option],
    }


def test_parts_decide_between_equal_changes_only_however_many_go() -> None:
    one = {"id": "one", "bound": "max", "value": 1, "query": {"scope": "force", "deep": True}}
    categories = [{"id": "squads", "name": "Squads", "constraints": [one]}]
    entries = [
        squad_of(name, points, {"id": f"{name}-pebble", "name": "Pebble"})
        for name, points in (("horde", 8), ("duo", 10))
    ]
    ruleset = ruleset_of({"game": PATROL | {"categories": categories}, "army": {"entries": entries}})
    for pebbles in (1, 500):
        horde, duo = (
            {"entry": name, "take": [f"{name}-model", {"entry": f"{name}-pebble", "number": number}]}
            for name, number in (("horde", pebbles), ("duo", 1))
        )
        first = repair(ruleset, roster_of({"list": [{"force": "patrol", "take": [horde, duo]}]})).repairs[0]
        assert [unit.entry_id for unit in first.roster.forces[0].selections] == ["duo"]
        # The points of the squad, its model and a line; the latter two weigh half of all points each.
        assert first.weight // UNIT == 8 + 9 + 9


def test_equal_options_that_go_are_one_line_also_if_each_was_taken_by_itself() -> None:
    at_most = {"id": "at-most", "bound": "max", "value": 1, "query": {"scope": "parent"}}
    option = {"id": "gun", "name": "Gun", "constraints": [at_most], "costs": [{"type_id": "pts", "value": 3}]}
    ruleset = ruleset_of({"game": PATROL, "army": {"entries": [squad_of("squad", 5, option)]}})
    weights = []
    for guns in (["gun"] * 4, [{"entry": "gun", "number": 4}]):
        take = [{"entry": "squad", "take": ["squad-model", *guns]}]
        first = repair(ruleset, roster_of({"list": [{"force": "patrol", "take": take}]})).repairs[0]
        weights.append(first.weight // UNIT)
    # Three guns, and a line as heavy as all points of the only model.
    assert weights == [3 * 3 + 17, 3 * 3 + 17]


def test_what_the_validator_turns_down_in_a_filled_list_gives_way() -> None:
    """No model knows the cap. It is kept in the end, because what its violation names is no longer proposed."""
    of_forts = {"conditions": [{"operator": "instanceOf", "query": {"scope": "self", "child_id": "fort"}}]}
    query = {"field": "pts", "scope": "roster", "child_id": "fort", "deep": True, "where": of_forts}
    units = [
        {
            "id": f"{kind}-{number}",
            "name": f"{kind.title()} {number}",
            "costs": [{"type_id": "pts", "value": 3}],
            "categories": [{"id": f"{kind}-{number}-is", "target_id": kind}],
        }
        for kind, most in (("fort", 12), ("guard", 2))
        for number in range(most)
    ]
    game = {
        "cost_types": [{"id": "pts", "name": "pts"}],
        "categories": [{"id": "guard", "name": "Guards"}, {"id": "fort", "name": "Forts"}],
        "forces": [
            {"id": "patrol", "name": "Patrol", "categories": [{"id": k, "target_id": k} for k in ("guard", "fort")]}
        ],
        "constraints": [{"id": "few", "bound": "max", "value": 3, "query": query}],
    }
    ruleset = ruleset_of({"game": game, "army": {"entries": units}})
    roster = roster_of({"limits": {"pts": 30}, "list": [{"force": "patrol", "take": []}]})
    for seed in range(4):
        *_, filled = StepwiseFilling(ruleset, seed, generate_id, Effort(1_200_000).start()).fill(roster)
        assert evaluate(ruleset, filled).verdict is Verdict.LEGAL
        assert len(filled.forces[0].selections) == 10


def test_a_list_that_no_change_mends_is_proved_to_have_no_repair() -> None:
    demands = [{"id": "few", "bound": "max", "value": 1}, {"id": "many", "bound": "min", "value": 2}]
    query = {"query": {"scope": "force", "deep": True}}
    game = {
        "categories": [{"id": "guard", "name": "Guards", "constraints": [demand | query for demand in demands]}],
        "forces": [{"id": "patrol", "name": "Patrol", "categories": [{"id": "l1", "target_id": "guard"}]}],
    }
    page = {"id": "page", "name": "Page", "categories": [{"id": "l2", "target_id": "guard"}]}
    ruleset = ruleset_of({"game": game, "army": {"entries": [page]}})
    roster = roster_of({"list": [{"force": "patrol", "take": ["page"]}]})
    assert repair(ruleset, roster, effort=MUCH) == (Possibility.NO, (), True)
    assert repair(ruleset, roster, effort=Effort(0)).answer is Possibility.UNKNOWN


def test_what_helps_nothing_is_left_out_of_a_question() -> None:
    model = Model()
    needed, spare, asked = (model.add_variable(0, 5) for _ in range(3))
    model.require(needed, lower=2)
    model.require(add_all((needed, spare, asked)), upper=4)
    (wanted,) = asked.terms
    trimmed = model.trim([wanted])
    assert trimmed.bounds == [(0, 5), (0, 0), (0, 5)]
    assert len(trimmed.rows) == 2
    assert len(model.trim().rows) == 2
    assert model.trim().bounds[wanted] == (0, 0)
    assert model.bounds == [(0, 5)] * 3


def test_what_many_ask_is_one_variable() -> None:
    model = Model()
    one, other = (model.add_variable(0, 5) for _ in range(2))
    enough = model.state_at_least(one + other, 3)
    assert model.state_at_least(one + other - 1, 2) == enough
    assert model.state_at_least(one + other, 2) != enough
    some = model.state_at_least(one, 1)
    assert model.state_all((some, enough)) == model.state_all((enough, some))
    assert len(model.bounds) == 6
