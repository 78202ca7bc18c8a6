"""How things look: the reader's own choice of colours and row height, and the accent colour of a game."""

import zlib

from django import template

from catalogue.models import GameSystem

register = template.Library()

CHOICES = {"theme": ("auto", "light", "dark"), "density": ("comfortable", "compact")}
ACCENTS = ("moss", "tide", "rust", "plum", "ochre", "slate")


@register.filter
def look(chosen: str | None, what: str) -> str:
    """The reader's stored choice of `what`, or the first there is."""
    return chosen if chosen in CHOICES[what] else CHOICES[what][0]


@register.filter
def accent(game: GameSystem | str | None) -> str:
    """The class that gives a game its colour: its own, else one of ours, the same always and everywhere."""
    if not game:
        return ""
    if isinstance(game, GameSystem) and game.accent:
        return f"game-{game.slug}"
    slug = game if isinstance(game, str) else game.slug
    return f"accent-{ACCENTS[zlib.crc32(slug.encode()) % len(ACCENTS)]}"
