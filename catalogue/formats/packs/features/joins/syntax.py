"""Read `joins:` of units and `joining:` of packs."""

from typing import Any

from catalogue.documents.node import MappingReader
from catalogue.documents.section import FLAG, Section, expect_section, expect_sections, key, need
from catalogue.formats.packs.syntax.base import CONDITION, NAMES, Reference, expect_maximum
from catalogue.formats.packs.syntax.context import ParseContext
from catalogue.formats.packs.syntax.expressions import ConditionExpression


class JoinSyntax(Section):
    """The hosts of a unit, and how many fit in each.

    A unit that is not an add-on loses its type inside a host, unless `keeps_type` holds.
    """

    title = "The add-on's `joins`"
    short = "units"
    short_list = True

    units: tuple[Reference, ...] = key("units", NAMES, "units that it joins")
    types: tuple[Reference, ...] = key("types", NAMES, "types of the units that it joins")
    keywords: tuple[Reference, ...] = key("keywords", NAMES, "keywords of units that it joins")
    most: int = key("up to", expect_maximum(1), "how many may join each unit")
    within_size: bool = key("within size", FLAG, "the host may not exceed its printed maximum size")
    keeps_type: ConditionExpression | None = key(
        "keeps its type when", CONDITION, "a unit that is not an add-on keeps its type in a host only then", None
    )

    @classmethod
    def complete_values(cls, values: dict[str, Any], mapping: MappingReader, context: ParseContext) -> None:
        if not mapping.is_lone and not any(values[word] for word in ("units", "types", "keywords")):
            hint = "Add `units:`, `types:` or `keywords:`."
            mapping.node.report("missing-key", "The add-on does not say which units it joins.", hint)


class UnitJoinsSyntax(Section):
    """The keys of a unit that joins others. `empty` units have no models."""

    page = "joins"

    joins: JoinSyntax | None = key(
        "joins",
        expect_section(JoinSyntax, "units, or a mapping"),
        "for add-ons: the units that they may join. Other units may be taken alone, or in a host, where "
        "they lose their type",
        None,
    )
    only_joined: bool = key("only joined", FLAG, "it can only be taken in a host")
    empty: bool = key("empty", FLAG, "it has only the models of units that join it")


class AddOnTypeSyntax(Section):
    page = "joins"

    inside: bool = key("inside", FLAG, "its entries are placed in other units")


class JoiningUnitsSyntax(Section):
    title = "What joins"

    of: tuple[Reference, ...] = key("of", NAMES, "types or keywords")
    joins: JoinSyntax = need("joins", expect_section(JoinSyntax), "as for a unit", JoinSyntax())


class JoiningSyntax(Section):
    page = "joins"

    joining: tuple[JoiningUnitsSyntax, ...] = key(
        "joining",
        expect_sections(JoiningUnitsSyntax, "list"),
        "the units that all units of some types or keywords may join",
    )
