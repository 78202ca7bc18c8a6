"""The API of events: the same verbs and the same secrets as the pages."""

import json

import pytest
import yaml
from django.utils import timezone

from roster.events.models import AuditRecord, Event, Pairing, Submission
from roster.events.services.bench import add_penalty
from roster.events.services.pairings import publish_round
from tests.events.cast import LIST, TWO_CUTTERS, Bench, opened

pytestmark = pytest.mark.django_db


def ask(bench: Bench, who: str, path: str = ""):
    return bench.client(who).get(f"/api/v1/events/{bench.event.public_id}/{path}")


def send(bench: Bench, who: str, path: str, **body: object):
    address = f"/api/v1/events/{bench.event.public_id}/{path}"
    return bench.client(who).post(address, json.dumps(body), content_type="application/json")


def test_events_are_listed_for_who_takes_part():
    bench = opened("ann")
    found = {who: [e["role"] for e in bench.client(who).get("/api/v1/events/").json()] for who in ("ora", "ann", "sue")}
    assert found == {"ora": ["organiser"], "ann": ["player"], "sue": []}
    assert bench.client().get("/api/v1/events/").status_code == 401, "a dead session does not look like no events"
    assert ask(bench, "").json()["rules"] == bench.event.rules
    players = [ask(bench, who).json()["player"] for who in ("ann", "ora")]
    assert players == [bench.entry("ann").public_id, ""], "a program finds the list of its own player"
    Event.objects.update(status="draft")
    assert [ask(bench, who).status_code for who in ("ora", "ann", "")] == [200, 404, 404]
    assert bench.client().get("/api/v1/events/none/").status_code == 404


def test_lists_are_hidden_until_they_are_shown():
    bench = opened("ann", "bob")
    bench.submit("ann")
    player = f"players/{bench.entry('ann').public_id}/"
    assert [ask(bench, who, player).status_code for who in ("ann", "jud", "bob", "sue", "")] == [
        200,
        200,
        404,
        404,
        404,
    ]
    assert AuditRecord.objects.filter(act="look").count() == 1
    assert [len(ask(bench, who, "submissions/").json()) for who in ("jud", "bob", "")] == [2, 0, 0]
    Event.objects.update(reveal_faction=timezone.now())
    (row,) = ask(bench, "bob", "submissions/").json()
    assert (row["faction"], row["points"], row["verdict"]) == (bench.entry("ann").faction, "", "")
    Event.objects.update(reveal_roster=timezone.now())
    assert ask(bench, "", player).json()["verdict"] == "legal"


def test_a_list_is_judged_then_submitted():
    bench = opened("ann")
    player = f"players/{bench.entry('ann').public_id}/"
    judged = send(bench, "ann", player, list=TWO_CUTTERS)
    assert (judged.status_code, judged.json()["verdict"], Submission.objects.count()) == (200, "illegal", 0)
    written = send(bench, "ann", player, list=yaml.safe_load(LIST))
    assert written.json()["verdict"] == "legal", "a document need not be written as text"
    done = send(bench, "ann", player, list=LIST, submit=True)
    assert (done.status_code, done.json()["hash"]) == (201, Submission.objects.get().received_hash)
    assert send(bench, "ann", player).status_code == 400
    assert send(bench, "ann", player, list=["x"]).status_code == 400
    assert [
        send(bench, who, player, list=LIST, submit=True).status_code for who in ("bob", "ora") if who in bench.people
    ] == [404]
    assert send(bench, "", player, list=LIST).status_code == 401
    bench.pass_deadline()
    assert send(bench, "ann", player, list=TWO_CUTTERS, submit=True).status_code == 409


def test_a_judge_decides():
    bench = opened("ann")
    bench.submit("ann")
    path = f"players/{bench.entry('ann').public_id}/decision/"
    assert send(bench, "jud", path, status="returned").status_code == 409
    lost = send(bench, "jud", path, status="lost")
    assert (lost.status_code, lost.json()["errors"]) == (400, {"status": ["Choose one of: accepted, returned, new."]})
    assert send(bench, "jud", path, status="accepted", number=1).json()["status"] == "accepted"
    assert [send(bench, who, path, status="new").status_code for who in ("ann", "sue", "")] == [404, 404, 401]


def test_pairings_and_standings_are_shown_as_on_the_pages():
    bench = opened("ann", "bob")
    ann, bob = bench.entry("ann"), bench.entry("bob")
    table = {"event": bench.event, "table": "1", "first": ann, "second": bob}
    Pairing.objects.create(round=1, first_points=12, second_points=8, **table)
    Pairing.objects.create(round=2, **table)
    add_penalty(ann, bench.people["jud"], "late", "5", "")
    seen = {who: [len(ask(bench, who, path).json()) for path in ("pairings/", "standings/")] for who in ("jud", "")}
    assert seen == {"jud": [2, 2], "": [0, 0]}
    publish_round(bench.event, bench.people["ora"], 1, is_shown=True)
    (row,) = ask(bench, "", "pairings/").json()
    assert (row["round"], row["name"], row["opponent"], row["points"]) == (1, "ann", bob.public_id, "12.00")
    places = ask(bench, "", "standings/").json()
    assert [(row["place"], row["name"], row["total"]) for row in places] == [(1, "bob", "8.00"), (2, "ann", "7.00")]
    Event.objects.update(status="draft")
    assert [ask(bench, "", path).status_code for path in ("pairings/", "standings/")] == [404, 404]
