"""`allowances:` of a detachment: how the slots that its units open are counted."""

from catalogue.documents.section import Section, key, need
from catalogue.formats.packs.syntax.base import NAME, NO_RULE_TEXT, RULE, Reference, RuleText


class AllowancesSyntax(Section):
    """How `allows` binds in a detachment. Places count from the leader outward: units that only allow each other are
    allowed by nobody."""

    title = "The allowances"

    leader: Reference | None = key("leader", NAME, "a type of which one unit needs no leave", None)
    too_few: RuleText = need("too few", RULE, "broken by fewer units than are demanded")
    too_many: RuleText = need("too many", RULE, "broken by more units than are allowed")
    nobody: RuleText = need("nobody allows", RULE, "broken by units that no other allows")
    misled: RuleText = key("wrong leader", RULE, "broken by a declared leader who cannot lead", NO_RULE_TEXT)
