"""Read `rulesets:` of packs."""

from typing import Any

from catalogue.documents.section import TEXT, Section, key
from catalogue.formats.packs.pack import RulesetInfo
from catalogue.formats.packs.syntax.base import NamedSyntax, expect_definitions
from catalogue.formats.packs.syntax.detachments import DETACHMENT_KINDS


class RulesetSyntax(NamedSyntax):
    title = "The ruleset"
    name_key = "ruleset"
    identity_keys = ("id",)
    definition = RulesetInfo

    text: str = key("text", TEXT, "what it is, in our own words")
    detachments: tuple[str, ...] = key("detachments", DETACHMENT_KINDS, "its kinds of detachment")


class RulesetsSyntax(Section):
    page = "rulesets"

    rulesets: tuple[Any, ...] = key("rulesets", expect_definitions(RulesetSyntax), "ways to organise the same units")
