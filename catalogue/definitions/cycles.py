"""Find cycles: which things depend on each other in a circle."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Generic, TypeVar

T = TypeVar("T")


def find_components(graph: Mapping[T, Iterable[T]]) -> Iterator[list[T]]:
    """Yield the strongly connected components of `graph`, each after all that it leads to.

    The node that the search met first is the last of its component. This is Tarjan's algorithm (1972), without
    recursion: a chain may be as long as a file.

    >>> list(find_components({"a": ["b"], "b": ["c"], "c": ["b"]}))
    [['c', 'b'], ['a']]
    """
    search = ComponentSearch(graph)
    for start in graph:
        if start not in search.order:
            yield from search.search_from(start)


class ComponentSearch(Generic[T]):
    """A search for components: the order in which nodes were met, and the earliest node that each leads back to."""

    def __init__(self, graph: Mapping[T, Iterable[T]]) -> None:
        self.graph = graph
        self.order: dict[T, int] = {}
        self.low: dict[T, int] = {}
        self.stack: list[T] = []
        self.on_stack: set[T] = set()

    def search_from(self, start: T) -> Iterator[list[T]]:
        """Yield the components that can be reached from a node that was not met yet."""
        path = [self._enter(start)]
        while path:
            node, targets = path[-1]
            target = self._find_next(targets)
            if target is None:
                path.pop()
                if path:
                    parent = path[-1][0]
                    self.low[parent] = min(self.low[parent], self.low[node])
                if self.low[node] == self.order[node]:
                    yield self._leave_component(node)
            elif target in self.order:
                self.low[node] = min(self.low[node], self.order[target])
            else:
                path.append(self._enter(target))

    def _enter(self, node: T) -> tuple[T, Iterator[T]]:
        self.order[node] = self.low[node] = len(self.order)
        self.stack.append(node)
        self.on_stack.add(node)
        return node, iter(self.graph.get(node, ()))

    def _find_next(self, targets: Iterator[T]) -> T | None:
        """Return the next target that is new or still open; None where there is no more."""
        for target in targets:
            if target not in self.order or target in self.on_stack:
                return target
        return None

    def _leave_component(self, root: T) -> list[T]:
        """Take the component that began with `root` off the stack."""
        component = []
        node = None
        while node != root:
            node = self.stack.pop()
            self.on_stack.discard(node)
            component.append(node)
        return component
