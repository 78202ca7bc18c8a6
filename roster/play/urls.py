from django.urls import URLPattern, URLResolver, path

from roster.play.views import mission_decks, objective_hands

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
]
