"""Documents of old steps move to a file, and every step still reads the same."""

import json
import os
import random
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.storage import FileSystemStorage, default_storage
from django.core.management import CommandError, call_command
from django.db.models import QuerySet
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from catalogue.views.responses import lacks_files
from roster.models import RevisionName, Roster, RosterRevision
from roster.models import roster as roster_model
from roster.services import archive
from roster.services.accounts import delete_account, export_account_data
from roster.services.archive import archive_histories, archive_history, delete_lost_archives
from roster.services.backups import restore_backup, write_owner_backup
from roster.services.changes import read_change
from roster.services.edits import edit_roster, redo_edit, restore_revision, undo_edit
from roster.services.evaluation import hash_document
from roster.services.outcomes import Refused, SavedEdit
from roster.services.owners import Visitor
from roster.services.site_backup import restore_site_backup, write_site_backup
from roster.services.stored_files import read_file
from tests.homebrew.test_views import change_points
from tests.roster.views_cast import Owner, started_with_account

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]

FIRST_EIGHT = [1, 2, 3, 4, 5, 6, 7, 8]


@pytest.fixture(autouse=True)
def folder(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    settings.MEDIA_ROOT = tmp_path / "media"
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "ARCHIVE_HISTORIES_AFTER": 30}
    monkeypatch.setattr(archive, "KEPT_STEPS", 3)
    monkeypatch.setattr(archive, "LEAST_STEPS", 2)
    monkeypatch.setattr(roster_model, "WHOLE_EVERY", 4)
    return tmp_path / "media" / "histories"


