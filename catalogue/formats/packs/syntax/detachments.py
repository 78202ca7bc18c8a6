"""Read detachments with their slots, and presets."""

from catalogue.definitions.numbers import Number
from catalogue.documents.node import DocumentNode, MappingReader
from catalogue.documents.problems import suggest_names
from catalogue.documents.section import NUMBER, TEXT, ValueType, expect_named_sections, expect_section, key, need
from catalogue.formats.packs.features.allowances.syntax import AllowancesSyntax
from catalogue.formats.packs.features.common_keyword.syntax import CommonKeywordSyntax
from catalogue.formats.packs.features.slot_exceptions.syntax import SlotExceptionsSyntax
from catalogue.formats.packs.pack import Preset
from catalogue.formats.packs.syntax.base import (
    ANY_NUMBER,
    NAME,
    NAMES,
    NO_RULE_TEXT,
    RULE,
    CommonValues,
    KeyNode,
    NamedSyntax,
    PriceSyntax,
    Reference,
    RuleText,
    declare_prices,
    expect_range,
    read_reference,
)
from catalogue.formats.packs.syntax.context import ParseContext
from catalogue.formats.packs.syntax.rules import DETACHMENT_RULES, RULES, RuleSyntax, expect_rule_words
from catalogue.formats.packs.syntax.scalars import CountRange


class SlotSyntax(SlotExceptionsSyntax):
    title = "The slot"
    short = "units"

    name: str = ""
    of: Reference = key("of", NAME, "the type or keyword that fills it; by default its name")
    range: CountRange = key("units", expect_range(ANY_NUMBER), "how many")

    @classmethod
    def read_common_keys(cls, mapping: MappingReader, context: ParseContext, under: KeyNode) -> CommonValues:
        assert under is not None  # noqa: S101 - slots with keys are read from a mapping
        mapping.title = f"The slot “{under.read_text()}”"
        of = mapping.get("of")
        name = "" if mapping.is_lone else under.read_text()
        return {"name": name, "of": read_reference(of if of is not None else under)}, context


def _read_slots(node: DocumentNode, context: ParseContext) -> tuple[SlotSyntax, ...]:
    """Read a list of types, `type: how many`, or `Slot name: {of: type or keyword, units: how many}`."""
    if node.is_map:
        return NAMED_SLOTS.read(node, context)
    return tuple(SlotSyntax(of=read_reference(slot), where=slot.where) for slot in node.read_texts())


NAMED_SLOTS = expect_named_sections(SlotSyntax)
SLOTS: ValueType[tuple[SlotSyntax, ...]] = ValueType(
    "types, or `type: how many`, or named slots",
    _read_slots,
    lambda _: (),
    {"anyOf": [NAMES.schema, NAMED_SLOTS.schema]},
)


class DetachmentSyntax(NamedSyntax):
    title = "The detachment"
    name_key = "detachment"
    cite_required = True

    text: str = key("text", TEXT, "what it is, in our own words")
    prices: tuple[PriceSyntax, ...] = declare_prices()
    slots: tuple[SlotSyntax, ...] = need(
        "slots",
        SLOTS,
        "the types it takes: a list, or `core: 2-4`, or a slot with a name: `Light craft: {of: vanguard, units: 0-2}`",
    )
    slot_text: RuleText = key(
        "slot rule", RULE, "the rule about the slots; units of a type without a slot break it, too", NO_RULE_TEXT
    )
    count: CountRange = key("count", expect_range(ANY_NUMBER), "how many of this kind a list may have")
    count_text: RuleText = key("count rule", RULE, "the rule about `count`", NO_RULE_TEXT)
    allowances: AllowancesSyntax | None = key(
        "allowances", expect_section(AllowancesSyntax), "the rules about what units allow", None
    )
    common: CommonKeywordSyntax | None = key(
        "common keyword",
        expect_section(CommonKeywordSyntax),
        "all its units must share one of the `faction keywords`",
        None,
    )
    rules: tuple[RuleSyntax, ...] = key("rules", RULES, "rules of this kind of detachment")
    texts: dict[str, RuleText] = key(
        "built in rules", expect_rule_words(DETACHMENT_RULES), "its own wording for built-in rules"
    )
    factions: tuple[Reference, ...] = key("factions", NAMES, "the factions that may use it; by default all")


def _read_detachment_kinds(node: DocumentNode, context: ParseContext) -> tuple[str, ...]:
    detachment_ids = context.declared.detachment_ids
    kinds = []
    for item in node.read_texts():
        if item.read_text() in detachment_ids:
            kinds.append(item.read_text())
        else:
            hint = suggest_names(item.read_text(), detachment_ids)
            item.report("unknown-detachment", f"There is no detachment “{item.read_text()}”.", hint)
    return tuple(kinds)


DETACHMENT_KINDS: ValueType[tuple[str, ...]] = ValueType(
    "ids of detachments", _read_detachment_kinds, lambda _: (), NAMES.schema
)


def _read_preset_limits(node: DocumentNode, context: ParseContext) -> dict[str, Number]:
    limits: dict[str, Number] = {}
    for name, value in node.read_pairs():
        if name.read_text() in context.declared.costs:
            limits[name.read_text()] = value.read_number()
        else:
            hint = suggest_names(name.read_text(), context.declared.costs)
            name.report("unknown-cost", f"There is no cost “{name.read_text()}”.", hint)
    return limits


PRESET_LIMITS: ValueType[dict[str, Number]] = ValueType(
    "`cost: number`", _read_preset_limits, lambda _: {}, {"type": "object", "additionalProperties": NUMBER.schema}
)


class PresetSyntax(NamedSyntax):
    title = "The preset"
    name_key = "preset"
    identity_keys = ("id",)
    definition = Preset

    limits: dict[str, Number] = key("limits", PRESET_LIMITS, "such as `{points: 90}`")
    text: str = key("text", TEXT, "what it is, in our own words")
    detachments: tuple[str, ...] = key("detachments", DETACHMENT_KINDS, "the kinds of detachment to start with")
