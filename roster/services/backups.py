"""Back up all lists of an owner in one signed file, and restore them.

Another user gets copies. From another server's file, only current states are restored.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from operator import attrgetter
from typing import IO

import msgspec
from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.crypto import salted_hmac

from catalogue.models import PackVersion
from catalogue.models.base import new_public_id
from catalogue.services.releases import filter_published
from roster.engine.evaluation import Deadline, OverdueError
from roster.engine.tree import RosterTree, Selection, copy_with, get_children
from roster.formats.backup import (
    LONGEST_UNSIGNED,
    Keys,
    NoBackupError,
    SavedList,
    SavedRevision,
    check_backup,
    read_backup,
    write_backup,
)
from roster.models import Folder, RevisionName, Roster, RosterPlan, RosterRevision, Tag
from roster.models.ownership import Visibility
from roster.models.roster import HistoryArchiveError, WholeDocument
from roster.services.evaluation import evaluate_list, hash_document, summarize_list
from roster.services.exchange import tidy_roster
from roster.services.history import get_revision_name
from roster.services.limits import MAX_DOCUMENT_BYTES, MAX_ID, MAX_NUMBER, check_room, start_deadline
from roster.services.organize import ensure_label
from roster.services.outcomes import Refused
from roster.services.owners import Visitor, filter_owned, filter_readable_data
from roster.services.plans import load_plan
from roster.services.rosters import store_roster
from roster.services.rulesets import check_overlay

CHUNK = 50
DEEPEST = 60
"""Deepest nesting of an imported list; games have less than ten levels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoredBackup:
    """`restored` includes `binned` lists. `there` counts lists that already existed, `homeless` names lists without
    data, `left_out` lists beyond the quota. `copies` means that another owner made the backup, or that the account is
    newer, `foreign` that another server made it.
    """

    restored: int
    binned: int
    copies: bool
    there: int
    homeless: tuple[str, ...]
    left_out: tuple[str, ...] = ()
    foreign: bool = False


def write_owner_backup(owner: Visitor, file: IO[bytes]) -> None:
    """Write all lists, including the bin, with histories, plans and labels.

    Steps whose archive is lost are left out. Raises HistoryArchiveError if the storage does not answer.
    """
    mine = filter_owned(owner, Roster.objects.all())
    rows = mine.select_related("folder", "plan", "version__game").prefetch_related("tags").order_by("pk")
    lists = (_build_saved_list(row) for row in rows.iterator(chunk_size=CHUNK))
    write_backup(file, _derive_keys(owner, settings.SECRET_KEY), timezone.now(), lists)


def restore_backup(owner: Visitor, file: IO[bytes]) -> RestoredBackup:
    """Restore missing lists, or nothing on error. Raises NoBackupError."""
    try:
        is_own = _check_origin(owner, file)
    except NoBackupError as error:
        if error.code != "not-yours":
            raise
        return _import_foreign(owner, file)
    restoring = _Restoring(owner)
    for saved in read_backup(file):
        restoring.take_list(saved if is_own else _copy_as_new(saved))
    return RestoredBackup(
        restored=restoring.restored,
        binned=restoring.binned,
        copies=not is_own,
        there=restoring.there,
        homeless=tuple(restoring.homeless),
        left_out=tuple(restoring.left_out),
    )


class _Restoring:
    def __init__(self, owner: Visitor) -> None:
        self._owner = owner
        # Cached, because the lists of a backup share a few versions.
        self._versions: dict[str, PackVersion | None] = {}
        self.restored = self.binned = self.there = 0
        self.homeless: list[str] = []
        self.left_out: list[str] = []

    def take_list(self, saved: SavedList) -> None:
        # An address in use is never reassigned, even as the link of another list.
        if Roster.objects.filter(Q(public_id=saved.public_id) | Q(link_id=saved.public_id)).exists():
            self.there += 1
        elif check_room(self._owner, Roster):
            self.left_out.append(_read_tree(saved).name)
        elif self._restore_list(saved):
            self.restored += 1
            self.binned += saved.binned is not None

    def _restore_list(self, saved: SavedList) -> bool:
        needed = {revision.version for revision in saved.revisions}
        for content_hash in needed - self._versions.keys():
            matches = filter_readable_data(self._owner).filter(content_hash=content_hash)
            self._versions[content_hash] = matches.first()
        # Every revision needs its data, or the list could not show its history.
        installed = {content_hash: version for content_hash, version in self._versions.items() if version}
        if not needed <= installed.keys():
            self.homeless.append(_read_tree(saved).name)
            return False
        try:
            _store_list(self._owner, saved, installed)
        except IntegrityError:  # the same file is being restored twice at once
            self.there += 1
            return False
        return True


