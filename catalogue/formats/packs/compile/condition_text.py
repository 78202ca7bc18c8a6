"""Describe a condition in words: “Only with Tar pots, without Pike.”"""

from catalogue.definitions.numbers import Number, format_number
from catalogue.definitions.queries import Operator
from catalogue.formats.packs.compile.name_index import NameIndex
from catalogue.formats.packs.syntax.expressions import ConditionExpression, CountComparison
from catalogue.formats.packs.syntax.scalars import make_id
from catalogue.formats.packs.syntax.units import UnitSyntax

AMOUNTS = {
    Operator.AT_LEAST: "at least {} {}",
    Operator.AT_MOST: "at most {} {}",
    Operator.EQUAL_TO: "exactly {} {}",
    Operator.NOT_EQUAL_TO: "any number but {} of {}",
    Operator.GREATER_THAN: "more than {} {}",
    Operator.LESS_THAN: "fewer than {} {}",
}
STATES = {
    "commanding": ("while it commands", "while it does not command"),
    "joined": ("inside another", "on its own"),
    "own-army": ("in its own army", "in an army of others"),
}
COMMANDS, ARMY_OF, WITHOUT = " commands", "army of ", "without "
OTHER_CLAUSES = (", with ", " or ", ", while ", ", in ")
"""What a sentence has that says more than what is barred."""


def describe_condition(when: ConditionExpression, index: NameIndex, unit: UnitSyntax | None) -> str:
    """Return the sentence for a condition; blank for one that is too complicated for a sentence."""
    clauses = _describe_clauses(when, index, unit, negated=False)
    only_bars = clauses.startswith(WITHOUT) and not any(word in clauses for word in OTHER_CLAUSES)
    if only_bars:
        *most, last = [part.removeprefix(WITHOUT) for part in clauses.split(f", {WITHOUT}")]
        return f"Not with {', '.join(most)} or {last}." if most else f"Not with {last}."
    return f"Only {clauses}." if clauses else ""


def _describe_clauses(
    when: ConditionExpression, index: NameIndex, unit: UnitSyntax | None, negated: bool
) -> str:
    if isinstance(when, CountComparison):
        return _describe_test(when, index, unit, negated)
    negated = negated != when.negated
    parts = [_describe_clauses(part, index, unit, negated) for part in when.parts]
    if not all(parts):
        return ""
    if when.any_of != negated:
        return " or ".join(dict.fromkeys(parts))
    return ", ".join(dict.fromkeys(f"either {part}" if " or " in part else part for part in parts))


def _describe_test(test: CountComparison, index: NameIndex, unit: UnitSyntax | None, negated: bool) -> str:
    none = is_barring(test)
    some = _is_asking_for_any(test.operator, test.value)
    noun = test.ask.noun
    if make_id(noun) in STATES:
        return STATES[make_id(noun)][negated != none]
    if noun.endswith(COMMANDS) or noun.startswith(ARMY_OF):
        return _describe_army(noun, index, lacking=negated != none)
    name = index.name_noun(noun, unit)
    if none or some:
        return f"without {name}" if none != negated else f"with {name}"
    amount = AMOUNTS[test.operator].format(format_number(test.value), name)
    return f"without {amount}" if negated else f"with {amount}"


def _describe_army(noun: str, index: NameIndex, lacking: bool) -> str:
    if noun.endswith(COMMANDS):
        who = index.name_noun(noun.removesuffix(COMMANDS), None)
        return f"unless {who} commands" if lacking else f"while {who} commands"
    army = index.name_noun(noun.removeprefix(ARMY_OF), None)
    return f"in armies other than {army}" if lacking else f"in an army of {army}"


def is_barring(test: CountComparison) -> bool:
    """Return whether a condition asks for none of something."""
    return (test.operator, test.value) in ((Operator.AT_MOST, 0), (Operator.LESS_THAN, 1))


def _is_asking_for_any(operator: Operator, value: Number) -> bool:
    if operator is Operator.AT_LEAST:
        return value == 1
    return operator in (Operator.GREATER_THAN, Operator.NOT_EQUAL_TO) and value == 0
