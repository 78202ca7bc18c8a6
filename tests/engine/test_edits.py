"""Edits return a new roster or a reason, and never change the old one."""

import pytest

from catalogue.graph.ruleset import Ruleset
from roster.engine import edits
from roster.engine.edits import EditedRoster, IdSource, Refused
from roster.engine.evaluate import evaluate
from roster.engine.new_selections import generate_id
from roster.engine.tree import Force, RosterTree, Selection, copy_with, find_path
from tests.engine.games import WORKSHOP, counting_ids, done, game, started
from tests.engine.spec_reader import ruleset_of


@pytest.fixture(scope="module")
def ruleset() -> Ruleset:
    return game(WORKSHOP)


@pytest.fixture
def ids() -> IdSource:
    return counting_ids()


def shape(selections: tuple[Selection, ...]) -> list[object]:
    return [[s.entry_id, s.number, *shape(s.selections)] for s in selections]


def taken(ruleset: Ruleset, ids: IdSource, entry_id: str) -> tuple[RosterTree, Selection]:
    roster, force = started(ruleset, ids)
    edited = done(edits.select(ruleset, roster, force, entry_id, ids=ids))
    selection = find_path(edited.roster, edited.created[0])[-1]
    assert isinstance(selection, Selection)
    return edited.roster, selection


class TestRosters:
    def test_new_one_has_the_games_limits_and_those_given(self, ruleset: Ruleset) -> None:
        roster = edits.create_roster(ruleset, "Mine", limits={"slots": 3}).roster
        assert {limit.type_id: limit.value for limit in roster.limits} == {"pts": 100, "slots": 3}

    def test_a_limit_below_zero_is_none(self, ruleset: Ruleset) -> None:
        assert edits.create_roster(ruleset, limits={"pts": -1}).roster.limits == ()

    def test_ids_are_short_and_differ(self) -> None:
        made = {generate_id() for _ in range(1000)}
        assert len(made) == 1000
        assert max(map(len, made)) <= 16


class TestForces:
    def test_inner_force_stands_inside_its_parent(self, ruleset: Ruleset, ids: IdSource) -> None:
        roster, force = started(ruleset, ids)
        edited = done(edits.add_force(ruleset, roster, "wing", "army", force, ids=ids))
        assert [inner.id for inner in edited.roster.forces[0].forces] == list(edited.created)

    @pytest.mark.parametrize(
        ("force_entry", "catalogue", "parent", "code"),
        [
            ("horde", "army", "", "unknown-force-entry"),
            ("patrol", "aliens", "", "unknown-catalogue"),
            ("patrol", "army", "nobody", "unknown-node"),
        ],
    )
    def test_unknown_is_refused(
        self, ruleset: Ruleset, force_entry: str, catalogue: str, parent: str, code: str
    ) -> None:
        refused = edits.add_force(ruleset, RosterTree(id="r"), force_entry, catalogue, parent)
        assert isinstance(refused, Refused)
        assert refused.code == code

    def test_copy_comes_last_with_ids_of_its_own(self, ruleset: Ruleset, ids: IdSource) -> None:
        roster, _ = taken(ruleset, ids, "captain")
        edited = done(edits.duplicate_force(ruleset, roster, roster.forces[0].id, ids=ids))
        first, second = edited.roster.forces
        assert second.id == edited.created[0] != first.id
        assert shape(first.selections) == shape(second.selections)
        assert first.selections[0].id != second.selections[0].id

    def test_removed_with_everything_inside(self, ruleset: Ruleset, ids: IdSource) -> None:
        roster, _ = taken(ruleset, ids, "captain")
        assert done(edits.remove_force(roster, roster.forces[0].id)).roster.forces == ()

    def test_a_selection_is_no_force(self, ruleset: Ruleset, ids: IdSource) -> None:
        roster, selection = taken(ruleset, ids, "captain")
        assert isinstance(edits.remove_force(roster, selection.id), Refused)
        assert isinstance(edits.duplicate_force(ruleset, roster, selection.id), Refused)
        assert isinstance(edits.change_force(ruleset, roster, selection.id, "patrol"), Refused)