def _check_origin(owner: Visitor, file: IO[bytes]) -> bool:
    *first, last = settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS
    for secret in first:
        with suppress(NoBackupError):
            return check_backup(file, _derive_keys(owner, secret))
    return check_backup(file, _derive_keys(owner, last))


def _import_foreign(owner: Visitor, file: IO[bytes]) -> RestoredBackup:
    # Validate everything before storing anything; the file may exceed memory.
    is_empty = True
    for saved in read_backup(file, LONGEST_UNSIGNED):
        _read_foreign_tree(saved)
        is_empty = False
    if is_empty:
        raise NoBackupError("no-backup")

    deadline = start_deadline(has_account=owner.user_id is not None)
    restored = 0
    homeless: list[str] = []
    left_out: list[str] = []
    for saved in read_backup(file, LONGEST_UNSIGNED):
        tree = _read_foreign_tree(saved)
        versions = filter_published().select_related("game").filter(factions__faction_id=saved.faction_id)
        exact = versions.filter(content_hash=_get_shown(saved).version).first()
        # Without the same version, use the current one, as imports do.
        version = exact or versions.filter(game__slug=saved.game, current_of__isnull=False).first()
        if version is None:
            homeless.append(tree.name)
            continue
        overlaid = copy_with(tree, overlay=check_overlay(tree.overlay, version))
        if check_room(owner, Roster) or not _import_tree(owner, saved, version, overlaid, deadline):
            left_out.append(tree.name)
        else:
            restored += 1
    return RestoredBackup(
        restored=restored,
        binned=0,
        copies=False,
        there=0,
        homeless=tuple(homeless),
        left_out=tuple(left_out),
        foreign=True,
    )


