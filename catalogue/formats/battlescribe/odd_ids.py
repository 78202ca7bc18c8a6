"""Replace ids that cannot stay: duplicates within a file, and ids that are too long for the database.

Options of several units are often written out in each of them, with one id: rules that count the id mean all of them,
and a list writes the way to each. That works as it stands. Two beside each other have the same way, and a link that is
nearer to the second than to the first means the second: such a definition gets an id of its own, `id~2`. Where an id
is too long, its beginning and a hash of it stand for it, wherever it is written.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
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
"""What can be mistaken for each other: definitions of one kind."""
_NAMED_BY = {"entryLink": "entry", "categoryLink": "category", "forceEntryLink": "force", "cost": "cost"}
_TARGETS = ("targetId", "typeId", "defaultSelectionEntryId")
_COUNTED = ("childId", "scope", "field", "value")
_IDS = ("id", *_TARGETS, *_COUNTED, "categoryEntryId", "publicationId")
_MOST_LETTERS = 40
_LISTS_OF_ROOT = 2
"""What is nearer to the root than an entry inside another one: the root, and the lists directly in it."""


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


def shorten_ids(root: Element, most: int) -> None:
    """Put a short id in place of each below `root` that has more than `most` characters."""
    for element in _walk_elements(root):
        for name in _IDS:
            ident = element.get(name, "")
            if len(ident) > most and " " not in ident:
                element.set(name, f"{ident[:_MOST_LETTERS]}~{sha256(ident.encode()).hexdigest()[:_MOST_LETTERS]}")


def separate_duplicates(root: Element, idents: Iterable[str]) -> set[str]:
    """Give an id of its own to each definition below `root` that has one of `idents` and could be mistaken.

    Returns the ids that mean different things; all others are those of copies.
    """
    wanted = set(idents)
    definitions: dict[tuple[str, str], list[Element]] = defaultdict(list)
    references: dict[str, list[Element]] = defaultdict(list)
    for element in _walk_elements(root):
        tag = local_name(element.tag)
        ident = element.get("id", "")
        if ident in wanted and tag in _KINDS:
            definitions[_KINDS[tag], ident].append(element)
        for target in _find_targets(element, wanted):
            references[target].append(element)
    ambiguous = set()
    for (kind, ident), elements in definitions.items():
        if len(elements) > 1 and _separate(kind, ident, elements, references[ident]):
            ambiguous.add(ident)
    return ambiguous


def _find_targets(element: Element, wanted: set[str]) -> set[str]:
    """Return those of the ids `wanted` that an element refers to."""
    # Asked of each element of a file, and nearly all refer to none: one look at all values tells. The blank one is
    # what an element says that has no such attribute.
    if wanted.isdisjoint(["", *[value for _, value in element.items()]]):
        return set()
    return {element.get(name, "") for name in (*_TARGETS, *_COUNTED)} & wanted


def _separate(kind: str, ident: str, elements: list[Element], references: list[Element]) -> bool:
    """Keep the definitions of one id apart; return whether any of them is more than a copy in another place."""
    is_copied = all(is_same_content(elements[0], element) for element in elements[1:])
    ways = [_list_ancestors(element) for element in elements]
    nearest = _find_nearest([reference for reference in references if _may_name(reference, kind)], ways)
    linked = {number for reference, number in nearest if local_name(reference.tag) in _NAMED_BY}
    renamed = {number: f"{ident}~{number + 1}" for number in _choose_renamed(ways, linked)}
    for number, new_id in renamed.items():
        elements[number].set("id", new_id)
    _follow_renamed(ident, nearest, renamed)
    return bool(renamed) or not is_copied


def _follow_renamed(ident: str, nearest: list[tuple[Element, int]], renamed: Mapping[int, str]) -> None:
    """Let each reference name its definition by the id that this has now."""
    for reference, number in nearest:
        _replace_target(reference, ident, renamed.get(number, ident))


def _may_name(reference: Element, kind: str) -> bool:
    """Return whether a reference may mean a definition of a kind: what links names one, a rule counts any."""
    return _NAMED_BY.get(local_name(reference.tag), kind) == kind


def _choose_renamed(ways: list[list[Element]], linked: set[int]) -> Iterator[int]:
    """Yield the definitions that are beside an earlier one, in a list of the root, or meant by a link."""
    parents: set[int] = set()
    for number, way in enumerate(ways):
        in_root = len(way) <= _LISTS_OF_ROOT
        owner = id(way[0]) if in_root else id(way[1])
        if number and (owner in parents or in_root or number in linked):
            yield number
        parents.add(owner)


def _replace_target(reference: Element, ident: str, new_id: str) -> None:
    for name in (*_TARGETS, *_COUNTED):
        if reference.get(name, "") == ident:
            reference.set(name, new_id)


def _find_nearest(references: list[Element], ways: list[list[Element]]) -> list[tuple[Element, int]]:
    """Return each reference with the definition that shares the most ancestors with it; of several the first.

    A file may have tens of thousands of both, so that they are not compared one by one.
    """
    first_below: dict[int, int] = {}
    for number, way in enumerate(ways):
        for element in way:
            first_below.setdefault(id(element), number)
    return [(reference, _find_first(reference, first_below)) for reference in references]


def _find_first(reference: Element, first_below: dict[int, int]) -> int:
    """Return the first definition below what is nearest around a reference; below the root there are all of them."""
    around = map(id, (reference, *_list_ancestors(reference)))
    return next(first_below[identity] for identity in around if identity in first_below)


def _walk_elements(root: Element) -> Iterator[Element]:
    """Yield all elements in the order of the file."""
    waiting = [root]
    while waiting:
        element = waiting.pop()
        yield element
        waiting += reversed(list(element))


def _list_ancestors(element: Element) -> list[Element]:
    """Return what is around an element, the nearest first."""
    above = []
    parent = element.getparent()
    while parent is not None:
        above.append(parent)
        parent = parent.getparent()
    return above
