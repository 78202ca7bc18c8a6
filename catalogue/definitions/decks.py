"""Decks of cards that a list holds, as people look at them; how many cards may be in one, constraints say."""

from catalogue.definitions.base import Definition

CARDS = "cards"
"""The category that rules count cards by."""


class DeckCard(Definition):
    """A card that may be in a deck: the id of its entry inside that of the deck.

    `needs` are the ids of entries of which one has to be in the list. The owner writes the name of a `written` one:
    the data knows no card, only a kind of card.
    """

    entry_id: str
    needs: tuple[str, ...] = ()
    written: bool = False


class Deck(Definition):
    """An entry whose selections are cards. `cards` are in the order of the data.

    `curves` are the names of the columns of their profile that hold costs, `kinds` that of the one that says what kind
    of card it is (blank: their categories do). `beside` are the ids of categories whose entries lie beside the deck.
    """

    entry_id: str
    cards: tuple[DeckCard, ...]
    curves: tuple[str, ...] = ()
    kinds: str = ""
    beside: tuple[str, ...] = ()
