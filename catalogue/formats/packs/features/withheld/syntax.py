"""Read `withheld:` of packs."""

from catalogue.documents.section import Section, expect_sections, inline, key, need
from catalogue.formats.packs.syntax.base import CONDITION, NAMES, NO_RULE_TEXT, Reference, RuleText
from catalogue.formats.packs.syntax.expressions import ConditionExpression


class WithheldUnitsSyntax(Section):
    """Units `of` some kind that are not offered `when` something holds, and the rule that they break."""

    title = "What is withheld"

    of: tuple[Reference, ...] = key("of", NAMES, "types or keywords")
    when: ConditionExpression = need("when", CONDITION, "the condition under which they are withheld")
    text: RuleText = inline(RuleText, NO_RULE_TEXT)


class WithheldSyntax(Section):
    page = "withheld"

    withheld: tuple[WithheldUnitsSyntax, ...] = key(
        "withheld",
        expect_sections(WithheldUnitsSyntax, "list of rules with `of` and `when`"),
        "units that are withheld under a condition, and the rule that they then break",
    )
