"""A list for everybody who has its address: to read, to print, to copy, never to change."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from catalogue.views.methods import allow
from roster import wording
from roster.models import Roster
from roster.models.ownership import Visibility
from roster.pdf.qr import draw_qr_code
from roster.pdf.redact import redact_sheet
from roster.pdf.shapes import Imprint, ListSheet
from roster.pdf.sheet_model import build_sheet_model
from roster.services.board import build_board
from roster.services.deck_board import list_card_needs
from roster.services.evaluation import EvaluatedList, evaluate_roster
from roster.services.owners import identify_visitor, is_owner
from roster.services.plan_board import build_plan_board
from roster.services.plans import load_plan
from roster.services.revisions import ShownList, find_shown_revision
from roster.services.sharing import can_report, is_redacted_for
from roster.views.answers import faction_of
from roster.views.lists import asked_for, read_roster
from roster.views.page import page_of
from roster.views.plan_page import plan_context
from roster.views.said import Sayer


@allow("GET")
def link(request: HttpRequest, link_id: str) -> HttpResponse:
    visitor = identify_visitor(request)
    roster = read_roster(request, link_id)
    mine = is_owner(visitor, roster)
    shown = find_shown_revision(roster, *asked_for(request), owned=mine)
    context = _about(request, roster, shown) | {"mine": mine, "reportable": can_report(roster, visitor)}
    if is_redacted_for(roster, visitor):
        answer = render(request, "roster/secret.html", context | _veiled(shown.roster))
    else:
        answer = render(request, "roster/link.html", context | _whole(shown))
    if roster.visibility != Visibility.PUBLIC or shown.paper:
        answer["X-Robots-Tag"] = "noindex, nofollow"
    answer["Referrer-Policy"] = "same-origin"
    return answer


def _about(request: HttpRequest, roster: Roster, shown: ShownList) -> dict[str, Any]:
    """What every reader is told: which list, of which moment, at which address."""
    address = shown.build_address(request.build_absolute_uri(roster.get_absolute_url()))
    return {
        "roster": shown.roster,
        "game": shown.roster.version.game,
        "faction": faction_of(shown.roster.version_id, roster.faction_id).name,
        "shown": shown,
        "paper_said": wording.explain_paper(shown),
        "asked": request.GET if shown.is_past else None,
        "address": address,
        "qr": draw_qr_code(address, roster.name),
        "indexed": roster.visibility == Visibility.PUBLIC and not shown.paper,
        "reading": True,
    }


def _whole(shown: ShownList) -> dict[str, Any]:
    board = build_board(shown.roster)
    sayer = Sayer(board)
    verdict = sayer.verdict()
    context = {
        "board": board,
        "page": page_of(board, sayer, verdict),
        "verdict": verdict,
        "paper": _paper(shown.roster, board.judged),
    }
    planned = load_plan(shown.roster)
    if planned.exists:
        context |= plan_context(build_plan_board(shown.roster, planned))
    return context


def _veiled(roster: Roster) -> dict[str, Any]:
    return {"paper": redact_sheet(_paper(roster, evaluate_roster(roster)))}


def _paper(roster: Roster, judged: EvaluatedList) -> ListSheet:
    """The cards and rules as the sheet prints them, so that page and paper say the same."""
    return build_sheet_model(
        judged.report,
        Imprint(game=str(roster.version.game)),
        title=roster.name,
        cite=lambda place: wording.format_citation(place, judged.books),
        cards=list_card_needs(judged.ruleset),
    )
