"""Write a roster's report in the suite's words."""

from collections.abc import Iterable, Iterator
from typing import Any

from catalogue.definitions.entries import Entry
from catalogue.graph.ruleset import Ruleset
from roster.engine.evaluation import Evaluation
from roster.engine.offers import list_offers
from roster.engine.report import (
    CostTotal,
    EffectiveCategory,
    EffectiveForce,
    EffectiveProfile,
    EffectiveRule,
    EffectiveSelection,
    PlaceKind,
    Report,
    Violation,
)
from roster.engine.tree import RosterTree, find_path

Shown = dict[str, Any]


def show_roster(ruleset: Ruleset, roster: RosterTree, report: Report) -> Shown:
    game = ruleset.binding.game_system
    costs = [cost for cost in report.costs if cost.type_id in roster.cost_types]
    names = {t.id: t.name for t in ruleset.binding.cost_types.values()}
    limits = [{"typeId": li.type_id, "name": names.get(li.type_id, ""), "value": li.value} for li in roster.limits]
    return {
        "name": roster.name,
        "gameSystemId": game.id if game else "",
        "gameSystemName": game.name if game else "",
        "costs": [_cost(cost) for cost in costs],
        "costCount": len(costs),
        "costLimits": limits,
        "costLimitCount": len(limits),
        "forces": [_force(ruleset, roster, force) for force in report.forces],
        "forceCount": len(report.forces),
    }


def _cost(cost: CostTotal) -> Shown:
    return {"typeId": cost.type_id, "name": cost.name, "value": cost.value, "hidden": cost.hidden}


def _force(ruleset: Ruleset, roster: RosterTree, force: EffectiveForce) -> Shown:
    book = ruleset.find_catalogue(force.catalogue_id)
    publications = [p for c in (book.closure if book else ()) for p in c.publications]
    on_offer = [option for option in list_offers(Evaluation(ruleset, roster), force.id).options if not option.hidden]
    return {
        **_common(ruleset, force),
        "entryId": force.entry_id,
        "catalogueId": force.catalogue_id,
        "catalogueName": force.catalogue_name,
        "selections": [_selection(ruleset, s) for s in force.selections],
        "selectionCount": len(force.selections),
        "childForces": [_force(ruleset, roster, inner) for inner in force.forces],
        "childForceCount": len(force.forces),
        "costs": [_cost(cost) for cost in force.totals],
        "categories": [_category(c) for c in force.categories],
        "categoryCount": len(force.categories),
        "publications": [{"id": p.id, "name": p.name, "shortName": p.short_name} for p in publications],
        "availableEntryCount": len(on_offer),
    }


def _common(ruleset: Ruleset, thing: EffectiveForce | EffectiveSelection) -> Shown:
    return {
        "name": thing.name,
        "hidden": thing.hidden,
        "customName": thing.custom_name,
        "customNotes": thing.notes,
        "profiles": [_profile(p) for p in thing.profiles],
        "rules": [_rule(r) for r in thing.rules],
        "page": thing.citation.page,
        "publicationId": thing.citation.publication_id,
        "publicationName": _publication_name(ruleset, thing.citation.publication_id),
    }


def _publication_name(ruleset: Ruleset, publication_id: str) -> str:
    publication = ruleset.binding.publications.get(publication_id)
    return publication.name if publication else ""


def _selection(ruleset: Ruleset, selection: EffectiveSelection) -> Shown:
    return {
        **_common(ruleset, selection),
        "entryId": selection.entry_id,
        "entryGroupId": selection.group_id,
        "type": selection.type,
        "number": selection.number,
        "costs": [_cost(cost) for cost in selection.costs],
        "costCount": len(selection.costs),
        "categories": [_category(c) for c in selection.categories],
        "categoryCount": len(selection.categories),
        "children": [_selection(ruleset, s) for s in selection.selections],
        "childCount": len(selection.selections),
    }


def _category(category: EffectiveCategory) -> Shown:
    return {
        "entryId": category.id,
        "name": category.name,
        "primary": category.primary,
        "hidden": category.hidden,
        "customName": category.custom_name,
        "customNotes": category.notes,
        "profiles": [_profile(p) for p in category.profiles],
        "rules": [_rule(r) for r in category.rules],
        "page": category.citation.page,
        "publicationId": category.citation.publication_id,
    }


def _profile(profile: EffectiveProfile) -> Shown:
    return {
        "name": profile.name,
        "hidden": False,
        "typeId": profile.type_id,
        "typeName": profile.type_name,
        "characteristics": [{"name": c.name, "typeId": c.type_id, "value": c.value} for c in profile.characteristics],
        "page": profile.citation.page,
        "publicationId": profile.citation.publication_id,
    }


def _rule(rule: EffectiveRule) -> Shown:
    return {
        "name": rule.name,
        "hidden": False,
        "description": rule.description,
        "page": rule.citation.page,
        "publicationId": rule.citation.publication_id,
    }


# ---- errors ------------------------------------------------------------------------------------------------------


def show_error(ruleset: Ruleset, roster: RosterTree, violation: Violation) -> tuple[set[str], set[str]]:
    """Return the names that the suite may use for the places of a violation: on and from."""
    kind, place = violation.on.kind, violation.on
    ids = {place.entry_id, place.id, *(getattr(node, "entry_id", "") for node in find_path(roster, place.id)[-1:])}
    on = {kind.value} if kind in (PlaceKind.ROSTER, PlaceKind.FORCE) else set()
    return on | {f"{kind.value} {own}" for own in ids if own}, {_source(ruleset, violation)}


def _source(ruleset: Ruleset, violation: Violation) -> str:
    """Return owner and constraint. The suite blames a link's target if both have a constraint of that type."""
    for catalogue in ruleset.binding.catalogues:
        for link in _below((*catalogue.entries, *catalogue.shared_entries)):
            if not link.is_link or link.id != violation.owner_id:
                continue
            broken = next((c for c in link.constraints if c.id == violation.constraint_id), None)
            found = ruleset.binding.find_entry(link.target_id, catalogue)
            like = [c for c in found.entry.constraints if broken and c.bound is broken.bound] if found else []
            if found and like:
                return f"{found.entry.id}/{like[0].id}"
    return f"{violation.owner_id}/{violation.constraint_id}"


def _below(entries: Iterable[Entry]) -> Iterator[Entry]:
    for entry in entries:
        yield entry
        yield from _below(entry.entries)
