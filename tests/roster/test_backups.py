"""A backup with all lists can be restored; foreign or changed backups are refused."""

import gzip
import hashlib
import hmac
import io
import json
import time
from typing import Any

import pytest
from django.conf import settings as configured
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client, override_settings
from django.urls import reverse

from catalogue.models import GameSystem, PackVersion
from roster.formats import backup as form
from roster.models import Folder, RevisionName, Roster, RosterPlan, RosterRevision, Tag
from roster.services import backups
from roster.services.backups import restore_backup, write_owner_backup
from roster.services.owners import NOBODY, Visitor
from tests.roster.small_game_update import later
from tests.roster.views_cast import SCRIPT, Owner, started

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]

BACKUP, RESTORE, BULK = (reverse(f"roster:{name}") for name in ("backup", "restore", "bulk"))


def sorted_list(client: Client, name: str = "Low water") -> Owner:
    owner = started(client, name=name)
    owner.unit("warden")
    owner.unit("cutters")
    owner.done(do="undo")
    owner.client.post(owner.url("history"), {"do": "name", "number": "3", "name": "Before the cup"})
    for fields in ({"do": "move", "new_folder": "Cups"}, {"do": "tag", "tag_name": "wet"}):
        client.post(BULK, fields | {"list": owner.public_id})
    RosterPlan.objects.create(roster=owner.roster, document="{}")
    return owner


def saved(client: Client) -> bytes:
    answer = client.get(BACKUP)
    assert answer.status_code == 200
    assert "attachment" in answer["Content-Disposition"]
    return b"".join(answer.streaming_content)


def restore(client: Client, data: bytes) -> Any:
    return client.post(RESTORE, {"file": SimpleUploadedFile("lists.gz", data)})


def everything() -> list[Any]:
    """Return everything stored of lists, except primary keys."""
    rosters = [
        {name: value for name, value in row.items() if name not in ("id", "folder_id")}
        for row in Roster.objects.order_by("public_id").values()
    ]
    past = RosterRevision.objects.order_by("roster__public_id", "number").values_list(
        "number", "parent", "act", "subject", "content_hash", "version", "verdict", "points", "created", "aside"
    )
    names = RevisionName.objects.values_list("revision__number", "name")
    sorting = Roster.objects.order_by("public_id").values_list("folder__name", "tags__name", "plan__document")
    return [rosters, list(past), list(names), list(sorting)]


def wiped() -> None:
    for model in (Roster, Folder, Tag):
        model.objects.all().delete()


def test_lists_come_back_as_they_were():
    client = Client()
    sorted_list(client)
    thrown = started(client, name="Thrown away")
    client.post(BULK, {"do": "bin", "list": thrown.public_id})
    before, data = everything(), saved(client)
    wiped()
    answer = restore(client, data)
    assert answer.status_code == 303
    assert everything() == before
    said = client.get(answer["Location"]).content.decode()
    assert "1 of them is in the bin" in said
    assert f'<a class="btn" href="{reverse("roster:bin")}">' in said


def test_restoring_twice_at_once_brings_each_list_once(monkeypatch: pytest.MonkeyPatch):
    client = Client()
    sorted_list(client)
    before, data = everything(), saved(client)
    wiped()
    store_list = backups._store_list

    def store_twice(*given: Any) -> None:
        store_list(*given)
        store_list(*given)

    monkeypatch.setattr(backups, "_store_list", store_twice)
    assert restore(client, data).status_code == 303
    assert everything() == before


def test_what_is_still_there_stays_as_it_is():
    client = Client()
    owner = sorted_list(client)
    data = saved(client)
    owner.done(do="rename", node="", text="High water")
    before = everything()
    restore(client, data)
    assert everything() == before


def test_a_list_by_data_that_is_gone_is_left_out():
    client = Client()
    owner = started(client)
    data = saved(client)
    wiped()
    GameSystem.objects.all().delete()
    answer = client.post(RESTORE, {"file": SimpleUploadedFile("x", data)}, follow=True)
    assert "Low water" in str(next(iter(answer.context["messages"])))
    assert not Roster.objects.exists()
    assert owner.public_id


def test_history_over_two_versions_comes_back():
    client = Client()
    owner = started(client)
    new = later()
    form_ = {"to": new.short_hash, "revision": str(owner.roster.head)}
    client.post(owner.url("data"), form_)
    before, data = everything(), saved(client)
    wiped()
    restore(client, data)
    assert everything() == before
    owner.done(do="undo")
    assert owner.roster.version.label == "1.0"


