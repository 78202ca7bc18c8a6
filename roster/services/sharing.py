"""Share things: private, by link, public; withdraw a link; list what is public; report abuse."""

from dataclasses import dataclass
from typing import TypeVar

from django.db.models import QuerySet
from django.utils import timezone

from catalogue.models.base import new_public_id
from roster.engine.edits import Refused
from roster.models import AbuseReport, Roster
from roster.models.ownership import REPORT_LENGTH, Reason, Shared, Visibility
from roster.services.limits import check_text
from roster.services.owners import Visitor, is_owner, tell_hidden

MOST_OPEN = 20
"""Reports on one thing that wait for staff. Those beyond it say nothing new and are not kept."""

S = TypeVar("S", bound=Shared)


@dataclass(frozen=True, slots=True)
class ReportReceipt:
    """A report was taken."""

    reason: Reason


def set_visibility(thing: Shared, visibility: str) -> Refused | None:
    """Say who may see a thing; `bad-change` for no such word, `needs-account` where a guest wants it public."""
    if visibility not in Visibility.values:
        return Refused(code="bad-change")
    if visibility == Visibility.PUBLIC and thing.owner_id is None:
        return Refused(code="needs-account")
    thing.visibility = visibility
    _update_fields(thing, visibility=visibility)
    return None


def keep_secret(roster: Roster, secret: bool) -> None:
    """Hide points and options of a list from everybody but its owner, or show them."""
    roster.is_secret = secret
    _update_fields(roster, is_secret=secret)


def replace_link(thing: Shared) -> None:
    """Give a thing another link: anybody who has the one it had finds nothing there from now on."""
    thing.link_id = new_public_id()
    _update_fields(thing, link_id=thing.link_id)


def is_redacted_for(roster: Roster, reader: Visitor) -> bool:
    """Return whether this reader sees a list without points and options."""
    return roster.is_secret and not is_owner(reader, roster)


def filter_public(things: QuerySet[S]) -> QuerySet[S]:
    """Return those of `things` that everybody may find, the last changed first."""
    return things.filter(visibility=Visibility.PUBLIC, taken_down=False).order_by("-updated", "-pk")


def can_report(thing: Shared, reader: Visitor) -> bool:
    """Return whether a thing has another owner and can be seen by others."""
    owned = thing.owner_id is not None or bool(thing.owner_key)
    return owned and thing.visibility != Visibility.PRIVATE and not is_owner(reader, thing)


def tell_staff(thing: Shared, reason: str, text: str) -> ReportReceipt | Refused:
    """Report a thing to the staff; `bad-change` for a reason that does not exist, `too-long` for the text."""
    if reason not in Reason.values:
        return Refused(code="bad-change")
    cleaned = check_text(text, REPORT_LENGTH, lines=True)
    if isinstance(cleaned, Refused):
        return cleaned
    # The answer is the same either way: nobody learns how often a thing was reported.
    if thing.reports.filter(settled=None).count() < MOST_OPEN:
        AbuseReport.objects.create(thing=thing, reason=reason, text=cleaned)
    return ReportReceipt(Reason(reason))


def take_down(thing: Shared) -> None:
    """Show a thing to nobody but its owner and the staff, whatever its owner chose, and settle what was reported.

    Its owner is told by mail, with the reasons that were given.
    """
    # Hiding twice must not send a second mail.
    if not thing.taken_down:
        tell_hidden(thing)
    thing.taken_down = True
    _update_fields(thing, taken_down=True)
    settle_reports(thing)


def put_back(thing: Shared) -> None:
    """Show a thing again to those whom its owner chose, and settle what was reported."""
    thing.taken_down = False
    _update_fields(thing, taken_down=False)
    settle_reports(thing)


def settle_reports(thing: Shared) -> None:
    """Say that the staff dealt with what was reported of a thing."""
    thing.reports.filter(settled=None).update(settled=timezone.now())


def _update_fields(thing: Shared, **fields: object) -> None:
    """Write these fields alone: the date of the last change is that of the thing itself."""
    type(thing)._default_manager.filter(pk=thing.pk).update(**fields)
