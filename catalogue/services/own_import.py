"""Import an archive for an account alone, within its quota: docs/adr/0083-private-games.md."""

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext

from catalogue.models import Job
from catalogue.models.jobs import JobState
from catalogue.services.community_import import do_import_step
from catalogue.services.jobs import Step, start_job
from catalogue.services.own_games import delete_unused_versions, measure_own_space
from catalogue.services.published_games import select_own_games

OWN_IMPORT_JOB = "import-own"
"""The job that imports private games. Arguments and payload as for an upload of staff."""


class NoRoomError(Exception):
    """Private games would exceed a quota. The argument is the message."""


def start_own_import(user: User, name: str, data: bytes) -> Job | str:
    """Start a user's private import, or return why not."""
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


@transaction.atomic
def _store_games(job: Job, seconds: float) -> Step:
    owner = job.user_id
    assert owner is not None  # noqa: S101 - only accounts import private games
    # Two imports at once would make two games of one game system.
    User.objects.select_for_update().get(pk=owner)
    step = do_import_step(job, seconds)
    for game in select_own_games(owner):
        delete_unused_versions(game)
    used, most = measure_own_space(owner), settings.ARMYBUILDER["OWN_GAME_BYTES"]
    if used > most:
        text = gettext(
            "With %(file)s, your own games would take %(used)s of %(most)s. Nothing was stored. Delete a game first."
        )
        raise NoRoomError(
            text % {"file": job.arguments["name"], "used": filesizeformat(used), "most": filesizeformat(most)}
        )
    return step
