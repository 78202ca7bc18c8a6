"""Photos of models on lists: who adds, sees, hides and deletes them, and what is left of them."""

import json
import re
import threading
import zipfile
from datetime import timedelta
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.storage import FileSystemStorage, default_storage
from django.core.management import call_command
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pypdf import PdfReader

from roster.models import Photo, Roster
from roster.models.ownership import Visibility
from roster.pdf.sheet_job import create_sheet_job, lay_out_sheet
from roster.pdf.sheet_options import Photos, SheetOptions
from roster.pdf.sheet_pages import build_sheet_pages, make_look
from roster.services import photos
from roster.services.accounts import delete_account, export_account_data
from roster.services.organize import delete_for_good, move_to_bin
from roster.services.owners import Visitor
from roster.services.photos import delete_lost_files, hide_photo, store_photo
from roster.services.rosters import copy_roster
from roster.services.shared_files import PATIENT
from roster.services.site_backup import write_site_backup
from tests.markup import markup
from tests.roster.accounts_cast import account
from tests.roster.photo_files import PLACE, draw, send, take_photo, write
from tests.roster.views_cast import Owner, started, started_with_account

pytestmark = [pytest.mark.django_db]


@pytest.fixture(autouse=True)
def media(settings: Any, tmp_path: Path) -> Path:
    settings.MEDIA_ROOT = tmp_path / "media"
    return tmp_path / "media"


@pytest.fixture
def owner() -> Owner:
    return started_with_account()


def add(owner: Owner, content: bytes | None = None, unit: str = "") -> HttpResponse:
    return owner.client.post(owner.url("photos"), {"unit": unit, "file": send(content or take_photo())})


def added(owner: Owner, unit: str = "", content: bytes | None = None) -> Photo:
    answer = add(owner, content, unit)
    assert answer.status_code == 303, markup(answer)
    return Photo.objects.get(roster=owner.roster, unit=unit)


def address(photo: Photo, size: str = "small") -> str:
    return reverse("roster:photo", args=[photo.roster.link_id, photo.pk, size])


def stored_files(media: Path) -> list[Path]:
    return [path for path in media.rglob("*") if path.is_file()]


# ---- adding ------------------------------------------------------------------------------------------------------


def test_works(owner: Owner, media: Path) -> None:
    unit = owner.units()[0]
    for_list, for_unit = added(owner), added(owner, unit)
    assert len(stored_files(media)) == 4
    page = markup(owner.client.get(owner.url("photos")))
    for photo in (for_list, for_unit):
        assert address(photo) in page
        answer = owner.client.get(address(photo, "large"))
        assert answer["Content-Type"] == "image/jpeg"
        assert answer["X-Content-Type-Options"] == "nosniff"
        assert answer["Content-Disposition"].startswith("inline")
        assert answer["Cache-Control"].startswith("private")
        assert "default-src 'self'" in answer["Content-Security-Policy"]
        assert answer.content.startswith(b"\xff\xd8")
        assert PLACE not in answer.content
    assert owner.client.get(address(for_list, "huge")).status_code == 404


def test_the_form_needs_no_script_and_chooses_the_unit(owner: Owner) -> None:
    unit = owner.units()[0]
    page = markup(owner.client.get(owner.url("photos"), {"unit": unit}))
    assert f'<option value="{unit}" selected>' in " ".join(page.split())
    assert 'enctype="multipart/form-data"' in page
    assert 'accept="image/jpeg, image/png, image/webp"' in page


def test_a_new_photo_replaces_the_one_before(
    owner: Owner, media: Path, django_capture_on_commit_callbacks: Any
) -> None:
    first = added(owner)
    with django_capture_on_commit_callbacks(execute=True):
        second = added(owner, content=write(draw(100, 50)))
    assert second.pk != first.pk
    assert owner.client.get(address(first)).status_code == 404
    assert len(stored_files(media)) == 2


