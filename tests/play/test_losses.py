"""What is lost at the table: points of models, structure of vehicles, cards of commanders and leaders, level games."""

import pytest
from django.test import Client
from django.urls import reverse

from roster.models import Roster
from roster.play.game_victory import Ending
from roster.play.losses import UnitStakes, count_bodies, count_cards
from roster.play.models import Game
from roster.play.services.game_rules import count_beginning, load_rules
from roster.play.services.game_standings import find_end, score_rows
from roster.play.services.game_units import TableList, load_table_list
from tests.markup import markup
from tests.play.games import NINTH, WARZONE, begin, load_army, make_tap, tap

pytestmark = pytest.mark.django_db

CARDS = "res:resource-cards"
ARMIES = sorted(path.stem for path in (WARZONE / "lists").glob("army-*.yaml"))


@pytest.fixture
def army(db: None) -> Roster:
    return load_army(WARZONE, "army-winter-wolves")


@pytest.fixture
def game(client: Client, army: Roster) -> Game:
    """A game of a list against itself."""
    return begin(client, army, mission="mission-1", opponent_link=army.get_absolute_url())


def get_list(game: Game, place: int = 0) -> TableList:
    return load_table_list(game.sides.select_related("version").get(place=place))


def find_unit(game: Game, name: str) -> UnitStakes:
    return next(unit.stakes for unit in get_list(game).units if unit.sheet.name == name)


def tick(game: Game, key: str, start: int, end: int, place: int = 0) -> None:
    tap(game, 0, make_tap("tick", key, text=f"{start} {end}", side=place))


def destroy(game: Game, unit: UnitStakes, place: int = 0) -> None:
    tap(game, 0, make_tap("set", f"at:{unit.key}", text="dead=2", side=place))


def get_bodies(game: Game, place: int = 0, *, over: bool = False) -> object:
    return count_bodies(get_list(game, place).stakes, game.now.sides[place], over=over)


def count_hand(game: Game, place: int = 0) -> int:
    """Return how many resource cards a side has."""
    (resource,) = load_rules(game).table.resources
    return count_beginning(resource, None, get_list(game, place)) + game.now.sides[place].counts.get(CARDS, 0)


@pytest.mark.parametrize("name", ARMIES)
def test_models_are_worth_what_the_list_costs_and_bring_its_cards(client: Client, name: str) -> None:
    game = begin(client, load_army(WARZONE, name))
    table_list = get_list(game)
    assert round(sum(unit.stakes.worth for unit in table_list.units), 2) == table_list.costs["points"]
    side = game.now.sides[0]
    commanders = [unit.stakes for unit in table_list.units if unit.stakes.commands or unit.stakes.may_command]
    # If two have the same leadership and neither is declared, the player says who commands.
    side.texts["commands"] = commanders[0].key
    assert [unit for unit in table_list.stakes if unit.is_commander(side)] == commanders[:1]
    assert commanders[0].get_cards(side, CARDS)[1] == 4
    assert sum(unit.get_cards(side, CARDS)[0] for unit in table_list.stakes) == table_list.figures["Resources"]


def test_a_lost_model_counts_with_its_points(game: Game) -> None:
    wolves = find_unit(game, "Mourning Wolves")
    tick(game, wolves.runs[0].key, 0, 3)
    assert get_bodies(game) == 33
    tick(game, wolves.runs[0].key, 3, 2)
    assert get_bodies(game) == 22
    destroy(game, wolves)
    assert get_bodies(game) == wolves.worth
    assert get_bodies(game, 1) == 0


def test_wounds_are_no_models_until_the_last_one(game: Game) -> None:
    chief = find_unit(game, "Chieftain Dunnagh McKenzie")
    (run,) = chief.runs
    assert run.size > 1
    tick(game, run.key, 0, run.size - 1)
    assert get_bodies(game) == 0
    tick(game, run.key, run.size - 1, run.size)
    assert get_bodies(game) == chief.worth


def test_a_vehicle_is_lost_with_its_hull_and_with_nothing_else(game: Game) -> None:
    bikes = find_unit(game, "Hedgehog Necromower ATV")
    runs = {run.label: run for run in bikes.runs}
    assert list(runs)[:4] == ["1 HULL", "1 WPNS", "1 MOV", "1 ENG"]
    assert len(runs) == 3 * 4
    for column in ("WPNS", "MOV", "ENG"):
        tick(game, runs[f"2 {column}"].key, 0, runs[f"2 {column}"].size)
    assert get_bodies(game) == 0
    for number in (1, 2, 3):
        assert not bikes.is_lost(game.now.sides[0])
        tick(game, runs[f"{number} HULL"].key, 0, 3)
        assert get_bodies(game) == number * 65
    assert bikes.is_lost(game.now.sides[0])


