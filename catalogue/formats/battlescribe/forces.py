"""Kinds of force, and New Recruit's links to them."""

from typing import Any

from catalogue.definitions.entries import ForceEntry
from catalogue.formats.battlescribe.attributes import Known, attributes, flag
from catalogue.formats.battlescribe.entries import CATEGORY_LINKS, COMMON, CONTAINER, COSTS, SHOWN
from catalogue.formats.battlescribe.infos import citation
from catalogue.formats.battlescribe.markup import Element
from catalogue.formats.battlescribe.modifiers import sorted_out
from catalogue.formats.battlescribe.source import Attributes, Part, Parts, SourceFile, each, read_parts

_FORCE = Known(CONTAINER, display=f"{SHOWN} sortIndex childForcesLabel")
_FORCE_LINK = Known(f"{CONTAINER} targetId type", display=f"{SHOWN} sortIndex childForcesLabel import")


def force(element: Element, file: SourceFile, owner: str) -> ForceEntry:
    """A `<forceEntry>` with the forces inside it."""
    attrs = attributes(element, _FORCE, file, owner)
    return _force(file.define(element, attrs), attrs, element, file)


def force_link(element: Element, file: SourceFile, owner: str) -> ForceEntry:
    """A `<forceEntryLink>`: what it adds to its target, which is looked for when all files are read."""
    attrs = attributes(element, _FORCE_LINK, file, owner)
    ident = file.define(element, attrs, firm=False)
    file.force_links[ident] = (attrs.get("targetId", ""), element.sourceline)
    return _force(ident, attrs, element, file)


def _force(ident: str, attrs: Attributes, element: Element, file: SourceFile) -> ForceEntry:
    return ForceEntry(
        id=ident,
        name=attrs.get("name", ""),
        hidden=flag(attrs, "hidden", False, element, file),
        citation=citation(attrs, element, file, ident),
        **sorted_out(read_parts(element, _FORCE_PARTS, file, ident), element, file),
    )


def _shared(container: Element, file: SourceFile, owner: str) -> list[Any]:
    """Forces that are only linked to."""
    file.shared_forces += each("forceEntry", force)(container, file, owner)
    return []


FORCE_LISTS: Parts = {
    "forceEntries": Part("forces", each("forceEntry", force)),
    "forceEntryLinks": Part("forces", each("forceEntryLink", force_link)),
}
SHARED_FORCES: Parts = {"sharedForceEntries": Part("forces", _shared)}

_FORCE_PARTS: Parts = {
    "costs": COSTS,
    "categoryLinks": CATEGORY_LINKS,
    "readme": None,
    **FORCE_LISTS,
    **COMMON,
}
