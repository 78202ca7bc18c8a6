"""A whole data file: `<gameSystem>` or `<catalogue>`."""

from catalogue.definitions.catalogues import Catalogue, CatalogueKind, CatalogueLink
from catalogue.definitions.citations import Publication
from catalogue.definitions.entries import NO_LIMIT, CostType
from catalogue.definitions.infos import CharacteristicType, ProfileType
from catalogue.formats.battlescribe.attributes import Known, attributes, flag, number
from catalogue.formats.battlescribe.entries import ENTRY_LISTS, category, entry, group
from catalogue.formats.battlescribe.errors import ReadError
from catalogue.formats.battlescribe.findings import Kind
from catalogue.formats.battlescribe.forces import FORCE_LISTS, SHARED_FORCES
from catalogue.formats.battlescribe.infos import INFO_PARTS, info_group, profile, rule
from catalogue.formats.battlescribe.markup import Element
from catalogue.formats.battlescribe.source import (
    Part,
    Parts,
    Ref,
    SourceFile,
    each,
    local_name,
    read_parts,
)

_ABOUT = "id name book revision battleScribeVersion authorName authorContact authorUrl type xmlns"
_GAME_SYSTEM = Known(_ABOUT)
_CATALOGUE = Known(f"{_ABOUT} library gameSystemId gameSystemRevision")
_PUBLICATION = Known("id name shortName publisher publicationDate publisherUrl", display="hidden")
_COST_TYPE = Known("id name defaultCostLimit hidden")
_PROFILE_TYPE = Known("id name", display="hidden sortIndex kind")
_CHARACTERISTIC_TYPE = Known("id name", display="hidden kind")
_CATALOGUE_LINK = Known("id name targetId type importRootEntries")


def catalogue(root: Element, file: SourceFile) -> Catalogue:
    """The definitions of a file, without its findings.

    Raises ReadError where the file is something else than a game system or a catalogue.
    """
    kind = local_name(root.tag)
    if kind not in ("gameSystem", "catalogue"):
        raise _wrong_root(kind, file)
    attrs = attributes(root, _GAME_SYSTEM if kind == "gameSystem" else _CATALOGUE, file, "")
    ident = file.define(root, attrs)
    return Catalogue(
        id=ident,
        name=attrs.get("name", ""),
        kind=_kind(root, kind, file),
        revision=attrs.get("revision", ""),
        **read_parts(root, _PARTS, file, ""),
    )


def _kind(root: Element, kind: str, file: SourceFile) -> CatalogueKind:
    if kind == "gameSystem":
        return CatalogueKind.GAME_SYSTEM
    library = flag(dict(root.items()), "library", False, root, file)
    return CatalogueKind.LIBRARY if library else CatalogueKind.FACTION


def _wrong_root(kind: str, file: SourceFile) -> ReadError:
    roster = kind == "roster"
    return ReadError(
        "wrong-root",
        "The file is a roster, not data."
        if roster
        else f"The file starts with <{kind}>, which is no game data.",
        mend="Import it as a roster." if roster else "It should start with <gameSystem> or <catalogue>.",
        file=file.name,
        line=1,
    )


def _publication(element: Element, file: SourceFile, owner: str) -> Publication:
    attrs = attributes(element, _PUBLICATION, file, owner)
    return Publication(
        id=file.define(element, attrs, firm=False),
        name=attrs.get("name", ""),
        short_name=attrs.get("shortName", ""),
        publisher=attrs.get("publisher", ""),
        date=attrs.get("publicationDate", ""),
        url=attrs.get("publisherUrl", ""),
    )


def _cost_type(element: Element, file: SourceFile, owner: str) -> CostType:
    attrs = attributes(element, _COST_TYPE, file, owner)
    for child in element:
        if local_name(child.tag) != "comment":
            file.note(Kind.DISPLAY_ONLY, f"costType {local_name(child.tag)}", child)
    return CostType(
        id=file.define(element, attrs),
        name=attrs.get("name", ""),
        default_limit=number(attrs, "defaultCostLimit", NO_LIMIT, element, file),
        hidden=flag(attrs, "hidden", False, element, file),
    )


def _profile_type(element: Element, file: SourceFile, owner: str) -> ProfileType:
    attrs = attributes(element, _PROFILE_TYPE, file, owner)
    ident = file.define(element, attrs, firm=False)
    return ProfileType(
        id=ident, name=attrs.get("name", ""), **read_parts(element, _PROFILE_TYPE_PARTS, file, ident)
    )


def _characteristic_type(element: Element, file: SourceFile, owner: str) -> CharacteristicType:
    attrs = attributes(element, _CHARACTERISTIC_TYPE, file, owner)
    ident = attrs.get("id", "")
    file.known.add(ident)
    return CharacteristicType(id=ident, name=attrs.get("name", ""))


def _catalogue_link(element: Element, file: SourceFile, owner: str) -> CatalogueLink:
    attrs = attributes(element, _CATALOGUE_LINK, file, owner)
    target = attrs.get("targetId", "")
    file.refer(Ref.CATALOGUE, target, element, "")
    return CatalogueLink(
        target_id=target,
        name=attrs.get("name", ""),
        import_root_entries=flag(attrs, "importRootEntries", False, element, file),
    )


_PROFILE_TYPE_PARTS: Parts = {
    "characteristicTypes": Part("characteristic_types", each("characteristicType", _characteristic_type)),
    "attributeTypes": Part("characteristic_types", each("attributeType", _characteristic_type)),
    "comment": None,
}
_PARTS: Parts = {
    "publications": Part("publications", each("publication", _publication)),
    "costTypes": Part("cost_types", each("costType", _cost_type)),
    "profileTypes": Part("profile_types", each("profileType", _profile_type)),
    "categoryEntries": Part("categories", each("categoryEntry", category)),
    **FORCE_LISTS,
    **SHARED_FORCES,
    "catalogueLinks": Part("links", each("catalogueLink", _catalogue_link)),
    "sharedSelectionEntries": Part("shared_entries", each("selectionEntry", entry)),
    "sharedSelectionEntryGroups": Part("shared_entries", each("selectionEntryGroup", group)),
    "sharedProfiles": Part("shared_infos", each("profile", profile)),
    "sharedRules": Part("shared_infos", each("rule", rule)),
    "sharedInfoGroups": Part("shared_infos", each("infoGroup", info_group)),
    **ENTRY_LISTS,
    **INFO_PARTS,
    "readme": None,
    "comment": None,
}
