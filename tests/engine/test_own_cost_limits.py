"""A limit on the cost of a group's options, or of a whole unit, is in the model as the validator counts it."""

import pytest

from roster.engine import edits
from roster.engine.completion.effort import Effort
from roster.engine.completion.prospects import Horizon
from roster.engine.completion.search import Outlook
from roster.engine.completion.solver import is_solver_installed
from roster.engine.edits import EditedRoster
from roster.engine.evaluate import evaluate
from roster.engine.report import Verdict
from tests.engine.games import counting_ids, game, started

pytestmark = pytest.mark.skipif(not is_solver_installed(), reason="no solver is installed")

EFFORT = Effort(20_000)

ENCHANTED = """
game:
  cost_types: [{id: pts, name: points}]
  forces: [{id: patrol, name: Patrol}]
army:
  entries:
    - id: knights
      name: Knights
      costs: [{type_id: pts, value: 40}]
      constraints: [{id: three, bound: max, value: 3, query: {scope: force}}, UNIT]
      entries:
        - id: items
          kind: group
          name: Items
          constraints: [GROUP]
          entries:
            - {id: sword, name: Sword, costs: [{type_id: pts, value: 15}], constraints: [&once {
                id: one, bound: max, value: 1, query: {scope: parent}}]}
            - {id: banner, name: Banner, costs: [{type_id: pts, value: 20}], constraints: [*once]}
            - {id: charm, name: Charm, costs: [{type_id: pts, value: 10}], constraints: [*once]}
"""
OF_GROUP = "{id: most, bound: max, value: 25, query: {field: pts, scope: parent, shared: SHARED}}"
OF_UNIT = "{id: worth, bound: max, value: 65, query: {field: pts, scope: self, deep: true}}"
LIMITS = {
    "group": ("", OF_GROUP.replace("SHARED", "false")),
    "shared-group": ("", OF_GROUP.replace("SHARED", "true")),
    "unit": (OF_UNIT, ""),
}


@pytest.mark.parametrize("limited", LIMITS)
def test_the_fullest_list_keeps_limits_on_its_own_costs(limited: str) -> None:
    of_unit, of_group = LIMITS[limited]
    ruleset = game(ENCHANTED.replace(", UNIT", f", {of_unit}" if of_unit else "").replace("GROUP", of_group))
    roster, _ = started(ruleset, counting_ids())
    limit = edits.set_limit(ruleset, roster, "pts", 300)
    assert isinstance(limit, EditedRoster)
    # Three knights for 40 and 25 points of items each.
    for copies in (0, 3):
        view = Horizon(new_forces=False, copies=copies)
        outlook = Outlook(ruleset, limit.roster, budget=EFFORT.start(), view=view)
        spent = outlook.amounts.costs.sum_type("pts")
        solution = outlook.propose(spent * -1)
        proposal = outlook.build_proposal(solution, counting_ids())
        assert proposal.read(spent) == 195
    assert evaluate(ruleset, proposal.build_roster(), tree=False).verdict is Verdict.LEGAL
