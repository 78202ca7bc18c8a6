"""Compile decks for their pages."""

from catalogue.definitions.entries import Deck, DeckCard
from catalogue.formats.packs.compile.context import CompileContext
from catalogue.formats.packs.compile.decks import list_cards
from catalogue.formats.packs.syntax.decks import DeckSyntax
from catalogue.formats.packs.syntax.scalars import make_id


def describe_deck(deck: DeckSyntax, context: CompileContext) -> Deck:
    index = context.index
    table = next((table for table in context.pack.tables.values() if table.use == "cards"), None)
    deck_type = context.pack.types.get(make_id(deck.type.text)) if deck.type else None
    return Deck(
        entry_id=deck.id,
        cards=tuple(
            DeckCard(
                entry_id=f"{deck.id}/{card.id}",
                needs=tuple(index.find_ids(card.bound_to, "unit")),
                written=card.written,
            )
            for card in list_cards(deck, context)
        ),
        curves=table.curve if table else (),
        kinds=table.kinds if table else "",
        beside=tuple(index.find_ids(deck_type.beside, "type")) if deck_type else (),
    )
