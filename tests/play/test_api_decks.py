"""Mission decks and sets of objectives through the API, with the services of their pages."""

from collections import Counter
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from catalogue.models import PackVersion, Release
from roster.models import AccessToken
from roster.models.tokens import TokenScope
from roster.play.models import MissionDeck, MissionDraw, ObjectiveHand
from roster.play.services import mission_decks, objective_hands
from roster.services.sharing import take_down
from tests.play.games import NINTH, REEDS
from tests.roster.accounts_cast import account
from tests.roster.test_api_lists import send
from tests.roster.test_tokens import ask, make
from tests.shipped_packs import install_shipped

pytestmark = pytest.mark.django_db
DECKS = "/api/v1/decks/"
HANDS = "/api/v1/hands/"
GAME = "reeds-and-rust"
WAR = "maelstrom-of-war-9e"
GROUPS = ["raid", "eradication", "brought-low"]
DEEP = b'{"missions": ' + b"[" * 100_000


@pytest.fixture
def ann(db: None) -> User:
    cache.clear()
    return account()


@pytest.fixture
def token(ann: User) -> str:
    return make(ann, TokenScope.READ, TokenScope.WRITE)


@pytest.fixture
def ben(db: None) -> str:
    return make(account("ben@example.org"), TokenScope.READ, TokenScope.WRITE)


@pytest.fixture
def reeds(db: None) -> PackVersion:
    return install_shipped(REEDS)


@pytest.fixture
def war(db: None) -> PackVersion:
    return install_shipped(NINTH)


def name_mission(mission: str, copies: int = 1, **fields: Any) -> dict[str, Any]:
    return {"game": GAME, "mission": mission, "copies": copies, **fields}


def make_deck(token: str, *missions: dict[str, Any], **fields: Any) -> dict[str, Any]:
    answer = send(token, "POST", DECKS, {"name": "Evening", "missions": missions, **fields})
    assert answer.status_code == 201, answer.content.decode()
    made: dict[str, Any] = answer.json()
    return made


def count_cards(deck: dict[str, Any]) -> dict[str, tuple[int, int]]:
    return {line["mission"]: (line["copies"], line["left"]) for line in deck["missions"]}


# ---- mission decks ---------------------------------------------------------------------------------------------------


def test_a_deck_is_made_filled_drawn_shuffled_and_deleted(ann: User, token: str, reeds: PackVersion) -> None:
    answer = send(token, "POST", DECKS, {"name": "Evening", "missions": [name_mission("high-water")] * 2})
    made = answer.json()
    address = f"{DECKS}{made['id']}/"
    assert (answer.status_code, answer["Location"]) == (201, address)
    assert (MissionDeck.objects.get().owner, made["visibility"], made["cards"]) == (ann, "link", 2)
    assert ask(token, address).json() == made, "the same mission in two rows is two cards"
    (row,) = ask(token, DECKS).json()
    assert row == {name: made[name] for name in row}

    # What is read can be sent again, with more.
    (line,) = made["missions"]
    known = {name: line[name] for name in ("game", "version", "mission", "copies")}
    sent = {"name": "Late evening", "missions": [name_mission("the-toll"), known], "visibility": "public"}
    filled = send(token, "PUT", address, sent).json()
    assert (filled["name"], filled["visibility"]) == ("Late evening", "public")
    assert count_cards(filled) == {"high-water": (2, 2), "the-toll": (1, 1)}, "in the order of the book"

    draws = [send(token, "POST", f"{address}draws/", {}) for _ in range(3)]
    assert [draw.status_code for draw in draws] == [201] * 3
    assert Counter(draw.json()["mission"] for draw in draws) == {"high-water": 2, "the-toll": 1}
    assert set(count_cards(ask(token, address).json()).values()) == {(2, 0), (1, 0)}
    refused = send(token, "POST", f"{address}draws/", b"")
    assert (refused.status_code, refused.json()["code"]) == (409, "all-drawn")
    assert count_cards(send(token, "POST", f"{address}shuffle/", b"").json())["high-water"] == (2, 2)

    pack = filled["packs"][0]
    assert (pack["pack"], pack["die"]) == ("tide-tables", 6)
    rolled = send(token, "POST", f"{address}draws/", {name: pack[name] for name in ("game", "version", "pack")}).json()
    assert (rolled["number"], rolled["rolled"][:3]) == (4, "D6:")
    assert send(token, "POST", f"{address}draws/", {"pack": "tide-tables", "game": GAME}).json()["number"] == 5
    history = ask(token, f"{address}draws/").json()
    assert [draw["number"] for draw in history] == [5, 4, 3, 2, 1]
    assert all(draw["name"] for draw in history)

    browser = Client()
    browser.force_login(ann)
    assert "Late evening" in browser.get(f"/decks/{made['id']}/").content.decode(), "the page shows the same deck"
    assert send(token, "DELETE", address, b"").status_code == 204
    assert not MissionDeck.objects.exists()
    assert ask(token, address).status_code == 404


