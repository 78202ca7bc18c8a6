"""Store revisions, and show a list at a revision.

A change becomes the new head or a conflicting revision; undo and redo only move the head.
"""

import copy
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.contrib.auth.models import AnonymousUser, User
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from catalogue.models import PackVersion
from catalogue.services.lru import Lru
from roster.models import RevisionOutlook, Roster, RosterRevision
from roster.models.roster import WholeDocument
from roster.services.evaluation import (
    EvaluatedList,
    ListSummary,
    encode_outlook,
    encode_tree,
    hash_document,
    recall_outlook,
    summarize_list,
    take_evaluation,
)
from roster.services.history import get_revision_name, get_revision_outlook
from roster.services.homebrew import name_homebrew
from roster.services.limits import trim_history
from roster.services.outcomes import Conflict, ConflictingRevision, SavedEdit

# Each failure means that another device wrote in between.
TRIES = 5
LONGEST_SUBJECT = 200

SHORTEST_HASH = 8
"""Digits of a revision's hash that open it to other readers, as in a QR code."""


SELDOM_CHANGED = ("name", "search_text", "limit", "cards", "cards_needed", "homebrew", "version")
"""Columns of a list that rarely change."""

BASES_KEPT = 64


_bases: Lru[tuple[str, int], WholeDocument] = Lru(BASES_KEPT)
"""A revision's base, or its own document if it is stored whole, by list and revision."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRevision:
    evaluated_list: EvaluatedList
    version: PackVersion
    act: str
    subject: str = ""
    created: tuple[str, ...] = ()
    device_step: str = ""

    @property
    def document(self) -> str:
        return encode_tree(self.evaluated_list.tree)


def append_revision(roster: Roster, step: NewRevision) -> SavedEdit | Conflict:
    """Store a revision as the new head, unless the list has changed since it was read."""
    # After an undo, newer revisions stay in the history.
    made_on, number, document = roster.head, roster.last + 1, step.document
    summary = summarize_list(step.evaluated_list)
    base = _bases.find((roster.public_id, made_on)) or find_whole_document(roster)
    revision = build_revision(roster, step, summary, document, number=number, parent=made_on, base=base)
    written = roster.written + revision.stored
    with transaction.atomic():
        # Update the row first: a slower writer fails here, having written nothing.
        if not _update_roster(roster, summary, document, step.version, head=number, last=number, written=written):
            return Conflict(made_on=made_on, head=read_head(roster))
        revision.save(force_insert=True)
        store_revision_outlook(revision, step.evaluated_list)
        trim_history(roster)
        whole = base if base and revision.base else WholeDocument(number, document)
        # Only after the commit may others be stored as differences from it.
        transaction.on_commit(lambda: _bases.put((roster.public_id, number), whole))
    return SavedEdit(
        roster=roster, evaluated_list=step.evaluated_list, created=step.created, act=step.act, subject=revision.subject
    )


def store_conflicting_revision(roster: Roster, made_on: int, step: NewRevision) -> ConflictingRevision | Conflict:
    """Store a revision next to the head, for the owner to choose. `roster` stays unchanged."""
    document = step.document
    for _ in range(TRIES):
        row = Roster.objects.filter(pk=roster.pk)
        now = row.values_list("head", "last").first()
        if now is None:
            break
        # If another writer comes first, try again.
        head, number = now[0], now[1] + 1
        # Another writer may have stored a document whole.
        summary, base = summarize_list(step.evaluated_list), find_whole_document(roster)
        revision = build_revision(roster, step, summary, document, number=number, parent=made_on, base=base)
        revision.aside = True
        longer = F("written") + revision.stored
        with transaction.atomic():
            # The owner chooses about the newest one; earlier ones stay in the history.
            if row.filter(last=now[1]).update(last=number, aside=number, written=longer):
                revision.save()
                return ConflictingRevision(made_on=made_on, head=head, number=number)
    return Conflict(made_on=made_on, head=read_head(roster))


def move_head(roster: Roster, revision: RosterRevision) -> SavedEdit | Conflict:
    made_on = roster.head
    base = _bases.find((roster.public_id, made_on))
    # Usually the revision is stored as a difference from the same base.
    if base and base.number == revision.base:
        roster.remember_whole(*base)
    # Undo also reverses a change of version.
    evaluated_list = evaluate_revision(revision, roster.faction_id)
    summary, document, number = summarize_list(evaluated_list), revision.document, revision.number
    # New steps must be readable without the archive.
    if not revision.is_archived:
        whole = roster.read_whole_document(revision.base) if revision.base else document
        _bases.put((roster.public_id, number), WholeDocument(revision.base or number, whole))
    last, written = roster.last, roster.written
    if not _update_roster(roster, summary, document, revision.version, head=number, last=last, written=written):
        return Conflict(made_on=made_on, head=read_head(roster))
    return SavedEdit(roster=roster, evaluated_list=evaluated_list, act=revision.act, subject=revision.subject)


def evaluate_revision(revision: RosterRevision, faction_id: str) -> EvaluatedList:
    evaluated_list = take_evaluation(revision.version, faction_id, revision.document)
    return recall_outlook(evaluated_list, get_revision_outlook(revision).outlook)


def keep_outlook(roster: Roster, evaluated_list: EvaluatedList) -> None:
    # Reading a list must not write.
    if encode_outlook(evaluated_list) == roster.outlook or not evaluated_list.report.is_finished:
        return
    fields = _list_outlook_fields(evaluated_list)
    with transaction.atomic():
        if not Roster.objects.filter(pk=roster.pk, head=roster.head).update(**fields):
            return
        RevisionOutlook.objects.filter(revision__roster=roster, revision__number=roster.head).delete()
        store_revision_outlook(roster.revisions.get(number=roster.head), evaluated_list)
    for name, value in fields.items():
        setattr(roster, name, value)


def store_revision_outlook(revision: RosterRevision, evaluated_list: EvaluatedList) -> None:
    fields = _list_outlook_fields(evaluated_list)
    if fields["outlook"]:
        RevisionOutlook.objects.create(revision=revision, **fields)


def _list_outlook_fields(evaluated_list: EvaluatedList) -> dict[str, Any]:
    outlook, report = encode_outlook(evaluated_list), evaluated_list.report
    return {"outlook": outlook, "verdict": evaluated_list.verdict.value, "violations": report.error_count}


def build_revision(
    roster: Roster,
    step: NewRevision,
    summary: ListSummary,
    document: str,
    *,
    number: int,
    parent: int,
    base: WholeDocument | None = None,
) -> RosterRevision:
    """Build an unsaved revision, stored as a difference from `base`."""
    revision = RosterRevision(
        roster=roster,
        number=number,
        parent=parent,
        text="",
        act=step.act,
        subject=step.subject[:LONGEST_SUBJECT],
        content_hash=hash_document(document),
        version=step.version,
        points=summary["points"],
        verdict=summary["verdict"],
        violations=summary["violations"],
        device_step=step.device_step,
    )
    revision.store_document(document, base)
    return revision


def find_whole_document(roster: Roster) -> WholeDocument | None:
    # Archived revisions have no content.
    newest = roster.revisions.filter(base=0).exclude(packed=None, text="").order_by("-number").first()
    return WholeDocument(newest.number, newest.document) if newest else None


def _update_roster(
    roster: Roster, summary: ListSummary, document: str, version: PackVersion, *, head: int, last: int, written: int
) -> bool:
    """Store a list's new state in one statement, without a lock, unless the list has changed since it was read."""
    fields: dict[str, Any] = {
        **summary,
        "document": document,
        "head": head,
        "last": last,
        "version": version,
        "written": written,
        "updated": timezone.now(),
    }
    for name in SELDOM_CHANGED:
        if fields[name] == getattr(roster, name):
            del fields[name]
    if not Roster.objects.filter(pk=roster.pk, head=roster.head, last=roster.last).update(**fields):
        return False
    for name, value in fields.items():
        setattr(roster, name, value)
    return True


