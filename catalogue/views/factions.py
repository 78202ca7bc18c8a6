"""A faction: the table of its units, searched, filtered and sorted."""

from django.http import HttpResponse
from django.shortcuts import get_object_or_404

from catalogue.models.base import ID_LENGTH
from catalogue.services.published_games import add_detachments, select_factions
from catalogue.services.search import SORTS, count_types, explain_matches, find_units
from catalogue.views.decorators import allow
from catalogue.views.responses import HtmxRequest, paginate_rows, read_query, render_page


@allow("GET")
def show_faction(request: HtmxRequest, game: str, faction: str) -> HttpResponse:
    faction_row = get_object_or_404(select_factions(game), slug=faction)
    text, kind, sort = (
        read_query(request, "q"),
        read_query(request, "type", ID_LENGTH) or None,
        read_query(request, "sort"),
    )
    units = paginate_rows(request, find_units([faction_row], text, kind, sort))
    context = {
        "page": "games",
        "game": faction_row.version.game,
        "version": faction_row.version,
        "faction": faction_row,
        "types": count_types(faction_row),
        "charts": add_detachments(faction_row.charts.all()),
        "units": units,
        "rows": explain_matches(units, text),
        "text": text,
        "kind": kind,
        "sort": sort if sort in SORTS else "book",
    }
    return render_page(request, "catalogue/faction.html", context, "results")