def test_others_read_and_copy_what_is_shared(token: str, ben: str, reeds: PackVersion) -> None:
    made = make_deck(token, name_mission("high-water", 3))
    linked = f"{DECKS}by-link/{made['link']}/"
    send(token, "POST", f"{DECKS}{made['id']}/draws/", {})
    shown = Client().get(linked).json()
    assert (shown["cards"], shown["missions"][0]["mission"], "id" in shown) == (3, "high-water", False)
    assert Client().get(f"{linked}draws/").json()[0]["mission"] == "high-water"
    assert Client().post(f"{linked}copy/").status_code == 401
    copied = send(ben, "POST", f"{linked}copy/", b"")
    assert (copied.status_code, copied.json()["cards"]) == (201, 3)
    assert ask(ben, copied["Location"]).json() == copied.json()
    assert Client().get(f"{DECKS}public/").json() == []

    address = f"{DECKS}{made['id']}/"
    for path, methods in (("", ("GET", "PUT", "DELETE")), ("draws/", ("GET", "POST")), ("shuffle/", ("POST",))):
        for method in methods:
            answer = send(ben, method, address + path, {"name": "Mine", "missions": []} if method == "PUT" else {})
            assert (answer.status_code, answer.json()["code"]) == (404, "not-found"), (method, path)
    sent = {"name": "Evening", "missions": []}
    assert send(token, "PUT", address, sent | {"visibility": "public"}).status_code == 200
    (public,) = Client().get(f"{DECKS}public/").json()
    assert public["link"] == made["link"]
    assert send(token, "PUT", address, sent).json()["visibility"] == "public", "unless it says otherwise"
    take_down(MissionDeck.objects.get(public_id=made["id"]))
    assert Client().get(f"{DECKS}public/").json() == []
    assert send(token, "PUT", address, sent | {"visibility": "private"}).status_code == 200
    assert [ask(ben, linked + path).status_code for path in ("", "draws/")] == [404, 404]
    assert send(ben, "POST", f"{linked}copy/", b"").status_code == 404
    assert ask(token, linked).status_code == 200


@pytest.mark.parametrize(
    ("sent", "status", "code"),
    [
        ({}, 400, "invalid-fields"),
        ({"name": 3}, 400, "invalid-fields"),
        ({"name": "x" * 1_000}, 409, "too-long"),
        ({"nome": "Evening"}, 400, "invalid-fields"),
        ({"\ud800": "Evening"}, 400, "bad-request"),
        ({"missions": {}}, 400, "invalid-fields"),
        ({"missions": ["high-water"]}, 400, "invalid-fields"),
        ({"missions": [{"mission": "high-water"}]}, 400, "invalid-fields"),
        ({"missions": [name_mission("high-water", "2")]}, 400, "invalid-fields"),
        ({"missions": [name_mission("high-water", -1)]}, 400, "invalid-fields"),
        ({"missions": [name_mission("high-water", 21)]}, 409, "bad-copies"),
        ({"missions": [name_mission("high-water", 10**30)]}, 400, "invalid-fields"),
        ({"missions": [name_mission("high-water")] * 4_001}, 400, "invalid-fields"),
        ({"missions": [name_mission(f"no-{number}") for number in range(201)]}, 409, "too-many"),
        ({"missions": [name_mission("no-mission")]}, 409, "unknown-mission"),
        ({"missions": [name_mission("\0\ud800")]}, 400, "bad-request"),
        ({"missions": [{"game": "nothing", "mission": "high-water"}]}, 400, "invalid-fields"),
        ({"missions": [{"game": "\0", "mission": "high-water"}]}, 400, "bad-request"),
        ({"missions": [name_mission("high-water", version="0" * 64)]}, 400, "invalid-fields"),
        ({"missions": [name_mission("high-water", version="newest")]}, 400, "invalid-fields"),
        ({"visibility": "everybody"}, 400, "invalid-fields"),
        ({"visibility": None}, 400, "invalid-fields"),
        (b"[]", 400, "bad-request"),
        (DEEP, 400, "bad-request"),
    ],
)
def test_a_wrong_deck_is_a_problem_and_changes_nothing(
    token: str, reeds: PackVersion, sent: Any, status: int, code: str
) -> None:
    whole = {"name": "Morning", "missions": [], **sent} if isinstance(sent, dict) and sent else sent
    answer = send(token, "POST", DECKS, whole)
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.content.decode()
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.json()["detail"]
    assert answer.json().get("mission", "") in ("", "high-water", "no-mission")
    assert ("mission" in answer.json()) == (status == 409)
    assert not MissionDeck.objects.exists()
    if sent == {"visibility": None}:
        return  # which leaves it as it is
    made = make_deck(token, name_mission("the-toll"))
    answer = send(token, "PUT", f"{DECKS}{made['id']}/", whole)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert ask(token, f"{DECKS}{made['id']}/").json() == made