def _read_foreign_tree(saved: SavedList) -> RosterTree:
    """Raise NoBackupError for a state that the builder could not have made."""
    try:
        if len(_get_shown(saved).document) > MAX_DOCUMENT_BYTES:
            raise NoBackupError("no-backup")
        tree = _read_tree(saved)
    except (StopIteration, msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise NoBackupError("no-backup") from error
    nodes = [(node, 0) for node in get_children(tree)]
    for node, depth in nodes:  # grows while it is walked
        number = node.number if isinstance(node, Selection) else 0
        if depth > DEEPEST or not 0 <= number <= MAX_NUMBER or len(node.entry_id) > MAX_ID:
            raise NoBackupError("no-backup")
        nodes.extend((child, depth + 1) for child in get_children(node))
    return tidy_roster(tree)


def _import_tree(owner: Visitor, saved: SavedList, version: PackVersion, tree: RosterTree, deadline: Deadline) -> bool:
    try:
        stored = store_roster(owner, version, saved.faction_id, tree, deadline=deadline)
    except OverdueError:
        return False
    if isinstance(stored, Refused):
        return False
    _restore_labels(owner, stored, saved)
    return True


def _derive_keys(owner: Visitor, secret: str | bytes) -> Keys:
    who = f"account {owner.user_id}" if owner.user_id is not None else f"guest {owner.key}"
    return Keys(owner=_derive_key(who, secret), server=_derive_key("server", secret))


def _derive_key(who: str, secret: str | bytes) -> bytes:
    return salted_hmac("roster.backup", who, secret, algorithm="sha256").digest()


def _copy_as_new(saved: SavedList) -> SavedList:
    public_id = new_public_id()
    # Restoring another user's public list does not publish it again.
    visibility = Visibility.PRIVATE if saved.visibility == Visibility.PRIVATE else Visibility.LINK
    return msgspec.structs.replace(saved, public_id=public_id, link_id=public_id, visibility=visibility)


def _build_saved_list(roster: Roster) -> SavedList:
    revisions = roster.revisions.select_related("named", "version").order_by("number")
    planned = load_plan(roster)
    readable = ((revision, _read_document(revision)) for revision in revisions)
    return SavedList(
        public_id=roster.public_id,
        link_id=roster.link_id,
        visibility=roster.visibility,
        is_secret=roster.is_secret,
        is_uncounted=roster.is_uncounted,
        taken_down=roster.taken_down,
        faction_id=roster.faction_id,
        head=roster.head,
        aside=roster.aside,
        created=roster.created,
        updated=roster.updated,
        revisions=tuple(
            SavedRevision(
                number=revision.number,
                parent=revision.parent,
                document=document,
                act=revision.act,
                subject=revision.subject,
                version=revision.version.content_hash,
                points=revision.points,
                verdict=revision.verdict,
                violations=revision.violations,
                aside=revision.aside,
                created=revision.created,
                name=get_revision_name(revision),
            )
            for revision, document in readable
            if document
        ),
        folder=roster.folder.name if roster.folder else "",
        tags=tuple(tag.name for tag in roster.tags.all()),
        plan=msgspec.json.encode(planned.game).decode() if planned.exists else "",
        binned=roster.binned,
        game=roster.version.game.slug,
    )


def _read_document(revision: RosterRevision) -> str:
    """Return a revision's document, "" if its archive is lost."""
    try:
        return revision.document
    except HistoryArchiveError as error:
        if error.code != "lost-step":
            raise
        return ""


def _get_shown(saved: SavedList) -> SavedRevision:
    return next(revision for revision in saved.revisions if revision.number == saved.head)


def _read_tree(saved: SavedList) -> RosterTree:
    return msgspec.json.decode(_get_shown(saved).document, type=RosterTree)


@transaction.atomic
def _store_list(owner: Visitor, saved: SavedList, versions: Mapping[str, PackVersion]) -> None:
    roster = _create_roster(owner, saved, versions)

    rows: list[RosterRevision] = []
    whole = None
    for revision in sorted(saved.revisions, key=attrgetter("number")):
        fields = msgspec.structs.asdict(revision) | {"version": versions[revision.version]}
        fields.pop("name")
        document = fields.pop("document")
        row = RosterRevision(roster=roster, content_hash=hash_document(document), **fields)
        row.store_document(document, whole)
        if not row.base:
            whole = WholeDocument(row.number, document)
        rows.append(row)
    # A history may hold hundreds of documents.
    RosterRevision.objects.bulk_create(rows, batch_size=CHUNK)
    revision_keys = dict(RosterRevision.objects.filter(roster=roster).values_list("number", "pk"))
    RevisionName.objects.bulk_create(
        RevisionName(revision_id=revision_keys[revision.number], name=revision.name)
        for revision in saved.revisions
        if revision.name
    )

    if saved.plan:
        RosterPlan.objects.create(roster=roster, document=saved.plan)
    _restore_labels(owner, roster, saved)
    # `save` would set both dates to now; an update keeps the dates of the backup.
    written = sum(row.stored for row in rows)
    Roster.objects.filter(pk=roster.pk).update(written=written, created=saved.created, updated=saved.updated)


def _create_roster(owner: Visitor, saved: SavedList, versions: Mapping[str, PackVersion]) -> Roster:
    state = _get_shown(saved)
    version = versions[state.version]
    # Rules may have been corrected since the backup.
    evaluated_list = evaluate_list(version, saved.faction_id, state.document, tree=False)
    # If another list took the link meanwhile, use the address of this list.
    free = not Roster.objects.filter(Q(link_id=saved.link_id) | Q(public_id=saved.link_id)).exists()
    roster = Roster(
        **owner.fields,
        **summarize_list(evaluated_list),
        public_id=saved.public_id,
        link_id=saved.link_id if free else saved.public_id,
        visibility=saved.visibility,
        is_secret=saved.is_secret,
        is_uncounted=saved.is_uncounted,
        taken_down=saved.taken_down,
        version=version,
        faction_id=saved.faction_id,
        document=state.document,
        head=saved.head,
        last=max(revision.number for revision in saved.revisions),
        aside=saved.aside,
        binned=saved.binned,
    )
    roster.save()
    return roster


def _restore_labels(owner: Visitor, roster: Roster, saved: SavedList) -> None:
    folder = ensure_label(Folder, owner, saved.folder) if saved.folder else None
    if isinstance(folder, Folder):
        Roster.objects.filter(pk=roster.pk).update(folder=folder)
    labels = (ensure_label(Tag, owner, name) for name in saved.tags)
    roster.tags.add(*(label for label in labels if isinstance(label, Tag)))
