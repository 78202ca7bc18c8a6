"""Track which keys of a case were read, so that ignored keys do not pass as understood."""

from collections.abc import Iterator
from typing import Any


class UnknownWordError(Exception):
    """A case contains something that its reader does not know."""


class Words(dict[str, Any]):
    """A mapping of a case that records the keys that were read; copies share the record."""

    def __init__(self, given: dict[str, Any], behind: tuple["Words", ...] = ()) -> None:
        super().__init__(given)
        self._behind = behind
        self._read: set[str] = set()

    def __getitem__(self, key: str) -> Any:
        self._note(key)
        return super().__getitem__(key)

    def __contains__(self, key: object) -> bool:
        self._note(str(key))
        return super().__contains__(key)

    def get(self, key: str, default: Any = None) -> Any:
        self._note(key)
        return super().get(key, default)

    def items(self) -> Any:
        """Return all items of a mapping with free keys; all count as read."""
        for key in self:
            self._note(key)
        return super().items()

    def __or__(self, other: Any) -> "Words":
        behind = (self, *((other,) if isinstance(other, Words) else ()))
        return Words(dict(self) | dict(other), behind)

    def _note(self, key: str) -> None:
        self._read.add(key)
        for other in self._behind:
            other._note(key)

    def unread(self, path: str) -> Iterator[str]:
        """Yield the paths of unread keys, also inside values that were read."""
        for key, value in super().items():
            own = f"{path}.{key}"
            if key in self._read:
                yield from unread(value, own)
            else:
                yield own


def words(given: Any) -> Any:
    """Return a copy in which every mapping records what is read."""
    if isinstance(given, dict):
        return Words({str(key): words(value) for key, value in given.items()})
    return [words(each) for each in given] if isinstance(given, list) else given


def unread(given: Any, path: str) -> Iterator[str]:
    """Return the paths of all unread keys in `given`."""
    if isinstance(given, Words):
        yield from given.unread(path)
    elif isinstance(given, list):
        for number, each in enumerate(given, 1):
            yield from unread(each, f"{path}.{number}")


def one_of(given: str, known: tuple[str, ...], what: str) -> str:
    """Return a word if it is one of a few; others are unknown."""
    if given not in known:
        raise UnknownWordError(f"{what}: {given}")
    return given
