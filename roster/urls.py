from django.urls import URLPattern, URLResolver, path

from roster.views import (
    account,
    builder,
    compared,
    data,
    exchange,
    history,
    lists,
    look,
    pages,
    plan,
    reading,
    rules,
    sheets,
)

app_name = "roster"
urlpatterns: list[URLPattern | URLResolver] = [
    path("", pages.front, name="front"),
    path("look/", look.choose_look, name="look"),
    path("look/games.css", look.game_colours, name="colours"),
    path("rosters/", pages.rosters, name="rosters"),
    path("rosters/new/", pages.new, name="new"),
    path("rosters/import/", exchange.bring, name="import"),
    path("rosters/<str:public_id>/", builder.builder, name="builder"),
    path("rosters/<str:public_id>/edits/", builder.edits, name="edits"),
    path("rosters/<str:public_id>/plan/", plan.plan, name="plan"),
    path("rosters/<str:public_id>/history/", history.history, name="history"),
    path("rosters/<str:public_id>/compare/", compared.revisions, name="compare"),
    path("rosters/<str:public_id>/data/", data.data, name="data"),
    path("rosters/<str:public_id>/choose/", history.choose, name="choose"),
    path("rosters/<str:public_id>/delete/", lists.delete, name="delete"),
    path("account/", account.account, name="account"),
    path("account/armybuilder.zip", account.export, name="account-export"),
    path("account/delete/", account.delete, name="account-delete"),
    path("rules/", rules.games, name="ledgers"),
    path("rules/<slug:slug>/", rules.ledger, name="rules"),
    path("r/<str:link_id>/", reading.link, name="link"),
    path("r/<str:link_id>/copy/", lists.copy, name="copy"),
    path("r/<str:link_id>/sheet.pdf", sheets.sheet, name="sheet"),
    path("r/<str:link_id>/roster.<str:ending>", exchange.hand_out, name="file"),
]
