"""Overlays: what the pack's rules speak of, as the data of another game system calls it."""

from catalogue.documents.node import DocumentNode, MappingReader
from catalogue.formats.packs.parse.context import ParseContext, named, names, read_unchecked
from catalogue.formats.packs.parse.rules import read_common, read_rules
from catalogue.formats.packs.syntax.base import Reference
from catalogue.formats.packs.syntax.game import OverlaySyntax


def read_overlay(item: DocumentNode, desk: ParseContext) -> OverlaySyntax:
    """One overlay, with the names of costs, types and keywords there, and the rules that are others there."""
    fields = item.fields("The overlay")
    own, name = desk.identity(fields, "overlay")
    cite = desk.cite(fields, required=True)
    inner = desk.inside(cite)
    over = fields.need("over", "Add `over:` with the id of the game system whose data it is.")
    common = fields.get("common keyword")
    form = OverlaySyntax(
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


def _mapping(fields: MappingReader, key: str) -> list[tuple[Reference, DocumentNode]]:
    item = fields.get(key)
    return [(named(own), value) for own, value in item.pairs()] if item else []


def _pairs(fields: MappingReader, key: str) -> tuple[tuple[Reference, str], ...]:
    return tuple((own, value.text()) for own, value in _mapping(fields, key))


def _texts(item: DocumentNode) -> tuple[str, ...]:
    return tuple(text.text() for text in item.texts())