def test_a_link_that_somebody_has_by_now_is_not_taken_from_them():
    client, other = Client(), Client()
    owner = started(client)
    roster = owner.roster
    roster.link_id = "a" * 22
    roster.save()
    data = saved(client)
    wiped()
    theirs = started(other).roster
    theirs.link_id = "a" * 22
    theirs.save()
    restore(client, data)
    assert Roster.objects.get(public_id=owner.public_id).link_id == owner.public_id


# ---- refused -----------------------------------------------------------------------------------------------------


def refused(client: Client, data: bytes) -> None:
    before = everything()
    answer = restore(client, data)
    assert (answer.status_code, b'class="wrong"' in answer.content) == (400, True)
    assert everything() == before


def test_a_backup_made_by_somebody_else_comes_in_as_copies():
    member, other = Client(), Client()
    for client, name in ((member, "member"), (other, "other")):
        client.force_login(User.objects.create_user(name))
    owner = sorted_list(member)
    Roster.objects.update(visibility="public")
    before, data = Roster.objects.values().get(), saved(member)
    for client in (other, Client()):
        assert restore(client, data).status_code == 303
        copy = Roster.objects.exclude(public_id=owner.public_id).get()
        assert (copy.name, copy.head, copy.document) == (before["name"], before["head"], before["document"])
        assert copy.link_id == copy.public_id != owner.public_id
        assert copy.visibility == "link"
        assert copy.revisions.count() == owner.roster.revisions.count()
        copy.delete()
    assert Roster.objects.values().get() == before


def test_what_is_backed_up_before_an_account_is_deleted_comes_back_under_a_new_one():
    client = Client()
    client.force_login(User.objects.create_user("ann"))
    sorted_list(client)
    data = saved(client)
    User.objects.all().delete()
    wiped()
    again = Client()
    again.force_login(User.objects.create_user("ann"))
    said = again.get(restore(again, data)["Location"]).content.decode()
    assert "1 list was restored as a copy." in said
    assert Roster.objects.get().owner == User.objects.get()


def foreign(*changes: Any) -> io.BytesIO:
    """Return a backup of the first account signed by another server, with a change to each of its lists."""
    file = io.BytesIO()
    with override_settings(SECRET_KEY="another server's"):
        write_owner_backup(Visitor(user_id=User.objects.get().pk), file)
    if not changes:
        return file
    _, *lists = lines(file.getvalue())
    for change in changes:
        lists = [json.dumps(change(json.loads(line))).encode() + b"\n" for line in lists]
    second = file.getvalue().index(b"\x1f\x8b", 2)
    return io.BytesIO(file.getvalue()[:second] + packed(lists))


def edit_tree(saved: dict[str, Any], **changes: Any) -> dict[str, Any]:
    for revision in saved["revisions"]:
        revision["document"] = json.dumps(json.loads(revision["document"]) | changes)
    return saved


@pytest.fixture
def member() -> Client:
    client = Client()
    client.force_login(User.objects.create_user("member"))
    return client


def test_a_backup_of_another_server_is_imported_without_history(member: Client) -> None:
    owner = sorted_list(member)
    Roster.objects.update(visibility="public", taken_down=True)
    public_id, now, file = owner.public_id, owner.roster.points, foreign()
    wiped()
    done = restore_backup(Visitor(user_id=User.objects.get().pk), file)
    assert (done.restored, done.foreign) == (1, True)
    roster = Roster.objects.get()
    assert roster.public_id != public_id
    assert (roster.name, roster.points, roster.visibility) == ("Low water", now, "link")
    assert roster.revisions.count() == 1
    assert not RevisionName.objects.exists()
    assert (roster.folder.name, roster.tags.get().name) == ("Cups", "wet")


def test_a_backup_of_another_server_finds_the_data_that_is_here(member: Client) -> None:
    started(member)
    file = foreign(lambda saved: saved | {"revisions": [r | {"version": "0" * 64} for r in saved["revisions"]]})
    gone = foreign(lambda saved: saved | {"faction_id": "elsewhere"})
    wiped()
    visitor = Visitor(user_id=User.objects.get().pk)
    assert restore_backup(visitor, file).restored == 1
    assert Roster.objects.get().version == owner_version()
    assert restore_backup(visitor, gone).homeless == ("Low water",)


def owner_version() -> PackVersion:
    return PackVersion.objects.get()


NESTED = {"id": "x", "entry_id": "warden"}
for _ in range(100):
    NESTED = {"id": "x", "entry_id": "warden", "selections": [NESTED]}
