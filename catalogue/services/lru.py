"""A cache for expensive values that never change."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import RLock
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Lru(Generic[Key, Value]):
    """The most recently used `size` values, shared by all threads of a process.

    >>> squares: Lru[int, int] = Lru(2)
    >>> [squares.get(number, lambda: number * number) for number in (2, 3, 4)]
    [4, 9, 16]
    >>> len(squares)
    2

    While one thread makes a value, the others wait: twenty readers of a cold version cause one decoding, not twenty.

    With `weigh`, `size` limits the total weight; a heavier value is not kept:

    >>> words: Lru[int, str] = Lru(8, len)
    >>> for number, word in enumerate(("reeds", "far too long", "and", "rust")):
    ...     words.put(number, word)
    >>> [words.find(number) for number in range(4)]
    [None, None, 'and', 'rust']
    """

    def __init__(self, size: int, weigh: Callable[[Value], int] = lambda value: 1) -> None:
        self._size = size
        self._weigh = weigh
        self._weight = 0
        self._values: OrderedDict[Key, Value] = OrderedDict()
        self._lock = RLock()

    def get(self, key: Key, make: Callable[[], Value]) -> Value:
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key]
            value = make()
            self._keep(key, value)
            return value

    def find(self, key: Key) -> Value | None:
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
            return self._values.get(key)

    def take(self, key: Key) -> Value | None:
        """Remove and return a value, so that no other thread gets it."""
        with self._lock:
            return self._drop(key) if key in self._values else None

    def put(self, key: Key, value: Value) -> None:
        with self._lock:
            self._keep(key, value)

    def _keep(self, key: Key, value: Value) -> None:
        if key in self._values:
            self._drop(key)
        if self._weigh(value) > self._size:
            return
        self._values[key] = value
        self._weight += self._weigh(value)
        while self._weight > self._size:
            self._drop(next(iter(self._values)))

    def _drop(self, key: Key) -> Value:
        value = self._values.pop(key)
        self._weight -= self._weigh(value)
        return value

    def clear(self) -> None:
        with self._lock:
            self._values.clear()
            self._weight = 0

    def __contains__(self, key: Key) -> bool:
        return key in self._values

    def __len__(self) -> int:
        return len(self._values)
