"""Rules as data: what is counted, how it is limited, where and when; and the inventory of the book's rules."""

import re
from dataclasses import replace
from typing import Any, NamedTuple

from catalogue.definitions.constraints import Stage
from catalogue.definitions.rule_codes import RuleCode
from catalogue.definitions.rulebook import RuleKind, RuleStage
from catalogue.documents.node import DocumentNode, MappingReader
from catalogue.documents.problems import MalformedValueError, suggest_names
from catalogue.documents.section import (
    FLAG,
    TEXT,
    KeySpec,
    Section,
    ValueType,
    expect_named_sections,
    expect_parsed,
    expect_sections,
    inline,
    key,
    list_keys,
    need,
)
from catalogue.formats.packs.syntax.base import (
    CITATION,
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
"""Stands for every type of add-on."""
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
"""What follows from the keys of units, options, decks and plans."""


class PlacementRule(NamedTuple):
    """A built-in rule about what is where it should not be: the rule kind that reports it, of what, and where."""

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
    PlacementRule("no completion for demands", RuleCode.NO_COMPLETION, place="demands"),
)

DETACHMENT_RULES = tuple(rule.name for rule in PLACEMENT_RULES if rule.name not in BUILTIN_RULES)
"""Those for which a kind of detachment may have words of its own, and which may be narrowed to a type or keyword."""

FOREIGN = "foreign "
"""Begins the names of built-in rules about what is of another faction: a type, or one of `ANY_FOREIGN`."""
ANY_FOREIGN = ("unit", "card")
NARROWED = " of "
"""Stands between the name of one of `DETACHMENT_RULES` and the type or keyword that the words are for."""

# ---- rules that packs write -----------------------------------------------------------------------------------------

RULE_SCOPES = ("roster", "detachment", "unit", "card")
CLAUSE_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


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


class RuleSyntax(NamedSyntax):
    """A rule of the game as a comparison. `scope` is roster, detachment, unit or card; `of` narrows it."""

    title = "The rule"
    name_key = "rule"
    identity_keys = ()

    text: RuleText = inline(RuleText, NO_RULE_TEXT)
    count: SumExpression = need("count", SUM, "what is counted")
    bounds: tuple[BoundSyntax, ...] = declare_bounds()
    scope: str = key("in", SCOPE, "where it is counted; in pack.yaml and in detachments the default is `detachment`")
    of: tuple[Reference, ...] = key(
        "of", NAMES, "which detachments, or which types, keywords or units; of cards, which keywords"
    )
    for_each: tuple[Reference, ...] = key(
        "for each", NAMES, "made once for each of these; `each` stands for it in `count` and in bounds"
    )
    mixed: bool = key("mixed", FLAG, "holds only while units of two entries of the set in `for each` are taken")
    when: ConditionExpression | None = key("when", CONDITION, "holds only then", None)
    stage: Stage = key(
        "stage",
        expect_word(Stage.LIST, "The stage at which a rule is judged"),
        "when it can be judged; `match` and `setup` need a game plan",
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


def expect_rule_words(known: tuple[str, ...]) -> ValueType[dict[str, RuleText]]:
    """Return the type of the words of built-in rules by their name, which is one of `known`."""

    def read_texts(node: DocumentNode, context: ParseContext) -> dict[str, RuleText]:
        texts = {}
        for name, value in node.read_pairs():
            word = name.read_text().lower()
            if word in known or _is_foreign(word, context) or _is_narrowed(word, context):
                texts[word] = RULE.read(value, context)
            else:
                hint = suggest_names(word, known)
                name.report("unknown-key", f"There is no built-in rule “{word}”.", hint)
        return texts

    schema = {"type": "object", "properties": dict.fromkeys(known, RULE.schema), "additionalProperties": RULE.schema}
    return ValueType("`name: words of a rule`", read_texts, lambda _: {}, schema)


def _is_foreign(name: str, context: ParseContext) -> bool:
    foreign = name.removeprefix(FOREIGN) if name.startswith(FOREIGN) else ""
    return foreign in ANY_FOREIGN or make_id(foreign) in context.declared.types


def _is_narrowed(name: str, context: ParseContext) -> bool:
    """Whether it is a rule about what is where it should not be, narrowed to a type or keyword."""
    base, _, what = name.partition(NARROWED)
    known = {*context.declared.types, *context.declared.keywords}
    return base in DETACHMENT_RULES and make_id(what) in known


# ---- the inventory ------------------------------------------------------------------------------------------------


class ClauseSyntax(Section):
    """A clause of a rule. `open`: why it is not carried out yet."""

    title = "The clause"
    short = "text"

    id: str
    text: str = need("text", TEXT, "what can be broken by itself")
    open: str = key("open", TEXT, "why it is not carried out yet")

    @classmethod
    def read_common_keys(cls, mapping: MappingReader, context: ParseContext, under: KeyNode) -> CommonValues:
        assert under is not None  # noqa: S101 - clauses are read from a mapping
        if CLAUSE_ID.fullmatch(under.read_text()) is None:
            under.report(
                "wrong-form",
                f"“{under.read_text()}” is not the id of a clause.",
                "Use small letters, digits and hyphens.",
            )
        return {"id": under.read_text()}, context


class InventoryRuleSyntax(NamedSyntax):
    """A rule of the book's inventory; heading and sentence may be left out where the pack says them elsewhere."""

    title = "The rule of the inventory"
    identity_keys = ("cite",)

    text: str = key("text", TEXT, "one sentence of our own; left out where the pack has it already")
    kind: RuleKind = key("kind", expect_word(RuleKind.HARD, "A rule's kind"), "how it binds")
    stage: RuleStage = key("stage", expect_word(RuleStage.LIST, "A rule's stage"), "when it can be judged")
    reading: str = key("reading", TEXT, "how an unclear rule is taken")
    caveat: str = key("caveat", TEXT, "what stays open")
    part_of: tuple[Reference, ...] = key("part of", NAMES, "the rules that carry it out")
    clauses: tuple[ClauseSyntax, ...] = key(
        "clauses", expect_named_sections(ClauseSyntax, "`id: clause`"), "each thing that can be broken by itself"
    )
    cited: bool = False
    """It names its own place in the book."""

    @classmethod
    def read_identity(cls, mapping: MappingReader, under: KeyNode) -> tuple[str, str]:
        node = mapping.need("rule", "Add `rule:` with the rule's id.")
        return mapping.read_text("name"), node.read_text() if node is not None else ""

    @classmethod
    def complete_values(cls, values: dict[str, Any], mapping: MappingReader, context: ParseContext) -> None:
        values["cited"] = "cite" in mapping

    @classmethod
    def list_common_keys(cls) -> tuple[KeySpec, ...]:
        return (
            KeySpec("rule", TEXT, "its id", required=True),
            KeySpec("name", TEXT, "a heading; left out where the pack has it already"),
            KeySpec("cite", CITATION, "where it is printed"),
        )