class TestSelecting:
    def test_brings_minimums_and_defaults(self, ruleset: Ruleset, ids: IdSource) -> None:
        _, captain = taken(ruleset, ids, "captain")
        assert shape((captain,)) == [["captain", 1, ["l-sword::sword", 1]]]
        _, squad = taken(ruleset, ids, "squad")
        assert shape((squad,)) == [["squad", 1, ["trooper", 3]]]

    def test_names_what_it_was_called(self, ruleset: Ruleset, ids: IdSource) -> None:
        _, captain = taken(ruleset, ids, "captain")
        assert (captain.name, captain.selections[0].name) == ("Captain", "Sword")
        assert captain.selections[0].group_id == "arms"

    @pytest.mark.parametrize("entry_id", ["l-sword::sword", "l-sword", "sword"])
    def test_by_composite_link_or_target_id(self, ruleset: Ruleset, ids: IdSource, entry_id: str) -> None:
        roster, captain = taken(ruleset, ids, "captain")
        edited = done(edits.select(ruleset, roster, captain.id, entry_id, ids=ids))
        assert edited.roster.forces[0].selections[0].selections[0].number == 2

    def test_counts_up_what_has_no_choices(self, ruleset: Ruleset, ids: IdSource) -> None:
        roster, squad = taken(ruleset, ids, "squad")
        edited = done(edits.select(ruleset, roster, squad.id, "trooper", ids=ids))
        assert edited.created == (squad.selections[0].id,)
        assert shape(edited.roster.forces[0].selections) == [["squad", 1, ["trooper", 4]]]

    def test_makes_new_what_has_choices(self, ruleset: Ruleset, ids: IdSource) -> None:
        roster, squad = taken(ruleset, ids, "squad")
        for _ in range(2):
            roster = done(edits.select(ruleset, roster, squad.id, "sergeant", ids=ids)).roster
        inside = roster.forces[0].selections[0].selections
        assert [s.entry_id for s in inside] == ["trooper", "sergeant", "sergeant"]

    @pytest.mark.parametrize("entry_id", ["nothing", "axe", "", "::"])
    def test_what_is_not_there_is_refused(self, ruleset: Ruleset, ids: IdSource, entry_id: str) -> None:
        roster, force = started(ruleset, ids)
        refused = edits.select(ruleset, roster, force, entry_id, ids=ids)
        assert refused == Refused(code="unknown-entry", subject_id=entry_id)

    def test_what_may_not_be_taken_is_for_the_verdict(self, ruleset: Ruleset, ids: IdSource) -> None:
        roster, force = started(ruleset, ids)
        for entry_id in ("secret", "captain", "captain"):
            roster = done(edits.select(ruleset, roster, force, entry_id, ids=ids)).roster
        assert len(roster.forces[0].selections) == 3

    def test_keeps_every_cost_type_ever_seen(self, ruleset: Ruleset, ids: IdSource) -> None:
        roster, squad = taken(ruleset, ids, "squad")
        assert roster.cost_types == ("pts",)
        assert done(edits.remove_one(roster, squad.id)).roster.cost_types == ("pts",)


class TestNumbers:
    def test_one_less_then_gone(self, ruleset: Ruleset, ids: IdSource) -> None:
        roster, squad = taken(ruleset, ids, "squad")
        trooper = squad.selections[0].id
        for left in (2, 1, 0):
            roster = done(edits.remove_one(roster, trooper)).roster
            inside = roster.forces[0].selections[0].selections
            assert sum(s.number for s in inside) == left

    @pytest.mark.parametrize("number", [-1, 10_000])
    def test_out_of_range_is_refused(self, ruleset: Ruleset, ids: IdSource, number: int) -> None:
        roster, squad = taken(ruleset, ids, "squad")
        refused = edits.set_number(ruleset, roster, squad.id, number)
        assert refused == Refused(code="bad-number", subject_id=squad.id, measured=number, allowed=9999)

    def test_zero_removes(self, ruleset: Ruleset, ids: IdSource) -> None:
        roster, squad = taken(ruleset, ids, "squad")
        assert done(edits.set_number(ruleset, roster, squad.id, 0)).roster.forces[0].selections == ()


