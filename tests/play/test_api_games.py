"""Games at the table through the API, with the services of their pages."""

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
    assert "no such tap" in answer["refused"][taps[0]["id"]], "programs have no page to reload"
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


# ---- from the start to the end ---------------------------------------------------------------------------------------


def start(token: str, **fields: Any) -> Any:
    roster = load_army(REEDS, EXAMPLE)
    return send(token, "POST", PLAYED, {"list": roster.link_id, **fields})


def test_a_game_is_started_joined_tapped_ended_confirmed_and_continued(ann: User, token: str) -> None:
    begun = start(token, opponents=[{"name": "Ben"}])
    assert begun.status_code == 201, begun.content.decode()
    address = f"{PLAYED}{begun.json()['id']}/"
    game = Game.objects.get()
    assert (game.owner, begun.json()["id"], begun.json()["place"]) == (ann, game.public_id, 0)
    assert begun.json()["sides"][1] == "Ben"

    # Starting a game opens a code for each other side.
    (code,) = ask(token, f"{address}invitations/").json()
    again = send(token, "POST", f"{address}invitations/", {"side": 1})
    assert (again.status_code, again.json()) == (201, code)
    assert code["address"].endswith(f"/play/join/{code['code']}/")
    ben = make(account("ben@example.org"), TokenScope.READ, TokenScope.WRITE)
    joined = send(ben, "POST", f"{PLAYED}join/", {"code": code["code"]})
    assert (joined.status_code, joined.json()["place"]) == (200, 1)
    assert send(ben, "POST", f"{PLAYED}join/", {"code": code["code"]}).json()["place"] == 1, "a second time"
    assert ask(token, f"{address}invitations/").json() == []

    tap = build_tap()
    assert send(token, "POST", f"{address}taps/", {"taps": [tap]}).json()["refused"] == {}
    line = ask(ben, f"{address}log/").json()[0]
    assert (line["id"], line["can_undo"], line["undone"]) == (tap["id"], False, False)
    assert ask(token, f"{address}log/").json()[0]["can_undo"]
    page = ask(token, f"{address}log/?limit=1")
    assert len(page.json()) == 1
    assert 'rel="next"' in page["Link"]

    wrong = send(ben, "POST", f"{address}end/", {"conceded": 0})
    assert (wrong.status_code, wrong.json()["code"]) == (409, "other-side")
    ended = send(ben, "POST", f"{address}end/", {"notes": "Rain.", "conceded": 1}).json()
    assert (ended["ended"], ended["notes"], ended["ranks"], ended["confirmed"]) == (True, "Rain.", [1, 2], [])
    assert ended["outcome"]
    confirmed = send(token, "POST", f"{address}confirmation/", {}).json()
    assert confirmed["confirmed"] == [0]
    continued = send(token, "DELETE", f"{address}end/", b"").json()
    assert (continued["ended"], continued["scores"]) == (False, [None, None])
    refused = send(token, "POST", f"{address}confirmation/", {})
    assert (refused.status_code, refused.json()["code"]) == (409, "bad-change"), "the game goes on"

    assert send(ben, "DELETE", address, b"").status_code == 204
    assert ask(ben, address).status_code == 404
    assert Game.objects.exists(), "only its owner deletes it"
    assert send(token, "DELETE", address, b"").status_code == 204
    assert not Game.objects.exists()


@pytest.mark.parametrize(
    ("fields", "status", "code"),
    [
        ({"list": "a" * 22}, 409, "unknown-list"),
        ({"list": ""}, 409, "unknown-list"),
        ({"list": 3}, 400, "invalid-fields"),
        ({"misson": "raid"}, 400, "invalid-fields"),
        ({"mission": "picnic"}, 409, "unknown-mission"),
        ({"mission": "roll", "pack": "none"}, 409, "unknown-pack"),
        ({"map": "none"}, 409, "unknown-map"),
        ({"size": "none"}, 409, "unknown-size"),
        ({"players": 9}, 400, "invalid-fields"),
        ({"players": 3, "teams": 2}, 400, "invalid-fields"),
        ({"opponents": [{"name": "x"}] * 4}, 400, "invalid-fields"),
        ({"opponents": [{"name": "x" * 1_000}]}, 409, "too-long"),
        ({"opponents": [{"list": "nowhere"}]}, 409, "unknown-list"),
    ],
)
def test_a_game_that_cannot_begin_is_refused(token: str, fields: dict[str, Any], status: int, code: str) -> None:
    answer = start(token, **fields)
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.content.decode()
    assert answer["Content-Type"] == "application/problem+json"
    assert not Game.objects.exists()


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"side": "x"}', b'{"side": 9}', b'{"side": -1}', b'{"place": 1}'])
def test_wrong_invitations_are_a_problem(game: Game, token: str, body: bytes) -> None:
    answer = send(token, "POST", f"{PLAYED}{game.public_id}/invitations/", body)
    assert (answer.status_code, answer["Content-Type"]) == (400, "application/problem+json")


def test_codes_are_withdrawn_and_unknown_codes_are_not_there(game: Game, token: str) -> None:
    address = f"{PLAYED}{game.public_id}/invitations/"
    code = send(token, "POST", address, {"side": 1}).json()["code"]
    assert send(token, "DELETE", address, b"").status_code == 204
    ben = make(account("ben@example.org"), TokenScope.READ, TokenScope.WRITE)
    withdrawn = send(ben, "POST", f"{PLAYED}join/", {"code": code})
    assert (withdrawn.status_code, withdrawn.json()["code"]) == (409, "old-invitation")
    for unknown in ("a" * 22, "x", ""):
        assert send(ben, "POST", f"{PLAYED}join/", {"code": unknown}).status_code == 404
    assert send(ben, "POST", f"{PLAYED}join/", {}).json()["code"] == "invalid-fields"


def test_too_long_notes_end_nothing(game: Game, token: str) -> None:
    address = f"{PLAYED}{game.public_id}/end/"
    assert send(token, "POST", address, {"notes": "x" * 9_999}).json()["code"] == "too-long"
    assert send(token, "POST", address, {"conceded": "me"}).json()["code"] == "invalid-fields"
    game.refresh_from_db()
    assert game.ended is None


@pytest.mark.parametrize("name", ["", "log/", "invitations/", "end/", "confirmation/", "taps/"])
def test_each_address_of_a_game_is_for_its_players_and_scopes(game: Game, name: str) -> None:
    address = f"{PLAYED}{game.public_id}/{name}"
    ben = make(account("ben@example.org"), TokenScope.READ, TokenScope.WRITE)
    reader = make(User.objects.get(username="ann"), TokenScope.READ)
    for method in ("GET", "POST", "DELETE"):
        answer = send(ben, method, address, {})
        if answer.status_code == 405:
            continue
        assert answer.status_code == 404, method
        assert Client().generic(method, address).status_code == 401, method
        if method != "GET":
            assert send(reader, method, address, {}).json()["code"] == "scope-missing", method
    assert Game.objects.get().ended is None