@pytest.mark.parametrize(
    ("sent", "status", "code"),
    [
        ({"pack": "none", "game": GAME}, 409, "unknown-pack"),
        ({"pack": "tide-tables"}, 409, "unknown-pack"),
        ({"pack": "tide-tables", "game": GAME, "version": "0" * 64}, 409, "unknown-pack"),
        ({"pack": 1}, 400, "invalid-fields"),
        ({"dice": 6}, 400, "invalid-fields"),
    ],
)
def test_a_draw_that_there_is_not_is_refused(
    token: str, reeds: PackVersion, sent: dict[str, Any], status: int, code: str
) -> None:
    made = make_deck(token, name_mission("the-toll"))
    answer = send(token, "POST", f"{DECKS}{made['id']}/draws/", sent)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert not MissionDraw.objects.exists()
    empty = make_deck(token)
    assert send(token, "POST", f"{DECKS}{empty['id']}/draws/", {}).json()["code"] == "empty-deck"


def test_data_that_was_withdrawn_fills_no_deck_and_lost_missions_are_left_out(token: str, reeds: PackVersion) -> None:
    made = make_deck(token, name_mission("high-water"), name_mission("the-toll"))
    address = f"{DECKS}{made['id']}/"
    MissionDeck.objects.get().missions.filter(mission_id="the-toll").update(mission_id="washed-away")
    send(token, "POST", f"{address}draws/", {})
    MissionDraw.objects.update(mission_id="washed-away")
    assert count_cards(ask(token, address).json()) == {"high-water": (1, 1)}
    (draw,) = ask(token, f"{address}draws/").json()
    assert (draw["mission"], draw["name"]) == ("washed-away", "")
    Release.objects.all().delete()
    again = [name_mission("high-water", version=reeds.content_hash)]
    answer = send(token, "PUT", address, {"name": "Evening", "missions": again})
    assert (answer.status_code, list(answer.json()["errors"])) == (400, ["missions"])
    assert MissionDeck.objects.get().missions.count() == 2


def test_a_full_account_and_a_deck_that_goes_meanwhile(
    token: str, reeds: PackVersion, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = make_deck(token, name_mission("high-water"))
    quota = settings.ARMYBUILDER["QUOTAS"]
    account_quota = quota["account"] | {"things": 1}
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "QUOTAS": quota | {"account": account_quota}}
    for address in (DECKS, f"{DECKS}by-link/{made['link']}/copy/"):
        assert send(token, "POST", address, {"name": "Second"}).json()["code"] == "no-room"
    deck = MissionDeck.objects.get()
    monkeypatch.setattr(mission_decks, "find_own_deck", lambda public_id, visitor: deck)
    MissionDeck.objects.all().delete()
    for method, path, sent in (
        ("PUT", "", {"name": "Evening", "missions": []}),
        ("POST", "draws/", {}),
        ("POST", "shuffle/", {}),
    ):
        assert send(token, method, f"{DECKS}{made['id']}/{path}", sent).status_code == 404, path


# ---- sets of objectives ----------------------------------------------------------------------------------------------


def open_hand(token: str, mission: str = "never-surrender") -> dict[str, Any]:
    answer = send(token, "POST", HANDS, {"game": WAR, "mission": mission, "size": "incursion"})
    assert answer.status_code == 201, answer.content.decode()
    opened: dict[str, Any] = answer.json()
    assert answer["Location"] == f"{HANDS}{opened['id']}/"
    return opened


