from django.urls import URLPattern, URLResolver, path

from roster.events.views import bench, mail, pages, pairings, prints, settings, shown

app_name = "events"
urlpatterns: list[URLPattern | URLResolver] = [
    path("events/", pages.show_events, name="events"),
    path("events/mail/", mail.choose_mail, name="mail"),
    path("events/join/<str:token>/", pages.join, name="join"),
    path("events/<str:public_id>/", pages.show_event, name="event"),
    path("events/<str:public_id>/lists/", shown.show_lists, name="lists"),
    path("events/<str:public_id>/numbers/", shown.show_numbers, name="numbers"),
    path("events/<str:public_id>/settings/", settings.show_settings, name="settings"),
    path("events/<str:public_id>/export.<str:ending>", bench.export, name="export"),
    path("events/<str:public_id>/print/", prints.show_print, name="print"),
    path("events/<str:public_id>/print/<str:kind>.pdf", prints.print_handout, name="handout"),
    path("events/<str:public_id>/paper/", prints.show_paper_check, name="paper"),
    path("events/<str:public_id>/prints/<str:job>/", prints.fetch_print, name="fetch-print"),
    path("events/<str:public_id>/pairings/", pairings.show_pairings, name="pairings"),
    path("events/<str:public_id>/pairings/new/", pairings.bring_pairings, name="bring-pairings"),
    path("events/<str:public_id>/standings/", pairings.show_standings, name="standings"),
    path("events/<str:public_id>/standings.csv", pairings.export_standings, name="export-standings"),
    path("events/<str:public_id>/copy/", settings.copy, name="copy"),
    path("events/<str:public_id>/house-rules.yaml", settings.download_rules, name="house-rules"),
    path("events/<str:public_id>/submissions/", bench.show_bench, name="bench"),
    path("events/<str:public_id>/bulk/", bench.act_on_many, name="bulk"),
    path("events/<str:public_id>/checks/", bench.show_checks, name="checks"),
    path("events/<str:public_id>/audit/", bench.show_audit, name="audit"),
    path("events/submit/<str:public_id>/", pages.offer_list, name="offer"),
    path("events/upload/<str:public_id>/", settings.upload, name="upload"),
    path("events/<str:public_id>/recheck/", settings.recheck, name="recheck"),
    path("events/<str:public_id>/reports/<str:job>/", settings.show_report, name="report"),
    path("events/<str:public_id>/teams/", settings.show_teams, name="teams"),
    path("events/<str:public_id>/players/<str:player>/submit/", pages.submit, name="submit"),
    path("events/<str:public_id>/players/<str:player>/list/", pages.show_list, name="list"),
    path("events/<str:public_id>/players/<str:player>/acts/", bench.act_on_list, name="acts"),
    path("events/<str:public_id>/receipts/<str:submission>/", pages.show_receipt, name="receipt"),
]
