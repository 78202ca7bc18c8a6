"""Automatic selections: worked out in advance if they are always the same, with the same result."""

import pytest

from catalogue.graph import compiled_entry
from catalogue.graph.ruleset import Ruleset, compile_ruleset
from roster.engine import edits
from roster.engine.draft import Draft
from roster.engine.evaluate import evaluate
from roster.engine.evaluation import Evaluation
from roster.engine.new_selections import fill_selection
from roster.engine.nodes import SelectionNode
from roster.engine.tree import Force, Origin, RosterTree, copy_with
from tests.engine.games import WORKSHOP, counting_ids, done, game, started
from tests.engine.spec_reader import read_spec, spec_names

Shape = list[object]


def shape(node: SelectionNode) -> Shape:
    return [node.entry_id, node.number, *(shape(member) for member in node.members)]


def filled(ruleset: Ruleset) -> list[Shape]:
    """Put every root entry of the army into a force of its own, with automatic selections."""
    book = ruleset.find_catalogue("army")
    assert book
    force = Force(id="f", entry_id=book.force_entries[0].id, catalogue_id="army")
    evaluation = Evaluation(ruleset, RosterTree(id="r", forces=(force,)))
    nodes = [
        SelectionNode(evaluation.roster.forces[0], option, option.local_id) for option in book.root_options.options
    ]
    for node in nodes:
        fill_selection(evaluation, node)
    return [shape(node) for node in nodes]


