"""Cards and tokens as PDF."""

from collections.abc import Sequence

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.text import slugify
from msgspec import structs

from catalogue.definitions.identity import UNKNOWN, Identity
from catalogue.models import GameSystem
from catalogue.services.play import list_measures, load_play
from catalogue.services.published_games import select_factions, select_games
from catalogue.views.decorators import allow
from roster import wording
from roster.pdf.imposition.card_face import PrintCard
from roster.pdf.imposition.card_job import CardJob, read_card_options, read_copies, repeat_cards
from roster.pdf.imposition.list_cards import build_action_card, build_deck_cards, build_plain_back, build_unit_cards
from roster.pdf.imposition.print_cards import CannotPrintError
from roster.pdf.imposition.select_cards import read_selection, select_cards
from roster.pdf.printer_sheet import PrinterSheetJob
from roster.pdf.sheet_content import build_sheet
from roster.pdf.sheet_job import create_sheet_job
from roster.services.evaluation import evaluate_roster
from roster.views.paper.sheets import answer_print, explain_cannot_print
from roster.views.requests import find_whole_roster

UNITS, DECK = "units", "deck"


@allow("GET")
def print_play_cards(request: HttpRequest, game: str) -> HttpResponse:
    game_row = get_object_or_404(select_games(), slug=game)
    play = load_play(game_row.shown_version)
    if not play:
        raise Http404
    given = request.GET
    try:
        choice = read_selection(play, given.getlist("what"), given.getlist("mission"), given.get("battle", ""))
        cards = select_cards(play, choice, list_measures(game_row))
        title = f"{game_row.heading}: {wording.cards.format_card_kinds(choice.what)}"
        identity = structs.replace(game_row.identity, frame=play.frame)
        return answer_cards(request, game_row, cards, title, identity)
    except CannotPrintError as error:
        return explain_cannot_print(request, error)


@allow("GET")
def print_deck_cards(request: HttpRequest, game: str, faction: str) -> HttpResponse:
    faction_row = get_object_or_404(select_factions(game), slug=faction)
    cards = [build_action_card(card) for card in faction_row.cards.all()]
    identity = structs.replace(faction_row.identity, frame=load_play(faction_row.version).frame)
    return answer_cards(request, faction_row.version.game, cards, faction_row.name, identity)


@allow("GET")
def print_roster_cards(request: HttpRequest, link_id: str) -> HttpResponse:
    roster = find_whole_roster(request, link_id)
    evaluated_list = evaluate_roster(roster)
    sheet = build_sheet(evaluated_list, create_sheet_job(roster).imprint)
    words = request.GET.getlist("what")
    for word in words:
        if word not in (UNITS, DECK):
            error = CannotPrintError("bad-option", given=word[:40], name="what", known=f"{UNITS}, {DECK}")
            return explain_cannot_print(request, error)
    kinds = words or [UNITS]
    cards: list[PrintCard] = []
    if UNITS in kinds:
        cards += build_unit_cards(sheet, one_per_unit=request.GET.get("each", "") not in ("", "0"))
    if DECK in kinds:
        cards += build_deck_cards(sheet)
    return answer_cards(request, roster.version.game, cards, roster.name, sheet.imprint.identity)


@allow("GET")
def print_test_sheet(request: HttpRequest) -> HttpResponse:
    try:
        options = read_card_options({key: request.GET[key] for key in ("paper",) if key in request.GET})
    except CannotPrintError as error:
        return explain_cannot_print(request, error)
    return answer_print(request, PrinterSheetJob(paper=options.paper), "test-sheet")


def answer_cards(
    request: HttpRequest, game: GameSystem | None, cards: Sequence[PrintCard], title: str, identity: Identity = UNKNOWN
) -> HttpResponse:
    """Return a PDF of cards, or a page with the reason. `identity` is the game's by default."""
    if game and not identity.dark:
        identity = game.identity
    plain = build_plain_back(game) if game and request.GET.get("backs") != "0" else None
    try:
        job = CardJob(
            title=title,
            cards=repeat_cards(cards, read_copies(request.GET.get("copies", "1"))),
            identity=identity,
            plain=plain,
            options=read_card_options(request.GET.dict()),
        )
        return answer_print(request, job, slugify(title, allow_unicode=True) or "cards")
    except CannotPrintError as error:
        return explain_cannot_print(request, error)
