"""What each kind of modifier does to a number, a text or a flag."""

from decimal import Decimal, InvalidOperation, Overflow

from catalogue.definitions.numbers import Number, exact, format_number, parse_number
from catalogue.definitions.queries import Change

MOST_TIMES = 1000
"""How often a text may grow or a number be multiplied by one modifier: more is an error in the data."""


def parsed(text: str) -> Number | None:
    """The number that `text` stands for; None where it is none."""
    try:
        return parse_number(text)
    except ValueError:
        return None


def change_number(change: Change, current: Number, value: str, times: int) -> Number:
    """`current` after one modifier, applied `times` times; unchanged where the change or value does not suit.

    >>> change_number(Change.INCREMENT, 10, "2", 3), change_number(Change.SET, 10, "2.5", 1)
    (16, Decimal('2.5'))
    """
    operand = parsed(value)
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
    return _scaled(change, current, operand, min(times, MOST_TIMES))


def _scaled(change: Change, current: Number, operand: Number, times: int) -> Number:
    try:
        factor = Decimal(operand) ** times
        if change is Change.MULTIPLY:
            return exact(current * factor)
        if change is Change.DIVIDE and factor:
            return exact(current / factor)
    except (InvalidOperation, Overflow):
        return current
    return current


def change_text(change: Change, current: str, value: str, times: int) -> str:
    """`current` after one modifier, applied `times` times. Numbers in a text count on; other texts stay.

    >>> change_text(Change.APPEND, "Squad", "Alpha", 1), change_text(Change.INCREMENT, "4", "2", 2)
    ('Squad Alpha', '8')
    >>> change_text(Change.DECREMENT, "4+", "1", 1)
    '4+'
    """
    if times < 1:
        return current
    if change is Change.SET:
        return value
    if change is Change.APPEND:
        return " ".join((current, *[value] * min(times, MOST_TIMES)))
    if change is Change.PREPEND:
        return " ".join((*[value] * min(times, MOST_TIMES), current))
    number = parsed(current)
    return current if number is None else format_number(change_number(change, number, value, times))


def change_flag(change: Change, current: bool, value: str, times: int) -> bool:
    """`current` after one modifier: only setting makes sense for a flag."""
    return value == "true" if change is Change.SET and times > 0 else current
