"""Photos of a collection's models: for their owner, and for readers of the collection's link."""

import io
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from roster.club.models import Collection, KindPhoto, OwnedKind
from roster.club.services import collections as verbs
from roster.services.accounts import delete_account, export_account_data
from roster.services.limits import measure_photos
from roster.services.photos import delete_lost_files, hide_photo
from tests.club.test_battles import count_queries
from tests.markup import markup
from tests.roster.photo_files import PLACE, claim_size, send, take_photo
from tests.roster.views_cast import SCRIPT, Owner, started, started_with_account

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def media(settings: Any, tmp_path: Path) -> Path:
    settings.MEDIA_ROOT = tmp_path / "media"
    return tmp_path / "media"


class Shelf:
    """Ann's collection with one kind of model. A guest looks on."""

    def __init__(self, owner: Owner) -> None:
        self.client, self.guest = owner.client, Client()
        assert self.client.post(reverse("club:collections"), {"faction": "fenland:marsh"}).status_code == 303
        self.collection = Collection.objects.get()
        self.kind = self.add_kind("Cutters")

    def add_kind(self, name: str) -> OwnedKind:
        page = reverse("club:collection", args=[self.collection.public_id])
        form = {"do": "add", "name": name, "number": 3, "target": "painted"}
        assert self.client.post(page, form).status_code == 303
        return OwnedKind.objects.get(name=name)

    @property
    def address(self) -> str:
        return reverse("club:kind-photos", args=[self.collection.public_id, self.kind.pk])

    def photo(self, content: bytes | None = None, **fields: Any) -> HttpResponse:
        form = {"do": "add", "caption": "In the reeds", "file": send(content or take_photo())} | fields
        return self.client.post(self.address, form)

    def share(self) -> None:
        Collection.objects.update(visibility="link")

    def page(self, query: str = "") -> str:
        return markup(self.client.get(reverse("club:collection", args=[self.collection.public_id]) + query))

    def linked(self, query: str = "") -> str:
        return markup(self.guest.get(self.collection.get_absolute_url() + query))


@pytest.fixture
def shelf() -> Shelf:
    return Shelf(started_with_account())


def test_photos_are_small_in_the_row_and_large_when_it_is_opened(shelf: Shelf) -> None:
    assert shelf.address in shelf.page(f"?open={shelf.kind.pk}")
    assert shelf.photo(caption=f"Mud {SCRIPT}").status_code == 303
    photo = KindPhoto.objects.get()
    small, large = photo.get_address("small"), photo.get_address("large")
    assert small in shelf.page()
    assert large not in shelf.page()
    assert large in shelf.page(f"?open={shelf.kind.pk}")
    assert SCRIPT not in shelf.page(f"?open={shelf.kind.pk}")
    # Until the collection is shared, only its owner sees them.
    assert shelf.client.get(small).status_code == 200
    assert shelf.guest.get(small).status_code == 404
    shelf.share()
    assert small in shelf.linked()
    shown = shelf.linked(f"?open={shelf.kind.pk}")
    assert large in shown
    assert "<form" not in shown.partition('class="opened"')[2].partition("</ul>")[0]
    for address in (small, large):
        answer = shelf.guest.get(address)
        assert answer["Content-Type"] == "image/jpeg"
        assert PLACE not in answer.content
    assert shelf.guest.get(photo.get_address("huge")).status_code == 404
    assert shelf.guest.get(shelf.address).status_code == 404


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"<script>alert(1)</script>", "JPEG, PNG or WebP"),
        (claim_size(60_000, 60_000), "megapixels"),
        (None, "Choose a file first."),
    ],
    ids=["page", "bomb", "none"],
)
def test_a_photo_that_is_none_is_refused_and_the_caption_stays(shelf: Shelf, content: bytes | None, says: str) -> None:
    file = {"file": ""} if content is None else {"file": send(content)}
    answer = shelf.photo(caption="By the ford", **file)
    assert answer.status_code == 422
    assert says in markup(answer)
    assert 'value="By the ford"' in markup(answer)
    assert not KindPhoto.objects.exists()


