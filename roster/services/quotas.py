"""How much anybody may keep: lists, mission decks and hands, and the bytes of lists with their histories.

The bounds stand in the setting `QUOTAS`: generous for accounts, tight for guests. What is full says so and loses
nothing; only the oldest steps of a guest's list make room for new ones.
"""

from dataclasses import dataclass

from django.conf import settings
from django.db.models import Sum
from django.db.models.functions import Length

from roster.models import Roster, RosterRevision
from roster.models.ownership import Owned
from roster.services.outcomes import Refused
from roster.services.owners import Visitor, filter_owned

KEPT_STEPS = 2
"""So many of the newest steps stay, however large they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quota:
    """`things` of each kind; `bytes` of all lists together with their histories, `history` of a single one."""

    things: int
    bytes: int
    history: int


def get_quota(owned: Owned | Visitor) -> Quota:
    """Return how much an owner or visitor may store."""
    is_guest = bool(owned.key if isinstance(owned, Visitor) else owned.owner_key)
    return Quota(**settings.ARMYBUILDER["QUOTAS"]["guest" if is_guest else "account"])


def check_room(owner: Visitor, kind: type[Owned]) -> Refused | None:
    """Return `no-room` or `no-bytes` if somebody may store no more of a kind; who owns nothing yet has room."""
    quota = get_quota(owner)
    mine = filter_owned(owner, kind._default_manager.all())
    number = mine.count()
    if number >= quota.things:
        return Refused(code="no-room", measured=number, allowed=quota.things)
    # Counted by a column kept with each list: adding up the histories would read them all.
    written = mine.aggregate(sum=Sum("written"))["sum"] or 0 if kind is Roster else 0
    if written >= quota.bytes:
        return Refused(code="no-bytes", measured=written, allowed=quota.bytes)
    return None


def check_history(roster: Roster) -> Refused | None:
    """Return `full-history` if an account's list cannot be changed any more; a copy starts a new history."""
    quota = get_quota(roster)
    if roster.owner_key or roster.written < quota.history:
        return None
    return Refused(code="full-history", measured=roster.written, allowed=quota.history)


def trim_history(roster: Roster) -> None:
    """Take the oldest steps out of the history of a guest's list that is longer than it may be.

    What the list is now, its newest steps, what waits for a choice, and what has a name stay.
    """
    quota = get_quota(roster)
    if not roster.owner_key or roster.written <= quota.history:
        return
    # A revision that has a name is one that its owner wants to find again.
    old = roster.revisions.filter(named=None, number__lte=roster.last - KEPT_STEPS)
    old = old.exclude(number__in=(roster.head, roster.aside))
    left, gone = roster.written, []
    for pk, size in old.order_by("number").values_list("pk", Length("document")):
        if left <= quota.history:
            break
        gone.append(pk)
        left -= size
    RosterRevision.forget(gone)
    Roster.objects.filter(pk=roster.pk).update(written=left)
    roster.written = left
