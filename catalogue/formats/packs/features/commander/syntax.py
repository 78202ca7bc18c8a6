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

    counts_as: Reference | None = key("counts as", NAME, "the type that the unit is of once this is taken", None)


class LeaveSyntax(Section):
    """A commander's ability that gives leave: `Leader (2/Pikes)` to two such units."""

    title = "What the commander gives leave to"

    ability: Reference = need("ability", NAME, "`Leads (2/Pike Bailiffs)` gives leave to up to two of them")
    option: str = need("option", TEXT, "what units take to count as another type")
    counts_as: Reference = need("counts as", NAME, "that type")
    of: tuple[Reference, ...] = key("of", NAMES, "types or keywords of the units that have the option")
    without: RuleText = need("without", RULE, "broken by units that nobody gives leave to")
    too_many: RuleText = need("too many", RULE, "broken by more units than the number in brackets")


class CommandSyntax(NamedSyntax):
    """The commander rule: the unit `of` something with the highest cost `by`."""

    title = "What commands"
    name_key = "name"
    identity_keys = ("cite",)

    of: Reference = need("of", NAME, "a set, type or keyword: who could")
    by: Reference = need("by", NAME, "the cost of which the commander has most")
    outranked: RuleText = need("outranked", RULE, "broken by a declared leader who has less")
    undecided: RuleText = key("undecided", RULE, "said while it is open", NO_RULE_TEXT)
    contested: RuleText = key("contested", RULE, "broken by several who are declared and have as much", NO_RULE_TEXT)
    leave: LeaveSyntax | None = key(
        "leave", expect_section(LeaveSyntax, "mapping"), "what the commander gives leave to", None
    )

    @classmethod
    def read_identity(cls, mapping: MappingReader, under: KeyNode) -> tuple[str, str]:
        node = mapping.need("name")
        return node.read_text() if node is not None else "", "commander"


class CommanderSyntax(Section):
    page = "commander"

    command: CommandSyntax | None = key(
        "command", expect_section(CommandSyntax, "mapping"), "who commands a list", None
    )
