"""Look up sources of community data, when due or on request."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

from django.utils import timezone
from django.utils.translation import gettext

from catalogue.definitions.diagnostics import Level
from catalogue.models import Job, PackVersion, Source
from catalogue.models.games import SourceKind
from catalogue.services.community_import import ImportOutcome, describe_import, import_path
from catalogue.services.downloads import FetchError, is_web_address, split_address
from catalogue.services.fetching import check_folder, check_location, fetch_source
from catalogue.services.jobs import Step, report_progress
from catalogue.services.releases import judges, publish_version

LOOK_UP_JOB = "look-up"
"""The job that looks up sources. Arguments: their keys as `sources`, and the reports so far as `said`."""

MOST_SOURCES = 500
LONGEST = 500


@dataclass(frozen=True, slots=True)
class LookUp:
    """An import, the `trouble` that prevented it, or no change."""

    source: Source
    imported: ImportOutcome | None = None
    trouble: str = ""
    is_waiting: bool = False

    @property
    def held(self) -> list[PackVersion]:
        if self.imported is None:
            return []
        return [game.version for game in self.imported.games if not (game.unchanged or game.version.is_current)]

    def describe(self) -> str:
        if self.trouble:
            return f"{self.source}: {self.trouble}"
        if self.imported is None:
            return gettext("%(source)s: nothing has changed.") % {"source": self.source}
        report = f"{self.source}: {' '.join(map(describe_import, self.imported.games))}"
        if self.is_waiting:
            report += " " + gettext(
                "It will be published once all lists have been checked against it; the next check continues."
            )
        return report


def guess_kind(location: str) -> SourceKind | None:
    """Return the likely kind of a location, or None.

    >>> guess_kind("https://example.org/ducks.git"), guess_kind("https://example.org/releases.atom")
    (SourceKind.GIT, SourceKind.FEED)
    """
    if is_web_address(location):
        ending = Path(urlsplit(location).path).suffix.lower()
        if ending in (".atom", ".xml", ".rss"):
            return SourceKind.FEED
        return SourceKind.ARCHIVE if ending in (".zip", ".bsr") else SourceKind.GIT
    if location.startswith("file://"):
        return SourceKind.GIT
    path = Path(location)
    if not path.is_absolute():
        return None
    if path.is_dir():
        return SourceKind.FOLDER
    return SourceKind.ARCHIVE if path.is_file() else None


def add_source(
    location: str, *, kind: str = "", publishes: bool = False, every: int = 24, anywhere: bool = False
) -> Source | str:
    """Add or update a source, or return an error message. `anywhere` allows any local folder."""
    location = location.strip()
    # A path must not look like a command's option.
    if not 0 < len(location) <= LONGEST or "\0" in location or location.startswith("-"):
        return gettext("Give the full path of a folder or archive, or an address that begins with https://.")
    try:
        if is_web_address(location):
            split_address(location)
        if location.startswith("/") and not anywhere:
            # Checked before any access, so that responses reveal nothing about other folders.
            check_folder(Path(location))
        source_kind = kind or guess_kind(location)
        if source_kind not in SourceKind.values:
            return gettext("There is no such folder, archive or address: %(location)s") % {"location": location}
        check_location(SourceKind(source_kind), location, anywhere=anywhere)
    except FetchError as error:
        return str(error)
    if every not in range(1, 24 * 365 + 1):
        return gettext("Check a source every 1 to 8760 hours.")
    if Source.objects.count() >= MOST_SOURCES and not Source.objects.filter(location=location).exists():
        return gettext("There are already %(count)d sources.") % {"count": MOST_SOURCES}
    values = {"kind": source_kind, "publishes": publishes, "every": every}
    return Source.objects.update_or_create(location=location, defaults=values)[0]


def list_due_sources() -> list[Source]:
    now = timezone.now()
    sources = Source.objects.order_by("looked_up")
    return [s for s in sources if s.looked_up is None or s.looked_up + timedelta(hours=s.every) <= now]


def look_up_source(
    source: Source,
    progress: Callable[[int, int], None] | None = None,
    job: Job | None = None,
    *,
    anywhere: bool = False,
) -> LookUp:
    """Import a source's data if it has changed. A failure stores the reason.

    A new version is held until all lists have been evaluated with it, perhaps over several look-ups, then published by
    staff or, if the source says so, at once. `anywhere` allows any local folder.
    """
    # Set even on failure, so that a broken source waits for its next turn.
    source.looked_up = timezone.now()
    try:
        with fetch_source(source, anywhere=anywhere) as fetched:
            imported = import_path(fetched.path, progress, hold=True) if fetched.path else None
    except FetchError as error:
        return _keep_trouble(source, str(error))
    if imported is not None:
        if not imported.games:
            errors = [finding for finding in imported.diagnostics if finding.level is Level.ERROR]
            return _keep_trouble(source, str(errors[0]) if errors else gettext("The file contains no game data."))
        if not imported.unchanged:
            source.changed = source.looked_up
    look_up = LookUp(source, imported)
    if not source.publishes:
        for version in look_up.held:
            _judge_held(version, job)
    elif imported is not None:
        look_up = replace(look_up, is_waiting=not _publish_judged(imported))
    source.trouble = ""
    # The mark only moves on when everything is stored and published as required.
    if not look_up.is_waiting:
        source.mark = fetched.mark
    source.save()
    return look_up


def _publish_judged(imported: ImportOutcome) -> bool:
    """Publish versions with which all lists have been evaluated; return whether all are published."""
    waiting = [game.version for game in imported.games if not game.version.is_current]
    # Record the effect of all before publishing any: it is not recorded for a current version.
    verdicts = [(version, _judge_held(version, None)) for version in waiting]
    for version, is_judged in verdicts:
        if is_judged:
            publish_version(version)
    return all(is_judged for _, is_judged in verdicts)


def _judge_held(version: PackVersion, job: Job | None) -> bool:
    return all(judge(version, job) for judge in judges)


def _keep_trouble(source: Source, trouble: str) -> LookUp:
    source.trouble = trouble
    source.save()
    return LookUp(source, trouble=trouble)


def do_look_up_step(job: Job, seconds: float) -> Step:
    """Look up the job's next source and add a report to the job's arguments."""
    keys: list[int] = job.arguments["sources"]
    reports: list[str] = job.arguments.setdefault("said", [])
    index = len(reports)
    source = Source.objects.filter(pk=keys[index]).first() if index < len(keys) else None
    if source is not None:
        look_up = look_up_source(
            source, lambda done, total: report_progress(job, index * total + done, len(keys) * total), job
        )
        reports.append(look_up.describe())
    elif index < len(keys):
        # Deleted in the meantime. The number of reports is the job's progress.
        reports.append("")
    done = len(reports)
    result = {"address": job.arguments["address"], "message": " ".join(filter(None, reports))}
    return Step(done, max(len(keys), 1), result, is_last=done >= len(keys))
