"""Read profiles, rules, info groups and links to them."""

from catalogue.definitions.citations import NOWHERE, Citation
from catalogue.definitions.infos import Characteristic, Info, InfoKind
from catalogue.formats.battlescribe.attributes import KnownAttributes, read_attributes, read_flag
from catalogue.formats.battlescribe.findings import FindingKind
from catalogue.formats.battlescribe.modifiers import MODIFIER_PARTS, read_inside
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

_INFO = "id name hidden publicationId page book"
_PROFILE = KnownAttributes(f"{_INFO} typeId typeName profileTypeId profileTypeName", only_shown=True)
_RULE = KnownAttributes(_INFO, only_shown=True)
_GROUP = KnownAttributes(_INFO, only_shown=True)
_LINK = KnownAttributes(f"{_INFO} targetId type", only_shown=True)
_CHARACTERISTIC = KnownAttributes("name typeId characteristicTypeId value id", only_shown=True)

# Enum lookups take ten times as long, and there are tens of thousands of infos.
_PROFILE_KIND, _LINK_KIND = InfoKind.PROFILE, InfoKind.LINK
_TO_INFO, _TO_PUBLICATION, _TO_PROFILE_TYPE = ReferenceKind.INFO, ReferenceKind.PUBLICATION, ReferenceKind.PROFILE_TYPE


def read_citation(attrs: Attributes, element: Element, file: SourceFile, owner: str) -> Citation:
    """Return book and page. Before 2.02, files name the book instead of an id."""
    publication, page = attrs.get("publicationId", ""), attrs.get("page", "")
    if publication:
        file.register_reference(_TO_PUBLICATION, publication, element, owner)
    else:
        publication = attrs.get("book", "")
    if not publication and not page:
        return NOWHERE
    key = ("citation", publication, page)
    citation: Citation | None = file.memo.get(key)
    if citation is None:
        citation = file.memo[key] = Citation(publication_id=publication, page=page)
    return citation


def read_profile(element: Element, file: SourceFile, owner: str) -> Info:
    """Read a `<profile>`. Before 2.03, its attributes have longer names."""
    attrs = read_attributes(element, _PROFILE, file, owner)
    ident = file.register_definition(element, attrs, firm=False)
    type_id = attrs.get("typeId") or attrs.get("profileTypeId", "")
    file.register_reference(_TO_PROFILE_TYPE, type_id, element, owner)
    return Info(
        id=ident,
        kind=_PROFILE_KIND,
        name=attrs.get("name", ""),
        hidden=read_flag(attrs, "hidden", False, element, file),
        type_id=type_id,
        type_name=attrs.get("typeName") or attrs.get("profileTypeName", ""),
        citation=read_citation(attrs, element, file, ident),
        **read_inside(element, _PROFILE_PARTS, file, ident),
    )


def read_characteristic(element: Element, file: SourceFile, owner: str) -> Characteristic:
    """Read a `<characteristic>`. In old files an attribute has its value."""
    key = ("characteristic", element.text, *element.items())
    characteristic: Characteristic | None = file.memo.get(key)
    if characteristic is None:
        attrs = read_attributes(element, _CHARACTERISTIC, file, owner)
        characteristic = Characteristic(
            type_id=attrs.get("typeId") or attrs.get("characteristicTypeId", ""),
            name=attrs.get("name", ""),
            value=element.text or attrs.get("value", ""),
        )
        file.memo[key] = characteristic
    return characteristic


def read_attribute(element: Element, file: SourceFile, owner: str) -> Characteristic | None:
    """Read New Recruit's `<attribute>`, a characteristic without a column. Report a blank one."""
    if element.text:
        return read_characteristic(element, file, owner)
    file.report_oddity(FindingKind.DISPLAY_ONLY, "blank attribute", element)
    return None


def read_rule(element: Element, file: SourceFile, owner: str) -> Info:
    attrs = read_attributes(element, _RULE, file, owner)
    ident = file.register_definition(element, attrs, firm=False)
    descriptions = [child.text or "" for child in element if local_name(child.tag) == "description"]
    return Info(
        id=ident,
        kind=InfoKind.RULE,
        name=attrs.get("name", ""),
        hidden=read_flag(attrs, "hidden", False, element, file),
        description=descriptions[0] if descriptions else "",
        citation=read_citation(attrs, element, file, ident),
        **read_inside(element, _RULE_PARTS, file, ident),
    )


def read_info_group(element: Element, file: SourceFile, owner: str) -> Info:
    attrs = read_attributes(element, _GROUP, file, owner)
    ident = file.register_definition(element, attrs, firm=False)
    return Info(
        id=ident,
        kind=InfoKind.GROUP,
        name=attrs.get("name", ""),
        hidden=read_flag(attrs, "hidden", False, element, file),
        citation=read_citation(attrs, element, file, ident),
        **read_inside(element, _GROUP_PARTS, file, ident),
    )


def read_info_link(element: Element, file: SourceFile, owner: str) -> Info:
    attrs = read_attributes(element, _LINK, file, owner)
    ident = file.register_definition(element, attrs, firm=False)
    target = attrs.get("targetId", "")
    file.register_reference(_TO_INFO, target, element, owner)
    return Info(
        id=ident,
        kind=_LINK_KIND,
        name=attrs.get("name", ""),
        hidden=read_flag(attrs, "hidden", False, element, file),
        target_id=target,
        citation=read_citation(attrs, element, file, ident),
        **read_inside(element, _LINK_PARTS, file, ident),
    )


def _read_attribute_list(container: Element, file: SourceFile, owner: str) -> list[Characteristic]:
    characteristics = []
    for child in container:
        if local_name(child.tag) != "attribute":
            report_unknown_element(child, file, owner)
        elif (characteristic := read_attribute(child, file, owner)) is not None:
            characteristics.append(characteristic)
    return characteristics


_COMMON: ContainerParts = {**MODIFIER_PARTS, "comment": None}
_PROFILE_PARTS: ContainerParts = {
    "characteristics": ContainerPart("characteristics", make_list_reader("characteristic", read_characteristic)),
    "attributes": ContainerPart("characteristics", _read_attribute_list),
    **_COMMON,
}
_RULE_PARTS: ContainerParts = {"description": None, **_COMMON}
_LINK_PARTS: ContainerParts = _COMMON

INFO_PARTS: ContainerParts = {
    "profiles": ContainerPart("infos", make_list_reader("profile", read_profile)),
    "rules": ContainerPart("infos", make_list_reader("rule", read_rule)),
    "infoGroups": ContainerPart("infos", make_list_reader("infoGroup", read_info_group)),
    "infoLinks": ContainerPart("infos", make_list_reader("infoLink", read_info_link)),
}
_GROUP_PARTS: ContainerParts = {**INFO_PARTS, **_COMMON}
