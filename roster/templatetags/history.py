"""Steps of the history in words."""

from django import template

from roster import wording
from roster.models import RosterRevision

register = template.Library()


@register.filter
def act(revision: RosterRevision) -> str:
    """What a revision did: "Added Reed Cutters"."""
    return wording.act(revision.act, revision.subject)
