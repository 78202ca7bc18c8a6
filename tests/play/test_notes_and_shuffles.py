"""Notes that one player reads, the result that waits for a player, and shuffles that are done again."""

import json

import pytest
from django.test import Client
from django.urls import reverse

from roster.models import Roster
from roster.play.models import Game
from roster.play.models.games import NOTE_LENGTH
from roster.play.services.game_board import describe_state
from tests.markup import markup
from tests.play.games import DAWNFALL, NINTH, begin, join, load_army, make_tap, tap

pytestmark = pytest.mark.django_db

SECRET = "He always reserves the Lychguard"


@pytest.fixture
def army(db: None) -> Roster:
    return load_army(NINTH, "necrons-incursion")


def address(game: Game) -> str:
    return reverse("play:game-end", args=[game.public_id])


# ---- private notes --------------------------------------------------------------------------------------------------


def test_private_notes_are_read_by_their_player_alone(client: Client, army: Roster) -> None:
    game = begin(client, army, opponent="Ben")
    other = join(game, Client(), inviter=client)
    assert client.post(address(game), {"do": "end", "notes": "Good game", "private_notes": SECRET}).status_code == 303
    mine = markup(client.get(address(game)))
    assert SECRET in mine
    assert "Only you can read these." in mine
    theirs = markup(other.get(address(game)))
    assert "Good game" in theirs
    log, watched = reverse("play:game-log", args=[game.link_id]), game.get_absolute_url()
    for page in (theirs, markup(other.get(log)), markup(Client().get(watched)), json.dumps(describe_state(game, 1))):
        assert SECRET not in page
    # The other player has notes of their own.
    other.post(address(game), {"do": "end", "notes": "Good game", "private_notes": "Watch his flank"})
    assert SECRET in markup(client.get(address(game)))
    assert "Watch his flank" not in markup(client.get(address(game)))


def test_private_notes_have_a_length(client: Client, army: Roster) -> None:
    game = begin(client, army)
    answer = client.post(address(game), {"do": "end", "private_notes": "x" * (NOTE_LENGTH + 1)})
    assert answer.status_code == 422
    game.refresh_from_db()
    assert game.ended is None
    assert game.sides.get(place=0).private_notes == ""


def test_other_forms_leave_private_notes_alone(client: Client, army: Roster) -> None:
    game = begin(client, army)
    client.post(address(game), {"do": "end", "private_notes": SECRET})
    client.post(address(game), {"do": "reopen"})
    assert game.sides.get(place=0).private_notes == SECRET


# ---- the result -----------------------------------------------------------------------------------------------------


def test_the_page_of_a_game_says_that_the_result_waits(client: Client, army: Roster) -> None:
    game = begin(client, army, opponent="Ben")
    other = join(game, Client(), inviter=client)
    words, page = "The result is waiting for you to confirm it.", reverse("play:game", args=[game.public_id])
    assert words not in markup(other.get(page))
    client.post(address(game), {"do": "end"})
    client.post(address(game), {"do": "confirm"})
    assert words not in markup(client.get(page))
    assert words in markup(other.get(page))
    other.post(address(game), {"do": "confirm"})
    assert words not in markup(other.get(page))
    # A tap that comes late asks both again.
    tap(game, 0, make_tap("count", "score:points:1", 2))
    assert words in markup(client.get(page))
    assert words not in markup(Client().get(game.get_absolute_url()))


# ---- shuffles -------------------------------------------------------------------------------------------------------


def test_a_shuffle_that_is_taken_back_and_done_again_leaves_the_same_order(client: Client) -> None:
    game = begin(client, load_army(DAWNFALL, "army-hunger-without-a-face"))
    tap(game, 0, make_tap("draw", "d0", 2))
    told = describe_state(game, 0)["sides"][0]["piles"]["d0"]["next"]
    dealt = list(game.now.sides[0].piles["d0"].draw)
    shuffle = make_tap("shuffle", "d0")
    tap(game, 0, shuffle)
    pile = game.now.sides[0].piles["d0"]
    assert sorted(pile.draw) == sorted(dealt)
    assert pile.draw != dealt
    # The device of the owner knows the order before, to shuffle without a network; no other does.
    assert pile.draw == [card for card in told[0] if card not in pile.hand]
    assert "next" not in describe_state(game, 1)["sides"][0]["piles"]["d0"]
    tap(game, 0, make_tap("undo", shuffle.uid))
    assert game.now.sides[0].piles["d0"].draw == dealt
    tap(game, 0, make_tap("shuffle", "d0"))
    assert game.now.sides[0].piles["d0"] == pile
    tap(game, 0, make_tap("shuffle", "d0"))
    assert game.now.sides[0].piles["d0"].draw != pile.draw
