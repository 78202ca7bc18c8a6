"""Entries, groups and links to them; categories and costs."""

from typing import Any

from catalogue.definitions.constraints import Constraint
from catalogue.definitions.entries import (
    Category,
    CategoryLink,
    Cost,
    Entry,
    EntryKind,
    EntryType,
)
from catalogue.formats.battlescribe.attributes import Known, attributes, choice, flag, number
from catalogue.formats.battlescribe.findings import Kind
from catalogue.formats.battlescribe.infos import INFO_PARTS, citation
from catalogue.formats.battlescribe.markup import Element
from catalogue.formats.battlescribe.modifiers import MODIFIER_PARTS, sorted_out
from catalogue.formats.battlescribe.queries import constraint
from catalogue.formats.battlescribe.source import (
    Attributes,
    Part,
    Parts,
    Ref,
    SourceFile,
    each,
    local_name,
    read_parts,
    unknown_element,
)

CONTAINER = "id name hidden publicationId page book"
_SELECTABLE = f"{CONTAINER} collective import sortIndex defaultAmount"
SHOWN = "collapsible flatten noindex subType"
_ENTRY = Known(f"{_SELECTABLE} type", display=SHOWN)
_GROUP = Known(f"{_SELECTABLE} defaultSelectionEntryId", display=SHOWN)
_LINK = Known(f"{_SELECTABLE} targetId type defaultSelectionEntryId", display=SHOWN)
_CATEGORY = Known(CONTAINER)
_CATEGORY_LINK = Known(f"{CONTAINER} targetId primary type")
_COST = Known("name typeId costTypeId value id", display="hidden")


_NO_DEFAULT = "none"


def entry(element: Element, file: SourceFile, owner: str) -> Entry:
    """A `<selectionEntry>`."""
    attrs = attributes(element, _ENTRY, file, owner)
    kind = choice(EntryType, attrs, "type", EntryType.UPGRADE, element, file)
    return _selectable(EntryKind.ENTRY, attrs, element, file, type=kind)


def group(element: Element, file: SourceFile, owner: str) -> Entry:
    """A `<selectionEntryGroup>`."""
    attrs = attributes(element, _GROUP, file, owner)
    return _selectable(EntryKind.GROUP, attrs, element, file)


_LINK_KINDS = {"selectionEntry": EntryKind.ENTRY_LINK, "selectionEntryGroup": EntryKind.GROUP_LINK}


def entry_link(element: Element, file: SourceFile, owner: str) -> Entry:
    """An `<entryLink>`, to an entry or a group."""
    attrs = attributes(element, _LINK, file, owner)
    named = attrs.get("type", "selectionEntry")
    kind = _LINK_KINDS.get(named)
    if kind is None:
        file.note(Kind.UNKNOWN_VALUE, f"entryLink type={named!r}", element, attrs.get("id", ""))
        kind = EntryKind.ENTRY_LINK
    target = attrs.get("targetId", "")
    file.refer(Ref.ENTRY, target, element, attrs.get("id", ""))
    return _selectable(kind, attrs, element, file, target_id=target)


def _selectable(kind: EntryKind, attrs: Attributes, element: Element, file: SourceFile, **more: Any) -> Entry:
    ident = file.define(element, attrs, firm=kind not in _LINK_KINDS.values())
    default = attrs.get("defaultSelectionEntryId", "")
    if default == _NO_DEFAULT:
        default = ""
    elif default:
        file.refer(Ref.DEFAULT, default, element, ident)
    if "defaultAmount" in attrs:
        more["default_amount"] = _whole(attrs, "defaultAmount", element, file)
    if "sortIndex" in attrs:
        more["sort_index"] = _whole(attrs, "sortIndex", element, file)
    return Entry(
        id=ident,
        kind=kind,
        name=attrs.get("name", ""),
        hidden=flag(attrs, "hidden", False, element, file),
        collective=flag(attrs, "collective", False, element, file),
        exported=flag(attrs, "import", True, element, file),
        default_id=default,
        citation=citation(attrs, element, file, ident),
        **more,
        **sorted_out(read_parts(element, _ENTRY_PARTS, file, ident), element, file, whole=True),
    )


