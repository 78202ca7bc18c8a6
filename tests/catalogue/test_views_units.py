"""The card of a unit."""

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from catalogue.models import PackVersion
from catalogue.services.install_version import install_version
from catalogue.services.published_games import select_units
from catalogue.services.rulesets import load_faction_ruleset
from tests.catalogue.games import ABOUT, with_units
from tests.markup import markup

pytestmark = pytest.mark.django_db

UNIT = "/games/tin-meadow/the-mowers/hay-hands/"


def test_works(client: Client, tin_meadow: PackVersion) -> None:
    page = client.get(UNIT)
    text = markup(page)
    assert page.status_code == 200
    for expected in ("Field hand", "Long fork", "Reach", "choose 1", "default", "One per unit.", "+3", "p. 20"):
        assert expected in text


def test_abilities_come_with_what_the_unit_says_of_them(client: Client, tin_meadow: PackVersion) -> None:
    text = markup(client.get("/games/tin-meadow/the-mowers/reeve/"))
    for expected in ("Steady (2)", "Ignores the first retreat.", "Field Book, p. 21"):
        assert expected in text


def test_what_is_not_final_says_so(client: Client, tin_meadow: PackVersion) -> None:
    assert b"Points from a draft." in client.get("/games/tin-meadow/the-mowers/hay-wagon/").content


def test_wrong_method(client: Client, tin_meadow: PackVersion) -> None:
    assert client.delete(UNIT).status_code == 405


@pytest.mark.parametrize(
    "address",
    [
        "/games/tin-meadow/the-mowers/nobody/",
        "/games/tin-meadow/the-moles/hay-hands/",
        "/games/nothing/the-mowers/hay-hands/",
    ],
)
def test_bad_id(client: Client, tin_meadow: PackVersion, address: str) -> None:
    assert client.get(address).status_code == 404


def test_a_unit_of_an_old_version_is_gone(client: Client, tin_meadow: PackVersion) -> None:
    install_version(ABOUT, with_units(1))
    assert client.get(UNIT).status_code == 404


@pytest.mark.usefixtures("fresh_answers")
@pytest.mark.parametrize("rows", [1, 3])
def test_query_count(client: Client, rows: int, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    install_version(ABOUT, with_units(rows))
    load_faction_ruleset(select_units("tin-meadow", "rows")[0].faction)
    with django_assert_num_queries(2):
        assert client.get("/games/tin-meadow/rows/row-1/").status_code == 200


def test_whole_page_and_card_alone(client: Client, tin_meadow: PackVersion) -> None:
    part = client.get(UNIT, headers={"HX-Request": "true"})
    assert b"<html" in client.get(UNIT).content
    assert b"<html" not in part.content
    assert b"Hay Hands" in part.content
    assert "HX-Request" in part["Vary"]


def test_words_that_units_are_found_by_are_one_file_for_ever(client: Client, tin_meadow: PackVersion) -> None:
    address = f"/games/words/{tin_meadow.content_hash}/the-mowers.json"
    answer = client.get(address)
    assert "field hand" in answer.json()["hay-hands"]
    assert answer["Cache-Control"] == "public, max-age=31536000, immutable"
    assert client.post(address).status_code == 405


@pytest.mark.parametrize("address", ["nothing/the-mowers", "{hash}/nobody", "{hash}/..", "%00/the-mowers"])
def test_words_of_what_is_not_there(client: Client, tin_meadow: PackVersion, address: str) -> None:
    assert client.get(f"/games/words/{address.format(hash=tin_meadow.content_hash)}.json").status_code == 404
