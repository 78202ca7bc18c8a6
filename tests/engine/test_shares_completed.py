"""Shares of a list's limit are in the model: missing shares are completed, and exceeding ones not proposed."""

import pytest

from roster.engine import edits
from roster.engine.completion.complete import complete, fill
from roster.engine.completion.look_ahead import LookAhead
from roster.engine.completion.repair import repair
from roster.engine.completion.solver import Possibility, is_solver_installed
from roster.engine.edits import EditedRoster
from roster.engine.evaluate import evaluate
from roster.engine.report import Verdict
from roster.engine.tree import RosterTree
from tests.engine.games import counting_ids, game

pytestmark = pytest.mark.skipif(not is_solver_installed(), reason="no solver is installed")

RULESET = game(
    """
    game:
      cost_types: [{id: pts, name: points}]
      categories:
        - id: core
          name: Core
          constraints:
            - id: quarter
              bound: min
              value: 25
              query: {field: "limit::pts", scope: force, deep: true, percent: true}
        - id: rare
          name: Rare
          constraints:
            - {id: fifth, bound: max, value: 20, query: {field: "limit::pts", scope: force, deep: true, percent: true}}
      forces:
        - {id: patrol, name: Patrol, categories: [{id: c, target_id: core}, {id: r, target_id: rare}]}
    army:
      entries:
        - id: spears
          name: Spears
          costs: [{type_id: pts, value: 30}]
          categories: [{id: s, target_id: core, primary: true}]
        - id: giant
          name: Giant
          costs: [{type_id: pts, value: 100}]
          categories: [{id: g, target_id: rare, primary: true}]
    """
)


def build(limit: int, *units: str) -> RosterTree:
    roster = edits.create_roster(RULESET, "List", limits={"pts": limit}).roster
    ids = counting_ids()
    added = edits.add_force(RULESET, roster, "patrol", "army", ids=ids)
    assert isinstance(added, EditedRoster)
    force = added.created[0]
    for unit in units:
        added = edits.select(RULESET, added.roster, force, unit, ids=ids)
        assert isinstance(added, EditedRoster)
    return added.roster


def count(roster: RosterTree | None) -> dict[str, int]:
    assert roster is not None
    names = [unit.entry_id for unit in roster.forces[0].selections]
    return {name: names.count(name) for name in dict.fromkeys(names)}


def test_a_list_that_lacks_its_share_of_core_is_completed() -> None:
    roster = build(500, "spears", "giant")
    assert evaluate(RULESET, roster).verdict is Verdict.INCOMPLETE
    completed = complete(RULESET, roster)
    assert (count(completed.roster), completed.is_best) == ({"spears": 5, "giant": 1}, True)


def test_a_list_is_filled_within_the_shares() -> None:
    filled = fill(RULESET, build(500, "spears"), seed=1).roster
    assert filled is not None
    report = evaluate(RULESET, filled)
    assert (report.verdict, [cost.value for cost in report.costs]) == (Verdict.LEGAL, [500])


def test_a_list_beyond_its_share_is_repaired() -> None:
    repairs = repair(RULESET, build(500, *["spears"] * 5, "giant", "giant")).repairs
    assert count(repairs[0].roster) == {"spears": 5, "giant": 1}


def test_a_list_without_room_for_its_share_is_lost() -> None:
    assert LookAhead(RULESET, build(110, "giant")).judge() is Possibility.NO


def test_no_share_is_asked_without_a_limit() -> None:
    roster = build(-1, "giant", "giant")
    assert evaluate(RULESET, roster).verdict is Verdict.LEGAL
    assert LookAhead(RULESET, roster).judge() is Possibility.YES
