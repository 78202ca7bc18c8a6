"""Decisions of players for a game after building the list."""

from enum import StrEnum

from catalogue.definitions.base import Definition
from catalogue.definitions.citations import NOWHERE, Citation


class PlanPart(StrEnum):
    """The parts of a game plan that games share, if the data declares them. Missions need no declaration."""

    MISSION = "mission"
    OPPONENTS = "opponents"
    ALLIES = "allies"
    COMMANDER = "commander"
    OBJECTIVE = "objective"
    JOINS = "joins"
    RESERVES = "reserves"
    RIDES = "rides"


class PlanPartEntry(Definition):
    """`of` are ids of entries and categories (empty: every unit); `to` limits the units joined or ridden in."""

    part: PlanPart
    name: str
    text: str = ""
    of: tuple[str, ...] = ()
    to: tuple[str, ...] = ()
    most: int | None = None
    citation: Citation = NOWHERE


class PlanOption(Definition):
    id: str
    name: str
    text: str = ""


class PlanQuestion(Definition):
    """A question that only this game asks the player or, if `per_unit`, about single units.

    `of` is as in `PlanPartEntry`. `missions` are ids (empty: all).
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
    """A number settled for the game, such as the table's width, in `unit`."""

    id: str
    name: str
    unit: str = ""
    text: str = ""
    citation: Citation = NOWHERE


class Planning(Definition):
    parts: tuple[PlanPartEntry, ...] = ()
    questions: tuple[PlanQuestion, ...] = ()
    numbers: tuple[PlanNumber, ...] = ()
