"""Searching all games at once."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from catalogue.models import Faction
from catalogue.services.finding import LONGEST_TEXT, find_units, reasons, words_of
from catalogue.views.respond import one_page, respond


@require_safe
def search(request: HttpRequest) -> HttpResponse:
    text = request.GET.get("q", "")[:LONGEST_TEXT]
    words = words_of(text)
    everywhere = Faction.objects.filter(version__current_of__isnull=False)
    found = find_units(everywhere if words else everywhere.none(), text)
    units = one_page(request, found.select_related("faction__version__game"))
    rows = [(unit, reasons(unit, words)) for unit in units]
    context = {"page": "games", "text": text, "units": units, "rows": rows}
    return respond(request, "catalogue/search.html", context, "results")
