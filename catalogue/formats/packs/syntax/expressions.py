"""What rules ask: a noun and where it is counted, conditions on counts, sums of them."""

from dataclasses import dataclass
from typing import NamedTuple

from catalogue.definitions.numbers import Number
from catalogue.definitions.queries import Operator
from catalogue.documents.problems import SourceLine


@dataclass(frozen=True, slots=True)
class CountExpression:
    """What is counted, and in what; a blank scope is the one that the rule is about."""

    noun: str
    scope: str
    where: SourceLine


@dataclass(frozen=True, slots=True)
class CountComparison:
    """A count compared with a number."""

    ask: CountExpression
    operator: Operator
    value: Number


@dataclass(frozen=True, slots=True)
class ConditionGroup:
    """Several conditions: all of them, any of them, or (`negated`) the opposite."""

    parts: tuple["CountComparison | ConditionGroup", ...]
    any_of: bool = False
    negated: bool = False


ConditionExpression = CountComparison | ConditionGroup


ALWAYS_TRUE = ConditionGroup(())


class SumTerm(NamedTuple):
    coefficient: Number
    ask: CountExpression


@dataclass(frozen=True, slots=True)
class SumExpression:
    """A number plus counts, each with a coefficient."""

    constant: Number
    summands: tuple[SumTerm, ...]
    where: SourceLine
