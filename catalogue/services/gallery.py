"""Every game in the community's indexes, to install with one click or to request."""

import logging
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, User
from django.db import DatabaseError, transaction
from django.db.models import Count
from django.utils import timezone
from django.utils.translation import gettext

from catalogue.formats.battlescribe.errors import ReadError
from catalogue.formats.battlescribe.gallery_index import MOST_BYTES, IndexEntry, read_index
from catalogue.formats.battlescribe.limits import LIMITS
from catalogue.models import (
    CatalogueDocument,
    GalleryAsk,
    GalleryGame,
    GalleryRead,
    GameSystem,
    ImportReport,
    Job,
    PackVersion,
    Source,
)
from catalogue.models.jobs import JobState
from catalogue.services.community_import import do_import_step
from catalogue.services.disk_space import explain_out_of_space, is_out_of_space
from catalogue.services.documents import measure_documents
from catalogue.services.downloads import FetchError, FetchFailure, download, explain_failure, measure_download
from catalogue.services.jobs import Step, start_job
from catalogue.services.sources import add_source
from catalogue.services.texts import fold_text

INSTALL_JOB = "install"
"""The job that installs a game. Argument: the key of its `gallery` row."""
READ_JOB = "read-galleries"
"""The job that reads the indexes. Argument: the `address` of the gallery's page."""

BUNDLED = Path(__file__).parents[1] / "gallery_games.json"
"""Names and addresses of repositories, for sites that have not read an index yet."""
STALE = timedelta(days=1)

STAFF, ACCOUNTS, EVERYBODY = "staff", "accounts", "everybody"
"""Values of the setting INSTALLING: who may install games."""

_log = logging.getLogger(__name__)
_NUMBERS = re.compile(r"\d+(?:\.\d+)+")
_AFTER_NAME = ("-", "_", ".", " ")


@dataclass(frozen=True, slots=True)
class GalleryRow:
    """A game of the gallery as one visitor sees it. `job` is installing it now.

    `game` is the installed game: `is_behind` if the index has newer data, `is_kept` if a source updates it.
    """

    row: GalleryGame
    game: GameSystem | None
    is_behind: bool
    is_kept: bool
    job: Job | None
    asks: int
    has_asked: bool


def may_install(user: AbstractBaseUser | AnonymousUser) -> bool:
    who = settings.ARMYBUILDER["INSTALLING"]
    return who == EVERYBODY or (who == ACCOUNTS and user.is_authenticated) or is_keeper(user)


def is_keeper(user: AbstractBaseUser | AnonymousUser) -> bool:
    """Return whether a visitor is staff who may import data."""
    return isinstance(user, User) and user.is_staff and user.has_perm("catalogue.add_packversion")


def list_gallery(asker: str) -> list[GalleryRow]:
    """Return all games by title, or the bundled games if no index was read."""
    rows = list(GalleryGame.objects.annotate(ask_count=Count("asks")))
    if not rows:
        store_bundled()
        rows = list(GalleryGame.objects.annotate(ask_count=Count("asks")))
    installed = _match_installed(row.name for row in rows)
    source_addresses = set(Source.objects.filter(publishes=True).values_list("location", flat=True))
    jobs = {job.arguments.get("gallery"): job for job in _list_open_jobs()}
    asked_keys = set(GalleryAsk.objects.filter(asker=asker).values_list("game_id", flat=True)) if asker else set()
    result = []
    for row in rows:
        version = installed.get(row.name)
        is_kept = _locate_source(row) in source_addresses
        result.append(
            GalleryRow(
                row,
                version.game if version else None,
                version is not None and not is_kept and _is_behind(row, version.label),
                is_kept,
                jobs.get(row.pk),
                row.ask_count,
                row.pk in asked_keys,
            )
        )
    return sorted(result, key=lambda line: fold_text(line.row.title))


def count_missing_games() -> int:
    names = list(GalleryGame.objects.values_list("name", flat=True))
    return len(names) - len(_match_installed(names)) if names else len(_read_bundled())


def _list_open_jobs() -> Iterable[Job]:
    return Job.objects.defer("payload").filter(kind=INSTALL_JOB, state__in=(JobState.WAITING, JobState.RUNNING))


def _match_installed(names: Iterable[str]) -> dict[str, PackVersion]:
    """Return the current version for each repository name, matched by the imported file's name."""
    reports = ImportReport.objects.filter(version__current_of__isnull=False).select_related("version__game")
    by_length = sorted(names, key=len, reverse=True)
    matched: dict[str, PackVersion] = {}
    for report in reports.defer("findings"):
        source = report.source.casefold()
        for name in by_length:
            # The longest name counts: wh40k-10e-light is not wh40k-10e.
            if source.startswith(name.casefold()) and source[len(name) : len(name) + 1] in ("", *_AFTER_NAME):
                matched.setdefault(name, report.version)
                break
    return matched


