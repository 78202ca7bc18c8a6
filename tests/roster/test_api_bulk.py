"""Versions of games as whole files: their hash, what changed, and that nothing private leaves."""

import json
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from armybuilder.turns import Turn, turns
from catalogue.api import bulk
from catalogue.models import GameSystem, PackVersion
from catalogue.services.bulk import CatalogueChange, ChangeKind
from catalogue.services.documents import load_data_set
from roster.models.tokens import TokenScope
from tests.roster.accounts_cast import account
from tests.roster.small_game import installed
from tests.roster.small_game_update import later, without_marsh
from tests.roster.test_tokens import ask, make

pytestmark = pytest.mark.django_db
VERSIONS = "/api/v1/games/fenland/versions/"


@pytest.fixture
def first() -> PackVersion:
    cache.clear()
    return installed()


def read_file(answer: Any) -> Any:
    return json.loads(b"".join(answer.streaming_content))


def list_changes(before: PackVersion, after: PackVersion) -> Any:
    answer = Client().get(f"{VERSIONS}{after.short_hash}/changes/", {"since": before.short_hash})
    assert answer.status_code == 200, answer.content
    return answer.json()


def test_a_version_is_one_file_with_its_hash(first: PackVersion) -> None:
    (row,) = Client().get(VERSIONS).json()
    assert (row["content_hash"], row["is_current"]) == (first.content_hash, True)
    answer = Client().get(row["address"])
    assert answer["ETag"] == f'"{first.content_hash}"'
    assert "immutable" in answer["Cache-Control"]
    file = read_file(answer)
    assert (file["game"], file["hash"], file["version"]) == ("fenland", first.content_hash, first.label)
    names = [catalogue.name for catalogue in load_data_set(first).catalogues]
    assert [catalogue["name"] for catalogue in file["catalogues"]] == names
    again = Client().get(row["address"], headers={"If-None-Match": answer["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_an_old_version_stays_and_what_changed_is_named(first: PackVersion) -> None:
    new = later()
    rows = Client().get(VERSIONS).json()
    assert [(row["content_hash"], row["is_current"]) for row in rows] == [
        (new.content_hash, True),
        (first.content_hash, False),
    ]
    assert read_file(Client().get(f"{VERSIONS}{first.content_hash}/"))["hash"] == first.content_hash
    (marsh,) = list_changes(first, new)
    assert (marsh["id"], marsh["change"]) == ("marsh", "changed")
    assert {entry["id"]: entry["change"] for entry in marsh["entries"]} == {"crew": "changed", "giants": "gone"}
    (back,) = list_changes(new, first)
    assert {entry["id"]: entry["change"] for entry in back["entries"]} == {"crew": "changed", "giants": "added"}
    assert list_changes(new, new) == []


def test_a_faction_that_is_gone_is_named(first: PackVersion) -> None:
    gone = without_marsh()
    (marsh,) = list_changes(first, gone)
    assert (marsh["id"], marsh["change"], {entry["change"] for entry in marsh["entries"]}) == (
        "marsh",
        "gone",
        {"gone"},
    )


def test_changes_come_in_pages_and_take_a_turn(first: PackVersion, monkeypatch: pytest.MonkeyPatch) -> None:
    changes = [
        CatalogueChange(catalogue_id=name, name=name, kind=ChangeKind.GONE, before=None, after=None)
        for name in ("marsh", "hills", "weir")
    ]
    monkeypatch.setattr(bulk, "list_changes", lambda *_versions: changes)
    monkeypatch.setattr(bulk, "MOST_CHANGES", 1)
    taken: list[bool] = []
    take = turns.take

    def note(asker: str, *, is_long: bool) -> Turn:
        taken.append(is_long)
        return take(asker, is_long=is_long)

    monkeypatch.setattr(turns, "take", note)
    address, query = f"{VERSIONS}{first.content_hash}/changes/", {"since": first.content_hash}
    rows, answer = [], Client().get(address, query)
    for _ in changes:
        rows += [row["id"] for row in answer.json()]
        link = answer.get("Link", "")
        answer = Client().get(link.partition(">")[0].removeprefix("<")) if link else answer
    assert (link, rows) == ("", ["marsh", "hills", "weir"])
    assert taken == [True] * 3
    too_many = Client().get(address, query | {"limit": "2"})
    assert (too_many.status_code, list(too_many.json()["errors"])) == (400, ["limit"])


def test_data_that_is_not_published_does_not_leave(first: PackVersion) -> None:
    held = later(hold=True)
    assert [row["content_hash"] for row in Client().get(VERSIONS).json()] == [first.content_hash]
    assert Client().get(f"{VERSIONS}{held.content_hash}/").status_code == 404
    assert Client().get(f"{VERSIONS}{held.content_hash}/changes/", {"since": first.content_hash}).status_code == 404
    assert Client().get(f"{VERSIONS}{first.content_hash}/changes/", {"since": held.content_hash}).status_code == 400


def test_a_private_game_does_not_leave(first: PackVersion) -> None:
    """Not even to its owner: files of versions are kept by caches."""
    owner = account()
    first.releases.all().delete()
    GameSystem.objects.update(owner=owner, current=None, private_version=first)
    token = make(owner, *TokenScope)
    for address in (VERSIONS, f"{VERSIONS}{first.content_hash}/", f"{VERSIONS}{first.content_hash}/changes/"):
        assert [Client().get(address).status_code, ask(token, address).status_code] == [404, 404]


@pytest.mark.parametrize("since", ["", "none", "0" * 64, "é"])
def test_changes_need_a_version_to_compare_with(first: PackVersion, since: str) -> None:
    answer = Client().get(f"{VERSIONS}{first.content_hash}/changes/", {"since": since})
    assert (answer.status_code, list(answer.json()["errors"])) == (400, ["since"])


@pytest.mark.parametrize("address", ["/api/v1/games/none/versions/", f"{VERSIONS}none/", f"{VERSIONS}none/changes/"])
def test_what_is_not_there_is_not_found(first: PackVersion, address: str) -> None:
    assert Client().get(address).status_code == 404
