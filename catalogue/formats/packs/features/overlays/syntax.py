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
    """The units that a unit of the other data leads, instead of the units that its texts name."""

    title = "The leader"

    unit: str = need("unit", TEXT, "its name in that data")
    leads: tuple[str, ...] = key("leads", TEXTS, "units or keywords in that data to which it may be attached")
    beside: tuple[str, ...] = key(
        "beside", TEXTS, "units or keywords in that data, one of which may lead the same unit, too"
    )
    support: bool = key("support", FLAG, "it may also join a unit with a leader")


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
    costs: tuple[tuple[Reference, str], ...] = key("costs", OTHER_NAMES, "costs, and their names in that data")
    types: tuple[tuple[Reference, tuple[str, ...]], ...] = key(
        "types",
        OTHER_CATEGORIES,
        "types, with the primary categories of their units in that data: one name or several. Entries "
        "without one of them are not units",
    )
    keywords: tuple[tuple[Reference, str], ...] = key(
        "keywords",
        OTHER_NAMES,
        "keywords, with the categories or options of the game system that represent them in that data",
    )
    faction_keywords: str = key(
        "faction keywords", TEXT, "the beginning of the names of faction categories in that data"
    )
    common: CommonKeywordSyntax | None = key(
        "common keyword",
        expect_section(CommonKeywordSyntax),
        "the faction categories that the units of each detachment must share",
        None,
    )
    broad: tuple[str, ...] = key(
        "broad", TEXTS, "beginnings of names; a detachment with such a name may share a barred category"
    )
    without: tuple[Reference, ...] = key("without", NAMES, "rules of the pack that do not apply to that data")
    rules: tuple[RuleSyntax, ...] = key("rules", RULES, "rules only for that data, by default `in: roster`")
    leaders: tuple[LeaderSyntax, ...] = key(
        "leaders",
        expect_sections(LeaderSyntax),
        "units in that data with corrected texts about the units that they lead",
    )
    unchecked: tuple[UncheckedSyntax, ...] = key(
        "unchecked", expect_sections(UncheckedSyntax, "list of texts, or of notes"), "what is not checked in that data"
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
