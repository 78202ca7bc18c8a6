"""Data versions: installing one changes no list, previews store nothing, owners move lists when they want."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from catalogue.models import GameSystem, PackVersion, Release
from catalogue.services.releases import find_published_on, list_published_versions, publish_version
from roster.engine.compare import DifferenceKind
from roster.engine.edits import Refused
from roster.engine.report import Verdict
from roster.models import Roster
from roster.services.changes import AddDetachment, AddUnit, TakeNamesake, read_change
from roster.services.deeds import DeedKind, propose_deeds
from roster.services.edits import edit_roster, redo_edit, restore_revision, undo_edit
from roster.services.evaluation import evaluate_list
from roster.services.outcomes import Conflict, ConflictingRevision, SavedEdit
from roster.services.owners import Visitor
from roster.services.rosters import find_roster, start_roster
from roster.services.upgrade_data import find_version, find_version_on, list_versions, preview_upgrade, upgrade_list
from tests.roster.small_game import installed
from tests.roster.small_game_update import later, new_ids, without_marsh

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


@pytest.fixture
def roster() -> Roster:
    """A legal list of version 1.0: a warden, cutters, crew and giants."""
    made = start_roster(Visitor(key="owner"), installed(), "marsh", "Low water")
    assert isinstance(made, Roster)
    assert isinstance(edit_roster(made, 1, AddDetachment(entry="column")), SavedEdit)
    column = made.tree.forces[0].id
    for unit in ("warden", "cutters", "crew", "giants"):
        assert isinstance(edit_roster(made, made.head, AddUnit(node=column, entry=unit)), SavedEdit)
    return made


def stored() -> list[Any]:
    return [*Roster.objects.values(), Roster.objects.get().revisions.count()]


def test_new_data_changes_no_list(roster: Roster) -> None:
    before = stored()
    new = later()
    assert GameSystem.objects.get().current == new
    assert stored() == before
    assert find_roster(roster.public_id).version.label == "1.0"


def test_a_preview_says_what_would_be_and_stores_nothing(roster: Roster) -> None:
    new, before = later(), stored()
    would = preview_upgrade(roster, new)
    assert would.comparison.missing == ("Giants",)
    assert [(unit.name, unit.before, unit.after) for unit in would.repriced] == [("Punt Crew", 4, 9)]
    assert [(d.kind, d.before, d.name) for d in would.comparison.differences] == [
        (DifferenceKind.RENAMED, "Crew", "Punt Crew")
    ]
    assert would.comparison.verdicts == (Verdict.LEGAL, Verdict.ILLEGAL)
    assert [cost.more for cost in would.comparison.costs if cost.type_id == "points"] == [-16]
    assert [violation.code for violation in would.comparison.new] == ["unknown-entry"]
    assert stored() == before


def test_moving_is_a_revision_that_undo_takes_back(roster: Roster) -> None:
    new, old, document = later(), roster.version, roster.document
    head = roster.head
    assert isinstance(upgrade_list(roster, head, new), SavedEdit)
    again = find_roster(roster.public_id)
    assert (again.version, again.head, again.verdict, again.points) == (new, head + 1, "illegal", "39")
    assert [unit.name for unit in again.tree.forces[0].selections][2:] == ["Punt Crew", "Giants"]
    last = again.revisions.get(number=again.head)
    assert (last.act, last.subject, last.version) == ("move-data", "2.0", new)
    assert isinstance(undo_edit(again, again.head), SavedEdit)
    assert (find_roster(roster.public_id).version, again.document, again.verdict) == (old, document, "legal")
    assert isinstance(redo_edit(again, again.head), SavedEdit)
    assert find_roster(roster.public_id).version == new
    assert isinstance(restore_revision(again, again.head, head), SavedEdit)
    assert (again.version, again.document) == (old, document)


def test_a_stale_edit_by_older_data_is_kept_even_if_the_document_is_the_same() -> None:
    made = start_roster(Visitor(key="owner"), installed(), "marsh", "Low water")
    assert isinstance(made, Roster)
    rename = read_change({"do": "rename", "node": "", "text": "High water"})
    assert not isinstance(rename, Refused)
    old = made.version
    assert isinstance(edit_roster(made, 1, rename), SavedEdit)
    renamed = made.document
    assert isinstance(upgrade_list(made, 2, later()), SavedEdit)
    assert made.document == renamed
    kept = edit_roster(made, 1, rename)
    assert isinstance(kept, ConflictingRevision)
    beside = made.revisions.get(number=kept.number)
    assert (beside.document, beside.version) == (renamed, old)


def test_a_move_takes_the_entry_of_the_same_name_where_an_id_is_another(roster: Roster) -> None:
    new, document = new_ids(), roster.document
    would = preview_upgrade(roster, new)
    assert would.comparison.missing == ("Crew", "Giants")
    assert [(namesake.was, namesake.name, namesake.unit) for namesake in would.namesakes] == [
        ("Crew", "CREW", ""),
        ("Sailor", "Sailor", "CREW"),
        ("Sailor", "Sailor", "CREW"),
    ]
    assert would.mended is Verdict.ILLEGAL, "nothing is called as Giants were"
    assert isinstance(upgrade_list(roster, roster.head, new, mend=True), SavedEdit)
    again = find_roster(roster.public_id)
    units = again.tree.forces[0].selections
    assert [(unit.entry_id, unit.name) for unit in units][2:] == [("crew-2", "CREW"), ("giants", "Giants")]
    assert {inner.entry_id for inner in units[2].selections} == {"sailor-2"}
    assert [v.code for v in preview_upgrade(again, roster.version).comparison.before.evaluated_list.report.errors] == [
        "unknown-entry"
    ]
    assert isinstance(undo_edit(again, again.head), SavedEdit)
    assert again.document == document


def test_a_list_that_was_moved_before_is_mended_by_a_deed(roster: Roster) -> None:
    assert isinstance(upgrade_list(roster, roster.head, new_ids()), SavedEdit)
    judged = evaluate_list(roster.version, roster.faction_id, roster.tree)
    deeds = [deed for found in propose_deeds(judged).values() for deed in found if deed.kind is DeedKind.REPLACE]
    assert [(deed.name, deed.unit) for deed in deeds] == [("CREW", "")]
    change = read_change(deeds[0].fields)
    assert isinstance(change, TakeNamesake)
    assert isinstance(edit_roster(roster, roster.head, change), SavedEdit)
    assert roster.tree.forces[0].selections[2].entry_id == "crew-2"
    outcome = edit_roster(roster, roster.head, change)
    assert isinstance(outcome, Refused)
    assert outcome.code == "no-namesake"


def test_an_edit_after_the_move_is_by_the_new_data(roster: Roster) -> None:
    assert isinstance(upgrade_list(roster, roster.head, later()), SavedEdit)
    edited = edit_roster(roster, roster.head, AddUnit(node=roster.tree.forces[0].id, entry="crew"))
    assert isinstance(edited, SavedEdit)
    assert roster.points == "48"
    assert roster.revisions.get(number=roster.head).version.label == "2.0"


def test_a_version_without_the_faction_is_refused(roster: Roster) -> None:
    new, before = without_marsh(), stored()
    refused = upgrade_list(roster, roster.head, new)
    assert refused == Refused(code="unknown-faction", subject_id="marsh")
    assert preview_upgrade(roster, new).comparison.missing
    assert stored() == before


def test_moving_to_where_it_is_is_refused_and_a_stale_page_is_a_conflict(roster: Roster) -> None:
    assert upgrade_list(roster, roster.head, roster.version) == Refused(code="same-version")
    stale = upgrade_list(roster, roster.head - 1, later())
    assert stale == Conflict(made_on=roster.head - 1, head=roster.head)


def test_old_versions_stay_on_offer_and_held_ones_are_not_yet(roster: Roster) -> None:
    old, new = roster.version, later(hold=True)
    assert GameSystem.objects.get().current == old
    assert list(old.game.versions.filter(releases=None)) == [new]
    assert list_versions(roster) == [old]
    assert find_version(roster, new.short_hash) is None
    publish_version(new)
    fresh = find_roster(roster.public_id)
    assert list_versions(fresh) == [new, old]
    assert find_version(fresh, old.short_hash) == old
    assert not new.game.versions.filter(releases=None).exists()


def test_the_first_data_of_a_game_is_published_even_when_held() -> None:
    new = later(hold=True)
    assert GameSystem.objects.get().current == new


def test_installing_a_held_version_again_without_holding_publishes_it(roster: Roster) -> None:
    held_version = later(hold=True)
    assert later() == held_version
    assert GameSystem.objects.get().current == held_version


def backdated(version: PackVersion, day: date) -> None:
    moment = datetime(day.year, day.month, day.day, 12, tzinfo=UTC)
    Release.objects.filter(version=version).update(since=moment)


def test_which_version_was_current_on_a_day(roster: Roster) -> None:
    old, new = roster.version, later()
    backdated(old, date(2026, 3, 1))
    backdated(new, date(2026, 5, 1))
    game = old.game
    first = date(2026, 3, 1)
    assert find_published_on(game, first - timedelta(days=1)) is None
    for day, version in ((first, old), (date(2026, 4, 30), old), (date(2026, 5, 1), new)):
        assert find_version_on(roster, day) == version
    assert [
        (one.version, one.since.date(), one.current) for one in list_published_versions(GameSystem.objects.get())
    ] == [(new, date(2026, 5, 1), True), (old, first, False)]


def test_a_version_that_is_current_again_is_released_again(roster: Roster) -> None:
    old = roster.version
    later()
    assert installed() == old
    assert [release.version for release in Release.objects.order_by("pk")].count(old) == 2
    assert [one.version for one in list_published_versions(GameSystem.objects.get())] == [old, later_one()]


def later_one() -> PackVersion:
    return PackVersion.objects.get(label="2.0")
