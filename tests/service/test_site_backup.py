"""The whole database in a folder, and back again, on both databases."""

import json
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import Group, User
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client

from roster.events.models import Event, EventRole, Participant, Submission
from roster.models import Roster
from roster.play.models import Game
from roster.services import site_backup
from tests.play.games import begin
from tests.roster.views_cast import started

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]


def back_up(folder: Path, **options: Any) -> Path:
    call_command("backup", str(folder), verbosity=0, **options)
    return max(folder.iterdir())


def read_all() -> list[Any]:
    parts = (apps.get_app_config(label).get_models() for label in ("roster", "play", "events"))
    models = [User, *chain.from_iterable(parts)]
    return [list(model._default_manager.order_by("pk").values()) for model in models]


@pytest.fixture
def content() -> list[Any]:
    member = Client()
    user = User.objects.create_user("member")
    member.force_login(user)
    owner = started(member)
    owner.unit("warden")
    begin(member, owner.roster)
    event = Event.objects.create(name="Autumn Muster", version=owner.roster.version)
    EventRole.objects.create(event=event, user=user, kind="organiser")
    player = Participant.objects.create(event=event, name="Ada Quill", user=user)
    submission = {"number": 1, "source": "builder", "version": event.version, "received_hash": "0" * 64}
    Submission.objects.create(participant=player, document=owner.roster.document, **submission)
    return read_all()


def test_all_comes_back_and_what_came_later_is_gone(tmp_path: Path, content: list[Any]) -> None:
    backup = back_up(tmp_path)
    Event.objects.all().delete()
    Game.objects.all().delete()
    Roster.objects.all().delete()
    User.objects.create_user("later")
    with connection.cursor() as cursor:
        # A table of a later version.
        cursor.execute("CREATE TABLE later (number integer)")
    call_command("restore", str(backup), replace=True, verbosity=0)
    assert sum(map(bool, content)) >= 9, "rows of nine models"
    assert read_all() == content
    assert "later" not in connection.introspection.table_names()
    # New rows get unused keys.
    assert started(Client()).roster.pk


def test_accounts_and_lists_are_not_replaced_unasked(tmp_path: Path, content: list[Any]) -> None:
    backup = back_up(tmp_path)
    User.objects.create_user("later")
    with pytest.raises(CommandError, match="--replace"):
        call_command("restore", str(backup))
    assert User.objects.filter(username="later").exists()


def damage_file(backup: Path) -> None:
    file = next(path for path in backup.iterdir() if path.name != site_backup.NOTE)
    file.write_bytes(file.read_bytes()[:-1])


def change_note(**changes: Any) -> Any:
    def change(backup: Path) -> None:
        note = backup / site_backup.NOTE
        note.write_text(json.dumps(json.loads(note.read_text()) | changes))

    return change


DAMAGES = {
    "file": damage_file,
    "file is gone": lambda backup: next(backup.glob("database.*")).unlink(),
    "note is gone": lambda backup: (backup / site_backup.NOTE).unlink(),
    "note is cut": lambda backup: (backup / site_backup.NOTE).write_text('{"armybuilder": 1'),
    "note is no mapping": lambda backup: (backup / site_backup.NOTE).write_text("[]"),
    "another form": change_note(armybuilder=2),
    "another database": change_note(database="postgresql" if connection.vendor == "sqlite" else "sqlite"),
    "unknown database": change_note(database="oracle"),
    "made by a newer version": change_note(migrations=[["roster", "9999_later"]]),
}


def test_what_is_no_backup_of_ours_is_refused_and_changes_nothing(tmp_path: Path, content: list[Any]) -> None:
    for number, damage in enumerate(DAMAGES.values()):
        backup = back_up(tmp_path / str(number))
        damage(backup)
        with pytest.raises(CommandError, match="Nothing was restored"):
            call_command("restore", str(backup), replace=True)
    assert read_all() == content


def test_a_database_that_cannot_be_read_leaves_what_was_there(tmp_path: Path, content: list[Any]) -> None:
    backup = back_up(tmp_path)
    file = next(backup.glob("database.*"))
    file.write_bytes(b"no database at all" * 100)
    change_note(sha256=site_backup._hash_file(file))(backup)
    with pytest.raises(CommandError, match="Nothing was restored"):
        call_command("restore", str(backup), replace=True)
    assert read_all() == content


def test_only_the_newest_are_kept_and_nothing_else_is_touched(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    for _ in range(3):
        last = back_up(tmp_path, keep=2)
    names = {path.name for path in tmp_path.iterdir()}
    assert len(names) == 3
    assert {"notes", last.name} <= names
    with pytest.raises(CommandError, match="--keep"):
        call_command("backup", str(tmp_path), keep=-1)


def test_a_backup_that_fails_leaves_nothing_behind(tmp_path: Path, monkeypatch: Any) -> None:
    def fail(*_: Any) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr(site_backup, "_hash_file", fail)
    with pytest.raises(CommandError, match="No space left"):
        call_command("backup", str(tmp_path))
    assert not list(tmp_path.iterdir())


def test_groups_are_made_once_and_keep_what_was_added() -> None:
    call_command("make_groups", verbosity=0)
    moderator = User.objects.create_user("moderator", is_staff=True)
    moderator.groups.add(Group.objects.get(name="Moderators"))
    assert moderator.has_perm("roster.change_abusereport")
    assert moderator.has_perm("play.view_missiondeck")
    assert not moderator.has_perm("catalogue.add_release")
    more = Group.objects.get(name="Importers").permissions.add
    more(Group.objects.get(name="Publishers").permissions.get())
    call_command("make_groups", verbosity=0)
    assert Group.objects.get(name="Importers").permissions.filter(codename="add_release").exists()
    assert Group.objects.count() == 3
