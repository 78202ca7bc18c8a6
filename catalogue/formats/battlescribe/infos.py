"""Profiles, rules, groups of them and links to shared ones."""

from catalogue.definitions.citations import NOWHERE, Citation
from catalogue.definitions.infos import Characteristic, Info, InfoKind
from catalogue.formats.battlescribe.attributes import Known, attributes, flag
from catalogue.formats.battlescribe.findings import Kind
from catalogue.formats.battlescribe.markup import Element
from catalogue.formats.battlescribe.modifiers import MODIFIER_PARTS, sorted_out
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

_INFO = "id name hidden publicationId page book"
_PROFILE = Known(f"{_INFO} typeId typeName profileTypeId profileTypeName", display="noindex")
_RULE = Known(_INFO)
_GROUP = Known(_INFO)
_LINK = Known(f"{_INFO} targetId type")
_CHARACTERISTIC = Known("name typeId characteristicTypeId value id", display="hidden")


def citation(attrs: Attributes, element: Element, file: SourceFile, owner: str) -> Citation:
    """The book and page an element names. Files before 2.02 give the book's name instead of an id."""
    publication, page = attrs.get("publicationId", ""), attrs.get("page", "")
    if publication:
        file.refer(Ref.PUBLICATION, publication, element, owner)
    else:
        publication = attrs.get("book", "")
    if not publication and not page:
        return NOWHERE
    key = ("citation", publication, page)
    made: Citation | None = file.memo.get(key)
    if made is None:
        made = file.memo.keep(key, Citation(publication_id=publication, page=page))
    return made


def profile(element: Element, file: SourceFile, owner: str) -> Info:
    """A `<profile>`. Files before 2.03 call the type by longer names."""
    attrs = attributes(element, _PROFILE, file, owner)
    ident = file.define(element, attrs, firm=False)
    type_id = attrs.get("typeId") or attrs.get("profileTypeId", "")
    file.refer(Ref.PROFILE_TYPE, type_id, element, owner)
    return Info(
        id=ident,
        kind=InfoKind.PROFILE,
        name=attrs.get("name", ""),
        hidden=flag(attrs, "hidden", False, element, file),
        type_id=type_id,
        type_name=attrs.get("typeName") or attrs.get("profileTypeName", ""),
        citation=citation(attrs, element, file, ident),
        **sorted_out(read_parts(element, _PROFILE_PARTS, file, ident), element, file),
    )


def characteristic(element: Element, file: SourceFile, owner: str) -> Characteristic:
    """A `<characteristic>`: its figure stands inside it, in old files in an attribute."""
    key = ("characteristic", element.text, *element.items())
    made: Characteristic | None = file.memo.get(key)
    if made is None:
        attrs = attributes(element, _CHARACTERISTIC, file, owner)
        made = Characteristic(
            type_id=attrs.get("typeId") or attrs.get("characteristicTypeId", ""),
            name=attrs.get("name", ""),
            value=element.text or attrs.get("value", ""),
        )
        file.memo.keep(key, made)
    return made


def attribute(element: Element, file: SourceFile, owner: str) -> Characteristic | None:
    """New Recruit's `<attribute>`, a characteristic without a column; a blank one is passed over."""
    if element.text:
        return characteristic(element, file, owner)
    file.note(Kind.DISPLAY_ONLY, "blank attribute", element)
    return None


def rule(element: Element, file: SourceFile, owner: str) -> Info:
    """A `<rule>`."""
    attrs = attributes(element, _RULE, file, owner)
    ident = file.define(element, attrs, firm=False)
    return Info(
        id=ident,
        kind=InfoKind.RULE,
        name=attrs.get("name", ""),
        hidden=flag(attrs, "hidden", False, element, file),
        description=_description(element),
        citation=citation(attrs, element, file, ident),
        **sorted_out(read_parts(element, _RULE_PARTS, file, ident), element, file),
    )


def info_group(element: Element, file: SourceFile, owner: str) -> Info:
    """An `<infoGroup>`."""
    attrs = attributes(element, _GROUP, file, owner)
    ident = file.define(element, attrs, firm=False)
    return Info(
        id=ident,
        kind=InfoKind.GROUP,
        name=attrs.get("name", ""),
        hidden=flag(attrs, "hidden", False, element, file),
        citation=citation(attrs, element, file, ident),
        **sorted_out(read_parts(element, _GROUP_PARTS, file, ident), element, file),
    )


def info_link(element: Element, file: SourceFile, owner: str) -> Info:
    """An `<infoLink>`."""
    attrs = attributes(element, _LINK, file, owner)
    ident = file.define(element, attrs, firm=False)
    target = attrs.get("targetId", "")
    file.refer(Ref.INFO, target, element, owner)
    return Info(
        id=ident,
        kind=InfoKind.LINK,
        name=attrs.get("name", ""),
        hidden=flag(attrs, "hidden", False, element, file),
        target_id=target,
        citation=citation(attrs, element, file, ident),
        **sorted_out(read_parts(element, _LINK_PARTS, file, ident), element, file),
    )


def _description(element: Element) -> str:
    for child in element:
        if local_name(child.tag) == "description":
            return child.text or ""
    return ""


def _attributes(container: Element, file: SourceFile, owner: str) -> list[Characteristic]:
    found = []
    for child in container:
        if local_name(child.tag) != "attribute":
            unknown_element(child, file, owner)
        elif (made := attribute(child, file, owner)) is not None:
            found.append(made)
    return found


_COMMON: Parts = {**MODIFIER_PARTS, "comment": None}
_PROFILE_PARTS: Parts = {
    "characteristics": Part("characteristics", each("characteristic", characteristic)),
    "attributes": Part("characteristics", _attributes),
    **_COMMON,
}
_RULE_PARTS: Parts = {"description": None, **_COMMON}
_LINK_PARTS: Parts = _COMMON

INFO_PARTS: Parts = {
    "profiles": Part("infos", each("profile", profile)),
    "rules": Part("infos", each("rule", rule)),
    "infoGroups": Part("infos", each("infoGroup", info_group)),
    "infoLinks": Part("infos", each("infoLink", info_link)),
}
_GROUP_PARTS: Parts = {**INFO_PARTS, **_COMMON}
