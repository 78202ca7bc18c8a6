from django.urls import path

from catalogue.api.views import Cards, DeckRules, Factions, Games, OneGame, Unit, Units

app_name = "catalogue-api"
urlpatterns = [
    path("games/", Games.as_view(), name="games"),
    path("games/<slug:game>/", OneGame.as_view(), name="game"),
    path("games/<slug:game>/factions/", Factions.as_view(), name="factions"),
    path("games/<slug:game>/factions/<slug:faction>/cards/", Cards.as_view(), name="cards"),
    path("games/<slug:game>/factions/<slug:faction>/deck-rules/", DeckRules.as_view(), name="deck-rules"),
    path("games/<slug:game>/factions/<slug:faction>/units/", Units.as_view(), name="units"),
    path("games/<slug:game>/factions/<slug:faction>/units/<slug:unit>/", Unit.as_view(), name="unit"),
]
