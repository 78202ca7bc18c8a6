from collections.abc import Collection, Sequence

from catalogue.definitions.entries import ForceEntry
from catalogue.graph.ruleset import CompiledForce
from roster.engine.effective_tree import UNCATEGORISED_ID
from roster.engine.evaluation import Evaluation
from roster.engine.offers import OfferedOption, find_barred_forces, list_offered_forces, list_offers
from roster.engine.report import CostTotal, EffectiveForce
from roster.services.board.shapes import ForceOffer, OfferCategory, SlotCounter, UnitOffer, list_other_costs
from roster.services.evaluation import EvaluatedList, get_cost_value


def offer_forces(evaluated_list: EvaluatedList, faction_id: str) -> tuple[ForceOffer, ...]:
    catalogue = evaluated_list.ruleset.find_catalogue(faction_id)
    return build_force_offers(evaluated_list.evaluation, catalogue.force_entries, faction_id) if catalogue else ()


def offer_inner_forces(
    evaluated_list: EvaluatedList, force: EffectiveForce, compiled_force: CompiledForce
) -> tuple[ForceOffer, ...]:
    if not compiled_force.entry.forces:
        return ()
    return build_force_offers(evaluated_list.evaluation, compiled_force.entry.forces, force.catalogue_id, force.id)


def build_force_offers(
    evaluation: Evaluation, forces: Sequence[ForceEntry], catalogue_id: str, parent_id: str = ""
) -> tuple[ForceOffer, ...]:
    offered = list_offered_forces(evaluation, forces, catalogue_id, parent_id)
    barred = find_barred_forces(evaluation, [force.id for force in offered], catalogue_id, parent_id)
    types = evaluation.ruleset.binding.cost_types
    offers = []
    for force in offered:
        # The base cost; modifiers may change it once the force is in the list.
        costs = (
            CostTotal(type_id=cost.type_id, name=types[cost.type_id].name, value=cost.value)
            for cost in force.costs
            if cost.value and cost.type_id in types and not types[cost.type_id].is_never_shown
        )
        offer = ForceOffer(
            entry_id=force.id,
            catalogue_id=catalogue_id,
            name=force.name,
            text=next((info.description for info in force.infos if info.name == force.name), ""),
            costs=tuple(costs),
            citation=force.citation,
            blocked=barred.get(force.id),
        )
        offers.append(offer)
    return tuple(offers)


def offer_units(
    evaluated_list: EvaluatedList, force_id: str, slots: tuple[SlotCounter, ...], settled: Collection[str] = ()
) -> tuple[OfferCategory, ...]:
    """Return units for a detachment, by category, without the `settled` settings and notes."""
    options_by_category: dict[str, list[OfferedOption]] = {}
    names: dict[str, str] = {}
    for option in list_offers(evaluated_list.evaluation, force_id).options:
        if not option.hidden and option.entry_id not in settled:
            options_by_category.setdefault(option.category_id, []).append(option)
            names[option.category_id] = option.category_name
    by_id = {slot.id: slot for slot in slots}
    # In the order of the slots; categories without a slot come last.
    order = {slot.id: index for index, slot in enumerate(slots)}
    return tuple(
        OfferCategory(
            id=category_id or UNCATEGORISED_ID,
            name=names[category_id],
            emblem=evaluated_list.ruleset.find_category_emblem(category_id, names[category_id]),
            slot=by_id.get(category_id),
            units=tuple(_build_unit_offer(evaluated_list, option) for option in options_by_category[category_id]),
        )
        for category_id in sorted(options_by_category, key=lambda i: order.get(i, len(order)))
    )


def _build_unit_offer(evaluated_list: EvaluatedList, option: OfferedOption) -> UnitOffer:
    blocked = option.blocked
    is_cost = blocked is not None and blocked.counted_id in evaluated_list.ruleset.binding.cost_types
    return UnitOffer(
        entry_id=option.entry_id,
        name=option.name,
        points=get_cost_value(option.costs, evaluated_list.points_id),
        costs=tuple(cost for cost in option.costs if not cost.hidden),
        other_costs=list_other_costs(option.costs, evaluated_list.points_id),
        number=option.number,
        note=option.note,
        blocked=blocked,
        too_dear=is_cost and blocked is not None and not blocked.mendable and blocked.allowed > 0,
        citation=option.citation,
    )
