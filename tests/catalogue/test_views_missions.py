"""Missions: all, of a game, one in full, search; sizes of maps."""

from dataclasses import replace

import msgspec
import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from catalogue.definitions.catalogues import DataSet
from catalogue.definitions.missions import PlayBook
from catalogue.formats.packs.load import SHIPPED
from catalogue.models import DeploymentMap, GameSystem, MapMeasures, Mission, MissionPack, Objective
from catalogue.services.install_version import install_version
from tests.catalogue.games import ABOUT, TIN_MEADOW
from tests.markup import markup
from tests.shipped_packs import install_shipped

pytestmark = pytest.mark.django_db

SHELF = "/missions/"
GAME = "/missions/reeds-and-rust/"
MISSION = f"{GAME}night-crossing/"


@pytest.fixture
def reeds(db: None) -> GameSystem:
    version = install_shipped(SHIPPED / "reeds_and_rust" / "first")
    assert version is not None
    return version.game


def text_of(client: Client, address: str, **given: str) -> str:
    page = client.get(address, given)
    assert page.status_code == 200
    return markup(page)


def test_rows_are_written_with_the_version(reeds: GameSystem) -> None:
    assert [(m.low, m.high) for m in Mission.objects.all()] == [(1, 2), (3, 4), (5, 6)]
    assert [pack.die for pack in MissionPack.objects.all()] == [6]
    assert [o.group for o in Objective.objects.all()] == ["Banks", "Banks"]
    assert [(m.map_id, m.schematic) for m in DeploymentMap.objects.all()] == [
        ("both-banks", False),
        ("three-mouths", True),
    ]


def test_shelf_works(client: Client, reeds: GameSystem) -> None:
    assert f'href="{GAME}"' in text_of(client, SHELF)


def test_shelf_without_missions_says_so(client: Client) -> None:
    assert "No missions yet" in text_of(client, SHELF)


def test_search_finds_missions_and_objectives_of_all_games(client: Client, reeds: GameSystem) -> None:
    found = text_of(client, SHELF, q="FAR bank")
    assert f'href="{GAME}high-water/"' in found
    assert f'href="{GAME}#objective-the-far-bank"' in found
    assert "Nothing found" in text_of(client, SHELF, q="zebra")


def test_game_works(client: Client, reeds: GameSystem) -> None:
    page = text_of(client, GAME)
    for word in ("High water", "Hold the locks", "Low tide", "Fog", "Turn of the tide", "Ford", "<svg"):
        assert word in page
    assert page.count("schematic</b>") == 1


def test_game_is_searched(client: Client, reeds: GameSystem) -> None:
    page = text_of(client, GAME, q="locks")
    assert "Hold the locks" in page
    assert "Low tide" not in page
    assert "Nothing found" in text_of(client, GAME, q="<script>")


def test_mission_works(client: Client, reeds: GameSystem) -> None:
    page = text_of(client, MISSION)
    for word in ("Attacker", "Defender", "Over before dawn.", "2 × Lock for each player", "10</b>points to win"):
        assert word in page


@pytest.mark.parametrize("address", ["/missions/no-game/", f"{GAME}no-mission/", "/missions/no-game/x/", f"{GAME}%00/"])
def test_unknown_is_404(client: Client, reeds: GameSystem, address: str) -> None:
    assert client.get(address).status_code == 404


def test_a_game_without_any_is_404(client: Client) -> None:
    install_version(replace(ABOUT, slug="bare"), without_missions())
    assert client.get("/missions/bare/").status_code == 404


def without_missions() -> DataSet:
    system, *rest = TIN_MEADOW.catalogues
    return msgspec.structs.replace(
        TIN_MEADOW, catalogues=(msgspec.structs.replace(system, missions=(), play=PlayBook()), *rest)
    )


@pytest.mark.parametrize("address", [SHELF, GAME, MISSION])
def test_wrong_method(client: Client, reeds: GameSystem, address: str) -> None:
    assert client.post(address).status_code == 405


