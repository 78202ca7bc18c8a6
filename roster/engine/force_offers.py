"""Which kinds of force may be added, to a roster or inside a force, and what stands in the way."""

from collections.abc import Iterable, Iterator

from catalogue.definitions.constraints import Constraint, Severity
from catalogue.definitions.entries import ForceEntry
from catalogue.definitions.queries import ANY, Field, Scope
from roster.engine.checks import Check, get_owner_key, list_pressing_checks, measure_check
from roster.engine.effects import HIDDEN
from roster.engine.evaluation import Evaluation
from roster.engine.nodes import ForceNode, RosterNode
from roster.engine.pick_preview import UPPER
from roster.engine.report import Violation
from roster.engine.rule import build_check_violation
from roster.engine.tree import Force


def list_offered_forces(
    evaluation: Evaluation, entries: Iterable[ForceEntry], catalogue_id: str, parent_id: str = ""
) -> tuple[ForceEntry, ...]:
    """Return those of `entries` that may be added inside the force `parent_id` or at the top, in their order.

    What is hidden where it would stand is left out. Where nothing at the top would be left, the kinds that are hidden
    for good are offered all the same: data of games with a single kind of force flags that one.
    """
    entries = sorted(entries, key=lambda entry: (not entry.sort_index, entry.sort_index))
    offered = []
    for entry in entries:
        force = preview_force(evaluation, entry.id, catalogue_id, parent_id)
        if not is_force_hidden(evaluation, force):
            offered.append(entry)
    if not offered and not parent_id:
        offered = [entry for entry in entries if entry.hidden and not _is_shown_by_modifiers(entry)]
    return tuple(offered)


def _is_shown_by_modifiers(entry: ForceEntry) -> bool:
    return any(modifier.field == HIDDEN for modifier in entry.modifiers)


def preview_force(evaluation: Evaluation, entry_id: str, catalogue_id: str, parent_id: str = "") -> ForceNode:
    """Return a force as it would stand in another or at the top, without being counted there."""
    parent = evaluation.find_container(parent_id) if parent_id else None
    document = Force(id="", entry_id=entry_id, catalogue_id=catalogue_id)
    compiled_catalogue = evaluation.ruleset.find_catalogue(catalogue_id)
    return ForceNode(
        document,
        parent if isinstance(parent, ForceNode) else evaluation.roster,
        compiled_catalogue,
        compiled_catalogue.find_force(entry_id) if compiled_catalogue else None,
    )


def is_force_hidden(evaluation: Evaluation, force: ForceNode) -> bool:
    """Return whether a kind of force may not be taken where it stands, by its own modifiers or by others' effects."""
    compiled = force.compiled_force
    if compiled is None:
        return False
    values = evaluation.values
    hidden = values.adjust_flag(compiled.modifiers.get(HIDDEN, ()), compiled.entry.hidden, force)
    return values.adjust_reached_flag(force, HIDDEN, hidden)


def find_barred_forces(
    evaluation: Evaluation, entry_ids: Iterable[str], catalogue_id: str, parent_id: str = ""
) -> dict[str, Violation]:
    """Return what one more force inside `parent_id` or at the top would break, by the entry ids of the kinds barred."""
    barred: dict[str, Violation] = {}
    for entry_id in entry_ids:
        force = preview_force(evaluation, entry_id, catalogue_id, parent_id)
        for check in _list_force_limits(evaluation, force):
            before = measure_check(evaluation, check)
            if before is None or before.measured + 1 <= before.allowed:
                continue
            exceeded = before._replace(measured=before.measured + 1)
            code = UPPER[check.constraint.bound]
            barred.setdefault(entry_id, build_check_violation(evaluation, code, exceeded))
    return barred


def _list_force_limits(evaluation: Evaluation, force: ForceNode) -> Iterator[Check]:
    """List the limits on the number of forces that count one more of a kind: its own, and those of others."""
    if force.compiled_force:
        for compiled in force.compiled_force.constraints.upper:
            if _is_force_limit(compiled.constraint):
                yield Check(compiled, force)
    yield from _list_other_limits(evaluation, force)


def _list_other_limits(evaluation: Evaluation, force: ForceNode) -> Iterator[Check]:
    for bound in UPPER:
        for check in list_pressing_checks(evaluation, bound):
            if _is_force_limit(check.constraint) and _counts(evaluation, check, force):
                yield check


def _counts(evaluation: Evaluation, check: Check, force: ForceNode) -> bool:
    """Return whether a limit on forces would count one more that is added there."""
    key = check.constraint.query.child_id or get_owner_key(check)
    if key != ANY and key not in force.names:
        return False
    place = evaluation.scopes.find_place(check.constraint.query.scope, check.node)
    return place is force.parent or isinstance(place, RosterNode)


def _is_force_limit(constraint: Constraint) -> bool:
    """Return whether a constraint limits, for good, how many forces there are."""
    query = constraint.query
    counts_forces = query.field == Field.FORCES and query.scope in (Scope.ROSTER, Scope.PARENT, Scope.FORCE)
    return counts_forces and not query.percent and constraint.severity is Severity.ERROR and not constraint.terms
