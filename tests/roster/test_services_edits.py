"""Editing a stored list: changes, refusals, conflicts, undo and redo."""

import threading
import time
from collections.abc import Mapping
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from roster.engine.edits import Refused
from roster.engine.evaluate import build_report
from roster.engine.report import Verdict
from roster.engine.tree import Force, Selection
from roster.models import Roster
from roster.services import limits
from roster.services.changes import Change, read_change
from roster.services.edits import (
    edit_roster,
    keep_current,
    redo_edit,
    restore_revision,
    take_conflicting_revision,
    undo_edit,
)
from roster.services.outcomes import Conflict, ConflictingRevision, Outcome, SavedEdit
from roster.services.owners import Visitor
from roster.services.rosters import find_roster, start_roster
from tests.extent import QUICK
from tests.roster.small_game import installed

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


class Desk:
    """A list and a user who always edits the current revision."""

    def __init__(self) -> None:
        made = start_roster(Visitor(key="owner"), installed(), "marsh", "Low water")
        assert isinstance(made, Roster)
        self.roster = made

    def ask(self, **fields: Any) -> Outcome:
        change = read_change({name.rstrip("_"): value for name, value in fields.items()})
        assert not isinstance(change, Refused), fields
        return edit_roster(self.roster, self.roster.head, change)

    def do(self, **fields: Any) -> SavedEdit:
        outcome = self.ask(**fields)
        assert isinstance(outcome, SavedEdit), outcome
        stored = find_roster(self.roster.public_id)
        assert stored.tree == self.roster.tree == outcome.evaluated_list.tree
        assert (stored.head, stored.points) == (self.roster.head, self.roster.points)
        return outcome

    def refused(self, **fields: Any) -> Refused:
        before = Roster.objects.values().get(), self.roster.revisions.count()
        outcome = self.ask(**fields)
        assert isinstance(outcome, Refused), outcome
        assert (Roster.objects.values().get(), self.roster.revisions.count()) == before
        return outcome

    def unit(self, entry: str) -> str:
        return self.do(do="add-unit", node=self.column.id, entry=entry).created[0]

    @property
    def column(self) -> Force:
        return self.roster.tree.forces[0]

    def inside(self, node: str) -> dict[str, int]:
        found: dict[str, int] = {}
        for selection in self.node(node).selections:
            found[selection.entry_id] = found.get(selection.entry_id, 0) + selection.number
        return found

    def node(self, node: str) -> Selection:
        return next(s for s in self.column.selections if s.id == node)


@pytest.fixture
def desk() -> Desk:
    desk = Desk()
    desk.do(do="add-detachment", entry="column")
    return desk


# ---- changes -----------------------------------------------------------------------------------------------------


def test_detachments_come_double_nest_and_go(desk: Desk) -> None:
    second = desk.do(do="duplicate-detachment", node=desk.column.id).created[0]
    nested = desk.do(do="add-detachment", entry="escort", catalogue="weir", node=second).created[0]
    assert [f.id for f in desk.roster.tree.forces[1].forces] == [nested]
    desk.do(do="remove-detachment", node=second)
    assert len(desk.roster.tree.forces) == 1


def test_units_come_with_what_belongs_to_them(desk: Desk) -> None:
    warden = desk.unit("warden")
    assert desk.inside(warden) == {"sabre": 1}
    double = desk.do(do="duplicate-unit", node=warden).created[0]
    assert desk.inside(double) == {"sabre": 1}
    desk.do(do="remove", node=warden)
    assert [s.id for s in desk.column.selections] == [double]
    assert desk.roster.points == "20"


def test_points_are_exact(desk: Desk) -> None:
    warden = desk.unit("warden")
    desk.do(do="toggle", node=warden, entry="lamp")
    assert desk.roster.points == "22.5"


def test_numbers_of_what_is_there(desk: Desk) -> None:
    cutters = desk.unit("cutters")
    model = desk.node(cutters).selections[0]
    desk.do(do="set-number", node=model.id, number=7)
    assert desk.inside(cutters) == {"cutter": 7}
    desk.do(do="set-number", node=model.id, number="0")
    assert desk.inside(cutters) == {}


