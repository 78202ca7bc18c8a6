from urllib.parse import urlencode

from django.http import HttpResponse
from django.urls import reverse

from catalogue.views.decorators import allow
from catalogue.views.responses import HtmxRequest, read_query, render_page
from roster.engine.tree import Force, find_path
from roster.services.board.allies import AlliedFaction, list_allied_factions, search_forces
from roster.services.faces import load_faction
from roster.views.requests import find_own_roster

LONGEST_ID = 400
MOST_FACTIONS_SHOWN = 30


@allow("GET")
def show_allied_forces(request: HtmxRequest, public_id: str) -> HttpResponse:
    roster = find_own_roster(request, public_id)
    node, text = read_query(request, "node", LONGEST_ID), read_query(request, "q")
    factions = list_allied_factions(roster, node)
    chosen = _find_faction(factions, read_query(request, "faction", LONGEST_ID))
    matching = search_forces((chosen,) if chosen else factions, text) if text else ()
    outer = next(reversed(find_path(roster.tree, node)), None)
    address = reverse("roster:builder", args=[public_id])
    context = {
        "roster": roster,
        "factions": factions,
        "chosen": chosen,
        "matching": matching[:MOST_FACTIONS_SHOWN],
        "more": max(0, len(matching) - MOST_FACTIONS_SHOWN),
        "text": text,
        "node": node,
        "outer": outer.custom_name or outer.name if isinstance(outer, Force) else "",
        "faces": load_faction(roster.version_id, roster.faction_id),
        "back": f"{address}?{urlencode({'into': node})}#roster",
        "address": reverse("roster:allies", args=[public_id]),
        "edit_address": reverse("roster:edits", args=[public_id]),
    }
    return render_page(request, "roster/builder/allies.html", context, "sheet")


def _find_faction(factions: tuple[AlliedFaction, ...], catalogue_id: str) -> AlliedFaction | None:
    return next((faction for faction in factions if faction.catalogue_id == catalogue_id), None)
