"""Template tags of collections."""

from django import template

from roster.club.models import OwnedKind

register = template.Library()


@register.simple_tag(name="count_models")
def count_models(kind: OwnedKind | None, state: str) -> int:
    """Return how many models of a kind are in a state; 0 without a kind."""
    return kind.count(state) if kind else 0
