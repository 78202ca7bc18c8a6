from django.core.paginator import Page
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from catalogue.models import Card, Faction, Slot, UnitEntry
from catalogue.models.base import ID_LENGTH
from catalogue.services.attack_odds import TARGET_VALUES, build_odds
from catalogue.services.datasheet_tables import read_card_table
from catalogue.services.lru import Lru
from catalogue.services.public_answers import identify_data, keep_public
from catalogue.services.published_games import (
    add_detachments,
    find_import_report,
    identify_catalogue,
    select_factions,
    select_other_editions,
    select_own_shelf,
    select_readable_games,
    select_shelf,
    select_units,
)
from catalogue.services.releases import list_published_versions
from catalogue.services.search import (
    SORTS,
    collect_search_words,
    correct_search,
    count_decks,
    count_types,
    explain_matches,
    find_cards,
    find_units,
    group_like_units,
    search_units,
)
from catalogue.services.stat_tables import build_stat_tables
from catalogue.services.unit_card_builder import build_unit_card
from catalogue.views.decorators import allow
from catalogue.views.responses import HtmxRequest, paginate_rows, read_query, render_page

MOST_CARDS = 20
SHELVES_KEPT = 6
FOR_EVER = "public, max-age=31536000, immutable"
FOR_EVER_MINE = "private, max-age=31536000, immutable"

_shelves: Lru[tuple[object, ...], SafeString] = Lru(SHELVES_KEPT)


@keep_public(identify_data)
@allow("GET")
def list_games(request: HttpRequest) -> HttpResponse:
    # Equal for all readers until a game changes, and slow to render.
    shelf = _shelves.get((get_language(), *identify_catalogue()), write_shelf)
    context = {"page": "games", "shelf": shelf, "own_games": select_own_shelf(request.user.pk)}
    return render(request, "catalogue/games.html", context)


def write_shelf() -> SafeString:
    """Render all games with their first factions, "" if there are none."""
    games = select_shelf()
    return render_to_string("catalogue/parts/shelf.html", {"games": games}) if games else SafeString("")


@keep_public(identify_data)
@allow("GET")
def show_game(request: HttpRequest, game: str) -> HttpResponse:
    game_row = get_object_or_404(select_readable_games(request.user.pk), slug=game)
    version = game_row.shown_version
    context = {
        "page": "games",
        "game": game_row,
        "version": version,
        "factions": version.factions.all(),
        "charts": add_detachments(version.charts.all()),
        "missions": version.missions.all(),
        "versions": list_published_versions(game_row),
        "report": find_import_report(version),
        "editions": select_other_editions(game_row),
    }
    return render(request, "catalogue/game.html", context)


@keep_public(identify_data)
@allow("GET")
def show_faction(request: HtmxRequest, game: str, faction: str) -> HttpResponse:
    faction_row = get_object_or_404(select_factions(game, request.user.pk), slug=faction)
    text, kind, sort = (
        read_query(request, "q"),
        read_query(request, "type", ID_LENGTH) or None,
        read_query(request, "sort"),
    )
    units = paginate_rows(request, find_units([faction_row], text, kind, sort))
    context = {
        "page": "games",
        "game": faction_row.version.game,
        "version": faction_row.version,
        "faction": faction_row,
        "types": count_types(faction_row),
        "charts": add_detachments(faction_row.charts.all()),
        "units": units,
        "tables": build_stat_tables(faction_row, explain_matches(units, text)),
        "text": text,
        "kind": kind,
        "slots": dict(
            Slot.objects.filter(detachment__chart__version=faction_row.version).values_list("name", "emblem")
        ),
        "sort": sort if sort in SORTS else "book",
    }
    return render_page(request, "catalogue/faction.html", context, "results")


@keep_public(identify_data)
@allow("GET")
def show_cards(request: HtmxRequest, game: str, faction: str) -> HttpResponse:
    faction_row = get_object_or_404(select_factions(game, request.user.pk).filter(card_count__gt=0), slug=faction)
    text, deck = read_query(request, "q"), read_query(request, "deck", ID_LENGTH)
    cards = paginate_rows(request, find_cards([faction_row], text, deck))
    context = {
        "page": "games",
        "game": faction_row.version.game,
        "version": faction_row.version,
        "faction": faction_row,
        "decks": count_decks(faction_row),
        "cards": cards,
        "lacks_texts": not any(card.text for card in cards),
        "rules": faction_row.deck_rules.all(),
        "text": text,
        "deck": deck,
    }
    return render_page(request, "catalogue/cards.html", context, "results")


@keep_public(identify_data)
@allow("GET")
def show_unit(request: HtmxRequest, game: str, faction: str, unit: str) -> HttpResponse:
    unit_row = get_object_or_404(select_units(game, faction, request.user.pk), slug=unit)
    card = build_unit_card(unit_row)
    if card is None:
        raise Http404
    version = unit_row.faction.version
    context = {
        "page": "games",
        "game": version.game,
        "version": version,
        "faction": unit_row.faction,
        "unit": unit_row,
        "card": card,
        "tables": map(read_card_table, card.tables),
        "odds": build_odds(card, {name: read_query(request, name) for name in TARGET_VALUES}),
    }
    return render_page(request, "catalogue/unit.html", context, "card")


@allow("GET")
def serve_search_words(request: HttpRequest, version: str, faction: str) -> HttpResponse:
    """Serve a faction's search words, cached for ever: the data of a hash never changes."""
    factions = Faction.objects.select_related("version__game")
    row = get_object_or_404(factions, version__content_hash=version, slug=faction)
    game = row.version.game
    if game.is_private and game.owner_id != request.user.pk:
        raise Http404
    cache_control = FOR_EVER_MINE if game.is_private else FOR_EVER
    return JsonResponse(collect_search_words(row), headers={"Cache-Control": cache_control})


@allow("GET")
def search_units_and_cards(request: HtmxRequest) -> HttpResponse:
    text = read_query(request, "q")
    everywhere = select_factions().order_by() if text else select_factions().none()
    units, cards = _search_everywhere(request, everywhere, text)
    is_vain = bool(text) and not units and not cards
    corrected = correct_search(everywhere, text) if is_vain else ""
    if corrected:
        units, cards = _search_everywhere(request, everywhere, corrected)
    others = group_like_units(list(units))
    rows = [(unit, why, others[unit]) for unit, why in explain_matches(units, corrected or text)]
    context = {
        "page": "games",
        "text": text,
        "corrected": corrected if rows or cards else "",
        "units": units,
        "rows": rows,
        "cards": cards,
    }
    return render_page(request, "catalogue/search.html", context, "results")


def _search_everywhere(
    request: HtmxRequest, factions: QuerySet[Faction], text: str
) -> tuple[Page[UnitEntry], list[Card]]:
    units = search_units(factions, text).select_related("faction__version__game")
    cards = find_cards(factions, text).select_related("faction__version__game")[:MOST_CARDS]
    return paginate_rows(request, units), list(cards)
