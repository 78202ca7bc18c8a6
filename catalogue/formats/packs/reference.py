"""The reference of the pack language: a JSON Schema for editors, and the tables of `docs/packs.md`."""

from typing import Any

from catalogue.documents.json_schema import DRAFT, SchemaWriter
from catalogue.documents.section import ONE_TEXT, SECTION, Schema, Section
from catalogue.formats.packs.features.allowances.syntax import AllowancesSyntax
from catalogue.formats.packs.features.commander.syntax import CommandSyntax, LeaveSyntax
from catalogue.formats.packs.features.common_keyword.syntax import CommonKeywordSyntax
from catalogue.formats.packs.features.missions.map_syntax import MapSyntax, MapTableSyntax, ZoneSyntax
from catalogue.formats.packs.features.missions.syntax import (
    BattleSizeSyntax,
    DrawSyntax,
    MarkersSyntax,
    MissionPackSyntax,
    MissionSyntax,
    ObjectiveGroupSyntax,
    ObjectiveSyntax,
    ReferencePartSyntax,
    ScoreSheetSyntax,
    ScoringSyntax,
    SpecialSyntax,
    StratagemSyntax,
    TokenSyntax,
)
from catalogue.formats.packs.features.overlays.syntax import OverlaySyntax
from catalogue.formats.packs.parse.expressions import COMPARISONS
from catalogue.formats.packs.syntax.base import PRICE_SCHEMA, RANGE_SCHEMA, RuleText
from catalogue.formats.packs.syntax.decks import CardSyntax, DeckSyntax
from catalogue.formats.packs.syntax.declarations import (
    BookSyntax,
    CostSyntax,
    FigureSyntax,
    SetSyntax,
    TypeSyntax,
)
from catalogue.formats.packs.syntax.detachments import (
    DetachmentSyntax,
    PresetSyntax,
    RulesetSyntax,
    SlotSyntax,
)
from catalogue.formats.packs.syntax.game_plan import (
    AnswerSyntax,
    PlanNumberSyntax,
    PlanPartSyntax,
    PlanSyntax,
    QuestionSyntax,
)
from catalogue.formats.packs.syntax.infos import AbilitySyntax, GearSyntax, TableSyntax, WeaponSyntax
from catalogue.formats.packs.syntax.pack import FileSyntax, PackFileSyntax
from catalogue.formats.packs.syntax.rules import ClauseSyntax, InventoryRuleSyntax, RuleSyntax
from catalogue.formats.packs.syntax.units import (
    PART_KINDS,
    ChoiceSyntax,
    JoinSyntax,
    LimitSyntax,
    ListUseSyntax,
    OptionSyntax,
    SwapSyntax,
    UnitLimitSyntax,
    UnitSyntax,
)

SECTIONS: dict[str, type[Section]] = {
    "pack": PackFileSyntax,
    "file": FileSyntax,
    "book": BookSyntax,
    "type": TypeSyntax,
    "cost": CostSyntax,
    "table": TableSyntax,
    "set": SetSyntax,
    "figure": FigureSyntax,
    "unit": UnitSyntax,
    "unit limit": UnitLimitSyntax,
    "joins": JoinSyntax,
    "option": OptionSyntax,
    "choice": ChoiceSyntax,
    "swap": SwapSyntax,
    "list": ListUseSyntax,
    "limit": LimitSyntax,
    "rule": RuleSyntax,
    "rule words": RuleText,
    "detachment": DetachmentSyntax,
    "slot": SlotSyntax,
    "allowances": AllowancesSyntax,
    "common keyword": CommonKeywordSyntax,
    "preset": PresetSyntax,
    "ruleset": RulesetSyntax,
    "command": CommandSyntax,
    "leave": LeaveSyntax,
    "weapon": WeaponSyntax,
    "gear": GearSyntax,
    "ability": AbilitySyntax,
    "deck": DeckSyntax,
    "card": CardSyntax,
    "mission pack": MissionPackSyntax,
    "mission": MissionSyntax,
    "special": SpecialSyntax,
    "markers": MarkersSyntax,
    "group": ObjectiveGroupSyntax,
    "objective": ObjectiveSyntax,
    "scoring": ScoringSyntax,
    "draw": DrawSyntax,
    "score": ScoreSheetSyntax,
    "map": MapSyntax,
    "map table": MapTableSyntax,
    "zone": ZoneSyntax,
    "size": BattleSizeSyntax,
    "stratagem": StratagemSyntax,
    "token": TokenSyntax,
    "part": ReferencePartSyntax,
    "plan": PlanSyntax,
    "plan part": PlanPartSyntax,
    "question": QuestionSyntax,
    "answer": AnswerSyntax,
    "number": PlanNumberSyntax,
    "overlay": OverlaySyntax,
    "inventory": InventoryRuleSyntax,
    "clause": ClauseSyntax,
}
"""The constructs by the name that the tables in `docs/packs.md` have."""

_CONDITION = {"$ref": "#/$defs/condition"}
_DEFINITIONS: dict[str, Schema] = {
    "condition": {
        "anyOf": [
            ONE_TEXT,
            {"type": "array", "items": _CONDITION},
            {
                "type": "object",
                "properties": {
                    "any": _CONDITION,
                    "all": _CONDITION,
                    "not": _CONDITION,
                    "count": ONE_TEXT,
                    "in": ONE_TEXT,
                    **dict.fromkeys((word for word in COMPARISONS if word != "not"), ONE_TEXT),
                },
                "additionalProperties": False,
            },
        ]
    },
    "citation": {
        "anyOf": [
            ONE_TEXT,
            {
                "type": "object",
                "properties": dict.fromkeys(("book", "section", "page"), ONE_TEXT),
                "additionalProperties": False,
            },
        ]
    },
    "prices": {
        "type": "array",
        "items": {
            "type": "object",
            "properties": {"when": _CONDITION},
            "required": ["when"],
            "additionalProperties": PRICE_SCHEMA,
        },
    },
    "ability_use": {
        "anyOf": [
            ONE_TEXT,
            {
                "type": "object",
                "properties": {"ability": ONE_TEXT, "when": _CONDITION},
                "required": ["ability"],
                "additionalProperties": False,
            },
        ]
    },
}


def write_pack_schema() -> dict[str, Any]:
    """Return the JSON Schema of the files of a pack: pack.yaml is told from others by its key `pack`."""
    writer = SchemaWriter({**_DEFINITIONS, "part": _describe_part()})
    head, content = writer.refer_to(PackFileSyntax), writer.refer_to(FileSyntax)
    return {
        "$schema": DRAFT,
        "title": "A file of a pack of Armybuilder",
        "description": "docs/packs.md explains it.",
        "if": {"required": ["pack"]},
        "then": head,
        "else": content,
        "$defs": dict(sorted(writer.definitions.items())),
    }


def _describe_part() -> dict[str, Any]:
    """Return the schema of a part of a unit: the first key of a long form tells which it is."""
    short = {"anyOf": [PRICE_SCHEMA, RANGE_SCHEMA, {"type": ["object", "null"]}]}
    schema: dict[str, Any] = {"type": "object", "maxProperties": 1, "additionalProperties": short}
    # A list is told before a choice: both may say `choose`.
    for word, cls in sorted(PART_KINDS.items(), key=lambda kind: kind[0] == "list"):
        schema = {"if": {"required": [word]}, "then": {SECTION: cls}, "else": schema}
    return {"anyOf": [ONE_TEXT, {"type": "object", **schema}]}
