"""The shelf of games, and one game: its factions, how its armies are organised, its missions and versions."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from catalogue.services.releasing import released
from catalogue.services.shelf import other_editions, report_of, shown_games, with_detachments
from catalogue.views.methods import allow


@allow("GET")
def games(request: HttpRequest) -> HttpResponse:
    found = shown_games().prefetch_related("current__factions")
    return render(request, "catalogue/games.html", {"page": "games", "games": found})


@allow("GET")
def game(request: HttpRequest, game: str) -> HttpResponse:
    found = get_object_or_404(shown_games(), slug=game)
    version = found.shown
    context = {
        "page": "games",
        "game": found,
        "version": version,
        "factions": version.factions.all(),
        "charts": with_detachments(version.charts.all()),
        "missions": version.missions.all(),
        "versions": released(found),
        "report": report_of(version),
        "editions": other_editions(found),
    }
    return render(request, "catalogue/game.html", context)
