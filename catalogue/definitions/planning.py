"""What players decide for a game in addition to the list: who joins whom, who waits, and questions of the game."""

from enum import StrEnum

from catalogue.definitions.base import Definition
from catalogue.definitions.citations import NOWHERE, Citation


class PlanPart(StrEnum):
    """The parts of a game plan that games have in common; a plan only has those that the data declares.

    Missions are there where the data has some; to declare them says what they are called.
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
    """One of the parts that games have in common: what it is called here, and whom it is about.

    `of` are the ids of entries and categories of which one has to fit (none: every unit), `to` the same of those that
    are joined or ridden in. `most` is how many may be named, None for any number.
    """

    part: PlanPart
    name: str
    text: str = ""
    of: tuple[str, ...] = ()
    to: tuple[str, ...] = ()
    most: int | None = None
    citation: Citation = NOWHERE


class PlanOption(Definition):
    """One of the answers to a question."""

    id: str
    name: str
    text: str = ""


class PlanQuestion(Definition):
    """A question of the game's own with answers to choose from: of the player, or (`per_unit`) of single units.

    `most` is how many answers there is room for, `of` as in `PlanPartEntry`; `missions` are the ids of those in which
    it is asked (none: in all).
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
    """Everything that a plan for this game may settle beside mission and side."""

    parts: tuple[PlanPartEntry, ...] = ()
    questions: tuple[PlanQuestion, ...] = ()
    numbers: tuple[PlanNumber, ...] = ()
