"""Starting, finding, copying and deleting lists; ownership; an unchangeable history."""

import re
from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.http import HttpRequest

from catalogue.definitions.entries import NO_LIMIT
from catalogue.definitions.numbers import Number
from catalogue.models import PackVersion
from catalogue.services.rulesets import MAX_KEPT, forget_rulesets
from roster.engine.edits import Refused
from roster.models import Roster, RosterRevision
from roster.models.roster import AppendOnlyError
from roster.services.changes import AddDetachment
from roster.services.edits import edit_roster
from roster.services.evaluation import evaluate_list, evaluate_roster, hash_document
from roster.services.limits import clean_text
from roster.services.organize import delete_for_good, move_to_bin, select_lists
from roster.services.outcomes import SavedEdit
from roster.services.owners import NOBODY, SESSION_KEY, Visitor, get_guest_key, identify_visitor, make_owner
from roster.services.rosters import (
    copy_roster,
    find_owned_roster,
    find_roster,
    list_rosters,
    start_roster,
    store_roster,
)
from roster.services.rulesets import load_ruleset
from tests.roster.small_game import installed

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


@pytest.fixture
def version() -> PackVersion:
    return installed()


@pytest.fixture
def roster(version: PackVersion) -> Roster:
    made = start_roster(Visitor(key="owner"), version, "marsh", "Low water")
    assert isinstance(made, Roster)
    return made


# ---- starting ----------------------------------------------------------------------------------------------------


def test_a_list_starts_empty_with_the_limits_of_its_game(roster: Roster) -> None:
    assert roster.tree.name == roster.name == "Low water"
    assert [(limit.type_id, limit.value) for limit in roster.tree.limits] == [("points", 100)]
    assert (roster.head, roster.last, roster.points) == (1, 1, "0")
    assert not roster.can_undo
    assert not roster.can_redo


def test_its_address_cannot_be_guessed(roster: Roster, version: PackVersion) -> None:
    other = start_roster(Visitor(key="owner"), version, "marsh")
    assert isinstance(other, Roster)
    assert re.fullmatch(r"[A-Za-z0-9_-]{22}", roster.public_id)
    assert other.public_id != roster.public_id


def test_the_start_is_its_first_revision(roster: Roster) -> None:
    (first,) = roster.revisions.all()
    assert (first.number, first.parent, first.act) == (1, 0, "start")
    assert first.document == roster.document
    assert first.content_hash == hash_document(roster.document)
    assert first.tree == roster.tree


def test_limits_can_be_given(version: PackVersion) -> None:
    made = start_roster(Visitor(key="owner"), version, "marsh", limits={"points": Decimal("7.5"), "rations": 3})
    assert isinstance(made, Roster)
    assert {limit.type_id: limit.value for limit in made.tree.limits} == {"points": Decimal("7.5"), "rations": 3}


@pytest.mark.parametrize(
    ("faction", "name", "limits", "code"),
    [
        ("nobody", "", {}, "unknown-faction"),
        ("", "", {}, "unknown-faction"),
        ("fenland", "", {}, "unknown-faction"),
        ("marsh", "x" * 101, {}, "too-long"),
        ("marsh", "", {"pints": 3}, "unknown-cost-type"),
    ],
)
def test_what_cannot_be_started(
    version: PackVersion, faction: str, name: str, limits: dict[str, int], code: str
) -> None:
    refused = start_roster(Visitor(key="owner"), version, faction, name, limits)
    assert isinstance(refused, Refused)
    assert refused.code == code
    assert not Roster.objects.exists()


def test_a_name_holds_nothing_that_nobody_sees(version: PackVersion) -> None:
    made = start_roster(Visitor(key="owner"), version, "marsh", " Low\x00\twater \u202e\x1b[31m")
    assert isinstance(made, Roster)
    assert made.name == "Low water [31m"


def test_notes_keep_their_lines() -> None:
    assert clean_text("a\r\nb\x07\n", lines=True) == "a\nb"


