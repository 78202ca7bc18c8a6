"""Read units and their parts: models, options, choices and swaps."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from catalogue.documents.node import DocumentNode, MappingReader
from catalogue.documents.problems import MalformedValueError, suggest_names
from catalogue.documents.section import (
    FLAG,
    ONE_TEXT,
    TEXT,
    KeySpec,
    Section,
    ValueType,
    expect_pairs,
    expect_parsed,
    expect_sections,
    group,
    inline,
    key,
    need,
    read_section,
)
from catalogue.formats.packs.features.allowances.syntax import UnitAllowancesSyntax
from catalogue.formats.packs.features.commander.syntax import CountedTypeSyntax
from catalogue.formats.packs.features.guests.syntax import UnitGuestsSyntax
from catalogue.formats.packs.features.joins.syntax import UnitJoinsSyntax
from catalogue.formats.packs.syntax.base import (
    ABILITIES,
    ANY_NUMBER,
    CARRIED,
    CITE_KEY,
    CONDITION,
    HINT_BOUND,
    ID_KEY,
    NAME,
    NAMES,
    NO_RULE_TEXT,
    RANGE_SCHEMA,
    SUM,
    AbilityUse,
    BoundSyntax,
    CarriedItem,
    CommonValues,
    KeyNode,
    NamedSyntax,
    PriceSyntax,
    Reference,
    RuleText,
    UncheckedSyntax,
    UncitedRuleText,
    declare_bounds,
    declare_citation,
    declare_prices,
    expect_range,
    list_identity_keys,
    read_reference,
)
from catalogue.formats.packs.syntax.context import ParseContext
from catalogue.formats.packs.syntax.expressions import ConditionExpression, SumExpression
from catalogue.formats.packs.syntax.identity import EMBLEM
from catalogue.formats.packs.syntax.infos import ROWS, TableRow, expect_profile
from catalogue.formats.packs.syntax.rules import RULES, RuleSyntax
from catalogue.formats.packs.syntax.scalars import (
    EXACTLY_ONE,
    ONCE_AT_MOST,
    CountRange,
    PriceValue,
    make_id,
    read_price,
    read_range,
)

MAX_NESTING = 12
HINT_PART = "Start it with `option:`, `model:`, `choose:`, `swap:` or `list:`, or write `Name: price`."
HINT_LIMIT = "Write it as `limit: {roster: 2}`, or `limit: {roster: 2, detachment: 1}`."
LIMIT_SCOPES = ("roster", "detachment")
PROFILE = expect_profile("models")


def _read_limit_place(text: str) -> bool:
    if text == "roster":
        return True
    raise MalformedValueError(
        f"A part is not limited in “{text}”.", "Write `in: roster`, or leave it out.", "unknown-scope"
    )


def _read_per(text: str) -> tuple[int, str]:
    """Read `5 models` or `model`: how many allow one more."""
    amount, _, noun = text.strip().partition(" ")
    if not amount.isdecimal():
        amount, noun = "1", text
    if int(amount) == 0 or not noun.strip():
        raise MalformedValueError(f"“{text}” does not say per how many of what.", "Write it as `one per: 5 models`.")
    return int(amount), noun.strip()


class LimitSyntax(Section):
    """A conditional limit on a part, in the whole list if `in_roster`."""

    title = "The limit"

    bounds: tuple[BoundSyntax, ...] = declare_bounds()
    text: RuleText = inline(UncitedRuleText, UncitedRuleText())
    note: str = key("note", TEXT, "the footnote, instead of `text`")
    when: ConditionExpression | None = key("when", CONDITION, "the condition; without it, always", None)
    in_roster: bool = key(
        "in",
        expect_parsed("`roster`", _read_limit_place, False, {"enum": ["roster"]}),
        "counts all units of the list together",
    )

    @classmethod
    def complete_values(cls, values: dict[str, Any], mapping: MappingReader, context: ParseContext) -> None:
        if values["note"]:
            values["text"] = replace(values["text"], text=values["note"])
        if not values["bounds"]:
            mapping.node.report("missing-key", "The limit says no number.", HINT_BOUND)


@dataclass(frozen=True, kw_only=True)
class ProfileChangeSyntax:
    """A change of a profile value: `+1` and `-1` add, others replace."""

    column: Reference
    value: str


CHANGES = expect_pairs(
    "`column: value`",
    lambda name, value, _: ProfileChangeSyntax(column=read_reference(name), value=value.read_text()),
    ONE_TEXT,
)


def _read_default(node: DocumentNode, _: object) -> Reference | None:
    names = node.read_texts()
    if len(names) > 1:
        node.report("two-defaults", "Only one of the choices can be the default.", "Keep one of them.")
    return read_reference(names[0]) if names else None


DEFAULT: ValueType[Reference | None] = ValueType("name", _read_default, lambda _: None, ONE_TEXT)


# ---- parts --------------------------------------------------------------------------------------------------------


def _expect_parts(label: str, plain: str) -> "ValueType[tuple[PartSyntax, ...]]":
    def read_parts(node: DocumentNode, context: ParseContext) -> "tuple[PartSyntax, ...]":
        parts = (_read_part(item, context, plain) for item in node.read_each())
        return tuple(part for part in parts if part is not None)

    return ValueType(label, read_parts, lambda _: (), {"type": "array", "items": {"$ref": "#/$defs/part"}})


OPTIONS = _expect_parts("list of options", "option")
MODELS = _expect_parts("list of models", "model")


class PartSyntax(NamedSyntax):
    """An option, model, choice, swap or use of a shared list (`kind`) inside a unit.

    `range` is how many may be taken, `explicit` whether the pack says so. `per` (amount, noun) lets the maximum grow.
    `by` are the models that may swap. The unit counts as the type `counts_as` once this is taken, with `by_leave` only
    with the commander's permission.
    """

    kind: str = ""
    range: CountRange = ONCE_AT_MOST
    explicit: bool = False
    per: tuple[int, Reference] | None = None
    prices: tuple[PriceSyntax, ...] = ()
    default: Reference | None = None
    note: str = ""
    text: str = ""
    row: TableRow | None = None
    rows: tuple[TableRow, ...] = ()
    abilities: tuple[AbilityUse, ...] = ()
    carries: tuple[CarriedItem, ...] | None = None
    keywords: tuple[Reference, ...] = ()
    parts: "tuple[PartSyntax, ...]" = ()
    only_when: ConditionExpression | None = key("only when", CONDITION, "it may be taken only then", None, common=True)
    limits: tuple[LimitSyntax, ...] = key(
        "limits",
        expect_sections(LimitSyntax),
        "such as `[{at most: 1, when: at least 3 weapons, note: ...}]`",
        common=True,
    )
    not_with: tuple[Reference, ...] = key(
        "not with", NAMES, "it excludes these options of the unit, or units of the list", common=True
    )
    needs: tuple[Reference, ...] = key(
        "needs", NAMES, "it requires these options of the unit, or units of the list", common=True
    )
    removes: tuple[Reference, ...] = ()
    changes: tuple[ProfileChangeSyntax, ...] = ()
    replaces: Reference | None = None
    counts_as: Reference | None = None
    by: tuple[Reference, ...] = ()
    whole_unit: bool = False
    target: Reference | None = None
    hidden: bool = False
    by_leave: bool = False


def _declare_amount(default: CountRange) -> CountRange:
    def read_amount(mapping: MappingReader, _: ParseContext) -> CountRange:
        up_to, count = mapping.get("up to"), mapping.get("count")
        if up_to is not None:
            return CountRange(0, up_to.read(read_range, default).high)
        if "one per" in mapping:
            return CountRange(0, 0)
        return count.read(read_range, default) if count is not None else default

    return group(
        read_amount,
        lambda: (
            KeySpec("count", expect_range(default), "how many; by default 1 for a model, up to 1 for an option"),
            KeySpec("up to", expect_range(default), "at most this many"),
        ),
        default,
    )


def _read_per_noun(node: DocumentNode, _: object) -> tuple[int, Reference]:
    amount, noun = node.read(_read_per, (1, ""))
    return amount, Reference(noun, node.where)


PER: ValueType[tuple[int, Reference] | None] = ValueType("`5 models`", _read_per_noun, lambda _: None, ONE_TEXT)


class OptionSyntax(CountedTypeSyntax, PartSyntax):
    """An option: `Storm lantern: {points: +2}`, or with the key `option:`."""

    title = "The option"
    name_key = "option"

    kind: str = "option"
    range: CountRange = _declare_amount(ONCE_AT_MOST)
    per: tuple[int, Reference] | None = key("one per", PER, "such as `one per: 5 models`")
    prices: tuple[PriceSyntax, ...] = declare_prices()
    note: str = key("note", TEXT, "a footnote")
    text: str = key("text", TEXT, "what it does, in our own words")
    row: TableRow | None = key("profile", PROFILE, "its figures", misnomers=("stats", "statline"))
    rows: tuple[TableRow, ...] = key("tables", ROWS, "rows of further tables")
    abilities: tuple[AbilityUse, ...] = key("abilities", ABILITIES, "its abilities")
    carries: tuple[CarriedItem, ...] | None = key(
        "carries",
        CARRIED,
        "or `gives`: weapons and gear; by default an option gives the weapon or gear with its name",
        None,
        alias="gives",
        misnomers=("weapons", "gear", "equipment"),
    )
    keywords: tuple[Reference, ...] = key("keywords", NAMES, "its keywords")
    removes: tuple[Reference, ...] = key("removes", NAMES, "gear or abilities that it removes")
    changes: tuple[ProfileChangeSyntax, ...] = key(
        "changes",
        CHANGES,
        "changed figures of the profiles: `{AV: +1, WP: 3+}`; a value with a sign is added (to the first of"
        " two figures such as `14/2`), any other value replaces the figure",
    )
    parts: tuple[PartSyntax, ...] = key("options", OPTIONS, "options inside it; each model chooses separately")

    @classmethod
    def read_common_keys(cls, mapping: MappingReader, context: ParseContext, under: KeyNode) -> CommonValues:
        if under is None:
            name, own_id = cls.read_identity(mapping, under)
        else:
            name = under.read_text()
            own_id = mapping.read_text("id") or make_id(name)
        if name:
            mapping.title = f"“{name}”"
        part_id = f"{context.path}/{own_id}"
        cite = context.read_citation(mapping)
        return {"id": part_id, "name": name, "cite": cite}, replace(context.enter(cite, name), path=part_id)

    @classmethod
    def complete_values(cls, values: dict[str, Any], mapping: MappingReader, context: ParseContext) -> None:
        # Members of a choice have no limits of their own by default.
        values["explicit"] = any(word in mapping for word in ("up to", "one per", "count"))
        if "up to" in mapping:
            values["per"] = None


class ModelSyntax(OptionSyntax):
    title = "The model"
    name_key = "model"

    kind: str = "model"
    range: CountRange = _declare_amount(EXACTLY_ONE)


class GroupSyntax(PartSyntax):
    """A group without a name is left out of its members' ids."""

    members_key: ClassVar[str]

    note: str = key("note", TEXT, "a footnote")

    @classmethod
    def describe_unnamed(cls, mapping: MappingReader) -> str:
        raise NotImplementedError

    @classmethod
    def read_common_keys(cls, mapping: MappingReader, context: ParseContext, under: KeyNode) -> CommonValues:
        otherwise = cls.describe_unnamed(mapping)
        name = mapping.read_text("name")
        own_id = mapping.read_text("id") or make_id(name)
        group_id = path = f"{context.path}/{own_id}"
        if not own_id:
            members = mapping.get(cls.members_key)
            first = next(iter(members.read_each()), None) if members is not None else None
            group_id = f"{context.path}/{make_id(otherwise)}-{make_id(_name_first_member(first))}"
            path = context.path
        cite = context.read_citation(mapping)
        name = name or otherwise
        return {"id": group_id, "name": name, "cite": cite}, replace(context.enter(cite, name), path=path)

    @classmethod
    def list_common_keys(cls) -> tuple[KeySpec, ...]:
        return (
            KeySpec("name", TEXT, "its name; without one it is not part of the ids of its members"),
            ID_KEY,
            CITE_KEY,
        )


