"""Photos, finished PDFs and the dump of lists in a bucket, for the machines of one site."""

import os
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from armybuilder import outage
from armybuilder.outage import StorageError
from catalogue.views.responses import lacks_files
from roster.models import Photo, Roster, RosterRevision
from roster.models.roster import HISTORIES
from roster.pdf.cache import PdfCache
from roster.services import archive
from roster.services.accounts import set_consent
from roster.services.list_dump import find_dump, write_dump
from roster.services.photos import FOLDER, delete_lost_files, delete_photo
from roster.services.shared_files import PATIENT, SHARED, find_patient_storage, find_shared_storage
from roster.services.site_backup import restore_site_backup, write_site_backup
from roster.services.stored_files import list_stored_files, read_file
from tests.roster.photo_files import send, take_photo
from tests.roster.views_cast import Owner, started_with_account
from tests.service.object_storage import Bucket, serve_bucket

exceptions = pytest.importorskip("s3transfer.exceptions", reason="packages of .ci/requirements-dev.txt are missing")
pytest.importorskip("storages.backends.s3", reason="packages of .ci/requirements-dev.txt are missing")
pytestmark = [pytest.mark.django_db, pytest.mark.slow]

PDF = b"%PDF-1.7 something\n%%EOF\n"
KEY = "ab" + "0" * 62
BACKEND = "armybuilder.object_storage.ObjectStorage"
PATIENT_BACKEND = "armybuilder.object_storage.PatientObjectStorage"


@pytest.fixture(scope="module")
def served() -> Iterator[Bucket]:
    with serve_bucket() as bucket:
        yield bucket


def put_files_into(bucket: Bucket, settings: Any, place: str) -> None:
    media = {**bucket.options, "location": f"{place}/media", "file_overwrite": False}
    settings.STORAGES = {
        **settings.STORAGES,
        "default": {"BACKEND": BACKEND, "OPTIONS": media},
        PATIENT: {"BACKEND": PATIENT_BACKEND, "OPTIONS": media},
        SHARED: {"BACKEND": BACKEND, "OPTIONS": {**bucket.options, "location": f"{place}/shared"}},
    }


@pytest.fixture
def bucket(served: Bucket, settings: Any, request: pytest.FixtureRequest) -> Bucket:
    put_files_into(served, settings, request.node.name)
    return served


@pytest.fixture
def stopped(settings: Any) -> Bucket:
    with serve_bucket() as bucket:
        put_files_into(bucket, settings, "stopped")
    return bucket


def add_photo(owner: Owner) -> int:
    return owner.client.post(owner.url("photos"), {"unit": "", "file": send(take_photo())}).status_code


def be_on_machine(settings: Any, folder: Path) -> None:
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "DUMP_DIR": folder / "dumps", "PDF_CACHE_DIR": folder / "pdf"}


def test_a_folder_is_the_default(settings: Any) -> None:
    assert find_shared_storage() is None
    assert settings.STORAGES["default"]["BACKEND"].endswith("FileSystemStorage")


def test_photos_are_stored_served_and_deleted(
    bucket: Bucket, tmp_path: Path, settings: Any, django_capture_on_commit_callbacks: Any
) -> None:
    settings.MEDIA_ROOT = tmp_path
    owner = started_with_account()
    assert add_photo(owner) == 303
    photo = Photo.objects.get(roster=owner.roster)
    assert sorted(list_stored_files(FOLDER)) == sorted([photo.large, photo.small])
    address = reverse("roster:photo", args=[photo.roster.link_id, photo.pk, "small"])
    answer = owner.client.get(address)
    assert (answer.status_code, answer.content[:2]) == (200, b"\xff\xd8")
    assert list(tmp_path.iterdir()) == [], "nothing is on this machine"
    # An upload that is not stored yet looks the same.
    assert delete_lost_files() == 0
    with django_capture_on_commit_callbacks(execute=True):
        delete_photo(photo)
    assert list(list_stored_files(FOLDER)) == []


