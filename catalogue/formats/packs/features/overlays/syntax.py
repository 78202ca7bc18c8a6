"""Read `overlays:` of packs."""

from dataclasses import replace

from catalogue.documents.node import MappingReader
from catalogue.documents.section import (
    FLAG,
    ONE_TEXT,
    TEXT,
    TEXTS,
    Section,
    expect_pairs,
    expect_section,
    expect_sections,
    key,
    need,
)
from catalogue.formats.packs.features.common_keyword.syntax import CommonKeywordSyntax
from catalogue.formats.packs.syntax.base import (
    NAMES,
    CommonValues,
    KeyNode,
    NamedSyntax,
    Reference,
    UncheckedSyntax,
    read_reference,
)
from catalogue.formats.packs.syntax.context import ParseContext
from catalogue.formats.packs.syntax.rules import RULES, RuleSyntax

OTHER_NAMES = expect_pairs(
    "`own name: name there`", lambda name, value, _: (read_reference(name), value.read_text()), ONE_TEXT
)
OTHER_CATEGORIES = expect_pairs(
    "`type: categories there`",
    lambda name, value, context: (read_reference(name), TEXTS.read(value, context)),
    TEXTS.schema,
)


class LeaderSyntax(Section):
    """The units that a unit of the other data leads, in place of its texts."""

    title = "The leader"

    unit: str = need("unit", TEXT, "its name there")
    leads: tuple[str, ...] = key("leads", TEXTS, "names of units there that it may be attached to, or of keywords")
    beside: tuple[str, ...] = key(
        "beside", TEXTS, "names of units or keywords there, of which one may lead the same unit"
    )
    support: bool = key("support", FLAG, "it may also join a unit that has a leader")


class OverlaySyntax(NamedSyntax):
    title = "The overlay"
    name_key = "overlay"
    cite_required = True

    over: str = need(
        "over",
        TEXT,
        "the id of the game system whose data it is for",
        hint="Add `over:` with the id of the game system whose data it is.",
    )
    text: str = key("text", TEXT, "what it is, in our own words")
    costs: tuple[tuple[Reference, str], ...] = key("costs", OTHER_NAMES, "costs, and what they are called there")
    types: tuple[tuple[Reference, tuple[str, ...]], ...] = key(
        "types",
        OTHER_CATEGORIES,
        "types, and the primary categories that units of them have there: a name or several. Whatever has none of them "
        "is no unit",
    )
    keywords: tuple[tuple[Reference, str], ...] = key(
        "keywords", OTHER_NAMES, "keywords, and the categories, or options of the game system, that they are there"
    )
    faction_keywords: str = key(
        "faction keywords", TEXT, "how the names of categories begin there that say to which faction a unit belongs"
    )
    common: CommonKeywordSyntax | None = key(
        "common keyword", expect_section(CommonKeywordSyntax), "what the units of each detachment share of those", None
    )
    broad: tuple[str, ...] = key("broad", TEXTS, "the beginnings of names of detachments that may share a barred one")
    without: tuple[Reference, ...] = key("without", NAMES, "rules of the pack that do not go along")
    rules: tuple[RuleSyntax, ...] = key(
        "rules", RULES, "rules for that data alone, `in: roster` unless they say otherwise"
    )
    leaders: tuple[LeaderSyntax, ...] = key(
        "leaders", expect_sections(LeaderSyntax), "units there whose texts about whom they lead are corrected"
    )
    unchecked: tuple[UncheckedSyntax, ...] = key(
        "unchecked", expect_sections(UncheckedSyntax, "list of texts, or of notes"), "what it leaves open there"
    )

    @classmethod
    def read_common_keys(cls, mapping: MappingReader, context: ParseContext, under: KeyNode) -> CommonValues:
        values, context = super().read_common_keys(mapping, context, under)
        return values, replace(context, scope="roster")


class OverlaysSyntax(Section):
    page = "overlays"

    overlays: tuple[OverlaySyntax, ...] = key(
        "overlays", expect_sections(OverlaySyntax), "the rules of the pack, laid over data from elsewhere"
    )
