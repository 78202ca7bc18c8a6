"""The stream of news of a game: what it says, when it ends, and that it never takes the threads that judging needs."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.signals import request_finished
from django.db import close_old_connections
from django.test import Client
from django.urls import reverse

from armybuilder.turns import Turns, turns
from roster.play.models import Game
from roster.play.services.games import end_game
from roster.play.views.game_news import NewsStream
from tests.play.games import NINTH, begin, join, load_army, make_tap, tap

pytestmark = pytest.mark.django_db
SCORE = ("count", "score:points:1", 1)


@pytest.fixture(autouse=True)
def bounds(settings: Any) -> None:
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "STREAM_SECONDS": 3, "STREAMS_AT_ONCE": 2}


@pytest.fixture
def game(client: Client) -> Game:
    return begin(client, load_army(NINTH, "necrons-incursion"))


def open_news(client: Client, game: Game) -> Any:
    return client.get(reverse("play:game-news", args=[game.public_id]))


def close(answer: Any) -> None:
    """Close an answer as a server does, which leaves the connection of the test open."""
    request_finished.disconnect(close_old_connections)
    answer.close()
    request_finished.connect(close_old_connections)


def read_events(answer: Any) -> Iterator[bytes]:
    return iter(answer.streaming_content)


def test_it_says_at_once_how_the_game_stands_and_then_each_change(client: Client, game: Game) -> None:
    answer = open_news(client, game)
    assert answer["Content-Type"] == "text/event-stream"
    assert (answer["Cache-Control"], answer["X-Accel-Buffering"]) == ("no-store", "no")
    assert not answer.has_header("Content-Encoding")
    events = read_events(answer)
    assert next(events) == b"data: 0 0\n\n"
    tap(game, 0, make_tap(*SCORE), make_tap(*SCORE))
    assert next(events) == b"data: 2 0\n\n"
    end_game(game, "")
    assert next(events) == b"data: 2 1\n\n"
    close(answer)


def test_it_ends_by_itself_and_when_the_game_is_deleted(client: Client, game: Game, settings: Any) -> None:
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "STREAM_SECONDS": 0.5}
    assert list(read_events(open_news(client, game))) == [b"data: 0 0\n\n"]
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "STREAM_SECONDS": 60}
    events = read_events(open_news(client, game))
    next(events)
    game.delete()
    assert list(events) == []


def test_the_other_player_gets_it_and_nobody_else(client: Client, game: Game) -> None:
    other = join(game, Client(), inviter=client)
    answer = open_news(other, game)
    assert answer.status_code == 200
    close(answer)
    assert open_news(Client(), game).status_code == 404
    assert client.get(reverse("play:game-news", args=["nonsense"])).status_code == 404
    assert other.post(reverse("play:game-news", args=[game.public_id])).status_code == 405


def test_a_head_request_holds_nothing(client: Client, game: Game) -> None:
    for _more in range(5):
        answer = client.head(reverse("play:game-news", args=[game.public_id]))
        assert (answer.status_code, list(answer.streaming_content)) == (200, [])
    assert turns._streams == 0


def test_beyond_the_bound_it_is_refused_until_one_is_closed(client: Client, game: Game) -> None:
    first, second = open_news(client, game), open_news(client, game)
    refused = open_news(client, game)
    # By this status a browser does not try again by itself.
    assert (refused.status_code, refused.content) == (204, b"")
    # Closed unread.
    close(first)
    close(second)
    assert turns._streams == 0
    again = open_news(client, game)
    assert again.status_code == 200
    close(again)


def test_a_reader_who_is_gone_holds_nothing(game: Game) -> None:
    news = NewsStream(game.pk, turns.open_stream())
    events = iter(news)
    next(events)
    news.close()
    news.close()
    assert turns._streams == 0
    assert list(events) == []


def test_it_can_be_switched_off(client: Client, game: Game, settings: Any) -> None:
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "STREAMS_AT_ONCE": 0}
    assert open_news(client, game).status_code == 204


def test_streams_give_way_to_judging(settings: Any) -> None:
    """Streams, requests that judge and requests that wait to are together fewer than the threads of a process."""
    bounds = {"JUDGING_AT_ONCE": 1, "JUDGING_WAITING": 2, "STREAMS_AT_ONCE": 20, "TURN_SECONDS": 30}
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, **bounds}
    mine = Turns()
    streams = [mine.open_stream() for _number in range(4)]
    assert [stream is not None for stream in streams] == [True, True, True, False]
    turn = mine.take("a", is_long=False)
    assert not any(stream.goes_on() for stream in streams if stream)
    streams[0].close()
    assert streams[1].goes_on()
    waiting = threading.Thread(target=lambda: mine.give_back(mine.take("b", is_long=False)), daemon=True)
    waiting.start()
    while not mine._waiting:
        pass
    assert not streams[1].goes_on()
    mine.give_back(turn)
    waiting.join(30)
    assert streams[1].goes_on()
    assert mine.open_stream() is not None
