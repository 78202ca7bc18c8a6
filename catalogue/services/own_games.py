"""Private games; `docs/adr/0083-private-games.md` explains how they stay private."""

from dataclasses import dataclass

from django.db import transaction
from django.db.models import PROTECT, Count, Exists, OuterRef, ProtectedError
from django.db.models.fields.reverse_related import ForeignObjectRel

from catalogue.models import CatalogueDocument, DocumentBody, GameSystem, PackVersion
from catalogue.services.documents import measure_documents
from catalogue.services.published_games import select_own_games


@dataclass(frozen=True, slots=True)
class OwnGame:
    """`space` is in bytes; `lists` use the game and may be binned."""

    game: GameSystem
    space: int
    lists: int


def list_own_games(owner: int) -> list[OwnGame]:
    return [
        OwnGame(game, measure_documents(CatalogueDocument.objects.filter(version__game=game)), count_lists(game))
        for game in select_own_games(owner)
    ]


def measure_own_space(owner: int) -> int:
    return measure_documents(CatalogueDocument.objects.filter(version__game__owner=owner))


def count_lists(game: GameSystem) -> int:
    lists: int = PackVersion.objects.filter(game=game).aggregate(lists=Count("rosters"))["lists"]
    return lists


def delete_unused_versions(game: GameSystem) -> None:
    for version in game.versions.exclude(pk=game.shown_version.pk):
        hashes = _list_hashes(game)
        try:
            with transaction.atomic():
                version.delete()
        except ProtectedError:
            continue
        _delete_bodies(hashes)


@transaction.atomic
def delete_own_game(game: GameSystem) -> None:
    """Delete a private game with its lists, even in the bin, and its played games."""
    hashes = _list_hashes(game)
    for relation in PackVersion._meta.get_fields(include_hidden=True):
        if not isinstance(relation, ForeignObjectRel) or relation.on_delete is not PROTECT:
            continue
        model = relation.related_model
        # Rows without an owner, such as revisions, are deleted with the rows that they belong to.
        if any(field.name == "owner" for field in model._meta.fields):
            model._default_manager.filter(**{f"{relation.field.name}__game": game}).delete()
    game.delete()
    _delete_bodies(hashes)


def delete_own_games(owner: int) -> None:
    for game in GameSystem.objects.filter(owner=owner):
        delete_own_game(game)


def _list_hashes(game: GameSystem) -> set[str]:
    return set(CatalogueDocument.objects.filter(version__game=game).values_list("content_hash", flat=True))


def _delete_bodies(hashes: set[str]) -> None:
    users = CatalogueDocument.objects.filter(content_hash=OuterRef("content_hash"))
    DocumentBody.objects.filter(~Exists(users), pk__in=hashes).delete()
