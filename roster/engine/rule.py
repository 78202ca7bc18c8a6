"""Find failed checks and build violations, for all rule kinds."""

from collections.abc import Callable, Hashable, Iterator
from decimal import Decimal
from math import ceil
from typing import NamedTuple

from catalogue.definitions.constraints import Constraint
from catalogue.definitions.entries import CostType
from catalogue.definitions.numbers import Number, format_number, shorten_number
from catalogue.definitions.queries import KNOWN, LIMIT, Bound, Field, Guard, Operator, Scope, Term
from catalogue.definitions.rule_codes import RuleCode
from roster.engine.checks import (
    Check,
    CountedSubject,
    find_scope,
    get_owner_key,
    is_suppressed,
    list_open_checks,
    measure_check,
)
from roster.engine.evaluation import Evaluation
from roster.engine.nodes import ForceNode, GroupNode, Node, RosterNode, SelectionNode, SlotNode
from roster.engine.report import Lacking, Location, Violation
from roster.engine.tree import copy_with
from roster.engine.violation_location import (
    describe_counted,
    find_name,
    list_causes,
    locate_category,
    locate_force,
    locate_node,
    locate_roster,
    locate_selection,
    name_counted,
)

VALUE = "{value}"

LIMITS_OWNER = "costLimits"
"""No definition owns the roster's own limits."""


# ---- violations of constraints -----------------------------------------------------------------------------------


def list_broken_checks(evaluation: Evaluation, bound: Bound, is_broken: Callable[[Check], bool]) -> Iterator[Check]:
    """List failed checks, each once per scope, without hidden owners."""
    seen: set[Hashable] = set()
    for check in list_open_checks(evaluation, bound):
        measured = measure_check(evaluation, check)
        if measured is None or not is_broken(measured):
            continue
        if isinstance(measured.node, ForceNode) and measured.node.is_previewed and measured.measured:
            continue
        # Two selections of one entry check the same scope.
        key = _identify_check(evaluation, measured)
        is_repeated = key in seen
        if not is_repeated and is_suppressed(evaluation, measured):
            continue
        if measured.footprint:
            measured.footprint.broken.add(measured.constraint.id)
        if not is_repeated:
            seen.add(key)
            yield _simplify_figures(evaluation, measured)


def _identify_check(evaluation: Evaluation, check: Check) -> Hashable:
    """Identify a force entry's constraint by its force, and for all possible forces together."""
    if isinstance(check.node, ForceNode) and not check.node.is_previewed:
        return (id(check.constraint), check.node)
    return (id(check.constraint), find_scope(evaluation, check), get_owner_key(check))


def _simplify_figures(evaluation: Evaluation, check: Check) -> Check:
    """Simplify a failed check's figures, so that players can verify them by counting.

    For a sum of counts, report one count and lower the bound by the others. Counts of one name are added up. If the
    others alone exceed the bound, report their largest.
    """
    counted_id, counted_name = describe_counted(evaluation, check)
    alike: list[LoweringTerm] = []
    others: list[LoweringTerm] = []
    query = check.constraint.query
    for term in check.constraint.terms:
        is_other = (term.query.field, term.query.child_id) != (query.field, query.child_id)
        if term.coefficient < 0 and is_other:
            amount = evaluation.queries.compute_amount(term.query, check.node, get_owner_key(check))
            if amount is not None and amount > 0:
                is_alike = name_counted(evaluation, term.query) == counted_name
                (alike if is_alike else others).append(LoweringTerm(amount, term))
    moved = sum(lowering.term.coefficient * lowering.amount for lowering in alike)
    measured, allowed = check.measured - moved, check.allowed - moved
    # "At most -2" makes no sense to players.
    if others and allowed < 0 and check.constraint.bound is Bound.MAX:
        amount, term = max(others, key=lambda lowering: lowering.amount)
        room = amount - Decimal(measured - allowed) / Decimal(-term.coefficient)
        subject_id = term.query.child_id or term.query.field
        subject = CountedSubject(subject_id, name_counted(evaluation, term.query), (term.query,))
        return check._replace(measured=amount, allowed=shorten_number(room), counted=subject)
    queries = (query, *(lowering.term.query for lowering in alike))
    subject = CountedSubject(counted_id, counted_name, queries)
    return check._replace(measured=measured, allowed=allowed, counted=subject)


