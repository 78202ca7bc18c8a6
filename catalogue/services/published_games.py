from functools import cache
from typing import Any

from django.db import connections, router
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


def select_games() -> QuerySet[GameSystem]:
    return GameSystem.objects.filter(current__isnull=False).select_related("current")


def select_own_games(reader: int | None) -> QuerySet[GameSystem]:
    games = GameSystem.objects.filter(private_version__isnull=False).select_related("private_version")
    return games.none() if reader is None else games.filter(owner=reader)


def select_readable_games(reader: int | None) -> QuerySet[GameSystem]:
    """Include the private games of an account `reader`."""
    readable = Q(current__isnull=False)
    if reader is not None:
        readable |= Q(private_version__isnull=False, owner=reader)
    return GameSystem.objects.filter(readable).select_related("current", "private_version")


def _match_readable(version: str, game: str, reader: int | None) -> Q:
    readable = Q(**{f"{version}__current_of__slug": game})
    if reader is not None:
        readable |= Q(**{f"{version}__private_of__slug": game, f"{version}__private_of__owner": reader})
    return readable


def select_shelf(most: int = MOST_NAMED) -> QuerySet[GameSystem, Any]:
    """Return the games with their first `most` factions and `faction_count`."""
    named = Prefetch("current__factions", Faction.objects.filter(position__lt=most))
    return select_games().annotate(faction_count=Count("current__factions")).prefetch_related(named)


def select_own_shelf(reader: int | None, most: int = MOST_NAMED) -> QuerySet[GameSystem, Any]:
    named = Prefetch("private_version__factions", Faction.objects.filter(position__lt=most))
    return select_own_games(reader).annotate(faction_count=Count("private_version__factions")).prefetch_related(named)


@cache
def _compose_state() -> tuple[str, tuple[Any, ...]]:
    """Compile the query once, because every public page runs it."""
    games = GameSystem.objects.filter(current__isnull=False).order_by("pk")
    newest = [Subquery(rows.objects.order_by("-pk").values("pk")[:1]) for rows in (Faction, Release)]
    query = games.values_list("pk", "name", "title", "edition", "current__content_hash", *newest).query
    return query.sql_with_params()


def identify_catalogue() -> tuple[object, ...]:
    """Return a value that changes with the published data."""
    # Versions never change, and a pack's other facts are written with its factions. Factions are replaced, so the
    # newest key shows any change faster than a count. Returning to an earlier version adds a release.
    with connections[router.db_for_read(GameSystem)].cursor() as cursor:
        cursor.execute(*_compose_state())
        return tuple(cursor.fetchall())


def select_other_editions(game: GameSystem) -> QuerySet[GameSystem]:
    return select_games().filter(family=game.family).exclude(family="").exclude(pk=game.pk)


def select_factions(game: str | None = None, reader: int | None = None) -> QuerySet[Faction]:
    """Select current factions of one game or all, with a reader's private games."""
    factions = Faction.objects.select_related("version__game")
    if game is None:
        return factions.filter(version__current_of__isnull=False)
    return factions.filter(_match_readable("version", game, reader))


def find_faction(version: PackVersion, slug: str) -> Faction | None:
    return version.factions.filter(Q(faction_id=slug) | Q(slug=slug)).first()


def select_units(game: str, faction: str, reader: int | None = None) -> QuerySet[UnitEntry]:
    """Select a faction's visible units, even in a reader's private game."""
    units = UnitEntry.objects.select_related("faction__version__game")
    readable = _match_readable("faction__version", game, reader)
    return units.filter(readable, faction__slug=faction, hidden=False)


def add_detachments(charts: QuerySet[OrganisationChart]) -> QuerySet[OrganisationChart]:
    slots = Prefetch("slots", Slot.objects.filter(hidden=False))
    detachments = Detachment.objects.filter(hidden=False).select_related("parent").prefetch_related(slots)
    return charts.select_related("faction").prefetch_related(Prefetch("detachments", detachments))


def find_import_report(version: PackVersion) -> ImportReport | None:
    """Return the import report; None for packs, which are refused if they have findings."""
    if version.source == PackVersion.Source.PACK:
        return None
    return ImportReport.objects.filter(version=version).first()
