"""Outcomes of editing a list. Refusals and conflicts are values, not exceptions, and change nothing."""

from dataclasses import dataclass

from roster.engine.edits import Refused
from roster.models import Roster
from roster.services.evaluation import EvaluatedList

__all__ = ["Conflict", "ConflictingRevision", "Outcome", "Refused", "RefusedChange", "SavedEdit"]


class RefusedChange(Refused, kw_only=True):
    """The refused one of several changes, `number` from 1; none was made."""

    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedEdit:
    """`created` are the ids of added parts, the requested part first.

    `act` and `subject` describe the revision made, undone or redone, and are "" if nothing changed.
    """

    roster: Roster
    evaluated_list: EvaluatedList
    created: tuple[str, ...] = ()
    act: str = ""
    subject: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """The edit was based on `made_on`, but the list is at `head`."""

    made_on: int
    head: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ConflictingRevision:
    """The change to `made_on` is stored next to `head` as `number`, for the owner to choose."""

    made_on: int
    head: int
    number: int


Outcome = SavedEdit | Refused | Conflict | ConflictingRevision
"""Services add these codes to the engine's: `bad-change` (an unknown change, or a missing or invalid field),
`full-history`, `needs-account`, `no-bytes`, `no-room`, `too-long`, `unknown-faction`, `unknown-group`,
`nothing-to-undo`, `nothing-to-redo`, `unknown-revision`, and `lost-step` and `unread-step` of HistoryArchiveError.
"""
