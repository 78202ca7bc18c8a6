from typing import Any

from django.db.models import Count, Q
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404

from catalogue.models import GameSystem
from catalogue.services.mission_search import search_missions, search_objectives, search_play
from catalogue.services.play import Play, list_measures, list_tables, load_play
from catalogue.services.published_games import select_games
from catalogue.views.decorators import allow
from catalogue.views.responses import HtmxRequest, read_query, render_page


@allow("GET")
def list_mission_games(request: HtmxRequest) -> HttpResponse:
    text = read_query(request, "q")
    games = select_games().annotate(
        missions=Count("current__missions", distinct=True), objectives=Count("current__objectives", distinct=True)
    )
    context: dict[str, Any] = {"page": "missions", "text": text}
    context["games"] = games.filter(Q(missions__gt=0) | Q(objectives__gt=0))
    if text:
        context["missions"], context["objectives"] = search_missions(text), search_objectives(text)
    return render_page(request, "catalogue/missions.html", context, "results")


@allow("GET")
def show_game_missions(request: HtmxRequest, game: str) -> HttpResponse:
    game_row, play = _find_play(game)
    text = read_query(request, "q")
    measures, answer = list_measures(game_row), search_play(play, text)
    holding = {item.pack for item in answer.missions}
    packs = []
    for name in play.pack_names:
        if name in holding:
            pack = play.find_pack(name)
            packs.append((name, pack.text if pack else ""))
    context = {
        "page": "missions",
        "game": game_row,
        "version": game_row.shown_version,
        "play": play,
        "text": text,
        "found": answer,
        "packs": packs,
        "maps": [(table_plan, list_tables(table_plan, measures)) for table_plan in play.maps.values()],
    }
    return render_page(request, "catalogue/play.html", context, "results")


@allow("GET")
def show_mission(request: HtmxRequest, game: str, mission: str) -> HttpResponse:
    game_row, play = _find_play(game)
    definition = play.missions.get(mission)
    if definition is None:
        raise Http404
    measures = list_measures(game_row)
    context = {
        "page": "missions",
        "game": game_row,
        "version": game_row.shown_version,
        "play": play,
        "mission": definition,
        "only": [definition.id],
        "pack": play.find_pack(definition.pack),
        "factions": game_row.shown_version.factions.filter(faction_id__in=definition.factions)
        if definition.factions
        else (),
        "told": [
            (side, [(where, list_tables(where, measures)) for where in side.maps])
            for side in play.list_briefs(definition)
        ],
    }
    return render_page(request, "catalogue/mission.html", context, "main")


def _find_play(slug: str) -> tuple[GameSystem, Play]:
    game = get_object_or_404(select_games(), slug=slug)
    play = load_play(game.shown_version)
    if not play:
        raise Http404
    return game, play
