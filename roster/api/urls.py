from django.urls import URLPattern, URLResolver

app_name = "roster_api"
urlpatterns: list[URLPattern | URLResolver] = []
