"""Open choices that no rule requires are reported; required ones are not."""

from roster.engine import edits
from roster.engine.evaluation import Evaluation
from roster.engine.open_choices import list_open_choices
from roster.engine.tree import RosterTree
from tests.engine.games import counting_ids, done, game, started

SETTINGS = """
game:
  cost_types: [{id: pts, name: points}]
  forces: [{id: patrol, name: Patrol}]
army:
  entries:
    - &formation
      id: formation
      name: Formation
      constraints: [{id: least, bound: min, value: 1, query: {scope: parent}}]
      entries:
        - id: formations
          kind: group
          name: Formations
          constraints: [{id: most, bound: max, value: 1, query: {scope: parent}}]
          entries: [{id: wedge, name: Wedge}, {id: line, name: Line}]
    - <<: *formation
      id: needed
      name: Asked for by a rule
      entries:
        - id: needs
          kind: group
          name: Needs
          constraints: [{id: one, bound: min, value: 1, query: {scope: parent}}]
          entries: [{id: need, name: Need}]
    - <<: *formation
      id: extras
      name: Extras for points
      entries:
        - id: paid
          kind: group
          name: Paid
          entries: [{id: flag, name: Flag, costs: [{type_id: pts, value: 5}]}]
    - <<: *formation
      id: shut
      name: Shut
      entries:
        - {id: empty, kind: group, name: Empty, entries: [{id: secret, name: Secret, hidden: true}]}
        - id: full
          kind: group
          name: Full
          constraints: [{id: none, bound: max, value: 0, query: {scope: parent}}]
          entries: [{id: barred, name: Barred}]
    - <<: *formation
      id: ticks
      name: Ticks
      entries: [{id: tick, name: Tick}]
    - <<: *formation
      id: unit
      name: Unit
      type: unit
"""


def test_only_what_costs_nothing_and_no_rule_asks_for_is_left_open() -> None:
    ruleset = game(SETTINGS)
    roster, _ = started(ruleset, counting_ids())
    (formation,) = list_open_choices(Evaluation(ruleset, roster))
    assert (formation.name, formation.entry_id) == ("Formation", "formation")
    chosen = done(edits.select(ruleset, roster, formation.id, "wedge")).roster
    assert list_open_choices(Evaluation(ruleset, chosen)) == ()


def test_a_bare_list_has_no_open_choices() -> None:
    assert list_open_choices(Evaluation(game(SETTINGS), RosterTree(id="r"))) == ()
