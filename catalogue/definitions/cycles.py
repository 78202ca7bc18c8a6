"""Find cycles."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

T = TypeVar("T")


def find_components(graph: Mapping[T, Iterable[T]]) -> Iterator[list[T]]:
    """Yield the strongly connected components of `graph`, each after the components it depends on.

    A component ends with the node found first. Tarjan's algorithm (1972) without recursion, because a chain may be as
    long as a file.

    >>> list(find_components({"a": ["b"], "b": ["c"], "c": ["b"]}))
    [['c', 'b'], ['a']]
    """
    # The place of each node in the order of discovery, and the earliest place it can reach.
    order: dict[T, int] = {}
    low: dict[T, int] = {}
    stack: list[T] = []
    on_stack: set[T] = set()

    def enter(node: T) -> tuple[T, Iterator[T]]:
        order[node] = low[node] = len(order)
        stack.append(node)
        on_stack.add(node)
        return node, iter(graph.get(node, ()))

    for start in graph:
        path = [] if start in order else [enter(start)]
        while path:
            node, targets = path[-1]
            target = next((near for near in targets if near not in order or near in on_stack), None)
            if target is None:
                path.pop()
                if path:
                    parent = path[-1][0]
                    low[parent] = min(low[parent], low[node])
                if low[node] == order[node]:
                    # The component of this node is on top of the stack.
                    component: list[T] = []
                    while not component or component[-1] != node:
                        component.append(stack.pop())
                        on_stack.discard(component[-1])
                    yield component
            elif target in order:
                low[node] = min(low[node], order[target])
            else:
                path.append(enter(target))
