"""What prevents another kind of force; `specs/` covers which kinds are offered."""

from roster.engine import edits
from roster.engine.evaluation import Evaluation
from roster.engine.offers import find_barred_forces
from tests.engine.games import counting_ids, done, game

CAMPAIGN = """
game:
  forces:
    - id: crusade
      name: Crusade
      constraints: [{id: one, bound: max, value: 1, query: {field: forces, scope: roster}}]
      forces:
        - {id: reserve, name: Reserve}
        - id: regiment
          name: Regiment
          constraints: [{id: two, bound: max, value: 2, query: {field: forces, scope: parent}}]
    - {id: secret, name: Secret, hidden: true}
"""


def test_one_more_is_barred_where_its_limit_counts_it() -> None:
    ruleset = game(CAMPAIGN)
    empty = edits.create_roster(ruleset, ids=counting_ids()).roster
    roster = done(edits.add_force(ruleset, empty, "crusade", "army", ids=lambda: "f")).roster
    barred = find_barred_forces(Evaluation(ruleset, roster), ["crusade", "secret"], "army")
    assert {entry_id: violation.constraint_id for entry_id, violation in barred.items()} == {"crusade": "one"}
    for number in range(3):
        inner = find_barred_forces(Evaluation(ruleset, roster), ["regiment", "reserve"], "army", "f")
        expected = {"regiment": "two"} if number == 2 else {}
        assert {entry_id: violation.constraint_id for entry_id, violation in inner.items()} == expected
        roster = done(edits.add_force(ruleset, roster, "regiment", "army", "f")).roster