def do(token: str, hand: dict[str, Any], **deed: Any) -> Any:
    return send(token, "POST", f"{HANDS}{hand['id']}/deeds/", deed, match=f'"{hand["revision"]}"')


def done(token: str, hand: dict[str, Any], **deed: Any) -> dict[str, Any]:
    answer = do(token, hand, **deed)
    assert answer.status_code == 200, answer.content.decode()
    changed: dict[str, Any] = answer.json()
    assert changed["revision"] == hand["revision"] + 1
    return changed


def test_objectives_are_drawn_scored_and_taken_back(ann: User, token: str, war: PackVersion) -> None:
    hand = open_hand(token)
    assert (hand["round"], hand["choose"], hand["objectives"], hand["revision"]) == (0, 3, [], 1)
    assert set(GROUPS) < {category["id"] for category in hand["categories"]}
    hand = done(token, hand, do="choose", categories=GROUPS)
    assert hand["chosen"] == GROUPS
    hand = done(token, hand, do="begin")
    assert (hand["round"], len(hand["objectives"])) == (1, 3)
    stored = ObjectiveHand.objects.get()
    drawn = [objective.objective_id for objective in stored.hand.now.drawn]
    assert [objective["id"] for objective in hand["objectives"]] == drawn
    first = hand["objectives"][0]
    scored = done(token, hand, do="score", place=0)
    assert (scored["objectives"][0]["scored"], scored["points"]) == (True, first["worth"])
    hand = done(token, scored, do="unscore", place=0)
    assert hand["points"] == 0
    kept = hand["objectives"][2]["id"]
    hand = done(token, hand, do="begin", extra=True, keep=[kept])
    assert (len(hand["objectives"]), hand["objectives"][0]["id"]) == (4, kept)
    assert hand["objectives"][0]["carried_over"]
    assert [one["id"] for one in hand["past"][0]["objectives"]] == drawn
    new = next(category["id"] for category in hand["categories"] if category["id"] not in GROUPS)
    hand = done(token, hand, do="category", old="raid", new=new)
    assert (hand["chosen"][0], [one["is_used"] for one in hand["stratagems"]].count(True)) == (new, 2)
    hand = done(token, hand, do="back")
    assert (hand["round"], hand["chosen"], hand["spent"]) == (1, GROUPS, 0)

    whole = ask(token, f"{HANDS}{hand['id']}/")
    assert whole.json() == hand
    assert send(token, "POST", f"{HANDS}{hand['id']}/deeds/", {"do": "back"}, match=whole["ETag"]).status_code == 200
    (row,) = ask(token, HANDS).json()
    assert (row["id"], row["round"], row["name"]) == (hand["id"], 0, "Never Surrender")
    browser = Client()
    browser.force_login(ann)
    assert browser.get(f"/hands/{hand['id']}/").status_code == 200
    assert send(token, "DELETE", f"{HANDS}{hand['id']}/", b"").status_code == 204
    assert not ObjectiveHand.objects.exists()


