"""What each kind of modifier does to a number, a text or a flag."""

import re
from decimal import Decimal, InvalidOperation, Overflow
from functools import lru_cache

from catalogue.definitions.numbers import Number, format_number, parse_number, shorten_number
from catalogue.definitions.queries import Change, Modifier

NUMBER = re.compile(r"\d+(?:\.\d+)?")
MOST_TIMES = 1000
"""How often a text may grow or a number be multiplied by one modifier: more is an error in the data."""


@lru_cache(maxsize=4096)
def parse_operand(text: str) -> Number | None:
    """Return the number that `text` stands for; None where it is none."""
    try:
        return parse_number(text)
    except ValueError:
        return None


def change_number(change: Change, current: Number, value: str, times: int) -> Number:
    """Apply one modifier `times` times to a number; it stays where the change or the value does not suit.

    >>> change_number(Change.INCREMENT, 10, "2", 3), change_number(Change.SET, 10, "2.5", 1)
    (16, Decimal('2.5'))
    """
    operand = parse_operand(value)
    if operand is None or times < 1:
        return current
    if change is Change.SET:
        return operand
    if change is Change.INCREMENT:
        return current + operand * times
    if change is Change.DECREMENT:
        return current - operand * times
    if change is Change.FLOOR:
        return max(current, operand)
    if change is Change.CEIL:
        return min(current, operand)
    return _scale_number(change, current, operand, min(times, MOST_TIMES))


def _scale_number(change: Change, current: Number, operand: Number, times: int) -> Number:
    try:
        factor = Decimal(operand) ** times
        if change is Change.MULTIPLY:
            return shorten_number(current * factor)
        if change is Change.DIVIDE and factor:
            return shorten_number(current / factor)
        if change is Change.MODULO and operand:
            return shorten_number(Decimal(current) % operand)
    except (InvalidOperation, Overflow):
        return current
    return current


def change_text(modifier: Modifier, current: str, times: int) -> str:
    """Apply one modifier `times` times to a text. Numbers in a text count on; other texts stay.

    >>> change_text(Modifier(change=Change.APPEND, field="name", value="Alpha"), "Squad", 1)
    'Squad Alpha'
    >>> change_text(Modifier(change=Change.INCREMENT, field="S", value="2", position=-1), "D6+1", 2)
    'D6+5'
    >>> change_text(Modifier(change=Change.DECREMENT, field="Sv", value="1"), "4+", 1)
    '4+'
    """
    change, value = modifier.change, modifier.value
    if times < 1:
        return current
    if change is Change.SET:
        return value
    if change is Change.APPEND:
        return modifier.join.join((current, *[value] * min(times, MOST_TIMES)))
    if change is Change.PREPEND:
        return modifier.join.join((*[value] * min(times, MOST_TIMES), current))
    if change is Change.REPLACE:
        return current.replace(modifier.arg, value) if modifier.arg else current
    return _change_number_in_text(modifier, current, times)


def _change_number_in_text(modifier: Modifier, current: str, times: int) -> str:
    """Change the number in a text that the modifier means: the whole text, or the one at its position."""
    start, end = 0, len(current)
    if modifier.position is not None:
        spans = [match.span() for match in NUMBER.finditer(current)]
        if not -len(spans) <= modifier.position < len(spans):
            return current
        start, end = spans[modifier.position]
    number = parse_operand(current[start:end])
    if number is None:
        return current
    counted = change_number(modifier.change, number, modifier.value, times)
    return current[:start] + format_number(counted) + current[end:]


def change_flag(change: Change, current: bool, value: str, times: int) -> bool:
    """Apply one modifier to a flag: only setting makes sense for it."""
    return value == "true" if change is Change.SET and times > 0 else current
