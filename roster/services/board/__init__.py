"""The content of the builder's page, without HTML."""

from collections.abc import Sequence

from roster.engine.report import EffectiveSelection, Report
from roster.models import Roster
from roster.services.board.allies import has_allies, list_faction_ids
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


def build_board(
    roster: Roster, evaluated_list: EvaluatedList | None = None, *, into: str = "", opened: str = "", apart: str = ""
) -> Board:
    """Build the builder's page, ignoring unknown ids.

    `into` is the detachment with the shown offer: by default that of the `opened` selection, else the first with an
    offer. The selection `apart` is shown separately from its equals.
    """
    evaluated_list = evaluated_list or evaluate_roster(roster)
    report = evaluated_list.report
    unit_by_node = _index_units(report)
    detachments = build_detachment_rows(evaluated_list, unit_by_node, list_faction_ids(roster.version))
    target, offered = _choose_offer(evaluated_list, detachments, into, opened)
    return Board(
        roster=roster,
        evaluated_list=evaluated_list,
        verdict=evaluated_list.verdict,
        points=evaluated_list.points,
        totals=report.shown_costs,
        violations=report.violations,
        unchecked=report.unchecked,
        detachments=detachments,
        forces=offer_forces(evaluated_list, roster.faction_id),
        has_allies=has_allies(roster, evaluated_list.evaluation),
        into=target,
        offered=offered,
        opened=open_unit(evaluated_list, opened, apart) if opened else None,
        apart=apart,
        can_undo=roster.can_undo,
        can_redo=roster.can_redo,
        knows_decks=evaluated_list.knows_decks,
        books=evaluated_list.books,
        unit_by_node=unit_by_node,
    )


def _index_units(report: Report) -> dict[str, EffectiveSelection]:
    unit_by_node: dict[str, EffectiveSelection] = {}
    for force in report.walk_forces():
        for unit in force.selections:
            nodes = [unit]
            for node in nodes:
                unit_by_node[node.id] = unit
                nodes.extend(node.selections)
    return unit_by_node


def _choose_offer(
    evaluated_list: EvaluatedList, detachments: Sequence[DetachmentRow], into: str, opened: str
) -> tuple[str, tuple[OfferCategory, ...]]:
    def list_offer(row: DetachmentRow) -> tuple[OfferCategory, ...]:
        settled = {unit.selection.entry_id for unit in row.units if unit.kind != "unit"}
        return offer_units(evaluated_list, row.id, row.slots, settled)

    # Ids from an address may belong to another list or be gone: fall back to the first offer.
    for row in detachments:
        if row.id == into:
            return row.id, list_offer(row)
    for row in detachments:
        if opened and any(unit.id == opened for unit in row.force.selections):
            return row.id, list_offer(row)
    # Detachments that only hold other detachments come first but offer no units.
    for row in detachments:
        if offered := list_offer(row):
            return row.id, offered
    return (detachments[0].id if detachments else ""), ()