@pytest.mark.parametrize("number", [0, 1, 3, 7])
def test_numbers_of_what_is_on_offer(desk: Desk, number: int) -> None:
    cutters, crew = desk.unit("cutters"), desk.unit("crew")
    desk.do(do="set-number", node=cutters, entry="cutter", number=number)
    desk.do(do="set-number", node=crew, entry="sailor", number=number)
    assert desk.inside(cutters).get("cutter", 0) == number
    assert desk.inside(crew).get("sailor", 0) == number
    assert len(desk.node(crew).selections) == number, "models with choices of their own stay apart"
    assert len(desk.node(cutters).selections) == min(number, 1)
    desk.do(do="set-number", node=crew, entry="sailor", number=2)
    assert desk.inside(crew) == {"sailor": 2}


def test_ticks(desk: Desk) -> None:
    warden = desk.unit("warden")
    for on, there in (("", True), ("", False), ("true", True), ("true", True), ("false", False), ("false", False)):
        desk.do(do="toggle", node=warden, entry="lamp", **({"on": on} if on else {}))
        assert ("lamp" in desk.inside(warden)) is there


def test_radio_buttons_replace(desk: Desk) -> None:
    warden = desk.unit("warden")
    before = desk.roster.head
    desk.do(do="choose", node=warden, group="arms", entry="pistol")
    assert desk.inside(warden) == {"pistol": 1}
    assert desk.roster.head == before + 1, "one choice is one revision"
    desk.do(do="choose", node=warden, group="arms", entry="pistol")
    assert desk.inside(warden) == {"pistol": 1}
    desk.do(do="choose", node=warden, group="arms", entry="")
    assert desk.inside(warden) == {}


def test_names_and_notes(desk: Desk) -> None:
    warden = desk.unit("warden")
    desk.do(do="rename", node=warden, text="  Anna\tof  the Locks ")
    desk.do(do="notes", node=warden, text="Two\r\nlines\x00")
    assert (desk.node(warden).custom_name, desk.node(warden).notes) == ("Anna of the Locks", "Two\nlines")
    desk.do(do="rename", text="High water")
    assert (desk.roster.name, desk.roster.tree.name) == ("High water", "High water")
    desk.do(do="notes", text="for Sunday")
    assert desk.roster.tree.notes == "for Sunday"
    desk.do(do="notes", node=desk.column.id, category="core", text="wet feet")
    assert desk.column.category_notes[0].notes == "wet feet"


def test_who_plays_and_where(desk: Desk) -> None:
    desk.do(do="occasion", player=" Anna\tReed ", event="Low Water Cup")
    tree = desk.roster.tree
    assert (tree.player, tree.event) == ("Anna Reed", "Low Water Cup")
    refused = desk.ask(do="occasion", player="x" * 101)
    assert isinstance(refused, Refused)
    assert refused.code == "too-long"
    assert desk.roster.tree == tree


def acts(desk: Desk) -> list[str]:
    return list(desk.roster.revisions.order_by("number").values_list("act", flat=True))


def test_all_that_is_written_on_a_list_in_one_form(desk: Desk) -> None:
    form = {"name": "High water", "notes": "for Sunday", "player": "Anna", "event": "Cup", "limit:points": "90"}
    desk.do(do="describe", node="", rules="", **form)
    tree = desk.roster.tree
    assert (desk.roster.name, tree.notes, tree.player, tree.event) == ("High water", "for Sunday", "Anna", "Cup")
    assert [limit.value for limit in tree.limits] == [90]
    assert acts(desk)[-1] == "describe"


def test_what_a_form_does_not_name_stays_and_the_history_says_what_changed(desk: Desk) -> None:
    desk.do(do="describe", name="High water", player="Anna", event="Cup")
    desk.do(do="describe", event="Low Water Cup")
    assert (desk.roster.name, desk.roster.tree.player, desk.roster.tree.event) == (
        "High water",
        "Anna",
        "Low Water Cup",
    )
    desk.do(do="describe", name="High water", notes="for Sunday")
    assert acts(desk)[-3:] == ["describe", "occasion", "notes"]
    warden = desk.unit("warden")
    desk.do(do="describe", node=warden, name="Anna", notes="old")
    assert (desk.node(warden).custom_name, desk.node(warden).notes) == ("Anna", "old")


