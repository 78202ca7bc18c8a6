"""The page of a game of Maelstrom of War is small enough for a phone in a cellar."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.play.games import NINTH, begin, load_army, make_tap, tap
from tests.play.test_table_hands import choose_all, do

pytestmark = pytest.mark.django_db

MOST = 60_000
"""Bytes of HTML before compression."""


@pytest.mark.parametrize("step", ["1:0:objectives", "1:0:shooting", "5:0:objectives", "5:1:morale"])
def test_the_page_of_a_game_has_at_most_60_kb(client: Client, step: str) -> None:
    game = begin(client, load_army(NINTH, "necrons-incursion"), mission="territorial-control", size="incursion")
    choose_all(game)
    for number in range(1, int(step[0]) + 1):
        now = game.now.step
        tap(game, 0, make_tap("step", "step", text=f"{now} {number}:0:objectives", side=None))
        for side in (0, 1):
            assert do(game, "begin", side) == ""
            assert do(game, "score", side, place="0") == ""
    if str(game.now.step) != step:
        tap(game, 0, make_tap("step", "step", text=f"{game.now.step} {step}", side=None))
    page = client.get(reverse("play:game", args=[game.public_id])).content
    open(f"/tmp/sw_page_{step.replace(':', '-')}.html", "wb").write(page)
    assert len(page) <= MOST
