"""Read decks and their cards."""

from catalogue.documents.node import MappingReader
from catalogue.documents.section import TEXT, key, need
from catalogue.formats.packs.features.named_cards.syntax import NamedCardSyntax
from catalogue.formats.packs.syntax.base import (
    ANY_NUMBER,
    MAXIMUM,
    NAME,
    NAMES,
    CommonValues,
    KeyNode,
    NamedSyntax,
    PriceSyntax,
    Reference,
    declare_prices,
    expect_maximum,
    expect_range,
)
from catalogue.formats.packs.syntax.context import ParseContext
from catalogue.formats.packs.syntax.infos import TableRow, expect_profile
from catalogue.formats.packs.syntax.scalars import CountRange


class FactionSyntax(NamedSyntax):
    faction: str = ""

    @classmethod
    def read_common_keys(cls, mapping: MappingReader, context: ParseContext, under: KeyNode) -> CommonValues:
        values, context = super().read_common_keys(mapping, context, under)
        return values | {"faction": context.faction}, context


class DeckSyntax(FactionSyntax):
    """One choice of a list, with a number of cards."""

    title = "The deck"
    name_key = "deck"
    cite_required = True

    cards: CountRange = key("cards", expect_range(ANY_NUMBER), "how many cards it has")
    copies: int | None = key("copies", MAXIMUM, "how many of each card, unless the card differs")
    most: int = key("up to", expect_maximum(1), "how many such decks a list may have")
    type: Reference | None = need("type", NAME, "one of the types of pack.yaml", None)


class CardSyntax(NamedCardSyntax, FactionSyntax):
    title = "The card"
    name_key = "card"
    cite_required = True

    copies: int | None = key("copies", MAXIMUM, "how many copies; for a kind of card, how many with one name")
    bound_to: tuple[Reference, ...] = key(
        "needs", NAMES, "the unit that it needs, or several units, one of which is enough"
    )
    keywords: tuple[Reference, ...] = key("keywords", NAMES, "its keywords")
    text: str = key("text", TEXT, "what it does, in our own words")
    prices: tuple[PriceSyntax, ...] = declare_prices()
    row: TableRow | None = key("profile", expect_profile("cards"), "its figures")
    deck: Reference | None = key("deck", NAME, "only needed if the faction has several", None)
