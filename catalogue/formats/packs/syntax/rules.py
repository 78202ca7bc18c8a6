"""Read rules as data, and list the built-in rules."""

from dataclasses import replace
from typing import Any, NamedTuple

from catalogue.definitions.constraints import Stage
from catalogue.definitions.rule_codes import RuleCode
from catalogue.documents.node import DocumentNode, MappingReader
from catalogue.documents.problems import MalformedValueError, suggest_names
from catalogue.documents.section import KeySpec, ValueType, expect_parsed, expect_sections, inline, key, list_keys, need
from catalogue.formats.packs.features.sets_by_name.syntax import MixedRuleSyntax
from catalogue.formats.packs.syntax.base import (
    CONDITION,
    HINT_BOUND,
    NAMES,
    NO_RULE_TEXT,
    RULE,
    SUM,
    BoundSyntax,
    CommonValues,
    KeyNode,
    NamedSyntax,
    Reference,
    RuleText,
    declare_bounds,
    expect_word,
)
from catalogue.formats.packs.syntax.context import ParseContext
from catalogue.formats.packs.syntax.expressions import ConditionExpression, SumExpression
from catalogue.formats.packs.syntax.scalars import make_id

ADD_ONS = "add-ons"
"""Means all types of add-on."""
UNITS = "units"

BUILTIN_RULES = (
    "size min",
    "size max",
    "option once",
    "option limit",
    "choose one",
    "choose several",
    "choose at least",
    "swap",
    "swap at most",
    "footnote",
    "only when",
    "not with",
    "needs",
    "unique",
    "limit per roster",
    "limit per detachment",
    "units in selection",
    "add-on quantity",
    "add-on one kind",
    "add-on size",
    "deck size",
    "deck limit",
    "card copies",
    "card needs",
    "planned unit",
    "planned mission",
    "planned side",
)
"""These follow from keys of units, options, decks and plans."""


class PlacementRule(NamedTuple):
    name: str
    code: RuleCode
    subject: str = ""
    place: str = ""


PLACEMENT_RULES = (
    PlacementRule("add-on alone", RuleCode.WRONG_PLACE, ADD_ONS, "force"),
    PlacementRule("add-on quantity", RuleCode.WRONG_PLACE, ADD_ONS),
    PlacementRule("units in selection", RuleCode.WRONG_PLACE, UNITS, "own"),
    PlacementRule("one entry per selection", RuleCode.WRONG_PLACE, UNITS, "selection"),
    PlacementRule("joined elsewhere", RuleCode.WRONG_PLACE, UNITS, "selection"),
    PlacementRule("unknown unit", RuleCode.UNKNOWN_ENTRY, place="force"),
    PlacementRule("unknown option", RuleCode.UNKNOWN_ENTRY),
    PlacementRule("outside detachments", RuleCode.OUTSIDE_DETACHMENT),
    PlacementRule("no completion", RuleCode.NO_COMPLETION),
    PlacementRule("no completion for unmet demands", RuleCode.NO_COMPLETION, place="unmet demands"),
    PlacementRule("no completion for demands", RuleCode.NO_COMPLETION, place="demands"),
)

DETACHMENT_RULES = tuple(rule.name for rule in PLACEMENT_RULES if rule.name not in BUILTIN_RULES)
"""Built-in rules that detachments may word, and that may be narrowed to a type or keyword."""

FOREIGN = "foreign "
"""Prefix of rules about another faction's type, or `ANY_FOREIGN`."""
ANY_FOREIGN = ("unit", "card")
NARROWED = " of "
"""Separates a rule from the type or keyword that narrows it."""

# ---- rules that packs write -----------------------------------------------------------------------------------------

RULE_SCOPES = ("roster", "detachment", "unit", "card")


def _read_scope(text: str) -> str:
    word = {"list": "roster", "force": "roster"}.get(text, text)
    if word in RULE_SCOPES:
        return word
    raise MalformedValueError(
        f"A rule cannot be in “{text}”.", "Write roster, detachment, unit or card.", "unknown-scope"
    )


