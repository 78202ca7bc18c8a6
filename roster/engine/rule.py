"""What all kinds of rules share: how a kind is made, and how a broken claim becomes a violation."""

from collections.abc import Callable, Hashable, Iterator
from decimal import Decimal
from typing import NamedTuple

from catalogue.definitions.constraints import Constraint
from catalogue.definitions.entries import CostType
from catalogue.definitions.numbers import Number, shorten_number
from catalogue.definitions.queries import KNOWN, LIMIT, Bound, Field, Operator, Query, Scope, Term
from catalogue.definitions.rule_codes import RuleCode
from roster.engine.checks import (
    Check,
    Figures,
    find_scope,
    get_owner_key,
    is_suppressed,
    list_checks,
    measure_check,
)
from roster.engine.evaluation import Evaluation
from roster.engine.nodes import ForceNode, GroupNode, Node, RosterNode, SelectionNode
from roster.engine.report import Location, Violation
from roster.engine.violation_location import (
    describe_counted,
    list_causes,
    locate_category,
    locate_force,
    locate_node,
    locate_roster,
    name_counted,
)

LIMITS_OWNER = "costLimits"
"""The owner of what is no definition but the roster's own: its limits."""


class LoadedRule(NamedTuple):
    """One kind of rule: the code of its violations, and the check that finds them."""

    code: RuleCode
    check: Callable[[Evaluation], Iterator[Violation]]


class CountedSubject(NamedTuple):
    """What the figures of a breach count: its id and name, and the queries that counted it."""

    id: str
    name: str
    queries: tuple[Query, ...]


class Breach(NamedTuple):
    """A claim that is broken, with its figures; `counted` where these count something else than the claim."""

    claim: Check
    figures: Figures
    counted: CountedSubject | None = None

    @property
    def too_few(self) -> bool:
        return self.figures.measured < self.figures.allowed


def list_broken_checks(
    evaluation: Evaluation, bound: Bound, is_broken: Callable[[Figures], bool]
) -> Iterator[Breach]:
    """The broken claims of one kind: each once for its scope, and none of hidden owners."""
    seen: set[Hashable] = set()
    for claim in list_checks(evaluation, bound):
        found = measure_check(evaluation, claim)
        if found is None or not is_broken(found):
            continue
        key = _identify_check(evaluation, claim)
        if key not in seen and not is_suppressed(evaluation, claim):
            seen.add(key)
            yield _simplify_figures(evaluation, Breach(claim, found))


def _simplify_figures(evaluation: Evaluation, breach: Breach) -> Breach:
    """A breach with figures that can be checked by counting.

    A sum of several counts is written as one count and a bound that the others lower. Those of the same name belong to
    what is counted. Where the others alone are too many, the largest of them is what there is too much of.
    """
    claim, (measured, allowed) = breach.claim, breach.figures
    own, name = describe_counted(evaluation, claim)
    query = claim.demand.constraint.query
    queries, same = [query], (query.field, query.child_id)
    largest: tuple[Number, Term] | None = None
    for term in claim.demand.constraint.terms:
        amount = evaluation.queries.compute_amount(term.query, claim.node, get_owner_key(claim)) or 0
        if term.coefficient >= 0 or amount <= 0 or (term.query.field, term.query.child_id) == same:
            continue
        if name_counted(evaluation, term.query) == name:
            measured -= term.coefficient * amount
            allowed -= term.coefficient * amount
            queries.append(term.query)
        elif largest is None or amount > largest[0]:
            largest = amount, term
    if largest and allowed < 0 and claim.demand.constraint.bound is Bound.MAX:
        amount, term = largest
        room = amount - Decimal(measured - allowed) / Decimal(-term.coefficient)
        other = CountedSubject(
            term.query.child_id or term.query.field, name_counted(evaluation, term.query), (term.query,)
        )
        return Breach(claim, Figures(amount, shorten_number(room)), other)
    return Breach(claim, Figures(measured, allowed), CountedSubject(own, name, tuple(queries)))


def _identify_check(evaluation: Evaluation, claim: Check) -> Hashable:
    """What makes two claims the same: the constraint, the place it counts in, and what it counts.

    The constraint of a force entry binds each force on its own.
    """
    node, constraint = claim.node, claim.demand.constraint
    if isinstance(node, ForceNode):
        return (id(constraint), node)
    return (id(constraint), find_scope(evaluation, claim), get_owner_key(claim))


def build_violation(evaluation: Evaluation, code: str, breach: Breach) -> Violation:
    """A breach as data."""
    claim, (measured, allowed), about = breach
    constraint = claim.demand.constraint
    if about is None:
        about = CountedSubject(*describe_counted(evaluation, claim), (constraint.query,))
    return Violation(
        code=code,
        on=locate_violation(evaluation, breach),
        owner_id=claim.demand.owner_id,
        constraint_id=constraint.id,
        counted_id=about.id,
        counted=about.name,
        measured=shorten_number(measured),
        allowed=shorten_number(allowed),
        cause=list_causes(evaluation, claim, about.queries),
        rule=constraint.rule,
        name=constraint.name,
        text=constraint.text,
        citation=constraint.citation,
        severity=constraint.severity,
        mendable=_is_mendable(constraint, breach)
        and evaluation.conditions.is_satisfied(constraint.room, claim.node),
        mended_by=_list_fixes(constraint, breach, about),
        choices=_list_limit_choices(constraint, allowed),
        stage=constraint.stage,
    )


