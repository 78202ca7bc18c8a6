"""The words of a game: its books, factions, types, keywords, costs and tables. Everything else uses them."""

from catalogue.definitions.citations import Publication
from catalogue.definitions.numbers import Number
from catalogue.documents.node import DocumentNode, MappingReader
from catalogue.formats.packs.parse.context import ParseContext, named, names
from catalogue.formats.packs.parse.infos import add_name, read_names, read_tables
from catalogue.formats.packs.parse.rules import read_text
from catalogue.formats.packs.syntax.base import NO_RULE_TEXT, NamedSyntax, Reference
from catalogue.formats.packs.syntax.game import CostSyntax
from catalogue.formats.packs.syntax.gathered import DerivedCostSyntax
from catalogue.formats.packs.syntax.scalars import make_id


def read_words(fields: MappingReader, desk: ParseContext) -> tuple[Publication, ...]:
    """The words that everything else uses: books, factions, types, keywords, costs, tables. Read before all else."""
    books = _books(fields.need("books"), desk)
    if "cite" in fields:
        desk = desk.inside(desk.cite(fields))
    for key, into in (("factions", desk.forms.factions), ("keywords", desk.forms.keywords)):
        if item := fields.get(key):
            read_names(item, into)
    read_faction_keywords(fields, desk)
    _types(fields.need("types"), desk)
    for item in fields.each("costs"):
        _cost(item, desk)
    tables = fields.get("profiles")
    if tables:
        read_tables(tables, desk)
    return books


def read_faction_keywords(fields: MappingReader, desk: ParseContext) -> None:
    """The keywords that say to which factions a unit belongs."""
    if item := fields.get("faction keywords"):
        read_names(item, desk.forms.faction_keywords)
        desk.forms.keywords |= desk.forms.faction_keywords


def _books(item: DocumentNode | None, desk: ParseContext) -> tuple[Publication, ...]:
    """`books:`, each `id: Name` or a mapping; a community's data file is named by repository and commit."""
    found = []
    for key, value in item.pairs() if item else ():
        own = key.text()
        publication = _book(own, value, desk) if value.is_map else Publication(id=own, name=value.text())
        desk.books.names[own] = publication.name
        found.append(publication)
    return tuple(found)


def _book(own: str, item: DocumentNode, desk: ParseContext) -> Publication:
    fields = item.fields(f"The book “{own}”")
    community = fields.text("community")
    if community:
        desk.books.whole.add(own)
        revision = fields.text("revision")
        name = f"{community}, revision {revision}" if revision else community
    else:
        given = fields.need("name")
        name = given.text() if given else own
    publication = Publication(
        id=own,
        name=name,
        short_name=fields.text("short"),
        publisher=fields.text("publisher"),
        date=fields.text("date"),
        url=fields.text("url"),
    )
    fields.close()
    return publication


def _types(item: DocumentNode | None, desk: ParseContext) -> None:
    """`types:` in the order in which units are listed; `inside: yes` marks types placed in other units.

    `beside` names the types that lie beside decks of this one.
    """
    if item is None:
        return
    if not item.is_map:
        read_names(item, desk.forms.types)
        return
    for key, value in item.pairs():
        name = value.text() if value.is_text else _long_type(key, value, desk)
        add_name(
            desk.forms.types,
            NamedSyntax(id=make_id(key.text()), name=name or key.text(), where=key.where),
            key,
        )


def _long_type(key: DocumentNode, value: DocumentNode, desk: ParseContext) -> str:
    fields = value.fields(f"The type “{key.text()}”")
    if fields.flag("inside"):
        desk.forms.addon_types.add(make_id(key.text()))
    if beside := fields.texts("beside"):
        desk.forms.beside[make_id(key.text())] = names(beside)
    name = fields.text("name")
    fields.close()
    return name


def _cost(item: DocumentNode, desk: ParseContext) -> None:
    """A kind of cost: `points`, or a mapping with the limits to offer and the rule that the limit is."""
    if item.is_text:
        own = make_id(item.text())
        desk.forms.costs[own] = CostSyntax(id=own, name=item.text(), where=item.where)
        return
    fields = item.fields("The cost")
    own, name = desk.identity(fields, "cost")
    limit, default = fields.get("limit rule"), fields.get("default")
    follows, steps = _steps(fields)
    desk.forms.costs[own] = CostSyntax(
        id=own,
        name=fields.text("name", name),
        where=item.where,
        default=default.number(-1) if default else -1,
        presets=tuple(preset.number() for preset in fields.texts("presets")),
        follows=follows,
        steps=steps,
        text=read_text(limit, desk) if limit else NO_RULE_TEXT,
        derived=_derived(fields),
    )
    fields.close()


def _steps(fields: MappingReader) -> tuple[Reference | None, tuple[tuple[Number, Number], ...]]:
    """`limit by: {points: {1000: 6, 2000: 12}}`: the cost whose limit this one's goes with, and pairs of the two."""
    item = fields.get("limit by")
    for key, given in item.pairs() if item else ():
        return named(key), tuple((limit.number(), own.number()) for limit, own in given.pairs())
    return None, ()


def _derived(fields: MappingReader) -> DerivedCostSyntax | None:
    """`column: LD` or `abilities: [Transport]`, perhaps with `plus` and `at least`: where units print the figure."""
    column, shown = fields.text("column"), names(fields.texts("abilities"))
    plus, least = fields.get("plus"), fields.get("at least")
    if not column and not shown:
        return None
    return DerivedCostSyntax(
        column=column,
        abilities=shown,
        plus=plus.number() if plus else 0,
        least=least.number() if least else None,
    )