def test_each_photo_has_its_own_files(owner: Owner, media: Path, django_capture_on_commit_callbacks: Any) -> None:
    first, second = added(owner), added(owner, owner.units()[0])
    assert first.content_hash == second.content_hash
    with django_capture_on_commit_callbacks(execute=True):
        owner.client.post(reverse("roster:photo-delete", args=[owner.public_id, first.pk]))
    assert owner.client.get(address(second)).status_code == 200
    assert len(stored_files(media)) == 2


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"<script>alert(1)</script>", "JPEG, PNG or WebP"),
        (b"\x00\x00\x00\x18ftypheic" + bytes(99), "HEIC"),
        (take_photo()[:-700], "damaged"),
        (write(draw(), "GIF"), "JPEG, PNG or WebP"),
    ],
    ids=["page", "heic", "cut short", "gif"],
)
def test_bad_files_are_refused_with_words(owner: Owner, media: Path, content: bytes, says: str) -> None:
    answer = add(owner, content)
    assert answer.status_code == 422
    assert says in markup(answer)
    assert not Photo.objects.exists()
    assert not stored_files(media)


def test_large_files_are_refused_with_words(owner: Owner, monkeypatch: Any) -> None:
    monkeypatch.setattr("roster.formats.photo_file.MOST_BYTES", 3 * 2**20)
    answer = add(owner, take_photo() + bytes(5 * 2**20))
    assert answer.status_code == 422
    assert "6 MB" in markup(answer)
    assert "3 MB" in markup(answer)


def test_a_form_without_a_file_is_refused(owner: Owner) -> None:
    for fields in ({}, {"unit": ""}, {"file": "text"}):
        answer = owner.client.post(owner.url("photos"), fields)
        assert answer.status_code == 422
        assert "Choose a file first." in markup(answer)


@pytest.mark.parametrize("unit", ["nothing", "x" * 5000, "../../etc", "\N{SNOWMAN}"])
def test_a_unit_has_to_be_in_the_list(owner: Owner, media: Path, unit: str) -> None:
    assert add(owner, unit=unit).status_code == 422
    assert not stored_files(media)


def test_guests_have_no_photos() -> None:
    guest = started(Client())
    page = markup(guest.client.get(guest.url("photos")))
    assert "You need an account" in page
    assert 'type="file"' not in page
    assert add(guest).status_code == 422
    assert not Photo.objects.exists()


def test_other_owners_lists_and_lists_in_the_bin_have_no_page(owner: Owner) -> None:
    photo = added(owner)
    stranger = Client()
    stranger.force_login(account("bob@example.org"))
    delete = reverse("roster:photo-delete", args=[owner.public_id, photo.pk])
    assert stranger.get(owner.url("photos")).status_code == 404
    assert stranger.post(owner.url("photos"), {"file": send(take_photo())}).status_code == 404
    assert stranger.post(delete).status_code == 404
    move_to_bin(Roster.objects.filter(pk=owner.roster.pk))
    assert owner.client.get(owner.url("photos")).status_code == 404
    assert add(owner).status_code == 404
    assert owner.client.get(address(photo)).status_code == 404


def test_a_photo_of_another_list_is_not_deleted(owner: Owner) -> None:
    photo = added(owner)
    other = started(owner.client, name="Other")
    assert owner.client.post(reverse("roster:photo-delete", args=[other.public_id, photo.pk])).status_code == 404
    assert owner.client.get(reverse("roster:photo-delete", args=[owner.public_id, photo.pk])).status_code == 405
    assert Photo.objects.count() == 1


# ---- limits ------------------------------------------------------------------------------------------------------


def limit_photos(settings: Any, allowed: int) -> None:
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "PHOTO_BYTES": allowed}


def test_the_quota_is_of_the_account(owner: Owner, media: Path, settings: Any) -> None:
    photo = added(owner)
    limit_photos(settings, photo.size + 10)
    refused = add(owner, unit=owner.units()[0])
    assert refused.status_code == 422
    assert "Delete some first" in markup(refused)
    other = started(owner.client, name="Other")
    assert add(other).status_code == 422
    assert len(stored_files(media)) == 2
    assert add(owner).status_code == 303, "what is replaced makes room"


def test_a_site_may_store_no_photos(owner: Owner, settings: Any) -> None:
    photo = added(owner)
    limit_photos(settings, 0)
    assert add(owner).status_code == 422
    page = markup(owner.client.get(owner.url("photos")))
    assert "This site stores no photos." in page
    assert address(photo) in page, "what is stored can still be deleted"