class ChoiceSyntax(GroupSyntax):
    """`choose: one` is required, `choose: up to one` is not."""

    title = "The choice"
    members_key = "from"

    kind: str = "choice"
    explicit: bool = True
    range: CountRange = key("choose", expect_range(ONCE_AT_MOST), "how many")
    default: Reference | None = key("default", DEFAULT, "the part that the list has until the player takes another")
    parts: tuple[PartSyntax, ...] = need("from", OPTIONS, "the parts to choose from")

    @classmethod
    def describe_unnamed(cls, mapping: MappingReader) -> str:
        return f"Choose {mapping.read_text('choose')}"


class SharedListSyntax(ChoiceSyntax):
    title = "The shared list"
    name_key = "list"

    @classmethod
    def read_common_keys(cls, mapping: MappingReader, context: ParseContext, under: KeyNode) -> CommonValues:
        name, list_id = cls.read_identity(mapping, under)
        cite = context.read_citation(mapping)
        return {"id": list_id, "name": name, "cite": cite}, replace(context.enter(cite, name), path=list_id)

    @classmethod
    def list_common_keys(cls) -> tuple[KeySpec, ...]:
        return list_identity_keys(cls)


class SwapSyntax(GroupSyntax):
    """A swap of things carried by the model around it or by the unit."""

    title = "The swap"
    members_key = "for"

    kind: str = "swap"
    replaces: Reference | None = need("swap", NAME, "a weapon or gear that is carried", None)
    range: CountRange = key(
        "at most", expect_range(EXACTLY_ONE), "at most this many swaps; by default any number", ANY_NUMBER
    )
    by: tuple[Reference, ...] = key("by", NAMES, "the models that may swap; by default all")
    whole_unit: bool = key("whole unit", FLAG, "all or none; then a price is usually `+3 per model`")
    parts: tuple[PartSyntax, ...] = need("for", OPTIONS, "replacements, with the difference in price")

    @classmethod
    def describe_unnamed(cls, mapping: MappingReader) -> str:
        return f"Instead of {mapping.read_text('swap')}"

    @classmethod
    def complete_values(cls, values: dict[str, Any], mapping: MappingReader, context: ParseContext) -> None:
        values["range"] = CountRange(0, values["range"].high)
        values["explicit"] = "at most" in mapping


