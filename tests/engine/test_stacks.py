"""Stacks: equal selections of a unit are counted and changed together."""

from functools import partial
from itertools import count

import pytest

from catalogue.graph.ruleset import Ruleset
from roster.engine import edits
from roster.engine.edits import IdSource, Refused
from roster.engine.evaluate import evaluate
from roster.engine.evaluation import Evaluation
from roster.engine.offers import list_offers
from roster.engine.stacks import group_equal, index_equal, list_equal_places, repeat_edit, set_stack_number, split_off
from roster.engine.tree import RosterTree, Selection, copy_with, find_path, replace_node
from tests.engine.games import done, game, started

PUNT = """
game:
  cost_types: [{id: pts, name: points, default_limit: 100}]
  categories: [{id: core, name: Core}]
  forces: [{id: patrol, name: Patrol, categories: [{id: s, target_id: core}]}]
army:
  entries:
    - id: squad
      name: Squad
      type: unit
      categories: [{id: c, target_id: core, primary: true}]
      entries:
        - id: trooper
          name: Trooper
          type: model
          constraints: [{id: least, bound: min, value: 3, query: {scope: parent}}]
          entries:
            - {id: pistol, name: Pistol, constraints: [{id: one, bound: min, value: 1, query: {scope: parent}}]}
            - id: lance
              name: Lance
              costs: [{type_id: pts, value: 2}]
              constraints: [{id: two, bound: max, value: 2, query: {scope: squad, deep: true}}]
            - id: arm
              name: Arm
              constraints: [{id: arms, bound: max, value: 2, query: {scope: parent}}]
              entries: [{id: claw, name: Claw, costs: [{type_id: pts, value: 1}]}]
"""


@pytest.fixture(scope="module")
def ruleset() -> Ruleset:
    return game(PUNT)


@pytest.fixture
def ids() -> IdSource:
    numbers = count(1)
    return lambda: f"n{next(numbers)}"


@pytest.fixture
def squad(ruleset: Ruleset, ids: IdSource) -> tuple[RosterTree, Selection]:
    roster, force = started(ruleset, ids)
    edited = done(edits.select(ruleset, roster, force, "squad", ids=ids))
    return edited.roster, find(edited.roster, edited.created[0])


def find(roster: RosterTree, node_id: str) -> Selection:
    node = find_path(roster, node_id)[-1]
    assert isinstance(node, Selection)
    return node


def stacks(roster: RosterTree, unit_id: str, apart: str = "") -> list[int]:
    groups = group_equal(find(roster, unit_id).selections, index_equal(roster, apart))
    return [sum(member.number for member in group) for group in groups]


def take_in_all(ruleset: Ruleset, roster: RosterTree, node_id: str, entry_id: str, ids: IdSource) -> RosterTree:
    keys = index_equal(roster)
    edited = done(edits.select(ruleset, roster, node_id, entry_id, ids=ids))
    return repeat_edit(roster, edited, node_id, list_equal_places(roster, node_id, keys), keys, ids).roster