def test_photos_have_an_order_a_caption_and_a_number(
    shelf: Shelf, media: Path, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    for caption in ("One", "Two", "Three"):
        assert shelf.photo(caption=caption).status_code == 303
    one, two, three = KindPhoto.objects.all()
    assert [one.caption, two.caption, three.caption] == ["One", "Two", "Three"]
    post = shelf.client.post
    for _time in range(2):
        assert post(shelf.address, {"do": "first", "photo": three.pk}).status_code == 303
        assert [photo.caption for photo in KindPhoto.objects.all()] == ["Three", "One", "Two"]
    assert three.get_address("small") in shelf.page()
    assert one.get_address("small") not in shelf.page()
    assert post(shelf.address, {"do": "caption", "photo": two.pk, "caption": "Last"}).status_code == 303
    assert "Last" in markup(shelf.client.get(shelf.address))
    wrong = post(shelf.address, {"do": "caption", "photo": two.pk, "caption": "y" * 201})
    assert (wrong.status_code, "y" * 201 in markup(wrong)) == (422, True)
    monkeypatch.setattr(verbs, "MOST_PHOTOS", 3)
    full = shelf.photo()
    assert full.status_code == 422
    assert "at most 3 photos" in markup(full)
    for fields in ({"do": "delete", "photo": 0}, {"do": "first", "photo": 0}, {"do": "x"}, {}):
        assert post(shelf.address, fields).status_code == 422
    assert delete_lost_files() == 0
    with django_capture_on_commit_callbacks(execute=True):
        for photo in (one, two, three):
            assert post(shelf.address, {"do": "delete", "photo": photo.pk}).status_code == 303
    assert not [path for path in media.rglob("*") if path.is_file()]


def test_guests_are_asked_to_sign_up() -> None:
    shelf = Shelf(started())
    assert "You need an account to add photos." in markup(shelf.client.get(shelf.address))
    answer = shelf.photo()
    assert answer.status_code == 422
    assert "You need an account to add photos." in markup(answer)


def test_photos_count_for_the_account_are_exported_and_go_with_it(
    shelf: Shelf, media: Path, django_capture_on_commit_callbacks: Any
) -> None:
    shelf.photo()
    user = User.objects.get(email="ann@example.org")
    assert measure_photos(user.pk) == KindPhoto.objects.get().size > 0
    file = io.BytesIO()
    export_account_data(user, file)
    with zipfile.ZipFile(file) as archive:
        assert sum(name.endswith(".jpg") for name in archive.namelist()) == 2
        assert b"In the reeds" in archive.read("kind_photos.jsonl")
    with django_capture_on_commit_callbacks(execute=True):
        delete_account(user)
    assert not [path for path in media.rglob("*") if path.is_file()]


def test_staff_hide_a_photo(shelf: Shelf) -> None:
    shelf.photo()
    shelf.share()
    photo = KindPhoto.objects.get()
    staff = Client()
    staff.force_login(User.objects.create_superuser("root", "root@example.org"))
    assert "In the reeds" in markup(staff.get(reverse("admin:club_kindphoto_changelist")))
    hide_photo(photo, hidden=True)
    assert shelf.guest.get(photo.get_address("small")).status_code == 404
    assert photo.get_address("small") not in shelf.linked()
    assert shelf.client.get(photo.get_address("small")).status_code == 200
    assert "Hidden by the staff" in shelf.page(f"?open={shelf.kind.pk}")


def test_pages_ask_the_same_at_one_and_three(shelf: Shelf) -> None:
    shelf.share()
    shelf.photo()
    page = reverse("club:collection", args=[shelf.collection.public_id])
    addresses = [page, f"{page}?open={shelf.kind.pk}", shelf.collection.get_absolute_url(), shelf.address]
    counts = [count_queries(shelf.client, address) for address in addresses]
    first = shelf.kind
    for name in ("Boat", "Raft"):
        shelf.kind = first
        shelf.photo()
        shelf.kind = shelf.add_kind(name)
        shelf.photo()
    shelf.kind = first
    assert [count_queries(shelf.client, address) for address in addresses] == counts
