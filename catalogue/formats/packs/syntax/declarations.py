"""Declarations that everything else uses: publications, types, costs; sets and figures that rules count."""

from dataclasses import dataclass
from typing import Any, TypeVar

from catalogue.definitions.citations import Publication
from catalogue.definitions.numbers import Number
from catalogue.documents.node import DocumentNode, MappingReader
from catalogue.documents.section import (
    FLAG,
    NUMBER,
    ONE_TEXT,
    TEXT,
    TEXTS,
    Section,
    ValueType,
    expect_list,
    expect_named_sections,
    expect_section,
    group,
    inline,
    key,
    list_keys,
    need,
    read_keys,
)
from catalogue.formats.packs.syntax.base import (
    CONDITION,
    NAME,
    NAMES,
    NO_RULE_TEXT,
    RULE,
    SUM,
    CommonValues,
    KeyNode,
    NamedSyntax,
    Reference,
    RuleText,
    read_reference,
)
from catalogue.formats.packs.syntax.context import ParseContext
from catalogue.formats.packs.syntax.expressions import ConditionExpression, SumExpression
from catalogue.formats.packs.syntax.identity import EMBLEM, IdentitySyntax
from catalogue.formats.packs.syntax.scalars import make_id
from catalogue.formats.packs.syntax.units import JoinSyntax

AnyNamed = TypeVar("AnyNamed", bound=NamedSyntax)


def _read_names(cls: type[AnyNamed], node: DocumentNode) -> tuple[AnyNamed, ...]:
    """Read a list of names."""
    return tuple(
        cls(id=make_id(name.read_text()), name=name.read_text(), where=name.where) for name in node.read_texts()
    )


def _read_declared_names(node: DocumentNode, _: object) -> tuple[NamedSyntax, ...]:
    """Read `id: Name` lines, or a list of names."""
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
    """A book that a pack may cite; data of a community is named by repository and commit, and cited without a page."""

    title = "The book"
    short = "name"

    id: str
    name: str = key("name", TEXT, "its title; required of a book")
    short_name: str = key("short", TEXT, "what citations call it")
    publisher: str = key("publisher", TEXT, "who publishes it")
    date: str = key("date", TEXT, "when it came out")
    url: str = key("url", TEXT, "where to get it")
    community: str = key("community", TEXT, "of data of a community: `owner/repository@commit`")
    revision: str = key("revision", TEXT, "of data of a community: its revision")

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
        """Return the book as a definition."""
        return Publication(
            id=self.id,
            name=self.name,
            short_name=self.short_name,
            publisher=self.publisher,
            date=self.date,
            url=self.url,
        )


class LineSyntax(NamedSyntax):
    """A name under its id, which may say more than that."""

    identity_keys = ()
    short = "name"

    label: str = key("name", TEXT, "what it is called; else its id")

    @classmethod
    def complete_values(cls, values: dict[str, Any], mapping: MappingReader, context: ParseContext) -> None:
        values["name"] = values["label"] or values["name"]


class TypeSyntax(LineSyntax):
    """A type of unit, under its id."""

    title = "The type"

    emblem: str = key("emblem", EMBLEM, "its emblem, one of the bundled icons")
    inside: bool = key("inside", FLAG, "its entries are placed in other units")
    beside: tuple[Reference, ...] = key("beside", NAMES, "of decks: the types that lie beside one of this type")


class FactionLineSyntax(LineSyntax):
    """A faction, under its id."""

    title = "The faction"

    identity: IdentitySyntax = inline(IdentitySyntax, IdentitySyntax())


def _expect_lines(cls: type[AnyNamed], label: str) -> ValueType[tuple[AnyNamed, ...]]:
    """Return the type of names, of `id: Name` lines, and of `id: mapping` lines."""
    mapped = expect_named_sections(cls)
    return ValueType(
        label,
        lambda node, context: mapped.read(node, context) if node.is_map else _read_names(cls, node),
        lambda _: (),
        {"anyOf": [NAMES.schema, mapped.schema]},
    )


FACTIONS = _expect_lines(FactionLineSyntax, "`id: Name`, names, or factions")
TYPES = _expect_lines(TypeSyntax, "`id: Name`, names, or types")


class DerivedCostSyntax(Section):
    """Where a unit prints a figure: in a `column` of its profile, or in brackets after one of the `abilities`.

    `plus` is added to it, and the outcome is at least `least`.
    """

    column: str = key("column", TEXT, "of a figure that units print and rules sum: the column of the profile")
    abilities: tuple[Reference, ...] = key("abilities", NAMES, "of such a figure: the abilities with it in brackets")
    plus: Number = key("plus", NUMBER, "of such a figure: what is added")
    least: Number | None = key("at least", NUMBER, "of such a figure: the lowest it can be", None)


def _read_derived(mapping: MappingReader, context: ParseContext) -> DerivedCostSyntax | None:
    derived = read_keys(DerivedCostSyntax, mapping, context)
    return derived if derived.column or derived.abilities else None


@dataclass(frozen=True, kw_only=True)
class LimitBySyntax:
    """A limit that goes with that of another cost: `steps` pair the two."""

    cost: Reference
    steps: tuple[tuple[Number, Number], ...]


