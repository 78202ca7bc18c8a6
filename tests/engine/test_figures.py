"""Figures of a list besides its costs, and which costs are shown."""

import pytest

from roster.engine.report import CostTotal, Report
from tests.engine.test_tree import judged

LIST = """
    game:
      cost_types: [{id: points, name: Points}, {id: rank, name: Rank}, {id: secret, name: Secret, hidden: true}]
      forces: [{id: patrol, name: Patrol}]
      figures:
        - {id: ranks, name: Ranks, query: {field: rank, scope: roster, child_id: any, deep: true}}
        - {id: all, name: Units, query: {scope: roster, child_id: unit, deep: true}}
        - id: strength
          name: Strength
          query: {field: points, scope: roster, child_id: any, deep: true}
          terms: [{query: {scope: roster, child_id: unit, deep: true}, coefficient: 10}]
    army:
      entries:
        - id: squad
          name: Squad
          type: unit
          costs: [{type_id: points, value: 7}, {type_id: rank, value: 2}, {type_id: secret, value: 1}]
    list: [{force: patrol, take: [squad, squad]}]
    """


def test_a_figure_says_which_cost_it_adds_up() -> None:
    found = {figure.id: (figure.value, figure.cost_id) for figure in judged(LIST).figures}
    assert found == {"ranks": (4, "rank"), "all": (2, ""), "strength": (34, "")}


def test_a_cost_that_a_figure_is_already_is_not_told_of_twice() -> None:
    assert [cost.type_id for cost in judged(LIST).shown_costs] == ["points"]


@pytest.mark.parametrize(("limit", "shown"), [(None, []), (6, ["rank"])])
def test_a_cost_with_a_limit_is_told_of_always(limit: int | None, shown: list[str]) -> None:
    rank = CostTotal(type_id="rank", name="Rank", value=4, limit=limit)
    assert [
        cost.type_id for cost in Report(costs=(rank,), violations=(), figures=judged(LIST).figures).shown_costs
    ] == shown
