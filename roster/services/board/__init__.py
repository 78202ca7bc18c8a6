"""The builder's model: everything its page shows, in one call and without a word of HTML."""

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
    offer is shown (else the one that holds `opened`, else the first), `opened` the selection whose choices are shown;
    ids that the list does not have are left out of account.
    """
    judged = judged or evaluate_roster(roster)
    report = judged.report
    detachments = build_detachment_rows(judged)
    # Ids from an address may be of another list or gone: they fall back to what the page can show.
    target = _choose_target([d.id for d in detachments], into, _find_holder(judged, opened))
    held = next((d for d in detachments if d.id == target), None)
    slots = held.slots if held else ()
    settled = {unit.selection.entry_id for unit in held.units if unit.kind != "unit"} if held else ()
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
        offered=offer_units(judged, target, slots, settled) if target else (),
        opened=open_unit(judged, opened) if opened else None,
        can_undo=roster.can_undo,
        can_redo=roster.can_redo,
        knows_decks=judged.knows_decks,
        books=judged.books,
    )


def _choose_target(ids: list[str], into: str, holder: str) -> str:
    if into in ids:
        return into
    return holder if holder in ids else next(iter(ids), "")


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
