from django.urls import URLPattern, URLResolver, path

from roster.events.api.views import (
    DecisionView,
    EntriesView,
    EventExportView,
    EventsView,
    EventView,
    PairingResultView,
    PairingsView,
    RoundView,
    StandingsView,
    SubmittedListView,
)

app_name = "events_api"
urlpatterns: list[URLPattern | URLResolver] = [
    path("events/", EventsView.as_view(), name="events"),
    path("events/<str:public_id>/", EventView.as_view(), name="event"),
    path("events/<str:public_id>/export/", EventExportView.as_view(), name="export"),
    path("events/<str:public_id>/submissions/", EntriesView.as_view(), name="submissions"),
    path("events/<str:public_id>/pairings/", PairingsView.as_view(), name="pairings"),
    path("events/<str:public_id>/pairings/<int:number>/result/", PairingResultView.as_view(), name="result"),
    path("events/<str:public_id>/rounds/<int:number>/", RoundView.as_view(), name="round"),
    path("events/<str:public_id>/standings/", StandingsView.as_view(), name="standings"),
    path("events/<str:public_id>/players/<str:player>/", SubmittedListView.as_view(), name="list"),
    path("events/<str:public_id>/players/<str:player>/decision/", DecisionView.as_view(), name="decision"),
]
