"""Read a whole `<gameSystem>` or `<catalogue>`."""

from catalogue.definitions.catalogues import Catalogue, CatalogueKind, CatalogueLink
from catalogue.definitions.citations import Publication
from catalogue.definitions.entries import NO_LIMIT, CostType
from catalogue.definitions.infos import CharacteristicType, FormatRule, ProfileType
from catalogue.definitions.queries import Effect, Modifier
from catalogue.formats.battlescribe.attributes import KnownAttributes, read_attributes, read_flag, read_number
from catalogue.formats.battlescribe.entries import ENTRY_LISTS, read_category, read_entry, read_group
from catalogue.formats.battlescribe.errors import ReadError
from catalogue.formats.battlescribe.forces import FORCE_LISTS, SHARED_FORCES
from catalogue.formats.battlescribe.infos import INFO_PARTS, read_info_group, read_profile, read_rule
from catalogue.formats.battlescribe.modifiers import CHANGES, MODIFIER_PARTS
from catalogue.formats.battlescribe.source_file import (
    ContainerPart,
    ContainerParts,
    ReferenceKind,
    SourceFile,
    local_name,
    make_list_reader,
    read_parts,
)
from catalogue.formats.battlescribe.xml_parser import Element

_ABOUT = "id name book revision battleScribeVersion authorName authorContact authorUrl type xmlns"
_GAME_SYSTEM = KnownAttributes(_ABOUT, only_shown=True)
_CATALOGUE = KnownAttributes(f"{_ABOUT} library gameSystemId gameSystemRevision", only_shown=True)
_PUBLICATION = KnownAttributes("id name shortName publisher publicationDate publisherUrl", only_shown=True)
_COST_TYPE = KnownAttributes("id name defaultCostLimit hidden")
_PROFILE_TYPE = KnownAttributes("id name", only_shown=True)
_CHARACTERISTIC_TYPE = KnownAttributes("id name defaultValue", only_shown=True)
_FORMAT_RULE = KnownAttributes("id name type match replace hidden", only_shown=True)
_CATALOGUE_LINK = KnownAttributes("id name targetId type importRootEntries")


def read_catalogue(root: Element, file: SourceFile) -> Catalogue:
    """Raise ReadError if the file is not game data."""
    tag = local_name(root.tag)
    if tag not in ("gameSystem", "catalogue"):
        is_roster = tag == "roster"
        raise ReadError(
            "wrong-root",
            "The file is a roster, not data."
            if is_roster
            else f"The file starts with <{tag}>, which is not game data.",
            mend="Import it as a roster." if is_roster else "It should start with <gameSystem> or <catalogue>.",
            file=file.name,
            line=1,
        )
    attrs = read_attributes(root, _GAME_SYSTEM if tag == "gameSystem" else _CATALOGUE, file, "")
    ident = file.register_definition(root, attrs)
    if tag == "gameSystem":
        file.system_id, kind = ident, CatalogueKind.GAME_SYSTEM
    else:
        file.system_id, kind = attrs.get("gameSystemId", ""), CatalogueKind.FACTION
        if read_flag(attrs, "library", False, root, file):
            kind = CatalogueKind.LIBRARY
    return Catalogue(
        id=ident,
        name=attrs.get("name", "").strip(),
        kind=kind,
        revision=attrs.get("revision", ""),
        **read_parts(root, _PARTS, file, ""),
    )


def _read_publication(element: Element, file: SourceFile, owner: str) -> Publication:
    attrs = read_attributes(element, _PUBLICATION, file, owner)
    return Publication(
        id=file.register_definition(element, attrs, firm=False),
        name=attrs.get("name", ""),
        short_name=attrs.get("shortName", ""),
        publisher=attrs.get("publisher", ""),
        date=attrs.get("publicationDate", ""),
        url=attrs.get("publisherUrl", ""),
    )


