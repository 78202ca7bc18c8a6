"""The API completes, fills and mends stored and sent lists, says what may be added, and stores nothing."""

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from roster.engine.completion.repair import FoundRepairs
from roster.engine.completion.solver import Possibility
from roster.models import Roster
from roster.models.ownership import Visibility
from roster.services import ways as ways_module
from roster.services.rosters import find_roster
from roster.services.ways import WayKind
from tests.roster.small_game import installed
from tests.roster.test_api import LIST, check, stored

pytestmark = pytest.mark.django_db

KINDS = [kind.value for kind in WayKind]
ASKED = [*KINDS, "addable"]


@pytest.fixture(autouse=True)
def _game(db: None, flat_fenland: None) -> None:
    installed()


def send(client: Client, verb: str, body: object, content_type: str = "application/json", query: str = "") -> Any:
    data = body if isinstance(body, str | bytes) else json.dumps(body)
    return client.post(f"/api/v1/{verb}{query}", data, content_type=content_type)


def ask(client: Client, roster: Roster, verb: str, **query: str) -> Any:
    return client.get(f"/api/v1/rosters/{roster.link_id}/{verb}/", query)


def broken_list(*units: str) -> dict[str, Any]:
    return LIST | {"detachments": [{"detachment": "column", "units": list(units)}]}


@pytest.mark.parametrize("kind", ["complete", "fill"])
def test_a_stored_list_is_completed_and_stays_as_it_is(client: Client, kind: str) -> None:
    roster = stored("crew")
    answer = ask(client, roster, kind)
    assert answer.status_code == 200
    found = answer.json()
    assert (found["kind"], found["answer"], found["text"]) == (kind, "yes", "")
    (way,) = found["ways"]
    assert way["legal"]
    assert check(client, way["list"]).json()["verdict"] == "legal"
    assert find_roster(roster.public_id).document == roster.document


def test_a_sent_list_is_made_legal_in_each_way_answered(client: Client) -> None:
    answer = send(client, "repair", broken_list("warden", "crew", "crew", "crew", "crew"))
    assert answer.status_code == 200
    ways = answer.json()["ways"]
    assert 1 <= len(ways) <= 3
    for way in ways:
        assert way["changes"]
        assert way["text"].startswith("Make it legal: ")
        assert check(client, way["list"]).json()["verdict"] == "legal"
    assert not Roster.objects.exists()


def test_what_cannot_be_completed_says_so(client: Client) -> None:
    found = send(client, "complete", broken_list("crew", "crew", "crew", "crew")).json()
    assert (found["answer"], found["ways"]) == ("no", [])
    assert found["text"]


