"""The rules of a list as rows of a model."""

from collections.abc import Hashable, Sequence
from fractions import Fraction
from typing import NamedTuple

from msgspec.structs import replace

from catalogue.definitions.constraints import Severity
from catalogue.definitions.entries import NO_LIMIT
from catalogue.definitions.queries import BOUNDS, Bound, Query, Scope, Term
from catalogue.definitions.rule_codes import RuleCode
from roster.engine.checks import Check, asks_for_answers, asks_whole_cost, get_owner_key, list_checks
from roster.engine.completion.amounts import Amounts
from roster.engine.completion.linear import ZERO, Linear, Truth, add_known, collect_known, negate, to_exact
from roster.engine.completion.prospects import Prospects, find_base
from roster.engine.nodes import ForceNode, GroupNode, Node, RosterNode, SelectionNode, SlotNode


class BindingRule(NamedTuple):
    code: RuleCode
    rule: str
    name: str
    constraint_id: str
    node: Node


CODES = {Bound.MAX: RuleCode.MAXIMUM, Bound.MIN: RuleCode.MINIMUM, Bound.EXACTLY: RuleCode.EXACTLY}
RANGES: dict[Bound, tuple[int | None, int | None]] = {Bound.MAX: (None, 0), Bound.MIN: (0, None)}
"""The allowed excess over a bound; other bounds require 0."""


