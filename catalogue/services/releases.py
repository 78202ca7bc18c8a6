"""Publish versions of a game's data. Publishing does not change any list."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from catalogue.definitions.catalogues import CatalogueKind
from catalogue.models import GameSystem, Job, PackVersion, Release
from catalogue.services.version_rows import delete_units, ensure_units

JudgeHeld = Callable[[PackVersion, Job | None], bool]
judges: list[JudgeHeld] = []


def register_judge(judge: JudgeHeld) -> None:
    """Let `judge` record how each new version affects lists before it is published.

    `judge` returns whether it has finished. Without a job, its time is limited.
    """
    judges.append(judge)


@dataclass(frozen=True, slots=True)
class PublishedVersion:
    """`since` is the date of the first publication."""

    version: PackVersion
    since: datetime
    current: bool


@transaction.atomic(savepoint=False)
def publish_version(version: PackVersion) -> None:
    """Let new lists start with a version. In a private game, only its owner's lists do."""
    game = version.game
    if version.is_current:
        return
    if game.is_private:
        before, game.private_version = game.private_version, version
    else:
        before, game.current = game.current, version
        Release.objects.create(game=game, version=version)
    if version.is_community:
        # A held version has not renamed the game yet.
        systems = version.documents.filter(kind=CatalogueKind.GAME_SYSTEM)
        game.name = systems.values_list("name", flat=True).first() or game.name
    game.save(update_fields=["current", "private_version", "name"])
    ensure_units(version)
    # Lists only look up older units of packs, which are small.
    if before is not None and before.is_community:
        delete_units(before)


def list_published_versions(game: GameSystem) -> list[PublishedVersion]:
    """List a game's published versions, each once, newest first; of a private game, all."""
    if game.is_private:
        return [
            PublishedVersion(version, version.created, version.is_current)
            for version in game.versions.select_related("game")
        ]
    since: dict[PackVersion, datetime] = {}
    for release in _list_releases(game):
        since[release.version] = release.since
    for version in since:
        version.game = game
    return [PublishedVersion(version, first, version.pk == game.current_id) for version, first in since.items()]


def filter_published(reader: int | None = None) -> QuerySet[PackVersion]:
    """Return published versions, and the versions of private games of an account `reader`."""
    published = Q(Exists(Release.objects.filter(version=OuterRef("pk"))))
    if reader is not None:
        published |= Q(game__owner=reader)
    return PackVersion.objects.filter(published)


def find_published_on(game: GameSystem, day: date) -> PackVersion | None:
    """Return the version that was current at the end of a day."""
    end = timezone.make_aware(datetime.combine(day + timedelta(days=1), time.min))
    if game.is_private:
        return game.versions.select_related("game").filter(created__lt=end).first()
    last = _list_releases(game).filter(since__lt=end).first()
    if last is None:
        return None
    last.version.game = game
    return last.version


def _list_releases(game: GameSystem) -> QuerySet[Release]:
    return Release.objects.filter(game=game).select_related("version").order_by("-since", "-pk")


@dataclass(frozen=True, slots=True)
class GameVersions:
    """`held` versions wait to be published."""

    game: GameSystem
    released: list[PublishedVersion]
    held: list[PackVersion]


def list_game_versions() -> list[GameVersions]:
    """List games with their versions, games with unpublished versions first."""
    games = GameSystem.objects.filter(current__isnull=False).order_by("name", "edition", "slug")
    versions_by_game = {game.pk: GameVersions(game, [], []) for game in games}
    since: dict[int, datetime] = {}
    for release in Release.objects.order_by("-since", "-pk"):
        since[release.version_id] = release.since
    for version in PackVersion.objects.filter(game__in=versions_by_game).order_by("-created", "-pk"):
        game_versions = versions_by_game[version.game_id]
        version.game = game_versions.game
        if version.pk in since:
            current = version.pk == game_versions.game.current_id
            game_versions.released.append(PublishedVersion(version, since[version.pk], current))
        else:
            game_versions.held.append(version)
    return sorted(versions_by_game.values(), key=lambda game_versions: not game_versions.held)
