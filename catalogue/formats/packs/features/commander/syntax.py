"""Read `command:` of packs."""

from catalogue.documents.node import MappingReader
from catalogue.documents.section import TEXT, Section, expect_section, key, need
from catalogue.formats.packs.syntax.base import (
    NAME,
    NAMES,
    NO_RULE_TEXT,
    RULE,
    KeyNode,
    NamedSyntax,
    Reference,
    RuleText,
)


class CountedTypeSyntax(Section):
    page = "commander"

    counts_as: Reference | None = key("counts as", NAME, "the unit's type if this is taken", None)


class LeaveSyntax(Section):
    """A commander's ability that permits units: `Leader (2/Pikes)` permits two of them."""

    title = "What the commander permits"

    ability: Reference = need(
        "ability", NAME, "the ability that gives leave: `Leads (2/Pike Bailiffs)` for up to two of them"
    )
    option: str = need("option", TEXT, "the option that makes units count as another type")
    counts_as: Reference = need("counts as", NAME, "that other type")
    of: tuple[Reference, ...] = key("of", NAMES, "the types or keywords of units with this option")
    without: RuleText = need("without", RULE, "broken by units without leave")
    too_many: RuleText = need("too many", RULE, "broken by more units than the number in brackets")


class CommandSyntax(NamedSyntax):
    """The commander rule: the unit `of` something with the highest cost `by`."""

    title = "What commands"
    name_key = "name"
    identity_keys = ("cite",)

    of: Reference = need("of", NAME, "a set, type or keyword: the possible commanders")
    by: Reference = need("by", NAME, "the cost that is highest for the commander")
    outranked: RuleText = need("outranked", RULE, "broken by a declared leader with less of that cost")
    undecided: RuleText = key("undecided", RULE, "shown while the commander is undecided", NO_RULE_TEXT)
    contested: RuleText = key(
        "contested", RULE, "broken by several declared leaders with the same amount", NO_RULE_TEXT
    )
    leave: LeaveSyntax | None = key(
        "leave",
        expect_section(LeaveSyntax, "mapping"),
        "the commander's permission for units to count as another type",
        None,
    )

    @classmethod
    def read_identity(cls, mapping: MappingReader, under: KeyNode) -> tuple[str, str]:
        node = mapping.need("name")
        return node.read_text() if node is not None else "", "commander"


class CommanderSyntax(Section):
    page = "commander"

    command: CommandSyntax | None = key(
        "command", expect_section(CommandSyntax, "mapping"), "the unit that commands a list", None
    )
