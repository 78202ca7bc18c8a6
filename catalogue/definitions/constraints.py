"""Constraints: what a roster must satisfy."""

from collections.abc import Callable
from enum import StrEnum

import msgspec

from catalogue.definitions.base import Definition
from catalogue.definitions.citations import NOWHERE, Citation
from catalogue.definitions.numbers import Number
from catalogue.definitions.queries import ALWAYS, Bound, Guard, Query, Term


class Severity(StrEnum):
    """What a violation means for the verdict, gravest first. Only an error makes a list illegal."""

    ERROR = "error"
    WARNING = "warning"
    REMARK = "remark"


class Stage(StrEnum):
    """What a rule needs to be judged: the list alone, the match, or the plan for the set-up."""

    LIST = "list"
    MATCH = "match"
    SETUP = "setup"


class RuleWords(Definition):
    """The rule of the book behind a rule kind, and our own words for it.

    `code` is the rule kind. If several have one code, the first that matches applies: `of` is a category id of the
    subject, or another word of the kind; `place` is its place, in the words of the kind. Blank matches everything.
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
    """A kind of place that a selection opens for others of its force.

    `allowed` is the cost type that says how many places a selection opens, `demanded` the one that says how many must
    be filled (blank: none). `takers` are the categories that fit.
    """

    allowed: str
    demanded: str = ""
    takers: tuple[str, ...] = ()


class LeaderReach(Definition):
    """How a force grows from one selection of the category `leader`: each further selection fills an open place.

    The words are for three violations: `misled` if the declared leader is not a leader, `unreached` if a selection
    depends on places that form a circle, `unfilled` if compulsory places are only filled within a circle.
    """

    leader: str
    openings: tuple[Opening, ...]
    misled: RuleWords
    unreached: RuleWords
    unfilled: RuleWords


class CommonCategory(Definition):
    """One of the categories `of` must be shared by all units of a force, or of the whole list.

    If `barred_only` is set, sharing only `barred` categories is not enough. Units with none of the categories are
    ignored in the whole list, but share nothing in a force. `among` is the category that makes a selection a unit;
    blank counts all selections.
    """

    of: tuple[str, ...]
    unshared: RuleWords
    among: str = ""
    barred: tuple[str, ...] = ()
    barred_only: RuleWords | None = None


class CopyLimit(Definition):
    """How many selections in one place may have one name, if owners write the names; below zero: any number."""

    most: int
    words: RuleWords


class CommanderRule(Definition):
    """Who commands a list: the selection of the category `of` with the highest cost `by`.

    In a tie it is the one declared to lead. The commander gets the category `id`. `outranked` are the words if the
    declared leader ranks lower, `undecided` if the tie is open, `contested` if several tied selections are declared
    (default: `outranked`).
    """

    id: str
    of: str
    by: str
    outranked: RuleWords
    undecided: RuleWords | None = None
    contested: RuleWords | None = None


class Constraint(Definition):
    """`query <= value + sum of terms`, or `>=`.

    Modifiers change `value` by naming `id` as their field. Without terms, -1 means "no limit"; any other value below
    zero acts as 0 in a maximum. The constraint binds while `when` holds.

    `rule` is the id of the rule in the book's inventory; `name` and `text` are our own heading and sentence, or the
    author's text in community data. An `automatic` minimum is always filled by itself. A constraint of a later `stage`
    than the list binds only if there is a game plan.

    `mendable` says whether further picks can mend a violation, while `room` holds: a full list has no room. None
    derives it: true for a minimum, and for a maximum whose bound grows with picks, such as a percentage.
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
    """Apply `change` to every query, also of the bound and guards."""
    return msgspec.structs.replace(
        constraint,
        query=change(constraint.query),
        terms=tuple(msgspec.structs.replace(term, query=change(term.query)) for term in constraint.terms),
        when=rewrite_guard(constraint.when, change),
        room=rewrite_guard(constraint.room, change),
    )


def rewrite_guard(guard: Guard, change: Rewrite) -> Guard:
    """Return the guard with `change` applied to every query, including those in nested guards."""
    return msgspec.structs.replace(
        guard,
        conditions=tuple(msgspec.structs.replace(c, query=change(c.query)) for c in guard.conditions),
        guards=tuple(rewrite_guard(inner, change) for inner in guard.guards),
    )
