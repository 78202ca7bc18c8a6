"""Small games that several engine tests share."""

from itertools import count
from typing import Any

from catalogue.graph.ruleset import Ruleset
from roster.engine import edits
from roster.engine.edits import EditedRoster, IdSource
from roster.engine.tree import RosterTree
from tests.engine.spec_reader import ruleset_of
from tests.plain_yaml import load_yaml


def game(text: str) -> Ruleset:
    return ruleset_of(load_yaml(text))


def counting_ids() -> IdSource:
    numbers = count(1)
    return lambda: f"n{next(numbers)}"


def done(result: Any) -> EditedRoster:
    assert isinstance(result, EditedRoster), result
    return result


def started(ruleset: Ruleset, ids: IdSource, force: str = "patrol") -> tuple[RosterTree, str]:
    roster = edits.create_roster(ruleset, "List", ids=ids).roster
    edited = done(edits.add_force(ruleset, roster, force, "army", ids=ids))
    return edited.roster, edited.created[0]


WORKSHOP = """
game:
  cost_types: [{id: pts, name: points, default_limit: 100}, {id: slots, name: slots, hidden: true}]
  categories: [{id: hq, name: HQ}, {id: core, name: Core}]
  forces:
    - id: patrol
      name: Patrol
      categories:
        - {id: s1, target_id: hq, constraints: [{id: one-hq, bound: max, value: 1, query: {scope: parent}}]}
        - {id: s2, target_id: core}
      constraints:
        - id: core-first
          bound: max
          value: 0
          query: {scope: self, child_id: guard}
          terms: [{query: {scope: self, child_id: core}}]
      forces: [{id: wing, name: Wing}]
army:
  shared_entries:
    - id: sword
      name: Sword
      costs: [{type_id: pts, value: 2}]
      constraints: [{id: max-sword, bound: max, value: 2, query: {scope: parent, shared: false}}]
    - {id: shield, name: Shield, collective: true}
  entries:
    - id: captain
      name: Captain
      type: model
      categories: [{id: c1, target_id: hq, primary: true}]
      costs: [{type_id: pts, value: 30}]
      constraints: [{id: one, bound: max, value: 1, query: {scope: roster}}]
      entries:
        - id: arms
          kind: group
          name: Arms
          default_id: l-sword
          constraints:
            - {id: some, bound: min, value: 1, query: {scope: parent}}
            - {id: few, bound: max, value: 2, query: {scope: parent}}
          entries:
            - {id: l-sword, kind: entry-link, target_id: sword}
            - {id: axe, name: Axe, costs: [{type_id: pts, value: 3}]}
    - id: squad
      name: Squad
      type: unit
      categories: [{id: c2, target_id: core, primary: true}]
      entries:
        - id: trooper
          name: Trooper
          type: model
          costs: [{type_id: pts, value: 10}]
          constraints:
            - {id: least, bound: min, value: 3, query: {scope: parent}}
            - {id: most, bound: max, value: 6, query: {scope: parent}}
          modifiers:
            - change: set
              field: pts
              value: "9"
              guard: {conditions: [{operator: atLeast, value: 5, query: {scope: parent, child_id: trooper}}]}
          entries: [{id: l-shield, kind: entry-link, target_id: shield}]
        - id: sergeant
          name: Sergeant
          type: model
          constraints: [{id: one-sergeant, bound: max, value: 1, query: {scope: parent}}]
          entries: [{id: pistol, name: Pistol}]
    - {id: guard, name: Guard}
    - id: secret
      name: Secret
      hidden: true
    - {id: general, name: General, categories: [{id: c4, target_id: lords, primary: true}]}
"""
