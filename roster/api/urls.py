from django.urls import URLPattern, URLResolver, path

from catalogue.services.edge import SECONDS_OF_LISTS
from catalogue.services.public_answers import identify_data, identify_nothing, keep_public
from roster.api import data_moves, dump, edits, exchange, homebrew, lists, me, plans, prints, sharing, ways, webhooks
from roster.api.views import CheckView, PasteView, RosterTextView, RulesView, identify_open_roster, tag_open_roster

app_name = "roster_api"
_keep_list = keep_public(identify_open_roster, "Accept", edge_seconds=SECONDS_OF_LISTS)
_keep_tagged_list = keep_public(identify_open_roster, "Accept", edge_seconds=SECONDS_OF_LISTS, tag=tag_open_roster)
urlpatterns: list[URLPattern | URLResolver] = [
    path("check", CheckView.as_view(), name="check"),
    path("read", PasteView.as_view(), name="read"),
    path("complete", ways.CompletionView.as_view(), name="complete"),
    path("fill", ways.FillingView.as_view(), name="fill"),
    path("repair", ways.RepairView.as_view(), name="repair"),
    path("addable", ways.AdditionsView.as_view(), name="addable"),
    path("games/<slug:game>/rules/", keep_public(identify_data, "Accept")(RulesView.as_view()), name="rules"),
    path("games/<slug:game>/takeable/", ways.TakeableView.as_view(), name="takeable"),
    path(
        "schemas/list-1.json",
        keep_public(identify_nothing, "Accept")(exchange.ListSchemaView.as_view()),
        name="list-schema",
    ),
    path("dumps/lists/", dump.DumpView.as_view(), name="dump"),
    path("me/", me.MeView.as_view(), name="me"),
    path("house-rules/", homebrew.HomebrewSetsView.as_view(), name="house-rules"),
    path("house-rules/by-link/<str:link_id>/", homebrew.LinkedHomebrewView.as_view(), name="house-rules-link"),
    path("house-rules/<str:public_id>/", homebrew.HomebrewSetView.as_view(), name="house-rules-set"),
    path("house-rules/<str:public_id>/versions/", homebrew.HomebrewVersionsView.as_view(), name="house-rules-versions"),
    path("webhooks/", webhooks.WebhooksView.as_view(), name="webhooks"),
    path("webhooks/<str:public_id>/", webhooks.WebhookView.as_view(), name="webhook"),
    path("webhooks/<str:public_id>/test/", webhooks.WebhookTestView.as_view(), name="webhook-test"),
    path("webhooks/<str:public_id>/deliveries/", webhooks.DeliveriesView.as_view(), name="deliveries"),
    path("rosters/", lists.ListsView.as_view(), name="rosters"),
    path("rosters/<str:link_id>/", _keep_tagged_list(lists.OneListView.as_view()), name="roster"),
    path("rosters/<str:link_id>/edits/", edits.EditsView.as_view(), name="edits"),
    path("rosters/<str:link_id>/undo/", edits.UndoView.as_view(), name="undo"),
    path("rosters/<str:link_id>/redo/", edits.RedoView.as_view(), name="redo"),
    path("rosters/<str:link_id>/parts/", edits.PartsView.as_view(), name="parts"),
    path("rosters/<str:link_id>/parts/<str:node>/", edits.OffersView.as_view(), name="offers"),
    path("rosters/<str:link_id>/revisions/", lists.RevisionsView.as_view(), name="revisions"),
    path("rosters/<str:link_id>/revisions/<int:number>/", lists.RevisionView.as_view(), name="revision"),
    path("rosters/<str:link_id>/revisions/<int:number>/restore/", edits.RestoreView.as_view(), name="revision-restore"),
    path("rosters/<str:link_id>/diff/", lists.DifferencesView.as_view(), name="diff"),
    path("rosters/<str:link_id>/data/", data_moves.DataView.as_view(), name="roster-data"),
    path("rosters/<str:link_id>/sharing/", sharing.SharingView.as_view(), name="roster-sharing"),
    path("rosters/<str:link_id>/sharing/reset/", sharing.ResetLinkView.as_view(), name="roster-reset-link"),
    path("rosters/<str:link_id>/labels/", sharing.LabelsView.as_view(), name="roster-labels"),
    path("rosters/<str:link_id>/copies/", sharing.CopiesView.as_view(), name="roster-copies"),
    path("bin/", sharing.BinView.as_view(), name="bin"),
    path("bin/<str:link_id>/", sharing.BinnedListView.as_view(), name="binned-list"),
    path("rosters/<str:link_id>/plan/", plans.PlanView.as_view(), name="roster-plan"),
    path("rosters/<str:link_id>/link/", exchange.RosterLinkView.as_view(), name="roster-link"),
    path("rosters/<str:link_id>/tts/", _keep_tagged_list(exchange.RosterTabletopView.as_view()), name="roster-tts"),
    path("rosters/<str:link_id>/text/", _keep_list(RosterTextView.as_view()), name="roster-text"),
    path("rosters/<str:link_id>/pdf/", prints.RosterPdfView.as_view(), name="roster-pdf"),
    path("rosters/<str:link_id>/complete/", ways.RosterCompletionView.as_view(), name="roster-complete"),
    path("rosters/<str:link_id>/fill/", ways.RosterFillingView.as_view(), name="roster-fill"),
    path("rosters/<str:link_id>/repair/", ways.RosterRepairView.as_view(), name="roster-repair"),
    path("rosters/<str:link_id>/addable/", ways.RosterAdditionsView.as_view(), name="roster-addable"),
    path("rosters/<str:link_id>/allies/", ways.RosterAlliesView.as_view(), name="roster-allies"),
]
