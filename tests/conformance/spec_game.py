"""Convert a spec's inline game to definitions, with the suite's defaults."""

from typing import Any

from catalogue.definitions.catalogues import Catalogue, CatalogueKind, CatalogueLink, DataSet
from catalogue.definitions.citations import Citation, Publication
from catalogue.definitions.constraints import Constraint
from catalogue.definitions.entries import (
    Category,
    CategoryLink,
    Cost,
    CostType,
    Entry,
    EntryKind,
    EntryType,
    ForceEntry,
)
from catalogue.definitions.infos import Characteristic, CharacteristicType, Info, InfoKind, ProfileType
from catalogue.definitions.numbers import Number, parse_number
from catalogue.definitions.queries import Bound, Change, Condition, Guard, Modifier, Operator, Query, Repeat
from tests.conformance.spec_yaml import is_true

Node = dict[str, Any]


def data_set(setup: Node, spec_id: str) -> DataSet:
    system = setup.get("gameSystem") or {}
    game = catalogue(system, CatalogueKind.GAME_SYSTEM, f"{spec_id}-gs")
    others = [
        catalogue(
            node, CatalogueKind.LIBRARY if is_true(node.get("library")) else CatalogueKind.FACTION, f"{spec_id}-{i}"
        )
        for i, node in enumerate(setup.get("catalogues") or ())
    ]
    return DataSet(catalogues=(game, *others))


def catalogue(node: Node, kind: CatalogueKind, default_id: str) -> Catalogue:
    return Catalogue(
        id=node.get("id", default_id),
        name=node.get("name", default_id),
        kind=kind,
        revision="1",
        publications=tuple(publication(n) for n in node.get("publications") or ()),
        cost_types=tuple(cost_type(n) for n in node.get("costTypes") or ()),
        profile_types=tuple(profile_type(n) for n in node.get("profileTypes") or ()),
        categories=tuple(category(n) for n in node.get("categoryEntries") or ()),
        forces=tuple(force_entry(n) for n in node.get("forceEntries") or ()),
        entries=entries(node),
        shared_entries=entries(node, "sharedSelectionEntries", "sharedSelectionEntryGroups", ""),
        infos=infos(node),
        shared_infos=infos(node, "sharedProfiles", "sharedRules", "sharedInfoGroups", ""),
        links=tuple(
            CatalogueLink(
                target_id=n["targetId"],
                name=n.get("name", ""),
                import_root_entries=is_true(n.get("importRootEntries", "true")),
            )
            for n in node.get("catalogueLinks") or ()
        ),
    )


def entries(
    node: Node,
    entry_key: str = "selectionEntries",
    group_key: str = "selectionEntryGroups",
    link_key: str = "entryLinks",
) -> tuple[Entry, ...]:
    return (
        *(entry(n, EntryKind.ENTRY) for n in node.get(entry_key) or ()),
        *(entry(n, EntryKind.GROUP) for n in node.get(group_key) or ()),
        *(entry(n, _link_kind(n)) for n in node.get(link_key) or ()),
    )


def _link_kind(node: Node) -> EntryKind:
    return EntryKind.GROUP_LINK if node.get("type") == "selectionEntryGroup" else EntryKind.ENTRY_LINK


def entry(node: Node, kind: EntryKind) -> Entry:
    typed = kind is EntryKind.ENTRY and "type" in node
    return Entry(
        id=node.get("id", ""),
        kind=kind,
        name=node.get("name", ""),
        type=EntryType(node["type"]) if typed else EntryType.UPGRADE,
        hidden=is_true(node.get("hidden")),
        collective=is_true(node.get("collective")),
        exported=is_true(node.get("import", "true")),
        target_id=node.get("targetId", ""),
        default_id=node.get("defaultSelectionEntryId", ""),
        costs=costs(node),
        constraints=constraints(node),
        modifiers=modifiers(node),
        categories=category_links(node),
        infos=infos(node),
        entries=entries(node),
        citation=citation(node),
    )


def force_entry(node: Node) -> ForceEntry:
    return ForceEntry(
        id=node["id"],
        name=node.get("name", node["id"]),
        hidden=is_true(node.get("hidden")),
        costs=costs(node),
        constraints=constraints(node),
        modifiers=modifiers(node),
        categories=category_links(node),
        infos=infos(node),
        forces=tuple(force_entry(n) for n in node.get("forceEntries") or ()),
        citation=citation(node),
    )


def category(node: Node) -> Category:
    return Category(
        id=node["id"],
        name=node.get("name", node["id"]),
        hidden=is_true(node.get("hidden")),
        constraints=constraints(node),
        modifiers=modifiers(node),
        infos=infos(node),
        citation=citation(node),
    )


def category_links(node: Node) -> tuple[CategoryLink, ...]:
    return tuple(
        CategoryLink(
            id=n.get("id", ""),
            target_id=n["targetId"],
            name=n.get("name", ""),
            primary=is_true(n.get("primary")),
            hidden=is_true(n.get("hidden")),
            constraints=constraints(n),
            modifiers=modifiers(n),
            infos=infos(n),
            citation=citation(n),
        )
        for n in node.get("categoryLinks") or ()
    )


