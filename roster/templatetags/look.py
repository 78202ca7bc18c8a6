"""How things look: the reader's own choice of colours and row height, and the accent colour of a game."""

import zlib

from django import template

register = template.Library()

CHOICES = {"theme": ("auto", "light", "dark"), "density": ("comfortable", "compact")}
ACCENTS = ("moss", "tide", "rust", "plum", "ochre", "slate")


@register.filter
def look(chosen: str | None, what: str) -> str:
    """The reader's stored choice of `what`, or the first there is."""
    return chosen if chosen in CHOICES[what] else CHOICES[what][0]


@register.filter
def accent(game: str) -> str:
    """The class that gives a game its colour: the same for the same game, everywhere and always."""
    return f"accent-{ACCENTS[zlib.crc32(game.encode()) % len(ACCENTS)]}"
