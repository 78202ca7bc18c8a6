"""The inventory of a rulebook: every rule that concerns lists."""

from collections.abc import Iterable
from enum import StrEnum

from catalogue.definitions.base import Definition
from catalogue.definitions.citations import NOWHERE, Citation


class RuleKind(StrEnum):
    """Whether a list must keep the rule, or it is advice or information."""

    HARD = "hard"
    SOFT = "soft"
    SHOW = "show"


class RuleStage(StrEnum):
    LIST = "list"
    MATCH = "match"
    SETUP = "setup"
    PLAY = "play"
    PRINT = "print"


class Clause(Definition):
    """A demand of a rule that can be broken separately: an "and", an "except", a mode, a notation.

    `open` says why it is not implemented, if it is not.
    """

    id: str
    text: str
    open: str = ""


class RuleEntry(Definition):
    """A rule of the book in our own words.

    `reading` says how we understand an unclear rule, `caveat` what is left open. Others implement a rule that is
    `part_of` them. Without `clauses`, the text is the only demand.
    """

    id: str
    name: str
    text: str
    kind: RuleKind = RuleKind.HARD
    stage: RuleStage = RuleStage.LIST
    reading: str = ""
    caveat: str = ""
    part_of: tuple[str, ...] = ()
    clauses: tuple[Clause, ...] = ()
    citation: Citation = NOWHERE


def split_claim(claim: str) -> tuple[str, str]:
    """Split a claim into rule id and clause id; either may be blank.

    >>> split_claim("limit/options"), split_claim("limit")
    (('limit', 'options'), ('limit', ''))
    """
    rule, _, clause = claim.partition("/")
    return rule, clause


def list_rules(claims: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted({split_claim(claim)[0] for claim in claims}))
