"""Games at the table through the API, by the services of their pages."""

from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client

from roster.models.tokens import TokenScope
from roster.play.models import Game
from tests.play.games import REEDS, begin, join, load_army
from tests.roster.accounts_cast import account
from tests.roster.test_api_lists import send
from tests.roster.test_tokens import ask, make

pytestmark = pytest.mark.django_db
PLAYED = "/api/v1/played/"
EXAMPLE = next(path.stem for path in sorted((REEDS / "lists").glob("*.yaml")))


def sign_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def ann(db: None) -> User:
    cache.clear()
    return account()


@pytest.fixture
def game(ann: User) -> Game:
    return begin(sign_in(ann), load_army(REEDS, EXAMPLE))


@pytest.fixture
def token(ann: User) -> str:
    return make(ann, TokenScope.READ, TokenScope.WRITE)


def build_tap(**fields: Any) -> dict[str, Any]:
    return {"id": str(uuid4()), "kind": "set", "key": "setup:1", "text": "1", **fields}


def test_programs_read_the_games_of_their_account(ann: User, game: Game, token: str) -> None:
    (row,) = ask(token, PLAYED).json()
    assert (row["id"], row["game"], row["place"], row["ended"]) == (game.public_id, "reeds-and-rust", 0, False)
    assert len(row["sides"]) == 2
    shown = ask(token, f"{PLAYED}{game.public_id}/").json()
    assert {name: shown[name] for name in row} == row
    assert len(shown["state"]["sides"]) == 2


def test_who_joined_plays_the_other_side(game: Game, token: str) -> None:
    ben = account("ben@example.org")
    join(game, sign_in(ben), inviter=sign_in(User.objects.get(username="ann")))
    (row,) = ask(make(ben, TokenScope.READ), PLAYED).json()
    assert row["place"] == 1


def test_a_tap_counts_once_and_the_page_shows_it(game: Game, token: str) -> None:
    tap = build_tap()
    answers = [send(token, "POST", f"{PLAYED}{game.public_id}/taps/", {"taps": [tap]}) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 200]
    numbers = [answer.json()["numbers"] for answer in answers]
    assert numbers[0] == numbers[1]
    assert (list(numbers[0]), answers[0].json()["refused"]) == ([tap["id"]], {})
    game.refresh_from_db()
    assert ask(token, f"{PLAYED}{game.public_id}/").json()["last"] == game.last == numbers[0][tap["id"]]


def test_a_tap_that_no_rule_allows_is_refused_alone(game: Game, token: str) -> None:
    taps = [build_tap(kind="fly"), build_tap()]
    answer = send(token, "POST", f"{PLAYED}{game.public_id}/taps/", {"taps": taps}).json()
    assert list(answer["refused"]) == [taps[0]["id"]]
    assert list(answer["numbers"]) == [taps[1]["id"]]


@pytest.mark.parametrize("sent", [[], {"taps": "a"}, {"taps": [{"kind": "step"}]}, {"taps": [{}] * 9_999}, b"{"])
def test_wrong_taps_are_a_problem(game: Game, token: str, sent: object) -> None:
    answer = send(token, "POST", f"{PLAYED}{game.public_id}/taps/", sent)
    assert (answer.status_code, answer["Content-Type"]) == (400, "application/problem+json")


def test_games_of_others_are_not_there(game: Game) -> None:
    stranger = make(account("ben@example.org"), TokenScope.READ, TokenScope.WRITE)
    assert ask(stranger, PLAYED).json() == []
    assert ask(stranger, f"{PLAYED}{game.public_id}/").status_code == 404
    assert send(stranger, "POST", f"{PLAYED}{game.public_id}/taps/", {"taps": [build_tap()]}).status_code == 404
    reader = make(User.objects.get(username="ann"), TokenScope.READ)
    refused = send(reader, "POST", f"{PLAYED}{game.public_id}/taps/", {"taps": [build_tap()]})
    assert (refused.status_code, refused.json()["code"]) == (403, "scope-missing")
    assert Client().get(PLAYED).status_code == 401
