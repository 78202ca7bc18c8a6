"""The catalogue as JSON."""

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from catalogue.models import PackVersion
from catalogue.services.install_version import install_version
from catalogue.services.published_games import select_units
from catalogue.services.rulesets import load_faction_ruleset
from tests.catalogue.games import ABOUT, with_units

pytestmark = pytest.mark.django_db

GAMES = "/api/games/"
GAME = "/api/games/tin-meadow/"
FACTIONS = f"{GAME}factions/"
UNITS = f"{FACTIONS}the-mowers/units/"
UNIT = f"{UNITS}hay-hands/"
ROWS = f"{FACTIONS}rows/units/"


def test_games(client: Client, tin_meadow: PackVersion) -> None:
    answer = client.get(GAMES).json()
    assert (answer["count"], answer["results"][0]["id"]) == (1, "tin-meadow")
    assert answer["results"][0]["version"]["content_hash"] == tin_meadow.content_hash


def test_game(client: Client, tin_meadow: PackVersion) -> None:
    answer = client.get(GAME).json()
    assert [faction["faction_id"] for faction in answer["factions"]] == ["mowers", "moles"]
    [muster] = answer["charts"][0]["detachments"]
    assert [(slot["category_id"], slot["min"], slot["max"]) for slot in muster["slots"]] == [
        ("head", 1, 1),
        ("core", 1, 4),
        ("heavy", None, None),
    ]
    assert [mission["mission_id"] for mission in answer["missions"]] == ["hold", "cross"]


def test_factions(client: Client, tin_meadow: PackVersion) -> None:
    assert [one["id"] for one in client.get(FACTIONS).json()["results"]] == ["the-mowers", "the-moles"]


def test_units(client: Client, tin_meadow: PackVersion) -> None:
    answer = client.get(UNITS).json()
    assert [(unit["id"], unit["points"]) for unit in answer["results"]] == [
        ("reeve", "15"),
        ("hay-hands", "11"),
        ("hay-wagon", "12.5"),
        ("hired-cart", "9"),
    ]


@pytest.mark.parametrize(
    ("query", "ids"),
    [
        ({"q": "fork"}, ["hay-hands"]),
        ({"type": "heavy"}, ["hay-wagon", "hired-cart"]),
        ({"sort": "name", "limit": "1"}, ["hay-hands"]),
        ({"offset": "3"}, ["hired-cart"]),
        ({"unknown": "1", "q": "reeve"}, ["reeve"]),
    ],
)
def test_units_searched(client: Client, tin_meadow: PackVersion, query: dict[str, str], ids: list[str]) -> None:
    assert [unit["id"] for unit in client.get(UNITS, query).json()["results"]] == ids


@pytest.mark.parametrize("query", [{"type": "nothing"}, {"sort": "nothing"}, {"q": "x" * 101}])
def test_a_question_that_cannot_be_meant_is_refused(
    client: Client, tin_meadow: PackVersion, query: dict[str, str]
) -> None:
    answer = client.get(UNITS, query)
    assert answer.status_code == 400
    assert list(answer.json()["errors"]) == list(query)


def test_unit(client: Client, tin_meadow: PackVersion) -> None:
    answer = client.get(UNIT).json()
    assert answer["unit"]["entry_id"] == "hay-hands"
    assert [(table["name"], table["columns"]) for table in answer["profiles"]] == [
        ("Model", ["Move", "Nerve"]),
        ("Weapon", ["Reach"]),
    ]
    assert [option["entry_id"] for option in answer["options"]][-1] == "ladder-link::ladder"


@pytest.mark.parametrize("address", [GAMES, GAME, FACTIONS, UNITS, UNIT])
def test_wrong_method(client: Client, tin_meadow: PackVersion, address: str) -> None:
    answer = client.post(address)
    assert answer.status_code == 405
    assert "detail" in answer.json()


@pytest.mark.parametrize(
    "address",
    [
        "/api/games/nothing/",
        "/api/games/nothing/factions/",
        f"{FACTIONS}nobody/units/",
        f"{UNITS}nobody/",
        "/api/games/tin-meadow/nothing/",
    ],
)
def test_bad_id(client: Client, tin_meadow: PackVersion, address: str) -> None:
    answer = client.get(address)
    assert answer.status_code == 404
    assert "detail" in answer.json()


def test_pages_are_bounded(client: Client) -> None:
    install_version(ABOUT, with_units(230))
    assert len(client.get(ROWS).json()["results"]) == 50
    refused = client.get(ROWS, {"limit": "201"})
    assert (refused.status_code, list(refused.json()["errors"])) == (400, ["limit"])
    answer = client.get(ROWS, {"limit": "200"}).json()
    assert (len(answer["results"]), answer["count"]) == (200, 230)
    assert "cursor=" in answer["next"]


@pytest.mark.usefixtures("fresh_answers")
@pytest.mark.parametrize("rows", [1, 3])
@pytest.mark.parametrize(
    ("address", "queries"), [(GAMES, 3), (GAME, 7), (FACTIONS, 4), (ROWS, 4), (f"{ROWS}row-1/", 2)]
)
def test_query_count(
    client: Client, rows: int, address: str, queries: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    install_version(ABOUT, with_units(rows))
    load_faction_ruleset(select_units("tin-meadow", "rows")[0].faction)
    with django_assert_num_queries(queries):
        assert client.get(address).status_code == 200
