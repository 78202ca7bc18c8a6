"""Changing a stored list: one act, one revision, or no change at all."""

from django.db import transaction
from django.utils import timezone

from roster.engine.edits import Refused
from roster.models import Roster, RosterRevision
from roster.services.apply import apply_change
from roster.services.changes import AddDetachment, Change
from roster.services.judging import Judged, hash_of, judge, judge_by, judge_roster, to_document
from roster.services.limits import too_large
from roster.services.outcomes import Conflict, Edited, Outcome
from roster.services.rosters import put_summary
from roster.services.rulesets import catalogues_of, ruleset_for


def edit_roster(roster: Roster, on_revision: int, change: Change) -> Outcome:
    """Make one change on the revision that the user saw.

    `roster` is the list as just read from the database; it is brought up to date when the edit is made. Whatever the
    change asks for, the answer is a value: `Refused` where it cannot be made, `Conflict` where somebody was quicker.
    """
    if roster.head != on_revision:
        return Conflict(made_on=on_revision, head=roster.head)
    tree = roster.tree
    needed = catalogues_of(tree)
    if isinstance(change, AddDetachment) and change.catalogue:
        needed.add(change.catalogue)
    ruleset = ruleset_for(roster.version, roster.faction_id, needed)
    applied = apply_change(ruleset, tree, change, roster.faction_id)
    if isinstance(applied, Refused):
        return applied
    document = to_document(applied.tree)
    refused = too_large(applied.tree, len(document))
    if refused:
        return refused
    judged = judge_by(ruleset, applied.tree)
    return _append(roster, judged, document, applied.act, applied.subject, applied.created)


def undo(roster: Roster, on_revision: int) -> Outcome:
    """Go back to what the list was before the revision shown."""
    if roster.head != on_revision:
        return Conflict(made_on=on_revision, head=roster.head)
    shown = roster.revisions.filter(number=roster.head).values("parent")
    before = roster.revisions.filter(number__in=shown).first()
    return _point(roster, before) if before else Refused(code="nothing-to-undo")


def redo(roster: Roster, on_revision: int) -> Outcome:
    """Take back the last undo; where several edits were made on what is shown, the newest of them is done again."""
    if roster.head != on_revision:
        return Conflict(made_on=on_revision, head=roster.head)
    after = roster.revisions.filter(parent=roster.head).order_by("-number").first()
    return _point(roster, after) if after else Refused(code="nothing-to-redo")


def restore(roster: Roster, on_revision: int, number: int) -> Outcome:
    """Make the list what it was at revision `number`, as a new revision on top: nothing in between is lost."""
    if roster.head != on_revision:
        return Conflict(made_on=on_revision, head=roster.head)
    past = roster.revisions.filter(number=number).first()
    if past is None:
        return Refused(code="unknown-revision", subject_id=str(number))
    judged = judge(roster.version, roster.faction_id, past.tree)
    return _append(roster, judged, past.document, "restore", str(number), ())


def _append(
    roster: Roster, judged: Judged, document: str, act: str, subject: str, created: tuple[str, ...]
) -> Edited | Conflict:
    made_on, number = roster.head, roster.last + 1
    with transaction.atomic():
        if not _move(roster, judged, document, head=number, last=number):
            return Conflict(made_on=made_on, head=_head_of(roster))
        RosterRevision.objects.create(
            roster=roster,
            number=number,
            parent=made_on,
            document=document,
            act=act,
            subject=subject[:200],
            content_hash=hash_of(document),
        )
    return Edited(roster=roster, judged=judged, created=created)


def _point(roster: Roster, revision: RosterRevision) -> Edited | Conflict:
    made_on = roster.head
    shown = Roster(version=roster.version, faction_id=roster.faction_id, document=revision.document)
    judged = judge_roster(shown)
    if not _move(roster, judged, revision.document, head=revision.number, last=roster.last):
        return Conflict(made_on=made_on, head=_head_of(roster))
    return Edited(roster=roster, judged=judged)


def _move(roster: Roster, judged: Judged, document: str, *, head: int, last: int) -> bool:
    """Store what the list is now, unless it moved since it was read.

    Comparing and setting in one statement needs no lock held while a list is judged, and of two edits made on one
    revision exactly one finds the row as it was read. Every field of `roster` is set only after the row is.
    """
    read = {"pk": roster.pk, "head": roster.head, "last": roster.last}
    after = Roster(pk=roster.pk, document=document, head=head, last=last, updated=timezone.now())
    put_summary(after, judged)
    fields = {name: getattr(after, name) for name in _MOVED}
    if not Roster.objects.filter(**read).update(**fields):
        return False
    for name, value in fields.items():
        setattr(roster, name, value)
    return True


_MOVED = ("document", "head", "last", "name", "points", "verdict", "violations", "updated")


def _head_of(roster: Roster) -> int:
    return Roster.objects.filter(pk=roster.pk).values_list("head", flat=True).first() or 0
