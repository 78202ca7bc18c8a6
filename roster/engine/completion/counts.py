"""Numbers of selections and forces in a completed list."""

from collections.abc import Callable, Hashable, Iterable
from operator import attrgetter

from catalogue.definitions.queries import ANY, Query
from roster.engine.completion.linear import ZERO, Linear, Truth, add_all, negate
from roster.engine.completion.memberships import Memberships, list_declared
from roster.engine.completion.prospects import Prospects, may_hold
from roster.engine.nodes import Node, SelectionNode
from roster.engine.queries import counts_shared, is_force, list_forces_in, list_forces_of, list_members, list_path_keys

ENTRY, PATH, CATEGORY, DECLARED = "entry", "path", "category", "declared"

KEY_FINDERS: dict[str, Callable[[SelectionNode], Iterable[Hashable]]] = {
    DECLARED: list_declared,
    PATH: list_path_keys,
    ENTRY: attrgetter("keys"),
}
ANYTHING = 1_000_000
"""More than any closed contents."""


class Counts:
    def __init__(self, prospects: Prospects, memberships: Memberships) -> None:
        self._prospects = prospects
        self._model = prospects.model
        self._ruleset = prospects.ruleset
        self._memberships = memberships
        self._tables: dict[tuple[Node, bool, str], dict[Hashable, list[SelectionNode]]] = {}
        self._counts: dict[tuple[Node, bool, str, Hashable], Linear] = {}
        self._presences: dict[tuple[SelectionNode, ...], Truth] = {}

    @property
    def category_kind(self) -> str:
        return DECLARED if self._memberships.counts_declared else CATEGORY

    def count_forces(self, query: Query, place: Node, key: Hashable) -> Linear:
        forces = [force for force in list_forces_in(query, place) if is_force(force, key)]
        return add_all(map(self._prospects.get_total, forces))

    def count_selections(self, query: Query, places: list[Node], key: Hashable) -> Linear:
        places, key = self.enter_forces(query, places, key)
        if key in self._ruleset.binding.categories:
            kind = CATEGORY if key == self._ruleset.command_id else self.category_kind
        else:
            kind = ENTRY if counts_shared(query, key) else PATH
        return add_all([self.count_in(place, query.deep, kind, key) for place in places])

    def enter_forces(self, query: Query, places: list[Node], key: Hashable) -> tuple[list[Node], Hashable]:
        """If the key is a force kind, return its forces and a key for all contents."""
        if key in self._ruleset.force_entry_ids:
            return list_forces_of(query, places, key), ANY
        return places, key

    def count_in(self, place: Node, deep: bool, kind: str, key: Hashable) -> Linear:
        question = (place, deep, kind, key)
        if question in self._counts:
            return self._counts[question]
        if kind == CATEGORY and key == self._ruleset.command_id:
            counted = self._count_commanding(place, deep=deep)
        else:
            nodes = self._list_matching(place, deep, kind, key)
            if kind == CATEGORY:
                parts = [self._memberships.count_of_category(node, str(key)) for node in nodes]
            else:
                parts = [self._prospects.get_total(node) for node in nodes]
            counted = add_all(parts) + self.guess_inside(key, place, deep=deep)
        self._counts[question] = counted
        return counted

    def _count_commanding(self, place: Node, *, deep: bool) -> Linear:
        command = self._memberships.find_command()
        if command is None:
            return self._model.add_variable(0, 1)
        number = add_all(command.count_commanding(node) for node in list_inside(place, deep=deep))
        return number + self.guess_inside(command.of, place, deep=deep)

    def guess_inside(self, key: Hashable, place: Node, *, deep: bool, least: int = 0) -> Linear:
        """Return a variable for closed contents, or 0 if none can match the key."""
        from_effects = self._memberships.from_effects
        closed = tuple(
            node for node in self._prospects.list_closed(place, deep=deep) if key in from_effects or may_hold(node, key)
        )
        if not closed:
            return ZERO
        if closed not in self._presences:
            total = add_all(map(self._prospects.get_total, closed))
            self._presences[closed] = self._model.state_at_least(total, 1)
        is_empty = negate(self._presences[closed])
        inside = self._model.add_variable(least, ANYTHING)
        self._model.require(inside, lower=0, upper=0, where=(is_empty,))
        return inside

    def _list_matching(self, place: Node, deep: bool, kind: str, key: Hashable) -> list[SelectionNode]:
        table = self._tables.get((place, deep, kind))
        if table is None:
            table = self._tables[place, deep, kind] = {}
            find_keys = self._memberships.find_memberships if kind == CATEGORY else KEY_FINDERS[kind]
            for node in list_inside(place, deep=deep):
                for node_key in find_keys(node):
                    table.setdefault(node_key, []).append(node)
        return table.get(key, [])


def list_inside(place: Node, *, deep: bool) -> list[SelectionNode]:
    return [node for node, _ in list_members(place, deep=deep)]