def costs(node: Node) -> tuple[Cost, ...]:
    return tuple(
        Cost(type_id=n.get("typeId", ""), value=number(n.get("value")), name=n.get("name", ""))
        for n in node.get("costs") or ()
    )


def cost_type(node: Node) -> CostType:
    return CostType(
        id=node["id"],
        name=node.get("name", node["id"]),
        default_limit=number(node.get("defaultCostLimit", "-1")),
        hidden=is_true(node.get("hidden")),
    )


def publication(node: Node) -> Publication:
    return Publication(
        id=node["id"],
        name=node.get("name", ""),
        short_name=node.get("shortName", ""),
        publisher=node.get("publisher", ""),
        date=node.get("publicationDate", ""),
        url=node.get("publisherUrl", ""),
    )


def profile_type(node: Node) -> ProfileType:
    kinds = node.get("characteristicTypes") or ()
    return ProfileType(
        id=node["id"],
        name=node.get("name", ""),
        characteristic_types=tuple(CharacteristicType(id=n["id"], name=n.get("name", "")) for n in kinds),
    )


def infos(
    node: Node,
    profile_key: str = "profiles",
    rule_key: str = "rules",
    group_key: str = "infoGroups",
    link_key: str = "infoLinks",
) -> tuple[Info, ...]:
    return (
        *(info(n, InfoKind.PROFILE) for n in node.get(profile_key) or ()),
        *(info(n, InfoKind.RULE) for n in node.get(rule_key) or ()),
        *(info(n, InfoKind.GROUP) for n in node.get(group_key) or ()),
        *(info(n, InfoKind.LINK) for n in node.get(link_key) or ()),
    )


def info(node: Node, kind: InfoKind) -> Info:
    return Info(
        id=node.get("id", ""),
        kind=kind,
        name=node.get("name", ""),
        hidden=is_true(node.get("hidden")),
        type_id=node.get("typeId", ""),
        type_name=node.get("typeName", ""),
        characteristics=tuple(
            Characteristic(type_id=n.get("typeId", ""), name=n.get("name", ""), value=n.get("value") or "")
            for n in node.get("characteristics") or ()
        ),
        description=node.get("description", ""),
        infos=infos(node),
        target_id=node.get("targetId", ""),
        modifiers=modifiers(node),
        citation=citation(node),
    )


def citation(node: Node) -> Citation:
    return Citation(publication_id=node.get("publicationId", ""), page=node.get("page", ""))


def number(text: str | None) -> Number:
    return parse_number(text or "0")


def constraints(node: Node) -> tuple[Constraint, ...]:
    return tuple(
        Constraint(id=n.get("id", ""), bound=Bound(n["type"]), value=number(n.get("value")), query=query(n, "parent"))
        for n in node.get("constraints") or ()
    )


def query(node: Node, scope: str) -> Query:
    return Query(
        field=node.get("field", "selections"),
        scope=node.get("scope", scope),
        child_id=node.get("childId") or None,
        shared=is_true(node.get("shared")),
        deep=is_true(node.get("includeChildSelections")),
        include_child_forces=is_true(node.get("includeChildForces")),
        percent=is_true(node.get("percentValue")),
    )


def modifiers(node: Node) -> tuple[Modifier, ...]:
    return tuple(_modifiers(node, (), ()))


def _modifiers(node: Node, guards: tuple[Guard, ...], repeats: tuple[tuple[Repeat, ...], ...]) -> list[Modifier]:
    found = []
    for n in node.get("modifiers") or ():
        own_guards, own_repeats = _level(n, guards, repeats)
        found.append(
            Modifier(
                change=Change(n["type"]),
                field=n["field"],
                value=n.get("value", ""),
                guard=Guard(guards=own_guards),
                repeats=own_repeats,
            )
        )
    for n in node.get("modifierGroups") or ():
        found += _modifiers(n, *_level(n, guards, repeats))
    return found


def _level(
    node: Node, guards: tuple[Guard, ...], repeats: tuple[tuple[Repeat, ...], ...]
) -> tuple[tuple[Guard, ...], tuple[tuple[Repeat, ...], ...]]:
    here, level = guard(node), tuple(repeat(n) for n in node.get("repeats") or ())
    return (*guards, here) if here else guards, (*repeats, level) if level else repeats


def guard(node: Node) -> Guard:
    return Guard(
        any_of=node.get("type") == "or",
        conditions=tuple(condition(n) for n in node.get("conditions") or ()),
        guards=tuple(guard(n) for n in node.get("conditionGroups") or ()),
    )


def condition(node: Node) -> Condition:
    return Condition(operator=Operator(node["type"]), query=query(node, "self"), value=number(node.get("value")))


def repeat(node: Node) -> Repeat:
    return Repeat(
        query=query(node, "self"),
        value=number(node.get("value", "1")),
        times=int(node.get("repeats", "1")),
        round_up=is_true(node.get("roundUp")),
    )
