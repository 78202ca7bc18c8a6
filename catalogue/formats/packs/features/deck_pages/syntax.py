"""Read `curve:` and `kinds:` of card tables, and `beside:` of deck types."""

from catalogue.documents.section import TEXT, TEXTS, Section, key
from catalogue.formats.packs.syntax.base import NAMES, Reference


class DeckColumnsSyntax(Section):
    page = "deck_pages"

    curve: tuple[str, ...] = key("curve", TEXTS, "of cards: the columns that hold costs, drawn on the page of a deck")
    kinds: str = key("kinds", TEXT, "of cards: the column with the kind of card")


class DeckNeighboursSyntax(Section):
    page = "deck_pages"

    beside: tuple[Reference, ...] = key("beside", NAMES, "of decks: the types that lie beside one of this type")
