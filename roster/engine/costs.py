"""Costs after modifiers, and their sums."""

from collections.abc import Container, Hashable, Iterable, Iterator, Mapping
from itertools import chain

from catalogue.definitions.cycles import find_components
from catalogue.definitions.numbers import Number
from catalogue.definitions.queries import ANY, Modifier, Query, Scope
from catalogue.graph.compiled_constraints import iterate_queries
from catalogue.graph.compiled_entry import CompiledEntry
from catalogue.graph.ruleset import Ruleset
from roster.engine.effective_values import EffectiveValues
from roster.engine.nodes import ForceNode, Node, RosterNode, SelectionNode
from roster.engine.queries import EMPTY, CountIndex, Table, list_forces_at, list_forces_of, list_path_keys
from roster.engine.scopes import CategorySource, Scopes, list_enclosing

Cost = tuple[SelectionNode | ForceNode, str]
"""The node that costs something, and the cost type's id."""

NOTHING: Mapping[str, Number] = {}
Totals = dict[str, Number]


class SpendingIndex(CountIndex):
    """Amounts spent by key. Contents count towards their selection's keys."""

    def _sum_deep(self, node: Node) -> Table:
        table = dict(self.count_direct(node))
        for member in node.members:
            spent = self.count_deep(member) if member.members else EMPTY
            keys = set(self._keys(member)) if spent else ()
            for key, amount in spent.items():
                if key not in keys:
                    table[key] = table.get(key, 0) + member.number * amount
        return table


