"""A unit in full."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404

from catalogue.services.shelf import shown_units
from catalogue.services.unit_card_builder import build_unit_card
from catalogue.views.methods import allow
from catalogue.views.respond import respond


@allow("GET")
def unit(request: HttpRequest, game: str, faction: str, unit: str) -> HttpResponse:
    found = get_object_or_404(shown_units(game, faction), slug=unit)
    card = build_unit_card(found)
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
