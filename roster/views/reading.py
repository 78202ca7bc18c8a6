"""A list for everybody who has its address: to read, to print, to copy, never to change."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static

from roster.services.board import board_for
from roster.services.owners import owner_of
from roster.views.answers import faction_of
from roster.views.lists import read_roster
from roster.views.methods import allow
from roster.views.page import page_of
from roster.views.said import Sayer


@allow("GET")
def link(request: HttpRequest, public_id: str) -> HttpResponse:
    roster = read_roster(public_id)
    board = board_for(roster)
    sayer = Sayer(board)
    verdict = sayer.verdict()
    context = {
        "roster": roster,
        "board": board,
        "page": page_of(board, sayer, verdict),
        "verdict": verdict,
        "game": roster.version.game,
        "faction": faction_of(roster.version_id, roster.faction_id).name,
        "icons": static("icons/i.svg"),
        "mine": bool(roster.owner_key) and roster.owner_key == owner_of(request.session),
        "reading": True,
    }
    answer = render(request, "roster/link.html", context)
    answer["X-Robots-Tag"] = "noindex, nofollow"
    answer["Referrer-Policy"] = "no-referrer"
    return answer
