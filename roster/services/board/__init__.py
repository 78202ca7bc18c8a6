"""The builder's model: everything its page shows, in one call and without any HTML."""

from collections.abc import Iterable, Sequence

from roster.models import Roster
from roster.services.board.detachment_rows import build_detachment_rows
from roster.services.board.options import open_unit
from roster.services.board.shapes import (
    AttachmentControl,
    Board,
    ChoiceGroup,
    DetachmentRow,
    ForceOffer,
    OfferCategory,
    OpenedUnit,
    OptionChoice,
    SlotCounter,
    UnitOffer,
    UnitRow,
)
from roster.services.board.unit_offers import offer_forces, offer_units
from roster.services.evaluation import EvaluatedList, evaluate_roster

__all__ = [
    "AttachmentControl",
    "Board",
    "ChoiceGroup",
    "DetachmentRow",
    "ForceOffer",
    "OfferCategory",
    "OpenedUnit",
    "OptionChoice",
    "SlotCounter",
    "UnitOffer",
    "UnitRow",
    "build_board",
]


def build_board(roster: Roster, judged: EvaluatedList | None = None, *, into: str = "", opened: str = "") -> Board:
    """Build everything the builder's page shows for a list.

    `judged` is the report at hand after an edit; without it the list is judged here. `into` is the detachment whose
    offer is shown (else the one that holds `opened`, else the first that offers anything), `opened` the selection whose
    choices are shown; ids that the list does not have are left out of account.
    """
    judged = judged or evaluate_roster(roster)
    report = judged.report
    detachments = build_detachment_rows(judged)
    target, offered = _choose_offer(judged, detachments, (into, _find_holder(judged, opened)))
    return Board(
        roster=roster,
        judged=judged,
        verdict=judged.verdict,
        points=judged.points,
        totals=report.shown_costs,
        violations=report.violations,
        unchecked=report.unchecked,
        detachments=detachments,
        forces=offer_forces(judged, roster.faction_id),
        into=target,
        offered=offered,
        opened=open_unit(judged, opened) if opened else None,
        can_undo=roster.can_undo,
        can_redo=roster.can_redo,
        knows_decks=judged.knows_decks,
        books=judged.books,
    )


def _choose_offer(
    judged: EvaluatedList, detachments: Sequence[DetachmentRow], wanted: Iterable[str]
) -> tuple[str, tuple[OfferCategory, ...]]:
    """Return the detachment whose offer is shown, and that offer: the first of those `wanted`, else one with any."""
    # Ids from an address may be of another list or gone: they fall back to what the page can show.
    by_id = {row.id: row for row in detachments}
    asked = next((row_id for row_id in wanted if row_id in by_id), "")
    if asked:
        return asked, _list_offer(judged, by_id[asked])
    # What only holds other detachments offers no units, and is before them.
    for row in detachments:
        if offered := _list_offer(judged, row):
            return row.id, offered
    return next(iter(by_id), ""), ()


def _list_offer(judged: EvaluatedList, row: DetachmentRow) -> tuple[OfferCategory, ...]:
    settled = {unit.selection.entry_id for unit in row.units if unit.kind != "unit"}
    return offer_units(judged, row.id, row.slots, settled)


def _find_holder(judged: EvaluatedList, opened: str) -> str:
    """Return the id of the force that holds a unit."""
    if not opened:
        return ""
    stack = list(judged.report.forces)
    while stack:
        force = stack.pop()
        if any(unit.id == opened for unit in force.selections):
            return force.id
        stack.extend(force.forces)
    return ""
