from django.urls import URLPattern, URLResolver, path

from roster.api.views import CheckView, PasteView, RosterTextView, RosterView, RulesView

app_name = "roster_api"
urlpatterns: list[URLPattern | URLResolver] = [
    path("check", CheckView.as_view(), name="check"),
    path("read", PasteView.as_view(), name="read"),
    path("games/<slug:game>/rules/", RulesView.as_view(), name="rules"),
    path("rosters/<str:link_id>/", RosterView.as_view(), name="roster"),
    path("rosters/<str:link_id>/text/", RosterTextView.as_view(), name="roster-text"),
]
