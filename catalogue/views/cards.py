"""The cards of a faction: searched, narrowed to one deck, with what decks have to keep to."""

from django.http import HttpResponse
from django.shortcuts import get_object_or_404

from catalogue.models.base import ID_LENGTH
from catalogue.services.published_games import select_factions
from catalogue.services.search import count_decks, find_cards
from catalogue.views.decorators import allow
from catalogue.views.responses import HtmxRequest, paginate_rows, read_query, render_page


@allow("GET")
def show_cards(request: HtmxRequest, game: str, faction: str) -> HttpResponse:
    faction_row = get_object_or_404(select_factions(game).filter(card_count__gt=0), slug=faction)
    text, deck = read_query(request, "q"), read_query(request, "deck", ID_LENGTH)
    context = {
        "page": "games",
        "game": faction_row.version.game,
        "version": faction_row.version,
        "faction": faction_row,
        "decks": count_decks(faction_row),
        "cards": paginate_rows(request, find_cards([faction_row], text, deck)),
        "rules": faction_row.deck_rules.all(),
        "text": text,
        "deck": deck,
    }
    return render_page(request, "catalogue/cards.html", context, "results")
