"""Telling a copy of a definition from another one that was given the same id."""

from catalogue.formats.battlescribe.xml_parser import Element

_COPIED = ("selectionEntry", "selectionEntryGroup")
_LISTS_OF_ROOT = 2
"""What is nearer to the root than an entry inside another one: the root, and the lists directly in it."""


class Originals:
    """The first definition by each id of one file, found when a second one turns up."""

    def __init__(self) -> None:
        self._first: dict[str, Element] | None = None

    def has_copy(self, ident: str, element: Element) -> bool:
        """Return whether `element` equals the first definition of that id and both are inside other entries.

        Options that several units have are sometimes written out in each of them. Whichever is taken is meant.
        """
        above = _list_ancestors(element)
        if self._first is None:
            self._first = _index_first_definitions(above[-1]) if above else {}
        first = self._first.get(ident)
        if first is None or first is element:
            return False
        return _is_inside(element) and _is_inside(first) and is_same_content(first, element)


def _list_ancestors(element: Element) -> list[Element]:
    above = []
    parent = element.getparent()
    while parent is not None:
        above.append(parent)
        parent = parent.getparent()
    return above


def _is_inside(element: Element) -> bool:
    return len(_list_ancestors(element)) > _LISTS_OF_ROOT


def _index_first_definitions(root: Element) -> dict[str, Element]:
    """Return entries and groups by id, each as first met."""
    first_by_id: dict[str, Element] = {}
    waiting = [root]
    while waiting:
        element = waiting.pop()
        if element.tag.rpartition("}")[2] in _COPIED:
            first_by_id.setdefault(element.get("id", ""), element)
        waiting += reversed(list(element))
    return first_by_id


def is_same_content(one: Element, other: Element) -> bool:
    """Return whether two elements have the same content, however they are indented."""
    waiting = [(one, other)]
    while waiting:
        left, right = waiting.pop()
        if (left.tag, dict(left.items()), len(left)) != (right.tag, dict(right.items()), len(right)):
            return False
        if (left.text or "").strip() != (right.text or "").strip():
            return False
        waiting += zip(left, right, strict=True)
    return True