def _is_behind(row: GalleryGame, label: str) -> bool:
    """Compare the installed version with the index, by the version installed from it or by numbers in both."""
    if row.installed:
        return row.installed != row.version
    listed, here = _NUMBERS.search(row.version), _NUMBERS.search(label)
    return listed is not None and here is not None and listed[0] != here[0]


def _locate_source(row: GalleryGame) -> str:
    return row.feed or row.repository or row.archive


def store_bundled() -> None:
    GalleryGame.objects.bulk_create(
        [_fill(GalleryGame(name=entry.name), entry, "") for entry in _read_bundled()], ignore_conflicts=True
    )


@cache
def _read_bundled() -> list[IndexEntry]:
    """Read once per process: the front page counts these games until an index is read."""
    return read_index(BUNDLED.read_bytes())


def _fill(row: GalleryGame, entry: IndexEntry, index: str) -> GalleryGame:
    if (row.archive, row.version) != (entry.archive, entry.version):
        row.size, row.trouble = None, ""
    # Repositories without a package have only their own name, and the bundled list a better one.
    if entry.title != entry.name or not row.title:
        row.title = entry.title
    row.index, row.version, row.changed = index, entry.version, entry.changed
    row.archive, row.feed, row.repository = entry.archive, entry.feed, entry.repository
    row.size, row.checksum, row.is_archived = entry.size or row.size, entry.checksum, entry.is_archived
    return row


# ---- indexes -----------------------------------------------------------------------------------------------------


def are_indexes_due() -> bool:
    read = GalleryRead.objects.filter(index__in=settings.ARMYBUILDER["GALLERIES"], read__gt=timezone.now() - STALE)
    return read.count() < len(settings.ARMYBUILDER["GALLERIES"])


def read_due_galleries(address: str) -> None:
    """Read indexes in the background if no timer does, as with `make run`. `address` is the gallery's."""
    is_reading = Job.objects.filter(kind=READ_JOB, state__in=(JobState.WAITING, JobState.RUNNING)).exists
    if are_indexes_due() and not is_reading():
        start_job(None, READ_JOB, gettext("Gallery"), {"address": address})


def read_galleries() -> list[GalleryRead]:
    """Read the settings' indexes. An unreadable one changes nothing and reports its error."""
    return [_read_gallery(index) for index in settings.ARMYBUILDER["GALLERIES"]]


def _read_gallery(index: str) -> GalleryRead:
    trouble = ""
    try:
        with TemporaryDirectory(prefix="armybuilder-index-") as folder:
            path = Path(folder, "index")
            download(index, path, MOST_BYTES)
            store_index(index, read_index(path.read_bytes()))
    except FetchError as error:
        trouble = str(error)
    except ReadError as error:
        trouble = error.message
    return GalleryRead.objects.update_or_create(index=index, defaults={"read": timezone.now(), "trouble": trouble})[0]


@transaction.atomic
def store_index(index: str, entries: list[IndexEntry]) -> None:
    """Store an index's games and drop others. If two indexes list a game, the newer state counts."""
    rows = {row.name.casefold(): row for row in GalleryGame.objects.all()}
    listed = {entry.name.casefold() for entry in entries}
    new, changed = [], []
    for entry in entries:
        row = rows.get(entry.name.casefold())
        if row is None:
            new.append(_fill(GalleryGame(name=entry.name), entry, index))
        elif row.index in ("", index) or not row.changed or (entry.changed and entry.changed > row.changed):
            changed.append(_fill(row, entry, index))
    GalleryGame.objects.bulk_create(new)
    fields = ("title", "index", "version", "changed", "archive", "feed", "repository", "size", "checksum")
    GalleryGame.objects.bulk_update(changed, [*fields, "is_archived", "trouble"])
    gone = [row.pk for name, row in rows.items() if row.index == index and name not in listed]
    GalleryGame.objects.filter(pk__in=gone).delete()


def do_read_step(job: Job, seconds: float) -> Step:
    """Read the indexes, then request archive sizes while time allows."""
    end = timezone.now() + timedelta(seconds=seconds)
    if "unmeasured" not in job.arguments:
        readings = read_galleries()
        unmeasured = GalleryGame.objects.filter(size=None).exclude(archive="").values_list("pk", flat=True)
        job.arguments["unmeasured"] = list(unmeasured)
        job.arguments["report"] = " ".join(describe_reading(reading) for reading in readings)
    waiting: list[int] = job.arguments["unmeasured"]
    while waiting and timezone.now() < end:
        row = GalleryGame.objects.filter(pk=waiting.pop()).first()
        if row is None:
            continue
        try:
            row.size = measure_download(row.archive)
        except FetchError:
            # The error is shown when someone installs the game.
            continue
        row.save(update_fields=["size"])
    total = GalleryGame.objects.count() + 1
    result = {"address": job.arguments["address"], "message": job.arguments["report"]}
    return Step(total - len(waiting), total, result, is_last=not waiting)


