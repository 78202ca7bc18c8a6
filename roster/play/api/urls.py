from django.urls import URLPattern, URLResolver, path

from roster.play.api import views

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
]
