"""Revisions in words."""

from django import template

from roster import wording
from roster.models import Roster, RosterRevision
from roster.services.revisions import build_revision_address

register = template.Library()


@register.filter("revision_label")
def describe_revision(revision: RosterRevision) -> str:
    """Describe a revision: "Added Reed Cutters"."""
    return wording.describe_act(revision.act, revision.subject)


@register.filter("revision_address")
def link_revision(roster: Roster, revision: RosterRevision) -> str:
    """Return the address of the read-only page of a revision."""
    return build_revision_address(roster.get_absolute_url(), revision.number, revision.content_hash)