def _read_cost_type(element: Element, file: SourceFile, owner: str) -> CostType:
    attrs = read_attributes(element, _COST_TYPE, file, owner)
    ident = file.register_definition(element, attrs)
    parts = read_parts(element, _COST_TYPE_PARTS, file, ident)
    # A cost type exists once, so the reach of an effect makes no difference.
    changes = [change.modifier if isinstance(change, Effect) else change for change in parts.get(CHANGES, ())]
    return CostType(
        id=ident,
        name=attrs.get("name", ""),
        default_limit=read_number(attrs, "defaultCostLimit", NO_LIMIT, element, file),
        hidden=read_flag(attrs, "hidden", False, element, file),
        modifiers=tuple(change for change in changes if isinstance(change, Modifier)),
    )


def _read_profile_type(element: Element, file: SourceFile, owner: str) -> ProfileType:
    attrs = read_attributes(element, _PROFILE_TYPE, file, owner)
    ident = file.register_definition(element, attrs, firm=False)
    return ProfileType(id=ident, name=attrs.get("name", ""), **read_parts(element, _PROFILE_TYPE_PARTS, file, ident))


def _read_characteristic_type(element: Element, file: SourceFile, owner: str) -> CharacteristicType:
    attrs = read_attributes(element, _CHARACTERISTIC_TYPE, file, owner)
    ident = attrs.get("id", "")
    file.other_ids.add(ident)
    return CharacteristicType(
        id=ident,
        name=attrs.get("name", ""),
        default=attrs.get("defaultValue", ""),
        **read_parts(element, _CHARACTERISTIC_TYPE_PARTS, file, ident),
    )


def _read_format_rule(element: Element, file: SourceFile, owner: str) -> FormatRule:
    attrs = read_attributes(element, _FORMAT_RULE, file, owner)
    return FormatRule(match=attrs.get("match", ""), replacement=attrs.get("replace", ""))


def _read_catalogue_link(element: Element, file: SourceFile, owner: str) -> CatalogueLink:
    attrs = read_attributes(element, _CATALOGUE_LINK, file, owner)
    target = attrs.get("targetId", "")
    file.register_reference(ReferenceKind.CATALOGUE, target, element, "")
    return CatalogueLink(
        target_id=target,
        name=attrs.get("name", ""),
        import_root_entries=read_flag(attrs, "importRootEntries", False, element, file),
    )


_COST_TYPE_PARTS: ContainerParts = {**MODIFIER_PARTS, "comment": None}
_CHARACTERISTIC_TYPE_PARTS: ContainerParts = {
    "formatRules": ContainerPart("formats", make_list_reader("formatRule", _read_format_rule)),
    "comment": None,
}
_PROFILE_TYPE_PARTS: ContainerParts = {
    "characteristicTypes": ContainerPart(
        "characteristic_types", make_list_reader("characteristicType", _read_characteristic_type)
    ),
    "attributeTypes": ContainerPart(
        "characteristic_types", make_list_reader("attributeType", _read_characteristic_type)
    ),
    "comment": None,
}
_PARTS: ContainerParts = {
    "publications": ContainerPart("publications", make_list_reader("publication", _read_publication)),
    "costTypes": ContainerPart("cost_types", make_list_reader("costType", _read_cost_type)),
    "profileTypes": ContainerPart("profile_types", make_list_reader("profileType", _read_profile_type)),
    "categoryEntries": ContainerPart("categories", make_list_reader("categoryEntry", read_category)),
    **FORCE_LISTS,
    **SHARED_FORCES,
    "catalogueLinks": ContainerPart("links", make_list_reader("catalogueLink", _read_catalogue_link)),
    "sharedSelectionEntries": ContainerPart("shared_entries", make_list_reader("selectionEntry", read_entry)),
    "sharedSelectionEntryGroups": ContainerPart("shared_entries", make_list_reader("selectionEntryGroup", read_group)),
    "sharedProfiles": ContainerPart("shared_infos", make_list_reader("profile", read_profile)),
    "sharedRules": ContainerPart("shared_infos", make_list_reader("rule", read_rule)),
    "sharedInfoGroups": ContainerPart("shared_infos", make_list_reader("infoGroup", read_info_group)),
    **ENTRY_LISTS,
    **INFO_PARTS,
    "readme": None,
    "comment": None,
}