def read_head(roster: Roster) -> int:
    """Return the current revision, 0 if the list is deleted."""
    return Roster.objects.filter(pk=roster.pk).values_list("head", flat=True).first() or 0


def build_revision_address(address: str, number: int, content_hash: str) -> str:
    """Return a list's address at this revision.

    >>> build_revision_address("/r/x/", 7, "3f9c21ab77aa")
    '/r/x/?revision=7&hash=3f9c21ab'
    """
    return f"{address}?revision={number}&hash={content_hash[:SHORTEST_HASH]}"


class PaperState(StrEnum):
    """NEWER_DATA is the same list as printed, evaluated with another version."""

    SAME = "same"
    CHANGED = "changed"
    NEWER_DATA = "newer-data"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class ShownList:
    """Never save `roster` if it is an older revision."""

    roster: Roster
    paper: PaperState | None = None
    number: int = 0
    name: str = ""

    @property
    def is_past(self) -> bool:
        return self.paper in (PaperState.CHANGED, PaperState.NEWER_DATA)

    def build_address(self, address: str) -> str:
        if self.paper in (None, PaperState.UNKNOWN):
            return address
        return build_revision_address(address, self.number, hash_document(self.roster.document))


def find_shown_revision(roster: Roster, number: str, content_hash: str, *, owned: bool) -> ShownList:
    """Find a list at a revision; readers other than the owner need its hash."""
    if not number and not content_hash:
        return ShownList(roster)
    # `isdigit` accepts digits that `int` refuses; no revision has the number 0.
    requested = int(number) if number.isascii() and number.isdigit() and len(number) < 10 else 0
    revision = roster.revisions.select_related("version__game", "named", "foreseen").filter(number=requested).first()
    if revision is None:
        return ShownList(roster, PaperState.UNKNOWN, requested)
    may_see = owned
    if content_hash:
        may_see = len(content_hash) >= SHORTEST_HASH and revision.content_hash.startswith(content_hash)
    if not may_see:
        return ShownList(roster, PaperState.UNKNOWN, requested)
    name = get_revision_name(revision)
    if revision.content_hash != hash_document(roster.document):
        return ShownList(_build_past_roster(roster, revision), PaperState.CHANGED, requested, name)
    if revision.version_id != roster.version_id:
        return ShownList(_build_past_roster(roster, revision), PaperState.NEWER_DATA, requested, name)
    return ShownList(roster, PaperState.SAME, requested, name)


