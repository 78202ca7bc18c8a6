"""Show games on pages about lists, whose code does not depend on games."""

from typing import Any

from django import template
from django.core.serializers.json import DjangoJSONEncoder
from django.utils.html import json_script
from django.utils.safestring import SafeString

from roster.play.services.games import list_games
from roster.play.views.game_lists import describe_row
from roster.services.owners import identify_visitor

register = template.Library()

SHOWN = 2


@register.simple_tag(name="games_in_progress", takes_context=True)
def list_games_in_progress(context: template.RequestContext) -> list[dict[str, Any]]:
    """Return rows for the visitor's running games, most recently changed first."""
    running = list_games(identify_visitor(context["request"])).filter(ended=None)
    return [describe_row(game) for game in running[:SHOWN]]


class CompactEncoder(DjangoJSONEncoder):
    """Writes JSON without spaces, which saves kilobytes in a large game."""

    item_separator = ","
    key_separator = ":"


@register.filter("data_script")
def write_data_script(data: Any, element_id: str | None = None) -> SafeString:
    """Write data into a page for its script.

    >>> write_data_script({"last": 2, "texts": {}}, "state")
    '<script id="state" type="application/json">{"last":2,"texts":{}}</script>'
    """
    return json_script(data, element_id, encoder=CompactEncoder)
