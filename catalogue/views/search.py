"""Searching all games at once."""

from django.http import HttpResponse

from catalogue.services.published_games import select_factions
from catalogue.services.search import explain_matches, find_cards, group_like_units, search_units
from catalogue.views.decorators import allow
from catalogue.views.responses import HtmxRequest, paginate_rows, read_query, render_page

MOST_CARDS = 20


@allow("GET")
def search_units_and_cards(request: HtmxRequest) -> HttpResponse:
    text = read_query(request, "q")
    everywhere = select_factions() if text else select_factions().none()
    matching_units = search_units(everywhere.order_by(), text)
    units = paginate_rows(request, matching_units.select_related("faction__version__game"))
    others = group_like_units(list(units))
    rows = [(unit, why, others[unit]) for unit, why in explain_matches(units, text)]
    cards = find_cards(everywhere.order_by(), text).select_related("faction__version__game")[:MOST_CARDS]
    context = {"page": "games", "text": text, "units": units, "rows": rows, "cards": cards}
    return render_page(request, "catalogue/search.html", context, "results")
