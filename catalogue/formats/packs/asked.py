"""What rules ask: a noun and where it is counted, conditions on counts, sums of them."""

from dataclasses import dataclass
from typing import NamedTuple

from catalogue.definitions.numbers import Number
from catalogue.definitions.queries import Operator
from catalogue.formats.packs.problems import Where


@dataclass(frozen=True, slots=True)
class Ask:
    """What is counted, and in what; a blank scope is the one that the rule is about."""

    noun: str
    scope: str
    where: Where


@dataclass(frozen=True, slots=True)
class Test:
    """A count compared with a number."""

    ask: Ask
    operator: Operator
    value: Number


@dataclass(frozen=True, slots=True)
class Tests:
    """Several conditions: all of them, any of them, or (`negated`) the opposite."""

    parts: tuple["Test | Tests", ...]
    any_of: bool = False
    negated: bool = False


When = Test | Tests


ALWAYS_TRUE = Tests(())


class Summand(NamedTuple):
    coefficient: Number
    ask: Ask


@dataclass(frozen=True, slots=True)
class Sum:
    """A number plus counts, each with a coefficient."""

    constant: Number
    summands: tuple[Summand, ...]
    where: Where
