"""Overlays: what the pack's rules speak of, as the data of another game system calls it."""

from catalogue.formats.packs.forms.base import Named
from catalogue.formats.packs.forms.game import OverlayForm
from catalogue.formats.packs.reading.desk import Desk, named, names, read_unchecked
from catalogue.formats.packs.reading.items import Fields, Item
from catalogue.formats.packs.reading.rules import read_common, read_rules


def read_overlay(item: Item, desk: Desk) -> OverlayForm:
    """One overlay, with the names of costs, types and keywords there, and the rules that are others there."""
    fields = item.fields("The overlay")
    own, name = desk.identity(fields, "overlay")
    cite = desk.cite(fields, required=True)
    inner = desk.inside(cite)
    over = fields.need("over", "Add `over:` with the id of the game system whose data it is.")
    common = fields.get("common keyword")
    form = OverlayForm(
        id=own,
        name=name,
        where=item.where,
        cite=cite,
        over=over.text() if over else "",
        text=fields.text("text"),
        costs=_pairs(fields, "costs"),
        types=tuple((own_name, _texts(value)) for own_name, value in _mapping(fields, "types")),
        keywords=_pairs(fields, "keywords"),
        faction_keywords=fields.text("faction keywords"),
        common=read_common(common, inner) if common else None,
        broad=tuple(each.text() for each in fields.texts("broad")),
        without=names(fields.texts("without")),
        rules=read_rules(fields.each("rules"), inner, "roster"),
        unchecked=tuple(read_unchecked(each, inner) for each in fields.each("unchecked")),
    )
    fields.close()
    return form


def _mapping(fields: Fields, key: str) -> list[tuple[Named, Item]]:
    item = fields.get(key)
    return [(named(own), value) for own, value in item.pairs()] if item else []


def _pairs(fields: Fields, key: str) -> tuple[tuple[Named, str], ...]:
    return tuple((own, value.text()) for own, value in _mapping(fields, key))


def _texts(item: Item) -> tuple[str, ...]:
    return tuple(text.text() for text in item.texts())
