"""A unit in full."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from catalogue.models import UnitEntry
from catalogue.services.cards import card_of
from catalogue.views.respond import respond


@require_safe
def unit(request: HttpRequest, game: str, faction: str, unit: str) -> HttpResponse:
    shown = UnitEntry.objects.select_related("faction__version__game").defer("search_text")
    found = get_object_or_404(
        shown, faction__version__current_of__slug=game, faction__slug=faction, slug=unit, hidden=False
    )
    card = card_of(found)
    if card is None:
        raise Http404
    version = found.faction.version
    context = {
        "page": "games",
        "game": version.game,
        "version": version,
        "faction": found.faction,
        "unit": found,
        "card": card,
    }
    return respond(request, "catalogue/unit.html", context, "card")
