"""The changes a builder can ask for, and how to read one from a form or from JSON.

A change is a flat set of fields, so that one HTML form is one change: `do` names it, `node` is the id of the force or
selection it is about, `entry` the composite id of an entry on offer, as `roster.services.board` gives it.

| do | fields |
|---|---|
| add-detachment | entry; catalogue (else the list's faction), node: the detachment it goes into (else the top) |
| change-detachment | node, entry: the kind it becomes, with all that is in it |
| remove-detachment, duplicate-detachment | node |
| add-unit | node: the detachment, entry; instead: the selection that gives way to it |
| remove, duplicate-unit | node: the selection |
| take-namesake | node: a selection that the data does not know (blank: all); takes what has its name there instead |
| set-number | node, number; with `entry`, node is the container and the entry is brought to that number |
| split-off | node: one of several equal selections in a unit; the last of them is created as one to change apart |
| write-card | node: the deck, entry: a kind of card, text: its name; number: copies more of it |
| fill-deck | node: the detachment, entry: its deck; `unit:<entry>`, `card:<entry>`: how many of each there are to be |
| choose | node: the container, group, entry: takes it, drops what else is taken from the group; blank: nothing |
| toggle | node: the container, entry; on: true or false (else the opposite of what is) |
| rename | node (blank: the list itself), text (blank: the data's name again) |
| notes | node (blank: the list itself), text; category: write on that category of the detachment instead |
| occasion | player, event: who plays and where, for the sheet |
| describe | node (blank: the list itself), name, notes; player, event, rules, `limit:<cost type>`; the rest stays |
| attach | node: the selection, association: of its entry, to: the selection that it is attached to; blank: to nothing |
| detach | node: the selection; association, to: only by that, or only from that |
| leader | node: the unit that leads its detachment; on: false for anybody who can |
| set-limit | type: the cost type, value (blank: no limit) |
| set-rules | rules: those of a pack that the list is judged by besides (blank: none) |
| move | node, position from 0 among its siblings |

With `stack: true`, `choose`, `toggle`, `set-number` and `remove` do the same in every selection of the unit that is
equal to the node and inside equal ones (`roster.engine.stacks`), but not in the selection `apart`. `set-number`
without `entry` then sets how many equal ones there are.
"""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import msgspec

from roster.engine.edits import Refused
from roster.services.limits import MAX_ID

LIMIT, UNIT, CARD = "limit:", "unit:", "card:"
"""What the name of a form's field for a limit, a unit or a card begins with; the id of it follows."""

Id = Annotated[str, msgspec.Meta(max_length=MAX_ID)]


class AddDetachment(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", tag="add-detachment"):
    entry: Id
    catalogue: Id = ""
    node: Id = ""


class ChangeDetachment(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", tag="change-detachment"):
    node: Id
    entry: Id


class RemoveDetachment(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", tag="remove-detachment"):
    node: Id


class DuplicateDetachment(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", tag="duplicate-detachment"):
    node: Id


class AddUnit(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", tag="add-unit"):
    node: Id
    entry: Id
    instead: Id = ""


class Remove(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="do", tag="remove"):
    node: Id
    stack: bool = False
    apart: Id = ""


class TakeNamesake(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", tag="take-namesake"):
    node: Id = ""


class DuplicateUnit(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", tag="duplicate-unit"):
    node: Id


class SetNumber(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="do", tag="set-number"):
    node: Id
    number: int
    entry: Id = ""
    stack: bool = False
    apart: Id = ""


class SplitOff(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", tag="split-off"):
    node: Id


class WriteCard(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", tag="write-card"):
    node: Id
    entry: Id
    text: str
    number: int = 1


class FillDeck(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", tag="fill-deck"):
    """Bring a deck to so many copies of each card, the deck and the units it needs included."""

    node: Id
    entry: Id
    units: dict[Id, int] = {}
    cards: dict[Id, int] = {}


class Choose(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="do", tag="choose"):
    node: Id
    group: Id
    entry: Id = ""
    stack: bool = False
    apart: Id = ""


class Toggle(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="do", tag="toggle"):
    node: Id
    entry: Id
    on: bool | None = None
    stack: bool = False
    apart: Id = ""


class Rename(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", tag="rename"):
    text: str
    node: Id = ""


class SetNotes(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", tag="notes"):
    text: str
    node: Id = ""
    category: Id = ""


class SetEventDetails(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", tag="occasion"):
    """None leaves what the list says."""

    player: str | None = None
    event: str | None = None


class DeclareLeader(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", tag="leader"):
    node: Id
    on: bool = True


class Attach(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", tag="attach"):
    node: Id
    association: Id
    to: Id = ""


class Detach(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", tag="detach"):
    node: Id
    association: Id = ""
    to: Id = ""


class SetLimit(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", tag="set-limit"):
    type: Id
    value: str = ""


class SetRules(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", tag="set-rules"):
    rules: Id = ""


class Describe(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", tag="describe"):
    """What an owner writes on a list, a detachment or a unit, in one form; None leaves what is there."""

    node: Id = ""
    name: str | None = None
    notes: str | None = None
    player: str | None = None
    event: str | None = None
    rules: Id | None = None
    limits: dict[Id, str] = {}

    def split_changes(self) -> "Iterator[Rename | SetNotes | SetEventDetails | SetRules | SetLimit]":
        """Split the form into the single changes it stands for."""
        if self.name is not None:
            yield Rename(node=self.node, text=self.name)
        if self.notes is not None:
            yield SetNotes(node=self.node, text=self.notes)
        if self.player is not None or self.event is not None:
            yield SetEventDetails(player=self.player, event=self.event)
        if self.rules is not None:
            yield SetRules(rules=self.rules)
        for cost_type, value in self.limits.items():
            yield SetLimit(type=cost_type, value=value)


class Move(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", tag="move"):
    node: Id
    position: int


Change = (
    AddDetachment
    | ChangeDetachment
    | RemoveDetachment
    | DuplicateDetachment
    | AddUnit
    | Remove
    | TakeNamesake
    | DuplicateUnit
    | SetNumber
    | SplitOff
    | WriteCard
    | FillDeck
    | Choose
    | Toggle
    | Rename
    | SetNotes
    | SetEventDetails
    | DeclareLeader
    | Attach
    | Detach
    | SetLimit
    | SetRules
    | Describe
    | Move
)


def read_change(fields: Mapping[str, Any]) -> Change | Refused:
    """Read a change from form fields (`request.POST.dict()`) or a JSON object; other fields are ignored.

    Fields such as `limit:points` are gathered as `limits`, `units` and `cards`.

    Anything that is not a change is `bad-change`, with what was asked for as its subject.
    """
    # HTML forms are flat, so each limit is a field of its own name.
    gathered = {"limits": _gather(fields, LIMIT), "units": _gather(fields, UNIT), "cards": _gather(fields, CARD)}
    try:
        change: Change = msgspec.convert({**gathered, **fields}, type=Change, strict=False)
    except (msgspec.ValidationError, ValueError, TypeError, OverflowError):
        # Only the start of the text is quoted: it may be anything that somebody sent.
        asked = fields.get("do")
        return Refused(code="bad-change", subject_id=asked[:40] if isinstance(asked, str) else "")
    return change


def _gather(fields: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    """Return the fields whose names begin with a prefix, by what follows it."""
    return {name.removeprefix(prefix): value for name, value in fields.items() if name.startswith(prefix)}
