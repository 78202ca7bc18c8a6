"""A game that is ended by a tap, such as one from a phone that had no network."""

import pytest
from django.test import Client
from django.urls import reverse

from roster.play.models import Game
from roster.play.services.game_board import describe_state
from roster.play.services.game_log import list_log
from roster.play.services.games import end_game, reopen_game
from tests.play.games import NINTH, begin, join, load_army, make_tap, tap

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(client: Client) -> Game:
    return begin(client, load_army(NINTH, "necrons-incursion"))


def end(notes: str = "", side: int | None = None) -> object:
    return make_tap("end", "game", text=notes, side=side)


def test_a_tap_ends_the_game_with_the_points_before_it(game: Game) -> None:
    tap(game, 0, make_tap("count", "score:points:1", 4), end("Close, but won.\nAgain soon."))
    assert game.ended is not None
    assert game.notes == "Close, but won.\nAgain soon."
    assert [side.score for side in game.sides.order_by("place")] == [4, 0]
    assert list_log(game, 0)[0].text == "ended the game"
    # What was tapped before and comes later counts all the same.
    tap(game, 0, make_tap("count", "score:points:1", 2))
    assert [side.score for side in game.sides.order_by("place")] == [6, 0]


def test_it_can_be_done_once_and_not_be_undone(game: Game) -> None:
    last = end()
    tap(game, 0, last)
    assert describe_state(game, 0)["undos"] == []
    undo = make_tap("undo", last.uid, side=None)
    assert tap(game, 0, undo).refused[undo.uid].code == "nothing-to-undo"
    reopen_game(game)
    assert last.uid in tap(game, 0, last).numbers
    assert game.ended is None


def test_an_end_that_comes_late_changes_nothing(game: Game) -> None:
    other = join(game, Client())
    end_game(game, "Ours")
    game.refresh_from_db()
    ended = game.ended
    assert other.get(reverse("play:game", args=[game.public_id])).status_code == 200
    assert not tap(game, 1, end("Theirs", side=1)).refused
    assert (game.ended, game.notes, game.ending, game.winner) == (ended, "Ours", game.ending, game.winner)
    assert game.ending != "conceded"


def test_a_side_concedes_for_itself_alone(game: Game) -> None:
    join(game, Client())
    foreign = end(side=0)
    assert tap(game, 1, foreign).refused[foreign.uid].code == "other-side"
    assert game.ended is None
    tap(game, 1, end(side=1))
    assert (game.ending, game.winner) == ("conceded", 0)
    assert "has conceded" in list_log(game, 0)[0].text


@pytest.mark.parametrize("notes", ["a\0b", "x" * 601])
def test_notes_that_cannot_be_stored_are_refused(game: Game, notes: str) -> None:
    bad = end(notes)
    assert list(tap(game, 0, bad).refused) == [bad.uid]
    assert game.ended is None


def test_an_end_of_a_stranger_or_of_a_side_that_is_none_does_nothing(client: Client, game: Game) -> None:
    bad = end(side=7)
    assert list(tap(game, 0, bad).refused) == [bad.uid]
    address = reverse("play:game-taps", args=[game.public_id])
    taps = {"taps": [{"id": bad.uid, "kind": "end", "key": "game", "side": None}]}
    assert Client().post(address, taps, content_type="application/json").status_code == 404
    assert client.post(address, taps, content_type="application/json").json()["state"]["ended"] is True


def test_a_game_begins_with_a_code_for_the_other_player(client: Client, game: Game) -> None:
    shown = client.get(reverse("play:game-invite", args=[game.public_id]))
    invitation = game.sides.get(place=1).invitations.get()
    assert f"/play/join/{invitation.code}/" in shown.content.decode()
