"""Parse the small formats inside values."""

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from catalogue.definitions.numbers import Number
from catalogue.documents.node import read_number
from catalogue.documents.problems import MalformedValueError

COUNTS = {
    word: number
    for number, word in enumerate(
        ["none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
    )
}
_RANGE = re.compile(r"(\d+)\s*(?:-|–|to)\s*(\d+)")
_PRICE = re.compile(r"(?P<number>[+\-−]?\s*\d+(?:\.\d+)?)(?:\s+(?:per|a|each)\s+(?P<per>.+))?")
_TIMES_BEFORE = re.compile(r"(\d+)\s*(?:x|×)?\s+(.+)")
_TIMES_AFTER = re.compile(r"(.+?)\s*(?:x|×)\s*(\d+)")
_PARAMETER = re.compile(r"(.+?)\s*\(([^()]+)\)")


@lru_cache(maxsize=20_000)
def make_id(name: str) -> str:
    """Make an id from a name.

    >>> make_id("Combat Gauntlet w/Reflex Shield"), make_id("Étoiles Mortant")
    ('combat-gauntlet-w-reflex-shield', 'etoiles-mortant')
    """
    folded = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", folded.replace("'", "")).strip("-")


class CountRange(NamedTuple):
    """`high` None means no maximum."""

    low: int
    high: int | None


ONCE_AT_MOST = CountRange(0, 1)
EXACTLY_ONE = CountRange(1, 1)


COUNTS_AS_DIGITS = {word: str(number) for word, number in COUNTS.items()}


def read_range(text: str) -> CountRange:
    """Parse `5`, `5-8`, `5+`, `up to 2`, `at least 1` or `any`. Numbers may be words.

    >>> read_range("5-8"), read_range("up to two"), read_range("2+")
    (CountRange(low=5, high=8), CountRange(low=0, high=2), CountRange(low=2, high=None))
    """
    words = " ".join(COUNTS_AS_DIGITS.get(word, word) for word in text.lower().split())
    if match := _RANGE.fullmatch(words):
        low, high = int(match[1]), int(match[2])
        if low > high:
            mend = f"Write {high}-{low}."
            raise MalformedValueError(f"The range “{text}” ends before it begins.", mend, "min-over-max")
        return CountRange(low, high)

    number = re.search(r"\d+", words)
    value = int(number[0]) if number else 0
    shape = re.sub(r"\d+", "#", words)
    match shape:
        case "#":
            return CountRange(value, value)
        case "#+" | "at least #" | "# or more":
            return CountRange(value, None)
        case "up to #" | "at most #":
            return CountRange(0, value)
        case "any" | "any number":
            return CountRange(0, None)
    raise MalformedValueError(
        f"“{text}” is not a number or a range.", "Write one of 5, 5-8, 2+, up to 2, any.", "bad-range"
    )


class PriceValue(NamedTuple):
    value: Number
    per: str = ""


def read_price(text: str) -> PriceValue:
    """Parse `+2`, `-3`, `0`, `free` or `+3 per model`.

    >>> read_price("-3"), read_price("+2 per model")
    (PriceValue(value=-3, per=''), PriceValue(value=2, per='model'))
    """
    if text.lower() in ("free", ""):
        return PriceValue(0)
    match = _PRICE.fullmatch(text)
    if not match:
        mend = "Write a price as +2, -3, 0, free or +2 per model."
        raise MalformedValueError(f"“{text}” is not a price.", mend, "bad-number")
    return PriceValue(read_number(match["number"].replace(" ", "")), match["per"] or "")


def read_times(text: str) -> tuple[int, str]:
    """Return count and name of `Pike x2`, `2 Pike` or `Pike`.

    >>> read_times("2 x Pike"), read_times("Pike x3"), read_times("Pike")
    ((2, 'Pike'), (3, 'Pike'), (1, 'Pike'))
    """
    if match := _TIMES_BEFORE.fullmatch(text):
        return int(match[1]), match[2]
    if match := _TIMES_AFTER.fullmatch(text):
        return int(match[2]), match[1]
    return 1, text


def read_parameter(text: str) -> tuple[str, str]:
    """Split a name and its parameter in brackets.

    >>> read_parameter("Command (2)"), read_parameter("Scout")
    (('Command', '2'), ('Scout', ''))
    """
    match = _PARAMETER.fullmatch(text)
    return (match[1], match[2]) if match else (text, "")