class TestOrder:
    def test_copy_of_a_selection_comes_last(self, ruleset: Ruleset, ids: IdSource) -> None:
        roster, captain = taken(ruleset, ids, "captain")
        roster = done(edits.select(ruleset, roster, roster.forces[0].id, "guard", ids=ids)).roster
        roster = done(edits.duplicate_selection(ruleset, roster, captain.id, ids=ids)).roster
        assert [s.entry_id for s in roster.forces[0].selections] == ["captain", "guard", "captain"]

    @pytest.mark.parametrize(("position", "order"), [(0, "cab"), (1, "acb"), (2, "abc"), (99, "abc")])
    def test_moved_among_siblings(self, position: int, order: str) -> None:
        row = tuple(Selection(id=letter, entry_id=letter) for letter in "abc")
        roster = RosterTree(id="r", forces=(Force(id="f", entry_id="x", catalogue_id="y", selections=row),))
        moved = done(edits.move(roster, "c", position)).roster
        assert "".join(s.id for s in moved.forces[0].selections) == order

    def test_forces_move_too(self) -> None:
        forces = tuple(Force(id=letter, entry_id="x", catalogue_id="y") for letter in "ab")
        moved = done(edits.move(RosterTree(id="r", forces=forces), "b", 0)).roster
        assert [force.id for force in moved.forces] == ["b", "a"]

    def test_before_the_first_is_refused(self) -> None:
        roster = RosterTree(id="r", forces=(Force(id="f", entry_id="x", catalogue_id="y"),))
        assert isinstance(edits.move(roster, "f", -1), Refused)


class TestLimitsAndTexts:
    def test_limit_is_set_changed_and_lifted(self, ruleset: Ruleset) -> None:
        roster = edits.create_roster(ruleset).roster
        roster = done(edits.set_limit(ruleset, roster, "pts", 75)).roster
        assert [limit.value for limit in roster.limits] == [75]
        assert done(edits.set_limit(ruleset, roster, "pts", None)).roster.limits == ()

    def test_unknown_cost_type_is_refused(self, ruleset: Ruleset) -> None:
        refused = edits.set_limit(ruleset, RosterTree(id="r"), "gold", 1)
        assert refused == Refused(code="unknown-cost-type", subject_id="gold")

    def test_texts_stay_where_none_is_given(self, ruleset: Ruleset, ids: IdSource) -> None:
        roster, captain = taken(ruleset, ids, "captain")
        roster = done(edits.set_texts(roster, captain.id, custom_name="Ann")).roster
        roster = done(edits.set_texts(roster, captain.id, notes="brave")).roster
        named = roster.forces[0].selections[0]
        assert (named.custom_name, named.notes) == ("Ann", "brave")

    def test_category_of_a_force(self, ruleset: Ruleset, ids: IdSource) -> None:
        roster, force = started(ruleset, ids)
        for name in ("Bosses", "Chiefs"):
            roster = done(edits.set_texts(roster, force, custom_name=name, category_id="hq")).roster
        assert [(n.category_id, n.custom_name) for n in roster.forces[0].category_notes] == [("hq", "Chiefs")]

    def test_roster_itself(self) -> None:
        roster = done(edits.set_texts(RosterTree(id="r"), "", custom_name="Spring", notes="league")).roster
        assert (roster.name, roster.notes) == ("Spring", "league")


