"""Replace duplicate ids within a file, and ids too long for the database.

Data often repeats an option in several units under one id. Lists distinguish these copies by composite ids, so they
stay. But a definition gets a new id, `id~2`, if an earlier one has the same parent, or if some link is nearer to it
than to the first. A long id is replaced everywhere by its first characters and a hash.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from hashlib import sha256

from catalogue.formats.battlescribe.source_file import local_name
from catalogue.formats.battlescribe.xml_parser import Element

_KINDS = {
    "selectionEntry": "entry",
    "selectionEntryGroup": "entry",
    "categoryEntry": "category",
    "forceEntry": "force",
    "costType": "cost",
}
_NAMED_BY = {"entryLink": "entry", "categoryLink": "category", "forceEntryLink": "force", "cost": "cost"}
_TARGETS = ("targetId", "typeId", "defaultSelectionEntryId")
_COUNTED = ("childId", "scope", "field", "value")
_IDS = ("id", *_TARGETS, *_COUNTED, "categoryEntryId", "publicationId")
_MOST_LETTERS = 40
_LISTS_OF_ROOT = 2
"""A definition at the top level has this many ancestors: its list and the root."""


def is_same_content(one: Element, other: Element) -> bool:
    """Compare two elements without indentation."""
    waiting = [(one, other)]
    while waiting:
        left, right = waiting.pop()
        if (left.tag, dict(left.items()), len(left)) != (right.tag, dict(right.items()), len(right)):
            return False
        if (left.text or "").strip() != (right.text or "").strip():
            return False
        waiting += zip(left, right, strict=True)
    return True


def shorten_ids(root: Element, most: int) -> None:
    for element in _walk_elements(root):
        for name in _IDS:
            ident = element.get(name, "")
            if len(ident) > most and " " not in ident:
                element.set(name, f"{ident[:_MOST_LETTERS]}~{sha256(ident.encode()).hexdigest()[:_MOST_LETTERS]}")


def separate_duplicates(root: Element, idents: Iterable[str]) -> set[str]:
    """Rename ambiguous definitions with one of `idents`, and return the ids of the different ones."""
    targets = set(idents)
    definitions: dict[tuple[str, str], list[Element]] = defaultdict(list)
    references: dict[str, list[Element]] = defaultdict(list)
    for element in _walk_elements(root):
        tag = local_name(element.tag)
        ident = element.get("id", "")
        if ident in targets and tag in _KINDS:
            definitions[_KINDS[tag], ident].append(element)
        # One look at all values rules out nearly all elements. "" means a missing attribute.
        if not targets.isdisjoint(["", *[value for _, value in element.items()]]):
            for target in {element.get(name, "") for name in (*_TARGETS, *_COUNTED)} & targets:
                references[target].append(element)
    ambiguous = set()
    for (kind, ident), elements in definitions.items():
        if len(elements) > 1 and _separate_definitions(kind, ident, elements, references[ident]):
            ambiguous.add(ident)
    return ambiguous


def _separate_definitions(kind: str, ident: str, elements: list[Element], references: list[Element]) -> bool:
    is_copied = all(is_same_content(elements[0], element) for element in elements[1:])
    ways = [_list_ancestors(element) for element in elements]
    # A link refers to one kind of definition, a rule counts any.
    possible = [reference for reference in references if _NAMED_BY.get(local_name(reference.tag), kind) == kind]
    nearest = _find_nearest(possible, ways)
    linked = {number for reference, number in nearest if local_name(reference.tag) in _NAMED_BY}

    # Rename definitions next to an earlier one, at the top level, or with a link.
    renamed: dict[int, str] = {}
    parents: set[int] = set()
    for number, way in enumerate(ways):
        in_root = len(way) <= _LISTS_OF_ROOT
        parent = id(way[0]) if in_root else id(way[1])
        if number and (parent in parents or in_root or number in linked):
            renamed[number] = f"{ident}~{number + 1}"
        parents.add(parent)
    for number, new_id in renamed.items():
        elements[number].set("id", new_id)

    for reference, number in nearest:
        for name in (*_TARGETS, *_COUNTED):
            if reference.get(name, "") == ident:
                reference.set(name, renamed.get(number, ident))
    return bool(renamed) or not is_copied


def _find_nearest(references: list[Element], ways: list[list[Element]]) -> list[tuple[Element, int]]:
    """Find the nearest definition without comparing pairs: a file can have tens of thousands."""
    first_below: dict[int, int] = {}
    for number, way in enumerate(ways):
        for element in way:
            first_below.setdefault(id(element), number)
    nearest = []
    for reference in references:
        around = map(id, (reference, *_list_ancestors(reference)))
        number = next(first_below[identity] for identity in around if identity in first_below)
        nearest.append((reference, number))
    return nearest


def _walk_elements(root: Element) -> Iterator[Element]:
    waiting = [root]
    while waiting:
        element = waiting.pop()
        yield element
        waiting += reversed(list(element))


def _list_ancestors(element: Element) -> list[Element]:
    above = []
    parent = element.getparent()
    while parent is not None:
        above.append(parent)
        parent = parent.getparent()
    return above
