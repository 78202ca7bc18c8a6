from django.urls import URLPattern, URLResolver

app_name = "roster"
urlpatterns: list[URLPattern | URLResolver] = []
