"""Costs of a completed list."""

from collections.abc import Hashable, Iterable
from fractions import Fraction
from math import ceil, floor

from catalogue.definitions.queries import ANY, Change, Modifier, Query, Repeat
from roster.engine.completion.counts import ANYTHING, Counts, list_inside
from roster.engine.completion.linear import ZERO, Exact, Linear, Literal, Truth, add_all, add_known, negate, to_exact
from roster.engine.completion.memberships import Memberships, QueryReader
from roster.engine.completion.prospects import Prospects, find_most
from roster.engine.nodes import ForceNode, Node, RosterNode, SelectionNode
from roster.engine.queries import counts_shared, list_forces_at, list_path_keys
from roster.engine.scopes import list_within

EVERYTHING = Query(child_id=ANY, deep=True)
DIRECTIONS = {Change.INCREMENT: 1, Change.DECREMENT: -1}


class CostSums:
    def __init__(self, prospects: Prospects, memberships: Memberships, counts: Counts) -> None:
        self._prospects = prospects
        self._model = prospects.model
        self._ruleset = prospects.ruleset
        self._memberships = memberships
        self._counts = counts
        self._demanded = find_demanded_types(prospects.roster) if prospects.view.undemanding else frozenset()
        self._costs: dict[tuple[Node, str], Linear] = {}

    def bind(self, questions: QueryReader) -> None:
        self._questions = questions

    # ---- sums ----------------------------------------------------------------------------------------------------

    def sum_costs(self, query: Query, places: list[Node], key: Hashable) -> Linear:
        """Sum matching members of `places`, with contents."""
        type_id = query.field
        if type_id in self._ruleset.effect_fields:
            return self._add_anything()
        places, key = self._counts.enter_forces(query, places, key)
        parts = []
        for place in places:
            for node in list_inside(place, deep=True):
                if node.option and type_id in node.option.entry.costs:
                    is_paid = self._state_paid(query, node, place, key)
                    parts.append(self._take_share(is_paid, self.get_cost(node, type_id)))
        parts += [self._guess_inside(type_id, place, query, key) for place in places]
        if key == ANY:
            parts += [self.get_force_cost(force, type_id) for force in list_forces_at(places)]
        return add_all(parts)

    def sum_whole(self, node: SelectionNode, type_id: str) -> Linear:
        """Include contents of all copies."""
        if type_id in self._ruleset.effect_fields:
            return self._add_anything()
        return add_all([*(self.get_cost(part, type_id) for part in node.walk()), self._guess_inside(type_id, node)])

    def sum_type(self, type_id: str) -> Linear:
        if type_id in self._ruleset.effect_fields:
            return self._add_anything()
        roster = self._prospects.roster
        forces = [self.get_force_cost(force, type_id) for force in roster.all_forces]
        inside = self._guess_inside(type_id, roster)
        return add_all([*forces, *(self.get_cost(node, type_id) for node in roster.selections), inside])

    def _add_anything(self) -> Linear:
        return self._model.add_variable(-ANYTHING, ANYTHING)

    def _state_paid(self, query: Query, node: SelectionNode, place: Node, key: Hashable) -> Truth:
        if key == ANY:
            return True
        within = list_within(node, place)
        shared = counts_shared(query, key)
        truths: list[Truth] = []
        for payer in within if query.deep else within[-1:]:
            if key in (payer.keys if shared else list_path_keys(payer)):
                truths.append(True)
            elif key in self._ruleset.binding.categories:
                truths.append(self._memberships.state_membership(payer, str(key)))
        return self._model.state_any(truths)

    def _take_share(self, share: Truth, cost: Linear) -> Linear:
        counted = self._model.multiply(share, cost)
        return self._model.add_between(ZERO, cost) if counted is None else counted

    def _guess_inside(self, type_id: str, place: Node, query: Query = EVERYTHING, key: Hashable = ANY) -> Linear:
        if not self._prospects.view.estimated:
            # Games such as the 9th Age have negative costs.
            least = -ANYTHING if type_id in self._ruleset.binding.falling_cost_types else 0
            return self._counts.guess_inside(type_id, place, deep=True, least=least)
        parts = []
        for node in self._prospects.list_closed(place, deep=True):
            if node.option:
                entry = node.option.entry
                inside = self._ruleset.smallest.sum_costs(entry).get(type_id, 0) - entry.costs.get(type_id, 0)
                is_paid = self._state_paid(query, node, place, key)
                parts.append(self._take_share(is_paid, self._prospects.get_total(node) * to_exact(inside)))
        return add_all(parts)

    # ---- one selection or force ----------------------------------------------------------------------------------

    def get_cost(self, node: SelectionNode, type_id: str) -> Linear:
        key = (node, type_id)
        if key not in self._costs:
            self._costs[key] = ZERO  # a cost that depends on itself counts as 0
            is_undemanding = node.document is None and type_id in self._demanded
            if node.option and type_id in node.option.entry.costs and not is_undemanding:
                entry = node.option.entry
                modifiers = entry.modifiers.get(type_id, ())
                self._costs[key] = self._adjust(modifiers, to_exact(entry.costs[type_id]), node)
        return self._costs[key]

    def get_force_cost(self, force: ForceNode, type_id: str) -> Linear:
        base = self._prospects.evaluation.costs.get_declared_costs(force).get(type_id)
        if base is None or force.compiled_force is None:
            return ZERO
        return self._adjust(force.compiled_force.modifiers.get(type_id, ()), to_exact(base), force)

    def _adjust(self, modifiers: Iterable[Modifier], base: Exact, node: Node) -> Linear:
        total = self._prospects.get_total(node)
        value = total * base
        for modifier in modifiers:
            value = self._apply(modifier, value, total, node)
        return value

    def _apply(self, modifier: Modifier, value: Linear, total: Linear, node: Node) -> Linear:
        change = self._questions.read_change(modifier, node)
        if change is None:
            return value
        number, applies = change
        if modifier.change in DIRECTIONS:
            added = self._count_times(modifier, total, node) * (number * DIRECTIONS[modifier.change])
            return value + self._take_share(applies, added)
        if modifier.repeats:
            return self._add_anything()

        if modifier.change is Change.SET:
            changed = total * number
            if applies is None:
                return self._model.add_between(value, changed)
            return self._model.choose(applies, changed, value) if isinstance(applies, Literal) else changed

        # This is not linear.
        if applies is not True or not total.is_constant or not value.is_constant:
            return self._add_anything()
        single = Fraction(value.constant) / total.constant if total.constant else 0
        if modifier.change is Change.FLOOR:
            single = max(single, number)
        elif modifier.change is Change.CEIL:
            single = min(single, number)
        return Linear(single * total.constant)

    def _count_times(self, modifier: Modifier, total: Linear, node: Node) -> Linear:
        if not modifier.repeats:
            return total
        if len(modifier.repeats) == 1:
            times = add_known([self._count_repeats(repeat, total, node) for repeat in modifier.repeats[0]])
            if times is not None:
                return times
        if self._prospects.view.estimated:
            # An unbounded number would satisfy any rule.
            return total
        return self._bind_to(total, self._model.add_variable(0, ANYTHING))

    def _bind_to(self, total: Linear, amount: Linear) -> Linear:
        self._model.require(amount, upper=0, where=[negate(self._model.state_at_least(total, 1))])
        return amount

    def _count_repeats(self, repeat: Repeat, total: Linear, node: Node) -> Linear | None:
        if repeat.query.percent:
            return None
        if repeat.value <= 0:
            return ZERO
        summed = self._questions.sum_query(repeat.query, node)
        if summed is None:
            return self._questions.compute_unsummed(repeat.query, node)
        amount, place = summed
        if place is node:
            return self._round_repeats(repeat, amount, total)
        place_total = self._prospects.get_total(place)
        ratio = _find_ratio(total, place_total)
        if ratio is not None:
            return self._round_repeats(repeat, amount * ratio, total)

        if not isinstance(node, SelectionNode) or node.container is not place or repeat.value != 1:
            return None
        repeated = amount * repeat.times
        if self._model.is_single(total) and self._model.is_single(place_total):
            return self._model.multiply(self._model.state_at_least(total, 1), repeated)
        # It is unknown which units contain the node.
        is_one_at_most = node.option is not None and find_most(node.option) <= 1
        if is_one_at_most and self._model.find_range(amount)[0] >= 0:
            return self._bind_to(total, self._model.add_between(ZERO, repeated))
        return None

    def _round_repeats(self, repeat: Repeat, amount: Linear, total: Linear) -> Linear:
        step = to_exact(repeat.value)
        if step == 1:
            return amount * repeat.times
        ratio = _find_ratio(amount, total)
        if ratio is not None:
            return Linear(count_steps(ratio / step, repeat) * total.constant * repeat.times)
        # Rounding changes each by less than a step.
        slack = total * (Fraction(step) - 1)
        low, high = (amount, amount + slack) if repeat.round_up else (amount - slack, amount)
        return self._model.add_between(
            low * Fraction(repeat.times, 1) * Fraction(1, step), high * Fraction(repeat.times, 1) * Fraction(1, step)
        )


def count_steps(steps: Fraction, repeat: Repeat) -> int:
    return ceil(steps) if repeat.round_up else floor(steps)


def _find_ratio(amount: Linear, other: Linear) -> Fraction | None:
    if amount.is_constant and other.is_constant and other.constant:
        return Fraction(amount.constant, other.constant)
    return None


def find_demanded_types(roster: RosterNode) -> frozenset[str]:
    growths = filter(None, (force.growth for force in roster.all_forces))
    return frozenset(opening.demanded for growth in growths for opening in growth.openings)
