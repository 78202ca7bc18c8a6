"""Games on pages that lists begin at, which know nothing of games themselves."""

from typing import Any

from django import template

from roster.play.services.games import list_games
from roster.play.views.game_lists import describe_row
from roster.services.owners import identify_visitor

register = template.Library()

SHOWN = 2
"""So many games in progress are shown; all of them are on a page of their own."""


@register.simple_tag(name="games_in_progress", takes_context=True)
def list_games_in_progress(context: template.RequestContext) -> list[dict[str, Any]]:
    """List the visitor's games that go on, the last touched first, as lines."""
    running = list_games(identify_visitor(context["request"])).filter(ended=None)
    return [describe_row(game) for game in running[:SHOWN]]