class TestEqual:
    def test_siblings_that_hold_the_same_are_counted_together(self, squad: tuple[RosterTree, Selection]) -> None:
        roster, unit = squad
        assert stacks(roster, unit.id) == [3]

    def test_a_number_counts_as_so_many(self, squad: tuple[RosterTree, Selection]) -> None:
        roster, unit = squad
        first, *others = unit.selections
        roster = replace_node(
            find_path(roster, unit.id), copy_with(unit, selections=(copy_with(first, number=4), *others))
        )
        assert stacks(roster, unit.id) == [6]

    @pytest.mark.parametrize("texts", [{"custom_name": "Ned"}, {"notes": "limps"}])
    def test_what_has_words_of_its_own_is_apart(self, squad: tuple[RosterTree, Selection], texts: dict) -> None:
        roster, unit = squad
        roster = done(edits.set_texts(roster, unit.selections[1].id, **texts)).roster
        assert stacks(roster, unit.id) == [2, 1]

    def test_a_name_far_inside_tells_apart(self, squad: tuple[RosterTree, Selection]) -> None:
        roster, unit = squad
        pistol = unit.selections[2].selections[0]
        roster = done(edits.set_texts(roster, pistol.id, custom_name="Old Faithful")).roster
        assert stacks(roster, unit.id) == [2, 1]

    def test_other_contents_tell_apart_until_they_are_the_same_again(
        self, ruleset: Ruleset, squad: tuple[RosterTree, Selection], ids: IdSource
    ) -> None:
        roster, unit = squad
        armed = done(edits.select(ruleset, roster, unit.selections[0].id, "lance", ids=ids))
        assert stacks(armed.roster, unit.id) == [1, 2]
        back = done(edits.remove_one(armed.roster, armed.created[0]))
        assert stacks(back.roster, unit.id) == [3]

    def test_the_order_inside_does_not_matter(
        self, ruleset: Ruleset, squad: tuple[RosterTree, Selection], ids: IdSource
    ) -> None:
        roster, unit = squad
        for member, entries in zip(unit.selections, [("lance", "arm"), ("arm", "lance")], strict=False):
            for entry in entries:
                roster = done(edits.select(ruleset, roster, member.id, entry, ids=ids)).roster
        assert stacks(roster, unit.id) == [2, 1]


class TestRepeated:
    def test_an_option_for_all(self, ruleset: Ruleset, squad: tuple[RosterTree, Selection], ids: IdSource) -> None:
        roster, unit = squad
        after = take_in_all(ruleset, roster, unit.selections[1].id, "lance", ids)
        assert stacks(after, unit.id) == [3]
        assert sum(cost.value for cost in evaluate(ruleset, after).costs) == 6

    def test_ids_of_what_stays_are_kept_and_new_ones_differ(
        self, ruleset: Ruleset, squad: tuple[RosterTree, Selection], ids: IdSource
    ) -> None:
        roster, unit = squad
        after = take_in_all(ruleset, roster, unit.selections[0].id, "arm", ids)
        members = find(after, unit.id).selections
        assert [member.id for member in members] == [member.id for member in unit.selections]
        assert [m.selections[0].id for m in members] == [m.selections[0].id for m in unit.selections]
        assert len({m.selections[1].id for m in members}) == 3

    def test_inside_equal_ones_inside_equal_ones(
        self, ruleset: Ruleset, squad: tuple[RosterTree, Selection], ids: IdSource
    ) -> None:
        roster, unit = squad
        roster = take_in_all(ruleset, roster, unit.selections[0].id, "arm", ids)
        roster = take_in_all(ruleset, roster, unit.selections[0].id, "arm", ids)
        arm = find(roster, unit.selections[1].id).selections[-1]
        after = take_in_all(ruleset, roster, arm.id, "claw", ids)
        assert sum(cost.value for cost in evaluate(ruleset, after).costs) == 6
        assert stacks(after, unit.id) == [3]

    def test_what_is_apart_is_left_alone(
        self, ruleset: Ruleset, squad: tuple[RosterTree, Selection], ids: IdSource
    ) -> None:
        roster, unit = squad
        keys = index_equal(roster, unit.selections[2].id)
        places = list_equal_places(roster, unit.selections[0].id, keys)
        assert places == tuple(member.id for member in unit.selections[:2])

    def test_nothing_is_equal_to_what_is_not_there(self, squad: tuple[RosterTree, Selection]) -> None:
        roster, _ = squad
        assert list_equal_places(roster, "nobody", index_equal(roster)) == ()


