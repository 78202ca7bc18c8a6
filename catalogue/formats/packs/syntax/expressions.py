"""Read the counts, conditions and sums in rules."""

import re
from dataclasses import dataclass
from typing import NamedTuple

from catalogue.definitions.numbers import Number
from catalogue.definitions.queries import Operator
from catalogue.documents.node import DocumentNode, MappingReader, read_number
from catalogue.documents.problems import MalformedValueError, SourceLine
from catalogue.formats.packs.syntax.scalars import COUNTS


@dataclass(frozen=True, slots=True)
class CountExpression:
    """The counted noun. A blank scope is the rule's."""

    noun: str
    scope: str
    where: SourceLine


@dataclass(frozen=True, slots=True)
class CountComparison:
    ask: CountExpression
    operator: Operator
    value: Number


@dataclass(frozen=True, slots=True)
class ConditionGroup:
    """All or any must hold, perhaps negated."""

    parts: tuple["CountComparison | ConditionGroup", ...]
    any_of: bool = False
    negated: bool = False


ConditionExpression = CountComparison | ConditionGroup


ALWAYS_TRUE = ConditionGroup(())


class SumTerm(NamedTuple):
    coefficient: Number
    ask: CountExpression


@dataclass(frozen=True, slots=True)
class SumExpression:
    constant: Number
    summands: tuple[SumTerm, ...]
    where: SourceLine


# ---- reading --------------------------------------------------------------------------------------------------------

PLACES = ("host", "guests", "transport", "passengers", "riders", "reserve", "table", "deployed", "commander")
SCOPES = ("unit", "model", "detachment", "roster", *PLACES)
COMPARISONS = {
    "at least": Operator.AT_LEAST,
    "at most": Operator.AT_MOST,
    "exactly": Operator.EQUAL_TO,
    "more than": Operator.GREATER_THAN,
    "fewer than": Operator.LESS_THAN,
    "less than": Operator.LESS_THAN,
    "not": Operator.NOT_EQUAL_TO,
}
_COMPARED = re.compile(rf"(?:({'|'.join(COMPARISONS)})\s+)(\S+)\s+(.+)", re.IGNORECASE)
_TIMES = re.compile(r"([\d.]+)\s*(?:x|×|times)\s+(.+)")
_IN = re.compile(r"(.+?)\s+in\s+(?:the\s+)?(\S+)")


def parse_count(text: str, where: SourceLine) -> CountExpression:
    """Return noun and scope: `hammer`, `models in unit`, `points in roster`."""
    match = _IN.fullmatch(text.strip())
    return CountExpression(match[1].strip(), match[2], where) if match else CountExpression(text.strip(), "", where)


def read_sum(node: DocumentNode) -> SumExpression:
    """Read `8`, `core`, `4 - 2 x heavy` or `1 + allowed command`."""
    constant: Number = 0
    summands: list[SumTerm] = []
    # Signs need spaces around them, because names contain hyphens.
    tokens = re.split(r"\s+([+−-])\s+", node.read_text())
    for sign, term in zip(["+", *tokens[1::2]], tokens[::2], strict=True):
        factor = 1 if sign == "+" else -1
        try:
            constant += factor * _read_amount(term)
        except MalformedValueError:
            match = _TIMES.fullmatch(term)
            times = node.replace_text(match[1]).read_number(1) if match else 1
            noun = match[2] if match else term
            if noun:
                summands.append(SumTerm(factor * times, parse_count(noun, node.where)))
            else:
                node.report("wrong-form", "Nothing is counted here.", "Write a number, or what to count.")
    return SumExpression(constant, tuple(summands), node.where)


def _read_amount(text: str) -> Number:
    return COUNTS[text.lower()] if text.lower() in COUNTS else read_number(text)


def read_condition(node: DocumentNode, negated: bool = False) -> ConditionExpression:
    """Read a condition, a list of them, `any:`, `all:`, `not:`, or the form with `count:`."""
    if node.is_list:
        return ConditionGroup(tuple(read_condition(part) for part in node.read_each()), negated=negated)
    if node.is_map:
        return _read_mapping(node, negated)
    try:
        test = _parse_comparison(node.read_text(), node.where)
    except MalformedValueError as error:
        node.report(error.code, error.message, error.mend)
        return ALWAYS_TRUE
    return _join_tests((test,), negated)


def _join_tests(tests: tuple[CountComparison, ...], negated: bool) -> ConditionExpression:
    return tests[0] if len(tests) == 1 and not negated else ConditionGroup(tests, negated=negated)


def _read_mapping(node: DocumentNode, negated: bool) -> ConditionExpression:
    mapping = MappingReader(node, "The condition")
    condition: ConditionExpression
    if joined := mapping.get("any"):
        parts = tuple(read_condition(part) for part in joined.read_each())
        condition = ConditionGroup(parts, any_of=True, negated=negated)
    elif joined := mapping.get("all"):
        parts = tuple(read_condition(part) for part in joined.read_each())
        condition = ConditionGroup(parts, negated=negated)
    elif inner := mapping.get("not"):
        condition = read_condition(inner, negated=not negated)
    else:
        condition = _join_tests(_read_long(mapping), negated)
    mapping.close()
    return condition


def _read_long(mapping: MappingReader) -> tuple[CountComparison, ...]:
    """Read `{count: weapons, in: unit, at least: 3}`."""
    counted = mapping.need("count")
    scope = mapping.read_text("in")
    numbers = {word: mapping.get(word) for word in COMPARISONS}
    if counted is None:
        return ()
    ask = parse_count(counted.read_text(), counted.where)
    ask = CountExpression(ask.noun, scope or ask.scope, ask.where)
    tests = [CountComparison(ask, COMPARISONS[word], node.read_number()) for word, node in numbers.items() if node]
    return tuple(tests) or (CountComparison(ask, Operator.AT_LEAST, 1),)


def _parse_comparison(text: str, where: SourceLine) -> CountComparison:
    if match := _COMPARED.fullmatch(text):
        word, number, noun = match.groups()
        try:
            value = _read_amount(number)
        except MalformedValueError as error:
            message, mend = f"“{number}” in “{text}” is not a number.", "Write it as “at least 8 models”."
            raise MalformedValueError(message, mend, error.code) from None
        return CountComparison(parse_count(noun, where), COMPARISONS[word.lower()], value)
    if text.lower().startswith("no "):
        return CountComparison(parse_count(text[3:], where), Operator.AT_MOST, 0)
    if not text:
        raise MalformedValueError("A condition is missing here.", "Write one, as “at least 8 models”.")
    return CountComparison(parse_count(text, where), Operator.AT_LEAST, 1)
