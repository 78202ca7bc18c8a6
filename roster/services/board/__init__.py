"""The builder's model: everything its page shows, in one call and without a word of HTML."""

from roster.services.board.build import build_board
from roster.services.board.shapes import (
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

__all__ = [
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
