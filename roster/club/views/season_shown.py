from functools import partial

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.text import slugify

from catalogue.views.decorators import allow, hide_linked_page
from roster import wording
from roster.club.models import Meeting
from roster.club.services.season_files import write_season_csv, write_season_json
from roster.club.services.season_lists import evaluate_chosen, load_meeting_lists
from roster.club.services.seasons import find_meeting, load_season_board
from roster.club.views.files import send_file
from roster.club.views.seasons import open_season
from roster.pdf.shapes import Imprint
from roster.pdf.sheet_model import build_sheet_model
from roster.services.deck_board import list_card_needs


@allow("GET")
@hide_linked_page()
def show_meeting_list(request: HttpRequest, public_id: str, number: int, player_id: int) -> HttpResponse:
    """Show the list that a player chose for a meeting, if the visitor may see it now."""
    season, standing = open_season(request, public_id)
    try:
        shown_meeting = find_meeting(season, number)
    except Meeting.DoesNotExist:
        raise Http404 from None
    chosen = load_meeting_lists(shown_meeting, standing.member).find_shown(player_id)
    if chosen is None or chosen.version is None:
        raise Http404
    evaluated_list = evaluate_chosen(chosen)
    paper = build_sheet_model(
        evaluated_list.report,
        Imprint(game=str(chosen.version.game)),
        title=chosen.name,
        cite=lambda place: wording.format_citation(place, evaluated_list.books),
        cards=list_card_needs(evaluated_list.ruleset),
        settings=evaluated_list.setting_ids,
    )
    face = chosen.version.factions.filter(faction_id=chosen.faction_id).first() or chosen.version.game
    context = {
        "page": "events",
        "season": season,
        "meeting": shown_meeting.meeting,
        "chosen": chosen,
        "face": face,
        "emblems": {unit[0]: unit[2] for unit in chosen.units},
        "paper": paper,
    }
    return render(request, "club/meeting_list.html", context)


@allow("GET")
@hide_linked_page()
def export_table(request: HttpRequest, public_id: str, ending: str) -> HttpResponse:
    return _send_file(request, public_id, "table", ending)


@allow("GET")
@hide_linked_page()
def export_results(request: HttpRequest, public_id: str, ending: str) -> HttpResponse:
    return _send_file(request, public_id, "results", ending)


@allow("GET")
@hide_linked_page()
def export_places(request: HttpRequest, public_id: str, ending: str) -> HttpResponse:
    return _send_file(request, public_id, "places", ending)


def _send_file(request: HttpRequest, public_id: str, table: str, ending: str) -> HttpResponse:
    season, _standing = open_season(request, public_id)
    board = load_season_board(season)
    writers = {"csv": partial(write_season_csv, board, table), "json": partial(write_season_json, board, table)}
    return send_file(f"{slugify(season.name, allow_unicode=True) or 'season'}-{table}", ending, writers)
