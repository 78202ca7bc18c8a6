"""Send events that tell the players' pages when a game changes.

An event has only the last operation's number and whether the game is over. A stream ends after some seconds, and the
page opens the next one (see ADR 0066).
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
"""Seconds between queries of the database, because another process may store a tap."""
FULL = 204
"""Browsers do not reconnect after this status."""


@allow("GET")
@hide_linked_page()
def stream_news(request: HttpRequest, public_id: str) -> HttpResponseBase:
    """Stream a game's changes; respond 204 if the process has too many streams."""
    game, _place = find_own_game(request, public_id)
    stream = open_stream(request)
    if stream is None:
        return HttpResponse(status=FULL)
    answer = StreamingHttpResponse(NewsStream(game.pk, stream), content_type="text/event-stream")
    answer["Cache-Control"] = "no-store"
    # A proxy that buffers would delay events.
    answer["X-Accel-Buffering"] = "no"
    return answer


class NewsStream:
    def __init__(self, game_id: int, stream: OpenStream) -> None:
        self._game_id, self._stream = game_id, stream
        self._is_open = True

    def __iter__(self) -> Iterator[bytes]:
        end = time.monotonic() + settings.ARMYBUILDER["STREAM_SECONDS"]
        last = ""
        while self._is_open and self._stream.goes_on() and time.monotonic() < end:
            row = Game.objects.filter(pk=self._game_id).values_list("last", "ended").first()
            if row is None:
                return
            news = f"{row[0]} {int(row[1] is not None)}"
            if news != last:
                last = news
                yield f"data: {news}\n\n".encode()
            time.sleep(LOOK_EVERY)

    def close(self) -> None:
        """Release the thread, even if the client has gone."""
        if self._is_open:
            self._is_open = False
            self._stream.close()
