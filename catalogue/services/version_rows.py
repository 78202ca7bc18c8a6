from collections import defaultdict
from collections.abc import Iterable
from itertools import chain
from typing import Any

from django.db import connection, transaction
from django.db.models import Model

from catalogue.definitions.catalogues import Catalogue, CatalogueKind, DataSet
from catalogue.graph.ruleset import CompiledCatalogue, Ruleset, compile_ruleset
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
    UnitText,
)
from catalogue.services.chart_rows import SLOT_COLUMNS, build_chart_rows
from catalogue.services.deck_rows import build_deck_rows
from catalogue.services.documents import load_data_set
from catalogue.services.edge import CATALOGUE, PRIORITY, purge_after_commit
from catalogue.services.play_rows import list_row_managers, write_play
from catalogue.services.texts import Slugs, build_citation_columns, shorten
from catalogue.services.unit_rows import MOST_OPTIONS, OPTION_COLUMNS, UNIT_COLUMNS, UnitContent, UnitContents

BATCH = 2000
CARDS_PAGE = "cards"
"""The slug of a faction's cards, which no unit may have."""


@transaction.atomic
def rebuild_rows(version: PackVersion) -> None:
    """Write the rows again. Their primary keys change."""
    delete_units(version)
    for rows in (*list_row_managers(version), version.charts, version.factions):
        rows.all().delete()
    write_rows(version, load_data_set(version))


def write_rows(version: PackVersion, data: DataSet, *, with_units: bool = True) -> None:
    """Write a new version's rows in batches.

    Units may be omitted, because only the current version lists them.
    """
    # Bulk inserts send no signals.
    purge_after_commit([CATALOGUE], PRIORITY)
    ruleset = compile_ruleset(data)
    catalogues = [ruleset.compile_catalogue(faction) for faction in list_factions(data)]
    factions = dict(zip(_write_factions(version, catalogues), catalogues, strict=True))
    if with_units:
        _write_units(version, ruleset, factions)
    decks = [build_deck_rows(faction, book) for faction, book in factions.items() if faction.card_count]
    Card.objects.bulk_create([*chain.from_iterable(deck.cards for deck in decks)], batch_size=BATCH)
    DeckRule.objects.bulk_create([*chain.from_iterable(deck.rules for deck in decks)], batch_size=BATCH)
    _write_charts(version, ruleset, {faction.faction_id: faction for faction in factions})
    write_play(version, ruleset.binding)


def list_factions(data: DataSet) -> list[Catalogue]:
    """Return the factions, else libraries, else the game system."""
    libraries = [library for library in data.list_kind(CatalogueKind.LIBRARY) if library.entries]
    return data.list_kind(CatalogueKind.FACTION) or libraries or [data.game_system]


def _write_factions(version: PackVersion, catalogues: list[CompiledCatalogue]) -> list[Faction]:
    slugs = Slugs("faction")
    return Faction.objects.bulk_create(
        [
            Faction(
                version=version,
                faction_id=catalogue.catalogue.id,
                slug=slugs.make_slug(catalogue.catalogue.name),
                name=shorten(catalogue.catalogue.name),
                emblem=catalogue.identity.emblem,
                accent=catalogue.identity.dark,
                accent_dark=catalogue.identity.light,
                position=position,
                unit_count=sum(not root.hidden for root in catalogue.distinct_roots),
                card_count=sum(len(deck.cards) for near in catalogue.closure for deck in near.decks),
                **build_citation_columns(catalogue.binding, catalogue.catalogue.citation),
            )
            for position, catalogue in enumerate(catalogues)
        ],
        batch_size=BATCH,
    )


def ensure_units(version: PackVersion) -> None:
    if UnitEntry.objects.filter(faction__version=version).exists():
        return
    ruleset = compile_ruleset(load_data_set(version))
    compiled = {catalogue.id: ruleset.compile_catalogue(catalogue) for catalogue in list_factions(ruleset.data)}
    factions = {faction: compiled[faction.faction_id] for faction in version.factions.all()}
    _write_units(version, ruleset, factions)


def delete_units(version: PackVersion) -> None:
    """Delete the unit rows, which take most of the space and can be rebuilt."""
    Option.objects.filter(unit__faction__version=version).delete()
    UnitEntry.objects.filter(faction__version=version).delete()
    version.unit_texts.all().delete()


def _write_units(version: PackVersion, ruleset: Ruleset, factions: dict[Faction, CompiledCatalogue]) -> None:
    # No page lists the options of all units of community data; a unit's page compiles its own.
    most = 0 if version.is_community else MOST_OPTIONS
    contents = UnitContents(ruleset, version.points_id, most)
    rows: list[tuple[int, int, str, UnitContent]] = []
    for faction, catalogue in factions.items():
        slugs = Slugs("unit", CARDS_PAGE)
        for position, root in enumerate(catalogue.distinct_roots):
            content = contents.get_content(root)
            rows.append((faction.pk, position, slugs.make_slug(content.name), content))

    texts = list(dict.fromkeys(content.texts for *_, content in rows))
    _insert_rows(UnitText, ("version_id", "terms", "search_text"), [(version.pk, *values) for values in texts])
    text_keys = UnitText.objects.filter(version=version).order_by("pk").values_list("pk", flat=True)
    text_ids = dict(zip(texts, text_keys, strict=True))
    units = [
        (faction_id, position, slug, text_ids[content.texts], *content.unit)
        for faction_id, position, slug, content in rows
    ]
    _insert_rows(UnitEntry, ("faction_id", "position", "slug", "texts_id", *UNIT_COLUMNS), units)
    if not most:
        return

    written = UnitEntry.objects.filter(faction__in=factions).values_list("faction_id", "position", "pk")
    unit_keys = {(faction_id, position): key for faction_id, position, key in written}
    options = [
        (unit_keys[faction_id, position], option_position, *columns)
        for faction_id, position, _, content in rows
        for option_position, columns in enumerate(content.options)
    ]
    _insert_rows(Option, ("unit_id", "position", *OPTION_COLUMNS), options)


def _insert_rows(model: type[Model], columns: Iterable[str], rows: list[tuple[Any, ...]]) -> None:
    """Insert rows without model objects, because large games have thousands of slots."""
    if not rows:
        return
    names = [connection.ops.quote_name(column) for column in columns]
    table = connection.ops.quote_name(model._meta.db_table)
    places = ", ".join(["%s"] * len(names))
    with connection.cursor() as cursor:
        cursor.executemany(f"INSERT INTO {table} ({', '.join(names)}) VALUES ({places})", rows)  # noqa: S608 - our own names


def _write_charts(version: PackVersion, ruleset: Ruleset, factions: dict[str, Faction]) -> None:
    charts, slots = [], []
    detachments: list[Detachment] = []
    for position, catalogue in enumerate(c for c in ruleset.data.catalogues if c.forces):
        faction = factions.get(catalogue.id) if catalogue.kind is CatalogueKind.FACTION else None
        rows = build_chart_rows(version, faction, ruleset.compile_catalogue(catalogue), position)
        charts.append(rows.chart)
        detachments += rows.detachments
        slots += rows.slots
    OrganisationChart.objects.bulk_create(charts, batch_size=BATCH)
    levels: defaultdict[int, list[Detachment]] = defaultdict(list)
    for detachment in detachments:
        levels[detachment.depth].append(detachment)
    for _depth, level in sorted(levels.items()):
        Detachment.objects.bulk_create(level, batch_size=BATCH)
    slot_rows = [(detachment.pk, *values) for detachment, values in slots]
    _insert_rows(Slot, ("detachment_id", *SLOT_COLUMNS), slot_rows)
