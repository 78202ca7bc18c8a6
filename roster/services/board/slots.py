"""Slot counters of a detachment."""

from roster.engine.report import EffectiveForce
from roster.services.board.shapes import Slot
from roster.services.judging import Judged


def slots_of(judged: Judged, force: EffectiveForce) -> tuple[Slot, ...]:
    """What the force counts: its categories that hold something or bind, in the order of the data."""
    return tuple(
        Slot(
            id=category.id,
            name=category.name,
            measured=sum(
                unit.number for unit in force.selections if category.id in {c.id for c in unit.categories}
            ),
        )
        for category in force.categories
        if not category.hidden
    )
