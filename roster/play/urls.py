from django.urls import URLPattern, URLResolver, path

from roster.play.views import game_lists, game_news, game_records, games, mission_decks, objective_hands, table_setup

app_name = "play"
urlpatterns: list[URLPattern | URLResolver] = [
    path("decks/", mission_decks.show_decks, name="decks"),
    path("decks/<str:public_id>/", mission_decks.show_deck, name="mission-deck"),
    path("decks/<str:public_id>/sharing/", mission_decks.share_deck, name="deck-sharing"),
    path("decks/<str:public_id>/delete/", mission_decks.delete_deck, name="deck-delete"),
    path("lists/decks/", mission_decks.show_public_decks, name="public-decks"),
    path("d/<str:link_id>/", mission_decks.show_deck_by_link, name="deck-link"),
    path("d/<str:link_id>/copy/", mission_decks.copy_deck, name="deck-copy"),
    path("d/<str:link_id>/report/", mission_decks.report_deck, name="deck-report"),
    path("d/<str:link_id>/cards.pdf", mission_decks.print_cards, name="mission-deck-cards"),
    path("hands/", objective_hands.show_hands, name="hands"),
    path("hands/<str:public_id>/", objective_hands.show_hand, name="hand"),
    path("play/", game_lists.show_games, name="games"),
    path("play/record/", game_records.show_record, name="game-record"),
    path("play/by-hand/", game_records.enter_result, name="game-by-hand"),
    path("play/games.<str:ending>", game_records.export_games, name="games-file"),
    path("play/new/<str:link_id>/", game_lists.begin_game, name="game-new"),
    path("play/join/<str:code>/", game_lists.join_game, name="game-join"),
    path("play/<str:public_id>/", games.show_game, name="game"),
    path("play/<str:public_id>/units/", games.show_units, name="game-units"),
    path("play/<str:public_id>/taps/", games.exchange_taps, name="game-taps"),
    path("play/<str:public_id>/news/", game_news.stream_news, name="game-news"),
    path("play/<str:public_id>/invite/", game_lists.invite_player, name="game-invite"),
    path("play/<str:public_id>/table/", table_setup.show_table_setup, name="game-table"),
    path("play/<str:public_id>/end/", game_lists.end_game, name="game-end"),
    path("play/<str:public_id>/game.<str:ending>", game_records.export_one_game, name="game-file"),
    path("g/<str:link_id>/log/", game_records.show_log, name="game-log"),
    path("g/<str:link_id>/log.pdf", game_records.print_log, name="game-log-pdf"),
    path("g/<str:link_id>/", games.look_on, name="game-link"),
    path("g/<str:link_id>/units/", games.look_at_units, name="game-link-units"),
    path("g/<str:link_id>/state/", games.watch_state, name="game-state"),
]