def test_what_never_came_from_reserve_is_lost_once_the_game_is_over(game: Game) -> None:
    wolves = find_unit(game, "Mourning Wolves")
    tap(game, 0, make_tap("set", f"at:{wolves.key}", text="reserve"))
    assert get_bodies(game) == 0
    assert get_bodies(game, over=True) == wolves.worth


def test_a_dead_commander_takes_four_cards_and_a_dead_leader_one(game: Game) -> None:
    begun = count_hand(game)
    commander = next(unit for unit in get_list(game).stakes if unit.commands)
    wolves = find_unit(game, "Mourning Wolves")
    tap(game, 0, make_tap("set", f"mark:{wolves.key}:leader-lost", text="1"))
    assert count_hand(game) == begun - 1
    # The rest of the squad brought nothing more.
    destroy(game, wolves)
    assert count_hand(game) == begun - 1
    destroy(game, commander)
    assert count_hand(game) == begun - 5
    assert count_hand(game, 1) == begun
    tap(game, 0, make_tap("set", f"at:{commander.key}", text="table"))
    assert count_hand(game) == begun - 1


@pytest.mark.parametrize(("spent", "left"), [(0, 7), (3, 7), (6, 5), (9, 2)])
def test_used_cards_are_taken_first(client: Client, game: Game, spent: int, left: int) -> None:
    begun = count_hand(game)
    assert begun == 11
    tap(game, 0, make_tap("count", CARDS, -spent))
    destroy(game, next(unit for unit in get_list(game).stakes if unit.commands))
    assert count_hand(game) == left
    page = markup(client.get(reverse("play:game", args=[game.public_id])))
    comes_back = 7 - left
    assert f'value="count 0 {CARDS} {comes_back}"' in page
    assert ("hidden" in page.split(f'data-back="0 {CARDS}"')[1][:60]) == (comes_back == 0)


def test_a_squad_in_reserve_brings_its_card_when_it_arrives(client: Client, game: Game) -> None:
    wolves = find_unit(game, "Mourning Wolves")
    begun = count_hand(game)
    tap(game, 0, make_tap("set", f"at:{wolves.key}", text="reserve"))
    assert count_hand(game) == begun - 1
    tap(game, 0, make_tap("set", f"at:{wolves.key}", text="table"))
    assert count_hand(game) == begun
    # Of a squad that begins in reserve, the card is not there from the start.
    reserved = UnitStakes(key="u1", place="reserve", cards={CARDS: (1, 1)})
    assert count_cards([reserved], game.now.sides[1], CARDS) == 1


def test_undo_brings_cards_and_commander_back(game: Game) -> None:
    commander = next(unit for unit in get_list(game).stakes if unit.commands)
    tap(game, 0, make_tap("count", CARDS, -6))
    before = game.now
    death = make_tap("set", f"at:{commander.key}", text="dead=1")
    tap(game, 0, death)
    assert game.now.sides[0].texts["commander"] == str(game.last)
    tap(game, 0, make_tap("undo", death.uid))
    assert game.now == before


# ---- level games ----------------------------------------------------------------------------------------------------


def end_of(game: Game) -> tuple[str, int | None, list[int]]:
    """Return how a game would end now, who wins, and the points with what decides."""
    rows = list(game.sides.select_related("version").order_by("place"))
    rules = load_rules(game)
    outcome = find_end(rules, rows, game.now)
    points = [score.total for score in score_rows(game, rows, rules)]
    if outcome.winner is not None:
        points[outcome.winner] += outcome.bonus
    return outcome.ending, outcome.winner, points


def test_the_lower_body_count_scores_a_point_in_a_draw_only(game: Game) -> None:
    assert end_of(game) == (Ending.DRAW, None, [0, 0])
    tick(game, find_unit(game, "Mourning Wolves").runs[0].key, 0, 1)
    assert end_of(game) == (Ending.STANDARD, 1, [0, 1])
    tap(game, 0, make_tap("count", "line:partial-victory:8", 1))
    assert end_of(game) == (Ending.STANDARD, 0, [5, 0])


