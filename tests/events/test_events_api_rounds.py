"""Events, rounds and results by API: the same verbs as the pages."""

import json
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from roster.events.models import AuditRecord, Event, Pairing
from roster.events.services import events as events_verbs
from roster.models.tokens import TokenScope
from tests.events.cast import Bench, opened
from tests.roster.test_tokens import make

pytestmark = pytest.mark.django_db

EVENTS = "/api/v1/events/"


@pytest.fixture
def bench() -> Bench:
    return opened("ann", "bob", "eve")


def ask(bench: Bench, who: str, path: str, method: str = "GET", body: object = None) -> Any:
    return send(bench, who, f"{EVENTS}{bench.event.public_id}/{path}", method, body)


def send(bench: Bench, who: str, address: str, method: str = "POST", body: object = None) -> Any:
    sent = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
    return bench.client(who).generic(method, address, sent, content_type="application/json")


def bring(bench: Bench, *rows: dict[str, Any], who: str = "ora") -> Any:
    return ask(bench, who, "pairings/", "POST", {"pairings": rows})


def seen(bench: Bench, who: str) -> list[tuple[int, str, str, str]]:
    rows = ask(bench, who, "pairings/").json()
    return [(row["round"], row["table"], row["name"], row["opponent_name"]) for row in rows]


# ---- a new event -----------------------------------------------------------------------------------------------------


def test_an_event_is_made_as_on_the_page(bench: Bench) -> None:
    version = bench.event.version
    fields = {"name": "Spring Muster", "game": "fenland", "version": version.short_hash, "zone": "Europe/Paris"}
    made = send(bench, "sue", EVENTS, body=fields)
    assert made.status_code == 201, made.content.decode()
    shown = made.json()
    assert made["Location"] == f"{EVENTS}{shown['id']}/"
    facts = [shown[name] for name in ("name", "game", "version", "zone", "status", "role")]
    assert facts == ["Spring Muster", "fenland", version.short_hash, "Europe/Paris", "draft", "organiser"]
    assert send(bench, "sue", made["Location"], "GET").json() == shown
    assert bench.client("ann").get(made["Location"]).status_code == 404, "a draft is for its helpers"
    short = send(bench, "sue", EVENTS, body={"name": "Summer Muster", "game": "fenland"}).json()
    assert (short["version"], short["zone"]) == (version.short_hash, "UTC")


@pytest.mark.parametrize(
    ("fields", "status", "named"),
    [
        ({"name": None}, 400, "name"),
        ({"name": " "}, 409, "no-name"),
        ({"name": "x" * 500}, 409, "too-long"),
        ({"game": "nothing"}, 400, "game"),
        ({"game": "the fens"}, 400, "game"),
        ({"version": "0" * 64}, 400, "version"),
        ({"version": "newest"}, 400, "version"),
        ({"zone": "Fenland/Sluice"}, 400, "zone"),
        ({"zone": 1}, 400, "zone"),
        ({"status": "open"}, 400, "status"),
    ],
)
def test_a_wrong_event_is_a_problem_and_makes_nothing(
    bench: Bench, fields: dict[str, Any], status: int, named: str
) -> None:
    before = Event.objects.count()
    answer = send(bench, "sue", EVENTS, body={"name": "Spring Muster", "game": "fenland", **fields})
    problem = answer.json()
    assert (answer.status_code, named in (problem["code"], *problem.get("errors", ()))) == (status, True), problem
    assert problem["detail"]
    assert Event.objects.count() == before


