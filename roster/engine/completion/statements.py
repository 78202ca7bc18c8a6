"""Queries, conditions and modifiers of a completed list."""

from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction
from math import lcm

from catalogue.definitions.queries import (
    KNOWN,
    Change,
    Condition,
    Field,
    Guard,
    Modifier,
    Operator,
    Query,
    Repeat,
    Scope,
)
from roster.engine.categories import list_category_modifiers
from roster.engine.completion.costs import DIRECTIONS, CostSums, count_steps
from roster.engine.completion.counts import Counts
from roster.engine.completion.linear import ZERO, Exact, Linear, Literal, Truth, add_known, find_scale, negate, to_exact
from roster.engine.completion.memberships import Memberships
from roster.engine.completion.prospects import Prospects
from roster.engine.effective_values import parse_operand
from roster.engine.effects import HIDDEN
from roster.engine.nodes import ForceNode, GroupNode, Node, SelectionNode, SlotNode
from roster.engine.scopes import find_root, list_enclosing

OPPOSITES = {
    Operator.LESS_THAN: Operator.AT_LEAST,
    Operator.AT_MOST: Operator.GREATER_THAN,
    Operator.NOT_EQUAL_TO: Operator.EQUAL_TO,
}
PRIMARY_CHANGES = frozenset((Change.SET, Change.SET_PRIMARY, Change.UNSET_PRIMARY, Change.REMOVE))
"""Changes that may give a selection another primary category."""