def _build_past_roster(roster: Roster, revision: RosterRevision) -> Roster:
    # Never saved: pages show the fields of that time.
    past = copy.copy(roster)
    past.document, past.head, past.last = revision.document, revision.number, revision.number
    past.version = revision.version
    outlook = get_revision_outlook(revision)
    past.points, past.verdict, past.violations = revision.points, outlook.verdict, outlook.violations
    past.outlook = outlook.outlook
    past.name, past.updated = revision.tree.name, revision.created
    past.homebrew = name_homebrew(past.version.game_id, revision.tree.homebrew)
    past._state.fields_cache["plan"] = None
    return past


# ---- printouts compared with submissions --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperComparison:
    """A submission to an event, and how a printout compares with it, in sentences."""

    event: str
    player: str
    address: str
    is_match: bool
    differences: tuple[str, ...] = ()


HoldPaper = Callable[[User | AnonymousUser, str, ShownList | None], list[PaperComparison]]
_HOLDERS: list[HoldPaper] = []


def register_holder(hold_paper: HoldPaper) -> None:
    _HOLDERS.append(hold_paper)


def hold_paper_against(
    reader: User | AnonymousUser, digits: str, shown_list: ShownList | None
) -> list[PaperComparison]:
    """List the submissions that a printout with these digits may show, if the reader runs the event."""
    if not digits:
        return []
    return [comparison for hold_paper in _HOLDERS for comparison in hold_paper(reader, digits, shown_list)]
