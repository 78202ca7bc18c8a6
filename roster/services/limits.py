"""How large a list may grow, what its texts may hold, how long anything about it may be thought about, and how much
anybody may keep.

Seconds of judging and printing are in the settings, beside the rates: `JUDGING_SECONDS`, `PDF_SECONDS`. Beyond a size
an edit is refused; nothing is cut silently. The bounds of what somebody keeps are in the setting
`QUOTAS`: generous for accounts, tight for guests. Only the oldest steps of a guest's list make room for new ones.
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

from django.conf import settings
from django.db.models import Max, Sum
from django.db.models.functions import Coalesce, Length

from catalogue.definitions.numbers import Number, shorten_number
from roster.engine.completion.effort import Effort
from roster.engine.edits import Refused
from roster.engine.evaluation import Deadline, expire_after
from roster.engine.tree import RosterTree, count_forces, count_nodes
from roster.formats.list_text import MAX_DETACHMENTS, MAX_PARTS, NAME_LENGTH, NOTES_LENGTH, clean_text
from roster.models import Roster, RosterRevision
from roster.models.ownership import Owned, Shared
from roster.services.owners import Visitor, filter_owned, list_shared_models

MAX_DOCUMENT_BYTES = 400_000
MAX_NUMBER = 1_000
MAX_NOTES = NOTES_LENGTH
MAX_ID = 2_000

LOOKING_SECONDS = 30.0
"""After how much processor time looking ahead is given up as not finished. Steps decide, and take a few seconds."""
OUTLOOK = Effort(30_000, LOOKING_SECONDS)
"""What the solver may do to find out what can still become of a list, all questions of a page together."""
WAYS = Effort(60_000, LOOKING_SECONDS)
"""What it may do for one way to complete, fill or repair a list, or to find what may be added to it."""
ARMY = Effort(150_000, LOOKING_SECONDS)
"""What it may do to find a whole army."""
TAKEABLE = Effort(120_000, LOOKING_SECONDS)
"""What it may do for an organiser who asks about a whole faction."""
PATIENT = Effort(5 * WAYS.steps, 4 * LOOKING_SECONDS)
"""What it may do for an owner who asks to go on. The steps that decide a verdict stay the same."""

_AMOUNT = re.compile(r"[0-9]{1,9}(\.[0-9]{1,4})?")

KEPT_STEPS = 2
"""So many of the newest steps stay, however large they are."""


def check_text(text: str, limit: int, *, lines: bool = False, subject: str = "") -> str | Refused:
    """Return the cleaned text, or `too-long`."""
    cleaned = clean_text(text, lines=lines)
    if len(cleaned) > limit:
        return Refused(code="too-long", subject_id=subject, measured=len(cleaned), allowed=limit)
    return cleaned


def check_name(text: str, *, subject: str = "") -> str | Refused:
    """Return a name on one line, or `too-long`."""
    return check_text(text, NAME_LENGTH, subject=subject)


def parse_amount(text: str, *, subject: str = "") -> Number | Refused | None:
    """Parse a limit such as "120" or "7.5": None for a blank text ("no limit"), or `bad-number`."""
    text = text.strip()
    if not text:
        return None
    # Decimal alone would also take "1e9", "NaN" and digits of other scripts.
    if not _AMOUNT.fullmatch(text):
        return Refused(code="bad-number", subject_id=subject)
    return shorten_number(Decimal(text))


def get_judging_seconds(*, has_account: bool) -> int:
    """Return how many seconds of processor time judging one request of a guest or an account may take."""
    seconds: int = settings.ARMYBUILDER["JUDGING_SECONDS"]["account" if has_account else "guest"]
    return seconds


def start_deadline(*, has_account: bool) -> Deadline:
    """Start the deadline for filling and judging a list that somebody hands in or edits."""
    return expire_after(get_judging_seconds(has_account=has_account))


def check_size(roster: RosterTree, document_bytes: int, before: RosterTree | None = None) -> Refused | None:
    """Return why a list is more than may be stored or judged, or None.

    `too-many-detachments`, unless it has fewer than it had `before`; `too-large` for its parts; `too-long` for the
    bytes of its document.
    """
    forces = count_forces(roster)
    if forces > MAX_DETACHMENTS and (before is None or forces >= count_forces(before)):
        return Refused(code="too-many-detachments", measured=forces, allowed=MAX_DETACHMENTS)
    nodes = count_nodes(roster)
    if nodes > MAX_PARTS:
        return Refused(code="too-large", measured=nodes, allowed=MAX_PARTS)
    if document_bytes > MAX_DOCUMENT_BYTES:
        return Refused(code="too-long", measured=document_bytes, allowed=MAX_DOCUMENT_BYTES)
    return None


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """How much somebody stores within a quota: things by kind, bytes of all lists, and of the longest history."""

    quota: Quota
    things: Mapping[type[Shared], int]
    bytes: int
    history: int


def measure_room(owner: Visitor) -> Room:
    """Return how much somebody stores, what is in the bin included."""
    written = filter_owned(owner, Roster.objects.order_by()).aggregate(all=Sum("written"), longest=Max("written"))
    return Room(
        quota=get_quota(owner),
        things={kind: filter_owned(owner, kind._default_manager.all()).count() for kind in list_shared_models()},
        bytes=written["all"] or 0,
        history=written["longest"] or 0,
    )


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
    gone = _choose_steps_to_forget(roster, roster.written - quota.history)
    RosterRevision.forget(gone.keys())
    left = roster.written - sum(gone.values())
    Roster.objects.filter(pk=roster.pk).update(written=left)
    roster.written = left


class StoredStep(NamedTuple):
    """A revision, by what decides whether it may be forgotten."""

    pk: int
    number: int
    base: int
    named: int | None
    size: int


def _choose_steps_to_forget(roster: Roster, excess: int) -> dict[int, int]:
    """Return the keys of the oldest revisions that come to so many bytes, each with its size."""
    stored = Coalesce(Length("packed"), Length("text"))
    rows = [StoredStep(*row) for row in roster.revisions.values_list("pk", "number", "base", "named", stored)]
    # The oldest steps first, and what others are stored as differences from only after all of those.
    rows.sort(key=lambda row: (row.base or row.number, row.base == 0, row.number))
    needed = Counter(row.base for row in rows)
    gone: dict[int, int] = {}
    for row in rows:
        if sum(gone.values()) >= excess:
            break
        # Its owner wants to find a step again that has a name.
        is_spare = not row.named and row.number <= roster.last - KEPT_STEPS
        if is_spare and row.number not in (roster.head, roster.aside) and not needed[row.number]:
            needed[row.base] -= 1
            gone[row.pk] = row.size
    return gone