class ListUseSyntax(PartSyntax):
    title = "The list"

    kind: str = "list"
    target: Reference | None = need("list", NAME, "the name of a list under `lists:`", None)
    range: CountRange = key("choose", expect_range(ANY_NUMBER), "a smaller number to choose than in the list")

    @classmethod
    def read_common_keys(cls, mapping: MappingReader, context: ParseContext, under: KeyNode) -> CommonValues:
        name = mapping.read_text("list")
        return {"id": f"{context.path}/{make_id(name)}", "name": name, "cite": context.cite}, context

    @classmethod
    def complete_values(cls, values: dict[str, Any], mapping: MappingReader, context: ParseContext) -> None:
        values["explicit"] = "choose" in mapping

    @classmethod
    def list_common_keys(cls) -> tuple[KeySpec, ...]:
        return ()


PART_KINDS: dict[str, type[PartSyntax]] = {
    "option": OptionSyntax,
    "model": ModelSyntax,
    "choose": ChoiceSyntax,
    "swap": SwapSyntax,
    "list": ListUseSyntax,
}


def _read_part(node: DocumentNode, context: ParseContext, plain: str) -> PartSyntax | None:
    # Far below the limit of the YAML reader, because pages must display it.
    if context.path.count("/") > MAX_NESTING:
        node.report("too-deep", "Parts are nested too deeply.", "Make the unit flatter.")
        return None
    if node.is_text and not node.is_empty:
        return _read_short_part(node, None, context, plain)
    if not node.is_map:
        node.report("wrong-type", "An option is missing here.", HINT_PART)
        return None

    # The long form has a key for its kind. Any other single key is a name.
    pairs = list(node.read_pairs())
    for name, _ in pairs:
        kind = PART_KINDS.get(name.read_text().lower())
        if kind is not None:
            return read_section(kind, node, context)
    if len(pairs) == 1:
        return _read_short_part(*pairs[0], context, plain)
    node.report("wrong-form", "It is not clear what this part is.", HINT_PART)
    return None


