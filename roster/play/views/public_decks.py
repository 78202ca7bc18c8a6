"""A mission deck for everybody who has its address: to read, to print, to copy."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from catalogue.services.play import list_measures, list_tables, load_play
from catalogue.views.decorators import allow, hide_linked_page, let_search_engines_in
from catalogue.views.responses import redirect_after_post
from roster import wording
from roster.models.ownership import Visibility
from roster.pdf.imposition.play_cards import build_mission_cards
from roster.pdf.qr import draw_qr_code
from roster.play.models import MissionDeck
from roster.play.services import mission_decks as verbs
from roster.services.outcomes import Refused
from roster.services.owners import identify_visitor, is_owner, make_owner
from roster.services.sharing import can_report
from roster.views.paper.cards import answer_cards
from roster.views.sharing import AT_ONCE, answer_report


def own_deck(request: HttpRequest, public_id: str) -> MissionDeck:
    """Return the visitor's deck at the address it is worked at; 404 for everybody else."""
    try:
        return verbs.find_own_deck(public_id, identify_visitor(request))
    except MissionDeck.DoesNotExist:
        raise Http404 from None


def find_deck(request: HttpRequest, link_id: str) -> MissionDeck:
    """Return a deck at its link; 404 where there is none that may be seen."""
    try:
        return verbs.find_readable_deck(link_id, identify_visitor(request))
    except MissionDeck.DoesNotExist:
        raise Http404 from None


@allow("GET")
@hide_linked_page()
def show_deck(request: HttpRequest, link_id: str) -> HttpResponse:
    deck, visitor = find_deck(request, link_id), identify_visitor(request)
    address = request.build_absolute_uri(deck.get_absolute_url())
    lines = verbs.list_missions(deck)
    context = {
        "page": "missions",
        "deck": deck,
        "lines": lines,
        "all": sum(line.copies for line in lines),
        "mine": is_owner(visitor, deck),
        "reportable": can_report(deck, visitor),
        "address": address,
        "qr": draw_qr_code(address, deck.name),
        "indexed": deck.visibility == Visibility.PUBLIC,
        **describe_draws(deck),
    }
    answer = render(request, "play/public_deck.html", context)
    return let_search_engines_in(answer) if context["indexed"] else answer


def describe_draws(deck: MissionDeck) -> dict[str, object]:
    """Return what was drawn from a deck, the last one with its map."""
    history = verbs.list_draws(deck)
    last = history[0] if history else None
    measures = list_measures(last.version.game) if last and last.map else []
    return {
        "history": history,
        "last": last,
        "last_play": load_play(last.version) if last else None,
        "last_tables": list_tables(last.map, measures) if last and last.map else [],
    }


@allow("GET")
def show_public_decks(request: HttpRequest) -> HttpResponse:
    """Show every mission deck that its owner made public."""
    page = Paginator(verbs.list_public_decks(), AT_ONCE).get_page(request.GET.get("page"))
    return render(request, "play/public_decks.html", {"page_obj": page, "decks": page.object_list})


@allow("GET", "POST")
def report_deck(request: HttpRequest, link_id: str) -> HttpResponse:
    """Tell the staff about a mission deck of somebody else's."""
    return answer_report(request, find_deck(request, link_id))


@allow("POST")
def copy_deck(request: HttpRequest, link_id: str) -> HttpResponse:
    copy_or_refusal = verbs.copy_deck(find_deck(request, link_id), make_owner(request))
    if isinstance(copy_or_refusal, Refused):
        messages.error(request, wording.explain_refusal(copy_or_refusal))
        return redirect_after_post("play:decks")
    return redirect_after_post("play:mission-deck", copy_or_refusal.public_id)


@allow("GET")
def print_cards(request: HttpRequest, link_id: str) -> HttpResponse:
    """Show the cards of a deck, each as often as the deck holds it."""
    deck = find_deck(request, link_id)
    lines = verbs.list_missions(deck)
    printed_cards = [
        card
        for line in lines
        for card in build_mission_cards(load_play(line.version), line.mission, copies=line.copies)
    ]
    return answer_cards(request, lines[0].version.game if lines else None, printed_cards, deck.name)
