"""Read entries, groups, links to them, categories and costs."""

from typing import Any

from catalogue.definitions.constraints import Constraint
from catalogue.definitions.entries import (
    NO_LIMIT,
    Association,
    Category,
    CategoryLink,
    Cost,
    Entry,
    EntryKind,
    EntryType,
)
from catalogue.definitions.queries import ALWAYS, ANY, Scope
from catalogue.formats.battlescribe.attributes import (
    KnownAttributes,
    parse_whole_number,
    read_attributes,
    read_choice,
    read_flag,
    read_number,
)
from catalogue.formats.battlescribe.findings import FindingKind
from catalogue.formats.battlescribe.infos import INFO_PARTS, read_citation
from catalogue.formats.battlescribe.modifiers import MODIFIER_PARTS, REACHES, SPEAKS, read_inside
from catalogue.formats.battlescribe.queries import UnknownMeaningError, parse_joining, read_constraint, read_guard
from catalogue.formats.battlescribe.source_file import (
    Attributes,
    ContainerPart,
    ContainerParts,
    ReferenceKind,
    SourceFile,
    local_name,
    make_list_reader,
    report_unknown_element,
)
from catalogue.formats.battlescribe.xml_parser import Element

CONTAINER = "id name hidden publicationId page book"
_SELECTABLE = f"{CONTAINER} collective import sortIndex defaultAmount step collapsible flatten"
SHOWN = "noindex subType"
_ENTRY = KnownAttributes(f"{_SELECTABLE} type", display=SHOWN)
_GROUP = KnownAttributes(f"{_SELECTABLE} defaultSelectionEntryId", display=SHOWN)
_LINK = KnownAttributes(f"{_SELECTABLE} targetId type defaultSelectionEntryId", display=SHOWN)
_CATEGORY = KnownAttributes(CONTAINER)
_CATEGORY_LINK = KnownAttributes(f"{CONTAINER} targetId primary type")
_ASSOCIATION = KnownAttributes(
    "id name label scope childId includeChildSelections includeChildForces min max", display="type"
)
_COST = KnownAttributes("name typeId costTypeId value id", display="hidden")


_NO_DEFAULT = "none"
_TYPES = {kind.value: kind for kind in EntryType}
# Enum lookups take ten times as long, and there are tens of thousands of entries.
_UPGRADE, _ENTRY_KIND, _GROUP_KIND = EntryType.UPGRADE, EntryKind.ENTRY, EntryKind.GROUP
_TO_ENTRY, _TO_CATEGORY, _TO_COST = ReferenceKind.ENTRY, ReferenceKind.CATEGORY, ReferenceKind.COST


def read_entry(element: Element, file: SourceFile, owner: str) -> Entry:
    attrs = read_attributes(element, _ENTRY, file, owner)
    kind = read_choice(_TYPES, attrs, "type", _UPGRADE, element, file)
    return _build_entry(_ENTRY_KIND, attrs, element, file, type=kind)


def read_group(element: Element, file: SourceFile, owner: str) -> Entry:
    attrs = read_attributes(element, _GROUP, file, owner)
    return _build_entry(_GROUP_KIND, attrs, element, file)


_LINK_KINDS = {"selectionEntry": EntryKind.ENTRY_LINK, "selectionEntryGroup": EntryKind.GROUP_LINK}


def read_entry_link(element: Element, file: SourceFile, owner: str) -> Entry:
    attrs = read_attributes(element, _LINK, file, owner)
    named = attrs.get("type", "selectionEntry")
    kind = _LINK_KINDS.get(named)
    if kind is None:
        file.report_oddity(FindingKind.UNKNOWN_VALUE, f"entryLink type={named!r}", element, attrs.get("id", ""))
        kind = EntryKind.ENTRY_LINK
    target = attrs.get("targetId", "")
    file.register_reference(_TO_ENTRY, target, element, attrs.get("id", ""))
    return _build_entry(kind, attrs, element, file, firm=False, target_id=target)


def _build_entry(
    kind: EntryKind, attrs: Attributes, element: Element, file: SourceFile, *, firm: bool = True, **more: Any
) -> Entry:
    ident = file.register_definition(element, attrs, firm=firm)
    default = attrs.get("defaultSelectionEntryId", "")
    # New Recruit writes this for a group without a default.
    if default == _NO_DEFAULT:
        default = ""
    elif default:
        file.register_reference(ReferenceKind.DEFAULT, default, element, ident)
    # Looking for each of these in all entries takes a tenth of the reading time, and few entries have any.
    if not attrs.keys() <= _COMMON_ATTRIBUTES:
        for name, field in _WHOLE_NUMBERS.items():
            if attrs.get(name):
                more[field] = read_whole_number(attrs, name, element, file)
        if amounts := attrs.get("defaultAmount"):
            more |= _read_default(amounts, element, file)
        more["collapsible"] = read_flag(attrs, "collapsible", False, element, file)
        more["flatten"] = read_flag(attrs, "flatten", False, element, file)
        more["citation"] = read_citation(attrs, element, file, ident)
    return Entry(
        id=ident,
        kind=kind,
        name=attrs.get("name", ""),
        hidden=read_flag(attrs, "hidden", False, element, file),
        collective=read_flag(attrs, "collective", False, element, file),
        exported=read_flag(attrs, "import", True, element, file),
        default_id=default,
        **more,
        **read_inside(element, _ENTRY_PARTS, file, ident, REACHES),
    )


_COMMON_ATTRIBUTES = frozenset(
    ["id", "name", "hidden", "collective", "import", "type", "targetId", "defaultSelectionEntryId"]
)
_WHOLE_NUMBERS = {"sortIndex": "sort_index", "step": "step"}
MOST_STACKS = 100
"""A longer list of default amounts is an error in the data."""