class TestNumbers:
    def test_more_are_equal_and_the_newest_go_first(
        self, ruleset: Ruleset, squad: tuple[RosterTree, Selection], ids: IdSource
    ) -> None:
        roster, unit = squad
        roster = take_in_all(ruleset, roster, unit.selections[0].id, "lance", ids)
        first = unit.selections[0].id
        more = done(set_stack_number(ruleset, roster, first, 5, ids=ids)).roster
        assert stacks(more, unit.id) == [5]
        fewer = done(set_stack_number(ruleset, more, first, 2, ids=ids)).roster
        assert [member.id for member in find(fewer, unit.id).selections] == [m.id for m in unit.selections[:2]]

    def test_only_the_stack_changes(self, ruleset: Ruleset, squad: tuple[RosterTree, Selection], ids: IdSource) -> None:
        roster, unit = squad
        roster = done(edits.select(ruleset, roster, unit.selections[1].id, "lance", ids=ids)).roster
        after = done(set_stack_number(ruleset, roster, unit.selections[0].id, 4, ids=ids)).roster
        assert stacks(after, unit.id) == [4, 1]

    def test_nothing_is_left_at_zero(self, ruleset: Ruleset, squad: tuple[RosterTree, Selection]) -> None:
        roster, unit = squad
        after = done(set_stack_number(ruleset, roster, unit.selections[0].id, 0)).roster
        assert find(after, unit.id).selections == ()

    def test_a_selection_with_a_number_grows(self, ruleset: Ruleset, squad: tuple[RosterTree, Selection]) -> None:
        roster, unit = squad
        first = unit.selections[0]
        roster = replace_node(find_path(roster, unit.id), copy_with(unit, selections=(copy_with(first, number=3),)))
        after = done(set_stack_number(ruleset, roster, first.id, 5)).roster
        assert [member.number for member in find(after, unit.id).selections] == [5]

    @pytest.mark.parametrize("number", [-1, 10_000])
    def test_no_such_number(self, ruleset: Ruleset, squad: tuple[RosterTree, Selection], number: int) -> None:
        roster, unit = squad
        refused = set_stack_number(ruleset, roster, unit.selections[0].id, number)
        assert isinstance(refused, Refused)
        assert refused.code == "bad-number"


class TestSplitting:
    def test_the_last_one_is_split_off_and_the_list_stays(
        self, ruleset: Ruleset, squad: tuple[RosterTree, Selection]
    ) -> None:
        roster, unit = squad
        edited = done(split_off(roster, unit.selections[0].id))
        assert edited.created == (unit.selections[-1].id,)
        assert edited.roster == roster
        assert stacks(roster, unit.id, edited.created[0]) == [2, 1]

    def test_one_of_a_number_becomes_a_selection(
        self, ruleset: Ruleset, squad: tuple[RosterTree, Selection], ids: IdSource
    ) -> None:
        roster, unit = squad
        first = unit.selections[0]
        roster = replace_node(find_path(roster, unit.id), copy_with(unit, selections=(copy_with(first, number=3),)))
        edited = done(split_off(roster, first.id, ids=ids))
        kept, single = find(edited.roster, unit.id).selections
        assert (kept.id, kept.number, single.number) == (first.id, 2, 1)
        assert edited.created == (single.id,)
        before, after = (evaluate(ruleset, tree, tree=False) for tree in (roster, edited.roster))
        assert before == after

    def test_one_alone_is_refused(self, ruleset: Ruleset, squad: tuple[RosterTree, Selection]) -> None:
        roster, unit = squad
        pistol = unit.selections[0].selections[0]
        for node_id, code in (
            (unit.id, "nothing-to-split"),
            (pistol.id, "nothing-to-split"),
            ("nobody", "unknown-node"),
        ):
            refused = split_off(roster, node_id)
            assert isinstance(refused, Refused)
            assert refused.code == code


class TestOffers:
    def test_what_all_of_a_stack_would_break(self, ruleset: Ruleset, squad: tuple[RosterTree, Selection]) -> None:
        roster, unit = squad
        first = unit.selections[0].id
        offer = partial(list_offers, Evaluation(ruleset, roster), first)
        single = {option.entry_id: option for option in offer().options}
        whole = {option.entry_id: option for option in offer({first: 3}).options}
        assert single["lance"].blocked is None
        assert (whole["lance"].blocked.measured, whole["lance"].blocked.allowed) == (3, 2)
        assert whole["arm"].blocked is None, "two in each are allowed, however many there are"
        assert [cost.value for cost in whole["lance"].costs] == [6]
