"""Constraints that a roster must satisfy."""

from collections.abc import Callable
from enum import StrEnum

import msgspec

from catalogue.definitions.base import Definition
from catalogue.definitions.citations import NOWHERE, Citation
from catalogue.definitions.numbers import Number
from catalogue.definitions.queries import ALWAYS, Bound, Guard, Query, Term


class Severity(StrEnum):
    """Gravest first. Only an error makes a list illegal."""

    ERROR = "error"
    WARNING = "warning"
    REMARK = "remark"


class Stage(StrEnum):
    """What a rule needs: the list alone, the match, or the plan for the set-up."""

    LIST = "list"
    MATCH = "match"
    SETUP = "setup"


class RuleWords(Definition):
    """The book's rule behind a rule kind, in our own words.

    The first match of `code`, `of` and `place` applies; blank matches everything. `of` is a category id of the subject
    or another word of the kind, `place` its place in the kind's words.
    """

    code: str
    of: str = ""
    place: str = ""
    rule: str = ""
    name: str = ""
    text: str = ""
    citation: Citation = NOWHERE
    severity: Severity = Severity.ERROR


class Opening(Definition):
    """Places that a selection opens for others of its force.

    `allowed` and `demanded` (may be blank) are cost types with the numbers of places that may and must be filled.
    `takers` are the categories that fit.
    """

    allowed: str
    demanded: str = ""
    takers: tuple[str, ...] = ()


class LeaderReach(Definition):
    """How a force grows from one selection of the category `leader`: each further selection fills an open place.

    `misled` is for a declared leader without that category, `unreached` for a selection that depends on places in a
    circle, `unfilled` for compulsory places filled only within a circle.
    """

    leader: str
    openings: tuple[Opening, ...]
    misled: RuleWords
    unreached: RuleWords
    unfilled: RuleWords


class CommonCategory(Definition):
    """All units of a force, or of the list, must share one of the categories `of`.

    With `barred_only`, sharing only `barred` categories is not enough. The whole list ignores units with none of the
    categories; in a force they share nothing. `among` is the category of units; blank counts all selections.
    """

    of: tuple[str, ...]
    unshared: RuleWords
    among: str = ""
    barred: tuple[str, ...] = ()
    barred_only: RuleWords | None = None


class CopyLimit(Definition):
    """The most selections with the same name in one place; negative means any number. List owners choose the names."""

    most: int
    words: RuleWords


class CommanderRule(Definition):
    """A list's commander: the selection of the category `of` with the highest cost `by`, or the declared one in a tie.

    The commander gets the category `id`. `outranked` is for a declared leader of lower rank, `undecided` for an open
    tie, `contested` (default: `outranked`) for several declared leaders in a tie.
    """

    id: str
    of: str
    by: str
    outranked: RuleWords
    undecided: RuleWords | None = None
    contested: RuleWords | None = None


class Constraint(Definition):
    """`query <= value + sum of terms`, or `>=`, while `when` holds.

    Modifiers change `value` under the field `id`. Without terms, -1 means "no limit"; other values below zero act as 0
    in a maximum. An `automatic` minimum is filled without the player. Later `stage`s need a game plan.

    `rule` is an id in the rulebook. `name` and `text` are our own words, or the author's in community data.

    Further picks can mend a violation if it is `mendable` (None: derive it) and `room` holds.
    """

    id: str
    bound: Bound
    value: Number
    query: Query
    terms: tuple[Term, ...] = ()
    when: Guard = ALWAYS
    automatic: bool = False
    mendable: bool | None = None
    room: Guard = ALWAYS
    severity: Severity = Severity.ERROR
    stage: Stage = Stage.LIST
    rule: str = ""
    name: str = ""
    text: str = ""
    citation: Citation = NOWHERE


Rewrite = Callable[[Query], Query]


def rewrite_queries(constraint: Constraint, change: Rewrite) -> Constraint:
    """Also change the queries of the bound and guards."""
    return msgspec.structs.replace(
        constraint,
        query=change(constraint.query),
        terms=tuple(msgspec.structs.replace(term, query=change(term.query)) for term in constraint.terms),
        when=rewrite_guard(constraint.when, change),
        room=rewrite_guard(constraint.room, change),
    )


def rewrite_guard(guard: Guard, change: Rewrite) -> Guard:
    """Also change nested guards."""
    return msgspec.structs.replace(
        guard,
        conditions=tuple(msgspec.structs.replace(c, query=change(c.query)) for c in guard.conditions),
        guards=tuple(rewrite_guard(inner, change) for inner in guard.guards),
    )
