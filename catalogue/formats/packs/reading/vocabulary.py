"""The words of a game: its books, factions, types, keywords, costs and tables. Everything else uses them."""

from catalogue.definitions.citations import Publication
from catalogue.definitions.numbers import Number
from catalogue.formats.packs.forms.base import SILENT, Form, Named
from catalogue.formats.packs.forms.game import CostForm
from catalogue.formats.packs.forms.gathered import DerivedForm
from catalogue.formats.packs.reading.desk import Desk, named, names
from catalogue.formats.packs.reading.infos import add_name, read_names, read_tables
from catalogue.formats.packs.reading.items import Fields, Item
from catalogue.formats.packs.reading.rules import read_text
from catalogue.formats.packs.words import slug


def read_words(fields: Fields, desk: Desk) -> tuple[Publication, ...]:
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


def read_faction_keywords(fields: Fields, desk: Desk) -> None:
    """The keywords that say to which factions a unit belongs."""
    if item := fields.get("faction keywords"):
        read_names(item, desk.forms.faction_keywords)
        desk.forms.keywords |= desk.forms.faction_keywords


def _books(item: Item | None, desk: Desk) -> tuple[Publication, ...]:
    """`books:`, each `id: Name` or a mapping; a community's data file is named by repository and commit."""
    found = []
    for key, value in item.pairs() if item else ():
        own = key.text()
        publication = _book(own, value, desk) if value.is_map else Publication(id=own, name=value.text())
        desk.books.names[own] = publication.name
        found.append(publication)
    return tuple(found)


def _book(own: str, item: Item, desk: Desk) -> Publication:
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


def _types(item: Item | None, desk: Desk) -> None:
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
        add_name(desk.forms.types, Form(id=slug(key.text()), name=name or key.text(), where=key.where), key)


def _long_type(key: Item, value: Item, desk: Desk) -> str:
    fields = value.fields(f"The type “{key.text()}”")
    if fields.flag("inside"):
        desk.forms.addon_types.add(slug(key.text()))
    if beside := fields.texts("beside"):
        desk.forms.beside[slug(key.text())] = names(beside)
    name = fields.text("name")
    fields.close()
    return name


def _cost(item: Item, desk: Desk) -> None:
    """A kind of cost: `points`, or a mapping with the limits to offer and the rule that the limit is."""
    if item.is_text:
        own = slug(item.text())
        desk.forms.costs[own] = CostForm(id=own, name=item.text(), where=item.where)
        return
    fields = item.fields("The cost")
    own, name = desk.identity(fields, "cost")
    limit, default = fields.get("limit rule"), fields.get("default")
    follows, steps = _steps(fields)
    desk.forms.costs[own] = CostForm(
        id=own,
        name=fields.text("name", name),
        where=item.where,
        default=default.number(-1) if default else -1,
        presets=tuple(preset.number() for preset in fields.texts("presets")),
        follows=follows,
        steps=steps,
        text=read_text(limit, desk) if limit else SILENT,
        derived=_derived(fields),
    )
    fields.close()


def _steps(fields: Fields) -> tuple[Named | None, tuple[tuple[Number, Number], ...]]:
    """`limit by: {points: {1000: 6, 2000: 12}}`: the cost whose limit this one's goes with, and pairs of the two."""
    item = fields.get("limit by")
    for key, given in item.pairs() if item else ():
        return named(key), tuple((limit.number(), own.number()) for limit, own in given.pairs())
    return None, ()


def _derived(fields: Fields) -> DerivedForm | None:
    """`column: LD` or `abilities: [Transport]`, perhaps with `plus` and `at least`: where units print the figure."""
    column, shown = fields.text("column"), names(fields.texts("abilities"))
    plus, least = fields.get("plus"), fields.get("at least")
    if not column and not shown:
        return None
    return DerivedForm(
        column=column,
        abilities=shown,
        plus=plus.number() if plus else 0,
        least=least.number() if least else None,
    )