def test_a_full_disk_changes_nothing(owner: Owner, media: Path, monkeypatch: Any) -> None:
    photo = added(owner)
    write_file = FileSystemStorage._save

    def fail(storage: Any, name: str, content: Any) -> str:
        if name.endswith("-small.jpg"):
            raise OSError(28, "No space left on device")
        return write_file(storage, name, content)

    monkeypatch.setattr(FileSystemStorage, "_save", fail)
    answer = add(owner, write(draw(80, 80)))
    assert answer.status_code == 422
    assert "Nothing was changed" in markup(answer)
    assert list(Photo.objects.all()) == [photo]
    assert len(stored_files(media)) == 2


def test_a_list_that_is_deleted_meanwhile_gets_no_photo(owner: Owner, media: Path) -> None:
    roster = owner.roster
    move_to_bin(Roster.objects.filter(pk=roster.pk))
    assert store_photo(roster, "", BytesIO(take_photo())).code == "unknown-list"
    assert not stored_files(media)


@pytest.mark.django_db(transaction=True)
def test_two_uploads_at_once_leave_one_photo(owner: Owner, media: Path) -> None:
    roster, stored = owner.roster, []

    def upload(color: int) -> None:
        try:
            stored.append(store_photo(roster, "", BytesIO(write(draw(color, 40)))))
        finally:
            connection.close()

    threads = [threading.Thread(target=upload, args=[width]) for width in (60, 70)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [type(one) for one in stored] == [Photo, Photo]
    assert Photo.objects.filter(roster=roster).count() == 1
    assert len(stored_files(media)) == 2
    assert owner.roster.photo_changes == 2


# ---- who sees ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("visibility", Visibility.values)
def test_who_sees_the_list_sees_its_photos(owner: Owner, visibility: str) -> None:
    photo = added(owner)
    Roster.objects.update(visibility=visibility)
    expected = 404 if visibility == Visibility.PRIVATE else 200
    assert Client().get(address(photo)).status_code == expected
    assert owner.client.get(address(photo)).status_code == 200


def test_a_hidden_list_shows_its_photos_to_nobody_else(owner: Owner) -> None:
    photo = added(owner, owner.units()[0])
    Roster.objects.update(is_secret=True)
    assert Client().get(address(photo)).status_code == 404
    assert "/photos/" not in markup(Client().get(owner.roster.get_absolute_url()))
    assert owner.client.get(address(photo)).status_code == 200


def test_the_shared_page_shows_photos_at_once(owner: Owner) -> None:
    link, reader = owner.roster.get_absolute_url(), Client()
    assert "/photos/" not in markup(reader.get(link))
    photo, of_list = added(owner, owner.units()[0]), added(owner)
    page = markup(reader.get(link))
    assert address(photo) in page
    assert address(of_list, "large") in page
    hide_photo(photo, hidden=True)
    assert address(photo) not in markup(reader.get(link))
    hide_photo(photo, hidden=False)
    assert address(photo) in markup(reader.get(link))


def list_pictures(client: Client, page: str) -> int:
    return markup(client.get(reverse(page))).count('<img class="base l"')


def test_overviews_show_the_photo_of_a_list(owner: Owner) -> None:
    unit = owner.unit("warden")
    added(owner, unit=unit)
    # A photo of a unit is none of the list.
    assert list_pictures(owner.client, "roster:rosters") == 0
    photo = added(owner)
    Roster.objects.update(visibility=Visibility.PUBLIC)
    assert list_pictures(owner.client, "roster:rosters") == 1
    assert list_pictures(Client(), "roster:public") == 1
    hide_photo(photo, hidden=True)
    assert list_pictures(owner.client, "roster:rosters") == 0
    assert list_pictures(Client(), "roster:public") == 0


def test_the_photo_of_a_hidden_list_is_for_its_owner(owner: Owner) -> None:
    added(owner)
    Roster.objects.update(visibility=Visibility.PUBLIC, is_secret=True)
    assert list_pictures(owner.client, "roster:rosters") == 1
    assert list_pictures(Client(), "roster:public") == 0


def test_the_page_of_photos_has_the_face_of_its_list(owner: Owner) -> None:
    hue = re.compile(r'<html[^>]* class="([^"]*)"')
    page, builder = (markup(owner.client.get(address)) for address in (owner.url("photos"), owner.url()))
    assert hue.findall(page) == hue.findall(builder)


def test_lists_without_photos_ask_for_none(owner: Owner, django_assert_num_queries: Any) -> None:
    roster = owner.roster
    with django_assert_num_queries(0):
        assert photos.list_shown_photos(roster) == photos.list_photos(roster, Visitor()) == []
        assert photos.find_unit_photo(roster, "x") is None


def test_the_builder_shows_the_photo_of_an_opened_unit(owner: Owner) -> None:
    unit = owner.units()[0]
    assert "unit-photo" not in markup(owner.page(open=unit))
    photo = added(owner, unit)
    assert address(photo) in markup(owner.page(open=unit))
    assert address(photo) not in markup(owner.page())


def test_a_unit_that_left_the_list_keeps_its_photo(owner: Owner) -> None:
    unit = owner.units()[0]
    photo = added(owner, unit)
    owner.done(do="remove", node=unit)
    page = markup(owner.client.get(owner.url("photos")))
    assert address(photo) in page
    assert "not in the list now" in page
    assert "/photos/" not in markup(Client().get(owner.roster.get_absolute_url()))
    owner.done(do="undo")
    assert address(photo) in markup(Client().get(owner.roster.get_absolute_url()))


def test_staff_hide_and_show_photos(owner: Owner) -> None:
    photo = added(owner)
    staff = Client()
    staff.force_login(account("staff@example.org", staff=True))
    listed = reverse("admin:roster_photo_changelist")
    assert address(photo) in markup(staff.get(listed))
    staff.post(listed, {"action": "hide", "_selected_action": [photo.pk]})
    assert Client().get(address(photo)).status_code == 404
    assert staff.get(address(photo)).status_code == 200
    assert owner.client.get(address(photo)).status_code == 200
    assert "The staff have hidden this photo" in markup(owner.client.get(owner.url("photos")))
    staff.post(listed, {"action": "show_again", "_selected_action": [photo.pk]})
    assert Client().get(address(photo)).status_code == 200
    staff.post(listed, {"action": "delete_selected", "_selected_action": [photo.pk], "post": "yes"})
    assert Photo.objects.exists()


def test_a_reported_list_that_is_hidden_hides_its_photos(owner: Owner) -> None:
    photo = added(owner)
    Roster.objects.update(taken_down=True)
    assert Client().get(address(photo)).status_code == 404


# ---- what is left ------------------------------------------------------------------------------------------------


def test_a_copy_has_no_photos(owner: Owner) -> None:
    added(owner)
    copied = copy_roster(owner.roster, Visitor(user_id=owner.roster.owner_id))
    assert isinstance(copied, Roster)
    assert not copied.photos.exists()
    assert Photo.objects.count() == 1


def test_photos_are_deleted_with_their_list(owner: Owner, media: Path, django_capture_on_commit_callbacks: Any) -> None:
    added(owner)
    lists = Roster.objects.filter(pk=owner.roster.pk)
    move_to_bin(lists)
    assert len(stored_files(media)) == 2, "the bin keeps them"
    with django_capture_on_commit_callbacks(execute=True):
        delete_for_good(lists)
    assert not stored_files(media)


def test_photos_are_deleted_with_the_account(
    owner: Owner, media: Path, django_capture_on_commit_callbacks: Any
) -> None:
    added(owner, owner.units()[0])
    with django_capture_on_commit_callbacks(execute=True):
        delete_account(User.objects.get(pk=owner.roster.owner_id))
    assert not stored_files(media)


def test_an_account_takes_its_photos_along(owner: Owner) -> None:
    photo = added(owner, owner.units()[0])
    file = BytesIO()
    export_account_data(User.objects.get(pk=owner.roster.owner_id), file)
    with zipfile.ZipFile(file) as archive:
        assert archive.read(photo.large) == owner.client.get(address(photo, "large")).content
        [row] = map(json.loads, archive.read("photos.jsonl").decode().splitlines())
    assert row["large"] == photo.large
    assert row["unit"] == photo.unit


def test_the_account_page_says_how_much_they_take(owner: Owner) -> None:
    added(owner)
    assert "Photos: " in markup(owner.client.get(reverse("roster:account")))


def test_lost_files_are_deleted_after_a_day(owner: Owner, media: Path, monkeypatch: Any) -> None:
    added(owner)
    lost = default_storage.save("photos/ab/lost.jpg", BytesIO(b"x"))
    assert delete_lost_files() == 0
    later = timezone.now() + timedelta(days=2)
    monkeypatch.setattr("roster.services.stored_files.timezone.now", lambda: later)
    call_command("delete_lost_photos", verbosity=0)
    assert not default_storage.exists(lost)
    assert len(stored_files(media)) == 2
    Photo.objects.update(large="photos/ab/other.jpg")
    Photo.objects.all()._raw_delete("default")
    assert delete_lost_files() == 0, "without photos it is probably the wrong database"


def test_a_lost_file_is_no_error(owner: Owner) -> None:
    photo = added(owner)
    default_storage.delete(photo.large)
    assert owner.client.get(address(photo, "large")).status_code == 404
    export_account_data(User.objects.get(pk=owner.roster.owner_id), BytesIO())


@pytest.mark.django_db(transaction=True)
def test_site_backups_hold_the_photos(owner: Owner, media: Path, tmp_path: Path, settings: Any) -> None:
    photo = added(owner)
    first = write_site_backup(tmp_path / "backups")
    # Commands read through the storage that waits longer, if there is one.
    patient = {"BACKEND": "django.core.files.storage.FileSystemStorage", "OPTIONS": {"location": str(media)}}
    stores, settings.STORAGES = settings.STORAGES, {**settings.STORAGES, PATIENT: patient}
    settings.MEDIA_ROOT = tmp_path / "nothing"
    second = write_site_backup(tmp_path / "backups")
    settings.STORAGES, settings.MEDIA_ROOT = stores, media
    assert (first / photo.large).samefile(second / photo.large), "backups share what is the same"
    owner.client.post(reverse("roster:photo-delete", args=[owner.public_id, photo.pk]))
    assert not stored_files(media)
    call_command("restore", str(second), replace=True, verbosity=0)
    assert owner.client.get(address(photo)).status_code == 200
    assert owner.client.get(address(photo, "large")).status_code == 200


# ---- on paper ----------------------------------------------------------------------------------------------------


def count_pictures(pdf: bytes) -> int:
    return sum(len(page.images) for page in PdfReader(BytesIO(pdf)).pages)


def test_paper_has_photos_by_choice(owner: Owner) -> None:
    sheet = reverse("roster:sheet", args=[owner.roster.link_id])
    assert 'name="photos"' not in markup(owner.page())
    added(owner, owner.units()[0])
    added(owner)
    assert 'name="photos"' in markup(owner.page())
    assert count_pictures(owner.client.get(sheet).content) == 0
    for style, pictures in (("full", 2), ("summary", 0), ("opponent", 0)):
        answer = Client().get(sheet, {"photos": "yes", "style": style})
        assert answer.status_code == 200
        assert count_pictures(answer.content) == pictures
    assert owner.client.get(sheet, {"photos": "many"}).status_code == 400


def test_paper_changes_with_the_photo_and_leaves_out_what_is_hidden(owner: Owner) -> None:
    sheet = reverse("roster:sheet", args=[owner.roster.link_id])
    photo = added(owner)
    first = owner.client.get(sheet, {"photos": "yes"})
    assert owner.client.get(sheet, {"photos": "yes"}, headers={"If-None-Match": first["ETag"]}).status_code == 304
    added(owner, content=write(draw(50, 80)))
    assert owner.client.get(sheet, {"photos": "yes"})["ETag"] != first["ETag"]
    hide_photo(Photo.objects.get(roster=photo.roster_id), hidden=True)
    assert count_pictures(owner.client.get(sheet, {"photos": "yes"}).content) == 0
    Roster.objects.update(is_secret=True)
    assert count_pictures(Client().get(sheet, {"photos": "yes"}).content) == 0


@pytest.mark.parametrize("size", [(300, 200), (200, 300), (1000, 20), (20, 1000)])
def test_as_many_pages_are_laid_out_as_were_counted(owner: Owner, size: tuple[int, int]) -> None:
    for _number in range(9):
        owner.unit("warden")
    for unit in owner.units():
        added(owner, unit, write(draw(*size)))
    added(owner, content=write(draw(*size)))
    job = create_sheet_job(owner.roster, SheetOptions(photos=Photos.SHOWN))
    sheet = job.build_sheet()
    pages = build_sheet_pages(sheet, job.options, make_look(sheet, job.options))
    assert len(lay_out_sheet(sheet, job.options).pages) == len(pages)
    assert len(sheet.photos) == len(owner.units()) + 1
