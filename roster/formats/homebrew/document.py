"""House rules that change values of a game's data and add units, as a small document in YAML.

    homebrew: 1
    name: Sluice club rules
    game: reeds-and-rust
    source: House rules of the Sluice club
    units:
      - {unit: otter-runners, name: Otter Runners, in: marsh-compact, copy of: heron-scouts, page: 2}
    changes:
      - {entry: otter-runners/heron-scouts/unit, in: marsh-compact, name: Otter Runners, field: cost, id: points,
         was: 8, to: 9}

Ids are from the data. `was` is the value that the author saw. If the data later differs, the line is refused, because
nobody has checked the new value.
"""

from collections.abc import Iterator
from dataclasses import replace
from enum import StrEnum
from typing import Any

import yaml

from catalogue.documents.node import DocumentNode
from catalogue.documents.section import (
    ONE_TEXT,
    KeySpec,
    ValueType,
    expect_section,
    key,
    list_specs,
    need,
    read_section,
)
from roster.formats.list_document import Media, Unreadable
from roster.formats.list_document.document import ListSection
from roster.formats.list_document.nodes import UnreadableError, read_source, refuse_node
from roster.formats.list_document.values import INTEGER, NAME, NOTES, WORD, list_of
from roster.formats.list_text import simplify_name

HOMEBREW_FORM = 1
MOST_LINES = 200
MOST_BYTES = 100_000
ID_LENGTH = 200


class ChangedField(StrEnum):
    """What a line changes.

    `cost` is the cost type `id`, `price` that of the conditional price `column`, `stat` the `column` of the profile
    `id`, `limit` the constraint `id`, `most` the maximum per list, `needs` how many of the unit `id` it needs in the
    `column`: `list` or `detachment`. The others take something out (`was`) or put something in (`to`), by name.
    """

    COST = "cost"
    PRICE = "price"
    STAT = "stat"
    LIMIT = "limit"
    MOST = "most"
    NEEDS = "needs"
    NAME = "name"
    SLOT = "slot"
    KEYWORD = "keyword"
    ABILITY = "ability"
    OPTION = "option"


NAMED_FIELDS = (ChangedField.KEYWORD, ChangedField.ABILITY, ChangedField.OPTION)
"""An entry has several of these, so each name is a value of its own."""


def _read_field(node: DocumentNode) -> str:
    if node.content not in list(ChangedField):
        refuse_node("unknown-field", node, given=str(node.content), suggestions=tuple(ChangedField))
    return str(node.content)


def _read_id(node: DocumentNode) -> str:
    entry_id: str = WORD.read(node, None).value
    if len(entry_id) > ID_LENGTH:
        refuse_node("text-too-long", node, given=str(len(entry_id)), detail=str(ID_LENGTH))
    return entry_id


FIELD: ValueType[str] = ValueType(
    "what is changed", lambda node, _: _read_field(node), lambda _: "", {"enum": list(ChangedField)}
)
ENTRY_ID: ValueType[str] = ValueType(
    "id", lambda node, _: _read_id(node), lambda _: "", {**ONE_TEXT, "maxLength": ID_LENGTH}
)


def filled(key_name: str, text: ValueType[str]) -> ValueType[str]:
    """Return the type of a text that must not be blank: a document without it could not be read again."""

    def read_filled(node: DocumentNode, context: Any) -> str:
        return text.read(node, context) or refuse_node("missing-key", node, given=key_name)

    return replace(text, read=read_filled, schema={**text.schema, "minLength": 1})


class NeededPlace(StrEnum):
    """Where a unit needs another one."""

    LIST = "list"
    DETACHMENT = "detachment"


class CitedLine(ListSection):
    catalogue: str = need("in", filled("in", ENTRY_ID), "id of the faction or library that has the entry")
    name: str = need("name", filled("name", NAME), "the name for readers")
    why: str = key("why", NAME, "the reason")
    source: str = key("source", NAME, "its source: `FAQ 3`")
    cited_page: str = key("page", NAME, "its page there")


