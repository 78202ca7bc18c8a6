from django.urls import URLPattern, URLResolver, path

from roster.play.api.views import PlayedGamesView, PlayedGameView, TapsView

app_name = "play_api"
urlpatterns: list[URLPattern | URLResolver] = [
    path("played/", PlayedGamesView.as_view(), name="played"),
    path("played/<str:public_id>/", PlayedGameView.as_view(), name="played-game"),
    path("played/<str:public_id>/taps/", TapsView.as_view(), name="played-taps"),
]
