"""Read `allowances:` of detachments and `allows:` of units."""

from dataclasses import dataclass

from catalogue.documents.section import FLAG, Section, expect_pairs, key, need
from catalogue.formats.packs.syntax.base import (
    NAME,
    NAMES,
    NO_RULE_TEXT,
    RANGE_SCHEMA,
    RULE,
    Reference,
    RuleText,
    read_reference,
)
from catalogue.formats.packs.syntax.scalars import CountRange, read_range


class AllowancesSyntax(Section):
    """The rules behind `allows`.

    Slots count outward from the leader, so units that only allow each other are not allowed.
    """

    title = "The allowances"

    leader: Reference | None = key("leader", NAME, "the type of the leader, which no other unit must allow", None)
    too_few: RuleText = need("too few", RULE, "broken by fewer units than others demand")
    too_many: RuleText = need("too many", RULE, "broken by more units than others allow")
    nobody: RuleText = need("nobody allows", RULE, "broken by units that no other unit allows")
    misled: RuleText = key(
        "wrong leader", RULE, "broken by a declared leader that cannot lead, and by a second leader", NO_RULE_TEXT
    )


@dataclass(frozen=True, kw_only=True)
class AllowanceSyntax:
    name: Reference
    range: CountRange


ALLOWANCES = expect_pairs(
    "`type or unit: how many`",
    lambda name, value, _: AllowanceSyntax(name=read_reference(name), range=value.read(read_range, CountRange(0, 0))),
    RANGE_SCHEMA,
)


class UnitAllowancesSyntax(Section):
    page = "allowances"

    allows: tuple[AllowanceSyntax, ...] = key(
        "allows",
        ALLOWANCES,
        "the units that it allows its detachment: `{core: 1-4, Pike Bailiffs: 0-1}`; the lower number is compulsory",
    )
    bars: tuple[Reference, ...] = key("bars", NAMES, "units that its allowances by type do not cover")
    by_name_only: bool = key("by name only", FLAG, "allowances by type do not cover it, only allowances that name it")
