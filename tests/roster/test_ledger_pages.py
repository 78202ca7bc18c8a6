"""The ledger of a shipped pack on pages and in the API, and who may see it."""

from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from catalogue.formats.packs.load import SHIPPED

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shelved")]


@pytest.fixture(scope="module")
def shelved(module_db: None) -> None:
    call_command("load_packs", SHIPPED / "reeds_and_rust" / "first", verbosity=0, stdout=StringIO())


def test_the_page_names_rule_place_and_proof(client: Client) -> None:
    text = client.get("/rules/reeds-and-rust/").content.decode()
    assert 'id="rr-points"' in text
    assert "Reeds and Rust, “Forces”, p. 12" in text
    assert "Low water column" in text
    assert "reeds-and-rust" in client.get("/rules/").content.decode()


def test_the_ledger_is_searched_and_filtered(client: Client) -> None:
    page = "/rules/reeds-and-rust/"
    assert "rr-points" not in client.get(page, {"kind": "soft"}).content.decode()
    assert "rr-signals" in client.get(page, {"kind": "soft", "state": "implemented"}).content.decode()
    assert 'id="rr-copies"' in client.get(page, {"q": "copies card"}).content.decode()
    assert "Nothing found" in client.get(page, {"q": "zeppelin"}).content.decode()
    assert client.get(page, {"kind": "odd", "stage": "\x00", "q": "<script>"}).status_code == 200


def test_a_part_of_the_page(client: Client) -> None:
    part = client.get("/rules/reeds-and-rust/", {"q": "copies"}, headers={"HX-Request": "true"})
    assert b"<html" not in part.content
    assert b"rr-copies" in part.content
    assert "HX-Request" in part["Vary"]


@pytest.mark.parametrize("address", ["/rules/", "/rules/reeds-and-rust/", "/api/games/reeds-and-rust/rules/"])
def test_the_ledger_is_read_only(client: Client, address: str) -> None:
    assert client.post(address).status_code == 405


def test_the_api_gives_the_same_ledger(client: Client) -> None:
    rules = {rule["id"]: rule for rule in client.get("/api/games/reeds-and-rust/rules/").json()}
    found = rules["rr-one-flood-column"]
    assert found["state"] == "implemented"
    assert found["broken_by"]
    assert found["citation"]["text"]


def test_query_count(client: Client, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    client.get("/rules/reeds-and-rust/")
    with django_assert_num_queries(2):
        client.get("/rules/reeds-and-rust/")
