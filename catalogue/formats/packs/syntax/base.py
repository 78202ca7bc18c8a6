"""Base classes and value types of constructs."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, ClassVar, TypeVar

from catalogue.definitions.base import Definition
from catalogue.definitions.citations import NOWHERE, Citation
from catalogue.definitions.constraints import Severity
from catalogue.definitions.queries import Bound
from catalogue.documents.node import DocumentNode, MappingReader
from catalogue.documents.problems import MalformedValueError, SourceLine, suggest_names
from catalogue.documents.section import (
    FLAG,
    ONE_TEXT,
    TEXT,
    KeySpec,
    Section,
    ValueType,
    expect_list,
    expect_parsed,
    expect_section,
    group,
    key,
    read_section,
)
from catalogue.formats.packs.syntax.context import ParseContext
from catalogue.formats.packs.syntax.expressions import (
    ALWAYS_TRUE,
    ConditionExpression,
    SumExpression,
    read_condition,
    read_sum,
)
from catalogue.formats.packs.syntax.scalars import (
    CountRange,
    PriceValue,
    make_id,
    read_parameter,
    read_price,
    read_range,
    read_times,
)

Word = TypeVar("Word", bound=StrEnum)
KeyNode = DocumentNode | None
"""The key above a construct, if it names the construct."""
CommonValues = tuple[dict[str, Any], ParseContext]
"""The first values of a construct, and the context for its others."""
ANY_NUMBER = CountRange(0, None)
BOUNDS = {"at most": Bound.MAX, "at least": Bound.MIN, "exactly": Bound.EXACTLY}
HINT_BOUND = "Add `at most:`, `at least:` or `exactly:`."


@dataclass(frozen=True, slots=True)
class Reference:
    text: str
    where: SourceLine


def read_reference(node: DocumentNode, _: object = None) -> Reference:
    return Reference(node.read_text(), node.where)


def read_references(node: DocumentNode, _: object = None) -> tuple[Reference, ...]:
    return tuple(read_reference(item) for item in node.read_texts() if item.read_text())


def read_id(text: str) -> str:
    """Accept lower-case letters, digits and hyphens. Raise MalformedValueError for any other text."""
    if text and make_id(text) == text:
        return text
    raise MalformedValueError(f"“{text}” is not an id.", f"Write it as “{make_id(text) or 'some-name'}”.", "bad-id")


# ---- types of values ----------------------------------------------------------------------------------------------

RANGE_SCHEMA = {"anyOf": [{"type": "integer", "minimum": 0}, {"type": "string"}]}
NAME: ValueType[Reference] = ValueType("name", read_reference, lambda where: Reference("", where), ONE_TEXT)
NAMES: ValueType[tuple[Reference, ...]] = ValueType(
    "names", read_references, lambda _: (), {"anyOf": [ONE_TEXT, {"type": "array", "items": ONE_TEXT}]}
)
CONDITION: ValueType[ConditionExpression] = ValueType(
    "condition", lambda node, _: read_condition(node), lambda _: ALWAYS_TRUE, {"$ref": "#/$defs/condition"}
)
SUM: ValueType[SumExpression] = ValueType(
    "sum", lambda node, _: read_sum(node), lambda where: SumExpression(0, (), where), ONE_TEXT
)
ID = expect_parsed("id", read_id, "")


def expect_range(otherwise: CountRange) -> ValueType[CountRange]:
    return expect_parsed("how many", read_range, otherwise, RANGE_SCHEMA)


MAXIMUM: ValueType[int | None] = ValueType(
    "how many", lambda node, _: node.read(read_range, ANY_NUMBER).high, lambda _: None, RANGE_SCHEMA
)


def expect_maximum(otherwise: int) -> ValueType[int]:
    """Return the type of a maximum. `otherwise` replaces a missing value and `any`."""
    return ValueType(
        "how many",
        lambda node, _: node.read(read_range, CountRange(0, otherwise)).high or otherwise,
        lambda _: otherwise,
        RANGE_SCHEMA,
    )


def expect_word(default: Word, subject: str) -> ValueType[Word]:
    """Return the type of an enumeration. `subject` starts the error message."""
    kind = type(default)
    words = [word.value for word in kind if word.value]

    def read_word(text: str) -> Word:
        try:
            return kind(text)
        except ValueError:
            raise MalformedValueError(f"{subject} is not “{text}”.", suggest_names(text, words)) from None

    return expect_parsed(" or ".join(f"`{word}`" for word in words), read_word, default, {"enum": words})


def expect_one_of(words: tuple[str, ...]) -> ValueType[str]:
    """Return the type of one of `words`, hyphenated; "" if missing."""

    def read_word(text: str) -> str:
        if text in words:
            return text.replace(" ", "-")
        raise MalformedValueError(f"“{text}” is not a word for this.", f"Write {' or '.join(words)}.")

    return expect_parsed(" or ".join(f"`{word}`" for word in words), read_word, "", {"enum": list(words)})


# ---- constructs ---------------------------------------------------------------------------------------------------


class DefinedSyntax(Section):
    """A construct with the same fields as its definition."""

    definition: ClassVar[type[Definition]]

    def define(self) -> Any:
        names = self.definition.__struct_fields__
        return self.definition(**{name: getattr(self, name) for name in names if hasattr(self, name)})


class NamedSyntax(DefinedSyntax):
    """A construct with a name, at `name_key`, and an id. Its parts inherit its citation."""

    name_key: ClassVar[str] = ""
    identity_keys: ClassVar[tuple[str, ...]] = ("id", "cite")
    cite_required: ClassVar[bool] = False

    id: str
    name: str
    cite: Citation = NOWHERE

    @property
    def citation(self) -> Citation:
        return self.cite

    @classmethod
    def read_common_keys(cls, mapping: MappingReader, context: ParseContext, under: KeyNode) -> CommonValues:
        name, thing_id = cls.read_identity(mapping, under)
        if name:
            mapping.title = f"{cls.title} “{name}”"
        has_cite = "cite" in cls.identity_keys
        cite = context.read_citation(mapping, cls.cite_required) if has_cite else NOWHERE
        return {"id": thing_id, "name": name, "cite": cite}, context.enter(cite, name)

    @classmethod
    def read_identity(cls, mapping: MappingReader, under: KeyNode) -> tuple[str, str]:
        """Return name and id, which is made from the name unless given."""
        node = under if under is not None else mapping.need(cls.name_key)
        name = node.read_text() if node is not None else ""
        written = mapping.get("id") if "id" in cls.identity_keys else None
        thing_id = make_id(name) if written is None else written.read(read_id, "")
        if name and not thing_id:
            mapping.node.report("bad-id", f"No id can be made from the name “{name}”.", "Add `id: some-name`.")
        return name, thing_id

    @classmethod
    def list_common_keys(cls) -> tuple[KeySpec, ...]:
        return list_identity_keys(cls)


def list_identity_keys(cls: type[NamedSyntax]) -> tuple[KeySpec, ...]:
    specs = (KeySpec(cls.name_key, TEXT, "its name", required=True), ID_KEY, CITE_KEY)
    return tuple(spec for spec in specs if spec.key in (cls.name_key, *cls.identity_keys) and spec.key)


CITATION: ValueType[Citation] = ValueType(
    "citation",
    lambda node, context: context.citations.read(node, context.cite),
    lambda _: NOWHERE,
    {"$ref": "#/$defs/citation"},
)
ID_KEY = KeySpec("id", ID, "its id; by default made from the name", common=True)
CITE_KEY = KeySpec(
    "cite",
    CITATION,
    "where it and everything in it is printed; by default the citation of whatever contains it",
    common=True,
)


def declare_citation(required: bool = False) -> Citation:
    """Declare `cite` for a construct without a name."""
    return group(lambda mapping, context: context.read_citation(mapping, required), lambda: (CITE_KEY,), NOWHERE)


def expect_definition(cls: type[DefinedSyntax]) -> ValueType[Any]:
    syntax = expect_section(cls)
    return replace(syntax, read=lambda node, context: read_section(cls, node, context).define())


def expect_definitions(cls: type[DefinedSyntax], label: str = "") -> ValueType[tuple[Any, ...]]:
    syntax = expect_definition(cls)
    return expect_list(label or f"list of {syntax.label}s", syntax.read, syntax.schema)


class RuleText(Section):
    """A violation is mendable while `room` holds."""

    title = "The rule"
    short = "rule"

    rule: str = key("rule", TEXT, "its id in the rules' inventory")
    name: str = key("name", TEXT, "a heading of a few words")
    text: str = key("text", TEXT, "one sentence in our own words")
    cite: Citation = declare_citation(required=True)
    severity: Severity = key(
        "severity", expect_word(Severity.ERROR, "A severity"), "the severity of a violation", common=True
    )
    mendable: bool | None = key(
        "mendable",
        FLAG,
        "whether further picks could fix a violation, which makes the list incomplete instead of illegal; "
        "by default yes for `at least`, for bounds that grow with picks, and for conditions that ask for "
        "more",
        None,
        common=True,
    )
    room: ConditionExpression | None = key(
        "mendable while",
        CONDITION,
        "a condition on the list, such as `fewer than 5 squad`; only while it holds can further picks fix a violation",
        None,
        common=True,
    )


NO_RULE_TEXT = RuleText()
RULE: ValueType[RuleText] = ValueType(
    "words of a rule", expect_section(RuleText).read, lambda _: NO_RULE_TEXT, expect_section(RuleText).schema
)


class UncitedRuleText(RuleText):
    cite: Citation = declare_citation()


@dataclass(frozen=True, kw_only=True)
class BoundSyntax:
    bound: Bound
    sum: SumExpression


def declare_bounds() -> tuple[BoundSyntax, ...]:
    return group(
        _read_bounds, lambda: tuple(KeySpec(word, SUM, "the bound of the count", common=True) for word in BOUNDS), ()
    )


def _read_bounds(mapping: MappingReader, _: ParseContext) -> tuple[BoundSyntax, ...]:
    bounds = {}
    for word, bound in BOUNDS.items():
        node = mapping.get(word)
        if node is not None:
            bounds[bound] = read_sum(node)

    low, high = bounds.get(Bound.MIN), bounds.get(Bound.MAX)
    # Bounds with counts may cross in some lists only.
    if low and high and not low.summands and not high.summands and low.constant > high.constant:
        message = f"At least {low.constant} and at most {high.constant} cannot both hold."
        mapping.node.report("min-over-max", message, "Swap them.")
    return tuple(BoundSyntax(bound=bound, sum=total) for bound, total in bounds.items())


@dataclass(frozen=True, kw_only=True)
class PriceSyntax:
    cost: str
    price: PriceValue
    where: SourceLine
    when: ConditionExpression | None = None

    @property
    def is_plain(self) -> bool:
        return not self.when and not self.price.per


PRICE_SCHEMA = {
    "anyOf": [{"type": "number"}, {"type": "string", "pattern": r"^(free|[+−-]?\s*\d+(\.\d+)?(\s+(per|a|each)\s.+)?)$"}]
}
PRICE = expect_parsed("price", read_price, PriceValue(0), PRICE_SCHEMA)


def declare_prices() -> tuple[PriceSyntax, ...]:
    """Declare a key for each cost of the pack, and `prices` for conditional prices."""
    conditional: ValueType[Any] = ValueType("prices with `when`", TEXT.read, lambda _: (), {"$ref": "#/$defs/prices"})
    return group(
        _read_prices,
        lambda: (
            KeySpec(
                "points",
                PRICE,
                "the price; other costs are keys with their own names",
                misnomers=("cost", "price"),
                common=True,
            ),
            KeySpec("prices", conditional, "prices under a condition: `[{points: 3, when: ...}]`", common=True),
        ),
        (),
        open_ended=PRICE_SCHEMA,
    )


def _read_prices(mapping: MappingReader, context: ParseContext) -> tuple[PriceSyntax, ...]:
    prices = list(_read_costs(mapping, context))
    conditional = mapping.get("prices")
    for node in conditional.read_each() if conditional is not None else ():
        inner = MappingReader(node, "The conditional price")
        when = inner.need("when")
        costs = _read_costs(inner, context)
        if when is not None:
            condition = read_condition(when)
            prices += [replace(price, when=condition) for price in costs]
        inner.close()
    return tuple(prices)


def _read_costs(mapping: MappingReader, context: ParseContext) -> list[PriceSyntax]:
    return [
        PriceSyntax(cost=cost, price=PRICE.read(node, context), where=node.where)
        for cost in context.declared.costs
        if (node := mapping.get(cost.replace("-", " "))) is not None
    ]


# ---- what units and weapons have ----------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class AbilityUse:
    name: Reference
    parameter: str = ""
    when: ConditionExpression | None = None


def _read_ability_use(node: DocumentNode, _: object) -> AbilityUse | None:
    """Read `Command (2)`, or `{ability: Dodge (1), when: ...}`."""
    when, place = None, node
    if node.is_map:
        mapping = MappingReader(node, "The ability")
        place = mapping.need("ability") or node
        condition = mapping.get("when")
        when = read_condition(condition) if condition is not None else None
        mapping.close()
    if not place.is_text:
        return None
    name, parameter = read_parameter(place.read_text())
    return AbilityUse(name=Reference(name, place.where), parameter=parameter, when=when)


def _expect_abilities(*, split: bool) -> ValueType[tuple[AbilityUse, ...]]:
    uses = expect_list("abilities", _read_ability_use, {"$ref": "#/$defs/ability_use"}, split=split)
    return ValueType(
        uses.label,
        lambda node, context: tuple(use for use in uses.read(node, context) if use),
        lambda _: (),
        uses.schema,
    )


ABILITIES = _expect_abilities(split=False)
ABILITY_NAMES = _expect_abilities(split=True)


@dataclass(frozen=True, kw_only=True)
class CarriedItem:
    name: Reference
    count: int = 1


def _read_carried_item(node: DocumentNode, _: object) -> CarriedItem:
    count, name = read_times(node.read_text())
    return CarriedItem(name=Reference(name, node.where), count=count)


CARRIED = expect_list("weapons and gear", _read_carried_item, ONE_TEXT, split=True)


class UncheckedSyntax(Section):
    title = "The note"
    short = "text"

    code: str = key("code", TEXT, "a code for it in verdicts", "not-checked")
    text: str = key("text", TEXT, "the text")
    rule: str = key("rule", TEXT, "for a unit: the rule that this leaves open, which then counts as partly implemented")
    is_exception: bool = key(
        "exception", FLAG, "the unit may be exempt from that rule, so breaking it is only a warning for this unit"
    )
    cite: Citation = declare_citation()

    @classmethod
    def complete_values(cls, values: dict[str, Any], mapping: MappingReader, context: ParseContext) -> None:
        mapping.need("text")
        if values["is_exception"] and not values["rule"]:
            mapping.need("rule", "Name the rule that the unit may be excused from.")
