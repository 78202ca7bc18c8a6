"""The shelf of games and the page of one game."""

from dataclasses import replace

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from catalogue.definitions.catalogues import Catalogue, CatalogueKind, DataSet
from catalogue.models import GameSystem, PackVersion
from catalogue.services.install_version import install_version
from tests.catalogue.games import ABOUT, SYSTEM, TIN_MEADOW, with_units
from tests.markup import markup

pytestmark = pytest.mark.django_db

GAMES = "/games/"
GAME = "/games/tin-meadow/"


def some_games(count: int) -> None:
    for number in range(count):
        install_version(replace(ABOUT, slug=f"game-{number}"), TIN_MEADOW)


def with_factions(count: int) -> DataSet:
    factions = (Catalogue(id=f"f{n}", name=f"F{n}", kind=CatalogueKind.FACTION) for n in range(count))
    return DataSet(catalogues=(SYSTEM, *factions))


def test_games_works(client: Client, tin_meadow: PackVersion) -> None:
    page = client.get(GAMES)
    assert page.status_code == 200
    assert f'href="{GAME}"' in markup(page)


def test_data_of_the_community_is_told_from_packs(client: Client, tin_meadow: PackVersion) -> None:
    assert "Community data" not in markup(client.get(GAMES))
    install_version(replace(ABOUT, slug="geese", source=PackVersion.Source.BATTLESCRIBE), with_factions(1))
    assert markup(client.get(GAMES)).count("Community data") == 1


def test_games_without_any_says_what_to_do(client: Client) -> None:
    page = client.get(GAMES)
    assert page.status_code == 200
    assert "load_packs" in markup(page)


@pytest.mark.parametrize("address", [GAMES, GAME])
def test_wrong_method(client: Client, tin_meadow: PackVersion, address: str) -> None:
    answer = client.post(address)
    assert (answer.status_code, answer["Allow"]) == (405, "GET, HEAD")
    assert client.head(address).status_code == 200


@pytest.mark.usefixtures("fresh_answers")
@pytest.mark.parametrize("rows", [1, 3])
def test_games_query_count(client: Client, rows: int, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    some_games(rows)
    client.get(GAMES)
    with django_assert_num_queries(2):
        assert client.get(GAMES).status_code == 200


def test_games_that_are_called_otherwise_are_written_anew(client: Client, tin_meadow: PackVersion) -> None:
    assert "Tin Meadow" in markup(client.get(GAMES))
    GameSystem.objects.update(title="Brass Meadow")
    assert "Brass Meadow" in markup(client.get(GAMES))


def test_game_works(client: Client, tin_meadow: PackVersion) -> None:
    text = markup(client.get(GAME))
    for expected in (
        "Unofficial",
        "Nobody at all",
        f'href="{GAME}the-mowers/"',
        "Muster",
        "No more heavy units than core ones.",
        "Hold the Mill",
        "p. 40",
        tin_meadow.short_hash,
    ):
        assert expected in text


def test_game_lists_all_published_versions(client: Client, tin_meadow: PackVersion) -> None:
    newer, waiting = install_version(ABOUT, with_units(1)), install_version(ABOUT, with_units(2), hold=True)
    text = markup(client.get(GAME))
    assert tin_meadow.short_hash in text
    assert newer.short_hash in text
    assert waiting.short_hash not in text


def test_game_links_its_other_editions(client: Client, tin_meadow: PackVersion) -> None:
    for number in (1, 2):
        cover = replace(ABOUT, slug=f"meadow-{number}e", family="meadow", edition=f"Edition {number}")
        install_version(cover, TIN_MEADOW)
    text = markup(client.get("/games/meadow-1e/"))
    assert 'href="/games/meadow-2e/">Edition 2</a>' in text
    assert "/games/tin-meadow/" not in text


def test_game_bad_id(client: Client, tin_meadow: PackVersion) -> None:
    answer = client.get("/games/nothing/")
    assert answer.status_code == 404
    assert b"<h1>" in answer.content


@pytest.mark.usefixtures("fresh_answers")
@pytest.mark.parametrize("rows", [1, 3])
def test_game_query_count(client: Client, rows: int, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    install_version(ABOUT, with_factions(rows))
    with django_assert_num_queries(9):
        assert client.get(GAME).status_code == 200


def test_names_of_packs_are_text(client: Client) -> None:
    install_version(replace(ABOUT, name="<script>alert(1)</script>", notice="<b>"), TIN_MEADOW)
    for address in (GAMES, GAME):
        text = markup(client.get(address))
        assert "<script>alert" not in text
        assert "&lt;script&gt;alert(1)" in text
