"""The answers of every address: statuses, security headers, JSON below /api/."""

import json
import re
from unittest.mock import Mock

import pytest
from django.core.management import call_command
from django.db import OperationalError
from django.http import JsonResponse
from django.test import Client, override_settings
from django.urls import path
from drf_spectacular.generators import SchemaGenerator

from armybuilder import errors, kept_connections
from armybuilder.urls import handler400, handler403, handler404, handler500  # noqa: F401 - Django looks them up here
from armybuilder.urls import urlpatterns as real

POLICY = {
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
}


def fail(request):
    raise RuntimeError("on purpose")


def echo(request):
    return JsonResponse([dict(request.GET.lists()), dict(request.POST.lists())], safe=False)


def away(request):
    raise OperationalError("on purpose")


urlpatterns = [
    path("away/", away),
    path("api/away/", away),
    path("fail/", fail),
    path("api/fail/", fail),
    path("echo/", echo),
    *real,
]
PROBLEM = ["type", "title", "status", "detail", "code"]
FORM = "application/x-www-form-urlencoded"


@pytest.fixture
def quiet_client(db) -> Client:
    return Client(raise_request_exception=False)


@pytest.mark.parametrize("address", ["/nowhere/", "/api/nowhere/", "/api/docs/", "/admin/login/"])
def test_every_answer_carries_the_security_headers(client, db, address):
    headers = client.get(address).headers
    assert set(headers["Content-Security-Policy"].split("; ")) == POLICY
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "same-origin"


def test_wrong_address_is_a_page_for_people_and_json_for_programs(client, db):
    page, answer = client.get("/nowhere/"), client.get("/api/nowhere/")
    assert (page.status_code, page["Content-Type"]) == (404, "text/html; charset=utf-8")
    assert (answer.status_code, list(answer.json())) == (404, PROBLEM)


@pytest.mark.parametrize("address", ["/api/games/none/", "/api/games/none/factions/", "/api/rosters/none/"])
def test_what_the_api_does_not_find_is_told_without_names_of_models(client, db, address):
    answer = client.get(address)
    assert answer.status_code == 404
    assert "query" not in answer.json()["detail"]


@override_settings(ROOT_URLCONF=__name__)
@pytest.mark.parametrize("content_type", [FORM, "multipart/form-data; boundary=b"])
def test_no_nul_reaches_a_view(client, content_type):
    body = b'--b\r\nContent-Disposition: form-data; name="b"\r\n\r\nx\0\r\n--b--\r\n'
    sent = b"b=x%00" if content_type == FORM else body
    answer = client.post("/echo/?a%00=1&a%00=%00", sent, content_type=content_type)
    assert answer.json() == [{"a\ufffd": ["1", "\ufffd"]}, {"b": ["x\ufffd"]}]


@override_settings(ROOT_URLCONF=__name__)
def test_failure_of_ours_says_so_without_details(quiet_client, caplog):
    page, answer = quiet_client.get("/fail/"), quiet_client.get("/api/fail/")
    assert (page.status_code, answer.status_code) == (500, 500)
    assert b"on purpose" not in page.content + answer.content
    assert list(answer.json()) == PROBLEM


@pytest.mark.parametrize("content_type", ["application/json", "multipart/form-data; boundary=x"])
@pytest.mark.parametrize("address", ["/", "/api/check"])
def test_oversized_body_is_refused_unread(client, settings, address, content_type):
    size = settings.ARMYBUILDER["MAX_BODY_BYTES"] + 1
    answer = client.generic("POST", address, b" " * size, content_type)
    assert answer.status_code == 413
    assert answer["Content-Type"].startswith("application/problem+json" if address.startswith("/api/") else "text/html")


def test_form_without_its_token_is_refused(db):
    answer = Client(enforce_csrf_checks=True).post("/admin/login/", {"username": "a"})
    assert answer.status_code == 403


def test_api_page_loads_nothing_from_elsewhere(client):
    page = client.get("/api/docs/").content.decode()
    assert re.findall(r'(?:src|href)="(?!/)[^"]*"', page) == []
    assert "<style" not in page
    assert re.findall(r"<script(?![^>]*src=)", page) == []


def test_schema_is_made_without_a_warning(tmp_path):
    call_command("spectacular", "--fail-on-warn", "--validate", file=str(tmp_path / "schema.yml"))


def test_schema_is_valid_openapi(client):
    schema = json.loads(client.get("/api/schema/?format=json").content)
    assert schema["openapi"].startswith("3.")
    assert schema["info"]["title"] == "Armybuilder"


FORMATS = ("application/vnd.oai.openapi", "application/vnd.oai.openapi+json", "application/yaml", "application/json")


@pytest.mark.parametrize("accepted", FORMATS)
@pytest.mark.parametrize("language", ["en", "de"])
def test_schema_is_built_once_for_each_format_and_language(client, monkeypatch, accepted, language):
    headers = {"accept": accepted, "accept-language": language}
    built = client.get("/api/schema/", headers=headers)
    assert built["Content-Type"].split(";")[0] == accepted
    monkeypatch.delattr(SchemaGenerator, "get_schema")
    # A reader with a session bypasses the cache.
    client.cookies["sessionid"] = "x"
    assert client.get("/api/schema/", headers=headers).content == built.content
    asked = client.get("/api/schema/", {"lang": language}, headers={"accept": accepted})
    assert asked.content == built.content


@pytest.fixture
def kept(monkeypatch) -> kept_connections.KeptConnections:
    kept = kept_connections.KeptConnections()
    monkeypatch.setattr(errors, "kept_connections", kept)
    return kept


@override_settings(ROOT_URLCONF=__name__)
def test_threads_give_up_their_connections_while_the_database_accepts_no_more(quiet_client, kept, monkeypatch):
    idle, in_use = Mock(in_atomic_block=False), Mock(in_atomic_block=True)
    monkeypatch.setattr(kept_connections.connections, "all", lambda **_: [idle, in_use])
    kept.finish_request()
    assert not idle.close.called
    quiet_client.get("/away/")
    kept.finish_request()
    assert (idle.close.called, in_use.close.called) == (True, False)


@pytest.mark.parametrize("address", ["/away/", "/api/away/"])
@override_settings(ROOT_URLCONF=__name__)
def test_a_database_that_is_away_is_worth_another_try(quiet_client, kept, address):
    answer = quiet_client.get(address)
    assert (answer.status_code, answer["Retry-After"]) == (503, "30")


@pytest.mark.parametrize("address", ["/api/check", "/rosters/import/"])
def test_a_body_without_a_stated_length_is_not_read_as_empty(client, db, address):
    answer = client.post(address, headers={"transfer-encoding": "chunked"}, CONTENT_LENGTH=None)
    assert answer.status_code == 411


OWN = ("/rosters/", "/rosters/new/", "/decks/", "/accounts/login/", "/events/", "/play/", "/play/record/")


@pytest.mark.parametrize("address", OWN)
def test_pages_of_somebodys_own_are_kept_nowhere(client, db, address):
    assert "no-store" in client.get(address)["Cache-Control"]


def test_public_pages_may_be_kept(client, db):
    assert "no-store" not in client.get("/games/").get("Cache-Control", "")
