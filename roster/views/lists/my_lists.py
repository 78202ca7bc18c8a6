"""My lists: looked through, filtered, page by page."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from catalogue.views.decorators import allow
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
from roster.views.parsing import parse_whole_number

AT_ONCE = 30
LONGEST = 200
MOST_TICKED = 100
FIELDS = ("q", "game", "faction", "verdict", "folder", "tag", "order")


@allow("GET")
def show_my_lists(request: HttpRequest) -> HttpResponse:
    visitor = identify_visitor(request)
    extend_guest_session(visitor, request.session)
    wanted = read_list_filter(request.GET)
    folders, tags, known = list(list_folders(visitor)), list(list_tags(visitor)), find_filter_options(visitor)
    matching_lists = search_lists(visitor, wanted, known, tags)
    page = Paginator(matching_lists.values_list("pk", flat=True), AT_ONCE).get_page(request.GET.get("page"))
    rows = fetch_rows(matching_lists, list(page.object_list))
    ticked = request.GET.getlist("list")[:MOST_TICKED]
    context: dict[str, Any] = {
        "page": "rosters",
        "rosters": rows,
        "ticked": ticked,
        "elsewhere": [
            list_id for list_id in dict.fromkeys(ticked) if list_id not in {row.public_id for row in rows}
        ],
        "page_obj": page,
        "wanted": wanted,
        "query": write_list_query(wanted),
        "searched": bool(write_list_query(wanted)),
        "filtered": bool(write_list_query(replace(wanted, q=""))),
        "known": known,
        "games": known.games,
        "factions": known.list_factions(wanted.game),
        "verdicts": [(verdict.value, wording.get_verdict_word(verdict)) for verdict in Verdict],
        "folders": folders,
        "tags": tags,
        "guest_days": settings.ARMYBUILDER["GUEST_DAYS"],
    }
    return render(request, "roster/rosters.html", context)


def read_list_filter(fields: Mapping[str, str]) -> ListFilter:
    """Read what a form or an address asks for; what makes no sense in it asks for nothing."""
    given = {name: fields.get(name, "").strip()[:LONGEST] for name in FIELDS}
    if given["verdict"] not in {verdict.value for verdict in Verdict}:
        given["verdict"] = ""
    if given["folder"] != NO_FOLDER and parse_whole_number(given["folder"]) is None:
        given["folder"] = ""
    if parse_whole_number(given["tag"]) is None:
        given["tag"] = ""
    if given["order"] not in ORDERS:
        given["order"] = ""
    return ListFilter(**given)


def write_list_query(wanted: ListFilter) -> str:
    """Write a filter as an address has it, to be followed by more; blank where nothing is asked for."""
    given = {name: getattr(wanted, name) for name in FIELDS if getattr(wanted, name)}
    return urlencode(given) + "&" if given else ""
