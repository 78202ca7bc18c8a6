"""The inventory of a rulebook: every rule that concerns lists, whether a list can break it or not."""

from collections.abc import Iterable
from enum import StrEnum

from catalogue.definitions.base import Definition
from catalogue.definitions.citations import NOWHERE, Citation


class RuleKind(StrEnum):
    """What a rule means for a list: it must be kept, it is advice, or it is information."""

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


class Clause(Definition):
    """One thing that a rule asks and that can be broken by itself: an "and", an "except", a mode, a way of writing.

    `open` says why it is not carried out yet; blank where it is.
    """

    id: str
    text: str
    open: str = ""


class RuleEntry(Definition):
    """A rule of the book in our own words. `reading` is how an unclear one is taken, `caveat` what is left open.

    One that is `part_of` others is carried out where those are. A rule without `clauses` asks one thing, its text.
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
    """Return the ids of the rule and the clause that a worked list names; the clause is blank where it names none.

    >>> split_claim("limit/options"), split_claim("limit")
    (('limit', 'options'), ('limit', ''))
    """
    rule, _, clause = claim.partition("/")
    return rule, clause


def list_rules(claims: Iterable[str]) -> tuple[str, ...]:
    """Return the ids of the rules that claims are about, each once and sorted."""
    return tuple(sorted({split_claim(claim)[0] for claim in claims}))
