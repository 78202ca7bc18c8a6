"""The rules of a list as rows of a model: the same checks that the validator makes, with expressions."""

from collections.abc import Hashable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from catalogue.definitions.constraints import Severity
from catalogue.definitions.queries import BOUNDS, Bound, Query, Scope, Term
from catalogue.definitions.rule_codes import RuleCode
from roster.engine.checks import Check, get_owner_key, list_checks
from roster.engine.completion.amounts import Amounts
from roster.engine.completion.linear import Exact, Linear, Truth, add_known, collect_known, negate, to_exact
from roster.engine.completion.prospects import Prospects, find_base
from roster.engine.nodes import GroupNode, Node, RosterNode, SelectionNode


class BindingRule(NamedTuple):
    """What a row of the model stands for: the rule of the book, and the constraint and place it comes from."""

    code: RuleCode
    rule: str
    name: str
    constraint_id: str
    node: Node


RANGES: dict[Bound, tuple[int | None, int | None]] = {Bound.MAX: (None, 0), Bound.MIN: (0, None)}
"""Between what the excess over a bound has to lie; exactly at it where no side is open."""


class RuleRows:
    """Adds the rules to the model. What cannot be expressed exactly is left out, which allows more."""

    def __init__(self, amounts: Amounts) -> None:
        self._amounts = amounts
        self._prospects: Prospects = amounts.prospects
        self._model = amounts.model
        self.left_out = 0
        """How many rules could not be said."""

    def add_all(self) -> None:
        """Add every rule that binds the list."""
        evaluation = self._amounts.evaluation
        counted = 0
        for bound in BOUNDS:
            for check in list_checks(evaluation, bound):
                self._consider_check(check)
                # One check may lay out thousands of rows.
                self._prospects.budget.spend(1 + self._model.size - counted)
                counted = self._model.size
        self._add_limits()
        self._add_hidden()

    def _consider_check(self, check: Check) -> None:
        """Add what a constraint forbids where a model can tell; what it only advises against is no row."""
        if check.compiled.shared_limit or self._is_inside_closed(check.node):
            self.left_out += 1
        elif check.constraint.severity is Severity.ERROR:
            self._add_check(check)

    def _is_inside_closed(self, node: Node) -> bool:
        return isinstance(node, SelectionNode | GroupNode) and node.container in self._prospects.closed

    # ---- constraints ---------------------------------------------------------------------------------------------

    def _add_check(self, check: Check) -> None:
        bounds = self._list_bounds(check)
        if bounds is None:
            self.left_out += 1
            return
        for allowed in bounds:
            self._add_bound(check, allowed)

    def _list_bounds(self, check: Check) -> list[Linear] | None:
        """Return the numbers of a constraint, where its owners disagree each one; None where nobody knows them."""
        value = to_exact(check.constraint.value)
        # Others may change the number, which no model follows.
        if check.compiled.reached:
            return None
        if not check.compiled.modifiers:
            return [Linear(value)]
        return self._adjust_for_owners(check, value)

    def _adjust_for_owners(self, check: Check, value: Exact) -> list[Linear] | None:
        """Return the number after modifiers of each owner; None where nobody knows one, or which is the stricter."""
        modifiers = check.compiled.modifiers
        known = collect_known([self._amounts.adjust_bound(modifiers, value, node) for node in self._list_owners(check)])
        return known if known is not None and self._are_comparable(known) else None

    def _list_owners(self, check: Check) -> list[Node]:
        """List what is there of the owners of a constraint; where nothing is, what could be stands for them."""
        return [*filter(self._is_present, check.instances)] or [check.node]

    def _are_comparable(self, bounds: Sequence[Linear]) -> bool:
        """Return whether all of several bounds bind: one below zero is none, and which is the strictest is open."""
        if len(bounds) == 1 and bounds[0].is_constant:
            return True
        return all(self._model.find_range(bound)[0] >= 0 for bound in bounds)

    def _is_present(self, node: Node) -> bool:
        return not isinstance(node, SelectionNode) or node.document is not None

    def _add_bound(self, check: Check, allowed: Linear) -> None:
        constraint, node = check.constraint, check.node
        if _is_lifted(check, allowed):
            return
        key = get_owner_key(check)
        summed = self._amounts.sum_query(constraint.query, node, key)
        if summed is None:
            # Without a place to count in it binds nothing, so that nothing is left out.
            self.left_out += self._amounts.has_scope(constraint.query, node)
            return
        measured, place = summed
        where = [*self._list_conditions(check), self._amounts.state_guard(constraint.when, node)]
        binding = self._scale_bound(check, allowed, place, key)
        if binding is None or None in where:
            self.left_out += 1
            return
        limit, exists = binding
        lower, upper = RANGES.get(constraint.bound, (0, 0))
        self._model.require(
            measured - limit, lower=lower, upper=upper, where=[*where, exists], label=self._label(check)
        )

    def _scale_bound(self, check: Check, allowed: Linear, place: Node, key: Hashable) -> tuple[Linear, Truth] | None:
        """Return what is allowed in a place, and whether the rule binds at all.

        Where a place stands for many units, it is what all of them are allowed together.
        """
        scaled = self._multiply_allowed(check, allowed, place)
        if scaled is None:
            return None
        number, exists = scaled
        terms = (self._measure_term(term, check, place, key) for term in check.constraint.terms)
        limit = add_known([number, *terms])
        if limit is None:
            return None
        if check.constraint.query.percent:
            limit = self._take_percentage(check, limit)
        return limit, exists

    def _multiply_allowed(self, check: Check, allowed: Linear, place: Node) -> tuple[Linear, Truth] | None:
        """Return a number times the places that it is allowed in, and whether anything there asks for it."""
        total = self._prospects.get_total(place)
        owner = self._find_owner(check)
        if total.is_constant:
            return allowed * total.constant, self._state_there(owner)
        if self._model.is_single(total):
            return allowed, self._state_there(owner)
        # Owners that are as many as their places may have the number once for each of them.
        if owner is not None and find_base(place) is find_base(owner) and allowed.is_constant:
            return total * allowed.constant, True
        return None

    def _state_there(self, owner: Node | None) -> Truth:
        """Return whether there is anything that a rule is of; where it is of the whole list, there is."""
        return True if owner is None else self._model.state_at_least(self._prospects.get_total(owner), 1)

    def _measure_term(self, term: Term, check: Check, place: Node, key: Hashable) -> Linear | None:
        """Return what a summand adds to what is allowed in a place; None where nobody knows."""
        summed = self._amounts.sum_query(term.query, check.node, key)
        if summed is None:
            return self._amounts.compute_unsummed(term.query, check.node)
        share = self._share(*summed, place)
        return None if share is None else share * to_exact(term.coefficient)

    def _share(self, amount: Linear, term_place: Node, place: Node) -> Linear | None:
        """Return a summand measured in one place for a rule that measures in another."""
        if find_base(term_place) is find_base(place):
            return amount
        return self._convert_amount(amount, self._prospects.get_total(term_place), self._prospects.get_total(place))

    def _convert_amount(self, amount: Linear, one: Linear, other: Linear) -> Linear | None:
        """Return an amount that so many places have for as many others; None where nobody knows."""
        if self._model.is_single(one) and self._model.is_single(other):
            return amount
        if one.is_constant and other.is_constant:
            return amount * Fraction(other.constant, one.constant)
        if one.is_constant and amount.is_constant:
            return other * (Fraction(amount.constant) / one.constant)
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
        summed = self._amounts.sum_query(everything, check.node)
        return summed[0] * (to_exact(percent) * Fraction(1, 100)) if summed else limit

    def _find_owner(self, check: Check) -> Node | None:
        """Return what has to be there for a rule to bind: its owner, or what the owner could be in."""
        node = check.node
        if isinstance(node, RosterNode):
            return None
        if isinstance(node, SelectionNode):
            return self._find_owner_of_entry(check, node)
        return find_base(node)

    def _find_owner_of_entry(self, check: Check, node: SelectionNode) -> Node:
        if check.compiled.explicit:
            return node
        if check.constraint.query.scope == Scope.PARENT:
            return node.container
        is_taken = any(map(self._is_present, check.instances))
        # What has to be taken binds where it could be; what may be taken, where there is any of it.
        binds_all = check.compiled.may_require and check.constraint.bound is not Bound.MAX
        return node.container if is_taken or binds_all else node

    def _list_conditions(self, check: Check) -> Iterator[Truth]:
        """List what has to hold for a rule to bind: hidden owners demand nothing."""
        node = check.node
        if isinstance(node, SelectionNode | GroupNode):
            yield negate(self._amounts.state_hidden(node))

    def _label(self, check: Check) -> BindingRule:
        constraint = check.constraint
        code = {Bound.MAX: RuleCode.MAXIMUM, Bound.MIN: RuleCode.MINIMUM, Bound.EXACTLY: RuleCode.EXACTLY}
        return BindingRule(code[constraint.bound], constraint.rule, constraint.name, constraint.id, check.node)

    # ---- what no constraint states -------------------------------------------------------------------------------

    def _add_limits(self) -> None:
        """Add the limits of the list."""
        roster = self._prospects.roster
        for limit in roster.document.limits:
            if limit.value >= 0:
                spent, label = self._amounts.sum_type(limit.type_id), self._label_limit(limit.type_id)
                self._model.require(spent, upper=to_exact(limit.value), label=label)

    def _label_limit(self, type_id: str) -> BindingRule:
        cost_type = self._prospects.ruleset.binding.cost_types.get(type_id)
        rule, name = (cost_type.rule, cost_type.rule_name or cost_type.name) if cost_type else ("", "")
        return BindingRule(RuleCode.COST_LIMIT, rule, name, type_id, self._prospects.roster)

    def _add_hidden(self) -> None:
        """Add that nothing hidden is taken."""
        for node in self._prospects.roster.selections:
            hidden = self._amounts.state_hidden(node)
            # Where nobody knows, nothing is forbidden.
            if hidden is False or hidden is None or node.option is None:
                continue
            label = BindingRule(RuleCode.HIDDEN, "", node.option.name, node.target_id, node)
            self._model.require(self._prospects.get_total(node), upper=0, where=[hidden], label=label)


def _is_lifted(check: Check, allowed: Linear) -> bool:
    """Return whether a constraint binds nothing, because the number of it is below zero."""
    return allowed.is_constant and allowed.constant < 0 and not check.constraint.terms