class RuleRows:
    """Adds rules to the model. It leaves out rules that are not linear, which allows more lists.

    `broken` tells for each warning and remark, by bound, whether a solution breaks it.
    """

    def __init__(self, amounts: Amounts) -> None:
        self._prospects: Prospects = amounts.prospects
        self._statements = amounts.statements
        self._costs = amounts.costs
        self._memberships = amounts.memberships
        self._model = amounts.prospects.model
        self.left_out = 0
        self.broken: list[tuple[Bound, Linear]] = []

    def add_all(self) -> None:
        counted = 0
        for bound in BOUNDS:
            for check in list_checks(self._prospects.evaluation, bound):
                node = check.node
                is_inside_closed = (
                    isinstance(node, SelectionNode | GroupNode) and node.container in self._prospects.closed
                )
                if is_inside_closed or self._is_beyond(node) or asks_for_answers(check.constraint):
                    self.left_out += 1
                elif check.constraint.severity is Severity.ERROR or self._prospects.view.advised:
                    self._add_check(check)
                self._prospects.budget.spend(1 + self._model.size - counted)
                counted = self._model.size
        self._add_limits()
        self._add_places()
        self._add_hidden()
        command = self._memberships.find_command() if self._prospects.view.advised else None
        if command:
            self.broken.append((Bound.MIN, command.count_undecided()))

    # ---- constraints ---------------------------------------------------------------------------------------------

    def _add_check(self, check: Check) -> None:
        value = to_exact(check.constraint.value)
        bounds: list[Linear] | None = [Linear(value)]
        if check.compiled.reached:
            bounds = None
        elif check.compiled.modifiers:
            owners: list[Node] = [*filter(_is_present, check.instances)] or [check.node]
            modifiers = check.compiled.modifiers
            bounds = collect_known([self._statements.adjust_bound(modifiers, value, node) for node in owners])
            if bounds is not None and not self._are_comparable(bounds):
                bounds = None
        if bounds is None:
            self.left_out += 1
            return
        for allowed in bounds:
            self._add_bound(check, allowed)

    def _is_beyond(self, node: Node) -> bool:
        parent = node.parent if isinstance(node, ForceNode) and node.is_previewed else None
        return isinstance(parent, ForceNode) and self._prospects.is_deepest(parent)

    def _are_comparable(self, bounds: Sequence[Linear]) -> bool:
        """Return whether no bound can become negative, which would mean no limit."""
        if len(bounds) == 1 and bounds[0].is_constant:
            return True
        return all(self._model.find_range(bound)[0] >= 0 for bound in bounds)

    def _add_bound(self, check: Check, allowed: Linear) -> None:
        constraint, node = check.constraint, check.node
        if allowed.is_constant and allowed.constant < 0 and not constraint.terms:
            if allowed.constant == NO_LIMIT:
                return
            allowed = ZERO
        key, query = get_owner_key(check), constraint.query
        if check.compiled.shared_limit:
            limit_type = check.compiled.shared_limit
            agreed = self._prospects.roster.document.find_limit(limit_type)
            if agreed is None:
                return
            query = replace(query, field=limit_type, percent=False)
            allowed *= to_exact(agreed) * Fraction(1, 100)
        summed = self._weigh_owner(check) or self._statements.sum_query(query, node, key)
        if summed is None:
            self.left_out += self._statements.has_scope(query, node)
            return
        measured, place = summed

        where: list[Truth] = []
        if isinstance(node, SelectionNode | GroupNode | SlotNode):
            where.append(negate(self._statements.state_hidden(node)))
        elif isinstance(node, ForceNode) and node.is_previewed:
            around = [force for force in (node, node.parent) if isinstance(force, ForceNode)]
            where += [negate(self._statements.state_hidden(force)) for force in around]
        where.append(self._statements.state_guard(constraint.when, node))
        binding = self._scale_bound(check, allowed, place, key)
        if binding is None or None in where:
            self.left_out += 1
            return

        limit, exists = binding
        if constraint.severity is not Severity.ERROR:
            keeps = self._model.add_literal()
            self.broken.append((constraint.bound, self._model.as_number(keeps.negate())))
            where.append(keeps)
        lower, upper = RANGES.get(constraint.bound, (0, 0))
        label = BindingRule(CODES[constraint.bound], constraint.rule, constraint.name, constraint.id, node)
        self._model.require(measured - limit, lower=lower, upper=upper, where=[*where, exists], label=label)

    def _weigh_owner(self, check: Check) -> tuple[Linear, Node] | None:
        query, node = check.constraint.query, check.node
        if not isinstance(node, SelectionNode) or check.compiled.shared_limit:
            return None
        return (
            (self._costs.sum_whole(node, query.field), node)
            if asks_whole_cost(self._prospects.ruleset, query)
            else None
        )

    def _scale_bound(self, check: Check, allowed: Linear, place: Node, key: Hashable) -> tuple[Linear, Truth] | None:
        """Return the allowance of all units in a place, and whether the rule binds; None if unknown."""
        total = self._prospects.get_total(place)
        owner = self._find_owner(check)
        exists: Truth = True
        if total.is_constant or self._model.is_single(total):
            number = allowed * total.constant if total.is_constant else allowed
            if owner is not None:
                exists = self._model.state_at_least(self._prospects.get_total(owner), 1)
        elif owner is not None and find_base(place) is find_base(owner) and allowed.is_constant:
            number = total * allowed.constant
        else:
            return None

        terms = (self._measure_term(term, check, place, key) for term in check.constraint.terms)
        limit = add_known([number, *terms])
        if limit is None:
            return None
        if check.constraint.query.percent and not check.compiled.shared_limit:
            limit = self._take_percentage(check, limit)
        return limit, exists

    def _measure_term(self, term: Term, check: Check, place: Node, key: Hashable) -> Linear | None:
        summed = self._statements.sum_query(term.query, check.node, key)
        if summed is None:
            return self._statements.compute_unsummed(term.query, check.node)
        amount, term_place = summed
        coefficient = to_exact(term.coefficient)
        if find_base(term_place) is find_base(place):
            return amount * coefficient

        measured, ruled = self._prospects.get_total(term_place), self._prospects.get_total(place)
        if self._model.is_single(measured) and self._model.is_single(ruled):
            return amount * coefficient
        if measured.is_constant and ruled.is_constant:
            return amount * Fraction(ruled.constant, measured.constant) * coefficient
        if measured.is_constant and amount.is_constant:
            return ruled * (Fraction(amount.constant) / measured.constant) * coefficient
        return None

    def _take_percentage(self, check: Check, limit: Linear) -> Linear:
        query = check.constraint.query
        percent = check.constraint.value if not check.compiled.modifiers else limit.constant
        everything = Query(
            field=query.field,
            scope=query.scope,
            child_id="any",
            deep=query.deep,
            include_child_forces=query.include_child_forces,
        )
        summed = self._statements.sum_query(everything, check.node)
        return summed[0] * (to_exact(percent) * Fraction(1, 100)) if summed else limit

    def _find_owner(self, check: Check) -> Node | None:
        node = check.node
        if isinstance(node, ForceNode) and node.is_previewed and node.parent:
            # Force kinds make demands on their parent.
            node = node.parent
        if isinstance(node, RosterNode):
            return None
        if not isinstance(node, SelectionNode):
            return find_base(node)
        if check.compiled.explicit:
            return node
        if check.constraint.query.scope == Scope.PARENT:
            return node.container
        is_taken = any(map(_is_present, check.instances))
        # Required entries bind if they could be taken, others if they are taken.
        binds_all = check.compiled.may_require and check.constraint.bound is not Bound.MAX
        return node.container if is_taken or binds_all else node

    # ---- what no constraint states -------------------------------------------------------------------------------

    def _add_limits(self) -> None:
        roster = self._prospects.roster
        for limit in roster.document.limits:
            if limit.value < 0:
                continue
            spent = self._costs.sum_type(limit.type_id)
            cost_type = self._prospects.ruleset.binding.cost_types.get(limit.type_id)
            rule, name = (cost_type.rule, cost_type.rule_name or cost_type.name) if cost_type else ("", "")
            label = BindingRule(RuleCode.COST_LIMIT, rule, name, limit.type_id, roster)
            self._model.require(spent, upper=to_exact(limit.value), label=label)

    def _add_places(self) -> None:
        for force in self._prospects.roster.all_forces:
            if force.contents is None:
                name = force.document.name
                label = BindingRule(RuleCode.UNKNOWN_FORCE, "", name, force.document.entry_id, force)
                self._model.require(self._prospects.get_total(force), upper=0, label=label)
        for node in self._prospects.roster.selections:
            is_outside = isinstance(node.container, ForceNode) and node.container.is_outside
            if is_outside or node.option is None or node.misplaced or node.owners:
                code = RuleCode.OUTSIDE_DETACHMENT if is_outside else RuleCode.WRONG_PLACE
                label = BindingRule(code, "", node.written.name, node.target_id, node)
                self._model.require(self._prospects.get_total(node), upper=0, label=label)

    def _add_hidden(self) -> None:
        for force in self._prospects.new_forces:
            hidden = self._statements.state_hidden(force)
            if hidden is not False and hidden is not None:
                label = BindingRule(RuleCode.HIDDEN, "", force.document.name, force.document.entry_id, force)
                self._model.require(self._prospects.get_total(force), upper=0, where=[hidden], label=label)
        for node in self._prospects.roster.selections:
            hidden = self._statements.state_hidden(node)
            if hidden is False or hidden is None or node.option is None:
                continue
            label = BindingRule(RuleCode.HIDDEN, "", node.option.name, node.target_id, node)
            self._model.require(self._prospects.get_total(node), upper=0, where=[hidden], label=label)


def _is_present(node: Node) -> bool:
    return not isinstance(node, SelectionNode) or node.document is not None
