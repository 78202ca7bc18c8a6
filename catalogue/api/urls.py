from django.urls import URLPattern, URLResolver

app_name = "catalogue_api"
urlpatterns: list[URLPattern | URLResolver] = []
