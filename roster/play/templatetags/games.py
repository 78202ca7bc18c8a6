"""Games on the pages of lists, which do not depend on games."""

from typing import Any

from django import template

from roster.play.services.games import list_games
from roster.play.views.game_lists import describe_row
from roster.services.owners import identify_visitor

register = template.Library()

SHOWN = 2
"""How many running games are shown."""


@register.simple_tag(name="games_in_progress", takes_context=True)
def list_games_in_progress(context: template.RequestContext) -> list[dict[str, Any]]:
    """Return rows for the visitor's running games, the last changed first."""
    running = list_games(identify_visitor(context["request"])).filter(ended=None)
    return [describe_row(game) for game in running[:SHOWN]]
