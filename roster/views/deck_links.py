"""A mission deck for everybody who has its address: to read, to print, to copy."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from catalogue.services.play import measures_of, play_of, tables_of
from catalogue.views.methods import allow
from roster import wording
from roster.models import MissionDeck
from roster.models.ownership import Visibility
from roster.pdf.imposition.making.missions import mission_cards
from roster.pdf.qr import qr_code
from roster.services import mission_decks as verbs
from roster.services.outcomes import Refused
from roster.services.owners import identify_visitor, is_owner, make_owner
from roster.services.sharing import can_report
from roster.views.answers import see_other
from roster.views.cards import answer_cards


def own_deck(request: HttpRequest, public_id: str) -> MissionDeck:
    """The visitor's deck at the address it is worked at; 404 for everybody else."""
    try:
        return verbs.own_deck(public_id, identify_visitor(request))
    except MissionDeck.DoesNotExist:
        raise Http404 from None


def read_deck(request: HttpRequest, link_id: str) -> MissionDeck:
    """A deck at its link; 404 where there is none that may be seen."""
    try:
        return verbs.readable_deck(link_id, identify_visitor(request))
    except MissionDeck.DoesNotExist:
        raise Http404 from None


@allow("GET")
def link(request: HttpRequest, link_id: str) -> HttpResponse:
    deck, visitor = read_deck(request, link_id), identify_visitor(request)
    address = request.build_absolute_uri(deck.get_absolute_url())
    lines = verbs.lines_of(deck)
    context = {
        "page": "missions",
        "deck": deck,
        "lines": lines,
        "all": sum(line.copies for line in lines),
        "mine": is_owner(visitor, deck),
        "reportable": can_report(deck, visitor),
        "address": address,
        "qr": qr_code(address, deck.name),
        "indexed": deck.visibility == Visibility.PUBLIC,
        **drawn_context(deck),
    }
    answer = render(request, "roster/deck_link.html", context)
    if deck.visibility != Visibility.PUBLIC:
        answer["X-Robots-Tag"] = "noindex, nofollow"
    answer["Referrer-Policy"] = "same-origin"
    return answer


def drawn_context(deck: MissionDeck) -> dict[str, object]:
    """What was drawn from a deck, the last one with its map."""
    history = verbs.history_of(deck)
    last = history[0] if history else None
    measures = measures_of(last.version.game) if last and last.map else []
    return {
        "history": history,
        "last": last,
        "last_play": play_of(last.version) if last else None,
        "last_tables": tables_of(last.map, measures) if last and last.map else [],
    }


@allow("POST")
def copy(request: HttpRequest, link_id: str) -> HttpResponse:
    made = verbs.copy_deck(read_deck(request, link_id), make_owner(request))
    if isinstance(made, Refused):
        messages.error(request, wording.refusal(made))
        return see_other("roster:decks")
    return see_other("roster:mission-deck", made.public_id)


@allow("GET")
def cards(request: HttpRequest, link_id: str) -> HttpResponse:
    """The cards of a deck, each as often as the deck holds it."""
    deck = read_deck(request, link_id)
    lines = verbs.lines_of(deck)
    made = [
        card
        for line in lines
        for card in mission_cards(play_of(line.version), line.mission, copies=line.copies)
    ]
    return answer_cards(request, lines[0].version.game if lines else None, made, deck.name)
