"""Decks, their cards, and missions."""

from catalogue.formats.packs.forms.game import CardForm, DeckForm, MissionForm, SideForm, SpecialForm
from catalogue.formats.packs.reading.desk import Desk, named, names
from catalogue.formats.packs.reading.items import Fields, Item
from catalogue.formats.packs.words import Range, read_range, slug


def read_deck(item: Item, desk: Desk) -> DeckForm:
    """A deck: how many cards, how many copies of each unless the card says otherwise, how many decks in a list."""
    fields = item.fields("The deck")
    own, name = desk.identity(fields, "deck")
    kind = fields.need("type")
    form = DeckForm(
        id=own,
        name=name,
        where=item.where,
        cite=desk.cite(fields, required=True),
        faction=desk.faction,
        cards=fields.read("cards", read_range, Range(0, None)),
        copies=fields.read("copies", read_range, Range(0, None)).high,
        most=fields.read("up to", read_range, Range(0, 1)).high or 1,
        type=named(kind) if kind else None,
    )
    fields.close()
    return form


def read_card(item: Item, desk: Desk) -> CardForm:
    """A card: the unit it needs, how many copies, what it does in our own words."""
    fields = item.fields("The card")
    own, name = desk.identity(fields, "card")
    fields.what = f"The card “{name}”"
    deck, profile = fields.get("deck"), fields.get("profile")
    form = CardForm(
        id=own,
        name=name,
        where=item.where,
        cite=desk.cite(fields, required=True),
        faction=desk.faction,
        copies=fields.read("copies", read_range, Range(0, None)).high,
        bound_to=names(fields.texts("needs")),
        keywords=names(fields.texts("keywords")),
        text=fields.text("text"),
        prices=desk.prices(fields),
        row=desk.row(profile, name, "cards") if profile else None,
        deck=named(deck) if deck else None,
    )
    fields.close()
    return form


def read_mission(item: Item, desk: Desk) -> MissionForm:
    """A mission: its name, the pack it comes from, how it is scored in our own words."""
    fields = item.fields("The mission")
    own, name = desk.identity(fields, "mission")
    form = MissionForm(
        id=own,
        name=name,
        where=item.where,
        cite=desk.cite(fields, required=True),
        pack=fields.text("pack"),
        scoring=fields.text("scoring"),
        specials=names(fields.texts("specials")),
        sides=_sides(fields),
    )
    fields.close()
    return form


def _sides(fields: Fields) -> tuple[SideForm, ...]:
    """The sides of a mission that differ: a list of names, or each with its special rules."""
    item = fields.get("sides")
    if item is None or not item.is_map:
        names_only = item.texts() if item else []
        return tuple(SideForm(id=slug(name.text()), name=name.text()) for name in names_only)
    return tuple(
        SideForm(id=slug(key.text()), name=key.text(), specials=names(value.texts()))
        for key, value in item.pairs()
    )


def read_special(item: Item, desk: Desk) -> SpecialForm:
    """A special rule of missions: its name, and what it does in our own words."""
    fields = item.fields("The special rule")
    own, name = desk.identity(fields, "special")
    form = SpecialForm(
        id=own, name=name, where=item.where, cite=desk.cite(fields, required=True), text=fields.text("text")
    )
    fields.close()
    return form
