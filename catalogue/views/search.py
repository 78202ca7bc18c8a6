"""Searching all games at once."""

from django.http import HttpRequest, HttpResponse

from catalogue.services.finding import elsewhere, explained, find_cards, search_units
from catalogue.services.shelf import shown_factions
from catalogue.views.methods import allow
from catalogue.views.respond import asked, one_page, respond

MOST_CARDS = 20


@allow("GET")
def search(request: HttpRequest) -> HttpResponse:
    text = asked(request, "q")
    everywhere = shown_factions() if text else shown_factions().none()
    found = search_units(everywhere.order_by(), text)
    units = one_page(request, found.select_related("faction__version__game"))
    others = elsewhere(list(units))
    rows = [(unit, why, others[unit]) for unit, why in explained(units, text)]
    cards = find_cards(everywhere.order_by(), text).select_related("faction__version__game")[:MOST_CARDS]
    context = {"page": "games", "text": text, "units": units, "rows": rows, "cards": cards}
    return respond(request, "catalogue/search.html", context, "results")