class Statements:
    """Answers queries, conditions and modifiers as expressions and statements. None means unknown.

    Amounts are sums over all units of a node.
    """

    def __init__(self, prospects: Prospects, memberships: Memberships, counts: Counts, costs: CostSums) -> None:
        self._prospects = prospects
        self._model = prospects.model
        self._evaluation = prospects.evaluation
        self._ruleset = prospects.ruleset
        self._memberships = memberships
        self._counts = counts
        self._costs = costs
        self._truths: dict[tuple[int, Node | None, Node], Truth] = {}
        self._hidden: dict[Node, Truth] = {}

    # ---- queries -------------------------------------------------------------------------------------------------

    def sum_query(self, query: Query, node: Node, owner_key: Hashable = None) -> tuple[Linear, Node] | None:
        """Return the sum over everything a query's place represents, and the place."""
        if self._is_lasting(query):
            amount = self._evaluation.queries.compute_amount(query, node, owner_key)
            return None if amount is None else (Linear(to_exact(amount)), self._prospects.roster)
        key = owner_key if query.child_id is None else query.child_id
        if key is None or query.where is not None or query.scope == Scope.ANCESTOR or self._hangs_on_order(key):
            return None
        places = self._evaluation.scopes.list_places(query, node)
        if not places:
            return None
        if query.field == Field.FORCES:
            return self._counts.count_forces(query, places[0], key), places[0]
        if query.field == Field.SELECTIONS:
            return self._counts.count_selections(query, places, key), places[0]
        if query.field in self._ruleset.binding.cost_types:
            return self._costs.sum_costs(query, places, key), places[0]
        return None

    def _hangs_on_order(self, key: Hashable) -> bool:
        """Return whether the order of settling categories affects a key's count."""
        return self._memberships.counts_declared and key in self._memberships.moved

    def compute_amount(self, query: Query, node: Node, owner_key: Hashable = None) -> Linear | None:
        """Return the amount in one place; None if units differ or it is unknown."""
        summed = self.sum_query(query, node, owner_key)
        if summed is None:
            return None
        amount, place = summed
        total = self._prospects.get_total(place)
        if total.is_constant:
            return amount * Fraction(1, total.constant) if total.constant not in (0, 1) else amount
        return amount if self._model.is_single(total) or amount.is_nothing else None

    def has_scope(self, query: Query, node: Node) -> bool:
        return query.scope == Scope.ANCESTOR or bool(self._evaluation.scopes.list_places(query, node))

    def compute_unsummed(self, query: Query, node: Node) -> Linear | None:
        """Return 0 for a query without a place to count in, otherwise None."""
        return None if self.has_scope(query, node) else ZERO

    def _is_lasting(self, query: Query) -> bool:
        is_around = query.scope == Scope.ANCESTOR and query.field not in self._ruleset.binding.cost_types
        return is_around or KNOWN in query.field

    # ---- modifiers -----------------------------------------------------------------------------------------------

    def adjust_bound(self, modifiers: Sequence[Modifier], base: Exact, node: Node) -> Linear | None:
        value = Linear(base)
        for modifier in modifiers:
            change = self.read_change(modifier, node)
            if change is None:
                continue
            number, applies = change
            times = self._count_times(modifier, node)
            if times is None or applies is None:
                return None
            if modifier.change in DIRECTIONS:
                changed = value + times * (number * DIRECTIONS[modifier.change])
            elif modifier.change is Change.SET and times.is_constant:
                changed = Linear(number) if times.constant >= 1 else value
            else:
                return None
            value = self._model.choose(applies, changed, value) if isinstance(applies, Literal) else changed
        return value

    def read_change(self, modifier: Modifier, node: Node) -> tuple[Exact, Truth] | None:
        """Return a modifier's number and whether it applies; None if it changes nothing."""
        operand = parse_operand(modifier.value)
        if operand is None:
            return None
        applies = self.state_guard(modifier.guard, node)
        return None if applies is False else (to_exact(operand), applies)

    def _count_times(self, modifier: Modifier, node: Node) -> Linear | None:
        if not modifier.repeats:
            return Linear(1)
        if len(modifier.repeats) > 1:
            return None
        return add_known([self._count_repeats(repeat, node) for repeat in modifier.repeats[0]])

    def _count_repeats(self, repeat: Repeat, node: Node) -> Linear | None:
        amount = self._compute_repeated(repeat, node)
        if amount is None:
            return None
        if repeat.value == 1:
            return amount * repeat.times
        step = to_exact(repeat.value)
        if amount.is_constant:
            return Linear(count_steps(Fraction(amount.constant) / step, repeat) * repeat.times)
        # A fractional amount is the share of one unit among several.
        if find_scale(amount, step) > 1:
            return None
        least, most = (count_steps(Fraction(end) / step, repeat) for end in self._model.find_range(amount))
        steps = self._model.add_variable(least, most)
        rest = amount - steps * step
        over = step - 1
        self._model.require(rest, lower=-over if repeat.round_up else 0, upper=0 if repeat.round_up else over)
        return steps * repeat.times

    def _compute_repeated(self, repeat: Repeat, node: Node) -> Linear | None:
        amount = self.compute_amount(repeat.query, node)
        return None if repeat.query.percent or repeat.value <= 0 else amount

    def state_applied(self, modifier: Modifier, node: Node) -> Truth:
        truths = [self.state_guard(modifier.guard, node)]
        for level in modifier.repeats:
            reached: list[Truth] = []
            for repeat in level:
                amount = self._compute_repeated(repeat, node)
                least = 1 if repeat.round_up else to_exact(repeat.value)
                reached.append(None if amount is None else self._model.state_at_least(amount, least))
            truths.append(self._model.state_any(reached))
        return self._model.state_all(truths)

    # ---- conditions ----------------------------------------------------------------------------------------------

    def state_guard(self, guard: Guard, node: Node) -> Truth:
        if not guard:
            return True
        if guard.least:
            return None
        parts = [
            *(self.state_condition(condition, node) for condition in guard.conditions),
            *(self.state_guard(inner, node) for inner in guard.guards),
        ]
        joined = self._model.state_any(parts) if guard.any_of else self._model.state_all(parts)
        return negate(joined) if guard.negated else joined

    def state_condition(self, condition: Condition, node: Node) -> Truth:
        key = (id(condition), node.force, node)
        if key not in self._truths:
            self._truths[key] = self._state_condition(condition, node)
        return self._truths[key]

    def _state_condition(self, condition: Condition, node: Node) -> Truth:
        query, operator = condition.query, condition.operator
        if operator is Operator.INSTANCE_OF:
            return self._state_instance(query, node)
        if operator is Operator.NOT_INSTANCE_OF:
            return negate(self._state_instance(query, node))
        if operator in (Operator.BEFORE, Operator.AFTER):
            return None

        if KNOWN not in query.field and not self.has_scope(query, node):
            return False
        if self._is_lasting(query):
            return self._evaluation.conditions.is_met(condition, node)
        if query.child_id is None and query.scope != Scope.ANCESTOR:
            return False
        amount = self.compute_amount(query, node)
        if amount is None or query.percent:
            return None
        return self._compare(operator, amount, to_exact(condition.value))

    def _compare(self, operator: Operator, amount: Linear, value: Exact) -> Truth:
        if operator in OPPOSITES:
            return negate(self._compare(OPPOSITES[operator], amount, value))
        if operator is Operator.AT_LEAST:
            return self._model.state_at_least(amount, value)
        if operator is Operator.GREATER_THAN:
            return self._model.state_at_least(amount - value, _find_next_step(amount - value))
        return self._model.state_equal(amount, value)

    def _state_instance(self, query: Query, node: Node) -> Truth:
        if query.child_id not in self._ruleset.binding.categories or query.scope == Scope.PRIMARY_CATALOGUE:
            return self._evaluation.conditions.is_instance(query, node)
        category_id = str(query.child_id)
        if query.scope == Scope.FORCE and node.force:
            if category_id in node.force.names:
                return True
            if self._hangs_on_order(category_id):
                return None
            members = self._counts.count_in(node.force, True, self._counts.category_kind, category_id)
            return self._model.state_at_least(members, 1)
        if query.scope == Scope.PRIMARY_CATEGORY:
            primary = self._find_lasting_primary(find_root(node))
            return None if primary is None else primary == category_id
        if query.scope == Scope.ANCESTOR:
            return self._model.state_any(self._state_match(outer, category_id) for outer in list_enclosing(node))
        place = self._evaluation.scopes.find_place(query.scope, node)
        if isinstance(place, SelectionNode):
            return self._memberships.state_membership(place, category_id)
        return True if self._evaluation.conditions.is_instance(query, node) else None

    def _state_match(self, node: Node, category_id: str) -> Truth:
        if isinstance(node, SelectionNode):
            return self._memberships.state_membership(node, category_id)
        return self._evaluation.scopes.is_match(node, category_id)

    def _find_lasting_primary(self, unit: SelectionNode | None) -> str | None:
        if unit is None or unit.option is None:
            return None
        is_moved = any(modifier.change in PRIMARY_CHANGES for modifier in list_category_modifiers(unit.option))
        return None if is_moved else unit.option.membership.primary

    # ---- hidden --------------------------------------------------------------------------------------------------

    def state_hidden(self, node: Node) -> Truth:
        if HIDDEN in self._ruleset.effect_fields and self._may_effects_hide(node):
            return None
        if node not in self._hidden:
            # Conditions may be circular.
            self._hidden[node] = False
            self._hidden[node] = self._state_hidden(node)
        return self._hidden[node]

    def _may_effects_hide(self, node: Node) -> bool:
        effects = self._ruleset.binding.effects
        changed_ids = {effect.entry_id for effect in effects if effect.modifier.field == HIDDEN}
        if isinstance(node, ForceNode) and "" not in changed_ids:
            return not changed_ids.isdisjoint(node.names)
        # An effect without an id, or with a category, may target anything.
        if not isinstance(node, SelectionNode) or "" in changed_ids:
            return True
        if not changed_ids.isdisjoint(self._ruleset.binding.categories) or not changed_ids.isdisjoint(node.keys):
            return True
        entries = node.option.merged_entries if node.option else ()
        return any(not changed_ids.isdisjoint(entry.ids) for entry in entries)

    def _state_hidden(self, node: Node) -> Truth:
        if isinstance(node, GroupNode):
            entry, outer = node.group.entry, node.group.groups[:-1]
        elif isinstance(node, SelectionNode) and node.option:
            entry, outer = node.option.entry, node.option.groups
        elif isinstance(node, SlotNode) and node.slot:
            return self._state_flag(node.slot.hidden, node.slot.modifiers.get(HIDDEN, ()), node)
        elif isinstance(node, ForceNode):
            return self._state_force_hidden(node)
        else:
            return False
        is_hidden = self._state_flag(entry.hidden, entry.modifiers.get(HIDDEN, ()), node)
        groups = [self._evaluation.values.get_group(group, node.container) for group in outer]
        around = [self.state_hidden(group) for group in groups]
        if isinstance(node, SelectionNode) and isinstance(node.container, ForceNode):
            around += [self._state_force_hidden(node.container), self._state_slot_hidden(node, node.container)]
        return self._model.state_any([is_hidden, *around])

    def _state_slot_hidden(self, node: SelectionNode, force: ForceNode) -> Truth:
        if node.option is None or force.compiled_force is None or not force.compiled_force.hides_slots:
            return False
        primary = self._find_lasting_primary(node)
        if primary is None:
            return None
        slot = force.compiled_force.slots_by_category.get(primary)
        if slot is None:
            return False
        return self.state_hidden(self._evaluation.scopes.get_slot(force, slot.id))

    def _state_force_hidden(self, force: ForceNode) -> Truth:
        if force.compiled_force is None:
            return False
        modifiers = force.compiled_force.modifiers.get(HIDDEN, ())
        if force.compiled_force.entry.hidden and not modifiers:
            # It depends on the other force kinds.
            return None
        return self._state_flag(force.compiled_force.entry.hidden, modifiers, force)

    def _state_flag(self, base: bool, modifiers: Iterable[Modifier], node: Node) -> Truth:
        is_set: Truth = base
        for modifier in modifiers:
            if modifier.change is not Change.SET:
                continue
            applies = self.state_applied(modifier, node)
            if modifier.value == "true":
                is_set = self._model.state_any((is_set, applies))
            else:
                is_set = self._model.state_all((is_set, negate(applies)))
        return is_set


def _find_next_step(expression: Linear) -> Exact:
    """Return a lower bound for the smallest positive value."""
    parts = (expression.constant, *expression.terms.values())
    return Fraction(1, lcm(*(Fraction(part).denominator for part in parts)))
