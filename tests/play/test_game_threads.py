"""Two phones tap while the tap of the other is under way, again and again: every tap is found once, in one order."""

import threading
import time

import pytest
from django.db import connection
from django.test import Client

from roster.play.game_state import fold_operations
from roster.play.models import Game, GameOperation
from roster.play.services.game_rules import load_rules
from roster.play.services.game_taps import SentOperation, append_operations, list_operations
from tests.extent import COMPLETE
from tests.play.games import NINTH, begin, join, load_army, make_tap

TAPS = 1000 if COMPLETE else 40


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_two_phones_at_the_same_moment_lose_no_tap() -> None:
    client = Client()
    game = begin(client, load_army(NINTH, "necrons-incursion"))
    join(game, Client(), inviter=client)
    ready = threading.Barrier(2)
    sent: list[list[str]] = [[], []]
    begun: list[list[float]] = [[], []]
    ended: list[list[float]] = [[], []]
    lost: list[object] = []

    def tap_on(place: int) -> None:
        try:
            for number in range(TAPS):
                operation = make_tap("count", "score:points:1", 1, side=place)
                sent[place].append(operation.uid)
                ready.wait(60)
                begun[place].append(time.perf_counter())
                receipt = append_operations(Game.objects.get(pk=game.pk), place, [SentOperation(operation)])
                ended[place].append(time.perf_counter())
                lost.extend(receipt.refused.values())
                # A phone that heard no answer sends the same once more.
                if number % 10 == 0:
                    append_operations(Game.objects.get(pk=game.pk), place, [SentOperation(operation)])
        except Exception as error:
            lost.append(error)
            ready.abort()
        finally:
            connection.close()

    phones = [threading.Thread(target=tap_on, args=(place,)) for place in (0, 1)]
    for phone in phones:
        phone.start()
    for phone in phones:
        phone.join()
    assert lost == []
    together = [
        max(starts) < min(ends) for starts, ends in zip(zip(*begun, strict=True), zip(*ended, strict=True), strict=True)
    ]
    # How many depends on what else the machine does.
    assert any(together), "no tap met one of the other phone"
    kept = list(GameOperation.objects.filter(game=game, number__gt=0).order_by("number"))
    assert sorted(str(row.uid) for row in kept) == sorted(sent[0] + sent[1])
    assert [row.number for row in kept] == list(range(1, 2 * TAPS + 1))
    game.refresh_from_db()
    assert [side.counts["score:points:1"] for side in game.now.sides] == [TAPS, TAPS]
    assert fold_operations(list_operations(game), load_rules(game).fold).sides == game.now.sides