class ChangedValue(CitedLine):
    entry: str = key("entry", ENTRY_ID, "id of the entry; blank for a shared profile")
    field: str = need("field", FIELD, "what is changed")
    id: str = key("id", ENTRY_ID, "id of the cost type, the profile, the constraint or the needed unit")
    column: str = key("column", ENTRY_ID, "column of a profile, key of a conditional price, or `list` or `detachment`")
    was: str = key("was", NAME, "the value in the data; blank if something is added")
    to: str = key("to", NAME, "the new value; blank if something is removed")
    points: str = key("points", NAME, "the price of a new option")
    text: str = key("text", NOTES, "the sentence of a new ability")

    @property
    def subject(self) -> tuple[str, ...]:
        """The value that the line changes, without keys that its field ignores. Two lines about it contradict."""
        named = simplify_name(self.was or self.to)
        parts: tuple[str, ...] = (self.entry,)
        match self.field:
            case ChangedField.STAT | ChangedField.PRICE | ChangedField.NEEDS:
                parts = (self.entry, self.id, self.column)
            case ChangedField.COST | ChangedField.LIMIT:
                parts = (self.entry, self.id)
            case ChangedField.OPTION:
                parts = (self.entry, self.id) if self.was and self.id else (self.entry, "", named)
            case ChangedField.KEYWORD | ChangedField.ABILITY:
                parts = (self.entry, named)
        return (self.catalogue, self.field, *parts)


class CopiedUnit(CitedLine):
    unit: str = need("unit", filled("unit", ENTRY_ID), "the id of the new unit")
    of: str = need("copy of", filled("copy of", ENTRY_ID), "the id of the unit that it is a copy of")


HomebrewLine = CopiedUnit | ChangedValue


class Homebrew(ListSection):
    name: str = need("name", filled("name", NAME), "the name of these rules, which verdicts say")
    game: str = need("game", filled("game", NAME), "id of the game")
    source: str = key("source", NAME, "the source of lines without one of their own")
    units: tuple[CopiedUnit, ...] = key("units", list_of("list of units", expect_section(CopiedUnit)), "new units")
    changes: tuple[ChangedValue, ...] = key(
        "changes", list_of("list of changes", expect_section(ChangedValue)), "changed values"
    )

    @property
    def lines(self) -> tuple[HomebrewLine, ...]:
        return (*self.units, *self.changes)

    def get_source(self, line: HomebrewLine) -> str:
        return line.source or self.source or self.name

    @classmethod
    def read_common_keys(cls, mapping: Any, context: Any, under: object) -> tuple[dict[str, Any], Any]:
        node = mapping.need("homebrew")
        form = INTEGER.read(node, context)
        if form != HOMEBREW_FORM:
            refuse_node("unknown-form", node, given=str(form), detail=str(HOMEBREW_FORM))
        return {}, context

    @classmethod
    def list_common_keys(cls) -> tuple[KeySpec, ...]:
        return (KeySpec("homebrew", INTEGER, f"the form of the document: `{HOMEBREW_FORM}`", required=True),)


def read_homebrew(data: bytes) -> Homebrew | Unreadable:
    """Read a document. Any bytes give rules or the first mistake with its line."""
    try:
        if len(data) > MOST_BYTES:
            refuse_node("too-big", given=str(len(data)), detail=str(MOST_BYTES))
        homebrew = read_section(Homebrew, read_source(data, Media.AUTO), None)
        if len(homebrew.lines) > MOST_LINES:
            refuse_node("too-big", given=str(len(homebrew.lines)), detail=str(MOST_LINES))
    except UnreadableError as error:
        return error.unreadable
    return homebrew


def write_homebrew(homebrew: Homebrew) -> str:
    """Write a document that reads back as the same rules."""
    written: dict[str, Any] = {"homebrew": HOMEBREW_FORM, **dict(_list_keys(homebrew))}
    return yaml.safe_dump(written, sort_keys=False, allow_unicode=True, width=100)


def _list_keys(section: ListSection) -> Iterator[tuple[str, Any]]:
    for field_name, spec in list_specs(type(section)):
        value = getattr(section, field_name)
        if isinstance(value, tuple):
            value = [dict(_list_keys(item)) for item in value]
        if value:
            yield spec.keys[0].key, value