def _list_fixes(constraint: Constraint, breach: Breach, about: CountedSubject) -> tuple[str, ...]:
    """What one more of would help: of what there is too little of, or of what a bound grows with."""
    if breach.too_few:
        return tuple(query.child_id or about.id for query in about.queries)
    growing = [term.query for term in constraint.terms if term.coefficient > 0]
    known = all(query.field == Field.SELECTIONS and query.child_id for query in growing)
    return tuple(query.child_id for query in growing if query.child_id) if known else ()


def _list_limit_choices(constraint: Constraint, allowed: Number) -> tuple[Number, ...]:
    """What a limit may be: what it has to be exactly, and what else the condition of that lets it be."""
    field, others = constraint.query.field, [allowed]
    if constraint.bound is not Bound.EXACTLY or not field.startswith(LIMIT + KNOWN):
        return ()
    pending = [(constraint.when, False)]
    for guard, negated in pending:
        negated = negated != guard.negated
        pending.extend((inner, negated) for inner in guard.guards)
        spared = Operator.EQUAL_TO if negated else Operator.NOT_EQUAL_TO
        others += [c.value for c in guard.conditions if c.query.field == field and c.operator is spared]
    return tuple(sorted(others))


def _is_mendable(constraint: Constraint, breach: Breach) -> bool:
    """Whether further picks could mend it: of what has to be exactly so much, while there is too little."""
    if constraint.bound is Bound.EXACTLY:
        return breach.too_few and constraint.mendable is not False
    return constraint.is_mendable


def locate_violation(evaluation: Evaluation, breach: Breach) -> Location:
    """What a breach is reported on: the place where the player would mend it."""
    claim = breach.claim
    node, scope = claim.node, find_scope(evaluation, claim)
    if isinstance(node, RosterNode) or (
        isinstance(scope, RosterNode) and not isinstance(node, SelectionNode)
    ):
        return locate_roster(evaluation)
    if isinstance(node, GroupNode):
        return locate_node(evaluation, node.container)
    if isinstance(node, SelectionNode):
        return _locate_for_entry(evaluation, breach, node, scope)
    return locate_node(evaluation, node)


def _locate_for_entry(
    evaluation: Evaluation, breach: Breach, node: SelectionNode, scope: Node | None
) -> Location:
    demand, parent = breach.claim.demand, node.container
    if demand.explicit:
        return locate_node(evaluation, node)
    if not breach.too_few:
        beside = scope is parent and isinstance(parent, SelectionNode)
        return (
            locate_node(evaluation, parent)
            if beside
            else locate_node(evaluation, (breach.claim.instances or [node])[-1])
        )
    if isinstance(scope, RosterNode):
        return locate_roster(evaluation)
    if demand.constraint.query.scope != Scope.PARENT and scope is not None:
        return locate_node(evaluation, scope)
    if isinstance(parent, SelectionNode):
        return locate_node(evaluation, parent)
    primary = evaluation.categories.of(node).primary
    return locate_category(evaluation, parent, primary) if primary else locate_force(evaluation, parent)


def build_hidden_violation(evaluation: Evaluation, nodes: list[SelectionNode]) -> Violation:
    """What it is to take an entry that is hidden where it stands; `nodes` are its selections there."""
    first = nodes[0]
    return Violation(
        code=RuleCode.HIDDEN,
        on=locate_node(evaluation, first),
        owner_id=first.target_id,
        constraint_id=RuleCode.HIDDEN,
        counted_id=first.target_id,
        counted=evaluation.effects.get_name(first),
        measured=sum(node.number for node in nodes),
        cause=tuple(locate_node(evaluation, node) for node in nodes),
        citation=evaluation.effects.get_citation(first),
    )


def build_limit_violation(evaluation: Evaluation, type_id: str, spent: Number, limit: Number) -> Violation:
    """What it is to spend more of a cost type than the roster's limit."""
    cost_type = evaluation.ruleset.binding.cost_types.get(type_id, CostType(id=type_id, name=type_id))
    return Violation(
        code=RuleCode.COST_LIMIT,
        on=locate_roster(evaluation),
        owner_id=LIMITS_OWNER,
        constraint_id=type_id,
        counted_id=type_id,
        counted=cost_type.name,
        measured=shorten_number(spent),
        allowed=limit,
        rule=cost_type.rule,
        name=cost_type.rule_name,
        text=cost_type.rule_text,
        citation=cost_type.citation,
    )