def describe_reading(reading: GalleryRead) -> str:
    if reading.trouble:
        return gettext("%(index)s could not be read: %(trouble)s") % {
            "index": reading.index,
            "trouble": reading.trouble,
        }
    count = GalleryGame.objects.filter(index=reading.index).count()
    return gettext("%(index)s lists %(count)d games.") % {"index": reading.index, "count": count}


# ---- installing --------------------------------------------------------------------------------------------------


@transaction.atomic
def start_install(user: AbstractBaseUser | AnonymousUser, row: GalleryGame) -> Job | str:
    """Start installing a game, or return why not. A game has at most one such job at a time."""
    # Others who install it at the same moment wait here, and then see the job.
    GalleryGame.objects.select_for_update().filter(pk=row.pk).first()
    if not row.archive:
        return gettext("No download is listed for %(game)s.") % {"game": row.title}
    for job in _list_open_jobs():
        if job.arguments.get("gallery") == row.pk:
            return gettext("%(game)s is already being installed.") % {"game": row.title}
    bounded = not is_keeper(user)
    if bounded and (full := _check_space()):
        return full
    arguments = {"gallery": row.pk, "bounded": bounded}
    return start_job(user if isinstance(user, User) else None, INSTALL_JOB, row.title, arguments)


def _check_space() -> str:
    is_full = measure_space() >= settings.ARMYBUILDER["GALLERY_BYTES"]
    return gettext("This site has no more space for games. Ask its staff.") if is_full else ""


def measure_space() -> int:
    """Return the size in bytes of all community data except private games, which count towards their owners' quotas."""
    community = {"version__source": PackVersion.Source.BATTLESCRIBE, "version__game__owner": None}
    return measure_documents(CatalogueDocument.objects.filter(**community))


def do_install_step(job: Job, seconds: float) -> Step:
    """Fetch an archive, then import it like an upload. A failure stores only the reason."""
    row = GalleryGame.objects.filter(pk=job.arguments["gallery"]).first()
    if row is None:
        return _fail(None, gettext("The index no longer lists this game."))
    try:
        if "name" not in job.arguments:
            # Games that were ahead in the queue may have taken the space.
            if job.arguments.get("bounded") and (full := _check_space()):
                return _fail(row, full)
            job.payload = _fetch_archive(row)
            # The label of the version comes from this name.
            job.arguments["name"] = f"{row.name}-{row.version.rpartition('/')[2] or 'newest'}.zip"
            job.arguments["hold"] = settings.ARMYBUILDER["HOLD_NEW_DATA"]
            return Step(1, 4)
        step = do_import_step(job, seconds)
    except FetchError as error:
        _log.warning("%s was not installed: %s", row, error)
        # Everybody may read the reason, and follow the job of somebody else.
        return _fail(row, explain_failure(error.failure))
    except (DatabaseError, OSError) as error:
        if is_out_of_space(error):
            return _fail(row, explain_out_of_space())
        raise
    if step.is_last and "wrong" not in step.result:
        # Skip the import's findings, because players want to build a list.
        step = replace(step, result={**step.result, "address": step.result["address"].partition("#")[0]})
        GalleryGame.objects.filter(pk=row.pk).update(installed=row.version, trouble="")
        GalleryAsk.objects.filter(game=row).delete()
    elif "wrong" in step.result:
        GalleryGame.objects.filter(pk=row.pk).update(trouble=step.result["wrong"])
    return step


def _fail(row: GalleryGame | None, reason: str) -> Step:
    if row is not None:
        GalleryGame.objects.filter(pk=row.pk).update(trouble=reason)
    return Step(1, 1, {"wrong": reason, "findings": []}, is_last=True)


def _fetch_archive(row: GalleryGame) -> bytes:
    with TemporaryDirectory(prefix="armybuilder-install-") as folder:
        path = Path(folder, "data.zip")
        download(row.archive, path, LIMITS.archive_bytes)
        data = path.read_bytes()
    if row.checksum and sha256(data).hexdigest() != row.checksum:
        raise FetchError(explain_failure(FetchFailure.CHANGED), FetchFailure.CHANGED)
    GalleryGame.objects.filter(pk=row.pk).update(size=len(data))
    return data


def keep_up_to_date(row: GalleryGame) -> Source | str:
    """Make a repository a source that publishes new data, or return why not."""
    return add_source(_locate_source(row), publishes=True)


# ---- asking ------------------------------------------------------------------------------------------------------


def ask_for(row: GalleryGame, asker: str) -> None:
    GalleryAsk.objects.get_or_create(game=row, asker=asker)


def take_ask_back(row: GalleryGame, asker: str) -> None:
    GalleryAsk.objects.filter(game=row, asker=asker).delete()
