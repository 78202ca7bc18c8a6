"""Edit a stored list: one act makes one revision, or changes nothing."""

from dataclasses import replace

from django.db.models import QuerySet

from roster.engine.edits import Refused
from roster.engine.evaluation import OverdueError, expire_never
from roster.models import Roster, RosterRevision
from roster.services.apply import apply_change
from roster.services.changes import AddDetachment, Change, Describe, SetRules
from roster.services.evaluation import borrow_evaluation, encode_tree, evaluate_roster, evaluate_with
from roster.services.limits import check_history, check_size, get_judging_seconds, start_deadline
from roster.services.outcomes import Conflict, Outcome, SavedEdit
from roster.services.revisions import (
    NewRevision,
    append_revision,
    evaluate_revision,
    move_head,
    store_conflicting_revision,
)
from roster.services.rulesets import check_overlay, collect_catalogue_ids, load_ruleset


def edit_roster(roster: Roster, on_revision: int, change: Change, device_step: str = "") -> Outcome:
    """Apply a change to the revision that the user saw, store it and update `roster`.

    If another edit came first, the change is stored as a `ConflictingRevision`. A device that heard no answer sends a
    change again with the same `device_step`; it counts once.
    """
    if full := check_history(roster):
        return full
    if roster.head != on_revision:
        taken = _find_taken_step(roster, device_step)
        return taken or _store_conflicting_edit(roster, on_revision, change, device_step)
    step = _prepare_revision(roster, roster, change, device_step)
    if isinstance(step, Refused):
        return step
    # An edit without effect must not become a step to undo.
    if step.document == roster.document:
        return SavedEdit(roster=roster, judged=step.judged, created=step.created)
    stored = append_revision(roster, step)
    return stored if isinstance(stored, SavedEdit) else store_conflicting_revision(roster, on_revision, step)


def _find_taken_step(roster: Roster, device_step: str) -> SavedEdit | None:
    """Return the list as it is if it contains this step already."""
    if not device_step or not roster.revisions.filter(device_step=device_step, aside=False).exists():
        return None
    return SavedEdit(roster=roster, judged=evaluate_roster(roster))


def _store_conflicting_edit(roster: Roster, on_revision: int, change: Change, device_step: str) -> Outcome:
    past = find_revision(roster, on_revision)
    if past is None:
        return Conflict(made_on=on_revision, head=roster.head)
    step = _prepare_revision(roster, past, change, device_step)
    if isinstance(step, Refused):
        return step
    if step.document == roster.document and past.version_id == roster.version_id:
        return SavedEdit(roster=roster, judged=step.judged, created=step.created)
    return store_conflicting_revision(roster, on_revision, step)


def _prepare_revision(
    roster: Roster, past: Roster | RosterRevision, change: Change, device_step: str
) -> NewRevision | Refused:
    version, tree = past.version, past.tree
    rules = change.rules if isinstance(change, SetRules | Describe) else None
    if rules and not check_overlay(rules, version):
        return Refused(code="unknown-rules", subject_id=rules)
    # Community data is compiled by faction.
    needed = collect_catalogue_ids(tree)
    if isinstance(change, AddDetachment) and change.catalogue:
        needed.add(change.catalogue)
    ruleset = load_ruleset(version, roster.faction_id, needed, tree.overlay)
    applied = apply_change(ruleset, tree, change, roster.faction_id)
    if isinstance(applied, Refused):
        return applied
    refused = check_size(applied.tree, len(encode_tree(applied.tree)), before=tree)
    if refused:
        return refused
    # Other rules change the ruleset that judges the result.
    if applied.tree.overlay != tree.overlay:
        ruleset = load_ruleset(version, roster.faction_id, needed, applied.tree.overlay)
    has_account = not roster.owner_key
    try:
        with borrow_evaluation(version, roster.faction_id, past.document) as before:
            deadline = start_deadline(has_account=has_account)
            judged = evaluate_with(ruleset, applied.tree, deadline=deadline, before=before, begun=applied.evaluation)
    except OverdueError:
        return Refused(code="too-slow", allowed=get_judging_seconds(has_account=has_account))
    # The page uses this evaluation later, without a deadline.
    judged.evaluation.deadline = expire_never
    return NewRevision(
        judged=judged,
        version=version,
        act=applied.act,
        subject=applied.subject,
        created=applied.created,
        device_step=device_step,
    )


def undo_edit(roster: Roster, on_revision: int) -> Outcome:
    """Return to the revision before the current one."""
    if roster.head != on_revision:
        return Conflict(made_on=on_revision, head=roster.head)
    parent, act, subject = roster.revisions.values_list("parent", "act", "subject").get(number=roster.head)
    before = _find_step(roster, roster.revisions.filter(number=parent).order_by("number"))
    if before is None:
        return Refused(code="nothing-to-undo")
    outcome = move_head(roster, before)
    roster.remember_followed(before.number)
    return replace(outcome, act=act, subject=subject) if isinstance(outcome, SavedEdit) else outcome


def redo_edit(roster: Roster, on_revision: int) -> Outcome:
    """Redo the last undo, or the newest of several edits; conflicting edits of other devices come last."""
    if roster.head != on_revision:
        return Conflict(made_on=on_revision, head=roster.head)
    next_one = _find_step(roster, roster.revisions.filter(parent=roster.head).order_by("aside", "-number"))
    return move_head(roster, next_one) if next_one else Refused(code="nothing-to-redo")


def restore_revision(roster: Roster, on_revision: int, number: int) -> Outcome:
    """Append a copy of revision `number`, evaluated with its own data."""
    if roster.head != on_revision:
        return Conflict(made_on=on_revision, head=roster.head)
    past = find_revision(roster, number)
    if past is None:
        return Refused(code="unknown-revision", subject_id=str(number))
    if full := check_history(roster):
        return full
    judged = evaluate_revision(past, roster.faction_id)
    return append_revision(roster, NewRevision(judged=judged, version=past.version, act="restore", subject=str(number)))


def keep_current(roster: Roster, number: int) -> bool:
    """Keep the current list; return whether revision `number` was an open conflict."""
    waiting = Roster.objects.filter(pk=roster.pk, aside=number).exclude(aside=0)
    return bool(waiting.update(aside=0))


def take_conflicting_revision(roster: Roster, on_revision: int, number: int) -> Outcome:
    taken = restore_revision(roster, on_revision, number)
    if isinstance(taken, SavedEdit):
        keep_current(roster, number)
    return taken


def find_revision(roster: Roster, number: int) -> RosterRevision | None:
    """Return a revision with its version and game, or None."""
    return roster.revisions.filter(number=number).select_related("version__game", "named", "foreseen").first()


def _find_step(roster: Roster, revisions: QuerySet[RosterRevision]) -> RosterRevision | None:
    step = revisions.select_related("foreseen").first()
    # Usually this version is loaded already.
    if step and step.version_id == roster.version_id:
        step.version = roster.version
    return step
