"""The builder's model: everything its page shows, in one call and without a word of HTML."""

from roster.services.board.build import board_for
from roster.services.board.shapes import (
    Board,
    Choice,
    ChoiceGroup,
    Detachment,
    Offered,
    OfferedForce,
    OfferedIn,
    Opened,
    Slot,
    UnitRow,
)

__all__ = [
    "Board",
    "Choice",
    "ChoiceGroup",
    "Detachment",
    "Offered",
    "OfferedForce",
    "OfferedIn",
    "Opened",
    "Slot",
    "UnitRow",
    "board_for",
]