def test_nothing_is_done_to_what_is_not_there(ruleset: Ruleset) -> None:
    roster = RosterTree(id="r")
    refusals = [
        edits.remove_force(roster, "x"),
        edits.change_force(ruleset, roster, "x", "patrol"),
        edits.duplicate_force(ruleset, roster, "x"),
        edits.select(ruleset, roster, "x", "captain"),
        edits.remove_one(roster, "x"),
        edits.set_number(ruleset, roster, "x", 2),
        edits.duplicate_selection(ruleset, roster, "x"),
        edits.move(roster, "x", 0),
        edits.set_texts(roster, "x", notes="!"),
    ]
    assert refusals == [Refused(code="unknown-node", subject_id="x")] * len(refusals)


def test_selections_are_not_nested_for_ever(ruleset: Ruleset) -> None:
    selection = Selection(id="deepest", entry_id="squad")
    for number in range(150):
        selection = copy_with(selection, id=f"s{number}", selections=(selection,))
    force = Force(id="f", entry_id="patrol", catalogue_id="army", selections=(selection,))
    refused = edits.select(ruleset, RosterTree(id="r", forces=(force,)), "deepest", "trooper")
    assert isinstance(refused, Refused)
    assert refused.code == "too-deep"


def test_a_cycle_of_required_entries_ends() -> None:
    ruleset = game(
        """
        game: {forces: [{id: patrol, name: Patrol}]}
        army:
          shared_entries:
            - id: egg
              name: Egg
              entries: [{id: to-hen, kind: entry-link, target_id: hen, constraints: &one
                [{id: one, bound: min, value: 1, query: {scope: parent}}]}]
            - id: hen
              name: Hen
              entries: [{id: to-egg, kind: entry-link, target_id: egg, constraints: *one}]
          entries: [{id: start, kind: entry-link, target_id: egg}]
        """
    )
    ids = counting_ids()
    roster, force = started(ruleset, ids)
    edited = done(edits.select(ruleset, roster, force, "start", ids=ids))
    assert shape(edited.roster.forces[0].selections) == [["start::egg", 1, ["start::to-hen::hen", 1]]]
    assert [d.code for d in ruleset.diagnostics] == ["cyclic-link"]


def test_required_entries_are_not_made_without_end() -> None:
    ruleset = game(
        """
        game: {forces: [{id: patrol, name: Patrol}]}
        army:
          entries:
            - id: swarm
              name: Swarm
              entries:
                - id: bee
                  name: Bee
                  constraints: [{id: many, bound: min, value: 1000000, query: {scope: parent}}]
                  entries: [{id: sting, name: Sting}]
        """
    )
    ids = counting_ids()
    roster, force = started(ruleset, ids)
    edited = done(edits.select(ruleset, roster, force, "swarm", ids=ids))
    assert isinstance(edited, EditedRoster)
    assert len(edited.roster.forces[0].selections[0].selections) == 500


def test_what_a_link_itself_holds_is_reached_without_it() -> None:
    ruleset = ruleset_of(
        {
            "game": {"forces": [{"id": "patrol", "name": "Patrol"}]},
            "army": {
                "shared_entries": [
                    {"id": "captain", "name": "Captain"},
                    {"id": "sword", "name": "Sword", "entries": [{"id": "gem", "name": "Gem"}]},
                ],
                "entries": [
                    {
                        "id": "hero",
                        "kind": "entry-link",
                        "target_id": "captain",
                        "entries": [{"id": "blade", "kind": "entry-link", "target_id": "sword"}],
                    }
                ],
            },
        }
    )
    edited = done(edits.add_force(ruleset, RosterTree(id="r"), "patrol", "army"))
    for entry in ("hero", "blade", "gem"):
        edited = done(edits.select(ruleset, edited.roster, edited.created[0], entry))
    assert shape(edited.roster.forces[0].selections) == [["hero::captain", 1, ["blade::sword", 1, ["blade::gem", 1]]]]
    assert not evaluate(ruleset, edited.roster).violations
