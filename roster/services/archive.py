"""Move documents of old revisions from the database to one file per list, and back: docs/adr/0112.

The file is written first, so that a crash leaves an unused file and loses nothing. Rows stay, with number, act, hash,
points and verdict.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256

from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from roster.formats.archived_history import encode_archive
from roster.models import Roster, RosterRevision
from roster.models.roster import HISTORIES, HistoryArchiveError, pack_text
from roster.services.evaluation import hash_document
from roster.services.history import get_revision_name
from roster.services.stored_files import delete_after_commit, delete_unused_files, read_file

KEPT_STEPS = 20
"""The newest steps, which stay in the database."""
LEAST_STEPS = 10
"""Fewer steps are not worth a file."""
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ArchiveRun:
    """`lost` are public ids of lists whose archive is missing or damaged. They stayed as they are."""

    lists: int
    lost: tuple[str, ...]


def archive_histories() -> ArchiveRun:
    """Archive histories of lists unchanged for `ARCHIVE_HISTORIES_AFTER` days. Raises OSError."""
    days = settings.ARMYBUILDER["ARCHIVE_HISTORIES_AFTER"]
    if not days:
        return ArchiveRun(0, ())
    old = Roster.objects.filter(binned=None, updated__lt=timezone.now() - timedelta(days=days))
    # Lists that were archived before and have few new steps are not read.
    return _change_each(old.filter(last__gte=F("archived_to") + KEPT_STEPS + LEAST_STEPS), archive_history)


def undo_archive() -> ArchiveRun:
    """Store all archived documents in the database again. Raises OSError."""
    return _change_each(Roster.objects.exclude(archive=""), return_history)


def delete_lost_archives() -> int:
    """Delete files that no list uses; return the number. Without any archived list, delete nothing."""
    used = Roster.objects.exclude(archive="").order_by().values_list("archive", flat=True)
    return delete_unused_files(HISTORIES, set(used))


def _change_each(rosters: QuerySet[Roster], change: Callable[[Roster], bool]) -> ArchiveRun:
    number = 0
    lost: list[str] = []
    for pk in list(rosters.order_by("pk").values_list("pk", flat=True)):
        roster = rosters.filter(pk=pk).first()
        # Changed or deleted meanwhile.
        if roster is None:
            continue
        try:
            number += change(roster)
        except HistoryArchiveError as error:
            if error.code != "lost-step":
                raise OSError("The storage does not answer.") from error
            log.warning("The archive %s of list %s is missing or damaged.", roster.archive, roster.public_id)
            lost.append(roster.public_id)
    return ArchiveRun(number, tuple(lost))


def archive_history(roster: Roster) -> bool:
    """Move a list's old documents to a file; return whether that was done. Raises HistoryArchiveError and OSError.

    Nothing is done for few documents, or if somebody changes or archives the list meanwhile.
    """
    revisions = list(roster.revisions.select_related("named").order_by("number"))
    moved = _select_moved(roster, revisions)
    if len(moved) < LEAST_STEPS:
        return False
    packed = {
        **roster.read_archive(),
        **{row.number: pack_text(row.text) if row.packed is None else bytes(row.packed) for row in moved},
    }
    content = encode_archive(roster.public_id, packed)
    digest = sha256(content).hexdigest()
    # Each writer has a file of its own, so that deleting one never takes another's.
    name = default_storage.save(f"{HISTORIES}/{digest[:2]}/{digest}", ContentFile(content))
    if read_file(name) != content:
        raise OSError(f"{name} is not as it was written.")
    # The previous file stays until `delete_lost_archives`, for readers that are about to open it.
    fields = {
        "archive": name,
        "archived_to": roster.last - KEPT_STEPS,
        "written": sum(row.stored for row in revisions) - sum(row.stored for row in moved) + len(content),
    }
    with transaction.atomic():
        if _update_unchanged(roster, fields):
            RosterRevision.move_to_archive([row.pk for row in moved])
            return True
    default_storage.delete(name)
    return False


def return_history(roster: Roster) -> bool:
    """Store a list's archived documents in the database again; return whether that was done.

    Raises HistoryArchiveError.
    """
    packed = roster.read_archive()
    written = sum(row.stored for row in roster.revisions.all()) + sum(map(len, packed.values()))
    with transaction.atomic():
        if not _update_unchanged(roster, {"archive": "", "archived_to": 0, "written": written}):
            return False
        RosterRevision.return_from_archive(roster, packed)
        delete_after_commit(roster.archive)
    return True


def _select_moved(roster: Roster, revisions: Sequence[RosterRevision]) -> list[RosterRevision]:
    rows = {row.number: row for row in revisions}
    needed = {row.number for row in revisions if row.number > roster.last - KEPT_STEPS or get_revision_name(row)}
    # The current step, which may be an old one after undoing, and the step that undoing leads to.
    needed |= {roster.head, rows[roster.head].parent if roster.head in rows else 0, roster.aside}
    # Documents that could not be verified when they are read from the archive.
    needed |= {
        row.number for row in revisions if not row.is_archived and hash_document(row.document) != row.content_hash
    }
    # What stays must be readable without the archive.
    needed |= {row.base for row in revisions if row.number in needed}
    return [row for row in revisions if row.number not in needed and not row.is_archived]


def _update_unchanged(roster: Roster, fields: dict[str, object]) -> bool:
    """Update a list in one statement, unless it was changed, archived or deleted since it was read."""
    same = Roster.objects.filter(pk=roster.pk, head=roster.head, last=roster.last, archive=roster.archive)
    return bool(same.update(**fields))
