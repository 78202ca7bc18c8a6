"""The clients in docs/clients, against a running site: the Python client, and the bot that posts a list into a chat."""

import json
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from pytest_django.live_server_helper import LiveServer

from roster.models import Roster
from roster.pdf import print_job
from roster.pdf.render_lock import hold_render_slot
from roster.services.outcomes import Refused
from roster.services.tokens import create_token
from tests.roster.accounts_cast import account
from tests.roster.views_cast import started

CLIENTS = Path(settings.BASE_DIR) / "docs" / "clients"
DOCUMENT = {
    "list": 1,
    "game": "fenland",
    "faction": "marsh",
    "detachments": [{"detachment": "column", "units": ["warden"]}],
}

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def clients(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[ModuleType, ModuleType]]:
    """The client and the bot, imported as a program beside them would."""
    monkeypatch.syspath_prepend(str(CLIENTS))
    import armybuilder_api
    import post_list

    yield armybuilder_api, post_list
    for module in (armybuilder_api, post_list):
        sys.modules.pop(module.__name__)


@pytest.fixture
def chat() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """A chat's webhook: its address, and the messages that it got."""
    messages: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            messages.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            is_busy = self.path == "/busy" and len(messages) == 1
            self.send_response(500 if self.path == "/broken" else 429 if is_busy else 204)
            if is_busy:
                self.send_header("Retry-After", "0")
            self.end_headers()

        def log_message(self, *args: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", messages
    server.shutdown()
    server.server_close()
    thread.join()


def run_bot(post_list: ModuleType, monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr(sys, "argv", ["post_list.py", *words])
    status: int = post_list.main()
    return status


def test_a_program_checks_makes_edits_and_deletes_a_list(clients: Any, live_server: LiveServer) -> None:
    client, _bot = clients
    started()
    user = account()
    created_token = create_token(user, "bot", ["read", "write"], 30)
    assert not isinstance(created_token, Refused)
    site = client.Armybuilder(live_server.url, created_token[1])
    assert site.check(DOCUMENT)["verdict"] == "legal"
    created = site.roster_create(DOCUMENT)
    link_id = created["id"]
    assert Roster.objects.get(link_id=link_id).owner == user
    edits = [{"do": "rename", "node": "", "text": "High water"}]
    site.roster_edit(link_id, {"edits": edits}, if_match=site.roster_retrieve(link_id)["revision"])
    assert site.roster_revision_retrieve(link_id, 1)["name"] != "High water"
    assert Roster.objects.get(link_id=link_id).name == "High water"
    with pytest.raises(client.ApiError) as stale:
        site.roster_edit(link_id, {"edits": edits}, if_match=0)
    assert (stale.value.status, stale.value.problem["status"]) == (412, 412)
    assert site.roster_delete(link_id, if_match=site.roster_retrieve(link_id)["revision"]) is None


def test_a_program_replaces_and_deletes_house_rules(clients: Any, live_server: LiveServer) -> None:
    client, _bot = clients
    started()
    created_token = create_token(account(), "bot", ["read", "write"], 30)
    assert not isinstance(created_token, Refused)
    site = client.Armybuilder(live_server.url, created_token[1])
    public_id = site.house_rules_create({"homebrew": 1, "name": "Sluice club rules", "game": "fenland"})["id"]
    document = "homebrew: 1\nname: Lock club rules\ngame: fenland\n"
    replaced = site.house_rules_replace(public_id, document, media="application/yaml", if_match=1)
    assert (replaced["name"], replaced["revision"], replaced["document"]) == ("Lock club rules", 2, document)
    with pytest.raises(client.ApiError) as stale:
        site.house_rules_delete(public_id, if_match=1)
    assert (stale.value.status, stale.value.problem["current"]) == (412, document)
    assert site.house_rules_delete(public_id, if_match=2) is None
    assert site.house_rules_list() == []


def test_a_program_waits_for_a_pdf_and_saves_it(
    clients: Any, live_server: LiveServer, monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path
) -> None:
    client, _bot = clients
    settings.ARMYBUILDER = settings.ARMYBUILDER | {"PDF_CACHE_DIR": tmp_path}
    link_id = started().roster.link_id
    site = client.Armybuilder(live_server.url)
    with monkeypatch.context() as patch, hold_render_slot(tmp_path, 2):
        patch.setattr(print_job, "LONGEST_WAIT", 0)
        with pytest.raises(client.ApiError) as waiting:
            site.roster_pdf(link_id)
    assert (waiting.value.status, waiting.value.problem["code"]) == (503, "printing")
    assert waiting.value.retry_after > 0
    assert site.roster_pdf(link_id, style="summary").startswith(b"%PDF-")


def test_a_listing_is_walked_to_its_end(clients: Any, live_server: LiveServer) -> None:
    client, _bot = clients
    started()
    site = client.Armybuilder(live_server.url)
    factions = "/api/v1/games/fenland/factions/"
    units = f"{factions}{next(site.walk(factions))['id']}/units/"
    # One listing has the next page's address in its body, the other in a header.
    for path in (units, "/api/v1/problems/"):
        every = list(site.walk(path))
        assert len(every) > 2
        assert list(site.walk(path, {"limit": 2})) == every


def test_errors_are_told_in_the_words_of_the_site(clients: Any, live_server: LiveServer) -> None:
    client, _bot = clients
    with pytest.raises(client.ApiError) as unknown:
        client.Armybuilder(live_server.url, "ab_unknown").games_list()
    assert unknown.value.problem["code"] == "token-unknown"
    assert str(unknown.value) == unknown.value.problem["detail"]
    with pytest.raises(ValueError, match="https://"):
        client.Armybuilder("lists.example.org")


def test_the_bot_posts_text_and_verdict(
    clients: Any, live_server: LiveServer, chat: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    address, messages = chat
    owner = started(Client())
    owner.unit("warden")
    link = live_server.url + reverse("roster:link", args=[owner.roster.link_id])
    assert run_bot(clients[1], monkeypatch, link, address) == 0
    assert "Low water" in messages[0]["content"]
    assert messages[-1]["content"].startswith(f"**Legal** {link}")
    for _ in range(4):
        owner.unit("warden")
    assert run_bot(clients[1], monkeypatch, link, address, "--field", "text") == 0
    assert messages[-1]["text"].startswith("**Illegal**")
    assert "\n- " in messages[-1]["text"]


@pytest.mark.parametrize(
    "link",
    ["nonsense", "{site}/r/short/", "{site}/r/aaaaaaaaaaaaaaaaaaaaaa/", "http://127.0.0.1:9/r/aaaaaaaaaaaaaaaaaaaaaa/"],
)
def test_the_bot_says_what_went_wrong(
    clients: Any, live_server: LiveServer, chat: Any, monkeypatch: pytest.MonkeyPatch, capsys: Any, link: str
) -> None:
    address, messages = chat
    assert run_bot(clients[1], monkeypatch, link.format(site=live_server.url), address) == 1
    assert messages == []
    assert capsys.readouterr().err.strip()


def test_the_bot_says_that_the_chat_refused(
    clients: Any, live_server: LiveServer, chat: Any, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    owner = started(Client())
    link = live_server.url + reverse("roster:link", args=[owner.roster.link_id])
    assert run_bot(clients[1], monkeypatch, link, f"{chat[0]}/broken") == 1
    assert "The chat answered 500" in capsys.readouterr().err


def test_the_bot_waits_if_the_chat_asks_for_it(
    clients: Any, live_server: LiveServer, chat: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = live_server.url + reverse("roster:link", args=[started(Client()).roster.link_id])
    address, messages = chat
    assert run_bot(clients[1], monkeypatch, link, f"{address}/busy") == 0
    assert messages[0] == messages[1]
    assert len(messages) == 3