class LoweringTerm(NamedTuple):
    amount: Number
    term: Term


def build_check_violation(evaluation: Evaluation, code: RuleCode, check: Check) -> Violation:
    constraint = check.constraint
    counted = check.counted or CountedSubject(*describe_counted(evaluation, check), (constraint.query,))
    has_room = evaluation.conditions.is_satisfied(constraint.room, check.node)
    is_mendable = check.compiled.mendable
    if constraint.bound is Bound.EXACTLY:
        is_mendable = check.is_short and constraint.mendable is not False
    return Violation(
        code=code,
        on=locate_violation(evaluation, check),
        owner_id=check.compiled.owner_id,
        constraint_id=constraint.id,
        counted_id=counted.id,
        counted=counted.name,
        measured=shorten_number(check.measured),
        allowed=shorten_number(check.allowed),
        cause=list_causes(evaluation, check, counted.queries),
        rule=constraint.rule,
        name=constraint.name,
        text=constraint.text.replace(VALUE, format_number(check.allowed)),
        citation=constraint.citation,
        severity=constraint.severity,
        mendable=is_mendable and has_room,
        mended_by=_list_fixes(check, counted),
        choices=_list_limit_choices(constraint, check.allowed),
        lacking=_find_lacking(evaluation, check) if is_mendable and has_room else None,
        unit=find_name(evaluation, check.compiled.shared_limit) if check.compiled.shared_limit else "",
        stage=constraint.stage,
    )


def _list_fixes(check: Check, counted: CountedSubject) -> tuple[str, ...]:
    if check.is_short:
        queries = (*counted.queries, *(term.query for term in check.constraint.terms if term.coefficient < 0))
        picks = (query for query in queries if query in counted.queries or query.field == Field.SELECTIONS)
        return tuple(dict.fromkeys(query.child_id or counted.id for query in picks))
    raising = [term.query for term in check.constraint.terms if term.coefficient > 0]
    entry_ids = tuple(query.child_id for query in raising if query.child_id and query.field == Field.SELECTIONS)
    # Otherwise the list would be incomplete.
    return entry_ids if len(entry_ids) == len(raising) else ()


def _find_lacking(evaluation: Evaluation, check: Check) -> Lacking | None:
    """Return what to add if only one other entry raises an exceeded maximum."""
    is_about_itself = check.counted is None or check.counted.queries == (check.constraint.query,)
    raising = [term for term in check.constraint.terms if term.coefficient > 0]
    if check.is_short or not is_about_itself or len(raising) != 1:
        return None
    [term] = raising
    if term.query.field != Field.SELECTIONS or not term.query.child_id:
        return None
    number = ceil(Decimal(check.measured - check.allowed) / Decimal(term.coefficient))
    name = name_counted(evaluation, term.query)
    return Lacking(name=name, number=number) if name else None


def _list_limit_choices(constraint: Constraint, allowed: Number) -> tuple[Number, ...]:
    field = constraint.query.field
    if constraint.bound is not Bound.EXACTLY or not field.startswith(LIMIT + KNOWN):
        return ()
    return tuple(sorted([allowed, *_list_exempt_values(constraint.when, field)]))


def _list_exempt_values(guard: Guard, field: str, *, is_negated: bool = False) -> Iterator[Number]:
    is_negated = is_negated != guard.negated
    # "Not this value" exempts that value.
    exempting = Operator.EQUAL_TO if is_negated else Operator.NOT_EQUAL_TO
    for condition in guard.conditions:
        if condition.query.field == field and condition.operator is exempting:
            yield condition.value
    for inner in guard.guards:
        yield from _list_exempt_values(inner, field, is_negated=is_negated)