def _read_short_part(name: DocumentNode, value: DocumentNode | None, context: ParseContext, plain: str) -> PartSyntax:
    """Read `Name`, `Name: +2` (option), `Name: 5-8` (model), or `Name:` with the long form."""
    kind = PART_KINDS[plain]
    if value is not None and value.is_map:
        return read_section(kind, value, context, under=name)
    part_id = make_id(name.read_text())
    if not part_id:
        name.report("bad-id", f"No id can be made from the name “{name.read_text()}”.", "Write `option:` with `id:`.")
    part = kind(id=f"{context.path}/{part_id}", name=name.read_text(), where=name.where, cite=context.cite)
    if plain == "model":
        amount = EXACTLY_ONE if value is None else value.read(read_range, EXACTLY_ONE)
        return replace(part, range=amount, explicit=True)
    # Without points, `Name:` is a free option.
    if value is None or (value.is_empty and "points" not in context.declared.costs):
        return part
    # `Name: +2` is in the game's first cost.
    cost = next(iter(context.declared.costs), "points")
    price = value.read(read_price, PriceValue(0))
    return replace(part, prices=(PriceSyntax(cost=cost, price=price, where=value.where),))


def _name_first_member(node: DocumentNode | None) -> str:
    if node is None or node.is_list:
        return ""
    if node.is_text:
        return node.read_text()
    name, value = next(node.read_pairs(), (node.replace_text(""), node))
    is_long = value.is_text and name.read_text().lower() in PART_KINDS
    return value.read_text() if is_long else name.read_text()


