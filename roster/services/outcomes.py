"""Outcomes of an act on a list. A refusal and a conflict are values, not exceptions; neither changes anything."""

from dataclasses import dataclass

from roster.engine.edits import Refused
from roster.models import Roster
from roster.services.evaluation import EvaluatedList

__all__ = ["Conflict", "ConflictingRevision", "Outcome", "Refused", "SavedEdit"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedEdit:
    """The act was done and is stored. `judged` is the list as it is now, ready for the page; `created` are the ids of
    the parts the act added, the asked-for one first. `act` and `subject` are those of the revision that was made, taken
    back or made again; blank if nothing changed."""

    roster: Roster
    judged: EvaluatedList
    created: tuple[str, ...] = ()
    act: str = ""
    subject: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """The list has moved on since the page was shown: the act named revision `made_on`, the list is at `head`."""

    made_on: int
    head: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ConflictingRevision:
    """The list had moved on, so the change was stored as revision `number` beside it: made on `made_on`, while the list
    is at `head`. The owner chooses between the two."""

    made_on: int
    head: int
    number: int


Outcome = SavedEdit | Refused | Conflict | ConflictingRevision
"""`Refused` is the engine's; the codes that services add to its own are `bad-change` (no such change, or a field is
missing or of the wrong kind), `full-history`, `needs-account`, `no-bytes`, `no-room`, `too-long`, `unknown-faction`,
`unknown-group`, `nothing-to-undo`, `nothing-to-redo`, `unknown-revision`. `roster.wording.explain_refusal` makes the
sentence."""
