"""Exact numbers: costs, limits and counts are never binary floats."""

from decimal import Decimal, InvalidOperation

Number = int | Decimal
"""`int` if the value is integral, else `Decimal`."""

MOST_DIGITS = 20
"""Before or after the point: `1E+999999999` would fill the memory."""

_ROUNDING = Decimal("1E-15")
"""The largest rounding error of thirds that add up to a whole number."""


def shorten_number(value: Number) -> Number:
    """Return an `int` if only rounding keeps the value from being whole.

    >>> shorten_number(Decimal("4.0")), shorten_number(Decimal("0.5")), shorten_number(3 * (Decimal(7) / 3))
    (4, Decimal('0.5'), 7)
    """
    if isinstance(value, int):
        return value
    whole = round(value)
    return whole if abs(whole - value) < _ROUNDING else value


def parse_number(text: str) -> Number:
    """Read a decimal number.

    >>> parse_number("12"), parse_number("-1.50")
    (12, Decimal('-1.50'))

    Raises ValueError for anything that is not a finite number of a sensible size.
    """
    try:
        value = Decimal(text.strip())
    except InvalidOperation as error:
        raise ValueError(f"{text!r} is not a number") from error
    if not value.is_finite():
        raise ValueError(f"{text!r} is not a finite number")
    if len(text) > 3 * MOST_DIGITS or abs(value.adjusted()) > MOST_DIGITS:
        raise ValueError("the number is too long")
    return shorten_number(value)


def format_number(value: Number) -> str:
    """Format a number without a trailing zero or an exponent.

    >>> format_number(3), format_number(Decimal("2.50")), format_number(Decimal("1E+3"))
    ('3', '2.5', '1000')
    """
    if isinstance(value, int):
        return str(value)
    text = format(value, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text
