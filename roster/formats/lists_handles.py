"""What a game plan in a list document calls the units of the list, and which selections those have become."""

from collections.abc import Sequence
from typing import NamedTuple

from roster.engine.templates import Option
from roster.formats.lists_nodes import Unreadable, UnreadableError
from roster.formats.lists_shapes import ListedItem, Text
from roster.formats.lists_text import folded


class Handle(NamedTuple):
    """An item of the document, the selections it became, and all it may be called by, the surest first."""

    ids: tuple[str, ...]
    names: tuple[str, ...]


class Handles:
    """All items of a document that a plan may mean. `lenient`: what nothing is called by stands for itself."""

    def __init__(self, *, lenient: bool) -> None:
        self.lenient = lenient
        self._handles: list[Handle] = []

    def note(self, item: ListedItem, option: Option, ids: Sequence[str], *, root: bool) -> None:
        """Remember an item. What is inside another one is meant by its `ref` or its own name only."""
        own = (item.ref.value, item.name, *((option.local_id, option.name) if root else ()))
        if ids and any(own):
            self._handles.append(Handle(tuple(ids), own))

    def several(self, given: Text) -> tuple[str, ...]:
        """The ids of all selections of the one item that `given` means."""
        for place in range(4):
            found = [h for h in self._handles if _is_called(h, place, given.value)]
            if len(found) == 1:
                return found[0].ids
            if found:
                raise UnreadableError(
                    Unreadable("ambiguous-unit", given.line, given.column, given.value[:100])
                )
        if self.lenient:
            return (given.value,)
        raise UnreadableError(Unreadable("unknown-planned-unit", given.line, given.column, given.value[:100]))

    def one(self, given: Text) -> str:
        """The id of the one selection that `given` means."""
        found = self.several(given)
        if len(found) > 1:
            raise UnreadableError(Unreadable("ambiguous-unit", given.line, given.column, given.value[:100]))
        return found[0]


def _is_called(handle: Handle, place: int, wanted: str) -> bool:
    name = handle.names[place] if place < len(handle.names) else ""
    return bool(name) and (name == wanted or (place > 0 and folded(name) == folded(wanted)))
