"""A faction: the table of its units, searched, filtered and sorted."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404

from catalogue.models.base import ID_LENGTH
from catalogue.services.finding import SORTS, explained, find_units, types_of
from catalogue.services.shelf import shown_factions, with_detachments
from catalogue.views.methods import allow
from catalogue.views.respond import asked, one_page, respond


@allow("GET")
def faction(request: HttpRequest, game: str, faction: str) -> HttpResponse:
    found = get_object_or_404(shown_factions(game), slug=faction)
    text, kind, sort = asked(request, "q"), asked(request, "type", ID_LENGTH) or None, asked(request, "sort")
    units = one_page(request, find_units([found], text, kind, sort))
    context = {
        "page": "games",
        "game": found.version.game,
        "version": found.version,
        "faction": found,
        "types": types_of(found),
        "charts": with_detachments(found.charts.all()),
        "units": units,
        "rows": explained(units, text),
        "text": text,
        "kind": kind,
        "sort": sort if sort in SORTS else "book",
    }
    return respond(request, "catalogue/faction.html", context, "results")
