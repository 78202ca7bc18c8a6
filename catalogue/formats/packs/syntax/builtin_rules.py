"""Built-in rules: those that units, options and the engine bring, and for which a pack gives the words."""

from typing import NamedTuple

from catalogue.definitions.rule_codes import RuleCode

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
)

DETACHMENT_RULES = tuple(rule.name for rule in PLACEMENT_RULES if rule.name not in BUILTIN_RULES)
"""Those for which a kind of detachment may have words of its own, and which may be narrowed to a type or keyword."""

FOREIGN = "foreign "
"""Begins the names of built-in rules about what is of another faction: a type, or one of `ANY_FOREIGN`."""
ANY_FOREIGN = ("unit", "card")
NARROWED = " of "
"""Stands between the name of one of `DETACHMENT_RULES` and the type or keyword that the words are for."""
