"""Round emblems for games that have none yet."""

import re
from zlib import crc32

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()

_WORD = re.compile(r"\w[\w']*")
_SMALL = frozenset(("a", "and", "by", "in", "of", "the", "to"))
COLOURS = 8


@register.simple_tag(name="monogram")
def render_monogram(title: str) -> SafeString:
    """Render the first letters of a game's title on a base, in one of eight colours."""
    colour = crc32(title.casefold().encode()) % COLOURS + 1
    return format_html('<span class="base mono m-{}" aria-hidden="true"><b>{}</b></span>', colour, abbreviate(title))


def abbreviate(title: str) -> str:
    """Return two letters or digits for a title.

    >>> [abbreviate(title) for title in ("Age of Sigmar, 4th edition", "Warhammer 40,000", "Argatoria", "SPQR", "…")]
    ['AS', '40', 'Ar', 'SP', '?']
    """
    every: list[str] = _WORD.findall(title)
    words = [word for word in every if word.casefold() not in _SMALL] or every
    numbers = [word for word in words if word.isdecimal() and len(word) > 1]
    if numbers and words.index(numbers[0]) < 2:
        return numbers[0][:2]
    if len(words) > 1:
        return (words[0][0] + words[1][0]).upper()
    return words[0][:2] if words else "?"
