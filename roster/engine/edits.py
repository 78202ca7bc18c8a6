"""Changes of a roster: each takes a roster and gives a new one, or says why not."""

from collections.abc import Callable

from catalogue.definitions.numbers import Number
from roster.engine.compile import Ruleset
from roster.engine.tree import Roster, Value

IdSource = Callable[[], str]
"""Gives a fresh id for each new force or selection."""


class Edited(Value):
    """The roster after an edit; `created` are the ids of the new nodes the edit was about, the asked-for one first."""

    roster: Roster
    created: tuple[str, ...] = ()


class Refused(Value):
    """Why an edit was not made.

    `code` is stable: `unknown-node`, `unknown-force-entry`, `unknown-catalogue`, `unknown-entry`, `unknown-category`,
    `unknown-cost-type`, `bad-number`, `too-large`. `subject_id` is the id that was not found or the node it is about.
    """

    code: str
    subject_id: str = ""
    measured: Number = 0
    allowed: Number = 0


def random_id() -> str:
    """A short id that cannot be guessed."""
    raise NotImplementedError


def new_roster(ruleset: Ruleset, name: str = "", *, limits: dict[str, Number] | None = None,
               ids: IdSource = random_id) -> Edited:
    """An empty roster with the limits the game system starts with; `limits` by cost type id go on top."""
    raise NotImplementedError


def add_force(ruleset: Ruleset, roster: Roster, force_entry_id: str, catalogue_id: str, parent_id: str = "", *,
              ids: IdSource = random_id) -> Edited | Refused:
    """Add a force of a catalogue, inside the force `parent_id` or at the top, with its automatic selections."""
    raise NotImplementedError


def remove_force(roster: Roster, force_id: str) -> Edited | Refused:
    """Take a force out, with everything inside it."""
    raise NotImplementedError


def duplicate_force(ruleset: Ruleset, roster: Roster, force_id: str, *, ids: IdSource = random_id) -> Edited | Refused:
    """Add a copy of a force right after it."""
    raise NotImplementedError


def select(ruleset: Ruleset, roster: Roster, parent_id: str, entry_id: str, *,
           ids: IdSource = random_id) -> Edited | Refused:
    """Take one of an entry inside a force or a selection, with its automatic selections.

    `entry_id` is a composite id, a link's id or the target's id.
    """
    raise NotImplementedError


def deselect(roster: Roster, selection_id: str) -> Edited | Refused:
    """Take one off a selection; the last one goes with everything inside it."""
    raise NotImplementedError


def set_number(ruleset: Ruleset, roster: Roster, selection_id: str, number: int) -> Edited | Refused:
    """Set how many of a selection there are per one of its parent; zero removes it."""
    raise NotImplementedError


def duplicate_selection(ruleset: Ruleset, roster: Roster, selection_id: str, *,
                        ids: IdSource = random_id) -> Edited | Refused:
    """Add a copy of a selection right after it."""
    raise NotImplementedError


def move(roster: Roster, node_id: str, position: int) -> Edited | Refused:
    """Put a force or selection at `position` (from 0) among its siblings."""
    raise NotImplementedError


def set_limit(ruleset: Ruleset, roster: Roster, type_id: str, value: Number | None) -> Edited | Refused:
    """Limit what the roster may spend of a cost type; None lifts the limit."""
    raise NotImplementedError


def customise(roster: Roster, node_id: str, *, custom_name: str | None = None, notes: str | None = None,
              category_id: str = "") -> Edited | Refused:
    """Give a force, a selection or (with `category_id`) a category of a force a name and notes of its own.

    None leaves a text as it is. A blank `node_id` means the roster: its name and notes.
    """
    raise NotImplementedError
