"""The page of a faction's cards."""

from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from catalogue.models import Card, PackVersion

pytestmark = pytest.mark.django_db

CARDS = "/games/tin-meadow/the-moles/cards/"


def test_works(client: Client, tin_meadow: PackVersion) -> None:
    text = client.get(CARDS).content.decode()
    for expected in ("New Moon", "Needs Diggers", "3 copies", "you name it", "Deck rules", "0–12"):
        assert expected in text


def test_it_is_linked(client: Client, tin_meadow: PackVersion) -> None:
    assert CARDS in client.get("/games/tin-meadow/the-moles/").content.decode()
    assert "/cards/" not in client.get("/games/tin-meadow/the-mowers/").content.decode()
    assert f"{CARDS}#new-moon" in client.get("/search/", {"q": "moon"}).content.decode()


def test_wrong_method(client: Client, tin_meadow: PackVersion) -> None:
    assert client.post(CARDS).status_code == 405


@pytest.mark.parametrize("faction", ["the-mowers", "nobody"])
def test_bad_id(client: Client, tin_meadow: PackVersion, faction: str) -> None:
    assert client.get(f"/games/tin-meadow/{faction}/cards/").status_code == 404


@pytest.mark.usefixtures("fresh_answers")
@pytest.mark.parametrize("rows", [2, 4])
def test_query_count(
    client: Client, tin_meadow: PackVersion, rows: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    moon = Card.objects.get(slug="new-moon")
    for number in range(rows - 2):
        moon.pk, moon.slug, moon.position = None, f"moon-{number}", 9 + number
        moon.save()
    with django_assert_num_queries(6):
        assert client.get(CARDS).status_code == 200


def test_whole_page_and_part_of_it(client: Client, tin_meadow: PackVersion) -> None:
    part = client.get(CARDS, {"q": "moon"}, headers={"HX-Request": "true"})
    assert b"<html" not in part.content
    assert b"New Moon" in part.content
    assert b"Saying" not in part.content
    assert "HX-Request" in part["Vary"]


@pytest.mark.parametrize("query", ["q=zzz", "q=%00", "deck=%00", "deck=nothing", "page=99", "page=x"])
def test_odd_questions_are_answered(client: Client, tin_meadow: PackVersion, query: str) -> None:
    assert client.get(f"{CARDS}?{query}").status_code == 200


def test_script_in_text_stays_text(client: Client, tin_meadow: PackVersion) -> None:
    Card.objects.filter(slug="new-moon").update(name="<script>alert(1)</script>")
    text = client.get(CARDS, {"q": '"><script>alert(2)</script>'}).content.decode()
    assert "<script>alert" not in text + client.get(CARDS).content.decode()


def test_the_api_gives_the_same_ledger(client: Client, tin_meadow: PackVersion) -> None:
    api = "/api/games/tin-meadow/factions/the-moles/"
    found: dict[str, Any] = client.get(f"{api}cards/", {"q": "moon"}).json()
    assert [(card["id"], card["copies"], card["needs"]) for card in found["results"]] == [("new-moon", 3, ["Diggers"])]
    assert client.get(f"{api}cards/", {"deck": "other"}).json()["count"] == 0
    assert [rule["rule"] for rule in client.get(f"{api}deck-rules/").json()["results"]] == ["tm-almanac", "tm-twice"]
    for address in ("cards/", "deck-rules/"):
        assert client.get(f"/api/games/tin-meadow/factions/nobody/{address}").status_code == 404
        assert client.post(api + address).status_code == 405
    assert client.get(f"{api}cards/", {"q": "x" * 999}).status_code == 400
