"""Serve the pages that are public after the reveal."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from catalogue.services.texts import fold_text
from catalogue.views.decorators import allow, hide_linked_page
from catalogue.views.responses import read_query
from roster.events.services.access import filter_public_entries
from roster.events.services.audit import record_look
from roster.events.services.numbers import count_numbers, filter_counted
from roster.events.views.access import open_event
from roster.views.plots import draw_bars

LISTS_AT_ONCE = 200
MOST_BARS = 30


@allow("GET")
@hide_linked_page()
def show_lists(request: HttpRequest, public_id: str) -> HttpResponse:
    standing = open_event(request, public_id)
    event = standing.event
    in_full = event.shows_publicly("roster")
    entries = list(filter_public_entries(event).select_related("team", "current").order_by("name", "pk"))
    words, faction = read_query(request, "q"), read_query(request, "faction")
    folded = fold_text(words).split()
    matching = []
    for entry in entries:
        # Units are searched only once lists are shown.
        texts = [entry.name, entry.faction, entry.team_name]
        if in_full and entry.current is not None:
            texts += [unit[0] for unit in entry.current.units]
        search_text = fold_text(" ".join(texts))
        if faction in ("", entry.faction) and all(word in search_text for word in folded):
            matching.append(entry)

    query = request.GET.copy()
    query.pop("page", None)
    context = {
        "page": "events",
        "event": event,
        "standing": standing,
        "page_obj": Paginator(matching, LISTS_AT_ONCE).get_page(request.GET.get("page")),
        "number": len(entries),
        "in_full": in_full,
        "factions": [(name, name) for name in sorted(filter(None, {entry.faction for entry in entries}))],
        "faction": faction,
        "words": words,
        "query": f"{query.urlencode()}&" if query else "",
    }
    return render(request, "events/lists.html", context)


@allow("GET")
@hide_linked_page()
def show_numbers(request: HttpRequest, public_id: str) -> HttpResponse:
    standing = open_event(request, public_id)
    counted, in_full = filter_counted(standing)
    if in_full and not standing.event.shows_publicly("roster"):
        record_look(standing.event, standing.user, "numbers")
    numbers = count_numbers(counted, in_full=in_full)

    # Bars of factions and units are shares of all lists.
    factions = ((name, number, _format_share(number, numbers.lists)) for name, number in numbers.factions[:MOST_BARS])
    units = ((pick.name, pick.lists, _format_share(pick.lists, numbers.lists)) for pick in numbers.units[:MOST_BARS])
    points = ((step, number, str(number)) for step, number in numbers.points)
    most = max((number for _step, number in numbers.points), default=1)
    context = {
        "page": "events",
        "event": standing.event,
        "standing": standing,
        "numbers": numbers,
        "in_full": in_full,
        "factions": draw_bars(factions, numbers.lists),
        "units": draw_bars(units, numbers.lists),
        "points": draw_bars(points, most),
    }
    return render(request, "events/numbers.html", context)


def _format_share(number: int, total: int) -> str:
    return f"{number} ({round(100 * number / total)} %)"
