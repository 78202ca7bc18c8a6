"""Read `plan:` of packs."""

from dataclasses import replace
from typing import Any

from catalogue.definitions.planning import PlanPart
from catalogue.documents.node import DocumentNode, MappingReader
from catalogue.documents.section import (
    FLAG,
    TEXT,
    KeySpec,
    Section,
    ValueType,
    expect_section,
    expect_sections,
    group,
    key,
    need,
    read_section,
)
from catalogue.formats.packs.syntax.base import (
    CITATION,
    MAXIMUM,
    NAMES,
    NO_RULE_TEXT,
    RULE,
    CommonValues,
    KeyNode,
    NamedSyntax,
    Reference,
    RuleText,
    expect_maximum,
)
from catalogue.formats.packs.syntax.context import ParseContext
from catalogue.formats.packs.syntax.scalars import make_id

PLAN_PARTS = {
    "mission": (PlanPart.MISSION, "the game's word for missions, such as `Mode`"),
    "opponents": (PlanPart.OPPONENTS, "the other players, each a faction or any name"),
    "allies": (PlanPart.ALLIES, "the other players on the same side"),
    "commander": (PlanPart.COMMANDER, "the unit with the commander"),
    "objective": (PlanPart.OBJECTIVE, "an aim in the player's own words"),
    "joins": (PlanPart.JOINS, "characters that join units: `of` these, `to` those"),
    "reserves": (PlanPart.RESERVES, "units held back, with everything that joins them or rides in them"),
    "aboard": (PlanPart.RIDES, "units that start in a transport: `of` these, `to` those"),
}
"""Plan parts that games share, by their keys in packs and list documents."""


class PlanPartSyntax(NamedSyntax):
    title = "The part of the plan"
    name_key = "name"
    identity_keys = ("cite",)
    short = "name"

    part: PlanPart = PlanPart.MISSION
    text: str = key("text", TEXT, "what it is, in our own words")
    of: tuple[Reference, ...] = key("of", NAMES, "types, keywords, sets or units")
    to: tuple[Reference, ...] = key("to", NAMES, "types, keywords, sets or units")
    most: int | None = key("up to", MAXIMUM, "how many there may be")


def _read_parts(mapping: MappingReader, context: ParseContext) -> tuple[PlanPartSyntax, ...]:
    parts = []
    for word, (part, _) in PLAN_PARTS.items():
        node = mapping.get(word)
        if node is not None:
            plan_part = read_section(PlanPartSyntax, node, context)
            parts.append(replace(plan_part, id=part, part=part))
    return tuple(parts)


PLAN_PART = expect_section(PlanPartSyntax, "name, or a mapping")


class AnswerSyntax(Section):
    title = "The answer"
    short = "answer"

    id: str
    name: str = need("answer", TEXT, "its name")
    text: str = key("text", TEXT, "what it means, in our own words")

    @classmethod
    def read_common_keys(cls, mapping: MappingReader, context: ParseContext, under: KeyNode) -> CommonValues:
        return {"id": mapping.read_text("id", make_id(mapping.read_text("answer")))}, context

    @classmethod
    def list_common_keys(cls) -> tuple[KeySpec, ...]:
        return (KeySpec("id", TEXT, "its id; by default made from the name"),)


def _read_answers(node: DocumentNode, context: ParseContext) -> tuple[AnswerSyntax, ...]:
    nodes = node.read_texts() if node.is_text else node.read_each()
    return tuple(read_section(AnswerSyntax, item, context) for item in nodes)


ANSWERS: ValueType[tuple[AnswerSyntax, ...]] = ValueType(
    "list of answers", _read_answers, lambda _: (), expect_sections(AnswerSyntax).schema
)


class QuestionSyntax(NamedSyntax):
    """A question of the plan. `unknown` is the rule that any other answer breaks."""

    title = "The question"
    name_key = "question"

    text: str = key("text", TEXT, "what it is about, in our own words")
    answers: tuple[AnswerSyntax, ...] = need("answers", ANSWERS, "names, or answers, to choose from")
    most: int = key("up to", expect_maximum(1), "how many may be chosen")
    per_unit: bool = key("per unit", FLAG, "each unit is asked")
    of: tuple[Reference, ...] = key("of", NAMES, "only these units are asked, each separately")
    missions: tuple[Reference, ...] = key("missions", NAMES, "the missions that ask it; by default all")
    unknown: RuleText = key("unknown answer", RULE, "the rule broken by any other answer", NO_RULE_TEXT)

    @classmethod
    def complete_values(cls, values: dict[str, Any], mapping: MappingReader, context: ParseContext) -> None:
        values["per_unit"] = values["per_unit"] or bool(values["of"])


class PlanNumberSyntax(NamedSyntax):
    title = "The number"
    name_key = "number"

    unit: str = key("unit", TEXT, "what it counts")
    text: str = key("text", TEXT, "its purpose, in our own words")


class PlanSyntax(Section):
    title = "The plan"

    parts: tuple[PlanPartSyntax, ...] = group(
        _read_parts, lambda: tuple(KeySpec(word, PLAN_PART, help_) for word, (_, help_) in PLAN_PARTS.items()), ()
    )
    questions: tuple[QuestionSyntax, ...] = key(
        "questions", expect_sections(QuestionSyntax), "further questions of the game"
    )
    numbers: tuple[PlanNumberSyntax, ...] = key("numbers", expect_sections(PlanNumberSyntax), "numbers to decide")

    @classmethod
    def read_common_keys(cls, mapping: MappingReader, context: ParseContext, under: KeyNode) -> CommonValues:
        return {}, context.enter(context.read_citation(mapping))

    @classmethod
    def list_common_keys(cls) -> tuple[KeySpec, ...]:
        return (KeySpec("cite", CITATION, "what everything in it cites, unless it says otherwise"),)


class PlanKeySyntax(Section):
    page = "game_plan"

    plan: PlanSyntax = key(
        "plan", expect_section(PlanSyntax), "what players decide for a game in addition to the list", PlanSyntax()
    )
