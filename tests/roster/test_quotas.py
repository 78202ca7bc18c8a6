"""Stored data is limited; full storage is reported, and nothing is lost."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from roster.models import Roster, RosterRevision
from roster.play.models import MissionDeck
from roster.play.services.mission_decks import start_deck
from roster.services.history import read_history
from roster.services.limits import check_room
from roster.services.outcomes import Refused
from roster.services.owners import NOBODY, Visitor
from tests.roster.views_cast import Owner, started

pytestmark = pytest.mark.django_db

PAGES = {"things": 2, "bytes": 10**6, "history": 10**6}


@pytest.fixture
def bounded(settings: Any):
    def bound(**bounds: int) -> None:
        quota = PAGES | bounds
        settings.ARMYBUILDER = {**settings.ARMYBUILDER, "QUOTAS": {"guest": quota, "account": quota}}

    return bound


@pytest.fixture
def member() -> Client:
    client = Client()
    client.force_login(User.objects.create_user("member"))
    return client


def rename(owner: Owner, name: str) -> Any:
    return owner.edit(do="rename", node="", text=name)


def test_a_list_more_than_there_is_room_for_is_not_started(client: Client, bounded: Any) -> None:
    bounded(things=2)
    first, _ = started(client), started(client)
    fields = {"game": "fenland", "faction": "marsh", "name": "Third"}
    answer = client.post(reverse("roster:new"), fields)
    assert (answer.status_code, Roster.objects.count()) == (422, 2)
    client.post(reverse("roster:copy", args=[first.roster.link_id]))
    file = SimpleUploadedFile("x.yaml", b"list: 1\ngame: fenland\nfaction: marsh\n")
    assert client.post(reverse("roster:import"), {"file": file}).status_code == 422
    assert Roster.objects.count() == 2
    assert started(Client()).roster


def test_bytes_of_all_lists_together(client: Client, bounded: Any) -> None:
    owner = started(client)
    visitor = Visitor(key=owner.roster.owner_key)
    bounded(things=9, bytes=owner.roster.written + 1)
    assert check_room(visitor, Roster) is None
    owner.unit("warden")
    assert check_room(visitor, Roster).code == "no-bytes"
    assert check_room(NOBODY, Roster) is None


def test_decks_are_counted_by_themselves(bounded: Any) -> None:
    bounded(things=1)
    visitor = Visitor(key="somebody")
    assert isinstance(start_deck(visitor, "First"), MissionDeck)
    assert start_deck(visitor, "Second") == Refused(code="no-room", measured=1, allowed=1)


def test_what_is_written_is_added_up(client: Client) -> None:
    owner = started(client)
    owner.unit("warden")
    owner.done(do="undo")
    owner.unit("cutters")
    assert owner.roster.written == sum(revision.stored for revision in RosterRevision.objects.all())


def test_the_oldest_steps_of_a_guest_make_room(client: Client, bounded: Any) -> None:
    owner = started(client)
    owner.client.post(owner.url("history"), {"do": "name", "number": "1", "name": "The beginning"})
    most = owner.roster.written + 600
    bounded(history=most)
    for number in range(30):
        owner.done(do="rename", node="", text=f"Name {number}")
    roster = owner.roster
    numbers = set(roster.revisions.values_list("number", flat=True))
    assert roster.name == "Name 29"
    assert {1, roster.head, roster.head - 1} <= numbers
    assert len(numbers) < 15
    assert roster.written == sum(revision.stored for revision in roster.revisions.all()) <= most
    assert read_history(roster).numbers == sorted(numbers, reverse=True)
    assert client.get(owner.url("history")).status_code == 200
    owner.done(do="undo")
    assert owner.roster.name == "Name 28"
    for _ in range(40):
        owner.edit(do="undo")
    assert owner.client.get(owner.url("builder")).status_code == 200


def test_the_steps_of_an_account_stay_and_a_full_history_says_so(member: Client, bounded: Any) -> None:
    owner = started(member)
    bounded(things=9, history=owner.roster.written + 300)
    while rename(owner, f"Name {owner.roster.head}").status_code < 400:
        assert owner.roster.head < 20
    before = owner.roster
    assert before.revisions.count() == before.head
    assert owner.edit(do="undo").status_code < 400
    copied = member.post(reverse("roster:copy", args=[before.link_id]))
    assert copied.status_code == 303
    assert Roster.objects.count() == 2


def test_what_a_backup_has_more_than_there_is_room_for_is_named(member: Client, bounded: Any) -> None:
    for name in ("First", "Second", "Third"):
        started(member, name=name)
    file = member.get(reverse("roster:backup")).getvalue()
    Roster.objects.all().delete()
    bounded(things=2)
    answer = member.post(reverse("roster:restore"), {"file": SimpleUploadedFile("x.gz", file)}, follow=True)
    assert Roster.objects.count() == 2
    assert "Third" in str(next(iter(answer.context["messages"])))