def list_files(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*")) if path.is_file()]


def change(roster: Roster, **fields: str) -> None:
    assert isinstance(edit_roster(roster, roster.head, read_change(fields)), SavedEdit)


def rename(roster: Roster, *names: str) -> None:
    for name in names:
        change(roster, do="rename", node="", text=name)


def grow_old() -> None:
    Roster.objects.update(updated=timezone.now() - timedelta(days=40))


def read_documents(roster: Roster) -> dict[int, str]:
    return {row.number: row.document for row in Roster.objects.get(pk=roster.pk).revisions.all()}


def list_archived(roster: Roster) -> list[int]:
    return sorted(row.number for row in roster.revisions.all() if row.is_archived)


@contextmanager
def count_files(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Record the names of stored files that are opened."""
    opened: list[str] = []
    read = FileSystemStorage.open

    def open_file(storage: FileSystemStorage, name: str, mode: str = "rb") -> Any:
        opened.append(name)
        return read(storage, name, mode)

    with monkeypatch.context() as patch:
        patch.setattr(FileSystemStorage, "open", open_file)
        yield opened


@pytest.fixture
def owner() -> Owner:
    """A list of twelve steps, of which 1, 5 and 9 are stored whole. The first eight can be archived."""
    owner = started_with_account()
    rename(owner.roster, *(f"Name {number}" for number in range(9)))
    grow_old()
    return owner


def test_every_step_reads_the_same_after_random_edits(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    owner, chance = started_with_account(), random.Random(7)
    for _ in range(3):
        for number in range(14):
            roster = owner.roster
            match chance.randrange(6):
                case 0 if roster.can_undo:
                    undo_edit(roster, roster.head)
                case 1:
                    redo_edit(roster, roster.head)
                case 2:
                    restore_revision(roster, roster.head, chance.randint(2, roster.last))
                case 3 if roster.tree.forces:
                    change(roster, do="add-unit", node=roster.tree.forces[0].id, entry="warden")
                case _:
                    rename(roster, f"Name {chance.random()}")
            if number == 5:
                RevisionName.objects.get_or_create(revision=roster.revisions.first(), defaults={"name": "Kept"})
        before, stored = read_documents(roster), set(list_archived(roster))
        grow_old()
        assert archive_histories().lists == 1
        with count_files(monkeypatch) as opened:
            assert read_documents(roster) == before
        assert len(opened) == 1, "the archive is read once"
        rows = {row.number: row for row in owner.roster.revisions.select_related("named")}
        kept = [row for row in rows.values() if not row.is_archived]
        assert stored < set(list_archived(roster))
        assert all(not rows[row.base].is_archived for row in kept if row.base)
        assert {roster.head, *range(roster.last - 2, roster.last + 1)} <= {row.number for row in kept}
        assert not any(row.is_archived for row in rows.values() if hasattr(row, "named"))
        assert all(row.content_hash == hash_document(row.document) for row in rows.values())
        file = folder.parent / owner.roster.archive
        assert owner.roster.written == sum(row.stored for row in rows.values()) + file.stat().st_size
        assert archive_histories().lists == 0, "few new steps are not worth another file"
    # Files of earlier runs stay for a day, for readers that are about to open them.
    assert (len(list_files(folder)), delete_lost_archives()) == (3, 0)
    for path in list_files(folder):
        os.utime(path, (1, 1))
    assert (delete_lost_archives(), list_files(folder)) == (2, [file])


def test_all_pages_read_archived_steps_and_undoing_leads_into_them(owner: Owner) -> None:
    before = read_documents(owner.roster)
    addresses = visit_old_step(owner)
    answers = [owner.client.get(address) for address in addresses]
    archive_histories()
    assert list_archived(owner.roster) == FIRST_EIGHT
    for address, answer in zip(addresses, answers, strict=True):
        assert (answer.status_code, owner.client.get(address).status_code) == (200, 200), address
    for number in range(11, 2, -1):
        roster = owner.roster
        assert isinstance(undo_edit(roster, roster.head), SavedEdit)
        assert (owner.roster.head, owner.roster.document) == (number, before[number])
    # From an archived step, the list goes on, and new steps do not need the archive.
    rename(owner.roster, "New")
    newest = owner.roster.revisions.get(number=13)
    assert not newest.base or not owner.roster.revisions.get(number=newest.base).is_archived
    assert read_documents(owner.roster).items() >= before.items()


def visit_old_step(owner: Owner) -> list[str]:
    """Return addresses that need the document of step 3."""
    roster = owner.roster
    digits = roster.revisions.get(number=3).content_hash[:8]
    link = reverse("roster:link", args=[roster.link_id])
    api = f"/api/v1/rosters/{roster.link_id}"
    return [
        f"{link}?revision=3&hash={digits}",
        f"{reverse('roster:sheet', args=[roster.link_id])}?revision=3&hash={digits}",
        f"{owner.url('compare')}?a=3",
        f"{api}/revisions/3/",
        f"{api}/diff/?from=3",
    ]


def test_archived_steps_say_by_whose_rules_they_were_legal(
    owner: Owner, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    change_points(owner, list=owner.public_id)
    rename(owner.roster, "By rules")
    assert owner.client.post(owner.url("house-rules"), {"homebrew": ""}).status_code == 303
    rename(owner.roster, *"abcdefg")
    grow_old()

    def read_rules() -> dict[int, str | None]:
        rows = owner.client.get(f"/api/v1/rosters/{owner.roster.link_id}/revisions/").json()["results"]
        return {row["revision"]: row["house_rules"] for row in rows if row["verdict"] == "legal"}

    before = read_rules()
    assert [number for number, rules in before.items() if rules] == [14, 13]
    archive_histories()
    archived = set(list_archived(owner.roster))
    assert archived > {13, 14}
    with count_files(monkeypatch) as opened:
        assert read_rules() == before
    assert len(opened) == 1
    read_whole = Roster.read_archive
    with monkeypatch.context() as patched:
        patched.setattr(Roster, "read_archive", lambda roster: {**read_whole(roster), 14: b"damaged"})
        assert read_rules() == before | {14: None}, "the others of the file are read"
    lose(list_files(folder)[0])
    with count_files(monkeypatch) as opened:
        assert read_rules() == {number: None if number in archived else rules for number, rules in before.items()}
    assert len(opened) == 1, "a storage may take long not to answer"
    page = owner.client.get(owner.url("history")).content.decode().partition("<main")[2]
    assert page.count("Legal") == len(before.keys() - archived)


def lose(path: Path) -> None:
    path.unlink()


def damage(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


@pytest.mark.parametrize("spoil", [lose, damage])
def test_a_lost_file_is_said_and_the_list_goes_on(owner: Owner, folder: Path, spoil: Callable[[Path], None]) -> None:
    archive_histories()
    [file] = list_files(folder)
    spoil(file)
    for address in visit_old_step(owner):
        answer = owner.client.get(address)
        assert answer.status_code == 410, address
        if "/api/" in address:
            assert answer.json()["code"] == "gone"
    roster = owner.roster
    answer = owner.client.post(owner.url("history"), {"do": "restore", "number": "3", "revision": str(roster.head)})
    assert (answer.status_code, "missing or damaged" in answer.content.decode()) == (422, True)
    assert restore_revision(roster, roster.head, 3) == Refused(code="lost-step")
    # An edit of a page that shows a lost step.
    assert edit_roster(roster, 3, read_change({"do": "rename", "node": "", "text": "x"})) == Refused(code="lost-step")
    stale = owner.client.delete(f"/api/v1/rosters/{roster.link_id}/", headers={"If-Match": '"3"'})
    assert (stale.status_code, stale.json()["base"]) == (412, None)
    for page in ("builder", "history"):
        assert owner.client.get(owner.url(page)).status_code == 200
    rename(owner.roster, "Next")
    assert read_backed_up(owner) == [9, 10, 11, 12, 13]
    exported = export(owner)
    assert [row["number"] for row in exported if row["document"] is None] == FIRST_EIGHT
    grow_old()
    rename(owner.roster, "a", "b")
    grow_old()
    with pytest.raises(CommandError, match=owner.public_id):
        call_command("archive_histories", verbosity=0)
    assert list_archived(owner.roster) == FIRST_EIGHT


def read_backed_up(owner: Owner) -> list[int]:
    file = BytesIO()
    user = Visitor(user_id=owner.roster.owner_id)
    write_owner_backup(user, file)
    file.seek(0)
    Roster.objects.filter(pk=owner.roster.pk).update(public_id="a" * 22, link_id="b" * 22)
    assert restore_backup(user, file).restored == 1
    restored = sorted(owner.roster.revisions.values_list("number", flat=True))
    owner.roster.delete()
    Roster.objects.filter(public_id="a" * 22).update(public_id=owner.public_id)
    return restored


def export(owner: Owner) -> list[dict[str, Any]]:
    file = BytesIO()
    export_account_data(User.objects.get(pk=owner.roster.owner_id), file)
    with zipfile.ZipFile(file) as exported:
        return [json.loads(line) for line in exported.read("roster_revisions.jsonl").splitlines()]


def test_a_storage_that_does_not_answer_is_waited_for(owner: Owner, monkeypatch: pytest.MonkeyPatch) -> None:
    archive_histories()

    def fail(*_: Any, **__: Any) -> None:
        raise OSError("Object storage: no answer")

    with monkeypatch.context() as patch:
        patch.setattr(FileSystemStorage, "open", fail)
        patch.setattr(FileSystemStorage, "save", fail)
        # A backup without the steps would look complete.
        for address in [*visit_old_step(owner), reverse("roster:backup")]:
            answer = owner.client.get(address)
            assert (answer.status_code, answer["Retry-After"], lacks_files(answer)) == (503, "60", True), address
        roster = owner.roster
        assert restore_revision(roster, roster.head, 3) == Refused(code="unread-step")
        rename(owner.roster, *"abcd")
        grow_old()
        before = read_rows()
        with pytest.raises(CommandError, match="no step is lost"):
            call_command("archive_histories", verbosity=0)
    assert read_rows() == before
    assert len(read_documents(owner.roster)) == 16


def read_rows() -> list[Any]:
    return [list(model._default_manager.order_by("pk").values()) for model in (Roster, RosterRevision)]


def test_backups_and_exports_have_all_steps(owner: Owner) -> None:
    before = read_documents(owner.roster)
    archive_histories()
    assert {row["number"]: row["document"] for row in export(owner)} == before
    user = Visitor(user_id=owner.roster.owner_id)
    file = BytesIO()
    write_owner_backup(user, file)
    file.seek(0)
    owner.roster.delete()
    assert restore_backup(user, file).restored == 1
    assert read_documents(owner.roster) == before
    assert owner.roster.archive == ""


def test_two_nodes_archive_once_and_an_edit_wins(owner: Owner, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def come_between(act: Callable[[], object]) -> None:
        """Archive the list, and let another node act when the file is written."""

        def interrupt(name: str) -> bytes:
            monkeypatch.setattr(archive, "read_file", read_file)
            act()
            return read_file(name)

        monkeypatch.setattr(archive, "read_file", interrupt)
        assert not archive_history(owner.roster)

    come_between(lambda: rename(owner.roster, "Changed meanwhile"))
    assert (list_archived(owner.roster), list_files(folder)) == ([], [])
    come_between(lambda: archive_history(owner.roster))
    assert [folder.parent / owner.roster.archive] == list_files(folder)
    assert len(read_documents(owner.roster)) == 13


def test_a_crash_after_the_file_loses_nothing(owner: Owner, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = read_rows()
    with monkeypatch.context() as patch:
        patch.setattr(RosterRevision, "move_to_archive", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            archive_histories()
    assert read_rows() == before
    [orphan] = list_files(folder)
    os.utime(orphan, (1, 1))
    assert delete_lost_archives() == 0, "without archives it is probably the wrong database"
    archive_histories()
    assert delete_lost_archives() == 1
    assert len(list_files(folder)) == 1


def test_a_deleted_list_takes_its_file_along(
    owner: Owner, folder: Path, django_capture_on_commit_callbacks: Any
) -> None:
    archive_histories()
    assert len(list_files(folder)) == 1
    with django_capture_on_commit_callbacks(execute=True):
        delete_account(User.objects.get(pk=owner.roster.owner_id))
    assert list_files(folder) == []


def test_a_list_is_deleted_while_the_storage_does_not_answer(
    owner: Owner, folder: Path, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    archive_histories()

    def refuse(name: str) -> None:
        raise OSError

    monkeypatch.setattr(default_storage, "delete", refuse)
    with django_capture_on_commit_callbacks(execute=True):
        delete_account(User.objects.get(pk=owner.roster.owner_id))
    assert not Roster.objects.exists()
    assert len(list_files(folder)) == 1


def test_only_lists_that_rest_are_archived_and_only_if_wanted(owner: Owner, settings: Any) -> None:
    days = settings.ARMYBUILDER["ARCHIVE_HISTORIES_AFTER"]
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "ARCHIVE_HISTORIES_AFTER": 0}
    assert archive_histories().lists == 0
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "ARCHIVE_HISTORIES_AFTER": days}
    for fields in ({"binned": timezone.now()}, {"binned": None, "updated": timezone.now()}):
        Roster.objects.update(**fields)
        assert archive_histories().lists == 0
    # A document that could not be verified later stays in the database.
    QuerySet(RosterRevision).filter(number=3).update(content_hash="0" * 64)
    grow_old()
    assert archive_histories().lists == 1
    assert list_archived(owner.roster) == [2, 4, 5, 6, 7, 8], "step 3 is stored as a difference from step 1"


def test_archiving_is_undone(owner: Owner, folder: Path, django_capture_on_commit_callbacks: Any) -> None:
    before, rows = read_documents(owner.roster), list(RosterRevision.objects.order_by("pk").values())
    archive_histories()
    out = StringIO()
    with django_capture_on_commit_callbacks(execute=True):
        call_command("archive_histories", undo=True, stdout=out)
    assert "1 list" in out.getvalue()
    assert list(RosterRevision.objects.order_by("pk").values()) == rows
    assert (read_documents(owner.roster), owner.roster.archive, list_files(folder)) == (before, "", [])


def test_a_guests_quota_forgets_no_archived_step(owner: Owner, settings: Any) -> None:
    Roster.objects.update(owner=None, owner_key="guest")
    archive_histories()
    quota = {"things": 9, "bytes": 10**6, "history": owner.roster.written}
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "QUOTAS": {"guest": quota, "account": quota}}
    rename(owner.roster, *(f"Longer name {number}" for number in range(12)))
    numbers = set(owner.roster.revisions.values_list("number", flat=True))
    assert numbers >= set(FIRST_EIGHT)
    assert len(numbers) < 24
    assert len(read_documents(owner.roster)) == len(numbers)


@pytest.mark.django_db(transaction=True)
def test_a_backup_of_the_site_has_the_files(owner: Owner, folder: Path, tmp_path: Path) -> None:
    before = read_documents(owner.roster)
    archive_histories()
    backup = write_site_backup(tmp_path / "backups")
    for path in list_files(folder):
        path.unlink()
    Roster.objects.all().delete()
    restore_site_backup(backup, replace=True)
    assert read_documents(owner.roster) == before
    assert Client().get(owner.url()).status_code == 404
    assert owner.roster.archive