def test_objectives_that_changed_elsewhere_are_left_alone(
    token: str, war: PackVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = open_hand(token)
    address = f"{HANDS}{opened['id']}/"
    missing = send(token, "POST", f"{address}deeds/", {"do": "begin"})
    assert (missing.status_code, missing.json()["code"]) == (428, "revision-required")
    hand = done(token, opened, do="choose", categories=GROUPS)
    stale = do(token, opened, do="begin")
    assert (stale.status_code, stale.json()["code"]) == (412, "stale")
    assert (stale.json()["made_on"], stale.json()["revision"], stale.json()["current"]) == (1, 2, hand)
    for match, status in (('"1"', 412), ("soon", 400)):
        assert send(token, "DELETE", address, b"", match=match).status_code == status
    tag = ask(token, address)["ETag"]
    unchanged = Client().get(address, headers={"Authorization": f"Bearer {token}", "If-None-Match": tag})
    assert unchanged.status_code == 304
    # Another request is first although both were made on the present revision.
    before = ObjectiveHand.objects.get()
    done(token, hand, do="begin")
    find = objective_hands.find_own_hand
    found = iter([before])
    monkeypatch.setattr(objective_hands, "find_own_hand", lambda *asked: next(found, None) or find(*asked))
    late = do(token, hand, do="begin").json()
    assert (late["code"], late["made_on"], late["revision"], late["current"]["round"]) == ("stale", 2, 3, 1)
    assert len(ObjectiveHand.objects.get().hand.rounds) == 1


@pytest.mark.parametrize(
    ("deed", "status", "code"),
    [
        ({"do": "fly"}, 400, "invalid-fields"),
        ({"do": ["begin"]}, 400, "invalid-fields"),
        ({}, 400, "invalid-fields"),
        ({"do": "begin", "round": 3}, 400, "invalid-fields"),
        ({"do": "begin", "extra": "on"}, 400, "invalid-fields"),
        ({"do": "begin"}, 409, "wrong-categories"),
        ({"do": "choose"}, 409, "wrong-categories"),
        ({"do": "choose", "categories": "raid"}, 400, "invalid-fields"),
        ({"do": "choose", "categories": ["raid", "raid", "raid"]}, 409, "wrong-categories"),
        ({"do": "choose", "categories": ["raid", "eradication", "\ud800"]}, 400, "bad-request"),
        ({"do": "choose", "categories": GROUPS, "secret": "other"}, 409, "other-secret"),
        ({"do": "score", "place": 7}, 409, "bad-change"),
        ({"do": "score", "place": 10**30}, 409, "bad-change"),
        ({"do": "score", "place": -1}, 400, "invalid-fields"),
        ({"do": "score", "place": True}, 400, "invalid-fields"),
        ({"do": "score", "place": "0"}, 400, "invalid-fields"),
        ({"do": "score"}, 409, "bad-change"),
        ({"do": "back"}, 409, "bad-change"),
        ({"do": "delete"}, 400, "invalid-fields"),
    ],
)
def test_wrong_deeds_are_a_problem_and_change_nothing(
    token: str, war: PackVersion, deed: dict[str, Any], status: int, code: str
) -> None:
    hand = open_hand(token)
    answer = do(token, hand, **deed)
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.content.decode()
    assert (answer["Content-Type"], bool(answer.json()["detail"])) == ("application/problem+json", True)
    assert "form" not in answer.json()["detail"]
    assert ask(token, f"{HANDS}{hand['id']}/").json() == hand


@pytest.mark.parametrize(
    ("fields", "status", "code"),
    [
        ({"game": "nothing"}, 400, "invalid-fields"),
        ({"game": "\0"}, 400, "bad-request"),
        ({"mission": "no-mission"}, 409, "unknown-mission"),
        ({"size": "huge"}, 409, "unknown-size"),
        ({"size": 1}, 400, "invalid-fields"),
        ({"seed": "0"}, 400, "invalid-fields"),
    ],
)
def test_objectives_need_a_mission_that_draws_and_a_size(
    token: str, war: PackVersion, fields: dict[str, Any], status: int, code: str
) -> None:
    sent = {"game": WAR, "mission": "never-surrender", "size": "incursion", **fields}
    answer = send(token, "POST", HANDS, sent)
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.content.decode()
    assert not ObjectiveHand.objects.exists()


def test_objectives_are_secret_and_need_a_live_token_with_the_scope(
    ann: User, token: str, ben: str, war: PackVersion
) -> None:
    hand = open_hand(token)
    address = f"{HANDS}{hand['id']}/"
    ObjectiveHand.objects.update(visibility="public")
    reader, late = make(ann, TokenScope.READ, name="Reader"), make(ann, name="Late")
    AccessToken.objects.filter(name="Late").update(expires=timezone.now() - timedelta(days=1))
    assert ask(ben, HANDS).json() == []
    for method, path in (("GET", ""), ("DELETE", ""), ("POST", "deeds/")):
        assert send(ben, method, address + path, {"do": "begin"}).status_code == 404, method
        assert Client().generic(method, address + path).status_code == 401, method
        expired = send(late, method, address + path, {"do": "begin"})
        assert (expired.status_code, expired.json()["code"]) == (401, "token-expired"), method
        if method != "GET":
            assert send(reader, method, address + path, {"do": "begin"}).json()["code"] == "scope-missing", method
    assert ask(reader, address).json() == hand
    for path in (DECKS, HANDS):
        assert send(reader, "POST", path, {}).json()["code"] == "scope-missing"
        assert send(late, "POST", path, {}).json()["code"] == "token-expired"
        assert Client().get(path).status_code == 401
