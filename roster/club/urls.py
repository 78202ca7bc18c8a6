from django.urls import URLPattern, URLResolver, path

from roster.club.views import clubs, collections, list_models, seasons, statistics

app_name = "club"
urlpatterns: list[URLPattern | URLResolver] = [
    path("collections/", collections.show_collections, name="collections"),
    path("collections/<str:public_id>/", collections.show_collection, name="collection"),
    path("collections/<str:public_id>/sharing/", collections.share_collection, name="collection-sharing"),
    path("collections/<str:public_id>/delete/", collections.delete_collection, name="collection-delete"),
    path("collections/<str:public_id>/import/", collections.import_file, name="collection-import"),
    path("collections/<str:public_id>/models.<str:ending>", collections.export_file, name="collection-file"),
    path("rosters/<str:public_id>/models/", list_models.show_list_models, name="list-models"),
    path("rosters/<str:public_id>/models.json", list_models.send_marks, name="list-marks"),
    path("statistics/", statistics.list_statistics, name="all-statistics"),
    path("statistics/<slug:game>/", statistics.show_statistics, name="statistics"),
    path("statistics/<slug:game>/feed.atom", statistics.send_feed, name="statistics-feed"),
    path("statistics/<slug:game>/statistics.<str:ending>", statistics.export_statistics, name="statistics-file"),
    path("c/<str:link_id>/", collections.show_linked_collection, name="collection-link"),
    path("c/<str:link_id>/report/", collections.report_collection, name="collection-report"),
    path("clubs/", clubs.show_clubs, name="clubs"),
    path("clubs/join/<str:token>/", clubs.join_club, name="join"),
    path("clubs/calendar/<str:code>.ics", clubs.send_calendar, name="calendar"),
    path("clubs/<str:public_id>/", clubs.show_club, name="club"),
    path("clubs/<str:public_id>/settings/", clubs.show_club_settings, name="club-settings"),
    path("clubs/<str:public_id>/delete/", clubs.delete_club, name="club-delete"),
    path("clubs/<str:public_id>/new-season/", seasons.start_season, name="season-new"),
    path("seasons/<str:public_id>/", seasons.show_season, name="season"),
    path("seasons/<str:public_id>/delete/", seasons.delete_season, name="season-delete"),
    path("seasons/<str:public_id>/meetings/<int:number>/", seasons.show_meeting, name="meeting"),
]
