"""Read `curve:` and `kinds:` of card tables, and `beside:` of deck types."""

from catalogue.documents.section import TEXT, TEXTS, Section, key
from catalogue.formats.packs.syntax.base import NAMES, Reference


class DeckColumnsSyntax(Section):
    page = "deck_pages"

    curve: tuple[str, ...] = key("curve", TEXTS, "for cards: columns with costs, which the page of a deck draws")
    kinds: str = key("kinds", TEXT, "for cards: the column with the kind of card")


class DeckNeighboursSyntax(Section):
    page = "deck_pages"

    beside: tuple[Reference, ...] = key(
        "beside", NAMES, "for decks: the types that are placed next to one of this type"
    )
