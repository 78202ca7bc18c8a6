"""The shelf of games, and one game: its factions, how its armies are organised, its missions and versions."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from catalogue.services.published_games import (
    add_detachments,
    find_import_report,
    select_games,
    select_other_editions,
)
from catalogue.services.releases import list_published_versions
from catalogue.views.decorators import allow


@allow("GET")
def list_games(request: HttpRequest) -> HttpResponse:
    games_here = select_games().prefetch_related("current__factions")
    return render(request, "catalogue/games.html", {"page": "games", "games": games_here})


@allow("GET")
def show_game(request: HttpRequest, game: str) -> HttpResponse:
    game_row = get_object_or_404(select_games(), slug=game)
    version = game_row.shown
    context = {
        "page": "games",
        "game": game_row,
        "version": version,
        "factions": version.factions.all(),
        "charts": add_detachments(version.charts.all()),
        "missions": version.missions.all(),
        "versions": list_published_versions(game_row),
        "report": find_import_report(version),
        "editions": select_other_editions(game_row),
    }
    return render(request, "catalogue/game.html", context)
