"""Template tags of collections, and whether a list's owner has one, for the builder, which does not depend on them."""

from django import template

from roster.club.models import Collection, OwnedKind
from roster.models import Roster

register = template.Library()


@register.simple_tag(name="count_models")
def count_models(kind: OwnedKind | None, state: str) -> int:
    """Return how many models of a kind are in a state; 0 without a kind."""
    return kind.count(state) if kind else 0


@register.simple_tag(name="owns_models")
def owns_models(roster: Roster) -> bool:
    """Return whether a list's owner has a collection of its game."""
    owned = Collection.objects.filter(owner=roster.owner_id, owner_key=roster.owner_key)
    return owned.filter(game=roster.version.game_id).exists()
