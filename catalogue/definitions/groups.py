"""Group values by a key."""

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

Grouped = TypeVar("Grouped")
GroupKey = TypeVar("GroupKey", bound=Hashable)


def group_by(values: Iterable[Grouped], key: Callable[[Grouped], GroupKey]) -> dict[GroupKey, list[Grouped]]:
    """Keep the order of first occurrence.

    >>> group_by(["pole", "net", "punt"], lambda word: word[0])
    {'p': ['pole', 'punt'], 'n': ['net']}
    """
    groups: dict[GroupKey, list[Grouped]] = {}
    for value in values:
        groups.setdefault(key(value), []).append(value)
    return groups
