"""Decisions of players for a game after building the list."""

from enum import StrEnum

from catalogue.definitions.base import Definition
from catalogue.definitions.citations import NOWHERE, Citation


class PlanPart(StrEnum):
    """The parts of a game plan that games share. A plan only has the parts that the data declares.

    A plan has missions if the data has some, even if the part is not declared.
    """

    MISSION = "mission"
    OPPONENTS = "opponents"
    ALLIES = "allies"
    COMMANDER = "commander"
    OBJECTIVE = "objective"
    JOINS = "joins"
    RESERVES = "reserves"
    RIDES = "rides"


class PlanPartEntry(Definition):
    """A shared part of the plan: its name in this game and its units.

    `of` are ids of entries and categories (empty: every unit); `to` limits the units that are joined or ridden in.
    `most` units may be named (None: any number).
    """

    part: PlanPart
    name: str
    text: str = ""
    of: tuple[str, ...] = ()
    to: tuple[str, ...] = ()
    most: int | None = None
    citation: Citation = NOWHERE


class PlanOption(Definition):
    """A possible answer to a question of the plan."""

    id: str
    name: str
    text: str = ""


class PlanQuestion(Definition):
    """A question of the game's own, for the player or (`per_unit`) for single units.

    `most` answers are allowed. `of` is as in `PlanPartEntry`. `missions` are ids (empty: all).
    """

    id: str
    name: str
    text: str = ""
    options: tuple[PlanOption, ...] = ()
    most: int = 1
    per_unit: bool = False
    of: tuple[str, ...] = ()
    missions: tuple[str, ...] = ()
    citation: Citation = NOWHERE


class PlanNumber(Definition):
    """A number that is settled for the game, such as the width of the table in `unit`."""

    id: str
    name: str
    unit: str = ""
    text: str = ""
    citation: Citation = NOWHERE


class Planning(Definition):
    """What a game plan can settle in addition to mission and side."""

    parts: tuple[PlanPartEntry, ...] = ()
    questions: tuple[PlanQuestion, ...] = ()
    numbers: tuple[PlanNumber, ...] = ()