@pytest.mark.parametrize("address", [SHELF, GAME])
def test_whole_page_and_part_of_it(client: Client, reeds: GameSystem, address: str) -> None:
    part = client.get(address, {"q": "water"}, headers={"HX-Request": "true"})
    assert b"<html" in client.get(address, {"q": "water"}).content
    assert b"<html" not in part.content
    assert "HX-Request" in part["Vary"]


@pytest.mark.parametrize("count", [1, 3])
def test_query_count_of_the_shelf(
    client: Client, count: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(count):
        install_version(replace(ABOUT, slug=f"game-{number}"), TIN_MEADOW)
    with django_assert_num_queries(1):
        client.get(SHELF)
    with django_assert_num_queries(2):
        client.get(SHELF, {"q": "o"})


@pytest.mark.parametrize("count", [1, 3])
def test_query_count_of_a_game(
    client: Client, reeds: GameSystem, count: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(count):
        measured(reeds, width=40 + number)
    client.get(GAME)
    with django_assert_num_queries(2):
        client.get(GAME)
    with django_assert_num_queries(2):
        client.get(MISSION)


def measured(game: GameSystem, zones: str = "- {zone: A, edge: south, depth: 9}", width: int = 60) -> MapMeasures:
    made = MapMeasures(game=game, map_id="three-mouths", width=width, depth=44, zones=zones)
    made.full_clean()
    made.save()
    return made


def test_staff_may_measure_a_schematic_map(client: Client, reeds: GameSystem) -> None:
    measured(reeds)
    page = text_of(client, GAME)
    assert "schematic</b>" not in page
    assert "To scale, 60″ by 44″" in page
    assert "Distances entered by" in page


def test_a_map_that_the_game_does_not_have_cannot_be_measured(reeds: GameSystem) -> None:
    made = MapMeasures(game=reeds, map_id="nowhere", width=60, depth=44, zones="- {zone: A, edge: south, depth: 9}")
    with pytest.raises(ValidationError) as refused:
        made.full_clean()
    assert list(refused.value.message_dict) == ["map_id"]
    assert "three-mouths" in refused.value.message_dict["map_id"][0]


def test_no_head_stands_above_nothing_that_was_found(client: Client, db: None) -> None:
    assert install_shipped(SHIPPED / "maelstroms_edge" / "second")
    heads = [text_of(client, "/missions/maelstroms-edge-2e/", q=q).count('class="packed"') for q in ("", "relic")]
    assert heads[0] > heads[1] == 1


@pytest.mark.parametrize(
    "zones",
    ["", "nonsense", "- {zone: A}", "- {zone: A, edge: south, depth: 90}", "[", "- {zone: A, edge: up, depth: 3}"],
)
def test_measures_that_cannot_be_read_say_why(reeds: GameSystem, zones: str) -> None:
    with pytest.raises(ValidationError) as caught:
        measured(reeds, zones)
    assert caught.value.message_dict["zones"]


def test_measures_need_a_table_of_some_size(reeds: GameSystem) -> None:
    with pytest.raises(ValidationError):
        measured(reeds, width=3)


def test_a_mission_of_some_factions_names_them(client: Client, db: None) -> None:
    version = install_shipped(SHIPPED / "maelstroms_edge" / "first")
    assert version is not None
    page = text_of(client, f"/missions/{version.game.slug}/secret-cache/")
    assert "only for Karist Enclave" in " ".join(page.split())


def test_a_mission_says_how_losses_decide_a_tie(client: Client, db: None) -> None:
    warzone = install_shipped(SHIPPED / "warzone" / "resurrection")
    assert warzone is not None
    page = " ".join(text_of(client, f"/missions/{warzone.game.slug}/mission-2/").split())
    assert "The side whose lost models are worth fewer points scores 1 more." in page
    assert "The side that lost its commander first loses." in page
