"""Constraints: what a roster must satisfy."""

from collections.abc import Callable
from enum import StrEnum

import msgspec

from catalogue.definitions.base import Definition
from catalogue.definitions.citations import NOWHERE, Citation
from catalogue.definitions.numbers import Number
from catalogue.definitions.queries import ALWAYS, Bound, Guard, Query, Term


class Severity(StrEnum):
    """What breaking a constraint means for the verdict, gravest first: only an error makes a list illegal."""

    ERROR = "error"
    WARNING = "warning"
    REMARK = "remark"


class Stage(StrEnum):
    """What has to be known before a rule can be judged: the list alone, the match, or the plan for the set-up."""

    LIST = "list"
    MATCH = "match"
    SETUP = "setup"


class RuleWords(Definition):
    """Which rule of the book a rule kind carries out, and our own words for it.

    `code` is that of the kind of rule. Of several for one code the first that fits is meant: `of` is the id of a
    category that the thing is of, or another word of the kind's; `place` is where it stands, in the words of the kind.
    Blank fits everything.
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
    """A kind of place that selections open for others of their force.

    `allowed` and `demanded` are the cost types that say how many one selection opens, and how many of those have to be
    filled (blank: none); `takers` are the categories that fit.
    """

    allowed: str
    demanded: str = ""
    takers: tuple[str, ...] = ()


class LeaderReach(Definition):
    """How a force grows: from one selection of the category `leader` outward, each next one by an open place.

    The words are those of the rules broken where the declared leader is not a leader, where a selection hangs on places
    that lead in a circle, and where compulsory places are filled in a circle only.
    """

    leader: str
    openings: tuple[Opening, ...]
    misled: RuleWords
    unreached: RuleWords
    unfilled: RuleWords


class CommonCategory(Definition):
    """What all units of a force, or of the whole list, must share: one of the categories `of`.

    Sharing none but `barred` ones is not enough where there are words for it. Units of the whole list that are of none
    of the categories are left out; in a force they share nothing. `among` is the category that makes a selection a
    unit, blank where all of them are.
    """

    of: tuple[str, ...]
    unshared: RuleWords
    among: str = ""
    barred: tuple[str, ...] = ()
    barred_only: RuleWords | None = None


class CopyLimit(Definition):
    """How many selections beside each other may bear one name, where owners write the names; below zero: any number."""

    most: int
    words: RuleWords


class CommanderRule(Definition):
    """Who commands a list: of all selections of the category `of`, the one with the highest cost `by`.

    Where several have it, it is the one declared to lead. The commander is of the category `id`, for whoever asks.
    `outranked` are the words for a declared leader who does not have it, `undecided` those where it is open between
    several, `contested` those where several are declared who have it (without them, those of `outranked`).
    """

    id: str
    of: str
    by: str
    outranked: RuleWords
    undecided: RuleWords | None = None
    contested: RuleWords | None = None


class Constraint(Definition):
    """`query <= value + sum of terms`, or `>=`.

    `value` can be changed by modifiers that name `id` as their field; without terms, -1 means "no limit", and any other
    value below zero leaves a maximum as much as 0 does. `when` switches the whole constraint. `rule` is the id of the
    rule in the book's inventory that the constraint carries out; `name` and `text` are our own words for it, a heading
    and one sentence; of community data the text is what the data's author says. `automatic` is a minimum that is filled
    by itself whatever else is there. A constraint of a later `stage` than the list binds only where there is a game
    plan. `mendable` says whether further picks could mend a violation; None derives it: a minimum, and a maximum whose
    bound grows with picks, as a percentage does. They could only while `room` holds: a list that is full takes no unit
    that would mend it.
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
    """Change every query of a constraint, those of its bound and of its guards too."""
    return msgspec.structs.replace(
        constraint,
        query=change(constraint.query),
        terms=tuple(msgspec.structs.replace(term, query=change(term.query)) for term in constraint.terms),
        when=rewrite_guard(constraint.when, change),
        room=rewrite_guard(constraint.room, change),
    )


def rewrite_guard(guard: Guard, change: Rewrite) -> Guard:
    """Change every query of a guard."""
    return msgspec.structs.replace(
        guard,
        conditions=tuple(msgspec.structs.replace(c, query=change(c.query)) for c in guard.conditions),
        guards=tuple(rewrite_guard(inner, change) for inner in guard.guards),
    )
