"""What is demanded of a roster, claim by claim: each constraint at each place where it binds, and its two figures."""

from collections.abc import Hashable, Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from catalogue.definitions.numbers import Number, shorten_number
from catalogue.definitions.queries import Bound, Field, Scope
from catalogue.graph.compiled_constraints import CompiledConstraint, CompiledConstraints
from catalogue.graph.compiled_entry import CompiledOption, ContainerOptions
from catalogue.graph.ids import compose_id
from roster.engine.evaluation import Evaluation
from roster.engine.nodes import Container, ForceNode, GroupNode, Node, SelectionNode, SlotNode

NO_SELECTIONS: list[SelectionNode] = []
NOTHING: dict[CompiledOption, list[SelectionNode]] = {}


class Check(NamedTuple):
    """A demand as seen from the node that its owner is there.

    For an entry, `node` is one of its selections in the container, or how it would stand there; `instances` are all of
    them.
    """

    demand: CompiledConstraint
    node: Node
    instances: list[SelectionNode] = NO_SELECTIONS


class Figures(NamedTuple):
    """What was counted and what is allowed or asked for."""

    measured: Number
    allowed: Number


# ---- which claims there are --------------------------------------------------------------------------------------


def list_checks(evaluation: Evaluation, bound: Bound) -> Iterator[Check]:
    """Every claim of one kind that could be broken; those that cannot are not even looked at."""
    yield from _list_catalogue_checks(evaluation, bound)
    for force in evaluation.roster.all_forces:
        yield from _list_force_checks(evaluation, force, bound)
        yield from list_container_checks(evaluation, force, bound)
    for selection in evaluation.roster.selections:
        if selection.option:
            template = selection.option.entry
            for demand in template.constraints.explicit.get(bound, ()):
                yield Check(demand, selection)
            if _is_bounded(selection, template.contents, bound):
                yield from list_container_checks(evaluation, selection, bound)
    if evaluation.plan:
        yield from _list_plan_checks(evaluation, bound)


def _is_bounded(selection: SelectionNode, layout: ContainerOptions, bound: Bound) -> bool:
    """Whether anything in a selection could claim: what it offers, or what stands there though offered elsewhere."""
    if bound in layout.constraint_bounds:
        return bool(selection.members) or bound is not Bound.MAX
    return any(member.misplaced for member in selection.members)


def list_pressing_checks(evaluation: Evaluation, bound: Bound) -> Iterator[Check]:
    """The claims of one kind that picks of other entries than the owner can break."""
    yield from _list_catalogue_checks(evaluation, bound)
    for force in evaluation.roster.all_forces:
        yield from _list_force_checks(evaluation, force, bound)
    for selection in evaluation.roster.selections:
        if selection.option:
            for demand in selection.option.entry.constraints.by_bound.get(bound, ()):
                if demand.explicit or demand.constraint.terms:
                    yield Check(demand, selection)


def _list_catalogue_checks(evaluation: Evaluation, bound: Bound) -> Iterator[Check]:
    for catalogue in evaluation.catalogues:
        for demand in evaluation.ruleset.compile_roster_constraints(catalogue).by_bound.get(bound, ()):
            yield Check(demand, evaluation.roster)


def _list_force_checks(evaluation: Evaluation, force: ForceNode, bound: Bound) -> Iterator[Check]:
    template = force.template
    if template is None:
        return
    for demand in template.constraints.by_bound.get(bound, ()):
        yield Check(demand, force)
    loose = template.unslotted_categories if bound is Bound.MAX else ()
    present = [slot for slot in loose if evaluation.queries.has_category(force, slot.id)]
    for slot in (*template.slots, *present):
        for demand in slot.constraints.by_bound.get(bound, ()):
            yield Check(demand, evaluation.scopes.get_slot(force, slot.id))


def _list_plan_checks(evaluation: Evaluation, bound: Bound) -> Iterator[Check]:
    """The claims on how the list is to be played."""
    owners: list[tuple[CompiledConstraints, Node]] = [
        *(
            (evaluation.ruleset.compile_roster_constraints(catalogue), evaluation.roster)
            for catalogue in evaluation.catalogues
        ),
        *((force.template.constraints, force) for force in evaluation.roster.all_forces if force.template),
        *((node.option.entry.constraints, node) for node in evaluation.roster.selections if node.option),
    ]
    for demands, node in owners:
        for demand in demands.staged:
            if demand.constraint.bound is bound:
                yield Check(demand, node)


