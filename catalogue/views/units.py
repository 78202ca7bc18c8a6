"""A unit in full."""

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404

from catalogue.services.published_games import select_units
from catalogue.services.unit_card_builder import build_unit_card
from catalogue.views.decorators import allow
from catalogue.views.responses import HtmxRequest, render_page


@allow("GET")
def show_unit(request: HtmxRequest, game: str, faction: str, unit: str) -> HttpResponse:
    unit_row = get_object_or_404(select_units(game, faction), slug=unit)
    card = build_unit_card(unit_row)
    if card is None:
        raise Http404
    version = unit_row.faction.version
    context = {
        "page": "games",
        "game": version.game,
        "version": version,
        "faction": unit_row.faction,
        "unit": unit_row,
        "card": card,
    }
    return render_page(request, "catalogue/unit.html", context, "card")
