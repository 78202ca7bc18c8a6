"""Searching all games at once."""

from django.http import HttpRequest, HttpResponse

from catalogue.services.finding import explained, search_units
from catalogue.services.shelf import shown_factions
from catalogue.views.respond import asked, one_page, reading, respond


@reading
def search(request: HttpRequest) -> HttpResponse:
    text = asked(request, "q")
    everywhere = shown_factions() if text else shown_factions().none()
    found = search_units(everywhere.order_by(), text)
    units = one_page(request, found.select_related("faction__version__game"))
    context = {"page": "games", "text": text, "units": units, "rows": explained(units, text)}
    return respond(request, "catalogue/search.html", context, "results")
