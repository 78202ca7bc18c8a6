"""The maximum size of bodies by URL name: just within each limit and just above it."""

import io
import zipfile

import pytest
from django.conf import settings
from django.contrib.auth.models import Permission
from django.core.files.uploadedfile import SimpleUploadedFile, TemporaryUploadedFile
from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from roster.club.models import BattleReport, Collection, OwnedKind
from roster.models import Roster
from roster.services.owners import Visitor
from roster.services.rosters import start_roster
from tests.events.cast import LIST, Bench, opened
from tests.roster.addresses import named

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

GENERAL: int = settings.ARMYBUILDER["MAX_BODY_BYTES"]
OWN: dict[str, int] = settings.ARMYBUILDER["MAX_BODY_BYTES_AT"]
MEGABYTE = 1024 * 1024
TYPE = "multipart/form-data; boundary=b"
HEAD = b'--b\r\nContent-Disposition: form-data; name="file"; filename="x.bin"\r\n\r\n'
TAIL = b"\r\n--b--\r\n"


@pytest.fixture
def bench() -> Bench:
    made = opened("ann")
    organiser = made.people["ora"]
    organiser.is_staff = True
    organiser.save()
    organiser.user_permissions.add(Permission.objects.get(codename="add_packversion"))
    # A list, a battle report and a collection at the address of the event, for photos.
    faction = made.event.version.factions.first()
    started = start_roster(Visitor(user_id=organiser.pk), made.event.version, faction.faction_id)
    Roster.objects.filter(pk=started.pk).update(public_id=made.event.public_id)
    BattleReport.objects.create(owner=organiser, public_id=made.event.public_id, name="Reeds", game_name="Fenland")
    shelf = Collection.objects.create(owner=organiser, public_id=made.event.public_id, name="Reeds")
    OwnedKind.objects.create(pk=1, collection=shelf, name="Heron")
    return made


@pytest.fixture
def received(monkeypatch: pytest.MonkeyPatch) -> list[WSGIRequest]:
    requests: list[WSGIRequest] = []
    from armybuilder.middleware import RateLimitMiddleware

    def note(self: RateLimitMiddleware, request: WSGIRequest, *given: object) -> None:
        requests.append(request)

    monkeypatch.setattr(RateLimitMiddleware, "process_view", note)
    return requests


def send(client: Client, address: str, size: int) -> HttpResponse:
    return client.generic("POST", address, HEAD + b"\0" * (size - len(HEAD) - len(TAIL)) + TAIL, TYPE)


@pytest.mark.parametrize("name", OWN)
def test_a_body_within_the_limit_of_its_address_is_read(bench: Bench, received: list[WSGIRequest], name: str) -> None:
    address = named(name, bench.event.public_id)
    assert send(bench.client("ora"), address, OWN[name]).status_code in (400, 422)
    (request,) = received
    # In a temporary file, not in memory.
    assert isinstance(request.FILES["file"], TemporaryUploadedFile)


@pytest.mark.parametrize("name", OWN)
def test_a_body_above_the_limit_of_its_address_is_not(bench: Bench, received: list[WSGIRequest], name: str) -> None:
    address = named(name, bench.event.public_id)
    assert send(bench.client("ora"), address, OWN[name] + 1).status_code == 413
    assert received == []


@pytest.mark.parametrize("address", ["/", "/rosters/import/", "/api/v1/check", "/nowhere/", "/events/upload/"])
def test_everywhere_else_the_general_limit_holds(db: None, received: list[WSGIRequest], address: str) -> None:
    client = Client(raise_request_exception=False)
    assert send(client, address, GENERAL).status_code not in (413, 500)
    received.clear()
    assert send(client, address, GENERAL + 1).status_code == 413
    assert received == []


@pytest.mark.parametrize("stated", ["9" * 5_000, "0" * 5_000 + "9" * 30, "9" * 20])
def test_a_length_beyond_all_numbers_is_refused(db: None, stated: str) -> None:
    assert Client().post("/api/v1/check", headers={"x": "y"}, CONTENT_LENGTH=stated).status_code == 413


def test_the_lists_of_an_event_come_in_64_megabytes(bench: Bench) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("ann.yaml", LIST)
        archive.writestr(".pictures", bytes(64 * MEGABYTE - len(LIST) - 400))
    assert 64 * MEGABYTE - 400 < len(buffer.getvalue()) <= 64 * MEGABYTE
    client, address = bench.client("ora"), reverse("events:upload", args=[bench.event.public_id])
    answer = client.post(address, {"file": SimpleUploadedFile("lists.zip", buffer.getvalue())})
    assert answer.status_code == 303
    assert [line["outcome"] for line, _ in client.get(answer["Location"]).context["lines"]] == ["taken"]


@pytest.mark.parametrize(
    ("name", "who"), [("events:upload", "ann"), ("events:upload", ""), ("catalogue:import", "ann")]
)
def test_files_of_anybody_who_may_not_send_them_are_not_read(
    bench: Bench, received: list[WSGIRequest], name: str, who: str
) -> None:
    answer = send(bench.client(who), named(name, bench.event.public_id), 3 * MEGABYTE)
    assert answer.status_code == 404
    assert received
    assert not hasattr(received[0], "_files")


@pytest.mark.parametrize("name", ["events:upload", "catalogue:import"])
def test_their_forms_need_the_token_all_the_same(bench: Bench, name: str) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(bench.people["ora"])
    assert send(client, named(name, bench.event.public_id), 1000).status_code == 403