def test_a_missing_file_is_missing_as_in_a_folder(bucket: Bucket) -> None:
    with pytest.raises(FileNotFoundError):
        default_storage.open("photos/ab/none.jpg")
    with pytest.raises(FileNotFoundError):
        default_storage.get_modified_time("photos/ab/none.jpg")
    assert read_file("photos/ab/none.jpg") == b""
    assert not default_storage.exists("photos/ab/none.jpg")
    default_storage.delete("photos/ab/none.jpg")


def test_a_photo_that_cannot_be_stored_is_refused_with_words_and_the_list_stays(stopped: Bucket) -> None:
    owner = started_with_account()
    assert add_photo(owner) == 422
    assert not Photo.objects.exists()
    assert owner.client.get(owner.url("builder")).status_code == 200
    photo = Photo(roster=owner.roster, unit="", large="photos/ab/none.jpg", small="photos/ab/none.jpg")
    photo.width, photo.height, photo.size = 1, 1, 1
    photo.save()
    photo.count_change()
    shown = owner.client.get(photo.get_address("small"))
    assert (shown.status_code, shown["Retry-After"], lacks_files(shown)) == (503, "60", True)
    # Nothing is made that lacks the photos.
    owner.client.raise_request_exception = False
    address = reverse("roster:sheet", args=[owner.roster.link_id])
    sheet = owner.client.get(address, {"photos": "yes"})
    assert (sheet.status_code, sheet["Retry-After"], lacks_files(sheet)) == (503, "30", True)
    assert "Photos and files can’t be reached now." in sheet.content.decode()
    assert owner.client.get(address).status_code == 200
    for act in (default_storage.listdir, default_storage.exists, default_storage.delete):
        with pytest.raises(StorageError, match="Object storage"):
            act("photos")


