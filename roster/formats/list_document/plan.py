"""The game plan in a list document: which keys there may be and what they hold.

plan:
  mission: night-raid
  side: attacker
  opponents: [karist-enclave]        # factions or names; `allies:` likewise
  commander: nova                    # a unit of the list: by its `ref:`, its own name, or its entry
  joins: {hero: squad}               # who joins: whom
  aboard: {squad: carrier}           # who rides: in what
  reserves: [squad]
  choices: {categories: [raid, eradication], mode: teams}   # answers to the questions of the game
  units: {squad: {deployment: flank}}                       # and to those about single units
  numbers: {table width: 4}
  objective: Break through
"""

from collections.abc import Callable
from typing import TypeVar

from roster.formats.list_document.document import NOTHING, ListedPlan, Text
from roster.formats.list_document.nodes import Items, Node
from roster.formats.list_document.values import (
    check_fields,
    read_each,
    read_name,
    read_notes,
    read_number,
    read_optional,
    read_word,
)

_KEYS = (
    "mission",
    "side",
    "opponents",
    "allies",
    "commander",
    "objective",
    "joins",
    "aboard",
    "reserves",
    "choices",
    "units",
    "numbers",
    "notes",
)
_Read = TypeVar("_Read")


def read_plan(node: Node) -> ListedPlan:
    """Read the plan at a place; raises UnreadableError."""
    form = check_fields(node, *_KEYS)
    return ListedPlan(
        mission=read_optional(form, "mission", read_word, NOTHING),
        side=read_optional(form, "side", read_word, NOTHING),
        opponents=read_optional(form, "opponents", _read_words, ()),
        allies=read_optional(form, "allies", _read_words, ()),
        commander=read_optional(form, "commander", read_word, NOTHING),
        objective=read_optional(form, "objective", read_name, ""),
        joins=read_optional(form, "joins", _read_by_name(read_word), ()),
        aboard=read_optional(form, "aboard", _read_by_name(read_word), ()),
        reserves=read_optional(form, "reserves", _read_words, ()),
        choices=read_optional(form, "choices", _read_by_name(_read_words), ()),
        units=read_optional(form, "units", _read_by_name(_read_by_name(_read_words)), ()),
        numbers=read_optional(form, "numbers", _read_by_name(read_number), ()),
        notes=read_optional(form, "notes", read_notes, ""),
    )


def _read_words(node: Node) -> tuple[Text, ...]:
    """Read several words, or a single one on its own."""
    return read_each(read_word)(node) if isinstance(node, Items) else (read_word(node),)


def _read_by_name(read: Callable[[Node], _Read]) -> Callable[[Node], tuple[tuple[Text, _Read], ...]]:
    def read_pairs(node: Node) -> tuple[tuple[Text, _Read], ...]:
        form = check_fields(node)
        return tuple((Text(key, *form.places[key]), read(value)) for key, value in form.pairs.items())

    return read_pairs
