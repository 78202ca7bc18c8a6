from django.urls import URLPattern, URLResolver, path

from roster.play.api import mission_decks, objective_hands, views

app_name = "play_api"
urlpatterns: list[URLPattern | URLResolver] = [
    path("played/", views.PlayedGamesView.as_view(), name="played"),
    path("played/join/", views.SeatsView.as_view(), name="played-join"),
    path("played/<str:public_id>/", views.PlayedGameView.as_view(), name="played-game"),
    path("played/<str:public_id>/taps/", views.TapsView.as_view(), name="played-taps"),
    path("played/<str:public_id>/invitations/", views.InvitationsView.as_view(), name="played-invitations"),
    path("played/<str:public_id>/end/", views.EndView.as_view(), name="played-end"),
    path("played/<str:public_id>/confirmation/", views.ConfirmationView.as_view(), name="played-confirmation"),
    path("played/<str:public_id>/log/", views.LogView.as_view(), name="played-log"),
    path("decks/", mission_decks.DecksView.as_view(), name="decks"),
    path("decks/public/", mission_decks.PublicDecksView.as_view(), name="public-decks"),
    path("decks/by-link/<str:link_id>/", mission_decks.LinkedDeckView.as_view(), name="deck-link"),
    path("decks/by-link/<str:link_id>/draws/", mission_decks.LinkedDrawsView.as_view(), name="deck-link-draws"),
    path("decks/by-link/<str:link_id>/copy/", mission_decks.DeckCopyView.as_view(), name="deck-copy"),
    path("decks/<str:public_id>/", mission_decks.OneDeckView.as_view(), name="deck"),
    path("decks/<str:public_id>/draws/", mission_decks.DrawsView.as_view(), name="deck-draws"),
    path("decks/<str:public_id>/shuffle/", mission_decks.ShuffleView.as_view(), name="deck-shuffle"),
    path("hands/", objective_hands.HandsView.as_view(), name="hands"),
    path("hands/<str:public_id>/", objective_hands.OneHandView.as_view(), name="hand"),
    path("hands/<str:public_id>/deeds/", objective_hands.DeedsView.as_view(), name="hand-deeds"),
]
