from django.urls import URLPattern, URLResolver, path

from roster.views import (
    account,
    appearance,
    data_versions_admin,
    home,
    new_list,
    public_lists,
    rule_ledger,
    sharing,
)
from roster.views.builder import editor as builder
from roster.views.deck import editor as deck
from roster.views.lists import (
    access,
    backup,
    bulk,
    comparison,
    exchange,
    folders,
    history,
    list_data_version,
    my_lists,
    public_list,
)
from roster.views.paper import cards, game_pack, sheets
from roster.views.plan import editor as plan

app_name = "roster"
urlpatterns: list[URLPattern | URLResolver] = [
    path("", home.show_front_page, name="front"),
    path("look/", appearance.choose_appearance, name="look"),
    path("look/games.css", appearance.serve_game_colours, name="colours"),
    path("rosters/", my_lists.show_my_lists, name="rosters"),
    path("rosters/bulk/", bulk.change_many_lists, name="bulk"),
    path("rosters/bin/", bulk.show_bin, name="bin"),
    path("rosters/folders/", folders.edit_labels, name="folders"),
    path("rosters/compare/", comparison.compare_two_lists, name="compare-lists"),
    path("rosters/print.pdf", sheets.print_many_sheets, name="print"),
    path("rosters/backup/", backup.download_backup, name="backup"),
    path("rosters/restore/", backup.restore_lists, name="restore"),
    path("rosters/new/", new_list.show_new_list, name="new"),
    path("rosters/import/", exchange.import_file, name="import"),
    path("rosters/<str:public_id>/", builder.show_builder, name="builder"),
    path("rosters/<str:public_id>/edits/", builder.apply_edit, name="edits"),
    path("rosters/<str:public_id>/plan/", plan.edit_plan, name="plan"),
    path("rosters/<str:public_id>/deck/", deck.edit_deck, name="deck"),
    path("rosters/<str:public_id>/history/", history.show_history, name="history"),
    path("rosters/<str:public_id>/compare/", comparison.compare_revisions, name="compare"),
    path("rosters/<str:public_id>/data/", list_data_version.show_data_version, name="data"),
    path("rosters/<str:public_id>/choose/", history.choose_version, name="choose"),
    path("rosters/<str:public_id>/delete/", access.delete_list, name="delete"),
    path("rosters/<str:public_id>/sharing/", sharing.share_list, name="sharing"),
    path("lists/", public_lists.list_public_lists, name="public"),
    path("r/<str:link_id>/report/", public_lists.report_list, name="report"),
    path("account/", account.show_account, name="account"),
    path("account/armybuilder.zip", account.export_account, name="account-export"),
    path("account/elsewhere/", account.sign_out_elsewhere, name="account-elsewhere"),
    path("account/delete/", account.delete_own_account, name="account-delete"),
    path("data/", data_versions_admin.list_versions, name="versions"),
    path("data/<str:short_hash>/", data_versions_admin.judge_or_publish, name="version"),
    path("rules/", rule_ledger.list_ledgers, name="ledgers"),
    path("rules/<slug:slug>/", rule_ledger.show_ledger, name="rules"),
    path("missions/<slug:game>/cards.pdf", cards.print_play_cards, name="play-cards"),
    path("games/<slug:game>/<slug:faction>/cards.pdf", cards.print_deck_cards, name="deck-cards"),
    path("r/<str:link_id>/", public_list.show_list_link, name="link"),
    path("r/<str:link_id>/copy/", access.copy_list, name="copy"),
    path("r/<str:link_id>/pack/", game_pack.show_pack_form, name="pack-form"),
    path("r/<str:link_id>/pack.pdf", game_pack.print_pack, name="pack"),
    path("r/<str:link_id>/cards.pdf", cards.print_roster_cards, name="roster-cards"),
    path("r/<str:link_id>/sheet.pdf", sheets.print_sheet, name="sheet"),
    path("r/<str:link_id>/roster.<str:ending>", exchange.export_file, name="file"),
]
