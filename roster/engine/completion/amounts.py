"""Queries, conditions and costs as expressions of what could still be added."""

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from fractions import Fraction
from math import ceil, floor, lcm
from operator import attrgetter

from catalogue.definitions.queries import (
    ANY,
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
from catalogue.graph.compiled_constraints import Modifiers
from roster.engine.categories import list_category_modifiers
from roster.engine.completion.command import CommandChoice, find_command
from roster.engine.completion.linear import (
    ZERO,
    Exact,
    Linear,
    Literal,
    Model,
    Truth,
    add_all,
    add_known,
    find_known,
    negate,
    to_exact,
)
from roster.engine.completion.prospects import Prospects, find_most, may_hold
from roster.engine.effective_values import parse_operand
from roster.engine.effects import HIDDEN
from roster.engine.nodes import ForceNode, GroupNode, Node, SelectionNode
from roster.engine.queries import is_force, list_forces_at, list_forces_in, list_forces_of, list_members, list_path_keys
from roster.engine.scopes import list_within

ENTRY, PATH, CATEGORY, DECLARED = "entry", "path", "category", "declared"
"""What selections are counted by: entries and types, these at their paths, what they are of, or are declared to be."""

OPPOSITES = {
    Operator.LESS_THAN: Operator.AT_LEAST,
    Operator.AT_MOST: Operator.GREATER_THAN,
    Operator.NOT_EQUAL_TO: Operator.EQUAL_TO,
}
DIRECTIONS = {Change.INCREMENT: 1, Change.DECREMENT: -1}
ANYTHING = 1_000_000
"""More than there is of anything inside something that a model does not look into."""


class Amounts:
    """Answers queries as `roster.engine.queries` does, with expressions instead of numbers.

    A sum over all units of a kind stands for what is asked of each one; `get_total` of the place says how many there
    are. What cannot be said by expressions is None.
    """

    def __init__(self, prospects: Prospects) -> None:
        self.prospects = prospects
        self._demanded = find_demanded_types(prospects) if prospects.view.undemanding else frozenset()
        self.model: Model = prospects.model
        self.evaluation = prospects.evaluation
        self.ruleset = prospects.ruleset
        self._tables: dict[tuple[Node, bool, str], dict[Hashable, list[SelectionNode]]] = {}
        self._counts: dict[tuple[Node, bool, str, Hashable], Linear] = {}
        self._memberships: dict[SelectionNode, dict[str, Truth]] = {}
        self._of_category: dict[tuple[SelectionNode, str], Linear] = {}
        self._costs: dict[tuple[Node, str], Linear] = {}
        self._truths: dict[tuple[int, Node | None, Node], Truth] = {}
        self._hidden: dict[Node, Truth] = {}
        self._presences: dict[tuple[SelectionNode, ...], Truth] = {}
        self._category_kind = CATEGORY
        self._key_finders: dict[str, Callable[[SelectionNode], Iterable[Hashable]]] = {
            DECLARED: list_declared,
            PATH: list_path_keys,
            ENTRY: attrgetter("keys"),
        }
        self._command: CommandChoice | None = None
        self._has_sought_command = False
        effects = self.ruleset.binding.effects
        self._given = frozenset(effect.modifier.value for effect in effects if effect.modifier.field == "category")

    # ---- queries -------------------------------------------------------------------------------------------------

    def sum_query(self, query: Query, node: Node, owner_key: Hashable = None) -> tuple[Linear, Node] | None:
        """Return the sum of a query over all that its place stands for, and the place; None where nobody knows."""
        if self._is_lasting(query):
            return self._read_present(query, node, owner_key)
        key = owner_key if query.child_id is None else query.child_id
        places = self._list_places(query, node, key)
        amount = self._sum_places(query, places, key) if places else None
        return None if amount is None else (amount, places[0])

    def _list_places(self, query: Query, node: Node, key: Hashable) -> list[Node]:
        """List where a query counts; nowhere, where no sum can say what it asks for."""
        if key is None or query.where is not None or query.scope == Scope.ANCESTOR:
            return []
        return self.evaluation.scopes.list_places(query, node) or []

    def _sum_places(self, query: Query, places: list[Node], key: Hashable) -> Linear | None:
        if query.field == Field.FORCES:
            return self._count_forces(query, places[0], key)
        if query.field == Field.SELECTIONS:
            return self._count_selections(query, places, key)
        if query.field in self.ruleset.binding.cost_types:
            return self._sum_costs(query, places, key)
        return None

    def compute_amount(self, query: Query, node: Node, owner_key: Hashable = None) -> Linear | None:
        """Return what a query amounts to in its place; None where that differs between units, or nobody knows."""
        summed = self.sum_query(query, node, owner_key)
        if summed is None:
            return None
        amount, place = summed
        return self._take_single(amount, self.prospects.get_total(place))

    def _take_single(self, amount: Linear, total: Linear) -> Linear | None:
        """Return what one of so many has of what all have; None where that differs between them."""
        if total.is_constant:
            # Of none there is nothing to divide.
            return amount * Fraction(1, total.constant) if total.constant not in (0, 1) else amount
        # Where there is one at most, the sum is what there is in that one.
        return amount if self.model.is_single(total) or amount.is_nothing else None

    def has_scope(self, query: Query, node: Node) -> bool:
        """Return whether a query has a place to count in as seen from `node`."""
        return query.scope == Scope.ANCESTOR or bool(self.evaluation.scopes.list_places(query, node))

    def compute_unsummed(self, query: Query, node: Node) -> Linear | None:
        """Return what a query without a sum amounts to: nothing without a place to count in, else nobody knows."""
        return None if self.has_scope(query, node) else ZERO

    def _is_lasting(self, query: Query) -> bool:
        """Return whether no addition changes what a query amounts to."""
        # What is around something stays what it is, but costs more with what is added to it.
        is_around = query.scope == Scope.ANCESTOR and query.field not in self.ruleset.binding.cost_types
        return is_around or KNOWN in query.field

    def _read_present(self, query: Query, node: Node, owner_key: Hashable) -> tuple[Linear, Node] | None:
        """Return what no addition changes: what a node is inside of, limits, the faction."""
        amount = self.evaluation.queries.compute_amount(query, node, owner_key)
        return None if amount is None else (Linear(to_exact(amount)), self.prospects.roster)

    def _count_forces(self, query: Query, place: Node, key: Hashable) -> Linear:
        return add_all(
            self.prospects.get_total(force) for force in list_forces_in(query, place) if is_force(force, key)
        )

    def _count_selections(self, query: Query, places: list[Node], key: Hashable) -> Linear:
        places, key = self._enter_forces(query, places, key)
        kind = self._choose_kind(query, key)
        return add_all([self._count_in(place, query.deep, kind, key) for place in places])

    def _enter_forces(self, query: Query, places: list[Node], key: Hashable) -> tuple[list[Node], Hashable]:
        """Return the forces of a kind with whatever is in them, where a query asks for that kind."""
        if key in self.ruleset.force_entry_ids:
            return list_forces_of(query, places, key), ANY
        return places, key

    def _choose_kind(self, query: Query, key: Hashable) -> str:
        """Return by what selections are counted that a query asks for."""
        if key in self.ruleset.binding.categories:
            return CATEGORY if key == self.ruleset.command_id else self._category_kind
        return PATH if not query.shared and isinstance(key, str) else ENTRY

    def _count_in(self, place: Node, deep: bool, kind: str, key: Hashable) -> Linear:
        asked = (place, deep, kind, key)
        if asked not in self._counts:
            if kind == CATEGORY and key == self.ruleset.command_id:
                self._counts[asked] = self._count_commanding(place, deep=deep)
            else:
                self._counts[asked] = self._count_matching(place, deep, kind, key)
        return self._counts[asked]

    def _count_matching(self, place: Node, deep: bool, kind: str, key: Hashable) -> Linear:
        """Return how many in a place are known by a key, with what closed things may hold of it."""
        nodes = self._list_matching(place, deep, kind, key)
        if kind == CATEGORY:
            parts = [self.count_of_category(node, str(key)) for node in nodes]
        else:
            parts = [self.prospects.get_total(node) for node in nodes]
        return add_all(parts) + self._guess_inside(key, place, deep=deep)

    def _count_commanding(self, place: Node, *, deep: bool) -> Linear:
        """Return whether one of those in a place commands, as a number."""
        command = self._get_command()
        if command is None:
            return self.model.add_variable(0, 1)
        known = add_all(command.count_commanding(node) for node in list_inside(place, deep=deep))
        return known + self._guess_inside(command.of, place, deep=deep)

    @property
    def asked_command(self) -> CommandChoice | None:
        """Who commands, where something depends on it."""
        return self._command

    def _get_command(self) -> CommandChoice | None:
        """Return who commands; None while it is found out who could, and where nobody knows."""
        system = self.ruleset.binding.game_system
        if not self._has_sought_command and system and system.command:
            # First, because finding out who could asks again.
            self._has_sought_command = True
            self._command = find_command(self.prospects, system.command, self._state_declared)
        return self._command

    def _state_declared(self, node: SelectionNode, category_id: str) -> Truth:
        """Return whether a selection is of a category while nobody commands."""
        if category_id in self._given:
            return None
        is_declared = category_id in list_declared(node)
        moved = self._move_categories({category_id: is_declared}, list_category_changes(node, category_id), node)
        return moved.get(category_id, False)

    def _guess_inside(self, key: Hashable, place: Node, *, deep: bool, least: int = 0) -> Linear:
        """Return what closed things may add to an amount: anything, where there is one that could hold such a thing."""
        closed = [node for node in self.prospects.list_closed(place, deep=deep) if self._may_be_inside(node, key)]
        if not closed:
            return ZERO
        is_empty = negate(self._state_present(tuple(closed)))
        inside = self.model.add_variable(least, ANYTHING)
        self.model.require(inside, lower=0, upper=0, where=(is_empty,))
        return inside

    def _may_be_inside(self, node: SelectionNode, key: Hashable) -> bool:
        """Return whether something known by a key could be inside of what is closed."""
        return key in self._given or may_hold(node, key)

    def _state_present(self, nodes: tuple[SelectionNode, ...]) -> Truth:
        """Return whether there is one of some selections at least."""
        if nodes not in self._presences:
            total = add_all(map(self.prospects.get_total, nodes))
            self._presences[nodes] = self.model.state_at_least(total, 1)
        return self._presences[nodes]

    def _list_matching(self, place: Node, deep: bool, kind: str, key: Hashable) -> list[SelectionNode]:
        table = self._tables.get((place, deep, kind))
        if table is None:
            table = self._tables[place, deep, kind] = {}
            # Not among the others: what holds a method of its own holds itself, and is freed late.
            find_keys = self.find_memberships if kind == CATEGORY else self._key_finders[kind]
            for node in list_inside(place, deep=deep):
                for node_key in find_keys(node):
                    table.setdefault(node_key, []).append(node)
        return table.get(key, [])

    # ---- categories ----------------------------------------------------------------------------------------------

    def find_memberships(self, node: SelectionNode) -> dict[str, Truth]:
        """Return the categories that a selection may be of, each with whether it is."""
        known: dict[str, Truth] | None = self._memberships.get(node)
        if known is None:
            known = dict.fromkeys(list_declared(node), True)
            # Entered before it is complete: the conditions of its own modifiers may ask for it.
            self._memberships[node] = known
            if node.option and node.option.moves_category:
                changes = list_category_modifiers(node.option)
                known = self._memberships[node] = self._move_categories(known, changes, node)
            # What others make of it, nobody knows; for categories that they give to some, it is open for all.
            known |= dict.fromkeys(self._given)
        return known

    def _move_categories(
        self, declared: dict[str, Truth], modifiers: Iterable[Modifier], node: SelectionNode
    ) -> dict[str, Truth]:
        """Apply modifiers as the engine does: their guards count what is declared, never what others became."""
        memberships = dict(declared)
        outer_kind, self._category_kind = self._category_kind, DECLARED
        for modifier in modifiers:
            applies = self.state_applied(modifier, node)
            before = memberships.get(modifier.value, False)
            memberships[modifier.value] = self._state_moved(modifier.change, before, applies)
        self._category_kind = outer_kind
        return {category_id: truth for category_id, truth in memberships.items() if truth is not False}

    def _state_moved(self, change: Change, before: Truth, applies: Truth) -> Truth:
        """Return whether something is of a category after one modifier."""
        if change is Change.REMOVE:
            return self.model.state_all((before, negate(applies)))
        return before if change is Change.UNSET_PRIMARY else self.model.state_any((before, applies))

    def state_membership(self, node: SelectionNode, category_id: str) -> Truth:
        """Return whether a selection is of a category, the commander's included."""
        if category_id == self.ruleset.command_id:
            command = self._get_command()
            return command.state_commands(node) if command else None
        return self.find_memberships(node).get(category_id, False)

    def count_of_category(self, node: SelectionNode, category_id: str) -> Linear:
        """Return how many of a selection are of a category; of those of which nobody knows, none to all."""
        asked = (node, category_id)
        if asked not in self._of_category:
            total = self.prospects.get_total(node)
            truth = self.state_membership(node, category_id)
            counted = self.model.multiply(truth, total)
            self._of_category[asked] = (
                self._estimate_membership(node, category_id, total) if counted is None else counted
            )
        return self._of_category[asked]

    def _estimate_membership(self, node: SelectionNode, category_id: str, total: Linear) -> Linear:
        """Return how many of many units may be of a category that each of them joins or leaves by what is in it."""
        counted = self.model.add_between(ZERO, total)
        changes = list_category_changes(node, category_id)
        changed = self._limit_all_applied(changes, node)
        if changed is None or category_id in self._given:
            return counted
        is_declared = category_id in list_declared(node)
        # However they are spread over the units, no more of them than that have changed.
        if _only_reverse(changes, is_declared=is_declared):
            self.model.require(counted + changed - total if is_declared else changed - counted, lower=0)
        return counted

    def _limit_all_applied(self, modifiers: Sequence[Modifier], node: SelectionNode) -> Linear | None:
        """Return how often modifiers apply to a node at most, all of them together; None where nobody knows."""
        if not modifiers:
            return None
        return add_known([self._limit_applied(modifier.guard, node) for modifier in modifiers])

    def _limit_applied(self, guard: Guard, node: SelectionNode) -> Linear | None:
        """Return of how many of a node a guard holds at most, by what is in all of them; None where nobody knows."""
        limits = list(self._list_part_limits(guard, node))
        # How many lack something, no sum over all of them tells.
        if guard.negated or not limits:
            return None
        # Where all parts have to hold, the limit of any one of them holds for the whole.
        return add_known(limits) if guard.any_of else find_known(limits)

    def _list_part_limits(self, guard: Guard, node: SelectionNode) -> Iterator[Linear | None]:
        yield from (self._limit_met(condition, node) for condition in guard.conditions)
        yield from (self._limit_applied(inner, node) for inner in guard.guards)

    def _limit_met(self, condition: Condition, node: SelectionNode) -> Linear | None:
        query = condition.query
        if condition.operator is Operator.INSTANCE_OF and query.child_id == self.ruleset.command_id:
            return self._limit_commanding(query, node)
        summed = self.sum_query(query, node) if _asks_for_inside(condition) else None
        # No more of them have enough than what all have together suffices for.
        return summed[0] * (1 / Fraction(to_exact(condition.value))) if summed else None

    def _limit_commanding(self, query: Query, node: SelectionNode) -> Linear | None:
        command = self._get_command()
        if command is None or self.evaluation.scopes.find_place(query.scope, node) is not node:
            return None
        return None if node in self.prospects.closed else command.count_commanding(node)

    # ---- costs ---------------------------------------------------------------------------------------------------

    def _sum_costs(self, query: Query, places: list[Node], key: Hashable) -> Linear:
        type_id = query.field
        # What effects may change is left open, so that no proof rests on it.
        if type_id in self.ruleset.effect_fields:
            return self._add_anything()
        places, key = self._enter_forces(query, places, key)
        spent = [part for place in places for part in self._list_costs(query, place, key)]
        guessed = [self._guess_cost(type_id, place) for place in places]
        forces = list_forces_at(places) if key == ANY else ()
        return add_all([*spent, *guessed, *self._list_force_costs(forces, type_id)])

    def _list_costs(self, query: Query, place: Node, key: Hashable) -> Iterator[Linear]:
        """List what is spent in a place on the members that match a key, each with all that is in it."""
        for node in list_inside(place, deep=True):
            if node.option and query.field in node.option.entry.costs:
                yield self._take_share(self._state_paid(query, node, place, key), self.get_cost(node, query.field))

    def _list_force_costs(self, forces: Iterable[ForceNode], type_id: str) -> Iterator[Linear]:
        return (self.get_force_cost(force, type_id) for force in forces)

    def _state_paid(self, query: Query, node: SelectionNode, place: Node, key: Hashable) -> Truth:
        """Return whether a selection matches a key, or is inside of something in a place that does."""
        if key == ANY:
            return True
        within = list_within(node, place)
        payers = within if query.deep else within[-1:]
        return self.model.state_any(self._find_share(outer, key, shared=query.shared) for outer in payers)

    def _guess_cost(self, type_id: str, place: Node) -> Linear:
        """Return what is inside closed things may cost."""
        if self.prospects.view.estimated:
            closed = self.prospects.list_closed(place, deep=True)
            return add_all(self.prospects.get_total(node) * self._estimate_inside(type_id, node) for node in closed)
        # In some data, as of the 9th Age, there are things that cost less than nothing.
        least = -ANYTHING if type_id in self.ruleset.binding.falling_cost_types else 0
        return self._guess_inside(type_id, place, deep=True, least=least)

    def _take_share(self, share: Truth, cost: Linear) -> Linear:
        counted = self.model.multiply(share, cost)
        return self.model.add_between(ZERO, cost) if counted is None else counted

    def _find_share(self, node: SelectionNode, key: Hashable, *, shared: bool) -> Truth:
        """Return whether the costs of a selection count for a key."""
        if key in (node.keys if shared else list_path_keys(node)):
            return True
        if key not in self.ruleset.binding.categories:
            return False
        return self.state_membership(node, str(key))

    def _estimate_inside(self, type_id: str, node: SelectionNode) -> Exact:
        """Return what comes along inside one of a selection costs, as far as definitions alone tell."""
        if node.option is None:
            return 0
        entry = node.option.entry
        return to_exact(self.ruleset.smallest.sum_costs(entry).get(type_id, 0) - entry.costs.get(type_id, 0))

    def sum_type(self, type_id: str) -> Linear:
        """Return what the whole list costs of one type."""
        if type_id in self.ruleset.effect_fields:
            return self._add_anything()
        roster = self.prospects.roster
        forces = list(self._list_force_costs(roster.all_forces, type_id))
        inside = self._guess_cost(type_id, roster)
        return add_all([*forces, *(self.get_cost(node, type_id) for node in roster.selections), inside])

    def _add_anything(self) -> Linear:
        """Add a number of which nobody knows anything."""
        return self.model.add_variable(-ANYTHING, ANYTHING)

    def get_cost(self, node: SelectionNode, type_id: str) -> Linear:
        """Return what all of a selection cost together, without what is inside."""
        asked = (node, type_id)
        if asked not in self._costs:
            self._costs[asked] = ZERO  # what costs itself costs nothing
            self._costs[asked] = self._compute_cost(node, type_id)
        return self._costs[asked]

    def _compute_cost(self, node: SelectionNode, type_id: str) -> Linear:
        if node.option is None or type_id not in node.option.entry.costs or self._is_undemanding(node, type_id):
            return ZERO
        entry = node.option.entry
        return self._adjust(entry.modifiers, type_id, to_exact(entry.costs[type_id]), node)

    def _is_undemanding(self, node: SelectionNode, type_id: str) -> bool:
        """Return whether something is added that is taken to demand nothing, and a cost says what it demands."""
        return node.document is None and type_id in self._demanded

    def get_force_cost(self, force: ForceNode, type_id: str) -> Linear:
        """Return what forces cost together, without their selections."""
        base = self.evaluation.costs.get_declared_costs(force).get(type_id)
        if base is None or force.compiled_force is None:
            return ZERO
        return self._adjust(force.compiled_force.modifiers, type_id, to_exact(base), force)

    def _adjust(self, modifiers: Modifiers, field: str, base: Exact, node: Node) -> Linear:
        """Return a number after modifiers, times how many of the node there are."""
        total = self.prospects.get_total(node)
        value = total * base
        for modifier in modifiers.get(field, ()):
            value = self._apply(modifier, value, total, node)
        return value

    def _apply(self, modifier: Modifier, value: Linear, total: Linear, node: Node) -> Linear:
        asked = self._read_change(modifier, node)
        if asked is None:
            return value
        number, applies = asked
        if modifier.change in DIRECTIONS:
            added = self._count_times(modifier, total, node) * (number * DIRECTIONS[modifier.change])
            return value + self._take_share(applies, added)
        if modifier.repeats:
            return self._add_anything()
        if modifier.change is Change.SET:
            return self._choose_value(applies, total * number, value)
        return self._keep_within(modifier.change, number, value, total, applies)

    def _read_change(self, modifier: Modifier, node: Node) -> tuple[Exact, Truth] | None:
        """Return the number of a modifier, and whether it applies; None where it changes no number for certain."""
        operand = parse_operand(modifier.value)
        if operand is None:
            return None
        applies = self.state_guard(modifier.guard, node)
        return None if applies is False else (to_exact(operand), applies)

    def _keep_within(self, change: Change, number: Exact, value: Linear, total: Linear, applies: Truth) -> Linear:
        """Return a value that is kept at least, or at most, so large; anything where it is not known beforehand."""
        if applies is True and total.is_constant and value.is_constant:
            return _clamp_single(change, number, value.constant, total.constant)
        return self._add_anything()

    def _choose_value(self, applies: Truth, wanted: Linear, value: Linear) -> Linear:
        """Return what is wanted where a statement holds; something between the two where nobody knows."""
        if applies is None:
            return self.model.add_between(value, wanted)
        return self.model.choose(applies, wanted, value) if isinstance(applies, Literal) else wanted

    def _count_times(self, modifier: Modifier, total: Linear, node: Node) -> Linear:
        """Return how often a modifier applies to all of a node together."""
        if not modifier.repeats:
            return total
        # Levels of repeats are multiplied, which no sum says.
        if len(modifier.repeats) == 1:
            times = add_known([self._count_repeats(repeat, total, node) for repeat in modifier.repeats[0]])
            if times is not None:
                return times
        return self._bind_to(total, self.model.add_variable(0, ANYTHING))

    def _bind_to(self, total: Linear, amount: Linear) -> Linear:
        """Return an amount that is nothing where there is nothing of something."""
        self.model.require(amount, upper=0, where=[negate(self.model.state_at_least(total, 1))])
        return amount

    def _count_repeats(self, repeat: Repeat, total: Linear, node: Node) -> Linear | None:
        if repeat.query.percent:
            return None
        if repeat.value <= 0:
            return ZERO
        summed = self.sum_query(repeat.query, node)
        if summed is None:
            return self.compute_unsummed(repeat.query, node)
        return self._repeat_for(repeat, *summed, total, node)

    def _repeat_for(self, repeat: Repeat, amount: Linear, place: Node, total: Linear, node: Node) -> Linear | None:
        """Return how often a modifier applies to all of a node for an amount that there is in a place."""
        if place is node:
            return self._round_repeats(repeat, amount, total)
        ratio = _find_ratio(total, self.prospects.get_total(place))
        if ratio is not None:
            return self._round_repeats(repeat, amount * ratio, total)
        if isinstance(node, SelectionNode) and node.container is place and repeat.value == 1:
            return self._repeat_inside(repeat, amount, node, place)
        return None

    def _repeat_inside(self, repeat: Repeat, amount: Linear, node: SelectionNode, place: Node) -> Linear | None:
        """Return how often a modifier applies to something for all that there is of another in the same units."""
        total = self.prospects.get_total(node)
        repeated = amount * repeat.times
        if self.model.is_single(total) and self.model.is_single(self.prospects.get_total(place)):
            return self.model.multiply(self.model.state_at_least(total, 1), repeated)
        # Each unit counts what is in it, and which units have it, nobody knows.
        if _is_one_at_most(node) and self.model.find_range(amount)[0] >= 0:
            return self._bind_to(total, self.model.add_between(ZERO, repeated))
        return None

    def _round_repeats(self, repeat: Repeat, amount: Linear, total: Linear) -> Linear:
        """Return how many steps are in what all of a node have together; each of them rounds its own."""
        step = to_exact(repeat.value)
        if step == 1:
            return amount * repeat.times
        ratio = _find_ratio(amount, total)
        if ratio is not None:
            return Linear(_count_steps(ratio / step, repeat) * total.constant * repeat.times)
        # Each unit loses less than one step by rounding, or gains it, however the whole is spread over them.
        slack = total * (Fraction(step) - 1)
        low, high = (amount, amount + slack) if repeat.round_up else (amount - slack, amount)
        return self.model.add_between(
            low * Fraction(repeat.times, 1) * Fraction(1, step), high * Fraction(repeat.times, 1) * Fraction(1, step)
        )

    # ---- statements ----------------------------------------------------------------------------------------------

    def adjust_bound(self, modifiers: Sequence[Modifier], base: Exact, node: Node) -> Linear | None:
        """Return the number of a constraint after modifiers, for one of its owner; None where nobody knows."""
        value = Linear(base)
        for modifier in modifiers:
            changed = self._adjust_once(modifier, value, node)
            if changed is None:
                return None
            value = changed
        return value

    def _adjust_once(self, modifier: Modifier, value: Linear, node: Node) -> Linear | None:
        """Return a number after one modifier, where it applies; None where nobody knows."""
        asked = self._read_change(modifier, node)
        if asked is None:
            return value
        number, applies = asked
        changed = self._change_bound(modifier, value, number, self._count_times_each(modifier, node))
        if changed is None or applies is None:
            return None
        return self.model.choose(applies, changed, value) if isinstance(applies, Literal) else changed

    def _count_times_each(self, modifier: Modifier, node: Node) -> Linear | None:
        if not modifier.repeats:
            return Linear(1)
        if len(modifier.repeats) > 1:
            return None
        return add_known([self._count_repeats_each(repeat, node) for repeat in modifier.repeats[0]])

    def _count_repeats_each(self, repeat: Repeat, node: Node) -> Linear | None:
        amount = self._compute_repeated(repeat, node)
        if amount is None:
            return None
        if repeat.value == 1:
            return amount * repeat.times
        if not amount.is_constant:
            return None
        return Linear(_count_steps(Fraction(amount.constant) / to_exact(repeat.value), repeat) * repeat.times)

    def _compute_repeated(self, repeat: Repeat, node: Node) -> Linear | None:
        """Return the amount that a repeat divides; None where nobody knows it, or what to divide it by."""
        amount = self.compute_amount(repeat.query, node)
        return None if repeat.query.percent or repeat.value <= 0 else amount

    def _change_bound(self, modifier: Modifier, value: Linear, operand: Exact, times: Linear | None) -> Linear | None:
        if times is None:
            return None
        if modifier.change in DIRECTIONS:
            return value + times * (operand * DIRECTIONS[modifier.change])
        if modifier.change is Change.SET and times.is_constant:
            return Linear(operand) if times.constant >= 1 else value
        return None

    def state_applied(self, modifier: Modifier, node: Node) -> Truth:
        """Return whether a modifier applies at least once."""
        truths = [self.state_guard(modifier.guard, node)]
        for level in modifier.repeats:
            amounts = [self._state_repeated(repeat, node) for repeat in level]
            truths.append(self.model.state_any(amounts))
        return self.model.state_all(truths)

    def _state_repeated(self, repeat: Repeat, node: Node) -> Truth:
        amount = self._compute_repeated(repeat, node)
        if amount is None:
            return None
        # Rounded up, the smallest part of a step is one already.
        return self.model.state_at_least(amount, 1 if repeat.round_up else to_exact(repeat.value))

    def state_guard(self, guard: Guard, node: Node) -> Truth:
        """Return whether a guard holds as seen from `node`; an empty one does."""
        if not guard:
            return True
        if guard.least:
            return None
        joined = self._join_parts(guard, node)
        return negate(joined) if guard.negated else joined

    def _join_parts(self, guard: Guard, node: Node) -> Truth:
        """Return whether all parts of a guard hold, or any of them where that is enough."""
        parts = list(self._list_parts(guard, node))
        return self.model.state_any(parts) if guard.any_of else self.model.state_all(parts)

    def _list_parts(self, guard: Guard, node: Node) -> Iterator[Truth]:
        yield from (self.state_condition(condition, node) for condition in guard.conditions)
        yield from (self.state_guard(inner, node) for inner in guard.guards)

    def state_condition(self, condition: Condition, node: Node) -> Truth:
        """Return whether a condition is met as seen from `node`."""
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
        # What will stand before what, no model says.
        if operator in (Operator.BEFORE, Operator.AFTER):
            return None
        return self._state_comparison(condition, node)

    def _state_comparison(self, condition: Condition, node: Node) -> Truth:
        query = condition.query
        if KNOWN not in query.field and not self.has_scope(query, node):
            return False
        if self._is_lasting(query):
            return self.evaluation.conditions.is_met(condition, node)
        if query.child_id is None and query.scope != Scope.ANCESTOR:
            return False
        return self._compare_amount(condition, self.compute_amount(query, node))

    def _compare_amount(self, condition: Condition, amount: Linear | None) -> Truth:
        if amount is None or condition.query.percent:
            return None
        return self._compare(condition.operator, amount, to_exact(condition.value))

    def _compare(self, operator: Operator, amount: Linear, value: Exact) -> Truth:
        if operator in OPPOSITES:
            return negate(self._compare(OPPOSITES[operator], amount, value))
        if operator is Operator.AT_LEAST:
            return self.model.state_at_least(amount, value)
        if operator is Operator.GREATER_THAN:
            return self.model.state_at_least(amount - value, _next_step(amount - value))
        return self.model.state_equal(amount, value)

    def _state_instance(self, query: Query, node: Node) -> Truth:
        """Return what a place is an instance of; what could become of a category by additions, nobody knows."""
        wanted = query.child_id
        if wanted in self.ruleset.binding.categories and query.scope != Scope.PRIMARY_CATALOGUE:
            return self._state_category(query, str(wanted), node)
        return self.evaluation.conditions.is_instance(query, node)

    def _state_category(self, query: Query, wanted: str, node: Node) -> Truth:
        if query.scope == Scope.FORCE and node.force:
            return self._state_in_force(node.force, wanted)
        place = self.evaluation.scopes.find_place(query.scope, node) if query.scope != Scope.ANCESTOR else None
        if isinstance(place, SelectionNode):
            return self.state_membership(place, wanted)
        is_so = self.evaluation.conditions.is_instance(query, node)
        return True if is_so else None

    def _state_in_force(self, force: ForceNode, category_id: str) -> Truth:
        """Return whether a force is of a category, or has anything that is."""
        if category_id in force.names:
            return True
        return self.model.state_at_least(self._count_in(force, True, self._category_kind, category_id), 1)

    # ---- hidden --------------------------------------------------------------------------------------------------

    def state_hidden(self, node: Node) -> Truth:
        """Return whether a selection, or a group, may not be taken where it stands."""
        if HIDDEN in self.ruleset.effect_fields and self._is_meant(node, HIDDEN):
            return None
        if node not in self._hidden:
            # Taken for shown while that is found out: conditions may lead back to where they were asked.
            self._hidden[node] = False
            self._hidden[node] = self._state_hidden(node)
        return self._hidden[node]

    def _is_meant(self, node: Node, field: str) -> bool:
        """Return whether effects on a field could be about a node, wherever they stand."""
        changed_ids = self._list_changed_ids(field)
        # An effect that names nothing, or a category, may be about anything.
        known = {"", *self.ruleset.binding.categories}
        if not isinstance(node, SelectionNode) or not changed_ids.isdisjoint(known):
            return True
        return not changed_ids.isdisjoint(_list_ids(node))

    def _list_changed_ids(self, field: str) -> set[str]:
        """List the ids of all of which effects change a field."""
        return {effect.entry_id for effect in self.ruleset.binding.effects if effect.modifier.field == field}

    def _state_hidden(self, node: Node) -> Truth:
        if isinstance(node, GroupNode):
            entry, outer = node.group.entry, node.group.groups[:-1]
        elif isinstance(node, SelectionNode) and node.option:
            entry, outer = node.option.entry, node.option.groups
        else:
            return False
        is_hidden = self._adjust_flag(entry.modifiers, entry.hidden, node)
        # What a hidden group holds is hidden with it.
        groups = [self.evaluation.values.get_group(group, node.container) for group in outer]
        return self.model.state_any([is_hidden, *map(self.state_hidden, groups)])

    def _adjust_flag(self, modifiers: Modifiers, flag: bool, node: Node) -> Truth:
        truth: Truth = flag
        for modifier in modifiers.get("hidden", ()):
            if modifier.change is Change.SET:
                truth = self._state_flag(truth, modifier.value, self.state_applied(modifier, node))
        return truth

    def _state_flag(self, before: Truth, value: str, applies: Truth) -> Truth:
        if value == "true":
            return self.model.state_any((before, applies))
        return self.model.state_all((before, negate(applies)))


def _clamp_single(change: Change, number: Exact, value: Exact, copies: Exact) -> Linear:
    """Return what a value of so many copies comes to where each copy is raised to a number, or lowered to it."""
    single = Fraction(value) / copies if copies else 0
    if change is Change.FLOOR:
        single = max(single, number)
    elif change is Change.CEIL:
        single = min(single, number)
    return Linear(single * copies)


def _next_step(expression: Linear) -> Exact:
    """Return the smallest number above zero that an expression can be, at least."""
    parts = (expression.constant, *expression.terms.values())
    return Fraction(1, lcm(*(Fraction(part).denominator for part in parts)))


def list_category_changes(node: SelectionNode, category_id: str) -> list[Modifier]:
    """List the modifiers by which a selection may join or leave a category."""
    modifiers = list_category_modifiers(node.option) if node.option else []
    return [modifier for modifier in modifiers if _moves_category(modifier, category_id)]


def _moves_category(modifier: Modifier, category_id: str) -> bool:
    return modifier.value == category_id and modifier.change is not Change.UNSET_PRIMARY


def _only_reverse(changes: Sequence[Modifier], *, is_declared: bool) -> bool:
    """Return whether modifiers only take from a category what is declared to be of it, or only add what is not."""
    return {modifier.change is Change.REMOVE for modifier in changes} == {is_declared}


def _asks_for_inside(condition: Condition) -> bool:
    """Return whether a condition holds where something has enough inside it."""
    query = condition.query
    is_enough = condition.operator is Operator.AT_LEAST and condition.value > 0
    return is_enough and query.scope == Scope.SELF and not query.percent


def list_declared(node: SelectionNode) -> Collection[str]:
    """List the categories that the definition of a selection names."""
    return node.option.membership.ids if node.option else ()


def _list_ids(node: SelectionNode) -> Iterator[Hashable]:
    """List the ids by which a selection is known, and those of all that its entry is merged from."""
    yield from node.keys
    for entry in node.option.merged_entries if node.option else ():
        yield from entry.ids


def _count_steps(steps: Fraction, repeat: Repeat) -> int:
    """Return a number of steps in whole ones, rounded as a repeat has it."""
    return ceil(steps) if repeat.round_up else floor(steps)


def _find_ratio(amount: Linear, other: Linear) -> Fraction | None:
    """Return how many times another amount one is; None where nobody knows."""
    if amount.is_constant and other.is_constant and other.constant:
        return Fraction(amount.constant, other.constant)
    return None


def _is_one_at_most(node: SelectionNode) -> bool:
    """Return whether there may be one of a selection in its container at most."""
    return node.option is not None and find_most(node.option) <= 1


def find_demanded_types(prospects: Prospects) -> frozenset[str]:
    """Return the cost types that say how many others a selection demands."""
    growths = filter(None, (force.growth for force in prospects.roster.all_forces))
    return frozenset(opening.demanded for growth in growths for opening in growth.openings)


def list_inside(place: Node, *, deep: bool) -> list[SelectionNode]:
    """List what is inside a place, at whatever depth where it is asked for deep."""
    return [node for node, _ in list_members(place, deep=deep)]
