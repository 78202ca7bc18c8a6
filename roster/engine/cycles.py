"""Strongly connected components: which things depend on each other in a circle."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

T = TypeVar("T")


def find_components(graph: Mapping[T, Iterable[T]]) -> Iterator[list[T]]:
    """The strongly connected components of `graph`, each after all that it leads to (Tarjan 1972, without recursion).

    >>> list(find_components({"a": ["b"], "b": ["c"], "c": ["b"]}))
    [['c', 'b'], ['a']]
    """
    order: dict[T, int] = {}
    low: dict[T, int] = {}
    stack: list[T] = []
    waiting: set[T] = set()
    for start in graph:
        path = [] if start in order else [(start, iter(graph[start]))]
        if path:
            _enter_node(start, order, low, stack, waiting)
        while path:
            node, targets = path[-1]
            target = next((t for t in targets if t not in order or t in waiting), None)
            if target is not None and target not in order:
                _enter_node(target, order, low, stack, waiting)
                path.append((target, iter(graph.get(target, ()))))
            elif target is not None:
                low[node] = min(low[node], order[target])
            else:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[node])
                if low[node] == order[node]:
                    yield _leave_component(node, stack, waiting)


def _enter_node(node: T, order: dict[T, int], low: dict[T, int], stack: list[T], waiting: set[T]) -> None:
    order[node] = low[node] = len(order)
    stack.append(node)
    waiting.add(node)


def _leave_component(node: T, stack: list[T], waiting: set[T]) -> list[T]:
    cut = stack.index(node)
    component = stack[cut:][::-1]
    del stack[cut:]
    waiting.difference_update(component)
    return component
