"""Accounts and events: exports of accounts, deleted accounts, the admin."""

import io
import json
import zipfile

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from roster.events.models import AuditRecord, Event, EventRole, Participant, Penalty, Submission
from roster.events.services.bench import add_comment, add_penalty
from roster.events.services.teams import create_team
from roster.services.accounts import delete_account, export_account_data
from tests.events.cast import Bench, opened

pytestmark = pytest.mark.django_db


def exported(user: User) -> dict[str, list[dict[str, object]]]:
    buffer = io.BytesIO()
    export_account_data(user, buffer)
    with zipfile.ZipFile(buffer) as archive:
        return {
            name.removesuffix(".jsonl"): [json.loads(line) for line in archive.read(name).splitlines()]
            for name in archive.namelist()
            if name.endswith(".jsonl")
        }


def test_an_account_takes_its_events_and_lists_along():
    bench = opened("ann", "bob")
    mine = bench.submit("ann")
    bench.submit("bob")
    add_comment(bench.entry("ann"), bench.people["jud"], "player", "Well made.")
    add_comment(bench.entry("ann"), bench.people["jud"], "organisers", "Known for this.")
    for points, name in (("5", "ann"), ("7", "bob")):
        add_penalty(bench.entry(name), bench.people["jud"], "late", points, "An hour late.")
    Penalty.objects.create(participant=bench.entry("ann"), offence="illegal", points=9)
    held = exported(bench.people["ann"])
    assert [row["received_hash"] for row in held["submissions"]] == [mine.received_hash]
    assert [row["name"] for row in held["participants"]] == ["ann"]
    assert [row["text"] for row in held["event_comments"]] == ["Well made."]
    assert [(row["points"], row["reason"]) for row in held["penalties"]] == [("5.00", "An hour late.")]
    assert held["events"] == []
    assert [row["name"] for row in exported(bench.people["ora"])["events"]] == ["Autumn Muster"]
    assert exported(bench.people["ora"])["submissions"] == []
    assert len(exported(bench.people["jud"])["event_comments"]) == 2


def test_the_event_of_a_lone_organiser_goes_to_a_judge_then_is_closed():
    bench = opened("ann")
    bench.submit("ann")
    delete_account(bench.people["ora"])
    assert bench.event.roles.get().kind == "organiser"
    assert bench.client("jud").get(reverse("events:settings", args=[bench.event.public_id])).status_code == 200
    delete_account(bench.people["jud"])
    assert bench.fresh().status == "closed"
    assert not EventRole.objects.exists()
    assert list(AuditRecord.objects.filter(act__in=("inherit", "orphaned")).values_list("act", flat=True)) == [
        "orphaned",
        "inherit",
    ]
    # Players still find what they submitted.
    assert bench.client("ann").get(reverse("events:event", args=[bench.event.public_id])).status_code == 200
    assert (
        bench.client("ann")
        .get(reverse("events:list", args=[bench.event.public_id, bench.entry("ann").public_id]))
        .status_code
        == 200
    )


def test_an_event_with_another_organiser_goes_on_as_it_was():
    bench = opened()
    EventRole.objects.filter(user=bench.people["jud"]).update(kind="organiser")
    delete_account(bench.people["ora"])
    assert bench.fresh().status == "open"


def test_a_player_who_leaves_keeps_the_entry_without_an_address():
    bench = opened("ann")
    bench.submit("ann")
    Participant.objects.update(email="ann@example.org")
    delete_account(bench.people["ann"])
    entry = Participant.objects.get()
    assert (entry.user, entry.email, entry.verdict) == (None, "", "legal")
    assert Submission.objects.get().sender is None


def test_the_team_of_a_captain_who_leaves_goes_to_another_player():
    bench = opened("ann", "bob")
    Event.objects.update(is_team=True)
    bench.event.refresh_from_db()
    team = create_team(bench.event, bench.people["ann"], "Reeds")
    Participant.objects.update(team=team)
    delete_account(bench.people["ann"])
    team.refresh_from_db()
    assert team.captain == bench.people["bob"]
    delete_account(bench.people["bob"])
    team.refresh_from_db()
    assert team.captain is None


# ---- the admin -------------------------------------------------------------------------------------------------------


@pytest.fixture
def staff() -> Client:
    client = Client()
    client.force_login(User.objects.create_superuser("boss", "boss@example.org", "secret"))
    return client


def role_form(bench: Bench, user: User) -> dict[str, str]:
    roles = {"roles-TOTAL_FORMS": "1", "roles-INITIAL_FORMS": "0"}
    return roles | {"roles-0-event": str(bench.event.pk), "roles-0-user": str(user.pk), "roles-0-kind": "organiser"}


def test_staff_find_events_and_give_one_that_nobody_runs_to_somebody(staff):
    bench = opened("ann")
    bench.submit("ann")
    for name in ("event", "eventmail"):
        assert staff.get(reverse(f"admin:events_{name}_changelist")).status_code == 200
        assert staff.get(reverse(f"admin:events_{name}_add")).status_code == 403
    EventRole.objects.all().delete()
    address = reverse("admin:events_event_change", args=[bench.event.pk])
    assert "Autumn Muster" in staff.get(address).content.decode()
    answer = staff.post(address, role_form(bench, bench.people["sue"]) | {"name": "Renamed"})
    assert answer.status_code == 302
    assert bench.event.roles.get().user == bench.people["sue"]
    assert bench.fresh().name == "Autumn Muster"
    assert AuditRecord.objects.filter(act="add-organiser", actor__username="boss").exists()


def test_the_admin_is_for_staff_with_the_right():
    bench = opened()
    bench.people["sue"].is_staff = True
    bench.people["sue"].save()
    address = reverse("admin:events_event_change", args=[bench.event.pk])
    assert bench.client("sue").get(address).status_code == 403
    assert bench.client("jud").get(address).status_code == 302
