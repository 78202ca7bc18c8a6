"""What can still be added: detachments to the list, units to a detachment."""

from collections.abc import Iterator
from dataclasses import replace

from catalogue.definitions.entries import ForceEntry
from catalogue.graph.ruleset import Ruleset
from roster.engine.effective_tree import UNCATEGORISED_ID
from roster.engine.force_limits import barred_forces
from roster.engine.offers import OfferedOption, offers
from roster.engine.report import CostTotal
from roster.services.board.shapes import Offered, OfferedForce, OfferedIn, Slot
from roster.services.evaluation import EvaluatedList, get_cost_value


def forces_on_offer(judged: EvaluatedList, faction_id: str) -> tuple[OfferedForce, ...]:
    """The kinds of force at the top of a list of this faction, with what stands in the way of one more."""
    book = judged.ruleset.find_catalogue(faction_id)
    offered = _offered(judged.ruleset, book.force_entries, faction_id) if book else ()
    barred = barred_forces(judged.evaluation, [force.entry_id for force in offered])
    return tuple(replace(force, blocked=barred.get(force.entry_id)) for force in offered)


def forces_inside(ruleset: Ruleset, entry_id: str, catalogue_id: str) -> tuple[OfferedForce, ...]:
    """The kinds of force that a force may hold."""
    book = ruleset.find_catalogue(catalogue_id)
    template = book.find_force(entry_id) if book else None
    return _offered(ruleset, template.entry.forces, catalogue_id) if template else ()


def _offered(ruleset: Ruleset, forces: tuple[ForceEntry, ...], catalogue_id: str) -> tuple[OfferedForce, ...]:
    return tuple(
        OfferedForce(
            entry_id=force.id,
            catalogue_id=catalogue_id,
            name=force.name,
            text=next((i.description for i in force.infos if i.name == force.name), ""),
            costs=tuple(_costs(ruleset, force)),
            citation=force.citation,
        )
        for force in forces
        if not force.hidden
    )


def _costs(ruleset: Ruleset, force: ForceEntry) -> Iterator[CostTotal]:
    """What a force itself costs at first; modifiers may change it once it is there."""
    types = ruleset.binding.cost_types
    for cost in force.costs:
        if cost.value and cost.type_id in types and not types[cost.type_id].hidden:
            yield CostTotal(type_id=cost.type_id, name=types[cost.type_id].name, value=cost.value)


def units_on_offer(judged: EvaluatedList, force_id: str, slots: tuple[Slot, ...]) -> tuple[OfferedIn, ...]:
    """What a detachment may take, by category in the order of the data; hidden entries are left out."""
    found: dict[str, list[OfferedOption]] = {}
    names: dict[str, str] = {}
    for option in offers(judged.evaluation, force_id).options:
        if not option.hidden:
            found.setdefault(option.category_id, []).append(option)
            names[option.category_id] = option.category_name
    by_id = {slot.id: slot for slot in slots}
    order = {slot.id: place for place, slot in enumerate(slots)}
    points = judged.points
    type_id = points.type_id if points else ""
    return tuple(
        OfferedIn(
            id=category_id or UNCATEGORISED_ID,
            name=names[category_id],
            slot=by_id.get(category_id),
            units=tuple(_unit(option, type_id) for option in found[category_id]),
        )
        for category_id in sorted(found, key=lambda i: order.get(i, len(order)))
    )


def _unit(option: OfferedOption, type_id: str) -> Offered:
    return Offered(
        entry_id=option.entry_id,
        name=option.name,
        points=get_cost_value(option.costs, type_id),
        costs=tuple(cost for cost in option.costs if not cost.hidden),
        number=option.number,
        note=option.note,
        blocked=option.blocked,
        citation=option.citation,
    )
