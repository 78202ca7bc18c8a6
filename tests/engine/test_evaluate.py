"""The report as a whole."""

import pytest

from roster.engine import edits
from roster.engine.evaluate import evaluate
from tests.engine.games import counting_ids, done, game, started

TWICE = """
game:
  cost_types: [{id: pts, name: points}]
  categories: [{id: core, name: Core}, {id: led, name: Core}, {id: elite, name: Elite}]
  forces:
    - id: patrol
      name: Patrol
      constraints:
        - {id: a, bound: max, value: 1, rule: %(a)s, query: {scope: self, child_id: core}}
        - {id: b, bound: max, value: %(bound)s, rule: %(b)s, query: {scope: self, child_id: %(counted)s}}
army:
  entries:
    - id: squad
      name: Squad
      type: unit
      categories: [{id: c, target_id: core, primary: true}, {id: l, target_id: led}, {id: e, target_id: elite}]
"""


@pytest.mark.parametrize(
    ("words", "broken"),
    [
        ({"a": "few", "b": "few", "bound": 1}, ["a"]),
        ({"a": "few", "b": "few", "bound": 0}, ["a", "b"]),
        ({"a": "few", "b": "fewer", "bound": 1}, ["a", "b"]),
        ({"a": "''", "b": "''", "bound": 1}, ["a"]),
        ({"a": "''", "b": "''", "bound": 0}, ["a", "b"]),
        ({"a": "few", "b": "few", "bound": 1, "counted": "led"}, ["a"]),
        ({"a": "few", "b": "few", "bound": 1, "counted": "elite"}, ["a", "b"]),
        ({"a": "''", "b": "''", "bound": 1, "counted": "led"}, ["a", "b"]),
    ],
)
def test_the_same_is_said_once(words: dict[str, object], broken: list[str]) -> None:
    ruleset, ids = game(TWICE % ({"counted": "core"} | words)), counting_ids()
    roster, force = started(ruleset, ids)
    for _ in range(2):
        roster = done(edits.select(ruleset, roster, force, "squad", ids=ids)).roster
    assert [v.constraint_id for v in evaluate(ruleset, roster).violations] == broken


TWO_LINKS = """
game:
  forces: [{id: patrol, name: Patrol}]
army:
  shared_entries:
    - id: sword
      name: Sword
      constraints: [{id: few, bound: max, value: 1, rule: %s, query: {scope: parent, shared: false}}]
  entries:
    - id: squad
      name: Squad
      entries:
        - {id: left, kind: entry-link, target_id: sword}
        - {id: right, kind: entry-link, target_id: sword}
"""


@pytest.mark.parametrize(("rule", "times"), [("few", 1), ("''", 2)], ids=["a rule of the book", "no rule"])
def test_a_rule_is_broken_once_by_the_same_figures_of_one_constraint(rule: str, times: int) -> None:
    ruleset, ids = game(TWO_LINKS % rule), counting_ids()
    roster, force = started(ruleset, ids)
    edited = done(edits.select(ruleset, roster, force, "squad", ids=ids))
    roster, (squad,) = edited.roster, edited.created
    for link in ("left", "right"):
        for _ in range(2):
            roster = done(edits.select(ruleset, roster, squad, link, ids=ids)).roster
    assert [v.constraint_id for v in evaluate(ruleset, roster).violations] == ["few"] * times


def test_less_than_nothing_is_nothing() -> None:
    terms = "terms: [{coefficient: -1, query: {scope: self, child_id: core}}]"
    twice = (TWICE % {"counted": "core", "a": "few", "b": "few", "bound": f"0, {terms}"}).replace(
        "value: 1", "value: 0"
    )
    ruleset, ids = game(twice), counting_ids()
    roster, force = started(ruleset, ids)
    roster = done(edits.select(ruleset, roster, force, "squad", ids=ids)).roster
    assert [v.constraint_id for v in evaluate(ruleset, roster).violations] == ["a"]
