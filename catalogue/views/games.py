"""The shelf of games, and one game: its factions, how its armies are organised, its missions and versions."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from catalogue.services.releasing import released
from catalogue.services.shelf import other_editions, report_of, shown_games, with_detachments
from catalogue.views.decorators import allow


@allow("GET")
def list_games(request: HttpRequest) -> HttpResponse:
    games_here = shown_games().prefetch_related("current__factions")
    return render(request, "catalogue/games.html", {"page": "games", "games": games_here})


@allow("GET")
def show_game(request: HttpRequest, game: str) -> HttpResponse:
    game_row = get_object_or_404(shown_games(), slug=game)
    version = game_row.shown
    context = {
        "page": "games",
        "game": game_row,
        "version": version,
        "factions": version.factions.all(),
        "charts": with_detachments(version.charts.all()),
        "missions": version.missions.all(),
        "versions": released(game_row),
        "report": report_of(version),
        "editions": other_editions(game_row),
    }
    return render(request, "catalogue/game.html", context)
