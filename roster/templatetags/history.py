from django import template

from roster import wording
from roster.models import Roster, RosterRevision
from roster.services.revisions import build_revision_address

register = template.Library()


@register.filter("revision_label")
def describe_revision(revision: RosterRevision) -> str:
    return wording.describe_act(revision.act, revision.subject)


@register.filter("revision_address")
def link_revision(roster: Roster, revision: RosterRevision) -> str:
    return build_revision_address(roster.get_absolute_url(), revision.number, revision.content_hash)
