"""A list for everybody who has its address: to read, to print, to copy, never to change."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from roster import wording
from roster.models import Roster
from roster.pdf.model import sheet_model
from roster.pdf.shapes import Imprint, Sheet
from roster.services.board import Board, board_for
from roster.services.owners import owns, visitor_of
from roster.services.plan_board import plan_board
from roster.services.plans import plan_of
from roster.views.answers import faction_of
from roster.views.lists import read_roster
from roster.views.methods import allow
from roster.views.page import page_of
from roster.views.plan_page import plan_context
from roster.views.said import Sayer


@allow("GET")
def link(request: HttpRequest, link_id: str) -> HttpResponse:
    roster = read_roster(request, link_id)
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
        "paper": _paper(roster, board),
        "mine": owns(visitor_of(request), roster),
        "reading": True,
    }
    planned = plan_of(roster)
    if planned.exists:
        context |= plan_context(plan_board(roster, planned))
    answer = render(request, "roster/link.html", context)
    answer["X-Robots-Tag"] = "noindex, nofollow"
    answer["Referrer-Policy"] = "same-origin"
    return answer


def _paper(roster: Roster, board: Board) -> Sheet:
    """The cards and rules as the sheet prints them, so that page and paper say the same."""
    return sheet_model(
        board.judged.report,
        Imprint(game=str(roster.version.game)),
        title=roster.name,
        cite=lambda place: wording.citation(place, board.books),
    )