def _read_default(text: str, element: Element, file: SourceFile) -> dict[str, Any]:
    """Read a number, or New Recruit's list of one number per stack."""
    try:
        amounts = tuple(map(parse_whole_number, text.split(",", MOST_STACKS)))
    except ValueError:
        amounts = ()
    if not amounts or min(amounts) < 0:
        _report_odd_number("defaultAmount", text, element, file)
        return {}
    return {"default_amount": amounts[0]} if len(amounts) == 1 else {"default_stacks": amounts}


def read_category(element: Element, file: SourceFile, owner: str) -> Category:
    attrs = read_attributes(element, _CATEGORY, file, owner)
    ident = file.register_definition(element, attrs)
    return Category(
        id=ident,
        name=attrs.get("name", ""),
        hidden=read_flag(attrs, "hidden", False, element, file),
        citation=read_citation(attrs, element, file, ident),
        **read_inside(element, _CATEGORY_PARTS, file, ident, SPEAKS),
    )


def read_category_link(element: Element, file: SourceFile, owner: str) -> CategoryLink:
    """Read a `<categoryLink>`, whose id may repeat."""
    attrs = read_attributes(element, _CATEGORY_LINK, file, owner)
    ident, target = attrs.get("id", ""), attrs.get("targetId", "")
    file.other_ids.add(ident)
    file.register_reference(_TO_CATEGORY, target, element, owner)
    return CategoryLink(
        id=ident,
        target_id=target,
        name=attrs.get("name", ""),
        primary=read_flag(attrs, "primary", False, element, file),
        hidden=read_flag(attrs, "hidden", False, element, file),
        citation=read_citation(attrs, element, file, owner),
        **read_inside(element, _CATEGORY_PARTS, file, owner, SPEAKS),
    )


def read_cost(element: Element, file: SourceFile, owner: str) -> Cost:
    key = ("cost", *element.items())
    cost: Cost | None = file.memo.get(key)
    if cost is None:
        attrs = read_attributes(element, _COST, file, owner)
        cost = Cost(
            type_id=attrs.get("typeId") or attrs.get("costTypeId", ""),
            value=read_number(attrs, "value", 0, element, file),
            name=attrs.get("name", ""),
        )
        file.memo[key] = cost
    if cost.value:  # a zero cost of an unknown type changes no sum
        file.register_reference(_TO_COST, cost.type_id, element, owner)
    return cost


def read_whole_number(attrs: Attributes, name: str, element: Element, file: SourceFile) -> int:
    """Return a number for display, else 0."""
    try:
        return parse_whole_number(attrs[name])
    except ValueError:
        _report_odd_number(name, attrs[name], element, file)
        return 0


def _report_odd_number(name: str, text: str, element: Element, file: SourceFile) -> None:
    """Report a fraction, which only affects automatic picks."""
    file.report_oddity(FindingKind.CONVENIENCE, f"{local_name(element.tag)} {name}={text[:40]!r}", element)


def _read_constraints(container: Element, file: SourceFile, owner: str) -> list[Constraint]:
    constraints = []
    for child in container:
        if local_name(child.tag) != "constraint":
            report_unknown_element(child, file, owner)
        elif (constraint := read_constraint(child, file, owner)) is not None:
            constraints.append(constraint)
    return constraints


def _read_association(element: Element, file: SourceFile, owner: str) -> Association:
    attrs = read_attributes(element, _ASSOCIATION, file, owner)
    least = int(read_number(attrs, "min", 0, element, file))
    if least > 0:
        # A leader may stay unattached, so the minimum is not enforced.
        file.report_oddity(FindingKind.ASSOCIATION, attrs.get("name", ""), element, owner)
    try:
        guard = read_guard(element, parse_joining("and"), file, owner)
    except UnknownMeaningError as error:
        file.report_oddity(FindingKind.UNKNOWN_CONDITIONS, str(error), element, owner)
        guard = ALWAYS
    return Association(
        id=attrs.get("id", ""),
        name=attrs.get("name", ""),
        label=attrs.get("label", ""),
        scope=attrs.get("scope") or Scope.PARENT,
        child_id=attrs.get("childId") or ANY,
        deep=read_flag(attrs, "includeChildSelections", False, element, file),
        include_child_forces=read_flag(attrs, "includeChildForces", False, element, file),
        least=least,
        most=int(read_number(attrs, "max", NO_LIMIT, element, file)),
        guard=guard,
    )


COMMON: ContainerParts = {
    "constraints": ContainerPart("constraints", _read_constraints),
    "comment": None,
    **MODIFIER_PARTS,
    **INFO_PARTS,
}
_CATEGORY_PARTS: ContainerParts = COMMON
COSTS = ContainerPart("costs", make_list_reader("cost", read_cost))
CATEGORY_LINKS = ContainerPart("categories", make_list_reader("categoryLink", read_category_link))

ENTRY_LISTS: ContainerParts = {
    "selectionEntries": ContainerPart("entries", make_list_reader("selectionEntry", read_entry)),
    "selectionEntryGroups": ContainerPart("entries", make_list_reader("selectionEntryGroup", read_group)),
    "entryLinks": ContainerPart("entries", make_list_reader("entryLink", read_entry_link)),
}
_ENTRY_PARTS: ContainerParts = {
    "costs": COSTS,
    "categoryLinks": CATEGORY_LINKS,
    "associations": ContainerPart("associations", make_list_reader("association", _read_association)),
    **ENTRY_LISTS,
    **COMMON,
}
