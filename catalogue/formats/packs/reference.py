"""Write the packs' JSON Schema for editors, and the tables in docs."""

from typing import Any

from catalogue.documents.reference import DRAFT, SchemaWriter, name_definition
from catalogue.documents.section import ONE_TEXT, SECTION, Schema, Section
from catalogue.formats.packs.features.allowances.syntax import UnitAllowancesSyntax
from catalogue.formats.packs.features.commander.syntax import CommanderSyntax, CountedTypeSyntax
from catalogue.formats.packs.features.common_keyword.syntax import FactionKeywordsSyntax
from catalogue.formats.packs.features.deck_pages.syntax import DeckColumnsSyntax, DeckNeighboursSyntax
from catalogue.formats.packs.features.following_limits.syntax import FollowingLimitSyntax
from catalogue.formats.packs.features.game_plan.syntax import PlanKeySyntax
from catalogue.formats.packs.features.guests.syntax import AnywhereSyntax, SetHomeSyntax, UnitGuestsSyntax
from catalogue.formats.packs.features.inventory.syntax import InventorySyntax
from catalogue.formats.packs.features.joins.syntax import AddOnTypeSyntax, JoiningSyntax, UnitJoinsSyntax
from catalogue.formats.packs.features.missions.map_syntax import MapsSyntax
from catalogue.formats.packs.features.missions.syntax import PlayContentSyntax, TimedSyntax
from catalogue.formats.packs.features.named_cards.syntax import NamedCardSyntax
from catalogue.formats.packs.features.overlays.syntax import OverlaysSyntax
from catalogue.formats.packs.features.printed_figures.syntax import PrintedFigureSyntax
from catalogue.formats.packs.features.rulesets.syntax import RulesetsSyntax
from catalogue.formats.packs.features.sets_by_name.syntax import MixedRuleSyntax, SetByNameSyntax
from catalogue.formats.packs.features.slot_exceptions.syntax import SlotExceptionsSyntax
from catalogue.formats.packs.features.table_rules.syntax import AtTheTableSyntax
from catalogue.formats.packs.features.withheld.syntax import WithheldSyntax
from catalogue.formats.packs.syntax.base import PRICE_SCHEMA, RANGE_SCHEMA
from catalogue.formats.packs.syntax.expressions import COMPARISONS
from catalogue.formats.packs.syntax.pack import FileSyntax, PackFileSyntax
from catalogue.formats.packs.syntax.units import PART_KINDS

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


FEATURE_KEYS: tuple[type[Section], ...] = (
    AddOnTypeSyntax,
    AnywhereSyntax,
    AtTheTableSyntax,
    CommanderSyntax,
    CountedTypeSyntax,
    DeckColumnsSyntax,
    DeckNeighboursSyntax,
    FactionKeywordsSyntax,
    FollowingLimitSyntax,
    InventorySyntax,
    JoiningSyntax,
    MapsSyntax,
    MixedRuleSyntax,
    NamedCardSyntax,
    OverlaysSyntax,
    PlanKeySyntax,
    PlayContentSyntax,
    PrintedFigureSyntax,
    RulesetsSyntax,
    SetByNameSyntax,
    SetHomeSyntax,
    SlotExceptionsSyntax,
    TimedSyntax,
    UnitAllowancesSyntax,
    UnitGuestsSyntax,
    UnitJoinsSyntax,
    WithheldSyntax,
)


def list_pack_sections() -> dict[str, type[Section]]:
    writer = _make_writer()
    writer.refer_to(PackFileSyntax)
    writer.refer_to(FileSyntax)
    return writer.sections | {name_definition(cls): cls for cls in FEATURE_KEYS}


def write_pack_schema() -> dict[str, Any]:
    """Return the JSON Schema of pack files. Only pack.yaml has the key `pack`."""
    writer = _make_writer()
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


def _make_writer() -> SchemaWriter:
    return SchemaWriter({**_DEFINITIONS, "part": _describe_part()})


def _describe_part() -> dict[str, Any]:
    """Describe a part, whose first key gives its kind."""
    short = {"anyOf": [PRICE_SCHEMA, RANGE_SCHEMA, {"type": ["object", "null"]}]}
    schema: dict[str, Any] = {"type": "object", "maxProperties": 1, "additionalProperties": short}
    # Lists before choices: both may have `choose`.
    for word, cls in sorted(PART_KINDS.items(), key=lambda kind: kind[0] == "list"):
        schema = {"if": {"required": [word]}, "then": {SECTION: cls}, "else": schema}
    return {"anyOf": [ONE_TEXT, {"type": "object", **schema}]}
