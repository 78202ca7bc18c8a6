"""News of a game for the phones of two players: a stream of server-sent events says when there are some.

An event has the number of the last operation and whether the game is over, nothing of the state: the page asks for
that as ever. A stream ends after some seconds, and the page opens the next one (see ADR 0066).
"""

import time
from collections.abc import Iterator

from django.conf import settings
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase

from catalogue.views.decorators import allow, hide_linked_page
from roster.play.models import Game
from roster.play.views.games import find_own_game
from roster.views.requests import OpenStream, open_stream

LOOK_EVERY = 0.4
"""Seconds from one look at the game to the next: another process may have stored a tap."""
FULL = 204
"""After this status a browser does not try again by itself."""


@allow("GET")
@hide_linked_page()
def stream_news(request: HttpRequest, public_id: str) -> HttpResponseBase:
    """Tell a player's page of each change of a game for some seconds; 204 if the process has too many such pages."""
    game, _place = find_own_game(request, public_id)
    stream = open_stream(request)
    if stream is None:
        return HttpResponse(status=FULL)
    answer = StreamingHttpResponse(NewsStream(game.pk, stream), content_type="text/event-stream")
    answer["Cache-Control"] = "no-store"
    # A proxy that waits for more before it passes something on would make news old.
    answer["X-Accel-Buffering"] = "no"
    return answer


class NewsStream:
    """The events of a game: how it stands at once, and each change."""

    def __init__(self, game_id: int, stream: OpenStream) -> None:
        self._game_id, self._stream = game_id, stream
        self._is_open = True

    def __iter__(self) -> Iterator[bytes]:
        end = time.monotonic() + settings.ARMYBUILDER["STREAM_SECONDS"]
        known = ""
        while self._is_open and self._stream.goes_on() and time.monotonic() < end:
            row = Game.objects.filter(pk=self._game_id).values_list("last", "ended").first()
            # A game that was deleted has no more news; the page finds that out when it asks.
            if row is None:
                return
            news = f"{row[0]} {int(row[1] is not None)}"
            if news != known:
                known = news
                yield f"data: {news}\n\n".encode()
            time.sleep(LOOK_EVERY)

    def close(self) -> None:
        """Give back the thread, also if nothing was read or the reader is gone."""
        if self._is_open:
            self._is_open = False
            self._stream.close()
