"""Errors of the API: one form, stable codes, and what other sites and impatient programs are told."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from armybuilder import middleware, rate_limits
from catalogue.api.problems import BY_STATUS, PROBLEMS
from roster.models.tokens import TokenScope
from tests.roster.accounts_cast import account
from tests.roster.small_game import installed
from tests.roster.test_tokens import ask, make
from tests.roster.views_cast import started

pytestmark = pytest.mark.django_db
MEMBERS = ["type", "title", "status", "detail", "code"]


@pytest.fixture
def ann() -> User:
    installed()
    return account()


def send(address: str, body: bytes = b"", media: str = "application/json", method: str = "post") -> Any:
    return Client().generic(method.upper(), address, body, media)


CASES = [
    (lambda: send("/api/v1/check", b"{"), 400, "unreadable", "bad-json"),
    (
        lambda: send("/api/v1/check", json.dumps({"list": 1, "game": "none"}).encode()),
        400,
        "unreadable",
        "unknown-game",
    ),
    (lambda: send("/api/v1/read", b"1"), 400, "unreadable", "not-fields"),
    (lambda: send("/api/v1/check", b"[" * 100_000), 400, "unreadable", None),
    (lambda: send("/api/v1/check", b" " * 3_000_000), 413, "too-large", "too-large"),
    (lambda: send("/api/v1/read", b"[" * 100_000), 400, "unreadable", "too-deep"),
    (lambda: send("/api/v1/read", b'{"text": "\xff"}'), 400, "unreadable", "not-utf-8"),
    (lambda: send("/api/v1/read", b'{"text": ' + b"9" * 6000 + b"}"), 400, "unreadable", "bad-json"),
    (lambda: send("/api/v1/check", b"x", "image/png"), 415, "unsupported-media-type", None),
    (
        lambda: send("/api/v1/games/fenland/factions/marsh-folk/units/?sort=x", method="get"),
        400,
        "invalid-fields",
        None,
    ),
    (lambda: send("/api/v1/games/none/", method="get"), 404, "not-found", None),
    (lambda: send("/api/v1/nowhere/", method="get"), 404, "not-found", None),
    (lambda: send("/api/v1/games/", method="delete"), 405, "method-not-allowed", None),
    (lambda: send("/api/v1/events/", method="get"), 401, "not-signed-in", None),
    (lambda: ask("ab_x", "/api/v1/games/"), 401, "token-unknown", None),
]


@pytest.mark.parametrize(("request_it", "status", "kind", "code"), CASES)
def test_every_error_has_one_form(ann: User, request_it: Any, status: int, kind: str, code: str | None) -> None:
    answer = request_it()
    problem = answer.json()
    assert (answer.status_code, answer["Content-Type"]) == (status, "application/problem+json")
    assert list(problem)[:5] == MEMBERS
    assert (problem["status"], problem["type"]) == (status, f"/api/v1/problems/#{kind}")
    assert problem["title"] == PROBLEMS[kind].title
    assert problem["code"] == (code or problem["code"])
    assert problem["detail"]
    if kind == "unreadable":
        assert problem["detail"] == problem["reason"]
        assert "line" in problem


def test_fields_are_named_even_if_they_are_called_like_a_member(ann: User) -> None:
    address = "/api/v1/games/fenland/factions/marsh-folk/units/"
    problem = Client().get(address, {"type": "none"}).json()
    assert problem["type"] == "/api/v1/problems/#invalid-fields"
    assert "none" in problem["errors"]["type"][0]
    assert problem["detail"] == f"type: {problem['errors']['type'][0]}"


WRONG_QUERIES = [
    ("games/fenland/takeable/", "faction=none&limit=100", "faction"),
    ("games/fenland/takeable/", "faction=marsh&limit=many", "limit"),
    ("games/fenland/factions/marsh-folk/units/", "sort=colour", "sort"),
    ("games/fenland/factions/marsh-folk/units/", "limit=0", "limit"),
    ("games/fenland/factions/marsh-folk/units/", "offset=-1", "offset"),
    ("rosters/", "limit=many", "limit"),
    ("rosters/", "limit=101", "limit"),
    ("rosters/", "cursor=nonsense", "cursor"),
    ("rosters/", "verdict=Legal", "verdict"),
    ("rosters/{link_id}/text/", "layout=poem", "layout"),
    ("rosters/{link_id}/text/", "style=bold", "style"),
    ("rosters/{link_id}/fill/", "seed=-1", "seed"),
]


def test_every_wrong_parameter_is_named(ann: User) -> None:
    link_id = started().roster.link_id
    for path, query, name in WRONG_QUERIES:
        problem = Client().get(f"/api/v1/{path.format(link_id=link_id)}?{query}").json()
        assert (problem["status"], problem["code"], list(problem["errors"])) == (400, "invalid-fields", [name]), path
        assert problem["detail"] == f"{name}: {problem['errors'][name][0]}"
    created = ask(make(ann, TokenScope.WRITE), "/api/v1/rosters/?visibility=all", "post").json()
    assert list(created["errors"]) == ["visibility"]


def test_a_wrong_body_is_told_by_its_fields(ann: User) -> None:
    secret, link_id = make(ann, TokenScope.WRITE, TokenScope.EVENTS), started().roster.link_id
    sent: list[tuple[str, dict[str, Any], list[str]]] = [
        ("played/", {"list": 3}, ["list"]),
        ("played/", {}, ["list"]),
        ("played/", {"list": link_id, "misson": "raid"}, ["misson"]),
        ("played/", {"list": link_id, "opponents": [{"name": 5}]}, ["opponents"]),
        ("webhooks/", {"address": "https://bot.example/", "topics": ["x"]}, ["topics"]),
    ]
    for path, body, names in sent:
        problem = ask(secret, f"/api/v1/{path}", "post", data=body, content_type="application/json").json()
        assert (problem["code"], list(problem["errors"])) == ("invalid-fields", names), problem
    assert problem["detail"].startswith("topics.0: Choose one of: list-submitted")


def test_a_missing_slash_keeps_the_method(ann: User) -> None:
    assert Client().post("/api/v1/rosters", b"{}", "application/json").status_code == 308
    assert Client().get("/api/v1/rosters").status_code == 301


def test_a_wrong_format_is_answered_with_the_right_ones(ann: User) -> None:
    problem = send("/api/v1/read", b"x", "image/png").json()
    assert "text/plain, application/json" in problem["detail"]


def test_a_token_without_its_scheme_is_told_so(ann: User) -> None:
    answer = Client(headers={"Authorization": make(ann)}).get("/api/v1/me/")
    assert (answer.status_code, answer.json()["code"]) == (401, "bad-scheme")


def test_a_missing_scope_is_a_problem(ann: User) -> None:
    problem = ask(make(ann, TokenScope.DATA), "/api/v1/events/").json()
    assert (problem["code"], problem["status"]) == ("scope-missing", 403)


def test_the_catalogue_of_errors_is_complete() -> None:
    rows = Client().get("/api/v1/problems/").json()
    assert {row["code"]: row["status"] for row in rows} == {code: kind.status for code, kind in PROBLEMS.items()}
    assert all(PROBLEMS[code].status == status for status, code in BY_STATUS.items())
    assert {kind.status for kind in PROBLEMS.values()} == set(BY_STATUS)


def test_what_is_left_is_told(ann: User, settings: Any, monkeypatch: Any) -> None:
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "PROCESSOR_SECONDS": 30}
    times = rate_limits.ProcessorTime()
    monkeypatch.setattr(middleware, "processor_time", times)
    monkeypatch.setattr(rate_limits.time, "time", lambda: 6_000_010.0)
    secret = make(ann)
    token = f"token-{ann.access_tokens.get().pk}"
    times.charge(token, 10)
    answer = ask(secret, "/api/v1/events/")
    assert answer["RateLimit-Policy"] == '"processor-ms";q=30000;w=60'
    left = int(answer["RateLimit"].split("r=")[1].split(";")[0])
    assert 18_000 < left <= 20_000
    assert answer["RateLimit"].endswith(";t=50")
    times.charge(token, 30)
    refused = ask(secret, "/api/v1/events/")
    assert (refused.status_code, refused["Retry-After"]) == (429, "50")
    assert refused["RateLimit"] == '"processor-ms";r=0;t=50'
    assert refused.json()["code"] == "too-many-requests"


def test_a_kept_answer_says_nothing_about_its_first_reader(ann: User, settings: Any) -> None:
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "PROCESSOR_SECONDS": 30}
    for _ in range(2):
        assert "RateLimit" not in Client().get("/api/v1/games/")


@pytest.mark.parametrize("address", ["/api/v1/games/", "/api/v1/nowhere/", "/api/v1/events/", "/api/schema/"])
def test_other_sites_may_read(ann: User, address: str) -> None:
    answer = Client(headers={"Origin": "https://tool.example"}).get(address)
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in answer
    assert "ETag" in answer["Access-Control-Expose-Headers"]


def test_browsers_may_ask_first(ann: User) -> None:
    asked = {"Origin": "https://tool.example", "Access-Control-Request-Method": "POST"}
    answer = Client().options("/api/v1/check", headers=asked)
    assert (answer.status_code, answer.content) == (204, b"")
    assert {"Authorization", "If-Match"} <= set(answer["Access-Control-Allow-Headers"].split(", "))
    assert "DELETE" not in answer["Access-Control-Allow-Methods"]
    assert Client().options("/api/v1/check").status_code == 200


def test_pages_stay_closed_to_other_sites(ann: User) -> None:
    answer = Client(headers={"Origin": "https://tool.example"}).get("/lists/")
    assert "Access-Control-Allow-Origin" not in answer