def test_nothing_of_a_form_with_a_mistake_is_kept(desk: Desk) -> None:
    fields = {"name": "High water", "limit:points": "many"}
    assert desk.refused(do="describe", **fields).code == "bad-number"
    assert desk.refused(do="describe", name="High water", rules="nonsense").code == "unknown-rules"


def test_what_changes_nothing_is_no_step(desk: Desk) -> None:
    desk.do(do="describe", **{"limit:points": "90"})
    before = desk.roster.head
    desk.do(do="describe", name=desk.roster.name, notes="", player="", **{"limit:points": "90"})
    desk.do(do="set-limit", type="points", value="90")
    assert desk.roster.head == before


def test_who_leads(desk: Desk) -> None:
    warden = desk.unit("warden")
    desk.do(do="leader", node=warden)
    assert desk.column.leader_id == warden
    desk.do(do="leader", node=warden, on="false")
    assert desk.column.leader_id == ""
    for node in ("nobody", desk.column.id, ""):
        refused = desk.ask(do="leader", node=node)
        assert isinstance(refused, Refused)
        assert refused.code == "unknown-node"


def test_limits(desk: Desk) -> None:
    desk.unit("warden")
    desk.do(do="set-limit", type="points", value="19.5")
    assert (desk.roster.verdict, desk.roster.violations) == (Verdict.ILLEGAL, 1)
    desk.do(do="set-limit", type="points", value="")
    assert (desk.roster.verdict, desk.roster.violations) == (Verdict.LEGAL, 0)


def test_order(desk: Desk) -> None:
    first, second = desk.unit("crew"), desk.unit("crew")
    desk.do(do="move", node=second, position=0)
    assert [s.id for s in desk.column.selections] == [second, first]


def test_the_summary_follows(desk: Desk) -> None:
    assert desk.roster.verdict == Verdict.INCOMPLETE
    desk.unit("warden")
    assert desk.roster.verdict == Verdict.LEGAL
    desk.unit("giants")
    assert (desk.roster.verdict, desk.roster.violations, desk.roster.points) == (Verdict.INCOMPLETE, 1, "41")