def test_with_equal_body_counts_the_commander_lost_first_loses(game: Game) -> None:
    commander = next(unit for unit in get_list(game).stakes if unit.commands)
    destroy(game, commander, 1)
    assert end_of(game)[1] == 0
    destroy(game, commander, 0)
    assert end_of(game) == (Ending.STANDARD, 0, [0, 0])


def test_the_result_of_a_level_game_has_the_point_for_the_body_count(client: Client, game: Game) -> None:
    tick(game, find_unit(game, "Mourning Wolves").runs[0].key, 0, 1)
    address = reverse("play:game-end", args=[game.public_id])
    assert client.post(address, {"do": "end"}).status_code == 303
    game.refresh_from_db()
    assert (game.ending, game.winner) == (Ending.STANDARD, 1)
    assert [side.score for side in game.sides.order_by("place")] == [0, 1]
    assert "0 : 1" in " ".join(markup(client.get(address)).split())
    client.post(address, {"do": "confirm"})
    game.refresh_from_db()
    assert game.now.sides[0].texts["result"] == "0:1"


def test_losses_of_a_side_without_a_list_are_counted_by_hand(client: Client, army: Roster) -> None:
    game = begin(client, army, mission="mission-1", opponent="Tom")
    tick(game, find_unit(game, "Mourning Wolves").runs[0].key, 0, 1)
    # Nobody has counted what Tom lost.
    assert end_of(game)[0] == Ending.DRAW
    tap(game, 0, make_tap("count", "bodies", 10, side=1))
    assert end_of(game)[1] == 1
    tap(game, 0, make_tap("count", "bodies", 1, side=1))
    tap(game, 0, make_tap("set", "commander", text="1", side=1))
    assert end_of(game)[1] == 0


def test_lists_of_other_games_have_no_such_counts(client: Client) -> None:
    rules = load_rules(begin(client, load_army(NINTH, "necrons-incursion")))
    assert not rules.counts_bodies
    assert rules.fold.resources == ()


# ---- what the page says ---------------------------------------------------------------------------------------------


def read_page(client: Client, game: Game) -> str:
    return " ".join(markup(client.get(reverse("play:game", args=[game.public_id]))).split())


def test_the_page_shows_body_counts_and_what_wins(client: Client, game: Game) -> None:
    tick(game, find_unit(game, "Mourning Wolves").runs[0].key, 0, 3)
    page = read_page(client, game)
    assert 'data-bodies="0">33<' in page
    assert 'data-bodies="1">0<' in page
    assert "The side whose lost models are worth fewer points scores 1 more." in page
    assert "The side that lost its commander first loses." in page


def test_an_achieved_mission_or_a_side_without_models_ends_the_game(client: Client, game: Game) -> None:
    words = "which ends the game.</b>"
    assert words not in read_page(client, game)
    tap(game, 0, make_tap("count", "line:major-victory:4", 1))
    assert f"You: the mission is achieved, {words}" in read_page(client, game)
    tap(game, 0, make_tap("count", "line:major-victory:4", -1))
    for unit in get_list(game, 1).stakes:
        destroy(game, unit, 1)
    assert f"all models are lost, {words}" in read_page(client, game)


def test_players_say_who_commands_if_the_list_leaves_it_open(client: Client) -> None:
    game = begin(client, load_army(WARZONE, "army-blood-berets-forward"))
    begun = count_hand(game)
    assert "Who commands" in read_page(client, game)
    keys = [unit.key for unit in get_list(game).stakes if unit.may_command]
    assert len(keys) == 2
    # Until somebody commands, no loss is that of the commander.
    destroy(game, next(unit for unit in get_list(game).stakes if unit.key == keys[0]))
    assert (count_hand(game), "commander" in game.now.sides[0].texts) == (begun, False)
    tap(game, 0, make_tap("set", "commands", text=keys[0]))
    assert (count_hand(game), "commander" in game.now.sides[0].texts) == (begun - 4, True)


def test_losses_without_a_list_are_counted_with_buttons(client: Client, army: Roster) -> None:
    page = read_page(client, begin(client, army, opponent="Tom"))
    assert 'value="count 1 bodies 10"' in page
    assert 'value="count 0 bodies 10"' not in page
    assert 'value="set 1 commander 1"' in page