FORCE = {"id": "f", "entry_id": "column", "catalogue_id": "marsh"}
HOSTILE = {
    "no tree": lambda saved: edit_tree(saved, forces=7),
    "no head": lambda saved: saved | {"head": 99},
    "nested too deeply": lambda saved: edit_tree(saved, forces=[FORCE | {"selections": [NESTED]}]),
    "a number below nothing": lambda saved: edit_tree(
        saved, forces=[FORCE | {"selections": [{"id": "x", "entry_id": "warden", "number": -5}]}]
    ),
    "a number without end": lambda saved: edit_tree(
        saved, forces=[FORCE | {"selections": [{"id": "x", "entry_id": "warden", "number": 10**9}]}]
    ),
    "an id without end": lambda saved: edit_tree(saved, forces=[FORCE | {"entry_id": "x" * 5_000}]),
}


@pytest.mark.parametrize("change", HOSTILE.values(), ids=HOSTILE)
def test_what_no_builder_makes_is_refused_whole(member: Client, change: Any) -> None:
    started(member)
    file = foreign(change)
    wiped()
    with pytest.raises(form.NoBackupError) as error:
        restore_backup(Visitor(user_id=User.objects.get().pk), file)
    assert error.value.code == "no-backup"
    assert not Roster.objects.exists()


def test_texts_and_rules_of_another_server_are_tidied(member: Client) -> None:
    started(member)
    file = foreign(lambda saved: edit_tree(saved, name=SCRIPT + "\0" + "x" * 999, overlay="none@123456", id="<b>"))
    wiped()
    assert restore_backup(Visitor(user_id=User.objects.get().pk), file).restored == 1
    roster = Roster.objects.get()
    assert len(roster.name) <= 200
    assert "\0" not in roster.name
    assert roster.tree.overlay == ""
    assert SCRIPT not in member.get(f"/rosters/{roster.public_id}/").content.decode()


def test_what_takes_too_long_or_has_no_room_is_left_out(member: Client, settings: Any) -> None:
    started(member)
    file = foreign()
    wiped()
    visitor, usual = Visitor(user_id=User.objects.get().pk), settings.ARMYBUILDER
    settings.ARMYBUILDER = {**usual, "JUDGING_SECONDS": {"guest": 0, "account": 0}}
    assert restore_backup(visitor, file).left_out == ("Low water",)
    none = {"things": 0, "bytes": 0, "history": 0}
    settings.ARMYBUILDER = {**usual, "QUOTAS": {"guest": none, "account": none}}
    assert restore_backup(visitor, file).left_out == ("Low water",)
    assert not Roster.objects.exists()


def lines(data: bytes) -> list[bytes]:
    return gzip.decompress(data).splitlines(keepends=True)


def packed(found: list[bytes]) -> bytes:
    return gzip.compress(b"".join(found))


def not_believed(client: Client, data: bytes) -> None:
    """Check that a file is refused or imported as if it had no owner."""
    restore(client, data)
    for roster in Roster.objects.all():
        assert (roster.visibility, roster.revisions.count()) == ("link", 1)
    wiped()


def test_nothing_that_a_changed_backup_says_of_itself_is_believed():
    client = Client()
    sorted_list(client)
    data = saved(client)
    header, one = lines(data)
    second = data.index(b"\x1f\x8b", 2)
    richer = json.loads(one) | {"visibility": "public"}
    wiped()
    for changed in (
        data[:second] + packed([json.dumps(richer).encode() + b"\n"]),
        data[:second] + packed([one]),
        data[:second],
        data[second:],
        data + packed([one]),
        data[:-1],
        packed([header, one]),
        packed([header]),
        data.replace(b'"made":"2', b'"made":"1', 1),
        data.replace(b'"backup":2', b'"backup":1', 1),
    ):
        not_believed(client, changed)
    assert restore(client, data).status_code == 303
    assert Roster.objects.get().revisions.count() > 1


def in_old_form(data: bytes) -> tuple[bytes, bytes, bytes]:
    """Return the old form of a backup: three lines, the last one the signature."""
    header = b'{"backup":1,"made":"2026-01-01T00:00:00Z"}\n'
    one = lines(data)[1]
    key = backups._derive_keys(Visitor(key=Roster.objects.get().owner_key), configured.SECRET_KEY).owner
    digest = hmac.new(key, header + one, digestmod=hashlib.sha256).hexdigest()
    return header, one, json.dumps({"signature": digest}).encode() + b"\n"


