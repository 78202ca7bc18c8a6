"""Find cycles: which things depend on each other in a circle."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

T = TypeVar("T")


def find_components(graph: Mapping[T, Iterable[T]]) -> Iterator[list[T]]:
    """Yield the strongly connected components of `graph`, each after all that it leads to.

    The node that the search met first is the last of its component. This is Tarjan's algorithm (1972), without
    recursion: a chain may be as long as a file.

    >>> list(find_components({"a": ["b"], "b": ["c"], "c": ["b"]}))
    [['c', 'b'], ['a']]
    """
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
            target = next((t for t in targets if t not in order or t in on_stack), None)
            if target is None:
                path.pop()
                if path:
                    parent = path[-1][0]
                    low[parent] = min(low[parent], low[node])
                if low[node] == order[node]:
                    yield _leave_component(node, stack, on_stack)
            elif target in order:
                low[node] = min(low[node], order[target])
            else:
                path.append(enter(target))


def _leave_component(root: T, stack: list[T], on_stack: set[T]) -> list[T]:
    """Take the component that began with `root` off the stack."""
    component = []
    node = None
    while node != root:
        node = stack.pop()
        on_stack.discard(node)
        component.append(node)
    return component
