"""The game plan of a list through the API, by the services of its page."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client

from roster.models import Roster
from roster.models.tokens import TokenScope
from roster.services.plans import get_game_plan
from tests.roster.accounts_cast import account
from tests.roster.small_game_with_plan import installed
from tests.roster.test_api_lists import LIST, create, send
from tests.roster.test_tokens import ask, make

pytestmark = pytest.mark.django_db


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
    made = create(token, LIST | {"game": "fenland-played"})
    return f"/api/v1/rosters/{made['id']}/"


def find_unit(token: str, address: str) -> str:
    parts: dict[str, Any] = ask(token, f"{address}parts/").json()
    unit: str = parts["parts"][0]["parts"][0]["id"]
    return unit


def test_a_list_without_a_plan_has_an_empty_one(token: str, address: str) -> None:
    answer = ask(token, f"{address}plan/")
    assert (answer.json()["revision"], answer.json()["plan"], answer["ETag"][:5]) == (0, {}, 'W/"0-')


def test_a_plan_is_stored_read_replaced_and_deleted(token: str, address: str) -> None:
    plan = {
        "mission": "raid",
        "opponents": ["Ben"],
        "commander_id": find_unit(token, address),
        "answers": [{"question": "aims", "option": "hold"}],
        "notes": "Mind the dyke.",
    }
    stored = send(token, "PUT", f"{address}plan/", plan, '"0"')
    assert (stored.status_code, stored.json()["revision"], stored.json()["plan"]) == (200, 1, plan)
    assert ask(token, f"{address}plan/").json() == stored.json()
    assert get_game_plan(Roster.objects.get()).notes == "Mind the dyke."
    assert send(token, "PUT", f"{address}plan/", {"notes": "Go."}, stored["ETag"]).json()["plan"] == {"notes": "Go."}
    assert send(token, "DELETE", f"{address}plan/", b"", '"2"').status_code == 204
    assert get_game_plan(Roster.objects.get()) is None


def test_a_stale_plan_is_refused_with_the_current_one(token: str, address: str) -> None:
    send(token, "PUT", f"{address}plan/", {"notes": "One"}, '"0"')
    for method in ("PUT", "DELETE"):
        answer = send(token, method, f"{address}plan/", {"notes": "Two"}, '"0"')
        problem = answer.json()
        assert (answer.status_code, problem["code"], problem["made_on"]) == (412, "stale", 0)
        assert (problem["revision"], problem["current"]) == (1, {"notes": "One"})
    assert send(token, "PUT", f"{address}plan/", {"notes": "Two"}).json()["code"] == "revision-required"
    assert send(token, "PUT", f"{address}plan/", {"notes": "Two"}, "*").json()["revision"] == 2


@pytest.mark.parametrize(
    ("plan", "status", "code"),
    [
        ({"mission": "picnic"}, 409, "bad-plan"),
        ({"reserves": ["nobody"]}, 409, "bad-plan"),
        ({"notes": "x" * 2_001}, 409, "too-long"),
        ({"reserves": ["a"] * 1_001}, 413, "too-large"),
        ({"mission": 1}, 400, "invalid-fields"),
        ({"misson": "raid"}, 400, "invalid-fields"),
        ({"names": {"a": "b"}}, 400, "invalid-fields"),
        ({"numbers": {"width": "wide"}}, 400, "invalid-fields"),
        ({"numbers": {"width": -1}}, 400, "invalid-fields"),
        (b'{"numbers": {"width": 1e999}}', 400, "invalid-fields"),
        ([], 400, "bad-request"),
        (b"{", 400, "bad-request"),
    ],
)
def test_a_wrong_plan_is_refused_and_nothing_is_stored(
    token: str, address: str, plan: object, status: int, code: str
) -> None:
    answer = send(token, "PUT", f"{address}plan/", plan, '"0"')
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer["Content-Type"] == "application/problem+json"
    wrong = {"bad-plan": ("“picnic”", "“nobody”"), "invalid-fields": ("mission:", "misson:", "names:", "numbers:")}
    assert any(name in answer.json()["detail"] for name in wrong.get(code, ("",)))
    assert get_game_plan(Roster.objects.get()) is None


def test_plans_are_for_owners(token: str, address: str) -> None:
    send(token, "PUT", f"{address}plan/", {"notes": "Secret"}, '"0"')
    stranger = make(account("ben@example.org"), TokenScope.READ, TokenScope.WRITE)
    assert ask(stranger, f"{address}plan/").status_code == 404
    assert send(stranger, "PUT", f"{address}plan/", {}, '"1"').status_code == 404
    reader = make(User.objects.get(username="ann"), TokenScope.READ, name="reader")
    assert send(reader, "PUT", f"{address}plan/", {}, '"1"').json()["code"] == "scope-missing"
    assert Client().get(f"{address}plan/").status_code == 401
    assert json.loads(Client().get(f"{address}plan/").content)["code"] == "not-signed-in"
