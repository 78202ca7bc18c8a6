from django.urls import path

from catalogue.views.cards import cards
from catalogue.views.factions import faction
from catalogue.views.games import game, games
from catalogue.views.importing import import_game
from catalogue.views.missions import game_missions, mission, shelf
from catalogue.views.search import search
from catalogue.views.units import unit

app_name = "catalogue"
urlpatterns = [
    path("games/", games, name="games"),
    path("games/import/", import_game, name="import"),
    path("games/<slug:game>/", game, name="game"),
    path("games/<slug:game>/<slug:faction>/", faction, name="faction"),
    path("games/<slug:game>/<slug:faction>/cards/", cards, name="cards"),
    path("games/<slug:game>/<slug:faction>/<slug:unit>/", unit, name="unit"),
    path("missions/", shelf, name="missions"),
    path("missions/<slug:game>/", game_missions, name="game-missions"),
    path("missions/<slug:game>/<slug:mission>/", mission, name="mission"),
    path("search/", search, name="search"),
]
