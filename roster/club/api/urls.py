from django.urls import URLPattern, URLResolver, path

from roster.club.api.views import (
    ClubsView,
    ClubView,
    MeetingConfirmationView,
    MeetingView,
    ResultView,
    SeasonMeetingsView,
    SeasonPlacesView,
    SeasonTableView,
    SeasonView,
)

app_name = "club_api"
urlpatterns: list[URLPattern | URLResolver] = [
    path("clubs/", ClubsView.as_view(), name="clubs"),
    path("clubs/<str:public_id>/", ClubView.as_view(), name="club"),
    path("seasons/<str:public_id>/", SeasonView.as_view(), name="season"),
    path("seasons/<str:public_id>/table/", SeasonTableView.as_view(), name="table"),
    path("seasons/<str:public_id>/meetings/", SeasonMeetingsView.as_view(), name="meetings"),
    path("seasons/<str:public_id>/meetings/<int:number>/", MeetingView.as_view(), name="meeting"),
    path("seasons/<str:public_id>/meetings/<int:number>/result/", ResultView.as_view(), name="result"),
    path(
        "seasons/<str:public_id>/meetings/<int:number>/confirmation/",
        MeetingConfirmationView.as_view(),
        name="confirmation",
    ),
    path("seasons/<str:public_id>/places/", SeasonPlacesView.as_view(), name="places"),
]
