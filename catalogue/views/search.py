"""Searching all games at once."""

from django.http import HttpResponse

from catalogue.services.finding import elsewhere, explained, find_cards, search_units
from catalogue.services.shelf import shown_factions
from catalogue.views.decorators import allow
from catalogue.views.responses import HtmxRequest, paginate_rows, read_query, render_page

MOST_CARDS = 20


@allow("GET")
def search_units_and_cards(request: HtmxRequest) -> HttpResponse:
    text = read_query(request, "q")
    everywhere = shown_factions() if text else shown_factions().none()
    matching_units = search_units(everywhere.order_by(), text)
    units = paginate_rows(request, matching_units.select_related("faction__version__game"))
    others = elsewhere(list(units))
    rows = [(unit, why, others[unit]) for unit, why in explained(units, text)]
    cards = find_cards(everywhere.order_by(), text).select_related("faction__version__game")[:MOST_CARDS]
    context = {"page": "games", "text": text, "units": units, "rows": rows, "cards": cards}
    return render_page(request, "catalogue/search.html", context, "results")
