from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from catalogue.services.edge import SECONDS_OF_LISTS
from catalogue.services.public_answers import State, keep_public
from catalogue.views.decorators import allow, hide_linked_page, let_search_engines_in
from catalogue.views.responses import redirect_after_post
from roster import wording
from roster.engine.report import Verdict
from roster.models import Roster
from roster.models.ownership import Visibility
from roster.pdf.preview import Preview, draw_preview
from roster.pdf.qr import draw_qr_code
from roster.pdf.redact import redact_sheet
from roster.pdf.shapes import Imprint, ListSheet
from roster.pdf.sheet_model import build_sheet_model
from roster.services.board import build_board
from roster.services.deck_board import list_card_needs
from roster.services.evaluation import EvaluatedList, evaluate_roster
from roster.services.faces import load_faction
from roster.services.owners import NOBODY, identify_visitor, is_owner, may_use_data
from roster.services.photos import list_shown_photos
from roster.services.plan_board import build_plan_board
from roster.services.plans import load_plan
from roster.services.revisions import ShownList, find_shown_revision, hold_paper_against
from roster.services.rosters import find_identified_list
from roster.services.sharing import can_report, is_redacted_for
from roster.templatetags.theme import format_age
from roster.views.builder.page import order_units
from roster.views.forms import read_requested_revision
from roster.views.list_rows import build_list_rows
from roster.views.plan import build_plan_context
from roster.views.requests import find_linked_roster
from roster.views.verdict_presenter import VerdictPresenter, make_dom_id


def identify_list_page(request: HttpRequest, link_id: str) -> State | None:
    """Return the state of a link's page; None for the address on a printout."""
    if any(read_requested_revision(request.GET)):
        return None
    try:
        identified = find_identified_list(link_id, NOBODY)
    except Roster.DoesNotExist:
        return None
    # Time changes the age, and purges nothing.
    return {**identified.state, "age": format_age(identified.roster.updated)}


@keep_public(identify_list_page, edge_seconds=SECONDS_OF_LISTS)
@allow("GET")
@hide_linked_page()
def show_list_link(request: HttpRequest, link_id: str) -> HttpResponse:
    visitor = identify_visitor(request)
    try:
        roster = find_linked_roster(request, link_id)
    except Http404:
        # Redirect a judge who scanned the printout of a private list to the submission.
        comparisons = hold_paper_against(request.user, read_requested_revision(request.GET)[1], None)
        if not comparisons:
            raise Http404 from None
        return redirect_after_post(comparisons[0].address)
    mine = is_owner(visitor, roster)
    shown_list = find_shown_revision(roster, *read_requested_revision(request.GET), owned=mine)
    context = _build_shared_context(request, roster, shown_list)
    context |= {
        "mine": mine,
        "reportable": can_report(roster, visitor),
        "may_build": may_use_data(visitor, roster.version),
    }
    if is_redacted_for(roster, visitor):
        context["paper"] = redact_sheet(_build_printed_sheet(shown_list.roster, evaluate_roster(shown_list.roster)))
        answer = render(request, "roster/secret.html", context)
    else:
        answer = render(request, "roster/link.html", context | _build_whole_context(shown_list))
    return let_search_engines_in(answer) if context["indexed"] else answer


TONES = {"legal": "#1c6435", "incomplete": "#774a00", "illegal": "#9c1c20"}


@allow("GET")
@hide_linked_page()
def draw_picture(request: HttpRequest, link_id: str) -> HttpResponse:
    """Draw a link's picture for chats. A secret list's has no points."""
    roster = find_linked_roster(request, link_id)
    row = build_list_rows([roster])[0]
    identity = row.face.identity
    size = None if roster.is_secret else row.size
    word, tone = _("Empty"), "#545961"
    if not row.is_empty:
        verdict = Verdict(roster.verdict)
        word, tone = wording.get_verdict_word(verdict, roster.homebrew and _("house rules")), TONES[verdict]
    preview = Preview(
        title=roster.name or _("List without a name"),
        line=f"{row.faction.heading if row.faction else ''} · {roster.version.game}".strip(" ·"),
        points=size.amount if size else "",
        limit=f"{size.limit} {size.unit}".strip() if size and size.limit else "",
        verdict=word,
        tone=tone,
        emblem=identity.emblem,
        dark=identity.dark,
        light=identity.light,
    )
    # Chats in a browser may load it from here.
    headers = {"Cross-Origin-Resource-Policy": "cross-origin"}
    return HttpResponse(draw_preview(preview), content_type="image/png", headers=headers)


def _build_shared_context(request: HttpRequest, roster: Roster, shown_list: ShownList) -> dict[str, Any]:
    row = build_list_rows([shown_list.roster])[0]
    address = shown_list.build_address(request.build_absolute_uri(roster.get_absolute_url()))
    return {
        "roster": shown_list.roster,
        "face": row.face,
        "player": row.player,
        "empty": row.is_empty,
        "emblems": {unit[0]: unit[2] for unit in roster.units},
        "game": shown_list.roster.version.game,
        "faction": load_faction(shown_list.roster.version_id, roster.faction_id).name,
        "shown": shown_list,
        "paper_said": wording.explain_paper(shown_list),
        "comparisons": hold_paper_against(request.user, read_requested_revision(request.GET)[1], shown_list),
        "asked": request.GET if shown_list.is_past else None,
        "address": address,
        "qr": draw_qr_code(address, roster.name),
        "indexed": roster.visibility == Visibility.PUBLIC and not shown_list.paper,
        "reading": True,
    }


def _build_whole_context(shown_list: ShownList) -> dict[str, Any]:
    board = build_board(shown_list.roster)
    context = {
        "board": board,
        "detachments": [
            {
                "id": make_dom_id("d", detachment.id),
                "detachment": detachment,
                "rows": [{"id": make_dom_id("u", unit.id), "unit": unit} for unit in order_units(detachment)],
            }
            for detachment in board.detachments
        ],
        "verdict": VerdictPresenter(board).build_verdict(),
        "paper": _build_printed_sheet(shown_list.roster, board.evaluated_list),
        "photos": {photo.unit: photo for photo in list_shown_photos(shown_list.roster)},
    }
    planned = load_plan(shown_list.roster)
    if planned.exists:
        context |= build_plan_context(build_plan_board(shown_list.roster, planned))
    return context


def _build_printed_sheet(roster: Roster, evaluated_list: EvaluatedList) -> ListSheet:
    return build_sheet_model(
        evaluated_list.report,
        Imprint(game=str(roster.version.game)),
        title=roster.name,
        cite=lambda place: wording.format_citation(place, evaluated_list.books),
        cards=list_card_needs(evaluated_list.ruleset),
        settings=evaluated_list.setting_ids,
    )
