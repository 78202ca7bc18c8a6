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
    each,
    fields,
    optional,
    read_name,
    read_notes,
    read_number,
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
    """The plan that stands at a place; raises UnreadableError."""
    form = fields(node, *_KEYS)
    return ListedPlan(
        mission=optional(form, "mission", read_word, NOTHING),
        side=optional(form, "side", read_word, NOTHING),
        opponents=optional(form, "opponents", _words, ()),
        allies=optional(form, "allies", _words, ()),
        commander=optional(form, "commander", read_word, NOTHING),
        objective=optional(form, "objective", read_name, ""),
        joins=optional(form, "joins", _by_name(read_word), ()),
        aboard=optional(form, "aboard", _by_name(read_word), ()),
        reserves=optional(form, "reserves", _words, ()),
        choices=optional(form, "choices", _by_name(_words), ()),
        units=optional(form, "units", _by_name(_by_name(_words)), ()),
        numbers=optional(form, "numbers", _by_name(read_number), ()),
        notes=optional(form, "notes", read_notes, ""),
    )


def _words(node: Node) -> tuple[Text, ...]:
    """Several words, or a single one on its own."""
    return each(read_word)(node) if isinstance(node, Items) else (read_word(node),)


def _by_name(read: Callable[[Node], _Read]) -> Callable[[Node], tuple[tuple[Text, _Read], ...]]:
    def pairs(node: Node) -> tuple[tuple[Text, _Read], ...]:
        form = fields(node)
        return tuple((Text(key, *form.places[key]), read(value)) for key, value in form.pairs.items())

    return pairs