# ---- the player of a file ----------------------------------------------------------------------------------------


def test_only_its_owner_gets_it_to_edit(roster: Roster) -> None:
    assert find_owned_roster(roster.public_id, Visitor(key="owner")) == roster
    for stranger in (Visitor(key="somebody"), NOBODY, Visitor(user_id=1, is_staff=True)):
        with pytest.raises(Roster.DoesNotExist):
            find_owned_roster(roster.public_id, stranger)


def test_an_example_has_no_owner(roster: Roster) -> None:
    Roster.objects.update(owner_key="")
    with pytest.raises(Roster.DoesNotExist):
        find_owned_roster(roster.public_id, NOBODY)
    assert find_roster(roster.public_id) == roster


@pytest.mark.parametrize("public_id", ["", "x", "a" * 22, "a" * 21 + "\x00", "../../../../../../etc/p", "é" * 22])
def test_a_wrong_address_finds_nothing(public_id: str) -> None:
    with pytest.raises(Roster.DoesNotExist):
        find_roster(public_id)


def test_a_session_owns_what_it_started(version: PackVersion) -> None:
    request = HttpRequest()
    request.user, request.session = AnonymousUser(), SessionStore()
    assert identify_visitor(request) == NOBODY
    assert not list_rosters(identify_visitor(request)).exists()
    owner = make_owner(request)
    assert make_owner(request) == owner == identify_visitor(request)
    assert str(request.session[SESSION_KEY]) not in owner.key
    made = start_roster(owner, version, "marsh")
    assert list(list_rosters(owner)) == [made]


@pytest.mark.parametrize("secret", [5, None, ["x"], ""])
def test_a_tampered_session_owns_nothing(secret: object) -> None:
    assert get_guest_key({SESSION_KEY: secret}) == ""


def test_one_query_lists_any_number_of_them(
    roster: Roster, version: PackVersion, django_assert_num_queries: object
) -> None:
    for number in range(3):
        with django_assert_num_queries(1):
            assert [str(r.version.game) for r in list_rosters(Visitor(key="owner"))] == ["Fenland"] * (number + 1)
        start_roster(Visitor(key="owner"), version, "marsh")


# ---- copying, keeping, deleting ----------------------------------------------------------------------------------


def test_a_copy_has_an_owner_and_a_past_of_its_own(roster: Roster) -> None:
    copy = copy_roster(roster, Visitor(key="other"), "My own")
    assert isinstance(copy, Roster)
    assert (copy.name, copy.owner_key, copy.head) == ("My own", "other", 1)
    assert copy.tree.limits == roster.tree.limits
    assert copy.revisions.get().act == "copy"
    assert roster.revisions.count() == 1


def test_copies_by_others_are_counted(roster: Roster) -> None:
    unchanged = (roster.updated, roster.head, roster.document)
    copies = [copy_roster(roster, Visitor(key=key)) for key in ("other", "owner", "another")]
    roster.refresh_from_db()
    assert roster.times_copied == 2
    assert (roster.updated, roster.head, roster.document) == unchanged
    assert [copy.times_copied for copy in copies if isinstance(copy, Roster)] == [0, 0, 0]


def test_a_copy_that_was_refused_is_not_counted(roster: Roster, settings: Any) -> None:
    quotas = settings.ARMYBUILDER["QUOTAS"]
    full = {**quotas["guest"], "things": 0}
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "QUOTAS": {**quotas, "guest": full}}
    assert isinstance(copy_roster(roster, Visitor(key="other")), Refused)
    roster.refresh_from_db()
    assert roster.times_copied == 0


def test_a_whole_list_can_be_kept(roster: Roster, version: PackVersion) -> None:
    kept = store_roster(Visitor(key="owner"), version, "marsh", roster.tree)
    assert isinstance(kept, Roster)
    assert kept.tree == roster.tree