def locate_violation(evaluation: Evaluation, check: Check) -> Location:
    """Return where a player would fix a failed check."""
    node, scope = check.node, find_scope(evaluation, check)
    if isinstance(node, SelectionNode):
        return _locate_for_entry(evaluation, check, node, scope)
    if isinstance(node, RosterNode) or isinstance(scope, RosterNode):
        return locate_roster(evaluation)
    if isinstance(node, GroupNode):
        return locate_node(evaluation, node.container)
    if isinstance(node, ForceNode) and node.is_previewed and scope:
        return locate_node(evaluation, scope)
    return locate_node(evaluation, node)


def _locate_for_entry(evaluation: Evaluation, check: Check, node: SelectionNode, scope: Node | None) -> Location:
    # It counts something else, so report the entry that has the rule.
    if check.compiled.explicit:
        return locate_node(evaluation, node)
    container = node.container
    if not check.is_short:
        # Removing any of the options fixes it.
        if scope is container and isinstance(container, SelectionNode):
            return locate_node(evaluation, container)
        return locate_node(evaluation, check.instances[-1] if check.instances else node)

    if isinstance(scope, RosterNode):
        return locate_roster(evaluation)
    if check.constraint.query.scope != Scope.PARENT and scope is not None:
        return locate_node(evaluation, scope)
    # Players look for a missing selection in its container or slot.
    if isinstance(container, SelectionNode):
        return locate_node(evaluation, container)
    primary = evaluation.categories.get_membership(node).primary
    return locate_category(evaluation, container, primary) if primary else locate_force(evaluation, container)


# ---- violations that no constraint of the data states ------------------------------------------------------------


def build_rule_violation(code: RuleCode, on: Location, subject_id: str, **fields: object) -> Violation:
    """By default, `subject_id` is the owner and counted id."""
    violation = Violation(
        code=code, on=on, owner_id=subject_id, constraint_id=code, counted_id=subject_id, counted=on.name
    )
    return copy_with(violation, **fields)


def build_selection_violation(
    evaluation: Evaluation, code: RuleCode, node: SelectionNode, **fields: object
) -> Violation:
    location = locate_selection(evaluation, node)
    by_node = {"measured": node.number, "cause": (location,)}
    return build_rule_violation(code, location, node.target_id, **(by_node | fields))


def build_hidden_violation(evaluation: Evaluation, nodes: list[SelectionNode]) -> Violation:
    first = nodes[0]
    if not evaluation.values.is_entry_hidden(first) and (slot := evaluation.values.find_hidden_slot(first)):
        return build_hidden_slot_violation(evaluation, slot, nodes)
    return build_selection_violation(
        evaluation,
        RuleCode.HIDDEN,
        first,
        counted=evaluation.values.get_name(first),
        measured=sum(node.number for node in nodes),
        cause=tuple(locate_selection(evaluation, node) for node in nodes),
        citation=evaluation.values.get_citation(first),
    )


def build_hidden_slot_violation(evaluation: Evaluation, slot: SlotNode, nodes: list[SelectionNode]) -> Violation:
    return build_rule_violation(
        RuleCode.HIDDEN,
        locate_node(evaluation, slot.parent or slot),
        slot.id,
        counted=find_name(evaluation, slot.id),
        measured=sum(node.number for node in nodes),
        cause=tuple(locate_selection(evaluation, node) for node in nodes),
    )


def build_limit_violation(evaluation: Evaluation, type_id: str, spent: Number, limit: Number) -> Violation:
    # Imported lists may limit unknown cost types.
    cost_type = evaluation.ruleset.binding.cost_types.get(type_id, CostType(id=type_id, name=type_id))
    return build_rule_violation(
        RuleCode.COST_LIMIT,
        locate_roster(evaluation),
        type_id,
        owner_id=LIMITS_OWNER,
        constraint_id=type_id,
        counted=cost_type.name,
        measured=shorten_number(spent),
        allowed=limit,
        rule=cost_type.rule,
        name=cost_type.rule_name,
        text=cost_type.rule_text,
        citation=cost_type.citation,
    )
