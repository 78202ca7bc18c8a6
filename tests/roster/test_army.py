"""An army is filled unit by unit: legal, as full as its limit allows, and different for each seed."""

import pytest

from catalogue.definitions.numbers import Number
from catalogue.graph.ruleset import Ruleset
from roster.engine import edits
from roster.engine.completion.effort import Effort, UnfinishedError
from roster.engine.completion.search import Completion
from roster.engine.completion.solver import Possibility, is_solver_installed
from roster.engine.report import Verdict
from roster.engine.tree import copy_with, list_selections
from roster.services import ways as ways_module
from roster.services.army import fill_by_deeds, is_full
from roster.services.evaluation import EvaluatedList, evaluate_with
from roster.services.ways import WayKind, find_ways
from tests.engine.games import counting_ids, game

ENOUGH = Effort(60_000)

# Units stand in regiments alone. The first of a regiment has to be a hero, and brings a relic or more.
REGIMENTS = game(
    """
    game:
      cost_types: [{id: pts, name: points}]
      categories: [{id: hero, name: Hero}]
      forces:
        - id: handbook
          name: Handbook
          constraints:
            - {id: once, bound: max, value: 1, query: {field: forces, scope: roster}}
            - {id: inner, bound: min, value: 1, query: {
                field: forces, scope: self, child_id: regiment, include_child_forces: true}}
          forces:
            - id: regiment
              name: Regiment
              categories:
                - {id: led, target_id: hero, constraints: [
                    {id: leads, bound: min, value: 1, query: {scope: parent}},
                    {id: alone, bound: max, value: 1, query: {scope: parent}}]}
              constraints:
                - {id: few, bound: max, value: 3, query: {field: selections, scope: self}}
    army:
      entries:
        - &unit
          id: captain
          name: Captain
          type: unit
          costs: [{type_id: pts, value: 100}]
          categories: [{id: heroes, target_id: hero, primary: true}]
          modifiers: [{change: set, field: hidden, value: "true", guard: {
            conditions: [{query: {child_id: handbook, scope: force}, operator: instanceOf}]}}]
          entries:
            - {id: relic, name: Relic, costs: [{type_id: pts, value: 10}], constraints: [
                {id: one, bound: min, value: 1, query: {scope: parent}},
                {id: two, bound: max, value: 2, query: {scope: parent}}]}
        - {<<: *unit, id: spears, name: Spears, costs: [{type_id: pts, value: 70}], categories: [], entries: []}
        - {<<: *unit, id: bows, name: Bows, costs: [{type_id: pts, value: 50}], categories: [], entries: []}
    """
)


def begin(limit: Number, ruleset: Ruleset = REGIMENTS) -> EvaluatedList:
    roster = edits.create_roster(ruleset, "List", limits={"pts": limit}, ids=counting_ids()).roster
    return evaluate_with(ruleset, copy_with(roster, faction="army"), tree=False)


def fill(limit: Number, seed: int = 1) -> EvaluatedList:
    filled = fill_by_deeds(begin(limit), ENOUGH.start(), seed)
    assert filled
    assert filled.verdict is Verdict.LEGAL
    return filled


def count_points(judged: EvaluatedList) -> Number:
    assert judged.points
    return judged.points.value


@pytest.mark.parametrize("limit", [110, 250, 500, 1000])
def test_the_army_is_full_and_keeps_to_its_limit(limit: int) -> None:
    filled = fill(limit)
    # The smallest unit costs 50, so less than that is left.
    assert limit - 50 < count_points(filled) <= limit
    assert is_full(filled) is (count_points(filled) >= 0.9 * limit)
    (handbook,) = filled.tree.forces
    assert not handbook.selections
    for regiment in handbook.forces:
        names = [unit.name for unit in regiment.selections]
        assert names.count("Captain") == 1
        assert len(names) <= 3


def test_options_fill_what_units_leave() -> None:
    # A captain with a relic leaves 15 of 125 points, too few for a unit, and more than a tenth.
    filled = fill(125)
    assert [(one.name, one.number) for one in list_selections(filled.tree)] == [("Captain", 1), ("Relic", 2)]


def test_each_seed_gives_another_army_and_the_same_seed_the_same() -> None:
    armies = {
        seed: sorted(unit.name for one in fill(500, seed).tree.forces[0].forces for unit in one.selections)
        for seed in (1, 2, 3, 4, 5)
    }
    assert len({tuple(army) for army in armies.values()}) > 1
    again = fill(500, 3)
    assert sorted(unit.name for one in again.tree.forces[0].forces for unit in one.selections) == armies[3]


def test_where_no_army_is_possible_none_is_returned() -> None:
    assert fill_by_deeds(begin(109), ENOUGH.start(), 1) is None


def test_without_a_limit_one_legal_list_is_enough() -> None:
    judged = begin(-1)
    filled = fill_by_deeds(judged, ENOUGH.start(), 1)
    assert filled
    assert (filled.verdict, count_points(filled)) == (Verdict.LEGAL, 110)


def test_what_the_list_has_stays() -> None:
    begun = fill(250)
    more = evaluate_with(REGIMENTS, edits.set_limit(REGIMENTS, begun.tree, "pts", 700).roster, tree=False)
    fuller = fill_by_deeds(more, ENOUGH.start(), 2)
    assert fuller
    after = {selection.id: selection for selection in list_selections(fuller.tree)}
    assert all(after[one.id].number >= one.number for one in list_selections(begun.tree))
    assert count_points(fuller) > 650


def test_the_work_is_counted_and_the_clock_protects_the_server() -> None:
    few = fill_by_deeds(begin(1000), Effort(150).start(), 1)
    assert few is None or count_points(few) < 900
    with pytest.raises(UnfinishedError):
        fill_by_deeds(begin(1000), Effort(5_000, -1.0).start(), 1)


@pytest.mark.skipif(not is_solver_installed(), reason="no solver is installed")
class TestWays:
    def test_an_army_that_the_solver_does_not_find_is_filled_unit_by_unit(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(ways_module, "fill", lambda *_, **__: Completion(Possibility.UNKNOWN))
        (way,) = find_ways(begin(500), WayKind.FILL, seed=1).ways
        assert (way.evaluated_list.verdict, way.is_best) == (Verdict.LEGAL, False)
        assert is_full(way.evaluated_list)

    def test_a_list_that_the_solver_fills_by_half_is_filled_further(self, monkeypatch: pytest.MonkeyPatch) -> None:
        half = Completion(Possibility.YES, fill(250).tree)
        monkeypatch.setattr(ways_module, "fill", lambda *_, **__: half)
        (way,) = find_ways(begin(500), WayKind.FILL, seed=1).ways
        assert is_full(way.evaluated_list)

    def test_what_is_proved_is_not_tried(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(ways_module, "fill", lambda *_, **__: Completion(Possibility.NO))
        assert not find_ways(begin(500), WayKind.FILL, seed=1).ways
