"""Edits through the API: the changes of the builder, several as one step, undone and done again."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client

from roster.models import Roster
from roster.models.tokens import TokenScope
from roster.services.changes import Rename
from roster.services.edits import edit_roster
from roster.services.outcomes import Conflict
from tests.roster.accounts_cast import account
from tests.roster.small_game import installed
from tests.roster.test_api_lists import LIST, LISTS, create, send
from tests.roster.test_tokens import ask, make

pytestmark = pytest.mark.django_db

ADDED = [
    {"do": "add-detachment", "entry": "column"},
    {"do": "add-unit", "node": "@1", "entry": "warden"},
    {"do": "rename", "node": "@2", "text": "Old Brack"},
]


@pytest.fixture
def ann() -> User:
    cache.clear()
    installed()
    return account()


@pytest.fixture
def token(ann: User) -> str:
    return make(ann, TokenScope.READ, TokenScope.WRITE)


@pytest.fixture
def address(token: str) -> str:
    return f"{LISTS}{create(token)['id']}/"


def edit(token: str, address: str, *edits: object, match: str = '"1"') -> Any:
    return send(token, "POST", f"{address}edits/", {"edits": edits}, match)


def list_parts(token: str, address: str) -> list[dict[str, Any]]:
    parts: list[dict[str, Any]] = ask(token, f"{address}parts/").json()["parts"]
    return parts


def test_one_edit_is_one_step(token: str, address: str) -> None:
    (column,) = list_parts(token, address)
    answer = edit(token, address, {"do": "add-unit", "node": column["id"], "entry": "cutters"})
    body = answer.json()
    assert (answer.status_code, body["revision"], len(body["created"])) == (200, 2, 1)
    assert answer["ETag"] == ask(token, address)["ETag"]
    read = ask(token, address).json()
    assert {name: body[name] for name in read} == read, "the answer is the list as it is read"
    (after,) = list_parts(token, address)
    assert [part["entry"] for part in after["parts"]] == ["warden", "cutters"]
    assert after["parts"][1]["id"] == body["created"][0]
    options = ask(token, f"{address}parts/{body['created'][0]}/").json()["offers"]
    assert options, "what the new unit may contain"


def test_several_edits_are_one_step_and_name_what_they_add(token: str, address: str) -> None:
    body = edit(token, address, *ADDED).json()
    assert body["revision"] == 2
    column = list_parts(token, address)[1]
    assert [column["id"], column["parts"][0]["id"]] == [body["created"][0], column["parts"][0]["id"]]
    assert column["parts"][0]["name"] == "Old Brack"
    roster = Roster.objects.get()
    assert (roster.head, roster.last) == (2, 2)
    rows = ask(token, f"{address}revisions/").json()["results"]
    assert [row["act"] for row in rows] == ["Made 3 changes", "Imported"]


def test_the_pages_and_the_api_make_the_same_list(token: str, address: str, ann: User) -> None:
    """One verb behind both, so they cannot disagree."""
    (column,) = list_parts(token, address)
    change = {"do": "add-unit", "node": column["id"], "entry": "cutters"}
    by_api = edit(token, address, change).json()
    roster = Roster.objects.get()
    undone = send(token, "POST", f"{address}undo/", {}, '"2"').json()
    page = Client()
    page.force_login(ann)
    answer = page.post(
        f"/rosters/{roster.public_id}/edits/", change | {"revision": "1"}, headers={"HX-Request": "true"}
    )
    assert answer.status_code == 200, answer.content.decode()[:500]
    by_page = ask(token, address).json()
    assert undone["revision"] == 1
    for name in ("list", "verdict", "costs"):
        assert by_page[name] == by_api[name]


def test_a_step_is_undone_and_done_again(token: str, address: str) -> None:
    before = ask(token, address).json()
    edited = edit(token, address, *ADDED).json()
    undone = send(token, "POST", f"{address}undo/", {}, '"2"')
    assert (undone.json()["revision"], undone.json()["list"]) == (1, before["list"])
    redone = send(token, "POST", f"{address}redo/", {}, undone["ETag"])
    assert (redone.json()["revision"], redone.json()["list"]) == (2, edited["list"])
    again = send(token, "POST", f"{address}redo/", {}, '"2"')
    assert (again.status_code, again.json()["code"]) == (409, "nothing-to-redo")
    send(token, "POST", f"{address}undo/", {}, '"2"')
    assert send(token, "POST", f"{address}undo/", {}, '"1"').json()["code"] == "nothing-to-undo"


@pytest.mark.parametrize("step", ["edits/", "undo/", "redo/"])
def test_a_stale_step_stores_nothing_and_gets_both_states(token: str, address: str, step: str) -> None:
    assert edit(token, address, *ADDED).status_code == 200
    body = {"edits": [{"do": "rename", "text": "Other"}]}
    answer = send(token, "POST", address + step, body, '"1"')
    problem = answer.json()
    assert (answer.status_code, problem["code"], problem["revision"]) == (412, "stale", 2)
    assert problem["base"] != problem["current"]
    assert send(token, "POST", address + step, body).status_code == 428
    assert (Roster.objects.get().last, Roster.objects.get().aside) == (2, 0)


def test_a_change_that_comes_between_is_a_conflict(token: str, address: str) -> None:
    """Two programs read the same revision; the slower one stores nothing."""
    roster = Roster.objects.get()
    slow = Roster.objects.get()
    edit(token, address, *ADDED)
    assert isinstance(edit_roster(slow, roster.head, Rename(text="Slow"), keep_stale=False), Conflict)
    assert Roster.objects.get().last == 2


@pytest.mark.parametrize(
    ("wrong", "status", "code"),
    [
        ({"do": "add-unit", "node": "@9", "entry": "warden"}, 409, "unknown-node"),
        ({"do": "add-unit", "node": "@1", "entry": "dragon"}, 409, "unknown-entry"),
        ({"do": "remove", "node": "gone"}, 409, "unknown-node"),
        ({"do": "rename", "node": "@1", "text": "x" * 10_000}, 409, "too-long"),
        ({"do": "set-rules", "rules": "none"}, 409, "unknown-rules"),
        ({"do": "explode"}, 400, "bad-change"),
        ({"do": "add-unit"}, 400, "bad-change"),
        ({"do": "move", "node": "x", "position": "1"}, 400, "bad-change"),
        ({"do": "move", "node": "x", "position": 10**30}, 409, "unknown-node"),
        ({"do": ["rename"]}, 400, "bad-change"),
        ({}, 400, "bad-change"),
    ],
)
def test_one_edit_that_is_refused_keeps_all_from_being_made(
    token: str, address: str, wrong: dict[str, Any], status: int, code: str
) -> None:
    answer = edit(token, address, ADDED[0], wrong, ADDED[0])
    problem = answer.json()
    assert (answer.status_code, problem["code"], problem["edit"]) == (status, code, 2)
    assert answer["Content-Type"] == "application/problem+json"
    assert all(f"{name}: {sentences[0]}" in problem["detail"] for name, sentences in problem.get("errors", {}).items())
    assert ("errors" in problem) == (code == "bad-change")
    assert Roster.objects.get().last == 1


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"{",
        b'{"edits": []}',
        b'{"edits": {}}',
        b'{"edits": ["undo"]}',
        b'{"edits": [' + b"[" * 50_000,
        b'{"edits": [' + b'{"do": "rename", "text": "x"},' * 50 + b'{"do": "rename", "text": "y"}]}',
    ],
)
def test_what_is_no_edits_is_refused(token: str, address: str, body: bytes) -> None:
    answer = send(token, "POST", f"{address}edits/", body, '"1"')
    assert answer.status_code == 400, answer.content
    assert Roster.objects.get().last == 1


def test_lists_of_others_are_not_there(token: str, address: str) -> None:
    other = make(account("ben@example.org"), *TokenScope)
    for step in ("edits/", "undo/", "redo/"):
        assert send(other, "POST", address + step, {"edits": ADDED}, '"1"').status_code == 404
        assert Client().post(address + step).status_code == 401
    reader = make(User.objects.get(email="ann@example.org"), TokenScope.READ, name="reader")
    assert send(reader, "POST", f"{address}edits/", {"edits": ADDED}, '"1"').status_code == 403
    Roster.objects.update(visibility="private")
    assert [ask(other, f"{address}parts/{part}").status_code for part in ("", "x/")] == [404, 404]


def test_every_change_of_the_builder_is_described() -> None:
    schema = Client().get("/api/schema/?format=json").json()
    operation = schema["paths"]["/api/v1/rosters/{link_id}/edits/"]["post"]
    kinds = operation["requestBody"]["content"]["application/json"]["schema"]["properties"]["edits"]["items"]["oneOf"]
    described = {kind["properties"]["do"]["enum"][0]: set(kind["properties"]) for kind in kinds}
    assert {"add-unit", "remove", "set-number", "choose", "rename", "move"} <= set(described)
    assert described["choose"] == {"do", "node", "group", "entry", "stack", "apart"}


def test_nothing_changes_by_an_edit_without_effect(token: str, address: str) -> None:
    answer = edit(token, address, {"do": "rename", "text": LIST["name"]})
    assert (answer.status_code, answer.json()["revision"], answer.json()["act"]) == (200, 1, "")


def test_offers_say_what_one_more_would_break(token: str, address: str) -> None:
    (column,) = list_parts(token, address)
    offers = ask(token, f"{address}parts/{column['id']}/").json()["offers"]
    entries = [offer for offer in offers if offer["kind"] == "option"]
    assert {"warden", "cutters"} <= {offer["entry"] for offer in entries}
    assert all({"costs", "number", "min", "max", "blocked"} <= set(offer) for offer in entries)
    assert ask(token, f"{address}parts/none/").status_code == 404
