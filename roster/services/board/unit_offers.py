"""What can still be added: detachments to the list, units to a detachment."""

from collections.abc import Collection, Iterable, Iterator

from catalogue.definitions.entries import ForceEntry
from catalogue.graph.ruleset import Ruleset
from roster.engine.effective_tree import UNCATEGORISED_ID
from roster.engine.offers import OfferedOption, find_barred_forces, list_offered_forces, list_offers
from roster.engine.report import CostTotal, EffectiveForce, Violation
from roster.services.board.shapes import ForceOffer, OfferCategory, SlotCounter, UnitOffer
from roster.services.evaluation import EvaluatedList, get_cost_value


def offer_forces(judged: EvaluatedList, faction_id: str) -> tuple[ForceOffer, ...]:
    """Return the kinds of force at the top of a list of this faction, with what blocks one more."""
    catalogue = judged.ruleset.find_catalogue(faction_id)
    return _build_force_offers(judged, catalogue.force_entries, faction_id) if catalogue else ()


def offer_inner_forces(judged: EvaluatedList, force: EffectiveForce) -> tuple[ForceOffer, ...]:
    """Return the kinds of force that a force may hold, with what blocks one more."""
    catalogue = judged.ruleset.find_catalogue(force.catalogue_id)
    compiled_force = catalogue.find_force(force.entry_id) if catalogue else None
    if compiled_force is None or not compiled_force.entry.forces:
        return ()
    return _build_force_offers(judged, compiled_force.entry.forces, force.catalogue_id, force.id)


def _build_force_offers(
    judged: EvaluatedList, forces: tuple[ForceEntry, ...], catalogue_id: str, parent_id: str = ""
) -> tuple[ForceOffer, ...]:
    offered = list_offered_forces(judged.evaluation, forces, catalogue_id, parent_id)
    barred = find_barred_forces(judged.evaluation, [force.id for force in offered], catalogue_id, parent_id)
    return tuple(
        ForceOffer(
            entry_id=force.id,
            catalogue_id=catalogue_id,
            name=force.name,
            text=next((i.description for i in force.infos if i.name == force.name), ""),
            costs=tuple(_list_force_costs(judged.ruleset, force)),
            citation=force.citation,
            blocked=barred.get(force.id),
        )
        for force in offered
    )


def _list_force_costs(ruleset: Ruleset, force: ForceEntry) -> Iterator[CostTotal]:
    """List what a force itself costs at first; modifiers may change it once it is there."""
    types = ruleset.binding.cost_types
    for cost in force.costs:
        if cost.value and cost.type_id in types and not types[cost.type_id].is_never_shown:
            yield CostTotal(type_id=cost.type_id, name=types[cost.type_id].name, value=cost.value)


def offer_units(
    judged: EvaluatedList, force_id: str, slots: tuple[SlotCounter, ...], settled: Collection[str] = ()
) -> tuple[OfferCategory, ...]:
    """Return what a detachment may take, by category in the order of the data, without hidden entries.

    `settled` are the entries of settings and notes that it has; those are not offered once more.
    """
    options_by_category: dict[str, list[OfferedOption]] = {}
    names: dict[str, str] = {}
    for option in list_offers(judged.evaluation, force_id).options:
        if not option.hidden and option.entry_id not in settled:
            options_by_category.setdefault(option.category_id, []).append(option)
            names[option.category_id] = option.category_name
    by_id = {slot.id: slot for slot in slots}
    # Categories come as the slots do; those without a slot come last, in the order of the data.
    order = {slot.id: index for index, slot in enumerate(slots)}
    return tuple(
        OfferCategory(
            id=category_id or UNCATEGORISED_ID,
            name=names[category_id],
            emblem=judged.ruleset.find_category_emblem(category_id, names[category_id]),
            slot=by_id.get(category_id),
            units=_build_unit_offers(judged, options_by_category[category_id]),
        )
        for category_id in sorted(options_by_category, key=lambda i: order.get(i, len(order)))
    )


def _build_unit_offers(judged: EvaluatedList, options: Iterable[OfferedOption]) -> tuple[UnitOffer, ...]:
    # Not every game has points.
    type_id = judged.points_id
    return tuple(_build_unit_offer(judged.ruleset, option, type_id) for option in options)


def _build_unit_offer(ruleset: Ruleset, option: OfferedOption, type_id: str) -> UnitOffer:
    return UnitOffer(
        entry_id=option.entry_id,
        name=option.name,
        points=get_cost_value(option.costs, type_id),
        costs=tuple(cost for cost in option.costs if not cost.hidden),
        number=option.number,
        note=option.note,
        blocked=option.blocked,
        needs=_name_needed_type(ruleset, option.blocked),
        citation=option.citation,
    )


def _name_needed_type(ruleset: Ruleset, blocked: Violation | None) -> str:
    """Return the type of unit of which one more would mend a violation, where it is one type."""
    if blocked is None or not blocked.mendable or len(blocked.mended_by) != 1:
        return ""
    category = ruleset.binding.categories.get(blocked.mended_by[0])
    return category.name if category else ""