# ---- refusals ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"do": "add-detachment", "entry": "host"}, "unknown-force-entry"),
        ({"do": "add-detachment", "entry": "column", "catalogue": "nobody"}, "unknown-catalogue"),
        ({"do": "add-detachment", "entry": "column", "node": "nowhere"}, "unknown-node"),
        ({"do": "remove-detachment", "node": "nowhere"}, "unknown-node"),
        ({"do": "remove-detachment", "node": "UNIT"}, "unknown-node"),
        ({"do": "duplicate-detachment", "node": ""}, "unknown-node"),
        ({"do": "add-unit", "node": "nowhere", "entry": "warden"}, "unknown-node"),
        ({"do": "add-unit", "node": "COLUMN", "entry": "dragon"}, "unknown-entry"),
        ({"do": "add-unit", "node": "COLUMN", "entry": ""}, "unknown-entry"),
        ({"do": "remove", "node": "COLUMN"}, "unknown-node"),
        ({"do": "remove", "node": ""}, "unknown-node"),
        ({"do": "duplicate-unit", "node": "nowhere"}, "unknown-node"),
        ({"do": "set-number", "node": "UNIT", "number": -1}, "bad-number"),
        ({"do": "set-number", "node": "UNIT", "number": 10**30}, "bad-number"),
        ({"do": "set-number", "node": "nowhere", "number": 1}, "unknown-node"),
        ({"do": "set-number", "node": "UNIT", "entry": "dragon", "number": 1}, "unknown-entry"),
        ({"do": "set-number", "node": "nowhere", "entry": "lamp", "number": 1}, "unknown-node"),
        ({"do": "set-number", "node": "CREW", "entry": "sailor", "number": 900}, "bad-number"),
        ({"do": "choose", "node": "nowhere", "group": "arms", "entry": "sabre"}, "unknown-node"),
        ({"do": "choose", "node": "UNIT", "group": "legs", "entry": "sabre"}, "unknown-group"),
        ({"do": "choose", "node": "UNIT", "group": "arms", "entry": "lamp"}, "unknown-entry"),
        ({"do": "toggle", "node": "UNIT", "entry": "dragon"}, "unknown-entry"),
        ({"do": "toggle", "node": "UNIT", "entry": "dragon", "on": "false"}, "unknown-entry"),
        ({"do": "toggle", "node": "nowhere", "entry": "lamp", "on": "false"}, "unknown-node"),
        ({"do": "rename", "node": "nowhere", "text": "x"}, "unknown-node"),
        ({"do": "rename", "text": "x" * 101}, "too-long"),
        ({"do": "notes", "text": "x" * 2001}, "too-long"),
        ({"do": "set-limit", "type": "pints", "value": "3"}, "unknown-cost-type"),
        ({"do": "set-limit", "type": "points", "value": "-3"}, "bad-number"),
        ({"do": "set-limit", "type": "points", "value": "1e999999"}, "bad-number"),
        ({"do": "set-limit", "type": "points", "value": "NaN"}, "bad-number"),
        ({"do": "move", "node": "nowhere", "position": 0}, "unknown-node"),
        ({"do": "move", "node": "UNIT", "position": -1}, "bad-number"),
    ],
)
def test_what_cannot_be_done_changes_nothing(desk: Desk, fields: dict[str, Any], code: str) -> None:
    places = {"COLUMN": desk.column.id, "UNIT": desk.unit("warden"), "CREW": desk.unit("crew")}
    fields = {**fields, **{k: places[v] for k, v in fields.items() if isinstance(v, str) and v in places}}
    assert desk.refused(**fields).code == code


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"do": "fly"},
        {"do": ["rename"]},
        {"do": "rename"},
        {"do": "rename", "text": ["x"]},
        {"do": "set-number", "node": "x", "number": "many"},
        {"do": "set-number", "node": "x", "number": "1.5"},
        {"do": "set-number", "node": "x", "number": None},
        {"do": "set-number", "node": "x", "number": "9" * 5000},
        {"do": "toggle", "node": "x", "entry": "y", "on": "perhaps"},
        {"do": "add-unit", "node": "x" * 5000, "entry": "y"},
        {"do": "move", "node": "x", "position": {}},
    ],
)
def test_a_tampered_form_is_no_change(fields: dict[str, Any]) -> None:
    refused = read_change(fields)
    assert isinstance(refused, Refused)
    assert refused.code == "bad-change"


def test_other_fields_of_a_form_are_left_alone() -> None:
    assert not isinstance(
        read_change({"do": "rename", "text": "x", "csrfmiddlewaretoken": "y", "revision": "3"}), Refused
    )


def test_an_edit_that_takes_too_long_to_judge_changes_nothing(desk: Desk, settings: Any) -> None:
    usual = settings.ARMYBUILDER
    detachment = desk.do(do="add-detachment", entry="column").created[0]
    settings.ARMYBUILDER = {**usual, "JUDGING_SECONDS": {"guest": 0, "account": 10}}
    assert desk.refused(do="add-unit", node=detachment, entry="warden").code == "too-slow"
    # Lists of accounts may take longer.
    Roster.objects.update(owner=User.objects.create_user("member"), owner_key="")
    desk.roster.refresh_from_db()
    desk.do(do="add-unit", node=detachment, entry="warden")


def test_an_edited_list_is_asked_further_after_its_deadline(desk: Desk, settings: Any) -> None:
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "JUDGING_SECONDS": {"guest": 0.5, "account": 0.5}}
    edited = desk.do(do="add-detachment", entry="column")
    end = time.thread_time() + 0.5
    while time.thread_time() < end:
        pass
    build_report(edited.evaluated_list.evaluation, tree=True)