# ---- units --------------------------------------------------------------------------------------------------------


class UnitLimitSyntax(Section):
    title = "The limit"

    count: SumExpression = need("count", SUM, "what is counted")
    bounds: tuple[BoundSyntax, ...] = declare_bounds()
    when: ConditionExpression | None = key("when", CONDITION, "the condition; without it, always", None)
    note: str = key("note", TEXT, "the footnote")
    cite: Any = declare_citation()

    @classmethod
    def complete_values(cls, values: dict[str, Any], mapping: MappingReader, context: ParseContext) -> None:
        if not values["bounds"]:
            mapping.node.report("missing-key", "The limit says no number.", HINT_BOUND)

    def make_rule(self, rule_id: str, words: RuleText) -> RuleSyntax:
        return RuleSyntax(
            id=rule_id,
            name=words.name,
            where=self.where,
            cite=self.cite,
            text=replace(words, text=self.note or words.text, cite=self.cite),
            count=self.count,
            bounds=self.bounds,
            scope="unit",
            when=self.when,
        )


def _read_scope_limits(node: DocumentNode, _: object) -> tuple[tuple[str, int], ...]:
    limits = []
    for name, value in node.read_pairs("how many per `roster` or `detachment`", HINT_LIMIT):
        if name.read_text() in LIMIT_SCOPES:
            limits.append((name.read_text(), value.read(read_range, EXACTLY_ONE).high or 0))
        else:
            hint = suggest_names(name.read_text(), LIMIT_SCOPES)
            name.report("unknown-scope", f"A unit is not limited per “{name.read_text()}”.", hint)
    return tuple(limits)


SCOPE_LIMITS: ValueType[tuple[tuple[str, int], ...]] = ValueType(
    "`roster` or `detachment`: how many",
    _read_scope_limits,
    lambda _: (),
    {"type": "object", "properties": dict.fromkeys(LIMIT_SCOPES, RANGE_SCHEMA), "additionalProperties": False},
)


