"""The published games: current versions and what is in them, as pages and API read them."""

from functools import cache
from typing import Any

from django.db import connection
from django.db.models import Count, Prefetch, Q, QuerySet, Subquery

from catalogue.models import (
    Detachment,
    Faction,
    GameSystem,
    ImportReport,
    OrganisationChart,
    PackVersion,
    Release,
    Slot,
    UnitEntry,
)

MOST_NAMED = 8
"""How many factions of a game are named where all games are."""


def select_games() -> QuerySet[GameSystem]:
    """Return the games that have data, with their current version."""
    return GameSystem.objects.filter(current__isnull=False).select_related("current")


def select_shelf(most: int = MOST_NAMED) -> QuerySet[GameSystem, Any]:
    """Return the games with their first factions, so many of each, and how many each has as `faction_count`.

    A server may hold a hundred games with up to a hundred factions each, whose names nobody would read on one page.
    """
    named = Prefetch("current__factions", Faction.objects.filter(position__lt=most))
    return select_games().annotate(faction_count=Count("current__factions")).prefetch_related(named)


@cache
def _compose_state() -> tuple[str, tuple[Any, ...]]:
    """Compose the query for the state of the published data: it is asked for every public page."""
    games = GameSystem.objects.filter(current__isnull=False).order_by("pk")
    newest = [Subquery(rows.objects.order_by("-pk").values("pk")[:1]) for rows in (Faction, Release)]
    query = games.values_list("pk", "name", "title", "edition", "current__content_hash", *newest).query
    return query.sql_with_params()


def identify_catalogue() -> tuple[object, ...]:
    """Return the state of the published data: pages that read nothing else are the same while it is the same."""
    # Versions never change, and whatever else a pack says of its game is written with its factions. Those are never
    # changed either, but written anew; to count them takes longer. A game that goes back to an earlier version has one
    # more release to list.
    with connection.cursor() as cursor:
        cursor.execute(*_compose_state())
        return tuple(cursor.fetchall())


def select_other_editions(game: GameSystem) -> QuerySet[GameSystem]:
    """Return the other editions of the same game."""
    return select_games().filter(family=game.family).exclude(family="").exclude(pk=game.pk)


def select_factions(game: str | None = None) -> QuerySet[Faction]:
    """Return the factions of the current version of one game, or of all games."""
    factions = Faction.objects.select_related("version__game")
    if game is None:
        return factions.filter(version__current_of__isnull=False)
    return factions.filter(version__current_of__slug=game)


def find_faction(version: PackVersion, asked: str) -> Faction | None:
    """Return the faction of a version that has this id or this address."""
    return version.factions.filter(Q(faction_id=asked) | Q(slug=asked)).first()


def select_units(game: str, faction: str) -> QuerySet[UnitEntry]:
    """Return the visible units of a faction of the current version of a game."""
    units = UnitEntry.objects.select_related("faction__version__game")
    return units.filter(faction__version__current_of__slug=game, faction__slug=faction, hidden=False)


def add_detachments(charts: QuerySet[OrganisationChart]) -> QuerySet[OrganisationChart]:
    """`charts` with their visible detachments and those with their visible slots."""
    slots = Prefetch("slots", Slot.objects.filter(hidden=False))
    shown = Detachment.objects.filter(hidden=False).select_related("parent").prefetch_related(slots)
    return charts.select_related("faction").prefetch_related(Prefetch("detachments", shown))


def find_import_report(version: PackVersion) -> ImportReport | None:
    """Return what the import of community data found odd; None for a pack, which is refused when anything is."""
    if version.source == PackVersion.Source.PACK:
        return None
    return ImportReport.objects.filter(version=version).first()
