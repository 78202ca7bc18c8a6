"""Limits on lists, texts, processor time (`JUDGING_SECONDS`, `PDF_SECONDS`) and storage (`QUOTAS`).

Edits beyond a limit are refused, never cut. Only guests' lists drop their oldest steps.
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
from roster.services.owners import Visitor, filter_owned, list_photo_models, list_shared_models

MAX_DOCUMENT_BYTES = 400_000
MAX_NUMBER = 1_000
MAX_NOTES = NOTES_LENGTH
MAX_ID = 2_000

LOOKING_SECONDS = 30.0
"""Seconds of processor time for looking ahead. Usually the step limit is reached first."""
OUTLOOK = Effort(30_000, LOOKING_SECONDS)
"""For all questions of one page about a list's outlook."""
WAYS = Effort(60_000, LOOKING_SECONDS)
"""To complete, fill or repair a list, or to find additions."""
ARMY = Effort(150_000, LOOKING_SECONDS)
"""To find a whole army."""
TAKEABLE = Effort(120_000, LOOKING_SECONDS)
"""For an organiser's question about a whole faction."""
PATIENT = Effort(5 * WAYS.steps, 4 * LOOKING_SECONDS)
"""For an owner who asks to continue. Steps that decide a verdict stay the same."""

_AMOUNT = re.compile(r"[0-9]{1,9}(\.[0-9]{1,4})?")

KEPT_STEPS = 2
"""The newest steps that always stay."""


def check_text(text: str, limit: int, *, lines: bool = False, subject: str = "") -> str | Refused:
    """Clean a text, or refuse `too-long`."""
    cleaned = clean_text(text, lines=lines)
    if len(cleaned) > limit:
        return Refused(code="too-long", subject_id=subject, measured=len(cleaned), allowed=limit)
    return cleaned


def check_name(text: str, *, subject: str = "") -> str | Refused:
    return check_text(text, NAME_LENGTH, subject=subject)


def parse_amount(text: str, *, subject: str = "") -> Number | Refused | None:
    """Parse a limit such as "120" or "7.5"; return None if blank, or refuse `bad-number`."""
    text = text.strip()
    if not text:
        return None
    # Decimal alone would also accept "1e9", "NaN" and digits of other scripts.
    if not _AMOUNT.fullmatch(text):
        return Refused(code="bad-number", subject_id=subject)
    return shorten_number(Decimal(text))


def get_judging_seconds(*, has_account: bool) -> int:
    seconds: int = settings.ARMYBUILDER["JUDGING_SECONDS"]["account" if has_account else "guest"]
    return seconds


def start_deadline(*, has_account: bool) -> Deadline:
    return expire_after(get_judging_seconds(has_account=has_account))


def check_size(roster: RosterTree, document_bytes: int, before: RosterTree | None = None) -> Refused | None:
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
    """`things` of each kind, `bytes` of all lists, `history` bytes of one list."""

    things: int
    bytes: int
    history: int


def get_quota(owned: Owned | Visitor) -> Quota:
    is_guest = bool(owned.key if isinstance(owned, Visitor) else owned.owner_key)
    return Quota(**settings.ARMYBUILDER["QUOTAS"]["guest" if is_guest else "account"])


def check_room(owner: Visitor, kind: type[Owned]) -> Refused | None:
    """Refuse `no-room` or `no-bytes` beyond an owner's quota."""
    quota = get_quota(owner)
    mine = filter_owned(owner, kind._default_manager.all())
    number = mine.count()
    if number >= quota.things:
        return Refused(code="no-room", measured=number, allowed=quota.things)
    # From a column of each list: summing the histories would read them all.
    written = mine.aggregate(sum=Sum("written"))["sum"] or 0 if kind is Roster else 0
    if written >= quota.bytes:
        return Refused(code="no-bytes", measured=written, allowed=quota.bytes)
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """An owner's things by kind, bytes of all lists and of the longest history, and photos."""

    quota: Quota
    things: Mapping[type[Shared], int]
    bytes: int
    history: int
    photos: int


def measure_room(owner: Visitor) -> Room:
    """Measure an owner's storage, including the bin."""
    written = filter_owned(owner, Roster.objects.order_by()).aggregate(all=Sum("written"), longest=Max("written"))
    return Room(
        quota=get_quota(owner),
        things={kind: filter_owned(owner, kind._default_manager.all()).count() for kind in list_shared_models()},
        bytes=written["all"] or 0,
        history=written["longest"] or 0,
        photos=measure_photos(owner.user_id) if owner.user_id is not None else 0,
    )


def measure_photos(user_id: int) -> int:
    photos = [model._default_manager.filter(**{model.owner_path: user_id}) for model in list_photo_models()]
    return sum(rows.order_by().aggregate(sum=Sum("size"))["sum"] or 0 for rows in photos)


def check_history(roster: Roster) -> Refused | None:
    """Refuse `full-history` if an account's list cannot change any more."""
    quota = get_quota(roster)
    if roster.owner_key or roster.written < quota.history:
        return None
    return Refused(code="full-history", measured=roster.written, allowed=quota.history)


def trim_history(roster: Roster) -> None:
    """Drop a guest's oldest steps above the quota, but no current, newest, conflicting or named revision."""
    quota = get_quota(roster)
    if not roster.owner_key or roster.written <= quota.history:
        return
    gone = _choose_steps_to_forget(roster, roster.written - quota.history)
    RosterRevision.forget(gone.keys())
    left = roster.written - sum(gone.values())
    Roster.objects.filter(pk=roster.pk).update(written=left)
    roster.written = left


class StoredStep(NamedTuple):
    pk: int
    number: int
    base: int
    named: int | None
    size: int


def _choose_steps_to_forget(roster: Roster, excess: int) -> dict[int, int]:
    stored = Coalesce(Length("packed"), Length("text"))
    rows = [StoredStep(*row) for row in roster.revisions.values_list("pk", "number", "base", "named", stored)]
    # Oldest first; a base comes after the revisions stored as differences from it.
    rows.sort(key=lambda row: (row.base or row.number, row.base == 0, row.number))
    needed = Counter(row.base for row in rows)
    gone: dict[int, int] = {}
    for row in rows:
        if sum(gone.values()) >= excess:
            break
        # Forgetting an archived step would free nothing.
        is_spare = row.size and not row.named and row.number <= roster.last - KEPT_STEPS
        if is_spare and row.number not in (roster.head, roster.aside) and not needed[row.number]:
            needed[row.base] -= 1
            gone[row.pk] = row.size
    return gone