class Costs:
    """The costs of one roster. Modifiers on a cycle of costs are ignored; `cycles` lists these costs."""

    def __init__(self, ruleset: Ruleset, roster: RosterNode, categories: CategorySource) -> None:
        self._cost_types = ruleset.binding.cost_types
        self._force_ids: Container[object] = ruleset.force_entry_ids
        self._roster = roster
        self._categories = categories
        self._read: dict[Cost, Number] = {}
        self._units: dict[SelectionNode, Mapping[str, Number]] = {}
        self._whole: dict[SelectionNode, Totals] = {}
        self._tallies: dict[tuple[str, bool], SpendingIndex] = {}
        self._sums: dict[tuple[Node, bool], Totals] = {}
        self._reached_types = tuple(t for t in self._cost_types if t in ruleset.effect_fields)
        self._reaching: set[Cost] = set()
        self._settled = False
        self._settling = False
        self.cycles: list[list[Cost]] = []

    def bind(self, scopes: Scopes, effects: EffectiveValues) -> None:
        self._scopes = scopes
        self._effects = effects

    @property
    def are_reached(self) -> bool:
        """Whether selections can change the costs of other selections."""
        return bool(self._reached_types)

    @property
    def has_readers(self) -> bool:
        self.settle()
        return bool(self._read)

    @property
    def are_settled(self) -> bool:
        return self._settled and not self._reaching

    # ---- values --------------------------------------------------------------------------------------------------

    def get_unit_costs(self, node: SelectionNode) -> Mapping[str, Number]:
        """Return one selection's costs without contents. Do not change the result."""
        if node.option is None:
            return NOTHING
        entry = node.option.entry
        if entry.fixed_costs and not self._reached_types:
            return entry.costs
        costs = self._units.get(node)
        if costs is None:
            self.settle()
            costs = {
                type_id: self._compute_unit_cost(node, entry, type_id) for type_id in self._list_types(node, entry)
            }
            # Previews are still being filled, which may change their costs.
            if node.document is not None:
                self._units[node] = costs
        return costs

    def get_unit_cost(self, node: SelectionNode, type_id: str) -> Number:
        """Return one cost without contents, even while costs settle."""
        # Computing all costs could lead back to the cost being settled.
        if self._settled or node.option is None:
            return self.get_unit_costs(node).get(type_id, 0)
        entry = node.option.entry
        known_types = self._list_types(node, entry)
        return self._compute_unit_cost(node, entry, type_id) if type_id in known_types else 0

    def _list_types(self, node: SelectionNode, entry: CompiledEntry) -> Mapping[str, object]:
        if not self._reached_types:
            return entry.costs
        reached = [t for t in self._reached_types if self._effects.effects.list_reaching(node, t)]
        return dict.fromkeys((*entry.costs, *reached))

    def _compute_unit_cost(self, node: SelectionNode, entry: CompiledEntry, type_id: str) -> Number:
        cost = self._read.get((node, type_id))
        if cost is not None:
            return cost
        base, modifiers = entry.costs.get(type_id, 0), entry.modifiers.get(type_id, ())
        is_reached = type_id in self._reached_types
        # Previews and effects may form a cycle, which ends at the plain cost.
        if not (modifiers or is_reached) or (node, type_id) in self._reaching:
            return base
        self._reaching.add((node, type_id))
        value = self._effects.adjust_number(modifiers, base, node)
        if is_reached:
            value = self._effects.adjust_reached_number(node, type_id, value)
        self._reaching.discard((node, type_id))
        return value

    def get_declared_costs(self, force: ForceNode) -> Mapping[str, Number]:
        return force.compiled_force.costs if force.compiled_force else NOTHING

    def get_force_cost(self, force: ForceNode, type_id: str) -> Number:
        base = self.get_declared_costs(force).get(type_id)
        if base is None or force.compiled_force is None:
            return 0
        self.settle()
        cost = self._read.get((force, type_id))
        if cost is not None:
            return cost
        return self._effects.adjust_number(force.compiled_force.modifiers.get(type_id, ()), base, force)

    def sum_costs(self, type_id: str, places: Iterable[Node], key: Hashable, *, deep: bool, shared: bool) -> Number:
        """Sum a cost type over the selections in `places` that match `key`, each with its contents.

        A match inside another is part of it. Unless `deep`, only direct members match. If `shared`, entries match
        through any link.
        """
        places = list(places)
        self.settle()
        total = sum(self._sum_inside(place, type_id, key, deep, shared) for place in places)
        if key == ANY:
            total += sum(self.get_force_cost(force, type_id) for force in list_forces_at(places))
        return total

    def get_whole_cost(self, node: SelectionNode, type_id: str) -> Number:
        """Include contents, except misplaced ones."""
        inside = sum(inner.number * self.get_whole_cost(inner, type_id) for inner in _list_inside(node))
        return self.get_unit_cost(node, type_id) + inside

    def sum_around(self, type_id: str, node: Node, key: Hashable) -> Number:
        """Sum the outermost match of `key` around `node`."""
        self.settle()
        around = self._find_around(node, key)
        return self.get_whole_cost(around, type_id) if around else 0

    def _find_around(self, node: Node, key: Hashable) -> SelectionNode | None:
        around = [outer for outer in list_enclosing(node) if isinstance(outer, SelectionNode)]
        return next((outer for outer in reversed(around) if self._scopes.is_match(outer, str(key))), None)

    def _sum_inside(self, place: Node, type_id: str, key: Hashable, deep: bool, shared: bool) -> Number:
        # Sums are not final before costs settle, and sums in selections are rarely repeated.
        if not self._settled or isinstance(place, SelectionNode):
            matches = self._list_matches(place, key, deep, shared)
            return sum(number * self.get_whole_cost(node, type_id) for node, number in matches)
        if key == ANY:
            return self._sum_everything(place, deep).get(type_id, 0)
        tally = self._tallies.get((type_id, shared))
        if tally is None:
            tally = self._tallies[type_id, shared] = SpendingIndex(
                lambda node: self._list_keys(node, shared), lambda node: self.get_whole_cost(node, type_id)
            )
        return (tally.count_deep(place) if deep else tally.count_direct(place)).get(key, 0)

    def _sum_everything(self, place: Node, deep: bool) -> Mapping[str, Number]:
        """Sum all cost types at once, because callers ask for several."""
        sums = self._sums.get((place, deep))
        if sums is None:
            sums = self._sums[place, deep] = {}
            pending = [(member, member.number) for member in place.members]
            for node, number in pending:  # grows during the loop
                for type_id, cost in self.get_unit_costs(node).items():
                    sums[type_id] = sums.get(type_id, 0) + number * cost
                # Only a deep sum includes misplaced selections.
                pending += [(inner, number * inner.number) for inner in (node.members if deep else _list_inside(node))]
        return sums

    def _list_matches(
        self, place: Node, key: Hashable, deep: bool, shared: bool
    ) -> Iterator[tuple[SelectionNode, Number]]:
        pending = [(member, member.number) for member in place.members]
        for node, number in pending:  # grows during the loop
            if key == ANY or key in self._list_keys(node, shared):
                yield node, number
            elif deep:
                pending.extend((inner, number * inner.number) for inner in node.members)

    def _list_keys(self, node: SelectionNode, shared: bool) -> tuple[Hashable, ...]:
        return (*(node.keys if shared else list_path_keys(node)), *self._categories.get_membership(node).ids)

    # ---- sums by type --------------------------------------------------------------------------------------------

    def get_selection_costs(self, node: SelectionNode) -> Totals:
        return {type_id: value * node.total for type_id, value in self.get_unit_costs(node).items()}

    def sum_selection(self, node: SelectionNode) -> Totals:
        """Include contents. Do not change the result."""
        totals = self._whole.get(node)
        if totals is None:
            totals = self.get_selection_costs(node)
            for member in node.members:
                _add_totals(totals, self.sum_selection(member))
            if node.document is not None:
                self._whole[node] = totals
        return totals

    def sum_force(self, force: ForceNode) -> Totals:
        """Leave out inner forces."""
        totals = {type_id: self.get_force_cost(force, type_id) for type_id in self.get_declared_costs(force)}
        for member in force.members:
            _add_totals(totals, self.sum_selection(member))
        return totals

    # ---- costs that read costs -----------------------------------------------------------------------------------

    def settle(self) -> None:
        """Compute costs that depend on costs, in order, ignoring modifiers on cycles."""
        # Applying modifiers asks for costs, which calls this method again.
        if self._settling:
            return
        self._settling = True
        reads = self._find_cost_readers()
        if reads:
            # Dependencies come first.
            graph = {cost: set().union(*(sources for _, sources in read)) for cost, read in reads.items()}
            for component in find_components(graph):
                self._settle_component(component, graph, reads)
        self._settled = True

    def _settle_component(
        self, component: list[Cost], graph: dict[Cost, set[Cost]], reads: dict[Cost, list[tuple[Modifier, set[Cost]]]]
    ) -> None:
        inside = set(component)
        if not all(graph[cost].isdisjoint(inside) for cost in component):
            self.cycles.append([cost for cost in graph if cost in inside])
        for cost in component:
            # Modifiers on the cycle are ignored for all its costs, so that the order of the data does not matter.
            acyclic = [modifier for modifier, sources in reads[cost] if not sources & inside]
            node, type_id = cost
            if isinstance(node, ForceNode):
                base = self.get_declared_costs(node)[type_id]
            else:
                base = node.option.entry.costs[type_id] if node.option else 0
            self._read[cost] = self._effects.adjust_number(acyclic, base, node)

    def _find_cost_readers(self) -> dict[Cost, list[tuple[Modifier, set[Cost]]]]:
        modifiers_by_cost: dict[Cost, tuple[Modifier, ...]] = {}
        for node in self._roster.selections:
            if node.option:
                entry = node.option.entry
                for type_id in entry.cost_readers:
                    modifiers_by_cost[node, type_id] = entry.modifiers[type_id]
        for force in self._roster.all_forces:
            fields = force.compiled_force.modifiers if force.compiled_force else {}
            for type_id in self.get_declared_costs(force):
                modifiers = fields.get(type_id, ())
                queries = chain.from_iterable(map(iterate_queries, modifiers))
                if any(query.field in self._cost_types for query in queries):
                    modifiers_by_cost[force, type_id] = modifiers

        readers: dict[Cost, list[tuple[Modifier, set[Cost]]]] = {}
        for cost, modifiers in modifiers_by_cost.items():
            readers[cost] = []
            for modifier in modifiers:
                sources: set[Cost] = set()
                for query in iterate_queries(modifier):
                    sources.update(self._find_sources(query, cost[0], modifiers_by_cost))
                readers[cost].append((modifier, sources))
        return readers

    def _find_sources(self, query: Query, node: Node, readers: dict[Cost, tuple[Modifier, ...]]) -> Iterator[Cost]:
        # A percentage is of the total.
        key = ANY if query.percent else query.child_id
        places = self._scopes.list_places(query, node) or []
        if key in self._force_ids:
            places, key = list_forces_of(query, places, key), ANY
        around = self._find_around(node, key) if query.scope == Scope.ANCESTOR else None
        read = [around] if around else []
        for place in places:
            read += [match for match, _ in self._list_matches(place, key, query.deep, query.shared)]
        sources: list[SelectionNode | ForceNode] = [source for match in read for source in match.walk()]
        if key == ANY:
            sources += list_forces_at(places)
        yield from ((source, query.field) for source in sources if (source, query.field) in readers)


def _list_inside(node: SelectionNode) -> list[SelectionNode]:
    return [inner for inner in node.members if not inner.misplaced]


def _add_totals(totals: Totals, more: Totals) -> None:
    for type_id, value in more.items():
        totals[type_id] = totals.get(type_id, 0) + value