def test_deleting_a_list_takes_its_past_along(roster: Roster) -> None:
    owner = Visitor(key="owner")
    assert move_to_bin(select_lists(owner, [roster.public_id])) == 1
    assert delete_for_good(select_lists(owner, [roster.public_id], binned=True)) == 1
    assert not Roster.objects.exists()
    assert not RosterRevision.objects.exists()


# ---- history -----------------------------------------------------------------------------------------------------


def test_revisions_are_never_changed(roster: Roster) -> None:
    first = roster.revisions.get()
    first.document = "{}"
    for attempt in (
        first.save,
        first.delete,
        lambda: RosterRevision.objects.update(document="{}"),
        lambda: RosterRevision.objects.all().delete(),
        lambda: roster.revisions.all().delete(),
        lambda: RosterRevision.objects.bulk_update([first], ["document"]),
        lambda: RosterRevision.objects.update_or_create({"document": "{}"}, pk=first.pk),
    ):
        with pytest.raises(AppendOnlyError):
            attempt()
    assert roster.revisions.get().document == roster.document


# ---- judging -----------------------------------------------------------------------------------------------------


def test_judging_a_document_and_a_stored_list_agree(roster: Roster, version: PackVersion) -> None:
    edited = edit_roster(roster, 1, AddDetachment(entry="column"))
    assert isinstance(edited, SavedEdit)
    stored = evaluate_roster(roster)
    assert stored.report == evaluate_list(version, "marsh", roster.document).report == edited.evaluated_list.report
    assert stored.points is not None
    assert (stored.points.type_id, stored.points.limit) == ("points", 100)
    assert stored.books["fen-book"].name == "Fen Book"


def test_rulesets_are_compiled_once_and_bounded(version: PackVersion) -> None:
    forget_rulesets()
    community = PackVersion(source=PackVersion.Source.BATTLESCRIBE, pk=version.pk, content_hash="a copy")
    first = load_ruleset(community, "marsh")
    assert load_ruleset(community, "marsh") is first
    for number in range(MAX_KEPT):
        load_ruleset(community, f"nobody-{number}")
    assert load_ruleset(community, "marsh") is not first


def test_a_pack_is_compiled_whole(version: PackVersion) -> None:
    marsh = load_ruleset(version, "marsh")
    assert load_ruleset(version, "weir") is marsh
    assert {"marsh", "weir"} <= {catalogue.id for catalogue in marsh.data.catalogues}


# ---- names -------------------------------------------------------------------------------------------------------


def test_new_lists_and_copies_have_names_that_tell_them_apart() -> None:
    owner, version = Visitor(key="owner"), installed()

    def start(limits: dict[str, Number] | None = None, name: str = "") -> Roster:
        roster = start_roster(owner, version, "marsh", name, limits)
        assert isinstance(roster, Roster)
        return roster

    assert [start({"points": 500}).name for _ in range(3)] == [
        "Marsh Folk 500",
        "Marsh Folk 500 (2)",
        "Marsh Folk 500 (3)",
    ]
    assert start({"points": NO_LIMIT}).name == "Marsh Folk"
    assert [start(name="Low water").name for _ in range(2)] == ["Low water", "Low water"]
    low = start(name="Waking legion")
    copies = [copy_roster(low, owner), copy_roster(low, owner), copy_roster(low, owner, "Dry legion")]
    assert [copy.name for copy in copies if isinstance(copy, Roster)] == [
        "Waking legion (copy)",
        "Waking legion (copy) (2)",
        "Dry legion",
    ]
    other = copy_roster(low, Visitor(key="somebody else"))
    assert isinstance(other, Roster)
    assert other.name == "Waking legion"
    assert other.tree.name == "Waking legion"


def test_a_name_has_room_for_what_tells_it_apart() -> None:
    owner, version = Visitor(key="owner"), installed()
    low = start_roster(owner, version, "marsh", "x" * 100)
    assert isinstance(low, Roster)
    names = {copy.name for copy in (copy_roster(low, owner) for _ in range(3)) if isinstance(copy, Roster)}
    assert len(names) == 3
    assert {len(name) for name in names} == {100}
