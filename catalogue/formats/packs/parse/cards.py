"""Decks and their cards."""

from catalogue.documents.node import DocumentNode
from catalogue.formats.packs.parse.context import ParseContext, named, names
from catalogue.formats.packs.syntax.game import CardSyntax, DeckSyntax
from catalogue.formats.packs.syntax.scalars import CountRange, read_range


def read_deck(item: DocumentNode, desk: ParseContext) -> DeckSyntax:
    """A deck: how many cards, how many copies of each unless the card says otherwise, how many decks in a list."""
    fields = item.fields("The deck")
    own, name = desk.identity(fields, "deck")
    kind = fields.need("type")
    form = DeckSyntax(
        id=own,
        name=name,
        where=item.where,
        cite=desk.cite(fields, required=True),
        faction=desk.faction,
        cards=fields.read("cards", read_range, CountRange(0, None)),
        copies=fields.read("copies", read_range, CountRange(0, None)).high,
        most=fields.read("up to", read_range, CountRange(0, 1)).high or 1,
        type=named(kind) if kind else None,
    )
    fields.close()
    return form


def read_card(item: DocumentNode, desk: ParseContext) -> CardSyntax:
    """A card: the unit it needs, how many copies, what it does in our own words; or a kind of card to be named."""
    fields = item.fields("The card")
    own, name = desk.identity(fields, "card")
    fields.what = f"The card “{name}”"
    deck, profile = fields.get("deck"), fields.get("profile")
    form = CardSyntax(
        id=own,
        name=name,
        where=item.where,
        cite=desk.cite(fields, required=True),
        faction=desk.faction,
        copies=fields.read("copies", read_range, CountRange(0, None)).high,
        bound_to=names(fields.texts("needs")),
        keywords=names(fields.texts("keywords")),
        text=fields.text("text"),
        prices=desk.prices(fields),
        row=desk.row(profile, name, "cards") if profile else None,
        deck=named(deck) if deck else None,
        written=fields.flag("written"),
    )
    fields.close()
    return form