@pytest.mark.parametrize("name", ["", *spec_names()])
def test_picks_known_beforehand_are_those_by_need(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ruleset = read_spec(name).ruleset if name else game(WORKSHOP)
    beforehand = filled(ruleset)
    monkeypatch.setattr(compiled_entry, "_are_picks_fixed", lambda contents: False)
    assert filled(compile_ruleset(ruleset.data)) == beforehand


def test_declared_amounts_minimums_and_defaults_add_up() -> None:
    ruleset = game(
        """
        game: {forces: [{id: patrol, name: Patrol}]}
        army:
          entries:
            - id: squad
              name: Squad
              entries:
                - {id: torch, name: Torch, default_amount: 2}
                - {id: rope, name: Rope, default_amount: 1, constraints: &three
                  [{id: three, bound: exactly, value: 3, query: {scope: parent}}]}
                - {id: secret, name: Secret, hidden: true, constraints: *three}
                - id: arms
                  kind: group
                  name: Arms
                  default_id: sword
                  constraints: [{id: four, bound: min, value: 4, query: {scope: parent}}]
                  entries:
                    - {id: sword, name: Sword, constraints: [{id: few, bound: max, value: 2, query: {scope: parent}}]}
                    - {id: bow, name: Bow, constraints: [{id: one, bound: min, value: 1, query: {scope: parent}}]}
        """
    )
    assert filled(ruleset) == [["squad", 1, ["torch", 2], ["rope", 3], ["bow", 1], ["sword", 2]]]


def test_what_came_along_may_demand_what_is_before_it_in_the_data() -> None:
    ruleset = game(
        """
        game: {forces: [{id: patrol, name: Patrol}]}
        army:
          entries:
            - id: lore
              name: Lore
              entries:
                - id: shadow
                  name: Shadow of the head
                  constraints: [{id: shadows, bound: min, value: 0, query: {scope: parent}}]
                  modifiers:
                    - {change: set, field: shadows, value: "1", guard: {conditions: [&a-head
                       {operator: atLeast, value: 1, query: {scope: parent, child_id: head}}]}}
                - id: head
                  name: Burning head
                  hidden: true
                  constraints: [{id: heads, bound: min, value: 0, query: {scope: parent}}]
                  modifiers:
                    - {change: set, field: hidden, value: "false", guard: {conditions: [&a-spell
                       {operator: atLeast, value: 1, query: {scope: parent, child_id: spell}}]}}
                    - {change: set, field: heads, value: "1", guard: {conditions: [*a-spell]}}
                - id: other
                  name: Head of another spell
                  constraints: [{id: others, bound: min, value: 0, query: {scope: parent}}]
                  modifiers:
                    - {change: set, field: others, value: "1", guard: {conditions: [
                       {operator: atLeast, value: 2, query: {scope: parent, child_id: spell}}]}}
                - {id: spell, name: Summon, default_amount: 1, constraints:
                   [{id: spells, bound: min, value: 1, query: {scope: parent}}]}
        """
    )
    assert filled(ruleset) == [["lore", 1, ["spell", 1], ["head", 1], ["shadow", 1]]]


def test_what_the_whole_roster_demands_comes_along_once() -> None:
    ruleset = game(
        """
        game: {forces: [{id: patrol, name: Patrol}]}
        army:
          entries:
            - id: king
              name: King
              entries:
                - id: leader
                  name: Leader
                  constraints: [{id: leaders, bound: min, value: 0, query: {scope: roster, deep: true}}]
                  modifiers: [{change: set, field: leaders, value: "1"}]
                - id: crown
                  name: Crown
                  constraints: [{id: crowns, bound: min, value: 0, query: {scope: parent}}]
                  modifiers: [{change: set, field: crowns, value: "1"}]
        """
    )
    assert filled(ruleset) == [["king", 1, ["leader", 1], ["crown", 1]]]


def test_a_minimum_that_modifiers_raise_is_by_need() -> None:
    ruleset = game(
        """
        game: {forces: [{id: patrol, name: Patrol}]}
        army:
          entries:
            - id: squad
              name: Squad
              entries:
                - id: trooper
                  name: Trooper
                  constraints: [{id: least, bound: min, value: 1, query: {scope: parent}}]
                  modifiers:
                    - change: set
                      field: least
                      value: "4"
                      guard: {conditions: [{operator: instanceOf, query: {scope: force, child_id: patrol}}]}
        """
    )
    assert filled(ruleset) == [["squad", 1, ["trooper", 4]]]


@pytest.mark.parametrize("scope", ["parent", "roster"])
def test_a_minimum_is_met_whatever_maximums_say_and_amounts_are_not(scope: str) -> None:
    ruleset = game(
        f"""
        game: {{forces: [{{id: patrol, name: Patrol}}]}}
        army:
          entries:
            - id: squad
              name: Squad
              entries:
                - id: flag
                  name: Flag
                  constraints:
                  - {{id: flags, bound: min, value: 2, query: {{scope: parent}}}}
                  - {{id: all flags, bound: max, value: 1, query: {{scope: {scope}}}}}
                - id: torch
                  name: Torch
                  default_amount: 3
                  constraints: [{{id: torches, bound: max, value: 1, query: {{scope: {scope}}}}}]
        """
    )
    assert filled(ruleset) == [["squad", 1, ["flag", 2], ["torch", 1]]]


NOTES = """
game:
  forces: [{id: patrol, name: Patrol}]
  categories: [{id: note, name: Note}]
army:
  entries:
    - id: readme
      name: Read me
      constraints: [&one {id: one, bound: min, value: 1, query: {scope: parent}}]
      modifiers:
        - change: set
          field: hidden
          value: "true"
          guard: {conditions: [{operator: atLeast, value: 1, query: {scope: parent, child_id: squad}}]}
      entries: [{id: box, name: Box}]
    - id: tome
      name: Tome
      hidden: true
      constraints: [{<<: *one, id: two}]
      modifiers:
        - change: set
          field: hidden
          value: "false"
          guard: {conditions: [{operator: instanceOf, query: {scope: parent, child_id: library}}]}
    - {id: plain, name: Plain, hidden: true, constraints: [{<<: *one, id: three}]}
    - {id: squad, name: Squad}
"""


def roots(roster: RosterTree) -> list[str]:
    return [root.entry_id for root in roster.forces[0].selections]


def test_what_was_chosen_stays_hidden_or_not() -> None:
    ruleset = game(NOTES)
    roster, force_id = started(ruleset, counting_ids())
    first = roster.forces[0].selections[0]
    for chosen in (edits.select(ruleset, roster, first.id, "box"), edits.set_number(ruleset, roster, first.id, 1)):
        taken = done(edits.select(ruleset, done(chosen).roster, force_id, "squad")).roster
        assert roots(taken) == ["readme", "squad"]
        assert [v.counted_id for v in evaluate(ruleset, taken).violations] == ["readme"]


def test_picks_of_one_force_may_hide_each_other() -> None:
    ruleset = game(NOTES.replace("{id: squad, name: Squad}", "{id: squad, name: Squad, constraints: [*one]}"))
    roster, _ = started(ruleset, counting_ids())
    assert roots(roster) == ["squad"]
    draft = Draft(ruleset, RosterTree(id="r"), counting_ids())
    draft.add_force("patrol", "army")
    assert roots(draft.build_roster()) == ["squad"]


def test_only_lists_of_battlescribe_come_with_what_is_hidden_for_good() -> None:
    ruleset = game(NOTES)
    for origin, expected in ((Origin.HERE, ["readme"]), (Origin.BATTLESCRIBE, ["readme", "plain"])):
        roster = copy_with(edits.create_roster(ruleset).roster, origin=origin)
        assert roots(done(edits.add_force(ruleset, roster, "patrol", "army")).roster) == expected


EITHER_OR = """
game: {forces: [{id: patrol, name: Patrol}]}
army:
  entries:
    - id: king
      name: King
      constraints: [{id: kings, bound: min, value: 1, query: {scope: parent}}]
      modifiers:
        - {change: set, field: kings, value: "0",
           guard: {conditions: [{operator: atLeast, value: 1, query: {scope: force, child_id: priest}}]}}
    - id: priest
      name: Priest
      constraints: [{id: priests, bound: min, value: 1, query: {scope: parent}}]
      modifiers:
        - {change: set, field: priests, value: "0",
           guard: {conditions: [{operator: atLeast, value: 1, query: {scope: force, child_id: king}}]}}
    - id: banner
      name: Banner
      constraints: [{id: banners, bound: min, value: 0, query: {scope: parent}}]
      modifiers:
        - {change: set, field: banners, value: "2",
           guard: {conditions: [{operator: atLeast, value: 1, query: {scope: force, child_id: king}}]}}
    - id: oath
      name: Oath
      constraints: [{id: oaths, bound: min, value: 1, query: {scope: parent}}]
      modifiers:
        - {change: set, field: oaths, value: "0",
           guard: {conditions: [{operator: lessThan, value: 5, query: {scope: force, child_id: king}}]}}
"""


def test_root_entries_come_along_one_after_the_other() -> None:
    # The king makes the priest optional and requires two banners. The oath is lowered from the start.
    ruleset = game(EITHER_OR)
    roster, _ = started(ruleset, counting_ids())
    assert roots(roster) == ["king", "banner", "banner", "oath"]
    draft = Draft(ruleset, RosterTree(id="r"), counting_ids())
    draft.add_force("patrol", "army")
    assert roots(draft.build_roster()) == roots(roster)


def test_what_a_later_default_hides_does_not_come_along() -> None:
    ruleset = game(
        """
        game: {forces: [{id: patrol, name: Patrol}]}
        army:
          entries:
            - id: tank
              name: Tank
              entries:
                - id: lens
                  name: Lens
                  constraints: &one [{id: one, bound: min, value: 1, query: {scope: parent}}]
                  modifiers: &unless_raw
                    - {change: set, field: hidden, value: "true",
                       guard: {conditions: [{operator: atLeast, value: 1, query: {scope: parent, child_id: raw}}]}}
                - id: guns
                  kind: group
                  name: Guns
                  default_id: gun
                  constraints: *one
                  modifiers: *unless_raw
                  entries: [{id: gun, name: Gun}, {id: cannon, name: Cannon}]
                - id: crew
                  kind: group
                  name: Crew
                  default_id: raw
                  constraints: *one
                  entries: [{id: raw, name: Raw}, {id: veteran, name: Veteran}]
        """
    )
    assert filled(ruleset) == [["tank", 1, ["raw", 1]]]


def test_what_came_along_goes_when_its_slot_is_hidden() -> None:
    ruleset = game(
        """
        game:
          categories: [{id: core, name: Core}, {id: elite, name: Elite}]
          forces:
            - id: patrol
              name: Patrol
              categories:
                - {id: core-link, target_id: core}
                - id: elite-link
                  target_id: elite
                  modifiers:
                    - {change: set, field: hidden, value: "true",
                       guard: {conditions: [{operator: atLeast, value: 1, query: {scope: force, child_id: squad}}]}}
        army:
          entries:
            - id: guard
              name: Guard
              categories: [{id: guard-elite, target_id: elite, primary: true}]
              constraints: [{id: one, bound: min, value: 1, query: {scope: parent}}]
            - {id: squad, name: Squad, categories: [{id: squad-core, target_id: core, primary: true}]}
        """
    )
    roster, force_id = started(ruleset, counting_ids())
    assert roots(roster) == ["guard"]
    assert roots(done(edits.select(ruleset, roster, force_id, "squad")).roster) == ["squad"]


def test_modifiers_change_how_many_come_along() -> None:
    ruleset = game(
        """
        game: {forces: [{id: patrol, name: Patrol}]}
        army:
          entries:
            - id: squad
              name: Squad
              entries:
                - {id: torch, name: Torch, default_amount: 1}
                - id: flag
                  name: Flag
                  modifiers:
                    - change: set
                      field: defaultAmount
                      value: "2"
                      guard: {conditions: [{operator: atLeast, value: 1, query: {scope: parent, child_id: torch}}]}
                - id: rope
                  name: Rope
                  default_amount: 3
                  modifiers: [{change: set, field: defaultAmount, value: "0"}]
                - id: lamp
                  name: Lamp
                  constraints: [{id: one-lamp, bound: max, value: 1, query: {scope: parent}}]
                  modifiers: [{change: increment, field: defaultAmount, value: "5"}]
        """
    )
    assert filled(ruleset)[0] == ["squad", 1, ["torch", 1], ["flag", 2], ["lamp", 1]]


def test_a_root_entry_comes_along_as_often_as_modifiers_say() -> None:
    ruleset = game(
        """
        game: {forces: [{id: patrol, name: Patrol}]}
        army:
          entries:
            - {id: scouts, name: Scouts, modifiers: [{change: set, field: defaultAmount, value: "2"}]}
            - {id: guns, name: Guns, default_amount: 1, modifiers: [{change: set, field: defaultAmount, value: "0"}]}
        """
    )
    roster, _ = started(ruleset, counting_ids())
    assert [selection.name for selection in roster.forces[0].selections] == ["Scouts", "Scouts"]


def test_a_maximum_below_minus_one_lets_none_come_along() -> None:
    ruleset = game(
        """
        game: {forces: [{id: patrol, name: Patrol}]}
        army:
          entries:
            - id: squad
              name: Squad
              entries:
                - {id: torch, name: Torch, default_amount: 1,
                   constraints: [{id: below, bound: max, value: -2, query: {scope: parent}}]}
                - {id: rope, name: Rope, default_amount: 1,
                   constraints: [{id: free, bound: max, value: -1, query: {scope: parent}}]}
        """
    )
    assert filled(ruleset) == [["squad", 1, ["rope", 1]]]


LIBERATORS = """
game: {forces: [{id: patrol, name: Patrol}]}
army:
  entries:
    - id: squad
      name: Squad
      type: unit
      entries:
        - id: warrior
          name: Warrior
          type: model
          default_stacks: [1, 1, 3]
          constraints: [{id: five, bound: min, value: 5, query: {scope: parent}}]
          entries:
            - {id: leader, name: Leader, default_stacks: [1, 0, 0]}
            - {id: axe, name: Axe, default_stacks: [0, 1, 0]}
            - id: arms
              kind: group
              name: Arms
              entries: [{id: sword, name: Sword, default_stacks: [1, 0, 1]}]
            - {id: shield, name: Shield, default_amount: 1}
            - {id: horn, name: Horn, default_stacks: [0, 1]}
"""


def test_each_stack_of_a_new_unit_starts_with_its_own_options() -> None:
    trooper = ["warrior", 1, ["sword", 1], ["shield", 1]]
    assert filled(game(LIBERATORS)) == [
        [
            "squad",
            1,
            ["warrior", 1, ["leader", 1], ["sword", 1], ["shield", 1]],
            ["warrior", 1, ["axe", 1], ["shield", 1], ["horn", 1]],
            *[trooper] * 3,
        ]
    ]


def test_a_model_added_later_is_like_those_of_the_largest_stack() -> None:
    ruleset, ids = game(LIBERATORS), counting_ids()
    roster, force_id = started(ruleset, ids)
    added = done(edits.select(ruleset, roster, force_id, "squad", ids=ids))
    # More than the stacks hold, and one more by hand.
    roster = done(edits.select(ruleset, added.roster, added.created[0], "warrior", ids=ids)).roster
    squad = roster.forces[0].selections[0]
    assert [[part.name for part in model.selections] for model in squad.selections] == [
        ["Leader", "Sword", "Shield"],
        ["Axe", "Shield", "Horn"],
        *[["Sword", "Shield"]] * 4,
    ]


def test_a_minimum_above_the_stacks_adds_to_the_largest() -> None:
    ruleset = game(LIBERATORS.replace("value: 5", "value: 6").replace("[1, 1, 3]", "[2, 1]"))
    (squad,) = filled(ruleset)
    assert [[part[0] for part in model[2:]] for model in squad[2:]] == [
        *[["leader", "sword", "shield"]] * 2,
        ["axe", "shield", "horn"],
        *[["leader", "sword", "shield"]] * 3,
    ]


def test_a_list_in_models_without_stacks_is_a_sum_within_its_limits() -> None:
    # Data also gives such a list to models without stacks, and lets a limit keep it to one in the unit.
    one = "constraints: [{id: one, bound: max, value: 1, query: {scope: unit, deep: true}}]"
    text = LIBERATORS.replace("default_stacks: [1, 1, 3]", "step: 1")
    ruleset = game(text.replace("default_stacks: [1, 0, 0]", f"default_stacks: [1, 0, 0], {one}"))
    (squad,) = filled(ruleset)
    assert [[part[0] for part in model[2:]].count("leader") for model in squad[2:]] == [1, 0, 0, 0, 0]


def test_no_stacks_come_along_with_a_detachment() -> None:
    ruleset = game(
        """
        game: {forces: [{id: patrol, name: Patrol}]}
        army: {entries: [{id: speeders, name: Speeders, default_stacks: [1, 3]}]}
        """
    )
    roster, _ = started(ruleset, counting_ids())
    assert roster.forces[0].selections == ()