def test_making_events_needs_an_account_the_scope_and_room(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    fields = {"name": "Spring Muster", "game": "fenland"}
    assert send(bench, "", EVENTS, body=fields).status_code == 401
    cache.clear()
    for scope, status in ((TokenScope.WRITE, 403), (TokenScope.EVENTS, 201)):
        secret = make(bench.people["sue"], scope, name=scope.value)
        sender = Client(headers={"Authorization": f"Bearer {secret}"})
        assert sender.post(EVENTS, fields, content_type="application/json").status_code == status
    monkeypatch.setattr(events_verbs, "MOST_EVENTS", 1)
    full = send(bench, "sue", EVENTS, body=fields)
    assert (full.status_code, full.json()["code"]) == (409, "no-room")


# ---- rounds and results ----------------------------------------------------------------------------------------------


def test_a_round_is_brought_shown_scored_and_deleted(bench: Bench) -> None:
    bob = bench.entry("bob").public_id
    brought = bring(bench, {"first": "Ann ", "second": bob, "table": "7"}, {"first": "eve", "second": None})
    assert (brought.status_code, brought.json()) == (201, [{"number": 1, "tables": 2, "is_shown": False}])
    tables = [(1, "7", "ann", "bob"), (1, "1", "eve", "")]
    assert (seen(bench, "ora"), seen(bench, "ann")) == (tables, [])

    numbers = [row["number"] for row in ask(bench, "ora", "pairings/").json()]
    result = f"pairings/{numbers[0]}/result/"
    report = {"first": 12, "second": 8.5}
    assert ask(bench, "ann", result, "PUT", report).status_code == 404, "the round is still hidden"
    shown = ask(bench, "ora", "rounds/1/", "POST", {"is_shown": True})
    assert (shown.status_code, shown.json()) == (200, {"number": 1, "tables": 2, "is_shown": True})
    assert seen(bench, "sue") == tables
    # Reports are for the two players, and a result is reported once.
    assert ask(bench, "eve", result, "PUT", report).status_code == 404
    assert ask(bench, "ann", result, "PUT", {"first": 12, "second": None}).json()["code"] == "bad-number"
    reported = ask(bench, "ann", result, "PUT", report)
    assert (reported.status_code, reported.json()["points"], reported.json()["opponent_points"]) == (
        200,
        "12.00",
        "8.50",
    )
    second = ask(bench, "bob", result, "PUT", {"first": 0, "second": 20})
    assert (second.status_code, second.json()["code"]) == (409, "reported")
    assert ask(bench, "bob", "pairings/").json()[0] == reported.json()
    # Helpers change results, and the log names all.
    assert ask(bench, "jud", result, "PUT", {"first": 10, "second": 10}).json()["points"] == "10.00"
    assert ask(bench, "jud", f"pairings/{numbers[1]}/result/", "PUT", {"first": 10, "second": None}).status_code == 200
    assert ask(bench, "jud", result, "PUT", {"first": None, "second": None}).json()["points"] is None
    log = AuditRecord.objects.filter(act="results").order_by("pk").values_list("actor__email", "detail")
    assert [(email.partition("@")[0], detail) for email, detail in log] == [
        ("ann", "1; 7: –:– → 12:8.5"),
        ("jud", "1; 7: 12:8.5 → 10:10"),
        ("jud", "1; 1: –:– → 10:–"),
        ("jud", "1; 7: 10:10 → –:–"),
    ]

    # A round that is brought again stays shown; a row without a round is of the next.
    again = {"round": 1, "first": "ann", "second": "eve", "first_points": 3.14159, "second_points": 0}
    brought = bring(bench, again, {"first": "bob", "second": "eve"})
    rounds = [{"number": 1, "tables": 1, "is_shown": True}, {"number": 2, "tables": 1, "is_shown": False}]
    assert brought.json() == rounds
    assert [row["points"] for row in ask(bench, "", "pairings/").json()] == ["3.14"]
    assert ask(bench, "ora", "rounds/1/", "POST", {"is_shown": False}).json()["is_shown"] is False
    assert ask(bench, "ora", "rounds/1/", "DELETE").status_code == 204
    assert seen(bench, "ora") == [(2, "1", "bob", "eve")]
    assert ask(bench, "ora", "rounds/1/", "DELETE").status_code == 404


@pytest.mark.parametrize(
    ("rows", "status", "code", "said"),
    [
        ([], 400, "invalid-fields", "pairings"),
        ([{"first": "ann"}], 400, "invalid-fields", "second"),
        ([{"first": None, "second": "ann"}], 400, "invalid-fields", "[1].first"),
        ([{"first": "ann", "second": ""}], 400, "invalid-fields", "[1].second"),
        ([{"first": "eve", "second": None, "round": 0}], 400, "invalid-fields", "[1].round"),
        ([{"first": "eve", "second": None, "round": 101}], 400, "invalid-fields", "[1].round"),
        ([{"first": "eve", "second": None, "table": "x" * 21}], 400, "invalid-fields", "[1].table"),
        ([{"first": "eve", "second": None, "first_points": 10**400}], 400, "invalid-fields", "[1].first_points"),
        ([{"first": "eve", "second": None, "points": 1}], 400, "invalid-fields", "points"),
        ([{"first": "zed", "second": "BYE"}], 400, "invalid-fields", "Row 2: “zed”"),
        ([{"first": "eve", "second": "ann", "round": 1}], 409, "paired-twice", "“ann”"),
        ([{"first": "eve", "second": "eve"}], 409, "paired-twice", "“eve”"),
    ],
)
def test_wrong_rows_are_named_and_store_nothing(
    bench: Bench, rows: list[dict[str, Any]], status: int, code: str, said: str
) -> None:
    bring(bench, {"first": "ann", "second": "bob"})
    before = list(Pairing.objects.values())
    answer = bring(bench, *([{"first": "ann", "second": "bob", "round": 1}] if rows else []), *rows)
    problem = answer.json()
    assert (answer.status_code, problem["code"], problem.get("row", 2)) == (status, code, 2), problem
    assert said in json.dumps(problem, ensure_ascii=False)
    assert list(Pairing.objects.values()) == before


def test_named_tables_stay_and_the_others_get_free_ones(bench: Bench) -> None:
    brought = bring(bench, {"first": "eve", "second": None}, {"first": "ann", "second": "bob", "table": "1"})
    assert brought.status_code == 201
    assert sorted(seen(bench, "ora")) == [(1, "1", "ann", "bob"), (1, "2", "eve", "")]
    assert bring(bench, {"first": "ann", "second": "eve"}).json()[0]["number"] == 2


def test_a_name_that_two_players_have_needs_an_id(bench: Bench) -> None:
    ann, bob = bench.entry("ann"), bench.entry("bob")
    bench.event.participants.filter(pk=bob.pk).update(name="ann")
    bench.event.participants.filter(name="eve").update(name=ann.public_id)
    unclear = bring(bench, {"first": "ann", "second": None}, {"first": ann.public_id, "second": "nobody"})
    sentences = unclear.json()["errors"]["pairings"]
    assert [sentence.partition(" is ")[0] for sentence in sentences] == ["Row 1: “ann”", "Row 2: “nobody”"]
    assert bring(bench, {"first": ann.public_id, "second": bob.public_id}).status_code == 201
    pairing = Pairing.objects.get()
    assert (pairing.first_id, pairing.second_id) == (ann.pk, bob.pk), "no player is called like another's id"


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"[]", 400),
        (b"", 400),
        ({"first": 1}, 400),
        ({"first": "12", "second": 8}, 400),
        ({"first": 100_000, "second": 8}, 400),
        ({"first": 10**400, "second": 8}, 400),
        ({"first": True, "second": 8}, 400),
        ({"first": 1, "second": 8, "round": 2}, 400),
    ],
)
def test_wrong_results_change_nothing(bench: Bench, body: object, status: int) -> None:
    bring(bench, {"first": "ann", "second": "bob"}, {"first": "eve", "second": None})
    pairing, bye = Pairing.objects.all()
    for who in ("ora", "ann"):
        Pairing.objects.update(published=bench.event.created)
        answer = ask(bench, who, f"pairings/{pairing.pk}/result/", "PUT", body)
        assert (answer.status_code, bool(answer.json()["detail"])) == (status, True)
    byes = ask(bench, "ora", f"pairings/{bye.pk}/result/", "PUT", {"first": 1, "second": 8}).json()
    assert list(byes["errors"]) == ["second"]
    assert not Pairing.objects.exclude(first_points=None, second_points=None).exists()
    assert ask(bench, "ora", "rounds/1/", "POST", body).status_code == status


