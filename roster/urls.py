from django.urls import URLPattern, URLResolver, path

from roster.views import look, pages

app_name = "roster"
urlpatterns: list[URLPattern | URLResolver] = [
    path("", pages.front, name="front"),
    path("look/", look.choose_look, name="look"),
    path("rosters/", pages.rosters, name="rosters"),
]
