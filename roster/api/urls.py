from django.urls import URLPattern, URLResolver, path

from roster.api.views import CheckView, RosterView

app_name = "roster_api"
urlpatterns: list[URLPattern | URLResolver] = [
    path("check", CheckView.as_view(), name="check"),
    path("rosters/<str:public_id>/", RosterView.as_view(), name="roster"),
]