SCOPE = expect_parsed(
    "`roster`, `detachment`, `unit` or `card`", _read_scope, "", {"enum": [*RULE_SCOPES, "list", "force"]}
)


class RuleSyntax(MixedRuleSyntax, NamedSyntax):
    """A rule about a count. `of` narrows its scope."""

    title = "The rule"
    name_key = "rule"
    identity_keys = ()

    text: RuleText = inline(RuleText, NO_RULE_TEXT)
    count: SumExpression = need("count", SUM, "what is counted")
    bounds: tuple[BoundSyntax, ...] = declare_bounds()
    scope: str = key("in", SCOPE, "where it is counted; by default `detachment` in pack.yaml and in detachments")
    of: tuple[Reference, ...] = key(
        "of", NAMES, "the detachments, or the types, keywords or units, that it covers; for cards, the keywords"
    )
    for_each: tuple[Reference, ...] = key(
        "for each", NAMES, "makes a rule for each of these; `each` refers to it in `count` and in bounds"
    )
    when: ConditionExpression | None = key("when", CONDITION, "the condition; without it, always", None)
    stage: Stage = key(
        "stage",
        expect_word(Stage.LIST, "The stage at which a rule is judged"),
        "when it can be checked; `match` and `setup` need a game plan",
    )

    @classmethod
    def read_common_keys(cls, mapping: MappingReader, context: ParseContext, under: KeyNode) -> CommonValues:
        node = mapping.need("rule", "Add `rule:` with an id of its own, as `rule: my-game-columns`.")
        rule_id = node.read_text() if node is not None else ""
        if rule_id:
            mapping.title = f"{cls.title} “{rule_id}”"
        mapping.need("name", "Add `name:`, a heading of a few words.")
        mapping.need("text", "Add `text:`, one sentence in your own words.")
        return {"id": f"{context.rule_path}/{rule_id}" if context.rule_path else rule_id}, context

    @classmethod
    def complete_values(cls, values: dict[str, Any], mapping: MappingReader, context: ParseContext) -> None:
        values["name"], values["cite"] = values["text"].name, values["text"].cite
        values["scope"] = values["scope"] or context.scope
        if not values["bounds"]:
            mapping.node.report("missing-key", f"{mapping.title} has no bound.", HINT_BOUND)

    @classmethod
    def list_common_keys(cls) -> tuple[KeySpec, ...]:
        return tuple(replace(spec, required=True) for spec in list_keys(RuleText)[:3])


RULES = expect_sections(RuleSyntax, "list of rules")


# ---- words of rules that follow from what units say ---------------------------------------------------------------


def expect_rule_words(names: tuple[str, ...]) -> ValueType[dict[str, RuleText]]:
    """Return the type of wording by built-in rule: `known`, foreign or narrowed."""

    def read_texts(node: DocumentNode, context: ParseContext) -> dict[str, RuleText]:
        types, kinds = context.declared.types, {*context.declared.types, *context.declared.keywords}
        texts = {}
        for name, value in node.read_pairs():
            word = name.read_text().lower()
            foreign = word.removeprefix(FOREIGN) if word.startswith(FOREIGN) else ""
            is_foreign = foreign in ANY_FOREIGN or make_id(foreign) in types
            base, _, kind = word.partition(NARROWED)
            is_narrowed = base in DETACHMENT_RULES and make_id(kind) in kinds
            if word in names or is_foreign or is_narrowed:
                texts[word] = RULE.read(value, context)
            else:
                hint = suggest_names(word, names)
                name.report("unknown-key", f"There is no built-in rule “{word}”.", hint)
        return texts

    schema = {"type": "object", "properties": dict.fromkeys(names, RULE.schema), "additionalProperties": RULE.schema}
    return ValueType("`name: words of a rule`", read_texts, lambda _: {}, schema)
