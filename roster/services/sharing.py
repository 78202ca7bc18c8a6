"""Visibility, links and abuse reports."""

from dataclasses import dataclass
from typing import TypeVar

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from catalogue.models.base import new_public_id
from roster.engine.edits import Refused
from roster.models import AbuseReport, Roster
from roster.models.ownership import REPORT_LENGTH, Moderated, Reason, Shared, Visibility
from roster.services.limits import check_text
from roster.services.owners import Visitor, is_owner, tell_hidden

MOST_OPEN = 20
"""Further open reports on one thing are dropped."""

S = TypeVar("S", bound=Shared)


@dataclass(frozen=True, slots=True)
class ReportReceipt:
    reason: Reason


def set_visibility(thing: Shared, visibility: str) -> Refused | None:
    """Set who may see a thing.

    Refuses `bad-change`, `needs-account` if a guest publishes, and `private-list` if the game is private.
    """
    if visibility not in Visibility.values or (visibility == Visibility.PUBLIC and not thing.sharing_words.everybody):
        return Refused(code="bad-change")
    if visibility == Visibility.PUBLIC and thing.owner_id is None:
        return Refused(code="needs-account")
    if visibility == Visibility.PUBLIC and thing.is_of_private_game:
        return Refused(code="private-list")
    thing.visibility = visibility
    _update_fields(thing, visibility=visibility)
    return None


def share_roster(
    roster: Roster, visibility: str, *, secret: bool | None = None, uncounted: bool | None = None
) -> Refused | None:
    """Set who may see a list, whether only its owner may read its contents, and whether statistics leave it out.

    None keeps a choice. Refuses as `set_visibility` does.
    """
    # All at once, or a list could be public for a moment before it is secret.
    with transaction.atomic():
        refused = set_visibility(roster, visibility)
        if refused:
            return refused
        if secret is not None:
            roster.is_secret = secret
            _update_fields(roster, is_secret=secret)
        if uncounted is not None:
            roster.is_uncounted = uncounted
            _update_fields(roster, is_uncounted=uncounted)
    return None


def replace_link(thing: Shared) -> None:
    thing.link_id = new_public_id()
    _update_fields(thing, link_id=thing.link_id)


def is_redacted_for(roster: Roster, reader: Visitor) -> bool:
    return roster.is_secret and not is_owner(reader, roster)


def filter_public(things: QuerySet[S]) -> QuerySet[S]:
    return things.filter(visibility=Visibility.PUBLIC, taken_down=False).order_by("-updated", "-pk")


def can_report(thing: Moderated, reader: Visitor) -> bool:
    """Return whether a thing has another owner and is visible to others."""
    owned = thing.owner_id is not None or bool(thing.owner_key)
    return owned and thing.is_shown and not is_owner(reader, thing)


def tell_staff(thing: Moderated, reason: str, text: str) -> ReportReceipt | Refused:
    """Report a list, deck or other thing to staff. Refuses `bad-change` (an unknown reason) and `too-long`."""
    if reason not in Reason.values:
        return Refused(code="bad-change")
    cleaned = check_text(text, REPORT_LENGTH, lines=True)
    if isinstance(cleaned, Refused):
        return cleaned
    # The same response hides the number of reports.
    if thing.reports.filter(settled=None).count() < MOST_OPEN:
        AbuseReport.objects.create(thing=thing, reason=reason, text=cleaned)
    return ReportReceipt(Reason(reason))


def take_down(thing: Moderated) -> None:
    """Hide a thing from all but owner and staff, settle its reports, and mail its owner."""
    if not thing.taken_down:
        tell_hidden(thing)
    thing.taken_down = True
    _update_fields(thing, taken_down=True)
    settle_reports(thing)


def put_back(thing: Moderated) -> None:
    """Restore the owner's visibility, and settle reports."""
    thing.taken_down = False
    _update_fields(thing, taken_down=False)
    settle_reports(thing)


def settle_reports(thing: Moderated) -> None:
    thing.reports.filter(settled=None).update(settled=timezone.now())


def _update_fields(thing: Moderated, **fields: object) -> None:
    """Keep the date of the last change."""
    type(thing)._default_manager.filter(pk=thing.pk).update(**fields)
