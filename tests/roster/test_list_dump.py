"""The daily file of public lists: only with consent, without names, and readable again."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.core.management import call_command
from django.test import Client

from catalogue.models import GameSystem
from roster.models import Roster
from roster.models.tokens import TokenScope
from roster.services.accounts import delete_account, set_consent
from roster.services.list_dump import find_dump, write_dump
from tests.roster.accounts_cast import account
from tests.roster.small_game import installed
from tests.roster.test_api_lists import LIST, create
from tests.roster.test_tokens import make

pytestmark = pytest.mark.django_db
DUMP = "/api/v1/dumps/lists/"


@pytest.fixture
def ann(settings: Any, tmp_path: Path) -> User:
    cache.clear()
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "DUMP_DIR": tmp_path / "dumps"}
    installed()
    user = account()
    token = make(user, TokenScope.WRITE)
    for visibility in ("public", "link", "private"):
        create(token, LIST | {"name": visibility, "player": "Ann Example", "event": "Cup"}, visibility)
    return user


def read_dump() -> list[dict[str, Any]]:
    write_dump()
    answer = Client().get(DUMP)
    assert answer.status_code == 200
    packed = b"".join(answer.streaming_content)
    return [json.loads(line) for line in gzip.decompress(packed).splitlines()]


def test_no_list_is_in_it_without_consent(ann: User) -> None:
    assert read_dump() == []


def test_public_lists_are_in_it_without_names(ann: User) -> None:
    set_consent(ann, agrees=True)
    (row,) = read_dump()
    roster = Roster.objects.get(visibility="public")
    assert (row["game"], row["faction"], row["verdict"]) == ("fenland", "marsh", roster.verdict)
    assert row["list"]["name"] == "public"
    assert "Ann Example" not in json.dumps(row)
    assert roster.public_id not in json.dumps(row)
    checked = Client().post("/api/v1/check", json.dumps(row["list"]), content_type="application/json").json()
    assert (checked["verdict"], checked["violations"]) == (row["verdict"], [])


@pytest.mark.parametrize(
    "fields", [{"is_secret": True}, {"taken_down": True}, {"binned": "2026-11-01T00:00Z"}, {"visibility": "link"}]
)
def test_what_others_may_not_read_in_full_is_not_in_it(ann: User, fields: dict[str, Any]) -> None:
    set_consent(ann, agrees=True)
    Roster.objects.update(**fields)
    assert read_dump() == []


def test_lists_of_private_games_are_not_in_it(ann: User) -> None:
    set_consent(ann, agrees=True)
    version = GameSystem.objects.get().current
    GameSystem.objects.update(owner=ann, current=None, private_version=version)
    assert read_dump() == []


def test_consent_is_given_and_taken_back_on_the_page(ann: User) -> None:
    page = Client()
    page.force_login(ann)
    assert "Include my public lists" in page.get("/account/").content.decode()
    page.post("/account/public-domain/", {"agrees": "true"})
    assert "Leave my lists out" in page.get("/account/").content.decode()
    assert len(read_dump()) == 1
    page.post("/account/public-domain/", {"agrees": "false"})
    assert read_dump() == []
    assert Client().post("/account/public-domain/", {"agrees": "true"}).status_code == 302
    assert page.get("/account/public-domain/").status_code == 405
    set_consent(ann, agrees=True)
    delete_account(ann)
    assert read_dump() == []


def test_the_file_is_kept_by_caches_and_replaced_as_a_whole(ann: User) -> None:
    assert Client().get(DUMP).status_code == 404
    set_consent(ann, agrees=True)
    call_command("dump_lists", verbosity=0)
    first = Client().get(DUMP)
    assert 'rel="license"' in first["Link"]
    assert b"".join(first.streaming_content)
    assert Client().get(DUMP, headers={"If-None-Match": first["ETag"]}).status_code == 304
    path = find_dump()
    assert path is not None
    before = path.read_bytes()
    write_dump()
    assert path.read_bytes() == before, "the same lists give the same bytes"
    assert list(path.parent.iterdir()) == [path]


def test_a_failure_keeps_the_last_file(ann: User, monkeypatch: pytest.MonkeyPatch) -> None:
    set_consent(ann, agrees=True)
    write_dump()
    path = find_dump()
    assert path is not None
    before = path.read_bytes()

    def fail(*_: Any, **__: Any) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr("roster.services.list_dump.build_document", fail)
    with pytest.raises(OSError, match="No space"):
        write_dump()
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]
