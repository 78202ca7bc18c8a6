"""Slot counters of detachments: how much of each type there is, how much there may be."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from catalogue.definitions.constraints import Severity
from catalogue.definitions.numbers import Number
from catalogue.definitions.queries import Bound, Field, Query, Scope
from catalogue.graph.ruleset import CompiledForce
from roster.engine.checks import Check, measure_check
from roster.engine.evaluation import Evaluation
from roster.engine.nodes import ForceNode
from roster.engine.report import Violation
from roster.services.board.shapes import SlotCounter

Slots = Mapping[str, tuple[SlotCounter, ...]]
_OWN_SCOPES = (Scope.FORCE, Scope.SELF, Scope.PARENT)
_LOWER, _UPPER = (Bound.MIN, Bound.EXACTLY), (Bound.MAX, Bound.EXACTLY)


def count_slots(evaluation: Evaluation, violations: Iterable[Violation]) -> Slots:
    """Count the slots of every detachment, by its id; `violations` are those of the list's report.

    First what the detachment limits as a whole ("Units 6 of 8"), then its types in the order of the data. Of several
    rules about one type the strictest counts; rules about a part of a type are left to the verdict.
    """
    return {
        force.document.id: tuple(_count_force_slots(evaluation, force, violations))
        for force in evaluation.roster.all_forces
        if force.compiled_force is not None
    }


@dataclass(slots=True)
class _Counter:
    """What the rules about one type come to."""

    measured: Number | None = None
    min: Number | None = None
    max: Number | None = None

    @property
    def is_blank(self) -> bool:
        return not (self.max or self.min or self.measured)

    def take(self, check: Check) -> None:
        constraint, allowed = check.constraint, check.allowed
        # Advice is measured too, so that its counter shows how many there are.
        self.measured = check.measured
        if constraint.severity is not Severity.ERROR:
            return  # advice bounds nothing
        bound = constraint.bound
        if bound in _LOWER and allowed > 0:
            self.min = max(self.min or 0, allowed)
        if bound in _UPPER:
            self.max = allowed if self.max is None else min(self.max, allowed)


def _count_force_slots(
    evaluation: Evaluation, force: ForceNode, violations: Iterable[Violation]
) -> Iterator[SlotCounter]:
    assert force.compiled_force is not None  # noqa: S101 - see count_slots
    categories = evaluation.ruleset.binding.categories
    shown = {slot.id: slot.name for slot in force.compiled_force.slots if not slot.hidden}
    counters: dict[str, _Counter] = {}
    for category_id, check in _list_category_checks(evaluation, force):
        named = category_id in categories and categories[category_id].name != category_id
        if category_id not in shown and not (named and _is_plain(check)):
            continue
        measured_check = measure_check(evaluation, check)
        if measured_check:
            counters.setdefault(category_id, _Counter()).take(measured_check)
    # Violations name places in the list; those of other detachments are not this one's.
    wrong = _index_violations(violations, _collect_node_ids(force))
    # A category that is no slot is left out where a detachment neither limits it nor holds any.
    extra = [key for key, counter in counters.items() if key not in shown and not counter.is_blank]
    for category_id in (*extra, *shown):
        counter = counters.get(category_id, _Counter())
        measured = counter.measured
        yield SlotCounter(
            id=category_id,
            name=shown.get(category_id) or categories[category_id].name,
            measured=_count_members(evaluation, force, category_id) if measured is None else measured,
            min=counter.min,
            max=counter.max,
            violation=wrong.get(category_id),
        )


def _list_category_checks(evaluation: Evaluation, force: ForceNode) -> Iterator[tuple[str, Check]]:
    """List the checks of a detachment that count selections of one category in it."""
    template = force.compiled_force
    assert template is not None  # noqa: S101 - see count_slots
    for own_id, check in _list_checks(evaluation, force, template):
        query = check.constraint.query
        category_id = query.child_id or own_id
        if category_id and query.field == Field.SELECTIONS and _is_here(query, force) and not query.percent:
            yield category_id, check


def _list_checks(
    evaluation: Evaluation, force: ForceNode, template: CompiledForce
) -> Iterator[tuple[str, Check]]:
    """List every check of a detachment, with the category it belongs to."""
    for bound in Bound:
        for demand in template.constraints.by_bound.get(bound, ()):
            yield "", Check(demand, force)
        for slot in template.slots:
            for demand in slot.constraints.by_bound.get(bound, ()):
                yield slot.id, Check(demand, evaluation.scopes.get_slot(force, slot.id))


def _is_here(query: Query, force: ForceNode) -> bool:
    """Return whether a query counts in this detachment alone; one inside it would be counted along."""
    return query.scope in _OWN_SCOPES and not (query.include_child_forces and force.forces)


def _is_plain(check: Check) -> bool:
    """Return whether a check always holds and compares with one number, so that a counter can show it."""
    constraint = check.constraint
    return not constraint.when and not constraint.terms


def _count_members(evaluation: Evaluation, force: ForceNode, category_id: str) -> int:
    return sum(member.number for member in evaluation.scopes.get_slot(force, category_id).members)


def _collect_node_ids(force: ForceNode) -> set[str]:
    return {force.document.id, *(m.document.id for m in force.members if m.document)}


def _index_violations(violations: Iterable[Violation], ids: set[str]) -> dict[str, Violation]:
    """Return the first violation about each category among those of one detachment."""
    violation_by_category: dict[str, Violation] = {}
    for violation in violations:
        if any(place.id in ids for place in (violation.on, *violation.cause)):
            violation_by_category.setdefault(violation.counted_id, violation)
    return violation_by_category
