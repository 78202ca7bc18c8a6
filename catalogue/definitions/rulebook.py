"""The inventory of a rulebook: every rule that concerns lists, whether a list can break it or not."""

from enum import StrEnum

from catalogue.definitions.base import Definition
from catalogue.definitions.citations import NOWHERE, Citation


class RuleKind(StrEnum):
    """What a rule is to a list: one it must keep, advice, or something to know."""

    HARD = "hard"
    SOFT = "soft"
    SHOW = "show"


class RuleStage(StrEnum):
    """When a rule matters: for the list alone, the match, its set-up, in play, or on paper."""

    LIST = "list"
    MATCH = "match"
    SETUP = "setup"
    PLAY = "play"
    PRINT = "print"


class RuleEntry(Definition):
    """A rule of the book in our own words. `reading` is how an unclear one is taken, `caveat` what is left open.

    One that is `part_of` others is carried out where those are.
    """

    id: str
    name: str
    text: str
    kind: RuleKind = RuleKind.HARD
    stage: RuleStage = RuleStage.LIST
    reading: str = ""
    caveat: str = ""
    part_of: tuple[str, ...] = ()
    citation: Citation = NOWHERE
