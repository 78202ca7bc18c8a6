"""A list as it was at a named revision: what the QR code of a sheet leads to."""

import copy
from dataclasses import dataclass
from enum import StrEnum

from roster.models import Roster, RosterRevision
from roster.services.evaluation import hash_document
from roster.services.history import get_revision_name

SHORTEST_HASH = 8
"""Digits of a revision's hash that open it to somebody who is not the owner: as many as stand in a QR code."""


def build_revision_address(address: str, number: int, content_hash: str) -> str:
    """Return the address of a list at exactly this revision, from that of its read-only page.

    >>> address_at("/r/x/", 7, "3f9c21ab77aa")
    '/r/x/?revision=7&hash=3f9c21ab'
    """
    return f"{address}?revision={number}&hash={content_hash[:SHORTEST_HASH]}"


class PaperState(StrEnum):
    """How a paper, which names revision and hash, stands to the list as it is now.

    `NEWER_DATA`: the list is the same, but is judged by another version of the data now. `UNKNOWN`: the list was never
    what the paper says, or the paper says too little to be shown more than what is there now.
    """

    SAME = "same"
    CHANGED = "changed"
    NEWER_DATA = "newer-data"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class ShownList:
    """The list as it is shown. `paper` is None where no revision was asked for; `number` is the one asked for, `name`
    what its owner calls it.

    After a change `roster` holds what the revision did, and is never to be saved.
    """

    roster: Roster
    paper: PaperState | None = None
    number: int = 0
    name: str = ""

    @property
    def is_past(self) -> bool:
        return self.paper in (PaperState.CHANGED, PaperState.NEWER_DATA)

    def build_address(self, address: str) -> str:
        """Return the address of what is shown, with the revision if one was asked for."""
        if self.paper in (None, PaperState.UNKNOWN):
            return address
        return build_revision_address(address, self.number, hash_document(self.roster.document))


def find_shown_revision(roster: Roster, number: str, content_hash: str, *, owned: bool) -> ShownList:
    """Return the list at a revision. Only its owner can do without the revision's hash; others see it as it is."""
    if not number and not content_hash:
        return ShownList(roster)
    # `isdigit` is true for digits of other scripts, which `int` may refuse.
    wanted = int(number) if number.isascii() and number.isdigit() and len(number) < 10 else 0
    revision = roster.revisions.select_related("version__game", "named").filter(number=wanted).first()
    if revision is None or not _may_see(revision, content_hash, owned=owned):
        return ShownList(roster, PaperState.UNKNOWN, wanted)
    name = get_revision_name(revision)
    if revision.content_hash != hash_document(roster.document):
        return ShownList(_build_past_roster(roster, revision), PaperState.CHANGED, wanted, name)
    if revision.version_id != roster.version_id:
        return ShownList(_build_past_roster(roster, revision), PaperState.NEWER_DATA, wanted, name)
    return ShownList(roster, PaperState.SAME, wanted, name)


def _may_see(revision: RosterRevision, content_hash: str, *, owned: bool) -> bool:
    if not content_hash:
        return owned
    return len(content_hash) >= SHORTEST_HASH and revision.content_hash.startswith(content_hash)


def _build_past_roster(roster: Roster, revision: RosterRevision) -> Roster:
    # A copy that is never saved: pages show the list with the fields of that day.
    past = copy.copy(roster)
    past.document, past.head, past.last = revision.document, revision.number, revision.number
    past.version = revision.version
    past.points, past.verdict, past.violations = revision.points, revision.verdict, revision.violations
    past.name, past.updated = revision.tree.name, revision.created
    past._state.fields_cache["plan"] = None  # the plan is that of the list as it is now
    return past