def _read_limit_by(node: DocumentNode, _: object) -> LimitBySyntax | None:
    for name, value in node.read_pairs():
        steps = tuple((limit.read_number(), step.read_number()) for limit, step in value.read_pairs())
        return LimitBySyntax(cost=read_reference(name), steps=steps)
    return None


STEPS_SCHEMA = {"type": "object", "additionalProperties": NUMBER.schema}
LIMIT_BY: ValueType[LimitBySyntax | None] = ValueType(
    "`cost: {limit: limit}`", _read_limit_by, lambda _: None, {"type": "object", "additionalProperties": STEPS_SCHEMA}
)


class CostSyntax(NamedSyntax):
    """A kind of cost. One with `derived` is not a price but a figure that units print."""

    title = "The cost"
    name_key = "cost"
    identity_keys = ("id",)
    short = "cost"

    label: str = key("name", TEXT, "what it is called; else as `cost` says")
    default: Number = key("default", NUMBER, "the limit of a new list; else none", -1)
    presets: tuple[Number, ...] = key(
        "presets",
        expect_list("numbers", lambda node, _: node.read_number(), NUMBER.schema, split=True),
        "limits to offer",
    )
    limit_by: LimitBySyntax | None = key(
        "limit by", LIMIT_BY, "where its limit goes with that of another: `{points: {90: 6, 120: 8}}`"
    )
    text: RuleText = key("limit rule", RULE, "the rule that the limit is", NO_RULE_TEXT)
    derived: DerivedCostSyntax | None = group(_read_derived, lambda: list_keys(DerivedCostSyntax), None)

    @classmethod
    def complete_values(cls, values: dict[str, Any], mapping: MappingReader, context: ParseContext) -> None:
        values["name"] = values["label"] or values["name"]

    @property
    def follows(self) -> Reference | None:
        return self.limit_by.cost if self.limit_by else None

    @property
    def steps(self) -> tuple[tuple[Number, Number], ...]:
        return self.limit_by.steps if self.limit_by else ()


# ---- what rules count, and what all units of a kind have in common ------------------------------------------------


class AlikeSyntax(Section):
    """Units of the keyword `of` count as those of the keyword `to` with the same title, `strike` left out of it."""

    title = "What is alike"

    of: Reference = need("of", NAME, "the keyword of units that count as others")
    to: Reference = need("to", NAME, "the keyword of the others")
    strike: tuple[str, ...] = key("strike", TEXTS, "words that are left out of the titles")


class SetSyntax(NamedSyntax):
    """Units that rules count together: `of` which types, keywords or units, `called` what, at `home` where, and `when`.

    `also_in` are units that stand for one of several others: their models `called` so are of the set, and they
    themselves are nothing that is counted as the `same unit`. With `alike` it is one set for each title that units of
    two keywords share. Once names are resolved, `units` and `models` are the ids of all that is in such a set.
    """

    title = "The set"
    name_key = "set"
    identity_keys = ("id",)

    of: tuple[Reference, ...] = key("of", NAMES, "types, keywords or units; all without it")
    called: tuple[Reference, ...] = key(
        "called", NAMES, "units of these names, whichever there are, and their like among the models of `also in`"
    )
    also_in: tuple[Reference, ...] = key(
        "also in", NAMES, "units that stand for one of several, which are then no `same unit` themselves"
    )
    home: tuple[Reference, ...] = key("home", NAMES, "units at home in these factions")
    alike: AlikeSyntax | None = key(
        "alike",
        expect_section(AlikeSyntax, "mapping"),
        "`{of: cults, to: guard, strike: [Cult]}`: a set for each title that units of two keywords share",
        None,
    )
    when: ConditionExpression | None = key("when", CONDITION, "of a unit: it is of the set only then", None)
    units: tuple[str, ...] = ()
    models: tuple[str, ...] = ()


class FigureSyntax(NamedSyntax):
    """A number that a list is known by."""

    title = "The figure"
    name_key = "figure"

    count: SumExpression = need("count", SUM, "a sum, counted in the list")
    text: str = key("text", TEXT, "what it is for, in our own words")


class WithheldUnitsSyntax(Section):
    """Units `of` some types or keywords that are not on offer `when` something is so, and the rule they break then."""

    title = "What is withheld"

    of: tuple[Reference, ...] = key("of", NAMES, "types or keywords")
    when: ConditionExpression = need("when", CONDITION, "not on offer then")
    text: RuleText = inline(RuleText, NO_RULE_TEXT)


class JoiningUnitsSyntax(Section):
    """What all units `of` some types or keywords have in common: whom they join."""

    title = "What joins"

    of: tuple[Reference, ...] = key("of", NAMES, "types or keywords")
    joins: JoinSyntax = need("joins", expect_section(JoinSyntax), "as of a unit", JoinSyntax())


class OneFactionSyntax(Section):
    """The rule that everything in a list is of the list's own faction, and when it holds."""

    title = "The rule"
    short = "rule"

    text: RuleText = inline(RuleText, NO_RULE_TEXT)
    when: ConditionExpression | None = key("when", CONDITION, "holds only then", None)
