"""What an owner does with whole lists through the API: share, file, copy, restore, move to other data."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db.models import F
from django.test import Client

from catalogue.models import GameSystem
from roster.models import Folder, Roster, Tag
from roster.models.ownership import Visibility
from roster.models.tokens import TokenScope
from roster.services.organize import MOST_TAGS
from roster.services.sharing import share_roster
from tests.roster.accounts_cast import account
from tests.roster.small_game import installed
from tests.roster.small_game_update import later
from tests.roster.test_api_lists import LIST, LISTS, MORE, create, send
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
    return f"{LISTS}{create(token)['id']}/"


def names_of(token: str, query: str) -> list[str]:
    return [row["name"] for row in ask(token, f"{LISTS}?{query}").json()["results"]]


# ---- who sees it -------------------------------------------------------------------------------------------------


def test_the_owner_chooses_who_sees_a_list(token: str, address: str) -> None:
    assert ask(token, f"{address}sharing/").json()["visibility"] == "public"
    answer = send(token, "PUT", f"{address}sharing/", {"visibility": "link", "secret": True})
    shared = answer.json()
    assert (answer.status_code, shared["visibility"], shared["secret"], shared["uncounted"]) == (
        200,
        "link",
        True,
        False,
    )
    assert Client().get(LISTS).json()["results"] == []
    assert Client().get(address).status_code == 404, "its contents are secret"
    send(token, "PUT", f"{address}sharing/", {"visibility": "private"})
    roster = Roster.objects.get()
    assert (roster.visibility, roster.is_secret) == (Visibility.PRIVATE, True), "what is not sent stays"
    send(token, "PUT", f"{address}sharing/", {"visibility": "private", "secret": False, "uncounted": True})
    roster.refresh_from_db()
    assert (roster.is_secret, roster.is_uncounted) == (False, True)


def test_a_new_link_replaces_the_old_one(token: str, address: str) -> None:
    answer = send(token, "POST", f"{address}sharing/reset/", {})
    renewed = f"{LISTS}{answer.json()['id']}/"
    assert renewed != address
    assert (ask(token, address).status_code, ask(token, renewed).status_code) == (404, 200)


def test_who_shares_a_list_ends_no_secret_chosen_meanwhile(token: str, address: str) -> None:
    read_before = Roster.objects.get()
    send(token, "PUT", f"{address}sharing/", {"visibility": "link", "secret": True, "uncounted": True})
    assert share_roster(read_before, "public") is None
    roster = Roster.objects.get()
    assert (roster.visibility, roster.is_secret, roster.is_uncounted) == (Visibility.PUBLIC, True, True)


@pytest.mark.parametrize(
    "sent",
    [{}, [], {"visibility": "everybody"}, {"visibility": "link", "secret": "yes"}, {"visibility": "link", "x": 1}],
    ids=str,
)
def test_sharing_that_cannot_be_read_changes_nothing(token: str, address: str, sent: object) -> None:
    answer = send(token, "PUT", f"{address}sharing/", sent)
    assert (answer.status_code, answer["Content-Type"]) == (400, "application/problem+json")
    assert Roster.objects.get().visibility == Visibility.PUBLIC


# ---- folders and tags --------------------------------------------------------------------------------------------


def test_folders_and_tags_file_lists_and_find_them(token: str, address: str, ann: User) -> None:
    create(token, LIST | {"name": "High water"})
    sent = {"folder": "Autumn", "tags": ["tried", "small", "tried"]}
    assert send(token, "PUT", f"{address}labels/", sent).json() == {"folder": "Autumn", "tags": ["small", "tried"]}
    assert (names_of(token, "mine=true&folder=Autumn"), names_of(token, "mine=true&tag=small")) == (
        ["Low water"],
        ["Low water"],
    )
    refiled = {"folder": "", "tags": ["small"]}
    assert send(token, "PUT", f"{address}labels/", refiled).json() == refiled
    assert names_of(token, "mine=true&folder=Autumn") == []
    assert (Folder.objects.filter(owner=ann).count(), Tag.objects.filter(owner=ann).count()) == (1, 2)


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ({}, 400),
        ({"folder": "Autumn"}, 400),
        ({"folder": 3, "tags": []}, 400),
        ({"folder": "", "tags": "tried"}, 400),
        ({"folder": "", "tags": [str(number) for number in range(MOST_TAGS + 1)]}, 400),
        ({"folder": "Autumn", "tags": ["ok", " "]}, 409),
        ({"folder": "x" * 1000, "tags": []}, 409),
    ],
)
def test_labels_that_cannot_be_stored_are_refused_whole(token: str, address: str, sent: object, status: int) -> None:
    answer = send(token, "PUT", f"{address}labels/", sent)
    assert (answer.status_code, answer["Content-Type"]) == (status, "application/problem+json")
    assert not Roster.objects.get().tags.exists()
    assert not Tag.objects.exists()
    assert not Folder.objects.exists()


@pytest.mark.parametrize("query", ["folder=Autumn", "tag=small", "mine=true&folder=Autumn", "mine=true&tag=%00"])
def test_a_filter_by_an_unknown_label_is_an_error(token: str, query: str) -> None:
    answer = ask(token, f"{LISTS}?{query}")
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid-fields")


# ---- copies ------------------------------------------------------------------------------------------------------


def test_anybody_copies_what_they_may_read(token: str, address: str) -> None:
    ben = make(account("ben"), TokenScope.READ, TokenScope.WRITE)
    answer = send(ben, "POST", f"{address}copies/", {"name": "Mine now"})
    copied = answer.json()
    assert (answer.status_code, copied["name"], copied["verdict"]) == (201, "Mine now", "legal")
    assert answer["Location"] == f"{LISTS}{copied['id']}/"
    assert names_of(ben, "mine=true") == ["Mine now"]
    assert Roster.objects.get(link_id=address.split("/")[-2]).times_copied == 1
    send(token, "PUT", f"{address}sharing/", {"visibility": "link", "secret": True})
    assert send(ben, "POST", f"{address}copies/", {}).status_code == 404
    assert send(ben, "POST", f"{address}copies/", {"name": 3}).status_code == 404


def test_an_earlier_revision_is_copied_restored_and_named(token: str, address: str) -> None:
    send(token, "PUT", address, MORE, '"1"')
    early = send(token, "POST", f"{address}copies/", {"revision": 1}).json()
    assert len(early["list"]["detachments"][0]["units"]) == 1
    assert send(token, "POST", f"{address}copies/", {"revision": 9}).status_code == 404
    named = send(token, "PUT", f"{address}revisions/1/", {"name": "Before the flood"})
    assert (named.status_code, named.json()["name"], named.json()["revision"]) == (200, "Before the flood", 1)
    assert send(token, "PUT", f"{address}revisions/1/", {"name": "x" * 1000}).json()["code"] == "too-long"
    assert send(token, "PUT", f"{address}revisions/7/", {"name": "None"}).status_code == 404
    stale = send(token, "POST", f"{address}revisions/1/restore/", {}, '"1"')
    assert (stale.status_code, stale.json()["code"]) == (412, "stale")
    restored = send(token, "POST", f"{address}revisions/1/restore/", {}, '"2"').json()
    assert (restored["revision"], restored["list"]["detachments"]) == (3, early["list"]["detachments"])
    unknown = send(token, "POST", f"{address}revisions/9/restore/", {}, '"3"')
    assert (unknown.status_code, unknown.json()["code"]) == (409, "unknown-revision")


# ---- the bin -----------------------------------------------------------------------------------------------------


def test_a_deleted_list_comes_back_or_goes_for_good(token: str, address: str) -> None:
    link = address.split("/")[-2]
    send(token, "DELETE", address, {})
    (row,) = ask(token, "/api/v1/bin/").json()["results"]
    assert (row["id"], row["name"], bool(row["binned"])) == (link, "Low water", True)
    ben = make(account("ben"), TokenScope.READ, TokenScope.WRITE)
    assert ask(ben, "/api/v1/bin/").json()["results"] == []
    assert {send(ben, method, f"/api/v1/bin/{link}/", {}).status_code for method in ("POST", "DELETE")} == {404}
    back = send(token, "POST", f"/api/v1/bin/{link}/", {})
    assert (back.status_code, back["Location"]) == (204, address)
    assert ask(token, address).status_code == 200
    assert send(token, "DELETE", f"/api/v1/bin/{link}/", {}).status_code == 404, "it is not in the bin"
    send(token, "DELETE", address, {})
    assert send(token, "DELETE", f"/api/v1/bin/{link}/", {}).status_code == 204
    assert not Roster.objects.exists()


# ---- other data --------------------------------------------------------------------------------------------------


def test_a_list_moves_to_new_data_after_a_look_at_it(token: str, address: str) -> None:
    old = ask(token, f"{address}data/").json()
    assert old["is_current"]
    newer = later()
    preview = ask(token, f"{address}data/").json()
    assert (preview["hash"], preview["is_current"]) == (newer.content_hash, False)
    assert ask(token, f"{address}data/?to={old['hash']}").json()["is_current"]
    moved = send(token, "POST", f"{address}data/", {"to": newer.content_hash}, '"1"').json()
    assert (moved["revision"], moved["version"]) == (2, newer.label)
    assert moved["costs"][0]["value"] == next(cost["after"] for cost in preview["costs"] if cost["type"] == "points")
    again = send(token, "POST", f"{address}data/", {}, '"2"')
    assert (again.status_code, again.json()["code"]) == (409, "same-version")
    undone: dict[str, Any] = send(token, "POST", f"{address}undo/", {}, '"2"').json()
    assert undone["revision"] == 1


@pytest.mark.parametrize("sent", [{"to": "nonsense"}, {"to": "0"}, {"to": 3}, {"mend": "yes"}], ids=str)
def test_a_move_to_data_that_is_not_there_is_refused(token: str, address: str, sent: object) -> None:
    answer = send(token, "POST", f"{address}data/", sent, '"1"')
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid-fields")
    assert Roster.objects.get().head == 1


# ---- what earlier answers said wrongly ---------------------------------------------------------------------------


def test_the_tag_of_a_plan_changes_with_its_list_and_the_language(token: str, address: str) -> None:
    send(token, "PUT", f"{address}plan/", {"objective": "Hold the lock"}, '"0"')
    planned = ask(token, f"{address}plan/")
    headers = {"If-None-Match": planned["ETag"]}
    assert ask(token, f"{address}plan/", headers=headers).status_code == 304
    assert ask(token, f"{address}plan/", headers=headers | {"Accept-Language": "de"}).status_code == 200
    send(token, "PUT", address, MORE, '"1"')
    assert ask(token, f"{address}plan/", headers=headers).status_code == 200
    kept = send(token, "PUT", f"{address}plan/", {"objective": "Hold the weir"}, planned["ETag"])
    assert (kept.status_code, kept.json()["revision"]) == (200, 2), "the plan itself is the one that was read"


@pytest.mark.parametrize(
    "cursor",
    ["cD1hYmM=", "cD0yMDI2LTAyLTMx", "cD0yMDI2LTAyLTMwIDEyOjAwOjAw", "cD0wMDAxLTAxLTAxVDAwOjAwOjAwJTJCMTQ6MDA="],
)
def test_a_cursor_that_is_no_time_is_no_page(token: str, address: str, cursor: str) -> None:
    assert Client().get(f"{LISTS}?cursor={cursor}").status_code == 400
    assert ask(token, f"/api/v1/bin/?cursor={cursor}").status_code == 400


@pytest.mark.parametrize("text", ["\\ud800", "a\\u0000b"])
def test_json_with_characters_that_no_database_stores_is_refused(token: str, address: str, text: str) -> None:
    sent = {
        "plan/": f'{{"opponents": ["{text}"]}}',
        "edits/": f'{{"edits": [{{"do": "set-homebrew", "homebrew": "{text}@1"}}]}}',
        "labels/": f'{{"{text}": ""}}',
    }
    for below, body in sent.items():
        answer = send(token, "POST" if below == "edits/" else "PUT", address + below, body.encode(), '"1"')
        assert (answer.status_code, answer.json()["code"]) == (400, "bad-request"), (below, answer.content)


def test_a_faction_alone_is_its_id(token: str, address: str) -> None:
    assert names_of(token, "faction=marsh") == ["Low water"]
    answer = ask(token, f"{LISTS}?faction=marsh-folk")
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid-fields")
    assert names_of(token, "game=fenland&faction=marsh-folk") == ["Low water"]


def test_a_list_of_ones_private_game_is_sent_back_and_checked(ann: User, token: str, address: str) -> None:
    GameSystem.objects.update(owner=ann, current=None, private_version=F("current"))
    read = ask(token, address).json()
    assert send(token, "PUT", address, read["list"] | {"name": "High water"}, '"1"').json()["name"] == "High water"
    assert send(token, "POST", LISTS, LIST).status_code == 201
    assert send(token, "POST", "/api/v1/check", LIST).json()["verdict"] == "legal"
    blind = make(ann, TokenScope.WRITE, name="blind")
    ben = make(account("ben"), TokenScope.READ, TokenScope.WRITE)
    for other in (blind, ben):
        assert send(other, "POST", "/api/v1/check", LIST).json()["code"] == "unknown-game"
    assert send(ben, "POST", LISTS, LIST).json()["code"] == "unknown-game"


def test_a_private_game_is_for_tokens_that_may_read_and_never_public(ann: User, token: str, address: str) -> None:
    GameSystem.objects.update(owner=ann, current=None, private_version=F("current"))
    blind = make(ann, TokenScope.WRITE, name="blind")
    for sent in (LIST, LIST | {"game": "fenlnd"}):
        assert "fenland" not in send(blind, "POST", LISTS, sent).content.decode().replace("“fenland”", "")
    refused = send(token, "POST", f"{LISTS}?visibility=public", LIST)
    assert (refused.status_code, refused.json()["code"]) == (409, "private-list")
    assert Roster.objects.count() == 1


@pytest.mark.parametrize("depth", [450, 900, 5_000])
@pytest.mark.parametrize(("opening", "closing"), [('{"a":', "}"), ("[", "]")])
def test_a_deep_body_is_refused(token: str, depth: int, opening: str, closing: str) -> None:
    body = '{"name":' + opening * depth + "1" + closing * depth + "}"
    answer = send(token, "POST", "/api/v1/decks/", body.encode())
    assert answer.status_code == 400, answer.content[:200]
