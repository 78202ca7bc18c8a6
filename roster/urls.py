from django.urls import URLPattern, URLResolver, include, path

from roster.views import account, appearance, data_versions_admin, datasheet, deck, new_list, plan, rule_ledger, sharing
from roster.views.builder import editor as builder
from roster.views.lists import comparison, copies, files, history, my_lists, paste, public_list
from roster.views.paper import cards, game_pack, sheets

app_name = "roster"
all_lists = [
    path("", my_lists.show_my_lists, name="rosters"),
    path("bulk/", my_lists.change_many_lists, name="bulk"),
    path("bin/", my_lists.show_bin, name="bin"),
    path("folders/", my_lists.edit_labels, name="folders"),
    path("compare/", comparison.compare_two_lists, name="compare-lists"),
    path("text/", paste.show_many_texts, name="texts"),
    path("print.pdf", sheets.print_many_sheets, name="print"),
    path("backup/", files.download_backup, name="backup"),
    path("restore/", files.restore_lists, name="restore"),
    path("new/", new_list.show_new_list, name="new"),
    path("new/army/", new_list.start_army, name="new-army"),
    path("import/", paste.import_any_list, name="import"),
    path("import/shared/", paste.receive_shared, name="import-shared"),
]
one_list = [
    path("", builder.show_builder, name="builder"),
    path("units/<slug:unit>/", datasheet.show_datasheet, name="datasheet"),
    path("deeds/", builder.show_deeds, name="deeds"),
    path("outlook/", builder.show_outlook, name="outlook"),
    path("ways/", builder.show_ways, name="ways"),
    path("edits/", builder.apply_edit, name="edits"),
    path("plan/", plan.edit_plan, name="plan"),
    path("deck/", deck.edit_deck, name="deck"),
    path("deck/fill/", deck.fill_deck, name="deck-fill"),
    path("history/", history.show_history, name="history"),
    path("compare/", comparison.compare_revisions, name="compare"),
    path("data/", history.show_data_version, name="data"),
    path("choose/", history.choose_version, name="choose"),
    path("delete/", copies.delete_list, name="delete"),
    path("sharing/", sharing.share_list, name="sharing"),
]
urlpatterns: list[URLPattern | URLResolver] = [
    path("", new_list.show_front_page, name="front"),
    path("look/", appearance.choose_appearance, name="look"),
    path("look/colours.css", appearance.serve_colours, name="colours"),
    path("rosters/", include(all_lists)),
    path("rosters/<str:public_id>/", include(one_list)),
    path("lists/", sharing.list_public_lists, name="public"),
    path("r/<str:link_id>/report/", sharing.report_list, name="report"),
    path("account/", account.show_account, name="account"),
    path("account/armybuilder.zip", account.export_account, name="account-export"),
    path("account/elsewhere/", account.sign_out_elsewhere, name="account-elsewhere"),
    path("account/delete/", account.delete_own_account, name="account-delete"),
    path("data/", data_versions_admin.list_versions, name="versions"),
    path("data/<str:short_hash>/", data_versions_admin.judge_or_publish, name="version"),
    path("rules/", rule_ledger.list_ledgers, name="ledgers"),
    path("rules/<slug:slug>/", rule_ledger.show_ledger, name="rules"),
    path("missions/test-sheet.pdf", cards.print_test_sheet, name="test-sheet"),
    path("missions/<slug:game>/cards.pdf", cards.print_play_cards, name="play-cards"),
    path("games/<slug:game>/<slug:faction>/cards.pdf", cards.print_deck_cards, name="deck-cards"),
    path("r/<str:link_id>/", public_list.show_list_link, name="link"),
    path("r/<str:link_id>/picture.png", public_list.draw_picture, name="picture"),
    path("r/<str:link_id>/copy/", copies.copy_list, name="copy"),
    path("r/<str:link_id>/pack/", game_pack.show_pack_form, name="pack-form"),
    path("r/<str:link_id>/pack.pdf", game_pack.print_pack, name="pack"),
    path("r/<str:link_id>/cards.pdf", cards.print_roster_cards, name="roster-cards"),
    path("r/<str:link_id>/sheet.pdf", sheets.print_sheet, name="sheet"),
    path("r/<str:link_id>/text/", paste.show_list_text, name="text"),
    path("r/<str:link_id>/roster.<str:ending>", files.export_file, name="file"),
]
