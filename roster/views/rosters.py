"""My lists: looked through, filtered, page by page."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from catalogue.views.methods import allow
from roster import wording
from roster.engine.report import Verdict
from roster.services.list_search import (
    NO_FOLDER,
    ORDERS,
    ListFilter,
    fetch_rows,
    find_filter_options,
    search_lists,
)
from roster.services.organize import list_folders, list_tags
from roster.services.owners import extend_guest_session, identify_visitor
from roster.views.numbers import whole_number

AT_ONCE = 30
LONGEST = 200
MOST_TICKED = 100
FIELDS = ("q", "game", "faction", "verdict", "folder", "tag", "order")


@allow("GET")
def rosters(request: HttpRequest) -> HttpResponse:
    visitor = identify_visitor(request)
    extend_guest_session(visitor, request.session)
    wanted = wanted_of(request.GET)
    folders, tags, known = list(list_folders(visitor)), list(list_tags(visitor)), find_filter_options(visitor)
    found = search_lists(visitor, wanted, known, tags)
    page = Paginator(found.values_list("pk", flat=True), AT_ONCE).get_page(request.GET.get("page"))
    rows = fetch_rows(found, list(page.object_list))
    ticked = request.GET.getlist("list")[:MOST_TICKED]
    context: dict[str, Any] = {
        "page": "rosters",
        "rosters": rows,
        "ticked": ticked,
        "elsewhere": [own for own in dict.fromkeys(ticked) if own not in {row.public_id for row in rows}],
        "page_obj": page,
        "wanted": wanted,
        "query": query_of(wanted),
        "searched": bool(query_of(wanted)),
        "filtered": bool(query_of(replace(wanted, q=""))),
        "known": known,
        "games": known.games,
        "factions": known.list_factions(wanted.game),
        "verdicts": [(verdict.value, wording.get_verdict_word(verdict)) for verdict in Verdict],
        "folders": folders,
        "tags": tags,
        "guest_days": settings.ARMYBUILDER["GUEST_DAYS"],
    }
    return render(request, "roster/rosters.html", context)


def wanted_of(fields: Mapping[str, str]) -> ListFilter:
    """What a form or an address asks for; what makes no sense in it asks for nothing."""
    given = {name: fields.get(name, "").strip()[:LONGEST] for name in FIELDS}
    if given["verdict"] not in {verdict.value for verdict in Verdict}:
        given["verdict"] = ""
    if given["folder"] != NO_FOLDER and whole_number(given["folder"]) is None:
        given["folder"] = ""
    if whole_number(given["tag"]) is None:
        given["tag"] = ""
    if given["order"] not in ORDERS:
        given["order"] = ""
    return ListFilter(**given)


def query_of(wanted: ListFilter) -> str:
    """The same as an address has it, to be followed by more; blank where nothing is asked for."""
    given = {name: getattr(wanted, name) for name in FIELDS if getattr(wanted, name)}
    return urlencode(given) + "&" if given else ""
