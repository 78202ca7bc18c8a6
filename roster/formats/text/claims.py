"""Store a list's statements about itself under known keys."""

import re

from catalogue.definitions.numbers import Number
from roster.formats.text.items import split_at_commas
from roster.formats.text.pasted import HeaderClaims
from roster.formats.text.shapes import match_unit, parse_number
from roster.formats.text.words import ClaimKey, find_claim_key, match_detachment

KEY_VALUE = re.compile(r"(?P<key>[^:()\[\]]{2,40}?)\s*:\s*(?P<value>.*)")


def has_claim_key(text: str) -> bool:
    match = KEY_VALUE.fullmatch(text)
    return match is not None and find_claim_key(match["key"]) is not None


def add_written_claim(claims: HeaderClaims, written: str, value: str) -> None:
    key = find_claim_key(written) or ClaimKey.OTHER
    if key is ClaimKey.OTHER:
        claims.other[written] = value.strip()
    else:
        add_claim(claims, key, value)


def add_claim(claims: HeaderClaims, key: ClaimKey, value: str) -> None:
    """Keep the first value of most claims."""
    match key:
        case ClaimKey.FACTION:
            # `Imperium - Adepta - Order`: the narrowest comes last. The first line that names a faction wins.
            shape = match_unit(value, ends=True)
            name = shape.name if shape and shape.points else value
            claims.faction = claims.faction or name.rsplit(" - ", 1)[-1].strip()
            # `Army: Reedfolk - 1000 pts`
            claims.limit = claims.limit or (shape.points or None if shape else None)
        case ClaimKey.DETACHMENT:
            for name in split_at_commas(value):
                plain = match_detachment(name) or re.sub(r"\s*\([^()]*\)\s*$", "", name)
                claims.detachments.append(plain)
        case ClaimKey.SIZE:
            claims.size = value
            # `2. Strike Force (2000 Point limit)`: the smaller number belongs to the choice.
            largest = max(_list_numbers(value), default=0)
            if largest and not claims.limit:
                claims.limit = largest
        case ClaimKey.TOTAL:
            numbers = _list_numbers(value)
            # The first total is next to the title; sums of parts come further down.
            if numbers and claims.total is None:
                claims.total = numbers[0]
            if len(numbers) > 1 and "/" in value:
                claims.limit = numbers[1]
        case ClaimKey.LIMIT:
            claims.limit = next(iter(_list_numbers(value)), None)
        case ClaimKey.UNITS:
            claims.units = next((int(number) for number in _list_numbers(value)), None)
        case _:
            if not getattr(claims, key.value):
                setattr(claims, key.value, value.strip())


def _list_numbers(text: str) -> list[Number]:
    numbers = map(parse_number, re.findall(r"\d[\d.,]*", text))
    return [number for number in numbers if number is not None]
