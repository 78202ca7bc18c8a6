"""Read force entries, and New Recruit's links to them."""

from typing import Any

import msgspec

from catalogue.definitions.entries import ForceEntry
from catalogue.definitions.queries import Field, Scope
from catalogue.formats.battlescribe.attributes import KnownAttributes, read_attributes, read_flag
from catalogue.formats.battlescribe.entries import CATEGORY_LINKS, COMMON, CONTAINER, COSTS, SHOWN, read_whole_number
from catalogue.formats.battlescribe.infos import read_citation
from catalogue.formats.battlescribe.modifiers import REACHES, read_inside
from catalogue.formats.battlescribe.source_file import (
    Attributes,
    ContainerPart,
    ContainerParts,
    SourceFile,
    make_list_reader,
)
from catalogue.formats.battlescribe.xml_parser import Element

_PLACED = f"{CONTAINER} sortIndex childForcesLabel"
_FORCE = KnownAttributes(_PLACED, display=f"{SHOWN} collapsible flatten exportable")
_FORCE_LINK = KnownAttributes(f"{_PLACED} targetId type", display=f"{SHOWN} collapsible flatten exportable import")


def read_force(element: Element, file: SourceFile, owner: str) -> ForceEntry:
    attrs = read_attributes(element, _FORCE, file, owner)
    return _build_force(file.register_definition(element, attrs), attrs, element, file)


def read_force_link(element: Element, file: SourceFile, owner: str) -> ForceEntry:
    """Read a `<forceEntryLink>`, without its target."""
    attrs = read_attributes(element, _FORCE_LINK, file, owner)
    ident = file.register_definition(element, attrs, firm=False)
    file.force_links[ident] = (attrs.get("targetId", ""), element.sourceline)
    return _build_force(ident, attrs, element, file)


def _build_force(ident: str, attrs: Attributes, element: Element, file: SourceFile) -> ForceEntry:
    parts = read_inside(element, _FORCE_PARTS, file, ident, REACHES)
    constraints = []
    for constraint in parts.get("constraints", ()):
        query = constraint.query
        # Current data writes "one of these in the roster" as a count of selections and means the force.
        is_own = query.child_id is None and query.field == Field.SELECTIONS and not query.percent
        if is_own and query.scope in (Scope.ROSTER, Scope.PARENT):
            query = msgspec.structs.replace(query, field=Field.FORCES)
            constraint = msgspec.structs.replace(constraint, query=query)
        constraints.append(constraint)
    parts["constraints"] = tuple(constraints)
    return ForceEntry(
        id=ident,
        name=attrs.get("name", ""),
        hidden=read_flag(attrs, "hidden", False, element, file),
        sort_index=read_whole_number(attrs, "sortIndex", element, file) if "sortIndex" in attrs else 0,
        inner_label=attrs.get("childForcesLabel", ""),
        citation=read_citation(attrs, element, file, ident),
        **parts,
    )


def _keep_shared_forces(container: Element, file: SourceFile, owner: str) -> list[Any]:
    """Keep shared forces out of the catalogue, because only links use them."""
    file.shared_forces += make_list_reader("forceEntry", read_force)(container, file, owner)
    return []


FORCE_LISTS: ContainerParts = {
    "forceEntries": ContainerPart("forces", make_list_reader("forceEntry", read_force)),
    "forceEntryLinks": ContainerPart("forces", make_list_reader("forceEntryLink", read_force_link)),
}
SHARED_FORCES: ContainerParts = {"sharedForceEntries": ContainerPart("forces", _keep_shared_forces)}

_FORCE_PARTS: ContainerParts = {
    "costs": COSTS,
    "categoryLinks": CATEGORY_LINKS,
    "readme": None,
    **FORCE_LISTS,
    **COMMON,
}