def test_a_list_has_at_most_so_many_detachments(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.unit("warden")
    have = len(desk.roster.tree.forces)
    monkeypatch.setattr(limits, "MAX_DETACHMENTS", have + 1)
    desk.do(do="add-detachment", entry="column")
    refused = desk.refused(do="add-detachment", entry="column")
    assert (refused.code, refused.measured, refused.allowed) == ("too-many-detachments", have + 2, have + 1)
    # A list that exceeds a newer bound can still be made smaller.
    monkeypatch.setattr(limits, "MAX_DETACHMENTS", have - 1)
    assert desk.refused(do="describe", node="", name="Another name").code == "too-many-detachments"
    desk.do(do="remove-detachment", node=desk.roster.tree.forces[-1].id)
    assert len(desk.roster.tree.forces) == have


def test_a_list_does_not_grow_without_end(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    warden = desk.unit("warden")
    monkeypatch.setattr(limits, "MAX_PARTS", 4)
    refused = desk.refused(do="duplicate-unit", node=warden)
    assert (refused.code, refused.measured, refused.allowed) == ("too-large", 5, 4)
    monkeypatch.setattr(limits, "MAX_PARTS", 40)
    monkeypatch.setattr(limits, "MAX_DOCUMENT_BYTES", 500)
    assert desk.refused(do="notes", node=warden, text="x" * 400).code == "too-long"


_TEXT = st.text(max_size=8) | st.sampled_from(["warden", "column", "arms", "lamp", "UNIT", "COLUMN", "points", ""])


@hypothesis_settings(max_examples=20 if QUICK else 150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.fixed_dictionaries(
        {"do": st.sampled_from([t.__struct_config__.tag for t in Change.__args__])},
        optional={
            name: _TEXT | st.integers() | st.none() | st.floats() | st.lists(st.integers(), max_size=2)
            for name in ("node", "entry", "group", "catalogue", "number", "position", "text", "type", "value", "on")
        },
    )
)
def test_no_form_whatever_raises(desk: Desk, fields: dict[str, Any]) -> None:
    places = {"COLUMN": desk.roster.tree.forces[0].id if desk.roster.tree.forces else "", "UNIT": "nowhere"}
    change = read_change({k: places.get(v, v) if isinstance(v, str) else v for k, v in fields.items()})
    if not isinstance(change, Refused):
        assert isinstance(edit_roster(desk.roster, desk.roster.head, change), SavedEdit | Refused)
        assert find_roster(desk.roster.public_id).tree == desk.roster.tree


# ---- two at once -------------------------------------------------------------------------------------------------


def test_the_second_edit_of_one_revision_is_kept_beside_the_list(desk: Desk) -> None:
    other = find_roster(desk.roster.public_id)
    head = other.head
    assert isinstance(edit_roster(desk.roster, head, _change(do="rename", text="Mine")), SavedEdit)
    for attempt in (other, find_roster(desk.roster.public_id)):
        aside = edit_roster(attempt, head, _change(do="rename", text="Yours"))
        assert isinstance(aside, ConflictingRevision)
        assert (aside.made_on, aside.head) == (head, head + 1)
        again = find_roster(desk.roster.public_id)
        assert (again.name, again.head, again.aside) == ("Mine", head + 1, aside.number)
        kept = again.revisions.get(number=aside.number)
        assert (kept.tree.name, kept.parent, kept.aside) == ("Yours", head, True)
    assert desk.roster.revisions.count() == head + 3


def test_a_change_made_aside_leaves_the_list_as_it_was_read(desk: Desk) -> None:
    other = find_roster(desk.roster.public_id)
    desk.do(do="rename", text="Mine")
    before = dict(vars(other), _state=None)
    assert isinstance(edit_roster(other, other.head, _change(do="rename", text="Yours")), ConflictingRevision)
    assert dict(vars(other), _state=None) == before


def test_the_same_change_twice_is_made_once(desk: Desk) -> None:
    head = desk.roster.head
    desk.do(do="rename", text="Mine")
    assert isinstance(edit_roster(desk.roster, head, _change(do="rename", text="Mine")), SavedEdit)
    assert desk.roster.revisions.count() == head + 1
    assert find_roster(desk.roster.public_id).aside == 0


def test_a_change_of_a_revision_that_never_was_is_a_conflict(desk: Desk) -> None:
    for revision in (0, 99):
        outcome = edit_roster(desk.roster, revision, _change(do="rename", text="Mine"))
        assert outcome == Conflict(made_on=revision, head=desk.roster.head)


def test_a_stale_change_that_cannot_be_made_is_refused(desk: Desk) -> None:
    desk.do(do="rename", text="Mine")
    outcome = edit_roster(desk.roster, 1, _change(do="remove", node="nothing"))
    assert isinstance(outcome, Refused)
    assert find_roster(desk.roster.public_id).aside == 0


def test_the_owner_keeps_the_list_or_takes_what_is_beside_it(desk: Desk) -> None:
    head = desk.roster.head
    desk.do(do="rename", text="Mine")
    for text in ("Yours", "Theirs"):
        aside = edit_roster(desk.roster, head, _change(do="rename", text=text))
        assert isinstance(aside, ConflictingRevision)
        roster = find_roster(desk.roster.public_id)
        assert not keep_current(roster, 1)
        assert not keep_current(roster, 0)
        if text == "Yours":
            assert keep_current(roster, aside.number)
            assert find_roster(roster.public_id).name == "Mine"
        else:
            assert isinstance(take_conflicting_revision(roster, roster.head, aside.number), SavedEdit)
            assert roster.name == find_roster(roster.public_id).name == "Theirs"
            assert isinstance(undo_edit(roster, roster.head), SavedEdit)
            assert roster.name == "Mine"
        assert find_roster(roster.public_id).aside == 0


def test_redo_goes_back_to_the_list_and_not_to_what_was_beside_it(desk: Desk) -> None:
    head = desk.roster.head
    desk.do(do="rename", text="Mine")
    assert isinstance(edit_roster(desk.roster, head, _change(do="rename", text="Yours")), ConflictingRevision)
    roster = find_roster(desk.roster.public_id)
    assert isinstance(undo_edit(roster, roster.head), SavedEdit)
    assert isinstance(redo_edit(roster, roster.head), SavedEdit)
    assert roster.name == "Mine"


@pytest.mark.parametrize("act", [undo_edit, redo_edit, lambda roster, revision: restore_revision(roster, revision, 1)])
def test_a_stale_page_cannot_undo_either(desk: Desk, act: Any) -> None:
    assert act(desk.roster, desk.roster.head - 1) == Conflict(made_on=desk.roster.head - 1, head=desk.roster.head)


@pytest.mark.django_db(transaction=True)
def test_of_edits_at_the_same_moment_one_is_made() -> None:
    desk = Desk()
    head, public_id = desk.roster.head, desk.roster.public_id
    ready, outcomes = threading.Barrier(4, timeout=60), list[Outcome]()

    def edit(name: str) -> None:
        roster = find_roster(public_id)
        ready.wait()
        try:
            outcomes.append(edit_roster(roster, head, _change(do="rename", text=name)))
        finally:
            connection.close()

    threads = [threading.Thread(target=edit, args=(f"Name {n}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(type(o).__name__ for o in outcomes) == [*["ConflictingRevision"] * 3, "SavedEdit"]
    assert desk.roster.revisions.count() == 5


def test_an_edit_asks_the_database_as_little_as_it_can(desk: Desk, django_assert_num_queries: Any) -> None:
    roster = find_roster(desk.roster.public_id)
    with django_assert_num_queries(5):  # base of the new revision, savepoint, list, revision, savepoint
        assert isinstance(edit_roster(roster, roster.head, _change(do="rename", text="x")), SavedEdit)


# ---- back and forth ----------------------------------------------------------------------------------------------


def test_an_undo_and_what_follows_ask_the_database_as_little_as_they_can(
    desk: Desk, django_assert_num_queries: Any, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        assert isinstance(desk.ask(do="rename", text="x"), SavedEdit)
    with django_assert_num_queries(3):  # undone revision, previous revision, list
        undone = undo_edit(desk.roster, desk.roster.head)
    assert isinstance(undone, SavedEdit)
    assert (undone.act, undone.subject) == ("rename", "")
    with django_assert_num_queries(0):
        assert desk.roster.can_redo
    with django_assert_num_queries(4):  # savepoint, list, revision, savepoint
        assert isinstance(desk.ask(do="rename", text="y"), SavedEdit)


def test_undo_and_redo_walk_over_the_revisions(desk: Desk) -> None:
    trees = [desk.roster.tree]
    for entry in ("warden", "crew", "giants"):
        desk.unit(entry)
        trees.append(desk.roster.tree)
    count = desk.roster.revisions.count()
    for tree in trees[-2::-1]:
        assert isinstance(undo_edit(desk.roster, desk.roster.head), SavedEdit)
        assert find_roster(desk.roster.public_id).tree == desk.roster.tree == tree
        assert desk.roster.can_redo
    for tree in trees[1:]:
        assert isinstance(redo_edit(desk.roster, desk.roster.head), SavedEdit)
        assert find_roster(desk.roster.public_id).tree == tree
    assert desk.roster.revisions.count() == count
    assert not desk.roster.can_redo
    assert redo_edit(desk.roster, desk.roster.head) == Refused(code="nothing-to-redo")


def test_there_is_nothing_before_the_start(desk: Desk) -> None:
    assert isinstance(undo_edit(desk.roster, desk.roster.head), SavedEdit)
    assert not desk.roster.can_undo
    assert undo_edit(desk.roster, desk.roster.head) == Refused(code="nothing-to-undo")


def test_an_edit_after_an_undo_grows_from_there(desk: Desk) -> None:
    desk.do(do="rename", text="One")
    one = desk.roster.head
    undo_edit(desk.roster, one)
    on = desk.roster.head
    desk.do(do="rename", text="Two")
    two = desk.roster.revisions.get(number=desk.roster.head)
    assert (two.number, two.parent) == (one + 1, on)
    assert not desk.roster.can_redo
    undo_edit(desk.roster, desk.roster.head)
    redo_edit(desk.roster, desk.roster.head)
    assert desk.roster.name == "Two", "the newest branch is the one that was left last"
    assert desk.roster.revisions.get(number=one).tree.name == "One", "the other one is still there"


def test_restoring_is_a_step_of_its_own(desk: Desk) -> None:
    desk.do(do="rename", text="One")
    before = desk.roster.head
    restored = restore_revision(desk.roster, before, 1)
    assert isinstance(restored, SavedEdit)
    assert (desk.roster.name, desk.roster.head, desk.roster.tree.forces) == ("Low water", before + 1, ())
    undo_edit(desk.roster, desk.roster.head)
    assert desk.roster.name == "One"


@pytest.mark.parametrize("number", [0, -1, 99, 10**30])
def test_restoring_what_never_was(desk: Desk, number: int) -> None:
    refused = restore_revision(desk.roster, desk.roster.head, number)
    assert isinstance(refused, Refused)
    assert refused.code == "unknown-revision"


def test_the_history_says_what_was_done(desk: Desk) -> None:
    warden = desk.unit("warden")
    desk.do(do="rename", node=warden, text="Anna")
    desk.do(do="remove", node=warden)
    history = [(r.act, r.subject) for r in desk.roster.revisions.all()]
    assert history == [
        ("remove", "Anna"),
        ("rename", "Anna"),
        ("add-unit", "Wärden"),
        ("add-detachment", "Column"),
        ("start", ""),
    ]


def _change(**fields: Any) -> Any:
    change = read_change(fields)
    assert not isinstance(change, Refused)
    return change


def test_changes_are_read_from_any_mapping() -> None:
    class Form(Mapping[str, str]):
        def __getitem__(self, key: str) -> str:
            return {"do": "rename", "text": "x"}[key]

        def __iter__(self) -> Any:
            return iter(("do", "text"))

        def __len__(self) -> int:
            return 2

    assert read_change(Form()) == _change(do="rename", text="x")
