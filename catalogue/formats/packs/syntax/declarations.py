"""Read the declarations that everything else uses."""

from typing import Any, TypeVar

from catalogue.definitions.citations import Publication
from catalogue.definitions.numbers import Number
from catalogue.documents.node import DocumentNode, MappingReader
from catalogue.documents.section import (
    NUMBER,
    ONE_TEXT,
    TEXT,
    Section,
    ValueType,
    expect_list,
    expect_named_sections,
    inline,
    key,
    need,
)
from catalogue.formats.packs.features.deck_pages.syntax import DeckNeighboursSyntax
from catalogue.formats.packs.features.following_limits.syntax import FollowingLimitSyntax
from catalogue.formats.packs.features.guests.syntax import SetHomeSyntax
from catalogue.formats.packs.features.joins.syntax import AddOnTypeSyntax
from catalogue.formats.packs.features.printed_figures.syntax import PrintedFigureSyntax
from catalogue.formats.packs.features.sets_by_name.syntax import SetByNameSyntax
from catalogue.formats.packs.syntax.base import (
    CONDITION,
    NAMES,
    NO_RULE_TEXT,
    RULE,
    SUM,
    CommonValues,
    KeyNode,
    NamedSyntax,
    Reference,
    RuleText,
)
from catalogue.formats.packs.syntax.context import ParseContext
from catalogue.formats.packs.syntax.expressions import ConditionExpression, SumExpression
from catalogue.formats.packs.syntax.identity import EMBLEM, IdentitySyntax
from catalogue.formats.packs.syntax.scalars import make_id

AnyNamed = TypeVar("AnyNamed", bound=NamedSyntax)


def _read_names(cls: type[AnyNamed], node: DocumentNode) -> tuple[AnyNamed, ...]:
    return tuple(
        cls(id=make_id(name.read_text()), name=name.read_text(), where=name.where) for name in node.read_texts()
    )


def _read_declared_names(node: DocumentNode, _: object) -> tuple[NamedSyntax, ...]:
    if not node.is_map:
        return _read_names(NamedSyntax, node)
    return tuple(
        NamedSyntax(id=make_id(name.read_text()), name=value.read_text() or name.read_text(), where=name.where)
        for name, value in node.read_pairs()
    )


DECLARED_NAMES: ValueType[tuple[NamedSyntax, ...]] = ValueType(
    "`id: Name`, or names",
    _read_declared_names,
    lambda _: (),
    {"anyOf": [NAMES.schema, {"type": "object", "additionalProperties": ONE_TEXT}]},
)


class BookSyntax(Section):
    """Community data is named by repository and commit, and has no pages."""

    title = "The book"
    short = "name"

    id: str
    name: str = key("name", TEXT, "its title; required for a book")
    short_name: str = key("short", TEXT, "what citations call it")
    publisher: str = key("publisher", TEXT, "its publisher")
    date: str = key("date", TEXT, "its date")
    community: str = key("community", TEXT, "for community data: `owner/repository@commit`")
    revision: str = key("revision", TEXT, "for community data: its revision")

    @classmethod
    def read_common_keys(cls, mapping: MappingReader, context: ParseContext, under: KeyNode) -> CommonValues:
        assert under is not None  # noqa: S101 - books are read from a mapping
        mapping.title = f"The book “{under.read_text()}”"
        return {"id": under.read_text()}, context

    @classmethod
    def complete_values(cls, values: dict[str, Any], mapping: MappingReader, context: ParseContext) -> None:
        community, revision = values["community"], values["revision"]
        if community:
            values["name"] = f"{community}, revision {revision}" if revision else community
            context.citations.whole.add(values["id"])
            mapping.forget("name")
        elif mapping.need("name") is None and not mapping.is_lone:
            values["name"] = values["id"]
        if not community:
            mapping.forget("revision")
        context.citations.names[values["id"]] = values["name"]

    def define(self) -> Publication:
        return Publication(
            id=self.id, name=self.name, short_name=self.short_name, publisher=self.publisher, date=self.date
        )


class LineSyntax(NamedSyntax):
    identity_keys = ()
    short = "name"

    label: str = key("name", TEXT, "its name; by default its id")

    @classmethod
    def complete_values(cls, values: dict[str, Any], mapping: MappingReader, context: ParseContext) -> None:
        values["name"] = values["label"] or values["name"]


class TypeSyntax(DeckNeighboursSyntax, AddOnTypeSyntax, LineSyntax):
    title = "The type"

    emblem: str = key("emblem", EMBLEM, "its emblem, one of the bundled icons")


class FactionLineSyntax(LineSyntax):
    title = "The faction"

    identity: IdentitySyntax = inline(IdentitySyntax, IdentitySyntax())


def _expect_lines(cls: type[AnyNamed], label: str) -> ValueType[tuple[AnyNamed, ...]]:
    mapped = expect_named_sections(cls)
    return ValueType(
        label,
        lambda node, context: mapped.read(node, context) if node.is_map else _read_names(cls, node),
        lambda _: (),
        {"anyOf": [NAMES.schema, mapped.schema]},
    )


FACTIONS = _expect_lines(FactionLineSyntax, "`id: Name`, names, or factions")
TYPES = _expect_lines(TypeSyntax, "`id: Name`, names, or types")


class CostSyntax(FollowingLimitSyntax, PrintedFigureSyntax, NamedSyntax):
    """With `derived`, a printed figure."""

    title = "The cost"
    name_key = "cost"
    identity_keys = ("id",)
    short = "cost"

    label: str = key("name", TEXT, "its name; by default as in `cost`")
    default: Number = key("default", NUMBER, "the limit of a new list; by default none", -1)
    presets: tuple[Number, ...] = key(
        "presets",
        expect_list("numbers", lambda node, _: node.read_number(), NUMBER.schema, split=True),
        "limits to offer",
    )
    text: RuleText = key("limit rule", RULE, "the rule about the limit", NO_RULE_TEXT)

    @classmethod
    def complete_values(cls, values: dict[str, Any], mapping: MappingReader, context: ParseContext) -> None:
        values["name"] = values["label"] or values["name"]


# ---- what rules count, and what all units of a kind have in common ------------------------------------------------


class SetSyntax(SetByNameSyntax, SetHomeSyntax, NamedSyntax):
    """Units that rules count together: those `of` something, while `when` holds."""

    title = "The set"
    name_key = "set"
    identity_keys = ("id",)

    of: tuple[Reference, ...] = key("of", NAMES, "types, keywords or units; by default all")
    when: ConditionExpression | None = key(
        "when",
        CONDITION,
        "a condition on a unit to belong to the set; it may not count costs, models or weapons, nor use the game plan",
        None,
    )


class FigureSyntax(NamedSyntax):
    title = "The figure"
    name_key = "figure"

    count: SumExpression = need("count", SUM, "a sum, counted in the list")
    text: str = key("text", TEXT, "its purpose, in our own words")


class OneFactionSyntax(Section):
    """The rule that a list has one faction, and when it holds."""

    title = "The rule"
    short = "rule"

    text: RuleText = inline(RuleText, NO_RULE_TEXT)
    when: ConditionExpression | None = key("when", CONDITION, "the condition; without it, always", None)