def test_a_backup_in_the_old_form():
    client = Client()
    sorted_list(client)
    before, data = everything(), saved(client)
    header, one, signature = in_old_form(data)
    wiped()
    richer = json.loads(one) | {"visibility": "public"}
    for found in (
        [header, json.dumps(richer).encode() + b"\n", signature],
        [header, one, one, signature],
        [header, signature],
        [one, signature],
        [header, one],
        [header, one, b'{"signature":"0"}\n'],
        [header, one, '{"signature":"é"}\n'.encode()],
        [b'{"backup":3,"made":"2026-01-01T00:00:00Z"}\n', one, signature],
        [header, b"\xe0", signature],
        [header, one, b'{"signature":"\xe0"}\n'],
        [header],
        [],
    ):
        not_believed(client, packed(found))
    assert restore(client, packed([header, one, signature])).status_code == 303
    assert everything() == before


@pytest.mark.parametrize(
    "data",
    [
        b"x",
        b"{}",
        b"\x1f\x8b",
        b"PK\x03\x04",
        gzip.compress(b"x", mtime=0),
        packed([b'{"backup": ' + b"[" * 100_000]),
        gzip.compress(b"x" * 5000, mtime=0)[:20],
        SCRIPT.encode(),
    ],
)
def test_a_file_that_is_not_a_backup_is_refused(data):
    refused(Client(), data)


def test_no_file_is_refused():
    client = Client()
    for fields in ({}, {"file": "text"}):
        assert client.post(RESTORE, fields).status_code == 422


def test_a_file_that_unpacks_to_too_much_is_refused(monkeypatch):
    client = Client()
    started(client)
    data = packed(list(in_old_form(saved(client))))
    wiped()
    monkeypatch.setattr(form, "LONGEST_FILE", 1000)
    refused(client, data)
    monkeypatch.setattr(form, "LONGEST_FILE", 10**9)
    monkeypatch.setattr(form, "LONGEST_LINE", 100)
    refused(client, data)


@pytest.mark.parametrize("filling", [b"\n", b"x", b"x" * 63 + b"\n", b"{}" * 50 + b"\n"])
def test_a_few_bytes_that_unpack_to_many_are_refused_soon(filling, monkeypatch):
    """Limited by lines, their length, and the compression ratio; the whole is never held in memory."""
    monkeypatch.setattr(form, "OLD_FREE", form.MIB)
    monkeypatch.setattr(form, "LONGEST_LINE", form.MIB)
    bomb = packed([b'{"backup":1,"made":"2026-01-01T00:00:00Z"}\n', filling * (16 * form.MIB // len(filling))])
    begin = time.thread_time()
    with pytest.raises(form.NoBackupError):
        form.check_backup(io.BytesIO(bomb), form.Keys(owner=b"mine", server=b"ours"))
    assert time.thread_time() - begin < 1


def test_what_is_not_signed_is_unpacked_within_tighter_bounds(monkeypatch, settings):
    client = Client()
    started(client)
    data = saved(client)
    settings.SECRET_KEY = "another server's"
    monkeypatch.setattr(backups, "LONGEST_UNSIGNED", 500)
    refused(client, data)


def test_whoever_has_no_list_gets_an_empty_backup():
    file = io.BytesIO()
    write_owner_backup(NOBODY, file)
    assert len(lines(file.getvalue())) == 1


def test_oversized_body(settings):
    limit = settings.ARMYBUILDER["MAX_BODY_BYTES_AT"]["roster:restore"]
    answer = Client().generic("POST", RESTORE, b" " * (limit + 1), "multipart/form-data; boundary=x")
    assert answer.status_code == 413


def test_wrong_method():
    assert Client().post(BACKUP).status_code == 405
    assert Client().put(RESTORE).status_code == 405


def test_asks_little_more_for_more_lists(django_assert_num_queries):
    client = Client()
    for number in (1, 3):
        while Roster.objects.count() < number:
            started(client)
        # Session, lists, tags; for each its history and the revision that others differ from.
        with django_assert_num_queries(3 + 2 * number):
            saved(client)


def test_a_backup_outlives_a_change_of_the_servers_key(settings):
    client = Client()
    started(client)
    data = saved(client)
    wiped()
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "the next one"
    visitor = Visitor(key="somebody")
    assert restore_backup(visitor, io.BytesIO(data)).restored == 1
    wiped()
    settings.SECRET_KEY_FALLBACKS = []
    assert restore_backup(visitor, io.BytesIO(data)).foreign
