"""Evaluate conditions, guards and repeats."""

from collections.abc import Callable
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from operator import eq, ge, gt, le, lt, ne
from weakref import proxy

from catalogue.definitions.numbers import Number
from catalogue.definitions.queries import (
    ORDERING,
    Condition,
    Guard,
    Modifier,
    Operator,
    Query,
    Repeat,
    Scope,
    asks_widely,
    holds_widely,
)
from catalogue.graph.ruleset import Ruleset
from roster.engine.footprints import Ask
from roster.engine.nodes import ForceNode, GroupNode, Node, SelectionNode
from roster.engine.queries import Queries
from roster.engine.scopes import Scopes, find_root, find_selection, list_enclosing

COMPARE: dict[Operator, Callable[[Number, Number], bool]] = {
    Operator.LESS_THAN: lt,
    Operator.GREATER_THAN: gt,
    Operator.EQUAL_TO: eq,
    Operator.NOT_EQUAL_TO: ne,
    Operator.AT_LEAST: ge,
    Operator.AT_MOST: le,
}


OF_FORCE = frozenset((Scope.FORCE.value, Scope.PRIMARY_CATALOGUE.value))


class Questions:
    """Finds the first of several equal guards or conditions in a ruleset, so that each is evaluated once.

    Each object is compared once and then found by its `id`.
    """

    def __init__(self) -> None:
        self._first_by_id: dict[int, tuple[Guard | Condition, Guard | Condition | None]] = {}
        self._firsts: dict[Guard | Condition, Guard | Condition] = {}

    def find_first(self, question: Guard | Condition) -> Guard | Condition | None:
        """Return the first equal guard or condition; None if the answer may differ inside a force."""
        cached = self._first_by_id.get(id(question))
        if cached:
            return cached[1]
        is_wide = holds_widely(question) if isinstance(question, Guard) else asks_widely(question)
        first = self._firsts.setdefault(question, question) if is_wide else None
        # Keep the definition alive, so that its id is not reused.
        self._first_by_id[id(question)] = (question, first)
        return first