class UnitSyntax(UnitAllowancesSyntax, UnitGuestsSyntax, UnitJoinsSyntax, NamedSyntax):
    title = "The unit"
    name_key = "unit"
    cite_required = True

    faction: str = ""
    file: str = ""
    type: Reference | None = need("type", NAME, "one of the types of pack.yaml", None)
    keywords: tuple[Reference, ...] = key("keywords", NAMES, "its keywords")
    prices: tuple[PriceSyntax, ...] = declare_prices()
    about: str = key("about", TEXT, "what it is, in our own words")
    emblem: str = key("emblem", EMBLEM, "its emblem, one of the bundled icons; by default its type's")
    row: TableRow | None = key("profile", PROFILE, "the row of a single-model unit", misnomers=("stats", "statline"))
    rows: tuple[TableRow, ...] = key(
        "tables", ROWS, "rows of further tables: `damage: {4 to 5 left: [Fires two weapons at most]}`"
    )
    carries: tuple[CarriedItem, ...] = key(
        "carries",
        CARRIED,
        "weapons and gear of the unit as a whole, or of its only model",
        misnomers=("weapons", "gear", "equipment"),
    )
    abilities: tuple[AbilityUse, ...] = key("abilities", ABILITIES, "abilities of the unit")
    models: tuple[PartSyntax, ...] = key("models", MODELS, "its models; not needed for a single model")
    options: tuple[PartSyntax, ...] = key("options", OPTIONS, "its options")
    units: CountRange = key(
        "units",
        expect_range(EXACTLY_ONE),
        "`1-2`: up to two such units as one choice, each with its own options and price, and a separate "
        "unit in the game plan",
    )
    unique: bool = key("unique", FLAG, "at most one in a list")
    limit: tuple[tuple[str, int], ...] = key("limit", SCOPE_LIMITS, "such as `{roster: 2, detachment: 1}`")
    only_when: ConditionExpression | None = key(
        "only when",
        CONDITION,
        "for the whole unit, counted in its detachment. The wording names what it needs, then what it bars:"
        " “Only with Pike Bailiffs.”, “Not with Punt Crew.”",
        None,
    )
    rules: tuple[RuleSyntax, ...] = key("rules", RULES, "rules for this unit only, with their own ids")
    limits: tuple[UnitLimitSyntax, ...] = key(
        "limits",
        expect_sections(UnitLimitSyntax),
        "footnotes about counts in the unit: `[{count: tar pots, at most: 2, when: ..., note: ...}]`",
    )
    unchecked: tuple[UncheckedSyntax, ...] = key(
        "unchecked",
        expect_sections(UncheckedSyntax, "list of texts, or of notes"),
        "what is not checked about it, so that a judge checks lists with it; `{code: at-table, text: ...}` "
        "for what only matters at the table; with `rule: id` that rule counts as partly implemented, with "
        "`exception: yes` breaking it is only a warning for this unit",
    )
    provisional: str = key(
        "provisional",
        TEXT,
        "a sentence about figures from another source, shown with every verdict. In a file: for all its units",
    )

    @classmethod
    def read_common_keys(cls, mapping: MappingReader, context: ParseContext, under: KeyNode) -> CommonValues:
        values, context = super().read_common_keys(mapping, context, under)
        unit_id = values["id"]
        # If a selection holds several units, their options are below the unit, not the selection.
        path = f"{unit_id}/unit" if "units" in mapping else unit_id
        values |= {"faction": context.faction, "file": context.file}
        return values, replace(context, path=path, rule_path=unit_id, scope="unit")

    @classmethod
    def complete_values(cls, values: dict[str, Any], mapping: MappingReader, context: ParseContext) -> None:
        values["provisional"] = values["provisional"] or context.provisional
        # Footnotes have no rule name in print, so they use the built-in rule's name.
        words = context.declared.texts.get("footnote", NO_RULE_TEXT)
        for number, limit in enumerate(values["limits"], 1):
            values["rules"] += (limit.make_rule(f"{values['id']}/limit-{number}", words),)