def test_a_repair_that_cannot_be_is_told_apart_from_one_not_found_in_time(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = broken_list("crew") | {"limits": {"points": 3}}
    proved = send(client, "repair", document).json()
    monkeypatch.setattr(ways_module, "repair", lambda *_, **__: FoundRepairs(Possibility.UNKNOWN))
    overdue = send(client, "repair", document).json()
    assert [found["answer"] for found in (proved, overdue)] == ["no", "unknown"]
    assert proved["ways"] == overdue["ways"] == []
    assert "" not in {proved["text"], overdue["text"]}
    assert proved["text"] != overdue["text"]


def test_the_same_seed_fills_alike(client: Client) -> None:
    once, again = (send(client, "fill", LIST, query="?seed=7").json() for _ in range(2))
    assert once["ways"][0]["changes"] == again["ways"][0]["changes"]


@pytest.mark.parametrize("seed", ["-1", "soon", "1.5", "99999999999", "²"])
def test_a_seed_that_is_no_number_is_refused_in_words(client: Client, seed: str) -> None:
    answer = ask(client, stored("crew"), "fill", seed=seed)
    assert (answer.status_code, "whole number" in answer.json()["detail"]) == (400, True)


def test_what_may_be_added_is_told_best_first(client: Client) -> None:
    roster = stored("crew", "crew", "cutters")
    additions = ask(client, roster, "addable").json()
    answers = {one["unit"]: (one["needed"], one["answer"]) for one in additions}
    assert additions[0]["name"] == "Wärden"
    assert answers["warden"] == (True, "yes")
    assert answers["crew"] == (False, "no")
    assert {one["detachment"] for one in additions} == {roster.tree.forces[0].id}
    sent = send(client, "addable", broken_list("crew", "crew", "cutters")).json()
    assert {one["unit"]: (one["needed"], one["answer"]) for one in sent} == answers


@pytest.mark.parametrize("verb", ASKED)
def test_documents_that_cannot_be_read_are_refused_in_words(client: Client, verb: str) -> None:
    answer = send(client, verb, '{"list": 1,\n "game": "nowhere"}')
    assert (answer.status_code, answer.json()["code"], answer.json()["line"]) == (400, "unknown-game", 2)
    assert send(client, verb, b"").status_code == 400
    assert send(client, verb, "x", "text/html").status_code == 415
    assert client.get(f"/api/v1/{verb}").status_code == 405


@pytest.mark.parametrize("verb", ASKED)
def test_yaml_is_read_as_well(client: Client, verb: str) -> None:
    assert send(client, verb, "list: 1\ngame: fenland\nfaction: marsh\n", "application/yaml").status_code == 200


@pytest.mark.parametrize("verb", ASKED)
def test_lists_that_are_not_for_everybody_are_not_there(client: Client, verb: str) -> None:
    roster = stored("crew")
    assert client.get(f"/api/v1/rosters/nothing/{verb}/").status_code == 404
    assert client.post(f"/api/v1/rosters/{roster.link_id}/{verb}/").status_code in {403, 405}
    Roster.objects.update(visibility=Visibility.PRIVATE)
    assert ask(client, roster, verb).status_code == 404


def test_whoever_chooses_a_limit_sees_what_can_be_taken_within_it(client: Client) -> None:
    def take(limit: int) -> dict[str, str]:
        answer = client.get("/api/v1/games/fenland/takeable/", {"faction": "marsh", "limit": str(limit)})
        assert answer.status_code == 200
        return {one["unit"]: one["answer"] for one in answer.json()}

    assert take(100) == {"warden": "yes", "cutters": "yes", "crew": "yes", "giants": "yes"}
    # Giants need a core unit next to them, and every list a warden.
    assert take(40) == {"warden": "yes", "cutters": "yes", "crew": "yes", "giants": "no"}
    assert set(take(10).values()) == {"no"}


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ({"faction": "marsh"}, 400),
        ({"faction": "marsh", "limit": "many"}, 400),
        ({"faction": "marsh", "limit": "-5"}, 400),
        ({"faction": "otters", "limit": "10"}, 400),
        ({"limit": "10"}, 400),
    ],
)
def test_bad_questions_about_a_limit_are_refused_in_words(client: Client, query: dict[str, str], status: int) -> None:
    answer = client.get("/api/v1/games/fenland/takeable/", query)
    assert (answer.status_code, bool(answer.json()["detail"])) == (status, True)
    assert client.get("/api/v1/games/nowhere/takeable/", {"faction": "marsh", "limit": "5"}).status_code == 404


@pytest.mark.usefixtures("without_solver")
def test_without_a_solver_it_says_so(client: Client) -> None:
    roster = stored("crew")
    answers = [ask(client, roster, verb) for verb in ASKED]
    answers += [send(client, verb, LIST) for verb in ASKED]
    answers.append(client.get("/api/v1/games/fenland/takeable/", {"faction": "marsh", "limit": "100"}))
    assert [answer.status_code for answer in answers] == [501] * 9
    assert all("no solver" in answer.json()["detail"] for answer in answers)


def test_the_description_names_each_once(client: Client) -> None:
    paths = client.get(reverse("api-schema"), headers={"accept": "application/json"}).json()["paths"]
    for verb in ASKED:
        assert set(paths[f"/api/v1/{verb}"]) == {"post"}
        assert set(paths[f"/api/v1/rosters/{{link_id}}/{verb}/"]) == {"get"}
    names = [operation["operationId"] for path in paths.values() for operation in path.values()]
    assert len(names) == len(set(names))
    assert {"roster_repair", "repair", "roster_addable", "takeable"} <= set(names)