def test_only_the_first_reader_waits_for_a_storage_that_hangs(stopped: Bucket, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(OSError, match="Could not connect"):
        default_storage.open("photos/ab/none.jpg")
    # Without connecting.
    with pytest.raises(OSError, match="some seconds ago"):
        default_storage.open("photos/ab/none.jpg")
    later = time.monotonic() + outage.AWAY_SECONDS
    monkeypatch.setattr(outage.time, "monotonic", lambda: later)
    with pytest.raises(OSError, match="Could not connect"):
        default_storage.open("photos/ab/none.jpg")


def test_a_download_that_stalls_begins_an_outage_and_a_missing_file_ends_it(
    bucket: Bucket, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stall(*_arguments: object) -> None:
        raise exceptions.RetriesExceededError(OSError("read timed out"))

    with monkeypatch.context() as stalled:
        stalled.setattr("storages.backends.s3.S3Storage._open", stall)
        with pytest.raises(StorageError, match="Max Retries"):
            default_storage.open("photos/ab/none.jpg")
    with pytest.raises(StorageError, match="some seconds ago"):
        default_storage.open("photos/ab/none.jpg")
    later = time.monotonic() + outage.AWAY_SECONDS
    monkeypatch.setattr(outage.time, "monotonic", lambda: later)
    with pytest.raises(FileNotFoundError):
        default_storage.open("photos/ab/none.jpg")
    assert not default_storage.exists("photos/ab/none.jpg")


def test_a_backup_waits_longer_for_the_storage_than_a_request(bucket: Bucket) -> None:
    waits = [
        (config.connect_timeout, config.read_timeout, config.retries["total_max_attempts"])
        for config in (
            storage.connection.meta.client.meta.config for storage in (default_storage, find_patient_storage())
        )
    ]
    assert all(short < long for short, long in zip(*waits, strict=True))


def test_a_backup_has_the_photos_and_returns_them(bucket: Bucket, tmp_path: Path, transactional_db: None) -> None:
    owner = started_with_account()
    add_photo(owner)
    names = sorted(list_stored_files(FOLDER))
    content = read_file(names[0])
    folder = write_site_backup(tmp_path)
    assert (folder / names[0]).read_bytes() == content
    for name in names:
        default_storage.delete(name)
    restore_site_backup(folder, replace=True)
    assert sorted(list_stored_files(FOLDER)) == names
    assert read_file(names[0]) == content


def test_a_pdf_is_made_once_for_all_machines(bucket: Bucket, tmp_path: Path) -> None:
    here, there = (PdfCache(tmp_path / name, 1_000_000, find_shared_storage()) for name in ("a", "b"))
    assert there.get(KEY) is None
    here.put(KEY, PDF)
    assert there.get(KEY) == PDF
    # The second time it is on that machine's disk.
    assert PdfCache(tmp_path / "b", 1_000_000).get(KEY) == PDF


def test_half_a_pdf_counts_as_none_on_every_machine(bucket: Bucket, tmp_path: Path) -> None:
    shared = find_shared_storage()
    assert shared is not None
    shared.save(f"pdf/ab/{KEY}.pdf", ContentFile(PDF[:10]))
    assert PdfCache(tmp_path, 1_000_000, shared).get(KEY) is None
    assert not list(tmp_path.rglob("*.pdf"))


def test_a_machine_prints_alone_without_the_storage(
    stopped: Bucket, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    cache = PdfCache(tmp_path, 1_000_000, find_shared_storage())
    assert cache.get(KEY) is None
    cache.put(KEY, PDF)
    assert cache.get(KEY) == PDF
    assert "could not be kept for other machines" in caplog.text


def test_all_machines_offer_the_newest_dump_under_one_tag(bucket: Bucket, settings: Any, tmp_path: Path) -> None:
    set_consent(User.objects.create_user("ann"), agrees=True)
    be_on_machine(settings, tmp_path / "b")
    assert find_dump() is None
    be_on_machine(settings, tmp_path / "a")
    write_dump()
    address = "/api/v1/dumps/lists/"
    answers = [Client().get(address)]
    be_on_machine(settings, tmp_path / "b")
    answers.append(Client().get(address))
    contents = [b"".join(answer.streaming_content) for answer in answers]
    assert (answers[0]["ETag"], contents[0]) == (answers[1]["ETag"], contents[1])
    path = find_dump()
    assert path is not None
    assert list(path.parent.iterdir()) == [path]
    # An older copy is replaced, and stays if the others cannot be asked.
    before = path.read_bytes()
    path.write_bytes(b"older")
    os.utime(path, (1, 1))
    assert find_dump() == path
    assert path.read_bytes() == before


def test_a_machine_offers_its_own_dump_without_the_storage(stopped: Bucket, settings: Any, tmp_path: Path) -> None:
    be_on_machine(settings, tmp_path)
    path = tmp_path / "dumps" / "lists.jsonl.gz"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"older")
    assert find_dump() == path


def test_old_steps_move_into_the_bucket(
    bucket: Bucket, settings: Any, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "ARCHIVE_HISTORIES_AFTER": 30}
    monkeypatch.setattr(archive, "KEPT_STEPS", 1)
    monkeypatch.setattr(archive, "LEAST_STEPS", 1)
    owner = started_with_account()
    for number in range(4):
        owner.done(do="rename", node="", text=f"Name {number}")
    before = {row.number: row.document for row in owner.roster.revisions.all()}
    Roster.objects.update(updated=timezone.now() - timedelta(days=40))
    assert archive.archive_histories().lists == 1
    rows = {row.number: row for row in owner.roster.revisions.all()}
    assert [number for number, row in sorted(rows.items()) if row.is_archived] == [2, 3, 4, 5]
    assert {number: row.document for number, row in rows.items()} == before
    default_storage.delete(owner.roster.archive)
    assert owner.client.get(f"{owner.url('compare')}?a=3").status_code == 410
    assert owner.client.get(owner.url("builder")).status_code == 200
    with django_capture_on_commit_callbacks(execute=True):
        owner.roster.delete()
    assert list(list_stored_files(HISTORIES)) == []


def test_a_step_in_a_bucket_that_does_not_answer_is_waited_for(stopped: Bucket) -> None:
    owner = started_with_account()
    Roster.objects.update(archive=f"{HISTORIES}/ab/{KEY}")
    RosterRevision.move_to_archive([owner.roster.revisions.get(number=2).pk])
    assert owner.client.get(f"{owner.url('compare')}?a=2").status_code == 503
