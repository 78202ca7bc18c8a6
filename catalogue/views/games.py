"""The shelf of games, and one game: its factions, how its armies are organised, its missions and versions."""

from django.db.models import Prefetch, QuerySet, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from catalogue.models import Detachment, GameSystem, OrganisationChart, PackVersion, Slot


def installed_games() -> QuerySet[GameSystem]:
    """The games that have data, with their current version."""
    return GameSystem.objects.filter(current__isnull=False).select_related("current")


@require_safe
def games(request: HttpRequest) -> HttpResponse:
    found = installed_games().prefetch_related("current__factions")
    return render(request, "catalogue/games.html", {"page": "games", "games": found})


@require_safe
def game(request: HttpRequest, game: str) -> HttpResponse:
    found = get_object_or_404(installed_games(), slug=game)
    version = found.shown
    context = {
        "page": "games",
        "game": found,
        "version": version,
        "factions": version.factions.all(),
        "unit_count": version.factions.aggregate(units=Sum("unit_count"))["units"],
        "charts": with_detachments(version.charts.select_related("faction")),
        "missions": version.missions.all(),
        "versions": PackVersion.objects.filter(game=found),
    }
    return render(request, "catalogue/game.html", context)


def with_detachments(charts: QuerySet[OrganisationChart]) -> QuerySet[OrganisationChart]:
    """`charts` with their visible detachments and those with their visible slots."""
    slots = Prefetch("slots", Slot.objects.filter(hidden=False))
    shown = Detachment.objects.filter(hidden=False).prefetch_related(slots)
    return charts.prefetch_related(Prefetch("detachments", shown))
