"""Filled lists follow advice, and models know where an option may be taken."""

import pytest

from catalogue.definitions.constraints import Severity
from catalogue.graph.ruleset import Ruleset
from roster.engine import edits
from roster.engine.completion.complete import complete, fill
from roster.engine.completion.effort import Effort
from roster.engine.completion.solver import Possibility, is_solver_installed
from roster.engine.edits import EditedRoster
from roster.engine.evaluate import evaluate
from roster.engine.report import Verdict
from roster.engine.tree import RosterTree
from tests.engine.games import counting_ids, game

pytestmark = pytest.mark.skipif(not is_solver_installed(), reason="no solver is installed")

EFFORT = Effort(20_000)

ADVISED = game(
    """
    game:
      cost_types: [{id: pts, name: points}]
      forces:
        - id: patrol
          name: Patrol
          constraints:
            - {id: least, bound: min, value: 4, query: {field: selections, scope: self}}
    army:
      entries:
        - id: horn
          name: Horn
          costs: [{type_id: pts, value: 10}]
          constraints:
            - {id: horns, bound: max, value: 1, severity: warning, query: {field: selections, scope: force}}
        - id: cart
          name: Cart
          costs: [{type_id: pts, value: 20}]
          constraints:
            - {id: carts, bound: min, value: 2, severity: remark, query: {field: selections, scope: force}}
        - id: spears
          name: Spears
          costs: [{type_id: pts, value: 30}]
    """
)

RANKED = """
game:
  cost_types: [{id: pts, name: points}]
  categories: [{id: leader, name: Leader}, {id: crew, name: Crew}]
  forces:
    - {id: patrol, name: Patrol, categories: [{id: l, target_id: leader}, {id: c, target_id: crew}]}
army:
  entries:
    - id: captain
      name: Captain
      costs: [{type_id: pts, value: 50}]
      categories: [{id: lc, target_id: leader, primary: true}]
      constraints: [{id: one, bound: max, value: 1, query: {scope: force}}]
      entries: [{id: chest, name: Chest, entries: [&plume {
        id: plume, name: Plume, costs: [{type_id: pts, value: 7}],
        constraints: [{id: plumes, bound: max, value: 1, query: {scope: parent}}],
        modifiers: [{change: set, field: hidden, value: "true", guard: {
          conditions: [{query: {child_id: leader, scope: SCOPE}, operator: notInstanceOf}]}}],
      }]}]
    - id: sailor
      name: Sailor
      costs: [{type_id: pts, value: 20}]
      categories: [{id: sc, target_id: crew, primary: true}]
      entries: [{id: bag, name: Bag, entries: [{<<: *plume, id: feather}]}]
"""


def begin(limit: int, ruleset: Ruleset = ADVISED) -> RosterTree:
    roster = edits.create_roster(ruleset, "List", limits={"pts": limit}).roster
    added = edits.add_force(ruleset, roster, "patrol", "army", ids=counting_ids())
    assert isinstance(added, EditedRoster)
    return added.roster


def count_advice(roster: RosterTree | None) -> int:
    assert roster is not None
    report = evaluate(ADVISED, roster)
    assert report.verdict is Verdict.LEGAL
    return sum(violation.severity is not Severity.ERROR for violation in report.violations)


@pytest.mark.parametrize("seed", range(4))
def test_a_filled_list_breaks_no_advice_that_can_be_kept(seed: int) -> None:
    filled = fill(ADVISED, begin(100), seed=seed, effort=EFFORT)
    assert filled.answer is Possibility.YES
    assert count_advice(filled.roster) == 0


def test_advice_that_cannot_be_kept_does_not_prevent_a_list() -> None:
    filled = fill(ADVISED, begin(60), effort=EFFORT)
    assert count_advice(filled.roster) > 0


def test_a_completion_takes_no_more_than_advised_and_nothing_that_is_only_advised() -> None:
    completion = complete(ADVISED, begin(200), effort=EFFORT)
    assert completion.roster is not None
    taken = [unit.entry_id for unit in completion.roster.forces[0].selections]
    assert sorted(taken) == ["cart", "cart", "cart", "horn"]


@pytest.mark.parametrize("scope", ["primary-category", "ancestor"])
def test_options_that_hang_on_the_category_of_their_unit_are_proved(scope: str) -> None:
    ruleset = game(RANKED.replace("SCOPE", scope))
    filled = fill(ruleset, begin(57, ruleset), effort=EFFORT)
    assert filled.is_best
    assert filled.roster is not None
    (captain,) = filled.roster.forces[0].selections
    assert captain.entry_id == "captain"
    # 20 + 20 + 7 + 7 would be fuller, if sailors could wear feathers.
    filled = fill(ruleset, begin(54, ruleset), effort=EFFORT)
    assert filled.roster is not None
    assert evaluate(ruleset, filled.roster).verdict is Verdict.LEGAL
    assert [unit.entry_id for unit in filled.roster.forces[0].selections] == ["captain"]
