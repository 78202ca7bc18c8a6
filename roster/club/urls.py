from django.urls import URLPattern, URLResolver, path

from roster.club.views import collections, force_paper, forces, list_models

app_name = "club"
urlpatterns: list[URLPattern | URLResolver] = [
    path("collections/", collections.show_collections, name="collections"),
    path("collections/<str:public_id>/", collections.show_collection, name="collection"),
    path("collections/<str:public_id>/sharing/", collections.share_collection, name="collection-sharing"),
    path("collections/<str:public_id>/delete/", collections.delete_collection, name="collection-delete"),
    path("collections/<str:public_id>/import/", collections.import_file, name="collection-import"),
    path("collections/<str:public_id>/models.<str:ending>", collections.export_file, name="collection-file"),
    path("forces/", forces.show_forces, name="forces"),
    path("forces/<str:public_id>/", forces.show_force, name="force"),
    path("forces/<str:public_id>/units/", forces.add_force_units, name="force-units"),
    path("forces/<str:public_id>/muster/", forces.muster_force, name="force-muster"),
    path("forces/<str:public_id>/games/", forces.count_force_game, name="force-games"),
    path("forces/<str:public_id>/campaign/", forces.edit_campaign, name="force-campaign"),
    path("forces/<str:public_id>/order.pdf", force_paper.print_force, name="force-paper"),
    path("forces/<str:public_id>/cards.pdf", force_paper.print_force_cards, name="force-cards"),
    path("forces/<str:public_id>/sharing/", forces.share_force, name="force-sharing"),
    path("forces/<str:public_id>/delete/", forces.delete_force, name="force-delete"),
    path("f/<str:link_id>/", forces.show_linked_force, name="force-link"),
    path("f/<str:link_id>/report/", forces.report_force, name="force-report"),
    path("rosters/<str:public_id>/models/", list_models.show_list_models, name="list-models"),
    path("rosters/<str:public_id>/models.json", list_models.send_marks, name="list-marks"),
    path("c/<str:link_id>/", collections.show_linked_collection, name="collection-link"),
    path("c/<str:link_id>/report/", collections.report_collection, name="collection-report"),
]
