"""Offline use: the service worker, the files it caches, and messages from pages."""

import json
import re
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client

from armybuilder import offline
from tests.roster.views_cast import Owner, started

pytestmark = pytest.mark.django_db
FILE = re.compile(r'"(/static/[^"]+)"')


def fetch_file(client: Client, path: str) -> int:
    answer = client.get(path)
    if answer.streaming:
        # The client closes what it has read to the end.
        assert b"".join(answer.streaming_content)
    return answer.status_code


@pytest.fixture
def owner() -> Owner:
    return started(Client())


@pytest.fixture
def switched_off(settings: Any) -> None:
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "OFFLINE": False}


def test_the_worker_is_asked_for_each_time_and_may_serve_the_whole_site(client: Client) -> None:
    answer = client.get("/worker.js")
    assert answer["Content-Type"].startswith("text/javascript")
    assert (answer["Cache-Control"], answer["Service-Worker-Allowed"]) == ("no-cache", "/")
    assert not answer.cookies


def test_all_that_the_worker_brings_along_is_there(client: Client) -> None:
    text = client.get("/worker.js").content.decode()
    files = FILE.findall(text)
    assert len(files) == len(offline.ASSETS) + 1
    assert [path for path in (*files, "/offline/") if fetch_file(client, path) != 200] == []


def test_a_missing_file_answers_404(client: Client) -> None:
    answer = client.get("/static/js/play.0123456789ab.js")
    assert answer.status_code == 404
    assert "immutable" not in answer.get("Cache-Control", "")


def test_the_version_changes_with_the_files(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    before = client.get("/worker.js").content
    assert client.get("/worker.js").content == before
    monkeypatch.setattr(offline, "ASSETS", offline.ASSETS[1:])
    assert client.get("/worker.js").content != before
    monkeypatch.setattr(offline.staticfiles_storage._wrapped, "manifest_hash", "0a1b2c", raising=False)
    assert b'VERSION = "0a1b2c"' in client.get("/worker.js").content


def test_switched_off_it_takes_itself_away(client: Client, switched_off: None) -> None:
    text = client.get("/worker.js").content.decode()
    assert FILE.findall(text) == ["/static/js/worker-off.js"]
    assert fetch_file(client, "/static/js/worker-off.js") == 200
    page = client.get("/rosters/")
    assert b"data-worker" not in page.content
    assert not page.has_header("Offline-Owner")


def test_pages_say_whose_they_are_and_which_may_be_kept(owner: Owner) -> None:
    lists = owner.client.get("/rosters/")
    builder = owner.client.get(f"/rosters/{owner.roster.public_id}/")
    plain = owner.client.get("/credits/")
    names = {page["Offline-Owner"] for page in (lists, builder, plain)}
    assert len(names) == 1
    assert names != {"nobody"}
    assert [page.has_header("Offline-Keep") for page in (lists, builder, plain)] == [True, True, False]
    assert Client().get(owner.roster.get_absolute_url())["Offline-Owner"] == "nobody"


def test_parts_of_pages_and_pages_of_others_are_not_kept(owner: Owner) -> None:
    address = f"/rosters/{owner.roster.public_id}/"
    assert not owner.client.get(address, headers={"HX-Request": "true"}).has_header("Offline-Keep")
    assert not Client().get(address).has_header("Offline-Keep")
    assert not owner.client.post("/rosters/").has_header("Offline-Keep")


def test_signing_in_and_out_changes_whose_pages_are(owner: Owner) -> None:
    def ask(client: Client) -> str:
        return str(client.get("/rosters/")["Offline-Owner"])

    guest = ask(owner.client)
    user = User.objects.create_user("anna")
    other = User.objects.create_user("ben")
    names = [guest]
    for account in (user, other):
        client = Client()
        client.force_login(account)
        names.append(ask(client))
        client.logout()
        assert ask(client) == "nobody"
    assert len(set(names)) == 3


def test_the_page_without_a_network_says_nothing_of_whoever_asks(owner: Owner) -> None:
    page = owner.client.get("/offline/")
    assert page.content == Client().get("/offline/").content
    assert not page.cookies


def test_private_pages_stay_out_of_other_caches(owner: Owner) -> None:
    assert owner.client.get("/rosters/")["Cache-Control"] == "private, no-store"


def test_the_app_starts_and_stays_where_the_worker_serves(client: Client) -> None:
    manifest = json.loads(client.get("/manifest.webmanifest").content)
    assert (manifest["start_url"], manifest["scope"]) == ("/rosters/", "/")
    assert settings.ARMYBUILDER["OFFLINE"] is True
