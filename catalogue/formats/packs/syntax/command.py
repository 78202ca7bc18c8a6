"""Who commands a list, and what units may count as by the commander's leave."""

from dataclasses import dataclass

from catalogue.formats.packs.syntax.base import NamedSyntax, Reference, RuleText


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveSyntax:
    """An ability of commanders that lets units count as another type: `Leader (2/Pikes)`, up to two units called so.

    `option` is what units `of` these types or keywords take to count as that type. `without` is the rule broken by
    units that nobody gives leave to, `too_many` that by more than the number in brackets.
    """

    ability: Reference
    option: str
    counts_as: Reference
    of: tuple[Reference, ...]
    without: RuleText
    too_many: RuleText


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandSyntax(NamedSyntax):
    """Who commands: a unit of the set `of` with the most of the cost `by`.

    `outranked` is the rule broken by a declared leader who is no such unit, `contested` the one broken where several
    such units are declared, `undecided` what is said while it is open.
    """

    of: Reference
    by: Reference
    outranked: RuleText
    undecided: RuleText
    contested: RuleText
    leave: LeaveSyntax | None = None
