"""What a page tells of draws to come is what the server draws, and only the side itself is told."""

import pytest
from django.test import Client
from django.urls import reverse

from roster.models import Roster
from roster.play.models import Game
from roster.play.services.game_board import build_game_board
from roster.play.services.games import end_game
from roster.play.views.hand_part import SideHand, describe_hands
from tests.play.games import NINTH, begin, join, load_army, tap
from tests.play.test_table_hands import GROUPS, do, get_hand, go_to, make_act

pytestmark = pytest.mark.django_db
MISSIONS = ("territorial-control", "ambitious-surge", "complex-front", "chaotic-engagement", "never-surrender")


@pytest.fixture
def army(db: None) -> Roster:
    return load_army(NINTH, "necrons-incursion")


def start(client: Client, army: Roster, mission: str) -> Game:
    return begin(client, army, mission=mission, size="incursion")


def read_hand(game: Game, reader: int | None = 0, side: int = 0) -> SideHand:
    board = build_game_board(game, reader)
    return next(hand for hand in describe_hands(board) if hand.place == side)


@pytest.mark.parametrize("mission", MISSIONS)
def test_the_server_draws_what_the_page_told(client: Client, army: Roster, mission: str) -> None:
    game = start(client, army, mission)
    chosen = {"secret": "raid"} if mission == "complex-front" else {}
    if mission != "chaotic-engagement":
        assert do(game, "choose", group=GROUPS, **chosen) == ""
    ahead = read_hand(game).ahead
    assert list(ahead["draws"]) == [1, 2, 3, 4, 5]
    for number in range(1, 6):
        go_to(game, number)
        asked = {"extra": "on"} if number == 3 else {}
        assert do(game, "begin", **asked) == ""
        drawn = [one.objective_id for one in get_hand(game).now.drawn]
        assert drawn == ahead["draws"][number][: len(drawn)]
        assert len(drawn) >= ahead["number"]
        for one in read_hand(game).cards:
            card = ahead["cards"][one.drawn.objective_id]
            assert (card["name"], card["worth"], tuple(card["lines"])) == (one.objective.name, one.worth, one.lines)
        assert [one.due for one in read_hand(game).cards] == ahead["due"][number][: len(drawn)]
        # What was drawn is not told again; the rest stays as it was told.
        assert read_hand(game).ahead["draws"] == {key: ids for key, ids in ahead["draws"].items() if key > number}


def test_nobody_else_is_told_and_nothing_before_categories_are_chosen(client: Client, army: Roster) -> None:
    game = start(client, army, "never-surrender")
    other = join(game, Client(), inviter=client)
    assert read_hand(game).ahead == {}
    do(game, "choose", group=GROUPS)
    # The other side chooses without knowing what comes of it.
    assert read_hand(game).ahead == {}
    tap(game, 1, make_act("choose", 1, group=GROUPS))
    assert read_hand(game).ahead["draws"]
    assert read_hand(game, reader=1).ahead == {}
    assert read_hand(game, reader=None).ahead == {}
    # On the pages themselves: each player's has one side's draws, that of an onlooker none.
    pages = [
        client.get(reverse("play:game", args=[game.public_id])),
        other.get(reverse("play:game", args=[game.public_id])),
    ]
    assert [page.content.decode().count('"draws"') for page in pages] == [1, 1]
    assert '"draws"' not in Client().get(reverse("play:game-link", args=[game.link_id])).content.decode()
    end_game(game, "")
    game.refresh_from_db()
    assert read_hand(game).ahead == {}