def category(element: Element, file: SourceFile, owner: str) -> Category:
    """A `<categoryEntry>`."""
    attrs = attributes(element, _CATEGORY, file, owner)
    ident = file.define(element, attrs)
    return Category(
        id=ident,
        name=attrs.get("name", ""),
        hidden=flag(attrs, "hidden", False, element, file),
        citation=citation(attrs, element, file, ident),
        **sorted_out(read_parts(element, _CATEGORY_PARTS, file, ident), element, file),
    )


def category_link(element: Element, file: SourceFile, owner: str) -> CategoryLink:
    """A `<categoryLink>`; its id matters to nobody, so it may be given twice."""
    attrs = attributes(element, _CATEGORY_LINK, file, owner)
    ident, target = attrs.get("id", ""), attrs.get("targetId", "")
    file.known.add(ident)
    file.refer(Ref.CATEGORY, target, element, owner)
    return CategoryLink(
        id=ident,
        target_id=target,
        name=attrs.get("name", ""),
        primary=flag(attrs, "primary", False, element, file),
        hidden=flag(attrs, "hidden", False, element, file),
        citation=citation(attrs, element, file, owner),
        **sorted_out(read_parts(element, _CATEGORY_PARTS, file, owner), element, file),
    )


def cost(element: Element, file: SourceFile, owner: str) -> Cost:
    """A `<cost>`."""
    key = ("cost", *element.items())
    made: Cost | None = file.memo.get(key)
    if made is None:
        attrs = attributes(element, _COST, file, owner)
        made = Cost(
            type_id=attrs.get("typeId") or attrs.get("costTypeId", ""),
            value=number(attrs, "value", 0, element, file),
            name=attrs.get("name", ""),
        )
        file.memo.keep(key, made)
    if made.value:  # nothing of an unknown kind changes no sum
        file.refer(Ref.COST, made.type_id, element, owner)
    return made


def _whole(attrs: Attributes, name: str, element: Element, file: SourceFile) -> int:
    """A whole number that only helps; New Recruit also writes lists such as `1,1`, whose meaning is not clear."""
    try:
        return int(attrs[name])
    except ValueError:
        file.note(Kind.CONVENIENCE, f"{local_name(element.tag)} {name}={attrs[name][:40]!r}", element)
        return 0


def _constraints(container: Element, file: SourceFile, owner: str) -> list[Constraint]:
    found = []
    for child in container:
        if local_name(child.tag) != "constraint":
            unknown_element(child, file, owner)
        elif (made := constraint(child, file, owner)) is not None:
            found.append(made)
    return found


def _associations(container: Element, file: SourceFile, owner: str) -> list[Any]:
    """New Recruit's `<association>`: which selection this one belongs to. A roster does not keep it: reported."""
    for child in container:
        file.note(Kind.ASSOCIATION, child.get("name", ""), child, owner)
    return []


COMMON: Parts = {
    "constraints": Part("constraints", _constraints),
    "comment": None,
    **MODIFIER_PARTS,
    **INFO_PARTS,
}
_CATEGORY_PARTS: Parts = COMMON
COSTS = Part("costs", each("cost", cost))
CATEGORY_LINKS = Part("categories", each("categoryLink", category_link))

ENTRY_LISTS: Parts = {
    "selectionEntries": Part("entries", each("selectionEntry", entry)),
    "selectionEntryGroups": Part("entries", each("selectionEntryGroup", group)),
    "entryLinks": Part("entries", each("entryLink", entry_link)),
}
_ENTRY_PARTS: Parts = {
    "costs": COSTS,
    "categoryLinks": CATEGORY_LINKS,
    "associations": Part("entries", _associations),
    **ENTRY_LISTS,
    **COMMON,
}
