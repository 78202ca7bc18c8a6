"""Private games: an account imports an archive for itself, within a quota, replaces it and deletes it.

`docs/adr/0083-private-games.md` explains how they stay private.
"""

from dataclasses import dataclass

from django.conf import settings
from django.contrib.auth.models import User
from django.db import DatabaseError, transaction
from django.db.models import PROTECT, Count, Exists, OuterRef, ProtectedError
from django.db.models.fields.reverse_related import ForeignObjectRel
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext

from catalogue.models import CatalogueDocument, DocumentBody, GameSystem, Job, PackVersion
from catalogue.models.jobs import JobState
from catalogue.services.community_import import do_import_step, explain_out_of_space, is_out_of_space
from catalogue.services.gallery import measure_documents
from catalogue.services.jobs import Step, start_job
from catalogue.services.published_games import select_own_games

OWN_IMPORT_JOB = "import-own"
"""The job that imports private games. Arguments and payload as for an upload of staff."""


@dataclass(frozen=True, slots=True)
class OwnGame:
    """A private game with the bytes of its data and the number of lists that use it, with those in the bin."""

    game: GameSystem
    space: int
    lists: int


class NoRoomError(Exception):
    """The private games of an account would exceed its quota. The argument is the message."""


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


def start_own_import(user: User, name: str, data: bytes) -> Job | str:
    """Start the import of an archive for a user alone, or return why that is impossible."""
    if not settings.ARMYBUILDER["OWN_GAME_BYTES"]:
        return gettext("This site has no private games. Ask its staff to import the game.")
    running = Job.objects.filter(user=user, kind=OWN_IMPORT_JOB, state__in=(JobState.WAITING, JobState.RUNNING))
    if before := running.defer("payload").first():
        return gettext("%(file)s is still being imported. Try again when it is finished.") % {"file": before.name}
    return start_job(user, OWN_IMPORT_JOB, name, {"name": name, "hold": False, "private": True}, data)


def do_own_import_step(job: Job, seconds: float) -> Step:
    """Read the files or, in the second step, store the games. A failure stores nothing."""
    try:
        # Reading reports its progress, which a transaction would hide.
        return _store_games(job, seconds) if "findings" in job.arguments else do_import_step(job, seconds)
    except NoRoomError as error:
        return Step(1, 1, {"wrong": str(error), "findings": []}, is_last=True)
    except (DatabaseError, OSError) as error:
        if is_out_of_space(error):
            return Step(1, 1, {"wrong": explain_out_of_space(), "findings": []}, is_last=True)
        raise


@transaction.atomic
def _store_games(job: Job, seconds: float) -> Step:
    owner = job.user_id
    assert owner is not None  # noqa: S101 - only accounts import private games
    # Two imports at once would make two games of one game system.
    User.objects.select_for_update().get(pk=owner)
    step = do_import_step(job, seconds)
    for game in select_own_games(owner):
        _delete_unused_versions(game)
    used, most = measure_own_space(owner), settings.ARMYBUILDER["OWN_GAME_BYTES"]
    if used > most:
        text = gettext(
            "With %(file)s, your own games would take %(used)s of %(most)s. Nothing was stored. Delete a game first."
        )
        raise NoRoomError(
            text % {"file": job.arguments["name"], "used": filesizeformat(used), "most": filesizeformat(most)}
        )
    return step


def _delete_unused_versions(game: GameSystem) -> None:
    """Delete replaced data that no list uses."""
    for version in game.versions.exclude(pk=game.shown.pk):
        hashes = _list_hashes(game)
        try:
            with transaction.atomic():
                version.delete()
        except ProtectedError:
            continue
        _delete_bodies(hashes)


@transaction.atomic
def delete_own_game(game: GameSystem) -> None:
    """Delete a private game with everything that uses it: lists, also in the bin, and played games."""
    hashes = _list_hashes(game)
    for relation in PackVersion._meta.get_fields(include_hidden=True):
        if not isinstance(relation, ForeignObjectRel) or relation.on_delete is not PROTECT:
            continue
        model = relation.related_model
        # Parts, such as revisions, go with what has an owner.
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
    """Delete contents that no document has any more."""
    users = CatalogueDocument.objects.filter(content_hash=OuterRef("content_hash"))
    DocumentBody.objects.filter(~Exists(users), pk__in=hashes).delete()
