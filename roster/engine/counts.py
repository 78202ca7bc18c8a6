"""Counting without walking: how much of each key is inside a node, directly and all the way down."""

from collections.abc import Callable, Hashable, Iterable, Mapping

from catalogue.definitions.numbers import Number
from roster.engine.nodes import Node, SelectionNode

Table = Mapping[Hashable, Number]
EMPTY: Table = {}


def count_one(_: SelectionNode) -> Number:
    """Return the weight of a selection where selections are counted."""
    return 1


class CountIndex:
    """Amounts by key inside nodes, for one way of telling a selection's keys and weight.

    `direct(n)[k]` sums number times weight over the members of `n` that have key `k`; `deep` adds what is inside them.
    Both are made when first asked for, and kept.
    """

    def __init__(
        self,
        keys: Callable[[SelectionNode], Iterable[Hashable]],
        weight: Callable[[SelectionNode], Number] = count_one,
    ) -> None:
        self._keys = keys
        self._weight = weight
        self._direct: dict[Node, Table] = {}
        self._deep: dict[Node, Table] = {}

    def count_direct(self, node: Node) -> Table:
        """Return amounts over the members of `node`."""
        table = self._direct.get(node)
        if table is None:
            table = self._direct[node] = self._sum_direct(node)
        return table

    def _sum_direct(self, node: Node) -> Table:
        table: dict[Hashable, Number] = {}
        for member in node.members:
            amount = member.number * self._weight(member)
            for key in self._keys(member):
                table[key] = table.get(key, 0) + amount
        return table or EMPTY

    def count_deep(self, node: Node) -> Table:
        """Return amounts over everything inside `node`."""
        table = self._deep.get(node)
        if table is None:
            table = self._deep[node] = self._sum_deep(node)
        return table

    def forget(self, node: Node) -> None:
        """Make the tables of `node` anew when they are next asked for."""
        if self._direct.pop(node, None) is not None:
            self._deep.pop(node, None)

    def _sum_deep(self, node: Node) -> Table:
        direct = self.count_direct(node)
        nesting = [member for member in node.members if member.members]
        if not nesting:
            return direct
        table = dict(direct)
        for member in nesting:
            number = member.number
            for key, amount in self.count_deep(member).items():
                table[key] = table.get(key, 0) + number * amount
        return table
