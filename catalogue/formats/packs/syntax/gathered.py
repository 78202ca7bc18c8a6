"""What a pack says of many units at once: whom they join, when they are withheld, which figures they print."""

from dataclasses import dataclass

from catalogue.definitions.numbers import Number
from catalogue.formats.packs.syntax.base import Reference, RuleText
from catalogue.formats.packs.syntax.expressions import ConditionExpression
from catalogue.formats.packs.syntax.units import JoinSyntax


@dataclass(frozen=True, slots=True, kw_only=True)
class DerivedCostSyntax:
    """Where a unit prints a figure: in a `column` of its profile, or in brackets after one of the `abilities`.

    `plus` is added to it, and the outcome is at least `least`.
    """

    column: str = ""
    abilities: tuple[Reference, ...] = ()
    plus: Number = 0
    least: Number | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WithheldUnitsSyntax:
    """Units `of` some types or keywords that are not on offer `when` something is so, and the rule they break then."""

    of: tuple[Reference, ...]
    when: ConditionExpression
    text: RuleText


@dataclass(frozen=True, slots=True, kw_only=True)
class JoiningUnitsSyntax:
    """What all units `of` some types or keywords have in common: whom they join."""

    of: tuple[Reference, ...]
    joins: JoinSyntax
