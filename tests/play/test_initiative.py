"""Who acts first in a round, and with which unit: the roll of each round, and squads in turn."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from roster.models import Roster
from roster.play.models import Game
from roster.play.services.game_log import list_log
from roster.play.services.game_rules import find_initiative, load_rules
from roster.play.services.game_units import find_highest, load_table_list
from tests.markup import markup
from tests.play.games import EDGE, NINTH, WARZONE, begin, join, load_army, make_tap, tap

pytestmark = pytest.mark.django_db


@pytest.fixture
def army(db: None) -> Roster:
    return load_army(WARZONE, "army-winter-wolves")


@pytest.fixture
def game(client: Client, army: Roster) -> Game:
    return begin(client, army, opponent="Tom", opponent_link=army.get_absolute_url())


def go_to(game: Game, step: str) -> None:
    tap(game, 0, make_tap("step", "step", text=f"{game.now.step} {step}", side=None))


def roll(game: Game, number: int = 2) -> str:
    """Roll for a round; return what the server rolled, or why it refused."""
    operation = make_tap("set", f"roll:{number}", text="20 20", side=None)
    receipt = tap(game, 0, operation)
    if operation.uid in receipt.refused:
        return receipt.refused[operation.uid].code
    return game.now.shared.texts[f"roll:{number}"]


def read_page(client: Client, game: Game) -> str:
    return " ".join(markup(client.get(reverse("play:game", args=[game.public_id]))).split())


def activate(game: Game, side: int, key: str, number: int) -> None:
    tap(game, 0, make_tap("set", f"mark:{key}:activated.{number}", text="1", side=side))


# ---- the roll -------------------------------------------------------------------------------------------------------


def test_the_server_rolls_and_rolls_nothing_anew(game: Game) -> None:
    go_to(game, "2:0:control")
    rolled = roll(game)
    assert re.fullmatch(r"\d{1,2} \d{1,2}", rolled)
    assert len(set(rolled.split())) == 2, "a tie is rolled again"
    assert all(1 <= int(one) <= 20 for one in rolled.split())
    last = game.operations.latest("number")
    tap(game, 0, make_tap("undo", str(last.uid)))
    assert "roll:2" not in game.now.shared.texts
    assert roll(game) == rolled
    assert roll(game, 3) != rolled


@pytest.mark.parametrize("number", ["1", "0", "x", "99999"])
def test_nothing_is_rolled_where_the_book_rolls_nothing(game: Game, number: str) -> None:
    operation = make_tap("set", f"roll:{number}", text="1", side=None)
    assert tap(game, 0, operation).refused[operation.uid].code == "bad-change"


def test_games_without_a_roll_have_none(client: Client) -> None:
    game = begin(client, load_army(NINTH, "necrons-incursion"))
    operation = make_tap("set", "roll:2", text="1", side=None)
    assert tap(game, 0, operation).refused[operation.uid].code == "bad-change"
    assert "data-initiative" not in read_page(client, game)


def test_squads_with_initiative_add_their_figure(client: Client) -> None:
    game = begin(client, load_army(WARZONE, "army-wrath-of-the-cathedral"))
    side = game.sides.get(place=0)
    units, state = load_table_list(side).units, game.now.sides[0]
    roll_rule = load_rules(game).table.initiative
    assert roll_rule is not None
    holders = [unit for unit in units if any("Initiative (" in one.name for one in unit.sheet.abilities)]
    most = find_highest(units, state, roll_rule.ability)
    assert (most > 0) == bool(holders)
    for unit in holders:
        tap(game, 0, make_tap("set", f"at:{unit.key}", text="dead=1"))
    assert find_highest(units, game.now.sides[0], roll_rule.ability) == 0


def test_the_winner_keeps_or_gives_the_initiative(client: Client, game: Game) -> None:
    rules = load_rules(game)
    assert find_initiative(game, rules, 1) == 0
    go_to(game, "2:0:control")
    tap(game, 0, make_tap("set", "initiative:2", text="1", side=None))
    assert [find_initiative(game, rules, number) for number in (1, 2, 3)] == [0, 1, 0]
    assert list_log(game, 0)[0].text == "Initiative: Tom"
    wrong = make_tap("set", "initiative:2", text="7", side=None)
    assert tap(game, 0, wrong).refused[wrong.uid].code == "bad-change"
    page = read_page(client, game)
    assert 'value="set - initiative:2 1" data-has-initiative="1" aria-pressed="true"' in page
    assert "Roll a D20 each" in page
    roll(game)
    assert "Rolled: You " in read_page(client, game)


def test_maelstroms_edge_rolls_for_priority_from_the_first_turn(client: Client) -> None:
    game = begin(client, load_army(EDGE, "army-hazard-pay"), opponent="Tom")
    assert "<b>Priority</b>" in read_page(client, game)
    assert re.fullmatch(r"[1-6] [1-6]", roll(game, 1))
    tap(game, 0, make_tap("set", "initiative:1", text="1", side=None))
    assert [line.text.partition(":")[0] for line in list_log(game, 0)[:2]] == ["Priority", "Priority, rolled"]


def test_both_phones_see_the_same_roll(client: Client, game: Game) -> None:
    other = join(game, Client(), inviter=client)
    go_to(game, "2:0:control")
    mine, theirs = roll(game).split()
    assert f"Rolled: You {mine}, Tom {theirs}." in read_page(client, game)
    page = read_page(other, game)
    assert f"You {theirs}" in page.split("Rolled: ")[-1][:40]


# ---- squads in turn -------------------------------------------------------------------------------------------------


def get_next(client: Client, game: Game) -> str:
    match = re.search(r"data-acting[^>]*>([^<]*)<", read_page(client, game))
    assert match is not None
    return match[1].strip().removeprefix("Next to act: ")


def test_squads_act_in_turn_from_the_side_with_the_initiative(client: Client, game: Game) -> None:
    assert get_next(client, game) == "You"
    activate(game, 0, "u1", 1)
    assert get_next(client, game) == "Tom"
    activate(game, 1, "u1", 1)
    assert get_next(client, game) == "You"
    go_to(game, "2:0:control")
    tap(game, 0, make_tap("set", "initiative:2", text="1", side=None))
    assert get_next(client, game) == "Tom"


def test_the_side_with_more_squads_acts_with_them_at_the_end(client: Client, game: Game) -> None:
    units = load_table_list(game.sides.select_related("version").get(place=1)).units
    for unit in units[1:]:
        tap(game, 0, make_tap("set", f"at:{unit.key}", text="dead=1", side=1))
    activate(game, 0, "u1", 1)
    activate(game, 1, "u1", 1)
    activate(game, 0, "u2", 1)
    assert get_next(client, game) == "You"


def test_the_last_squad_of_a_round_is_not_the_first_of_the_next(client: Client, game: Game) -> None:
    for key in ("u1", "u3", "u2"):
        activate(game, 0, key, 1)
    go_to(game, "2:0:activation")
    page = read_page(client, game)
    waiting = re.findall(r'id="s0(u\d+)".*?data-waits( hidden)?', page)
    assert [key for key, hidden in waiting if not hidden] == ["u2"]
    # Once another squad has acted, it may act as well.
    activate(game, 0, "u1", 2)
    waiting = re.findall(r'id="s0(u\d+)".*?data-waits( hidden)?', read_page(client, game))
    assert all(hidden for _key, hidden in waiting)


def test_a_side_with_a_single_squad_acts_with_it_again(client: Client, game: Game) -> None:
    units = load_table_list(game.sides.select_related("version").get(place=0)).units
    activate(game, 0, "u1", 1)
    for unit in units[1:]:
        tap(game, 0, make_tap("set", f"at:{unit.key}", text="dead=1"))
    go_to(game, "2:0:activation")
    waiting = re.findall(r'id="s0(u\d+)".*?data-waits( hidden)?', read_page(client, game))
    assert all(hidden for _key, hidden in waiting)


def test_games_with_whole_turns_name_no_next_unit(client: Client) -> None:
    assert "data-acting" not in read_page(client, begin(client, load_army(EDGE, "army-hazard-pay")))
