"""Which kinds of force are on offer: as modifiers show and hide them, in their order, with what bars one more."""

import pytest

from catalogue.graph.ruleset import Ruleset
from roster.engine import edits
from roster.engine.evaluate import evaluate
from roster.engine.evaluation import Evaluation
from roster.engine.offers import find_barred_forces, list_offered_forces
from roster.engine.tree import RosterTree
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
          sort_index: 1
          hidden: true
          constraints: [{id: two, bound: max, value: 2, query: {field: forces, scope: parent}}]
          modifiers:
            - &shown
              change: set
              field: hidden
              value: "false"
              guard: {conditions: [{operator: instanceOf, query: {scope: primary-catalogue, child_id: army}}]}
        - id: company
          name: Company
          hidden: true
          modifiers:
            - <<: *shown
              guard: {conditions: [{operator: atLeast, value: 1, query: {scope: parent, child_id: oath}}]}
    - {id: secret, name: Secret, hidden: true}
army: {entries: [{id: oath, name: Oath}]}
more: [{id: rabble, name: Rabble, kind: faction}]
"""


@pytest.fixture(scope="module")
def ruleset() -> Ruleset:
    return game(CAMPAIGN)


def offered(ruleset: Ruleset, roster: RosterTree, catalogue_id: str = "army", parent_id: str = "") -> list[str]:
    book = ruleset.find_catalogue(catalogue_id)
    assert book
    entries = book.force_entries
    if parent_id:
        crusade = book.find_force("crusade")
        assert crusade
        entries = crusade.entry.forces
    found = list_offered_forces(Evaluation(ruleset, roster), entries, catalogue_id, parent_id)
    return [entry.id for entry in found]


def begun(ruleset: Ruleset, catalogue_id: str = "army") -> RosterTree:
    empty = edits.create_roster(ruleset, ids=counting_ids()).roster
    return done(edits.add_force(ruleset, empty, "crusade", catalogue_id, ids=lambda: "f")).roster


def test_what_is_hidden_for_good_is_not_offered_beside_others(ruleset: Ruleset) -> None:
    assert offered(ruleset, RosterTree(id="r")) == ["crusade"]


def test_what_is_hidden_for_good_is_offered_where_there_is_nothing_else() -> None:
    alone = game("game: {forces: [{id: only, name: Only, hidden: true}]}")
    roster = RosterTree(id="r")
    assert offered(alone, roster) == ["only"]
    begun = done(edits.add_force(alone, roster, "only", "army", ids=counting_ids())).roster
    assert evaluate(alone, begun).violations == ()


def test_a_force_is_shown_to_the_faction_that_its_data_says(ruleset: Ruleset) -> None:
    assert offered(ruleset, begun(ruleset), parent_id="f") == ["regiment", "reserve"]
    assert offered(ruleset, begun(ruleset, "rabble"), "rabble", "f") == ["reserve"]


def test_a_force_is_shown_by_what_is_in_the_one_around_it(ruleset: Ruleset) -> None:
    sworn = done(edits.select(ruleset, begun(ruleset), "f", "oath")).roster
    assert offered(ruleset, sworn, parent_id="f") == ["regiment", "reserve", "company"]


def test_one_more_is_barred_where_its_limit_counts_it(ruleset: Ruleset) -> None:
    roster = begun(ruleset)
    barred = find_barred_forces(Evaluation(ruleset, roster), ["crusade", "secret"], "army")
    assert {entry_id: violation.constraint_id for entry_id, violation in barred.items()} == {"crusade": "one"}
    for number in range(3):
        inner = find_barred_forces(Evaluation(ruleset, roster), ["regiment", "reserve"], "army", "f")
        expected = {"regiment": "two"} if number == 2 else {}
        assert {entry_id: found.constraint_id for entry_id, found in inner.items()} == expected
        roster = done(edits.add_force(ruleset, roster, "regiment", "army", "f")).roster


def test_a_cost_is_shown_where_something_in_the_roster_shows_it() -> None:
    counted = game(
        """
        game:
          cost_types:
            - {id: spite, name: spite, hidden: true}
            - id: pts
              name: points
              hidden: true
              modifiers:
                - change: set
                  field: hidden
                  value: "false"
                  guard: {conditions: [{operator: instanceOf, query: {scope: self, child_id: roster-force}}]}
          forces: [{id: roster-force, name: Army}, {id: skirmish, name: Skirmish}]
        army: {entries: [{id: imp, name: Imp, costs: [{type_id: pts, value: 5}, {type_id: spite, value: 1}]}]}
        """
    )
    for force, shown in (("roster-force", ["pts"]), ("skirmish", [])):
        empty = edits.create_roster(counted, ids=counting_ids()).roster
        roster = done(edits.add_force(counted, empty, force, "army", ids=lambda: "f")).roster
        roster = done(edits.select(counted, roster, "f", "imp")).roster
        report = evaluate(counted, roster)
        assert [cost.type_id for cost in report.costs if not cost.hidden] == shown
    kinds = counted.binding.cost_types
    assert [kinds[type_id].is_never_shown for type_id in ("pts", "spite")] == [False, True]
