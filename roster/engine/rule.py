"""What all kinds of rules share: how a kind is made, and how a broken claim becomes a violation."""

from collections.abc import Callable, Hashable, Iterator
from typing import NamedTuple

from catalogue.definitions.constraints import Constraint
from catalogue.definitions.entries import CostType
from catalogue.definitions.numbers import Number, exact
from catalogue.definitions.queries import Bound, Scope
from roster.engine.case import Case
from roster.engine.claims import Claim, Figures, claims, figures, is_suppressed, own_key, scope_of
from roster.engine.codes import Code
from roster.engine.places import category_place, causes, counted, force_place, place_of, roster_place
from roster.engine.report import Place, Violation
from roster.engine.state import ForceNode, GroupNode, Node, RosterNode, SelectionNode

LIMITS_OWNER = "costLimits"
"""The owner of what is no definition but the roster's own: its limits."""


class RuleKind(NamedTuple):
    """One kind of rule: the code of its violations, and the check that finds them."""

    code: str
    check: Callable[[Case], Iterator[Violation]]


class Breach(NamedTuple):
    """A claim that is broken, with its figures."""

    claim: Claim
    figures: Figures

    @property
    def too_few(self) -> bool:
        return self.figures.measured < self.figures.allowed


def breaches(case: Case, bound: Bound, is_broken: Callable[[Figures], bool]) -> Iterator[Breach]:
    """The broken claims of one kind: each once for its scope, and none of hidden owners."""
    seen: set[Hashable] = set()
    for claim in claims(case, bound):
        found = figures(case, claim)
        if found is None or not is_broken(found):
            continue
        key = _identity(case, claim)
        if key not in seen and not is_suppressed(case, claim):
            seen.add(key)
            yield Breach(claim, found)


def _identity(case: Case, claim: Claim) -> Hashable:
    """What makes two claims the same: the constraint, the place it counts in, and what it counts.

    The constraint of a force entry binds each force on its own.
    """
    node, constraint = claim.node, claim.demand.constraint
    if isinstance(node, ForceNode):
        return (id(constraint), node)
    return (id(constraint), scope_of(case, claim), own_key(claim))


def violation(case: Case, code: str, breach: Breach) -> Violation:
    """A breach as data."""
    claim, (measured, allowed) = breach
    constraint = claim.demand.constraint
    counted_id, name = counted(case, claim)
    return Violation(
        code=code,
        on=blamed(case, breach),
        owner_id=claim.demand.owner_id,
        constraint_id=constraint.id,
        counted_id=counted_id,
        counted=name,
        measured=exact(measured),
        allowed=exact(allowed),
        cause=causes(case, claim),
        rule=constraint.rule,
        name=constraint.name,
        text=constraint.text,
        citation=constraint.citation,
        severity=constraint.severity,
        mendable=_is_mendable(constraint, breach),
        stage=constraint.stage,
    )


def _is_mendable(constraint: Constraint, breach: Breach) -> bool:
    """Whether further picks could mend it: of what has to be exactly so much, while there is too little."""
    if constraint.bound is Bound.EXACTLY:
        return breach.too_few and constraint.mendable is not False
    return constraint.is_mendable


def blamed(case: Case, breach: Breach) -> Place:
    """What a breach is reported on: the place where the player would mend it."""
    claim = breach.claim
    node, scope = claim.node, scope_of(case, claim)
    if isinstance(node, RosterNode) or (
        isinstance(scope, RosterNode) and not isinstance(node, SelectionNode)
    ):
        return roster_place(case)
    if isinstance(node, GroupNode):
        return place_of(case, node.container)
    if isinstance(node, SelectionNode):
        return _blamed_for_entry(case, breach, node, scope)
    return place_of(case, node)


def _blamed_for_entry(case: Case, breach: Breach, node: SelectionNode, scope: Node | None) -> Place:
    demand, parent = breach.claim.demand, node.container
    if demand.explicit:
        return place_of(case, node)
    if not breach.too_few:
        beside = scope is parent and isinstance(parent, SelectionNode)
        return place_of(case, parent) if beside else place_of(case, (breach.claim.instances or [node])[-1])
    if isinstance(scope, RosterNode):
        return roster_place(case)
    if demand.constraint.query.scope != Scope.PARENT and scope is not None:
        return place_of(case, scope)
    if isinstance(parent, SelectionNode):
        return place_of(case, parent)
    primary = case.categories.of(node).primary
    return category_place(case, parent, primary) if primary else force_place(case, parent)


def hidden_violation(case: Case, nodes: list[SelectionNode]) -> Violation:
    """What it is to take an entry that is hidden where it stands; `nodes` are its selections there."""
    first = nodes[0]
    return Violation(
        code=Code.HIDDEN,
        on=place_of(case, first),
        owner_id=first.target_id,
        constraint_id=Code.HIDDEN,
        counted_id=first.target_id,
        counted=case.effects.name(first),
        measured=sum(node.number for node in nodes),
        cause=tuple(place_of(case, node) for node in nodes),
        citation=case.effects.citation(first),
    )


def limit_violation(case: Case, type_id: str, spent: Number, limit: Number) -> Violation:
    """What it is to spend more of a cost type than the roster's limit."""
    cost_type = case.ruleset.binding.cost_types.get(type_id, CostType(id=type_id, name=type_id))
    return Violation(
        code=Code.COST_LIMIT,
        on=roster_place(case),
        owner_id=LIMITS_OWNER,
        constraint_id=type_id,
        counted_id=type_id,
        counted=cost_type.name,
        measured=exact(spent),
        allowed=limit,
        rule=cost_type.rule,
        name=cost_type.rule_name,
        text=cost_type.rule_text,
        citation=cost_type.citation,
    )
