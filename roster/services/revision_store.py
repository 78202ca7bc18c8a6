"""Storing what a list became: a revision on top, a revision beside it, or the pointer to one that is there."""

from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from catalogue.models import PackVersion
from roster.models import Roster, RosterRevision
from roster.services.evaluation import EvaluatedList, encode_tree, evaluate_list, hash_document
from roster.services.outcomes import Conflict, ConflictingRevision, SavedEdit
from roster.services.quotas import trim_history
from roster.services.summary import summarize_list

TRIES = 5
LONGEST_SUBJECT = 200


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
    made_on, number, document = roster.head, roster.last + 1, step.document
    with transaction.atomic():
        if not _update_roster(roster, step.judged, document, step.version, head=number, last=number):
            return Conflict(made_on=made_on, head=read_head(roster))
        record_revision(roster, step, document, number=number, parent=made_on)
        # After the revision is stored, so that the newest step counts.
        trim_history(roster)
    return SavedEdit(roster=roster, judged=step.judged, created=step.created)


def store_conflicting_revision(
    roster: Roster, made_on: int, step: NewRevision
) -> ConflictingRevision | Conflict:
    """Store a revision beside what the list is now, for its owner to choose. `roster` stays as it was read."""
    document = step.document
    for _ in range(TRIES):
        row = Roster.objects.filter(pk=roster.pk)
        now = row.values_list("head", "last").first()
        if now is None:
            break
        # The number is taken from the row as it is now; if another writer was quicker, try again.
        head, number = now[0], now[1] + 1
        with transaction.atomic():
            longer = F("written") + len(document)
            if row.filter(last=now[1]).update(last=number, aside=number, written=longer):
                record_revision(roster, step, document, number=number, parent=made_on, aside=True)
                return ConflictingRevision(made_on=made_on, head=head, number=number)
    return Conflict(made_on=made_on, head=read_head(roster))


def move_head(roster: Roster, revision: RosterRevision) -> SavedEdit | Conflict:
    """Make an earlier or later revision what the list is now; nothing is added to the history."""
    made_on = roster.head
    judged = evaluate_list(revision.version, roster.faction_id, revision.tree)
    if not _update_roster(
        roster, judged, revision.document, revision.version, head=revision.number, last=roster.last
    ):
        return Conflict(made_on=made_on, head=read_head(roster))
    return SavedEdit(roster=roster, judged=judged)


def record_revision(
    roster: Roster, step: NewRevision, document: str, *, number: int, parent: int, aside: bool = False
) -> RosterRevision:
    """Write a revision, without a look at the list it belongs to."""
    summary = summarize_list(step.judged)
    return RosterRevision.objects.create(
        roster=roster,
        number=number,
        parent=parent,
        document=document,
        act=step.act,
        subject=step.subject[:LONGEST_SUBJECT],
        content_hash=hash_document(document),
        version=step.version,
        points=summary["points"],
        verdict=summary["verdict"],
        violations=summary["violations"],
        aside=aside,
    )


def _update_roster(
    roster: Roster, judged: EvaluatedList, document: str, version: PackVersion, *, head: int, last: int
) -> bool:
    """Store what the list is now, unless it moved since it was read.

    Comparing and setting in one statement needs no lock held while a list is judged, and of two edits made on one
    revision exactly one finds the row as it was read. Every field of `roster` is set only after the row is.
    """
    fields: dict[str, Any] = {
        **summarize_list(judged),
        "document": document,
        "head": head,
        "last": last,
        "version": version,
        "written": roster.written + (len(document) if last != roster.last else 0),
        "updated": timezone.now(),
    }
    if not Roster.objects.filter(pk=roster.pk, head=roster.head, last=roster.last).update(**fields):
        return False
    for name, value in fields.items():
        setattr(roster, name, value)
    return True


def read_head(roster: Roster) -> int:
    """Return the revision a list is at by now; 0 if it is gone."""
    return Roster.objects.filter(pk=roster.pk).values_list("head", flat=True).first() or 0