def test_other_peoples_events_stay_as_they_are(bench: Bench) -> None:
    bring(bench, {"first": "ann", "second": "bob"})
    ask(bench, "ora", "rounds/1/", "POST", {"is_shown": True})
    pairing = Pairing.objects.get()
    rounds = (
        ("pairings/", "POST", {"pairings": [{"first": "bob", "second": "ann"}]}),
        ("rounds/1/", "POST", {"is_shown": False}),
        ("rounds/1/", "DELETE", None),
    )
    result = (f"pairings/{pairing.pk}/result/", "PUT", {"first": 1, "second": 2})
    # Judges enter results, but bring no rounds.
    for who, status, acts in (("jud", 404, rounds), ("ann", 404, rounds), ("sue", 404, rounds), ("", 401, rounds)):
        assert {ask(bench, who, *act).status_code for act in acts} == {status}, who
    assert [ask(bench, who, *result).status_code for who in ("sue", "")] == [404, 401]
    # An organiser of one event reaches nothing of another's.
    other = send(bench, "sue", EVENTS, body={"name": "Spring Muster", "game": "fenland"}).json()["id"]
    assert send(bench, "sue", f"{EVENTS}{other}/{result[0]}", *result[1:]).status_code == 404
    assert send(bench, "sue", f"{EVENTS}{other}/rounds/1/", "DELETE").status_code == 404
    for number in (0, 10**30):
        assert ask(bench, "ora", f"pairings/{number}/result/", "PUT", result[2]).status_code == 404
        assert ask(bench, "ora", f"rounds/{number}/", "POST", {"is_shown": True}).status_code == 404
    stored = Pairing.objects.get()
    assert (stored.pk, stored.first_points, stored.published is None) == (pairing.pk, None, False)
    Event.objects.update(status="draft")
    assert ask(bench, "ann", *result).status_code == 404