def list_container_checks(evaluation: Evaluation, container: Container, bound: Bound) -> Iterator[Check]:
    """The claims of entries and groups inside a container on themselves."""
    layout = container.layout
    if layout is None:
        return
    chosen = evaluation.group_selections(container) if container.members else NOTHING
    for option, instances in chosen.items():
        for demand in option.entry.constraints.on_owner.get(bound, ()):
            yield Check(demand, instances[0], instances)
    for option in layout.demanding_options.get(bound, ()):
        if option not in chosen and evaluation.is_open(container, option):
            for demand in option.entry.constraints.on_owner[bound]:
                yield Check(demand, evaluation.preview_selection(container, option))
    taken = (
        {group for option in chosen for group in option.groups} if layout.constrained_groups[bound] else ()
    )
    for group in layout.constrained_groups[bound]:
        if bound is not Bound.MAX or group in taken:
            node = evaluation.effects.get_group(group, container)
            for demand in group.entry.constraints.by_bound[bound]:
                yield Check(demand, node)


# ---- what they amount to -----------------------------------------------------------------------------------------


def get_owner_key(claim: Check) -> Hashable:
    """What a constraint that names no child counts: its owner.

    A shared constraint counts the owner's id over all links; one that is not counts the owner at its own place.
    """
    demand, node = claim.demand, claim.node
    query = demand.constraint.query
    if isinstance(node, SelectionNode):
        if query.shared:
            return demand.owner_id
        return node.option if query.scope == Scope.PARENT else node.entry_id
    if isinstance(node, GroupNode):
        if query.scope in (Scope.PARENT, Scope.SELF):
            return node.group
        return demand.owner_id if query.shared else compose_id(node.container.start, node.group)
    if isinstance(node, SlotNode):
        return node.id
    if isinstance(node, ForceNode) and query.field == Field.FORCES:
        return node.document.entry_id
    return "any"


def measure_check(evaluation: Evaluation, claim: Check) -> Figures | None:
    """What a claim measures and allows; None where it does not bind: switched off, without scope, or without limit.

    Worked out once in a case: what is judged is asked again for everything on offer.
    """
    key = (id(claim.demand), claim.node, len(claim.instances or ()))
    if key not in evaluation.figures:
        evaluation.deadline()
        evaluation.figures[key] = _measure_check(evaluation, claim)
    found: Figures | None = evaluation.figures[key]
    return found


def _measure_check(evaluation: Evaluation, claim: Check) -> Figures | None:
    constraint, node = claim.demand.constraint, claim.node
    query = constraint.query
    if claim.demand.counts_siblings and node.parent:
        allowed = compute_bound(evaluation, claim)
        return (
            Figures(evaluation.queries.count_siblings(query, node, get_owner_key(claim)), allowed)
            if allowed >= 0
            else None
        )
    if not evaluation.conditions.is_satisfied(constraint.when, node):
        return None
    own = get_owner_key(claim)
    allowed = compute_bound(evaluation, claim)
    if allowed < 0 and not constraint.terms:
        return None
    measured = evaluation.queries.compute_amount(query, node, own)
    if measured is None:
        return None
    for term in constraint.terms:
        allowed += term.coefficient * (evaluation.queries.compute_amount(term.query, node, own) or 0)
    if query.percent:
        allowed = shorten_number(Decimal(allowed) * evaluation.queries.compute_total(query, node) / 100)
    return Figures(measured, allowed)


def compute_bound(evaluation: Evaluation, claim: Check) -> Number:
    """The constraint's number after modifiers; where several selections of the owner disagree, the strictest."""
    demand = claim.demand
    if not demand.modifiers:
        return demand.constraint.value
    nodes: Sequence[Node] = claim.instances or [claim.node]
    numbers = [
        evaluation.effects.modify_number(demand.modifiers, demand.constraint.value, node) for node in nodes
    ]
    return max(numbers) if demand.constraint.bound is Bound.MIN else _find_strictest(numbers)


def _find_strictest(numbers: list[Number]) -> Number:
    limited = [number for number in numbers if number >= 0]
    return min(limited, default=numbers[0])


def is_suppressed(evaluation: Evaluation, claim: Check) -> bool:
    """Whether the owner is hidden here: what may not be taken demands nothing."""
    node = claim.node
    if isinstance(node, SelectionNode):
        return evaluation.effects.is_hidden(node)
    if isinstance(node, GroupNode):
        return evaluation.effects.is_group_hidden(node)
    if isinstance(node, SlotNode) and node.slot:
        return evaluation.effects.modify_flag(node.slot.modifiers.get("hidden", ()), node.slot.hidden, node)
    return False


def find_scope(evaluation: Evaluation, claim: Check) -> Node | None:
    """Where a claim counts."""
    return evaluation.scopes.find_place(claim.demand.constraint.query.scope, claim.node)
