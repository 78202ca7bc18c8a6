"""Lists through the API: found, made, replaced, deleted, and their history, by the services of the pages."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from roster.models import Roster
from roster.models.ownership import Visibility
from roster.models.tokens import TokenScope
from roster.services.accounts import set_player_name
from tests.roster.accounts_cast import account
from tests.roster.small_game import installed
from tests.roster.test_tokens import ask, make

pytestmark = pytest.mark.django_db

LISTS = "/api/v1/rosters/"
LIST: dict[str, Any] = {
    "list": 1,
    "game": "fenland",
    "faction": "marsh",
    "name": "Low water",
    "detachments": [{"detachment": "column", "units": ["warden"]}],
}
MORE = LIST | {"detachments": [{"detachment": "column", "units": ["warden", "cutters"]}]}


@pytest.fixture
def ann() -> User:
    cache.clear()
    installed()
    return account()


@pytest.fixture
def token(ann: User) -> str:
    return make(ann, TokenScope.READ, TokenScope.WRITE)


def send(token: str, method: str, address: str, document: object, match: str = "") -> Any:
    headers = {"Authorization": f"Bearer {token}"} | ({"If-Match": match} if match else {})
    body = document if isinstance(document, bytes) else json.dumps(document).encode()
    return Client(enforce_csrf_checks=True).generic(method, address, body, "application/json", headers=headers)


def create(token: str, document: object = LIST, visibility: str = "public") -> dict[str, Any]:
    answer = send(token, "POST", f"{LISTS}?visibility={visibility}", document)
    assert answer.status_code == 201, answer.content.decode()
    created: dict[str, Any] = answer.json()
    return created


def names(**query: str) -> list[str]:
    answer = Client().get(LISTS, query)
    assert answer.status_code == 200, answer.content.decode()
    return [row["name"] for row in answer.json()["results"]]


# ---- making a list -----------------------------------------------------------------------------------------------


def test_a_document_becomes_a_list_of_the_account(ann: User, token: str) -> None:
    answer = send(token, "POST", LISTS, LIST)
    created = answer.json()
    roster = Roster.objects.get()
    assert (answer.status_code, answer["Location"]) == (201, f"{LISTS}{roster.link_id}/")
    assert (roster.owner, roster.name, roster.visibility) == (ann, "Low water", Visibility.LINK)
    assert (created["id"], created["revision"], created["verdict"]) == (roster.link_id, 1, roster.verdict)
    again = ask(token, answer["Location"])
    assert again.json() == created
    assert again["ETag"] == answer["ETag"]
    checked = Client().post("/api/v1/check", json.dumps(created["list"]), content_type="application/json")
    assert checked.json()["costs"] == created["costs"], "what is read can be sent again"


@pytest.mark.parametrize(
    ("body", "query", "status"),
    [
        (b"", "", 400),
        (b"{", "", 400),
        (b"[1]", "", 400),
        (b"[" * 100_000, "", 400),
        (json.dumps(LIST | {"game": "none"}).encode(), "", 400),
        (json.dumps(LIST | {"name": "x" * 10_000}).encode(), "", 400),
        (json.dumps(LIST).encode(), "?visibility=everybody", 400),
        (b" " * 3_000_000, "", 413),
    ],
)
def test_what_cannot_be_stored_is_refused(token: str, body: bytes, query: str, status: int) -> None:
    answer = send(token, "POST", LISTS + query, body)
    assert answer.status_code == status
    assert answer["Content-Type"] == "application/problem+json"
    assert not Roster.objects.exists()


def test_an_account_that_is_full_is_told_so(token: str, settings: Any) -> None:
    quota = {"things": 1, "bytes": 10**6, "history": 10**6}
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "QUOTAS": {"guest": quota, "account": quota}}
    create(token)
    answer = send(token, "POST", LISTS, LIST)
    assert (answer.status_code, answer.json()["code"]) == (409, "no-room")
    assert Roster.objects.count() == 1


def test_making_a_list_needs_an_account(ann: User) -> None:
    answer = Client().post(LISTS, json.dumps(LIST), content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (401, "not-signed-in")
    guest = Client()
    guest.post("/rosters/new/", {"game": "fenland", "faction": "marsh"})
    assert guest.post(LISTS, json.dumps(LIST), content_type="application/json").status_code == 401
    member = Client(enforce_csrf_checks=True)
    member.force_login(ann)
    assert member.post(LISTS, json.dumps(LIST), content_type="application/json").status_code == 403, "forged"


# ---- changing it -------------------------------------------------------------------------------------------------


def test_a_list_is_replaced_as_one_step_of_its_history(token: str) -> None:
    created = create(token)
    address = f"{LISTS}{created['id']}/"
    answer = send(token, "PUT", address, MORE, '"1"')
    replaced = answer.json()
    assert (answer.status_code, replaced["revision"]) == (200, 2)
    assert [unit["unit"] for unit in replaced["list"]["detachments"][0]["units"]] == ["warden", "cutters"]
    assert ask(token, address).json() == replaced
    same = send(token, "PUT", address, MORE, answer["ETag"])
    assert (same.status_code, same.json()["revision"]) == (200, 2), "nothing changed, so no step"
    assert send(token, "PUT", address, LIST, "*").json()["revision"] == 3


def test_a_stale_edit_gets_both_states_and_stores_nothing(token: str) -> None:
    created = create(token)
    address = f"{LISTS}{created['id']}/"
    assert send(token, "PUT", address, MORE, '"1"').status_code == 200
    answer = send(token, "PUT", address, LIST | {"name": "Other"}, '"1"')
    problem = answer.json()
    assert (answer.status_code, problem["code"], problem["made_on"], problem["revision"]) == (412, "stale", 1, 2)
    units = [[unit["unit"] for unit in problem[side]["detachments"][0]["units"]] for side in ("base", "current")]
    assert units == [["warden"], ["warden", "cutters"]]
    assert answer["ETag"] == ask(token, address)["ETag"]
    assert Roster.objects.get().last == 2
    assert send(token, "PUT", address, LIST, '"99"').json()["base"] is None
    assert send(token, "DELETE", address, b"", '"1"').status_code == 412
    assert Roster.objects.get().binned is None


@pytest.mark.parametrize(("match", "status"), [("", 428), ("x", 400), ('"1", "2"', 400), ('"-1"', 400), ('"٣"', 400)])
def test_a_change_says_which_revision_it_is_of(token: str, match: str, status: int) -> None:
    created = create(token)
    answer = send(token, "PUT", f"{LISTS}{created['id']}/", MORE, match)
    assert answer.status_code == status
    assert '"1"' in answer.json()["detail"] or status == 400
    assert Roster.objects.get().head == 1


def test_a_plan_is_stored_with_the_list_or_neither_is(token: str) -> None:
    created = create(token)
    address = f"{LISTS}{created['id']}/"
    planned = MORE | {"plan": {"objective": "Hold the sluice"}}
    assert send(token, "PUT", address, planned, '"1"').json()["list"]["plan"]["objective"] == "Hold the sluice"
    assert send(token, "PUT", address, LIST, '"2"').json()["list"]["plan"]["objective"] == "Hold the sluice"
    answer = send(token, "PUT", address, MORE | {"plan": {"objective": "x" * 10_000}}, '"3"')
    assert answer.status_code in (400, 409)
    assert Roster.objects.get().head == 3


def test_a_list_keeps_its_game_and_faction(token: str) -> None:
    created = create(token)
    Roster.objects.filter(link_id=created["id"]).update(faction_id="hill")
    answer = send(token, "PUT", f"{LISTS}{created['id']}/", MORE, '"1"')
    assert (answer.status_code, answer.json()["code"]) == (409, "other-faction")


def test_a_deleted_list_is_in_the_bin(token: str) -> None:
    created = create(token)
    address = f"{LISTS}{created['id']}/"
    assert send(token, "DELETE", address, b"").status_code == 204
    assert Roster.objects.get().binned is not None
    assert ask(token, address).status_code == 404
    assert send(token, "DELETE", address, b"").status_code == 404
    assert names() == []


@pytest.mark.parametrize("part", ["", "revisions/", "revisions/1/", "diff/?from=1"])
def test_other_accounts_change_nothing_and_read_no_history(token: str, part: str) -> None:
    created = create(token)
    other = make(account("ben@example.org"))
    address = f"{LISTS}{created['id']}/{part}"
    if part:
        assert ask(other, address).status_code == 404
        assert Client().get(address).status_code == 401
    else:
        assert send(other, "PUT", address, MORE, '"1"').status_code == 404
        assert send(other, "DELETE", address, b"").status_code == 404
        assert Client().put(address, b"{}", content_type="application/json").status_code == 401
    assert (Roster.objects.get().head, Roster.objects.get().binned) == (1, None)


# ---- finding lists -----------------------------------------------------------------------------------------------


def test_public_lists_are_found_by_what_they_are(ann: User, token: str) -> None:
    set_player_name(ann, "tin_dice")
    create(token, LIST | {"name": "Wardens"})
    create(token, MORE | {"name": "Cutting", "limits": {"points": 100}})
    create(token, LIST | {"name": "By link"}, "link")
    create(token, LIST | {"name": "Private"}, "private")
    (cutting, wardens) = Client().get(LISTS).json()["results"]
    assert (cutting["name"], wardens["name"], cutting["player"]) == ("Cutting", "Wardens", "tin_dice")
    assert [unit["name"] for unit in wardens["units"]] == ["Wärden"]
    assert names(game="fenland", faction="marsh-folk") == names(faction="marsh") == ["Cutting", "Wardens"]
    assert names(unit="cutters") == ["Cutting"]
    assert names(q="tin_dice wardens") == ["Wardens"]
    assert names(size="100.0") == [row["name"] for row in (cutting, wardens) if row["size"] == "100"]
    for verdict in ("legal", "incomplete", "illegal"):
        assert names(verdict=verdict) == [row["name"] for row in (cutting, wardens) if row["verdict"] == verdict]
    assert names(since=wardens["updated"]) == ["Cutting", "Wardens"]
    assert names(since=cutting["updated"]) == ["Cutting"]
    assert names(since=(timezone.now() + timedelta(hours=1)).isoformat()) == []


def test_secret_lists_show_no_contents(token: str) -> None:
    create(token, LIST | {"name": "Hidden"})
    Roster.objects.update(is_secret=True)
    (row,) = Client().get(LISTS).json()["results"]
    assert (row["secret"], row["units"]) == (True, [])
    assert names(unit="warden") == names(q="warden") == []


def test_the_own_lists_of_an_account(ann: User, token: str) -> None:
    create(token, visibility="private")
    create(make(account("ben@example.org")), LIST | {"name": "Ben's"})
    mine = ask(token, f"{LISTS}?mine=true").json()["results"]
    assert [(row["name"], row["visibility"]) for row in mine] == [("Low water", "private")]
    assert Client().get(f"{LISTS}?mine=true").status_code == 401


@pytest.mark.parametrize(
    "query",
    [
        {"game": "none"},
        {"game": "fenland", "faction": "none"},
        {"size": "many"},
        {"verdict": "good"},
        {"since": "yesterday"},
        {"mine": "perhaps"},
        {"q": "x" * 101},
    ],
    ids=str,
)
def test_a_wrong_filter_is_named(ann: User, query: dict[str, str]) -> None:
    answer = Client().get(LISTS, query)
    assert answer.status_code == 400
    assert list(answer.json()["errors"]) == [list(query)[-1]]


def test_pages_follow_each_other_and_lose_nothing(token: str) -> None:
    created = [create(token, LIST | {"name": f"List {number}"})["id"] for number in range(7)]
    # Equal times must not lose lists between pages.
    Roster.objects.update(updated=timezone.now())
    found, address = [], f"{LISTS}?limit=3"
    while address:
        page = Client().get(address.removeprefix("http://testserver")).json()
        assert len(page["results"]) <= 3
        found += [row["id"] for row in page["results"]]
        address = page["next"]
    assert sorted(found) == sorted(created)
    assert Client().get(LISTS, {"cursor": "x"}).status_code == 400


def test_a_page_of_lists_costs_few_queries(token: str, django_assert_max_num_queries: Any) -> None:
    for number in range(3):
        create(token, LIST | {"name": f"List {number}"})
    with django_assert_max_num_queries(5):
        assert len(names(game="fenland", faction="marsh")) == 3


# ---- the history -------------------------------------------------------------------------------------------------


@pytest.fixture
def changed(token: str) -> str:
    """The address of a list of three revisions."""
    created = create(token)
    address = f"{LISTS}{created['id']}/"
    send(token, "PUT", address, MORE, '"1"')
    send(token, "PUT", address, LIST | {"name": "High water"}, '"2"')
    return address


def test_the_history_has_every_revision(token: str, changed: str) -> None:
    first = ask(token, f"{changed}revisions/?limit=2").json()
    assert [row["revision"] for row in first["results"]] == [3, 2]
    rest = ask(token, first["next"].removeprefix("http://testserver")).json()
    assert ([row["revision"] for row in rest["results"]], rest["next"]) == ([1], None)
    assert first["results"][0]["standing"] == "shown"
    assert first["results"][0]["hash"] == ask(token, changed).json()["hash"]
    for query in ("limit=0", "limit=101", "cursor=x", "cursor=-1", "cursor=" + "9" * 30):
        assert ask(token, f"{changed}revisions/?{query}").status_code == 400


def test_a_list_is_read_as_it_was(token: str, changed: str) -> None:
    past = ask(token, f"{changed}revisions/2/").json()
    assert (past["revision"], past["name"], len(past["list"]["detachments"][0]["units"])) == (2, "Low water", 2)
    for number in ("0", "4", "9" * 30):
        assert ask(token, f"{changed}revisions/{number}/").status_code == 404


def test_what_changed_between_revisions(token: str, changed: str) -> None:
    difference = ask(token, f"{changed}diff/?from=1&to=2").json()
    assert [line["kind"] for line in difference["differences"]] == ["added"]
    assert "Cutters" in difference["summary"]
    (points,) = [cost for cost in difference["costs"] if cost["type"] == "points"]
    assert float(points["after"]) > float(points["before"])
    assert ask(token, f"{changed}diff/?from=2").json()["to"] == 3
    assert ask(token, f"{changed}diff/?from=3&to=3").json()["differences"] == []
    for query, status in (("", 400), ("from=x", 400), ("from=1&to=9", 404)):
        assert ask(token, f"{changed}diff/?{query}").status_code == status


# ---- unchanged answers -------------------------------------------------------------------------------------------


def test_an_unchanged_list_is_not_judged_again(token: str, changed: str, monkeypatch: Any) -> None:
    answer = ask(token, changed)
    assert answer["ETag"].startswith('W/"3-')

    def fail(*_args: Any, **_options: Any) -> None:
        raise AssertionError("judged")

    monkeypatch.setattr("roster.api.views.evaluate_roster", fail)
    headers = {"Authorization": f"Bearer {token}", "If-None-Match": answer["ETag"]}
    unchanged = Client(headers=headers).get(changed)
    assert (unchanged.status_code, unchanged.content, unchanged["ETag"]) == (304, b"", answer["ETag"])


def test_another_state_language_or_question_has_another_tag(token: str, changed: str) -> None:
    tags = {
        ask(token, changed)["ETag"],
        ask(token, f"{changed}?deeds=1")["ETag"],
        Client(headers={"Authorization": f"Bearer {token}", "Accept-Language": "de"}).get(changed)["ETag"],
    }
    send(token, "PUT", changed, MORE, "*")
    tags.add(ask(token, changed)["ETag"])
    assert len(tags) == 4
