"""A faction: the table of its units, searched, filtered and sorted."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from catalogue.models import Faction
from catalogue.services.finding import LONGEST_TEXT, SORTS, find_units, reasons, types_of, words_of
from catalogue.views.games import with_detachments
from catalogue.views.respond import one_page, respond


def find_faction(game: str, faction: str) -> Faction:
    """A faction of the current version of a game; 404 where there is none."""
    shown = Faction.objects.select_related("version__game")
    return get_object_or_404(shown, version__current_of__slug=game, slug=faction)


@require_safe
def faction(request: HttpRequest, game: str, faction: str) -> HttpResponse:
    found = find_faction(game, faction)
    text = request.GET.get("q", "")[:LONGEST_TEXT]
    kind = request.GET.get("type") or None
    sort = request.GET.get("sort", "book")
    units = one_page(request, find_units([found], text, kind, sort))
    words = words_of(text)
    context = {
        "page": "games",
        "game": found.version.game,
        "version": found.version,
        "faction": found,
        "types": types_of(found),
        "charts": with_detachments(found.charts.all()),
        "units": units,
        "rows": [(unit, reasons(unit, words)) for unit in units],
        "text": text,
        "kind": kind,
        "sort": sort if sort in SORTS else "book",
    }
    return respond(request, "catalogue/faction.html", context, "results")
