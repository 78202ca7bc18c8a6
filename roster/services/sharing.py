"""Who may see a thing: private, by link, public; taking a link back; what is public; what people report."""

from dataclasses import dataclass
from typing import TypeVar

from django.db.models import QuerySet
from django.utils import timezone

from roster.engine.edits import Refused
from roster.models import AbuseReport, Roster
from roster.models.abuse import TEXT_LENGTH, Reason
from roster.models.ownership import Shared, Visibility, new_public_id
from roster.services.limits import checked_text
from roster.services.owner_mail import tell_hidden
from roster.services.owners import Visitor, owns

MOST_OPEN = 20
"""Reports on one thing that wait for staff. Those beyond it say nothing new and are not kept."""

S = TypeVar("S", bound=Shared)


@dataclass(frozen=True, slots=True)
class Told:
    """A report was taken."""

    reason: Reason


def share(thing: Shared, visibility: str) -> Refused | None:
    """Say who may see a thing; `bad-change` for no such word, `needs-account` where a guest wants it public."""
    if visibility not in Visibility.values:
        return Refused(code="bad-change")
    if visibility == Visibility.PUBLIC and thing.owner_id is None:
        return Refused(code="needs-account")
    thing.visibility = visibility
    _put(thing, visibility=visibility)
    return None


def keep_secret(roster: Roster, secret: bool) -> None:
    """Hide points and options of a list from everybody but its owner, or show them."""
    roster.is_secret = secret
    _put(roster, is_secret=secret)


def renew_link(thing: Shared) -> None:
    """Give a thing another link: whoever has the one it had finds nothing there from now on."""
    thing.link_id = new_public_id()
    _put(thing, link_id=thing.link_id)


def veiled(roster: Roster, reader: Visitor) -> bool:
    """Whether this reader sees a list without points and options."""
    return roster.is_secret and not owns(reader, roster)


def public(things: QuerySet[S]) -> QuerySet[S]:
    """Those of `things` that everybody may find, the last changed first."""
    return things.filter(visibility=Visibility.PUBLIC, taken_down=False).order_by("-updated", "-pk")


def reportable(thing: Shared, reader: Visitor) -> bool:
    """Whether there is somebody else to report, and something that others see."""
    owned = thing.owner_id is not None or bool(thing.owner_key)
    return owned and thing.visibility != Visibility.PRIVATE and not owns(reader, thing)


def tell_staff(thing: Shared, reason: str, text: str) -> Told | Refused:
    """Report a thing to the staff; `bad-change` for a reason that does not exist, `too-long` for the text."""
    if reason not in Reason.values:
        return Refused(code="bad-change")
    cleaned = checked_text(text, TEXT_LENGTH, lines=True)
    if isinstance(cleaned, Refused):
        return cleaned
    if thing.reports.filter(settled=None).count() < MOST_OPEN:
        AbuseReport.objects.create(thing=thing, reason=reason, text=cleaned)
    return Told(Reason(reason))


def take_down(thing: Shared) -> None:
    """Show a thing to nobody but its owner and the staff, whatever its owner chose, and settle what was reported.

    Its owner is told by mail, with the reasons that were given.
    """
    if not thing.taken_down:
        tell_hidden(thing)
    thing.taken_down = True
    _put(thing, taken_down=True)
    settle(thing)


def put_back(thing: Shared) -> None:
    """Show a thing again to those whom its owner chose, and settle what was reported."""
    thing.taken_down = False
    _put(thing, taken_down=False)
    settle(thing)


def settle(thing: Shared) -> None:
    """Say that the staff dealt with what was reported of a thing."""
    thing.reports.filter(settled=None).update(settled=timezone.now())


def _put(thing: Shared, **fields: object) -> None:
    """Write these fields alone: the date of the last change is that of the thing itself."""
    type(thing)._default_manager.filter(pk=thing.pk).update(**fields)
