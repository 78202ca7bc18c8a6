"""Edit a stored list: one act makes one revision or changes nothing."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import wraps
from itertools import chain
from typing import ParamSpec

import msgspec
from django.db.models import QuerySet

from catalogue.models import PackVersion
from roster.engine.edits import Refused
from roster.engine.evaluation import OverdueError, expire_never
from roster.engine.tree import RosterTree
from roster.models import Roster, RosterRevision
from roster.models.roster import HistoryArchiveError
from roster.services.apply import AppliedChange, apply_change
from roster.services.changes import AddDetachment, Change, Describe, SetHomebrew, SetRules
from roster.services.evaluation import borrow_evaluation, encode_tree, evaluate_roster, evaluate_with
from roster.services.limits import check_history, check_size, get_judging_seconds, start_deadline
from roster.services.outcomes import Conflict, Outcome, RefusedChange, SavedEdit
from roster.services.revisions import (
    NewRevision,
    append_revision,
    evaluate_revision,
    move_head,
    store_conflicting_revision,
)
from roster.services.rulesets import check_overlay, collect_catalogue_ids, find_homebrew_for, load_ruleset

SEVERAL = "edits"
"""The act of a revision of several changes; its subject is their number."""
_CREATED = re.compile("@([0-9]{1,4})")
P = ParamSpec("P")


def _refuse_unreadable_steps(edit: Callable[P, Outcome]) -> Callable[P, Outcome]:
    """Refuse `lost-step` or `unread-step` if an edit needs a step that the archive does not give."""

    @wraps(edit)
    def try_edit(*args: P.args, **options: P.kwargs) -> Outcome:
        try:
            return edit(*args, **options)
        except HistoryArchiveError as error:
            return Refused(code=error.code)

    return try_edit


@_refuse_unreadable_steps
def edit_roster(
    roster: Roster, on_revision: int, *edits: Change, keep_stale: bool = True, device_step: str = ""
) -> Outcome:
    """Apply all changes or none to the revision that the user saw, as one step, and update `roster`.

    `@1` names the part that the first change creates. After another edit, the step becomes a `ConflictingRevision`, or
    is dropped without `keep_stale`. A repeated `device_step` counts once.
    """
    if full := check_history(roster):
        return full
    if roster.head != on_revision:
        if taken := _find_taken_step(roster, device_step):
            return taken
        if not keep_stale:
            return Conflict(made_on=on_revision, head=roster.head)
        return _store_conflicting_edit(roster, on_revision, edits)
    step = _prepare_revision(roster, roster, edits)
    if isinstance(step, Refused):
        return step
    # An edit without effect must not become a step to undo.
    if step.document == roster.document:
        return SavedEdit(roster=roster, evaluated_list=step.evaluated_list, created=step.created)
    stored = append_revision(roster, replace(step, device_step=device_step))
    if isinstance(stored, SavedEdit) or not keep_stale:
        return stored
    return store_conflicting_revision(roster, on_revision, step)


def _find_taken_step(roster: Roster, device_step: str) -> SavedEdit | None:
    if not device_step or not roster.revisions.filter(device_step=device_step, aside=False).exists():
        return None
    return SavedEdit(roster=roster, evaluated_list=evaluate_roster(roster))


def _store_conflicting_edit(roster: Roster, on_revision: int, edits: Sequence[Change]) -> Outcome:
    past = find_revision(roster, on_revision)
    if past is None:
        return Conflict(made_on=on_revision, head=roster.head)
    step = _prepare_revision(roster, past, edits)
    if isinstance(step, Refused):
        return step
    if step.document == roster.document and past.version_id == roster.version_id:
        return SavedEdit(roster=roster, evaluated_list=step.evaluated_list, created=step.created)
    return store_conflicting_revision(roster, on_revision, step)


def _prepare_revision(roster: Roster, past: Roster | RosterRevision, edits: Sequence[Change]) -> NewRevision | Refused:
    version, tree = past.version, past.tree
    steps: list[AppliedChange] = []
    for number, change in enumerate(edits, 1):
        applied = _apply_edit(roster, version, tree, _resolve_created(change, steps))
        if isinstance(applied, Refused):
            if len(edits) == 1:
                return applied
            return RefusedChange(number=number, **msgspec.structs.asdict(applied))
        steps.append(applied)
        tree = applied.tree
    refused = check_size(tree, len(encode_tree(tree)), before=past.tree)
    if refused:
        return refused
    # The ruleset of the last change, unless that chose other rules.
    needed = collect_catalogue_ids(past.tree) | collect_catalogue_ids(tree)
    ruleset = load_ruleset(version, roster.faction_id, needed, tree.rules)
    has_account = not roster.owner_key
    try:
        with borrow_evaluation(version, roster.faction_id, past.document) as before:
            deadline = start_deadline(has_account=has_account)
            evaluated_list = evaluate_with(ruleset, tree, deadline=deadline, before=before, begun=steps[-1].evaluation)
    except OverdueError:
        return Refused(code="too-slow", allowed=get_judging_seconds(has_account=has_account))
    # The page uses this evaluation later, without a deadline.
    evaluated_list.evaluation.deadline = expire_never
    act, subject = (steps[0].act, steps[0].subject) if len(steps) == 1 else (SEVERAL, str(len(steps)))
    created = tuple(chain.from_iterable(step.created for step in steps))
    return NewRevision(evaluated_list=evaluated_list, version=version, act=act, subject=subject, created=created)


def _resolve_created(change: Change, steps: Sequence[AppliedChange]) -> Change:
    ids = {}
    for field in ("node", "instead", "to"):
        match = _CREATED.fullmatch(getattr(change, field, ""))
        number = int(match.group(1)) if match else 0
        if 0 < number <= len(steps) and steps[number - 1].created:
            ids[field] = steps[number - 1].created[0]
    return msgspec.structs.replace(change, **ids) if ids else change


def _apply_edit(roster: Roster, version: PackVersion, tree: RosterTree, change: Change) -> AppliedChange | Refused:
    rules = change.rules if isinstance(change, SetRules | Describe) else None
    if rules and not check_overlay(rules, version):
        return Refused(code="unknown-rules", subject_id=rules)
    rules = change.homebrew if isinstance(change, SetHomebrew) else None
    if rules and not find_homebrew_for(version.game_id, rules):
        return Refused(code="unknown-rules", subject_id=rules)
    # Community data is compiled by faction.
    needed = collect_catalogue_ids(tree)
    if isinstance(change, AddDetachment) and change.catalogue:
        needed.add(change.catalogue)
    ruleset = load_ruleset(version, roster.faction_id, needed, tree.rules)
    return apply_change(ruleset, tree, change, roster.faction_id)


@_refuse_unreadable_steps
def undo_edit(roster: Roster, on_revision: int) -> Outcome:
    if roster.head != on_revision:
        return Conflict(made_on=on_revision, head=roster.head)
    parent, act, subject = roster.revisions.values_list("parent", "act", "subject").get(number=roster.head)
    before = _find_step(roster, roster.revisions.filter(number=parent).order_by("number"))
    if before is None:
        return Refused(code="nothing-to-undo")
    outcome = move_head(roster, before)
    roster.remember_followed(before.number)
    return replace(outcome, act=act, subject=subject) if isinstance(outcome, SavedEdit) else outcome


@_refuse_unreadable_steps
def redo_edit(roster: Roster, on_revision: int) -> Outcome:
    """Redo the last undo, or the newest of several edits, conflicting ones last."""
    if roster.head != on_revision:
        return Conflict(made_on=on_revision, head=roster.head)
    next_one = _find_step(roster, roster.revisions.filter(parent=roster.head).order_by("aside", "-number"))
    return move_head(roster, next_one) if next_one else Refused(code="nothing-to-redo")


@_refuse_unreadable_steps
def restore_revision(roster: Roster, on_revision: int, number: int) -> Outcome:
    """Append a copy of a revision, evaluated with its own data."""
    if roster.head != on_revision:
        return Conflict(made_on=on_revision, head=roster.head)
    past = find_revision(roster, number)
    if past is None:
        return Refused(code="unknown-revision", subject_id=str(number))
    if full := check_history(roster):
        return full
    evaluated_list = evaluate_revision(past, roster.faction_id)
    return append_revision(
        roster, NewRevision(evaluated_list=evaluated_list, version=past.version, act="restore", subject=str(number))
    )


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
    return roster.revisions.filter(number=number).select_related("version__game", "named", "foreseen").first()


def _find_step(roster: Roster, revisions: QuerySet[RosterRevision]) -> RosterRevision | None:
    step = revisions.select_related("foreseen").first()
    # Usually this version is loaded already.
    if step and step.version_id == roster.version_id:
        step.version = roster.version
    return step
