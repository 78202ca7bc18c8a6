"""What a game plan in a list document calls the units of the list, and which selections those have become."""

from collections.abc import Sequence

from catalogue.graph.compiled_entry import CompiledOption
from roster.formats.list_document.document import ListedItem
from roster.formats.list_document.nodes import Unreadable, UnreadableError
from roster.formats.list_document.values import Text
from roster.formats.list_text import simplify_name

Ids = tuple[str, ...]
"""The selections that one item of a document became."""


class UnitReferences:
    """All items of a document that a plan may mean. `lenient`: what nothing is called by stands for itself."""

    def __init__(self, *, lenient: bool) -> None:
        self.lenient = lenient
        self._by_ref: dict[str, list[Ids]] = {}
        self._by_name: tuple[dict[str, list[Ids]], ...] = ({}, {}, {})
        """By their own names, by ids and by names of entries: the surest first."""

    def register_item(
        self, item: ListedItem, option: CompiledOption, ids: Sequence[str], *, root: bool
    ) -> None:
        """Remember an item. What is inside another one is meant by its `ref` or its own name only."""
        if not ids:
            return
        if item.ref:
            self._by_ref.setdefault(item.ref.value, []).append(tuple(ids))
        names = (item.name, *((option.local_id, option.name) if root else ()))
        for known, name in zip(self._by_name, names, strict=False):
            if name:
                known.setdefault(simplify_name(name), []).append(tuple(ids))

    def resolve_all(self, given: Text) -> Ids:
        """Return the ids of all selections of the one item that `given` means."""
        plain = simplify_name(given.value)
        for items in (self._by_ref.get(given.value), *(known.get(plain) for known in self._by_name)):
            if items and len(items) == 1:
                return items[0]
            # Several of one name at this level are ambiguous, even if a weaker level knows one.
            if items:
                raise UnreadableError(
                    Unreadable("ambiguous-unit", given.line, given.column, given.value[:100])
                )
        if self.lenient:
            return (given.value,)
        raise UnreadableError(Unreadable("unknown-planned-unit", given.line, given.column, given.value[:100]))

    def resolve_one(self, given: Text) -> str:
        """Return the id of the one selection that `given` means."""
        ids = self.resolve_all(given)
        if len(ids) > 1:
            raise UnreadableError(Unreadable("ambiguous-unit", given.line, given.column, given.value[:100]))
        return ids[0]
