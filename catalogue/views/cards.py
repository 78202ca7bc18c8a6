"""The cards of a faction: searched, narrowed to one deck, with what decks have to keep to."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404

from catalogue.models.base import ID_LENGTH
from catalogue.services.finding import decks_of, find_cards
from catalogue.services.shelf import shown_factions
from catalogue.views.methods import allow
from catalogue.views.respond import asked, one_page, respond


@allow("GET")
def cards(request: HttpRequest, game: str, faction: str) -> HttpResponse:
    found = get_object_or_404(shown_factions(game).filter(card_count__gt=0), slug=faction)
    text, deck = asked(request, "q"), asked(request, "deck", ID_LENGTH)
    context = {
        "page": "games",
        "game": found.version.game,
        "version": found.version,
        "faction": found,
        "decks": decks_of(found),
        "cards": one_page(request, find_cards([found], text, deck)),
        "rules": found.deck_rules.all(),
        "text": text,
        "deck": deck,
    }
    return respond(request, "catalogue/cards.html", context, "results")