class Conditions:
    """Evaluates guards and repeats as seen from a node."""

    def __init__(self, ruleset: Ruleset, scopes: Scopes, queries: Queries) -> None:
        self._questions = ruleset.derive(Questions, Questions)
        self._scopes = scopes
        self._queries = queries
        self._force_entry_ids = ruleset.force_entry_ids
        # Weak, because queries and conditions use each other.
        self._queries.judge = proxy(self)
        self._askers: list[Node] = []
        self._answers: dict[tuple[int, ForceNode | None], bool] = {}

    def forget(self) -> None:
        self._answers.clear()

    def is_satisfied(self, guard: Guard, node: Node) -> bool:
        if not (guard.conditions or guard.guards):
            return True
        first = self._questions.find_first(guard)
        if first is None:
            return self._join_parts(guard, node) is not guard.negated
        key = (id(first), node.force)
        answer = self._answers.get(key)
        if answer is None:
            # The force's footprint records the parts, a unit's footprint the answer.
            answer = self._answers[key] = self._join_parts(guard, node.force or node) is not guard.negated
        self._note(Ask.HOLDS, first, node, answer)
        return answer

    def _note(self, ask: Ask, question: Guard | Condition, node: Node, answer: bool) -> None:
        footprint, force = node.footprint, node.force
        if footprint and force and footprint is not force.footprint and self._queries.notes_footprints:
            footprint.note(ask, question, None, force.token, answer)

    def _join_parts(self, guard: Guard, node: Node) -> bool:
        if guard.least:
            met = sum(self.is_met(condition, node) for condition in guard.conditions)
            met += sum(self.is_satisfied(inner, node) for inner in guard.guards)
            return met >= guard.least
        decisive = guard.any_of
        for condition in guard.conditions:
            if self.is_met(condition, node) is decisive:
                return decisive
        for inner in guard.guards:
            if self.is_satisfied(inner, node) is decisive:
                return decisive
        return not decisive

    def is_met(self, condition: Condition, node: Node) -> bool:
        first = self._questions.find_first(condition)
        if first is None:
            return self._is_met(condition, node)
        key = (id(first), node.force)
        answer = self._answers.get(key)
        if answer is None:
            answer = self._answers[key] = self._is_met(condition, node.force or node)
        self._note(Ask.IS_MET, first, node, answer)
        return answer

    def _is_met(self, condition: Condition, node: Node) -> bool:
        query = condition.query
        if condition.operator is Operator.INSTANCE_OF:
            return self.is_instance(query, node)
        if condition.operator is Operator.NOT_INSTANCE_OF:
            return not self.is_instance(query, node)
        if condition.operator in ORDERING:
            if not self._askers or not isinstance(node, SelectionNode):
                return False
            order = self._scopes.order
            place = order.get(find_selection(self._askers[-1]), len(order))
            here = order.get(node, len(order))
            return here < place if condition.operator is Operator.BEFORE else here > place
        amount = self._queries.compute_amount(query, node)
        if amount is None:
            return False
        value = condition.value
        if query.percent:
            total = self._queries.compute_total(query, node)
            # a percentage of nothing is 0
            amount, value = (100 * amount, value * total) if total else (0, value)
        return COMPARE[condition.operator](amount, value)

    def holds_for(self, guard: Guard, counted: SelectionNode, asker: Node) -> bool:
        self._askers.append(asker)
        try:
            return self.is_satisfied(guard, counted)
        finally:
            self._askers.pop()

    def is_instance(self, query: Query, node: Node) -> bool:
        child_id, scope = query.child_id, query.scope
        if child_id is None or scope == Scope.ROSTER:
            return False
        if scope == Scope.ANCESTOR:
            return any(self._scopes.is_match(outer, child_id) for outer in list_enclosing(node))
        if scope == Scope.PRIMARY_CATEGORY:
            root = find_root(node)
            return root is not None and self._scopes.categories.get_uncommanded(root).primary == child_id
        if scope in OF_FORCE:
            force = node.force
            if force is None:
                return False
            if child_id == force.document.catalogue_id:
                return True
            if scope == Scope.PRIMARY_CATALOGUE:
                return False
            if node.footprint and node.footprint is not force.footprint:
                # Force-wide conditions are recorded for the force; others depend on the asking node.
                node.footprint.is_repeatable = False
            return child_id in force.names or self._queries.has_category(force, child_id)
        place = self._scopes.find_place(scope, node)
        if scope == Scope.PARENT and isinstance(node, GroupNode) and child_id in self._force_entry_ids:
            # For a group, a parent that is a force kind means the force around its entry.
            place = node.container.parent
        return place is not None and self._scopes.is_match(place, child_id)

    def count_times(self, modifier: Modifier, node: Node) -> int:
        if not self.is_satisfied(modifier.guard, node):
            return 0
        times = 1
        for level in modifier.repeats:
            times *= sum(self._count_repeats(repeat, node) for repeat in level)
        return times

    def _count_repeats(self, repeat: Repeat, node: Node) -> int:
        amount = self._queries.compute_amount(repeat.query, node)
        if amount is None or repeat.value <= 0:
            return 0
        step = repeat.value
        if repeat.query.percent:
            amount, step = 100 * amount, step * self._queries.compute_total(repeat.query, node)
        return count_steps(amount, step, up=repeat.round_up) * repeat.times if step else 0


def count_steps(amount: Number, step: Number, *, up: bool) -> int:
    """Count the whole steps in an amount.

    >>> count_steps(7, 2, up=False), count_steps(7, 2, up=True)
    (3, 4)
    """
    # Avoid decimals for whole numbers.
    if isinstance(amount, int) and isinstance(step, int):
        return -(-amount // step) if up else amount // step
    return int((Decimal(amount) / Decimal(step)).to_integral_value(ROUND_CEILING if up else ROUND_FLOOR))
