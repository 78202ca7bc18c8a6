"""The rows of a version, written from its documents: what pages, search, API and admin list."""

from collections.abc import Iterable, Iterator
from typing import Any

from django.db import connection, transaction
from django.db.models import Model

from catalogue.definitions.catalogues import Catalogue, CatalogueKind, DataSet
from catalogue.definitions.link_index import Binding
from catalogue.models import (
    Card,
    DeckRule,
    Detachment,
    Faction,
    Option,
    OrganisationChart,
    PackVersion,
    Slot,
    UnitEntry,
)
from catalogue.services.book import Book, Library
from catalogue.services.charts import chart_rows
from catalogue.services.decks import deck_rows
from catalogue.services.documents import dataset_for
from catalogue.services.entries import OPTION_COLUMNS, UNIT_COLUMNS, Content, Contents
from catalogue.services.play_rows import play_rows, write_play
from catalogue.services.texts import Slugs, cited, shortened

BATCH = 2000
CARDS_PAGE = "cards"
"""The address of a faction's cards, which no unit may have."""


@transaction.atomic
def rebuild_rows(version: PackVersion) -> None:
    """Throw the rows of `version` away and write them anew from its documents. The rows' own ids change."""
    Option.objects.filter(unit__faction__version=version).delete()
    for rows in (*play_rows(version), version.charts, version.factions):
        rows.all().delete()
    write_rows(version, dataset_for(version))


def write_rows(version: PackVersion, data: DataSet) -> None:
    """Write all rows of a version that has none. The number of queries depends on batches, not on rows."""
    library = Library(Binding(data))
    books = library.books(factions_of(data))
    factions = _write_factions(version, books)
    contents = Contents(library, version.points_id)
    _write_units(contents, dict(zip(factions, books, strict=True)))
    _write_decks(dict(zip(factions, books, strict=True)))
    _write_charts(version, library, {faction.faction_id: faction for faction in factions})
    write_play(version, library.binding)


def factions_of(data: DataSet) -> list[Catalogue]:
    """The catalogues that lists are built from; in a game without any, the game system itself."""
    factions = [c for c in data.catalogues if c.kind is CatalogueKind.FACTION]
    return factions or [data.game_system]


def _write_factions(version: PackVersion, books: list[Book]) -> list[Faction]:
    slugs = Slugs("faction")
    return Faction.objects.bulk_create(
        [
            Faction(
                version=version,
                faction_id=book.catalogue.id,
                slug=slugs.of(book.catalogue.name),
                name=shortened(book.catalogue.name),
                position=position,
                unit_count=sum(not bound.hidden for bound in book.roots()),
                card_count=_cards_in(book),
                **cited(book.binding, book.catalogue.citation),
            )
            for position, book in enumerate(books)
        ],
        batch_size=BATCH,
    )


def _cards_in(book: Book) -> int:
    near = book.binding.list_visible(book.catalogue)
    return sum(len(deck.cards) for catalogue in near for deck in catalogue.decks)


def _write_decks(books: dict[Faction, Book]) -> None:
    found = [deck_rows(faction, book) for faction, book in books.items() if faction.card_count]
    Card.objects.bulk_create([card for rows in found for card in rows.cards], batch_size=BATCH)
    DeckRule.objects.bulk_create([rule for rows in found for rule in rows.rules], batch_size=BATCH)


def _write_units(contents: Contents, books: dict[Faction, Book]) -> None:
    found = [row for faction, book in books.items() for row in _units(contents, faction, book)]
    units = [(faction_id, position, slug, *content.unit) for faction_id, position, slug, content in found]
    _insert(UnitEntry, ("faction_id", "position", "slug", *UNIT_COLUMNS), units)
    written = UnitEntry.objects.filter(faction__in=books).values_list("faction_id", "position", "pk")
    keys = {(faction_id, position): key for faction_id, position, key in written}
    options = [
        (keys[faction_id, position], place, *columns)
        for faction_id, position, _, content in found
        for place, columns in enumerate(content.options)
    ]
    _insert(Option, ("unit_id", "position", *OPTION_COLUMNS), options)


def _insert(model: type[Model], columns: Iterable[str], rows: list[tuple[Any, ...]]) -> None:
    """What bulk_create does, without an object for each row: large games have hundreds of thousands of options.

    The values are such as the database takes.
    """
    if not rows:
        return
    names = [connection.ops.quote_name(column) for column in columns]
    table = connection.ops.quote_name(model._meta.db_table)
    places = ", ".join(["%s"] * len(names))
    with connection.cursor() as cursor:
        cursor.executemany(f"INSERT INTO {table} ({', '.join(names)}) VALUES ({places})", rows)  # noqa: S608 - our own names


def _units(contents: Contents, faction: Faction, book: Book) -> Iterator[tuple[int, int, str, Content]]:
    """What a faction offers, in the order of the data: key of the faction, position, address, content."""
    slugs = Slugs("unit", CARDS_PAGE)
    for position, bound in enumerate(book.roots()):
        content = contents.of(bound)
        yield faction.pk, position, slugs.of(content.name), content


def _write_charts(version: PackVersion, library: Library, factions: dict[str, Faction]) -> None:
    charts, detachments, slots = [], [], []
    for position, catalogue in enumerate(c for c in library.binding.data.catalogues if c.forces):
        faction = factions.get(catalogue.id) if catalogue.kind is CatalogueKind.FACTION else None
        rows = chart_rows(version, faction, Book(library, catalogue), position)
        charts.append(rows.chart)
        detachments += rows.detachments
        slots += rows.slots
    OrganisationChart.objects.bulk_create(charts, batch_size=BATCH)
    for depth in sorted({detachment.depth for detachment in detachments}):
        level = [detachment for detachment in detachments if detachment.depth == depth]
        Detachment.objects.bulk_create(level, batch_size=BATCH)
    Slot.objects.bulk_create(slots, batch_size=BATCH)
