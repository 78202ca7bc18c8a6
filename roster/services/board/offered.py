"""What can still be added: detachments to the list, units to a detachment."""

from catalogue.definitions.entries import ForceEntry
from roster.engine.compile import Ruleset
from roster.engine.offers import OfferedOption, offers
from roster.engine.unfold import UNCATEGORISED_ID
from roster.services.board.shapes import Offered, OfferedForce, OfferedIn, Slot
from roster.services.judging import Judged, main_value


def forces_on_offer(ruleset: Ruleset, faction_id: str) -> tuple[OfferedForce, ...]:
    """The kinds of force that a list of this faction can start with."""
    book = ruleset.book(faction_id)
    return _offered(book.force_entries, faction_id) if book else ()


def forces_inside(ruleset: Ruleset, entry_id: str, catalogue_id: str) -> tuple[OfferedForce, ...]:
    """The kinds of force that a force may hold."""
    book = ruleset.book(catalogue_id)
    template = book.force_template(entry_id) if book else None
    return _offered(template.entry.forces, catalogue_id) if template else ()


def _offered(forces: tuple[ForceEntry, ...], catalogue_id: str) -> tuple[OfferedForce, ...]:
    return tuple(
        OfferedForce(entry_id=f.id, catalogue_id=catalogue_id, name=f.name, citation=f.citation)
        for f in forces
        if not f.hidden
    )


def units_on_offer(judged: Judged, force_id: str, slots: tuple[Slot, ...]) -> tuple[OfferedIn, ...]:
    """What a detachment may take, by category in the order of the data; hidden entries are left out."""
    found: dict[str, list[OfferedOption]] = {}
    names: dict[str, str] = {}
    for option in offers(judged.case, force_id).options:
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
        points=main_value(option.costs, type_id),
        costs=tuple(cost for cost in option.costs if not cost.hidden),
        number=option.number,
        note=option.note,
        blocked=option.blocked,
        citation=option.citation,
    )
