from django.urls import path

from catalogue.views.gallery import ask_for_game, install_game, keep_game, read_indexes, show_gallery
from catalogue.views.games import (
    list_games,
    search_units_and_cards,
    serve_search_words,
    show_cards,
    show_faction,
    show_game,
    show_unit,
)
from catalogue.views.importing import import_game, show_job
from catalogue.views.missions import list_mission_games, show_game_missions, show_mission
from catalogue.views.own_games import delete_game, show_own_games
from catalogue.views.sources import show_sources

app_name = "catalogue"
urlpatterns = [
    path("games/", list_games, name="games"),
    path("games/gallery/", show_gallery, name="gallery"),
    path("games/gallery/read/", read_indexes, name="gallery-read"),
    path("games/gallery/<int:key>/install/", install_game, name="install"),
    path("games/gallery/<int:key>/keep/", keep_game, name="gallery-keep"),
    path("games/gallery/<int:key>/ask/", ask_for_game, name="gallery-ask"),
    path("games/import/", import_game, name="import"),
    path("games/own/", show_own_games, name="own-games"),
    path("games/own/<slug:game>/delete/", delete_game, name="own-delete"),
    path("games/sources/", show_sources, name="sources"),
    path("games/words/<str:version>/<slug:faction>.json", serve_search_words, name="words"),
    path("games/<slug:game>/", show_game, name="game"),
    path("games/<slug:game>/<slug:faction>/", show_faction, name="faction"),
    path("games/<slug:game>/<slug:faction>/cards/", show_cards, name="cards"),
    path("games/<slug:game>/<slug:faction>/<slug:unit>/", show_unit, name="unit"),
    path("jobs/<str:public_id>/", show_job, name="job"),
    path("missions/", list_mission_games, name="missions"),
    path("missions/<slug:game>/", show_game_missions, name="game-missions"),
    path("missions/<slug:game>/<slug:mission>/", show_mission, name="mission"),
    path("search/", search_units_and_cards, name="search"),
]
