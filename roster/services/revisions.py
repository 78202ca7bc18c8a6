"""Store revisions, and show a list as it was at a named revision, which the QR code of a sheet leads to.

A change is stored as a revision on top, as one beside it, or as the pointer to one that is there.
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
from roster.services.limits import trim_history
from roster.services.outcomes import Conflict, ConflictingRevision, SavedEdit

# Each failure means that another device wrote in between: five in a row are no accident.
TRIES = 5
LONGEST_SUBJECT = 200

SHORTEST_HASH = 8
"""Digits of a revision's hash that open it to somebody who is not the owner: as many as are in a QR code."""


SELDOM_CHANGED = ("name", "search_text", "limit", "cards", "cards_needed", "version")
"""Columns of a list that a step seldom changes, and nothing else does."""

BASES_KEPT = 64


_bases: Lru[tuple[str, int], WholeDocument] = Lru(BASES_KEPT)
"""By list and revision: what that revision is stored as a difference from, or itself where it is stored whole.

Such a document is there as long as the revision is, so whoever adds a step on top needs not read it again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRevision:
    """What a new revision holds: the list as judged by a version of the data, and what was done to it."""

    judged: EvaluatedList
    version: PackVersion
    act: str
    subject: str = ""
    created: tuple[str, ...] = ()

    @property
    def document(self) -> str:
        return encode_tree(self.judged.tree)


def append_revision(roster: Roster, step: NewRevision) -> SavedEdit | Conflict:
    """Store a new revision as what the list is now, unless the list moved since it was read."""
    # Above the last and not above the head: after an undo the newer ones stay in the history.
    made_on, number, document = roster.head, roster.last + 1, step.document
    summary = summarize_list(step.judged)
    base = _bases.find((roster.public_id, made_on)) or find_whole_document(roster)
    revision = build_revision(roster, step, summary, document, number=number, parent=made_on, base=base)
    written = roster.written + revision.stored
    with transaction.atomic():
        # The row first: anybody who comes second finds it moved, and has written nothing.
        if not _update_roster(roster, summary, document, step.version, head=number, last=number, written=written):
            return Conflict(made_on=made_on, head=read_head(roster))
        revision.save(force_insert=True)
        store_revision_outlook(revision, step.judged)
        # After the revision is stored, so that the newest step counts.
        trim_history(roster)
        whole = base if base and revision.base else WholeDocument(number, document)
        # Once it is stored for good: only then others may be stored as differences from it.
        transaction.on_commit(lambda: _bases.put((roster.public_id, number), whole))
    return SavedEdit(roster=roster, judged=step.judged, created=step.created, act=step.act, subject=revision.subject)


def store_conflicting_revision(roster: Roster, made_on: int, step: NewRevision) -> ConflictingRevision | Conflict:
    """Store a revision beside what the list is now, for its owner to choose. `roster` stays as it was read."""
    document = step.document
    for _ in range(TRIES):
        row = Roster.objects.filter(pk=roster.pk)
        now = row.values_list("head", "last").first()
        if now is None:
            break
        # The number is taken from the row as it is now; if another writer was quicker, try again.
        head, number = now[0], now[1] + 1
        # Read again in each try: another writer may have stored a document whole.
        summary, base = summarize_list(step.judged), find_whole_document(roster)
        revision = build_revision(roster, step, summary, document, number=number, parent=made_on, base=base)
        revision.aside = True
        longer = F("written") + revision.stored
        with transaction.atomic():
            # The last one made aside is the one to choose about; earlier ones stay in the history.
            if row.filter(last=now[1]).update(last=number, aside=number, written=longer):
                revision.save()
                return ConflictingRevision(made_on=made_on, head=head, number=number)
    return Conflict(made_on=made_on, head=read_head(roster))


def move_head(roster: Roster, revision: RosterRevision) -> SavedEdit | Conflict:
    """Make an earlier or later revision what the list is now; nothing is added to the history."""
    made_on = roster.head
    base = _bases.find((roster.public_id, made_on))
    # Undo mostly goes to a revision that is stored as a difference from what is at hand already.
    if base and base.number == revision.base:
        roster.remember_whole(*base)
    # By the data of that revision: undo goes back over a change of version as well.
    judged = evaluate_revision(revision, roster.faction_id)
    summary, document, number = summarize_list(judged), revision.document, revision.number
    # The next step is stored as a difference from what this one was read with, and needs not read it again.
    whole = roster.read_whole_document(revision.base) if revision.base else document
    _bases.put((roster.public_id, number), WholeDocument(revision.base or number, whole))
    last, written = roster.last, roster.written
    if not _update_roster(roster, summary, document, revision.version, head=number, last=last, written=written):
        return Conflict(made_on=made_on, head=read_head(roster))
    return SavedEdit(roster=roster, judged=judged, act=revision.act, subject=revision.subject)


def evaluate_revision(revision: RosterRevision, faction_id: str) -> EvaluatedList:
    """Judge what a list was at a revision, by the data it had then."""
    judged = take_evaluation(revision.version, faction_id, revision.document)
    return recall_outlook(judged, get_revision_outlook(revision).outlook)


def keep_outlook(roster: Roster, judged: EvaluatedList) -> None:
    """Keep what looking ahead found of a list as it is, so that all who read the list have the same verdict.

    The date of the last change stays, as the list does.
    """
    # Looked ahead again with the same result: nothing is written, so that reading a list stays reading. What the clock
    # ended found out nothing.
    if encode_outlook(judged) == roster.outlook or not judged.report.is_finished:
        return
    fields = _list_outlook_fields(judged)
    with transaction.atomic():
        # The list moved while the solver was at work: what it found is about a list that is no more.
        if not Roster.objects.filter(pk=roster.pk, head=roster.head).update(**fields):
            return
        RevisionOutlook.objects.filter(revision__roster=roster, revision__number=roster.head).delete()
        store_revision_outlook(roster.revisions.get(number=roster.head), judged)
    for name, value in fields.items():
        setattr(roster, name, value)


def store_revision_outlook(revision: RosterRevision, judged: EvaluatedList) -> None:
    """Store beside a revision what looking ahead found of it; nothing where that is nothing."""
    fields = _list_outlook_fields(judged)
    if fields["outlook"]:
        RevisionOutlook.objects.create(revision=revision, **fields)


def _list_outlook_fields(judged: EvaluatedList) -> dict[str, Any]:
    outlook, report = encode_outlook(judged), judged.report
    return {"outlook": outlook, "verdict": judged.verdict.value, "violations": report.error_count}


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
    """Build a revision, not saved yet, without a look at the list it belongs to; stored as a difference from `base`."""
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
    )
    revision.store_document(document, base)
    return revision


def find_whole_document(roster: Roster) -> WholeDocument | None:
    """Return the newest document that is stored whole, from which others are stored as differences."""
    newest = roster.revisions.filter(base=0).order_by("-number").first()
    return WholeDocument(newest.number, newest.document) if newest else None


def _update_roster(
    roster: Roster, summary: ListSummary, document: str, version: PackVersion, *, head: int, last: int, written: int
) -> bool:
    """Store what the list is now, unless it moved since it was read.

    Comparing and setting in one statement needs no lock held while a list is judged, and of two edits made on one
    revision exactly one finds the row as it was read. Every field of `roster` is set only after the row is.
    """
    fields: dict[str, Any] = {
        **summary,
        "document": document,
        "head": head,
        "last": last,
        "version": version,
        "written": written,
        "updated": timezone.now(),
    }
    # Most steps leave these as they are, and nothing but a step changes them: the row says which step it is at.
    for name in SELDOM_CHANGED:
        if fields[name] == getattr(roster, name):
            del fields[name]
    if not Roster.objects.filter(pk=roster.pk, head=roster.head, last=roster.last).update(**fields):
        return False
    for name, value in fields.items():
        setattr(roster, name, value)
    return True


def read_head(roster: Roster) -> int:
    """Return the revision a list is at by now; 0 if it is gone."""
    return Roster.objects.filter(pk=roster.pk).values_list("head", flat=True).first() or 0


def build_revision_address(address: str, number: int, content_hash: str) -> str:
    """Return the address of a list at exactly this revision, from that of its read-only page.

    >>> build_revision_address("/r/x/", 7, "3f9c21ab77aa")
    '/r/x/?revision=7&hash=3f9c21ab'
    """
    return f"{address}?revision={number}&hash={content_hash[:SHORTEST_HASH]}"


class PaperState(StrEnum):
    """How a paper, which names revision and hash, stands to the list as it is now.

    `NEWER_DATA`: the list is the same, but is judged by another version of the data now. `UNKNOWN`: the list was never
    what the paper says, or the paper says too little to be shown more than what is there now.
    """

    SAME = "same"
    CHANGED = "changed"
    NEWER_DATA = "newer-data"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class ShownList:
    """The list as it is shown. `paper` is None where no revision was asked for; `number` is the one asked for, `name`
    what its owner calls it.

    After a change `roster` holds what the revision did, and is never to be saved.
    """

    roster: Roster
    paper: PaperState | None = None
    number: int = 0
    name: str = ""

    @property
    def is_past(self) -> bool:
        return self.paper in (PaperState.CHANGED, PaperState.NEWER_DATA)

    def build_address(self, address: str) -> str:
        """Return the address of what is shown, with the revision if one was asked for."""
        if self.paper in (None, PaperState.UNKNOWN):
            return address
        return build_revision_address(address, self.number, hash_document(self.roster.document))


def find_shown_revision(roster: Roster, number: str, content_hash: str, *, owned: bool) -> ShownList:
    """Return the list at a revision. Only its owner can do without the revision's hash; others see it as it is."""
    if not number and not content_hash:
        return ShownList(roster)
    # `isdigit` is true for digits of other scripts, which `int` may refuse; no revision has the number 0.
    wanted = int(number) if number.isascii() and number.isdigit() and len(number) < 10 else 0
    revision = roster.revisions.select_related("version__game", "named", "foreseen").filter(number=wanted).first()
    if revision is None:
        return ShownList(roster, PaperState.UNKNOWN, wanted)
    may_see = owned
    if content_hash:
        may_see = len(content_hash) >= SHORTEST_HASH and revision.content_hash.startswith(content_hash)
    if not may_see:
        return ShownList(roster, PaperState.UNKNOWN, wanted)
    name = get_revision_name(revision)
    if revision.content_hash != hash_document(roster.document):
        return ShownList(_build_past_roster(roster, revision), PaperState.CHANGED, wanted, name)
    if revision.version_id != roster.version_id:
        return ShownList(_build_past_roster(roster, revision), PaperState.NEWER_DATA, wanted, name)
    return ShownList(roster, PaperState.SAME, wanted, name)


def _build_past_roster(roster: Roster, revision: RosterRevision) -> Roster:
    # A copy that is never saved: pages show the list with the fields of that day.
    past = copy.copy(roster)
    past.document, past.head, past.last = revision.document, revision.number, revision.number
    past.version = revision.version
    outlook = get_revision_outlook(revision)
    past.points, past.verdict, past.violations = revision.points, outlook.verdict, outlook.violations
    past.outlook = outlook.outlook
    past.name, past.updated = revision.tree.name, revision.created
    past._state.fields_cache["plan"] = None  # the plan is that of the list as it is now
    return past


# ---- papers held against what was handed in --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class HandedIn:
    """What somebody handed in to an event, held against a paper; `address` leads there, `differences` are sentences."""

    event: str
    player: str
    address: str
    is_match: bool
    differences: tuple[str, ...] = ()


HoldPaper = Callable[[User | AnonymousUser, str, ShownList | None], list[HandedIn]]
_HOLDERS: list[HoldPaper] = []


def register_holder(hold_paper: HoldPaper) -> None:
    """Have papers held against what was handed in elsewhere, for readers who may know of it."""
    _HOLDERS.append(hold_paper)


def hold_paper_against(reader: User | AnonymousUser, digits: str, shown: ShownList | None) -> list[HandedIn]:
    """Return what was handed in that a paper with these digits may be of; nothing for a reader who runs no event."""
    return [handed for hold_paper in _HOLDERS for handed in hold_paper(reader, digits, shown)] if digits else []
