"""The changes that the builder can request, read from a form or JSON.

A change is a flat set of fields, so that one HTML form is one change: `do` names it, `node` is the id of a force or
selection, `entry` the composite id of an entry on offer (`roster.services.board`).

| do | fields |
|---|---|
| add-detachment | entry; catalogue (default: the list's faction), node: the parent (default: the top) |
| change-detachment | node, entry: its new kind; the contents stay |
| remove-detachment, duplicate-detachment | node |
| add-unit | node: the detachment, entry; instead: the selection that it replaces |
| remove, duplicate-unit | node: the selection; remove: more: further selections, separated by spaces |
| take-namesake | node: an unknown selection (blank: all), replaced by the known entry of its name |
| set-number | node, number; with `entry`, node is the container and number counts that entry |
| split-off | node: one of several equal selections in a unit; the last one becomes separate |
| write-card | node: the deck, entry: a kind of card, text: its name; number: copies to add |
| fill-deck | node: the detachment, entry: its deck; `unit:<entry>`, `card:<entry>`: resulting numbers |
| choose | node: the container, group, entry: the group's only choice; blank: none |
| toggle | node: the container, entry; on: true or false (default: the opposite) |
| rename | node (blank: the list), text (blank: the name in the data) |
| notes | node (blank: the list), text; category: of that category of the detachment |
| occasion | player, event: printed on the sheet |
| describe | node (blank: the list), name, notes; player, event, rules, `limit:<cost type>`; others stay |
| attach | node: the selection, association: of its entry, to: the host; blank: none |
| detach | node: the selection; association, to: only by that association, only from that host |
| leader | node: the unit that leads its detachment; on: false to step down |
| set-limit | type: the cost type, value (blank: no limit) |
| set-rules | rules: additional rules of a pack (blank: none) |
| set-homebrew | homebrew: published house rules, `id@number` (blank: none) |
| move | node, position from 0 among its siblings |

With `stack: true`, `choose`, `toggle`, `set-number` and `remove` also change every equal selection of the unit
(`roster.engine.stacks`), except the selection `apart`. `set-number` without `entry` then sets the stack's size.
"""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import msgspec

from roster.engine.edits import Refused
from roster.services.limits import MAX_ID

LIMIT, UNIT, CARD = "limit:", "unit:", "card:"
"""Prefixes of form fields for a limit, a unit or a card; its id follows."""

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
    more: Id = ""
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
    """Set the number of each card, creating the deck and the units it needs."""

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
    """None keeps the current text."""

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


class SetHomebrew(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", tag="set-homebrew"):
    homebrew: Id = ""


class Describe(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", tag="describe"):
    """The texts on a list, detachment or unit; None keeps the current value."""

    node: Id = ""
    name: str | None = None
    notes: str | None = None
    player: str | None = None
    event: str | None = None
    rules: Id | None = None
    limits: dict[Id, str] = {}

    def split_changes(self) -> "Iterator[Rename | SetNotes | SetEventDetails | SetRules | SetLimit]":
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
    | SetHomebrew
    | Describe
    | Move
)


def read_change(fields: Mapping[str, Any]) -> Change | Refused:
    """Read form fields, or refuse `bad-change`. Texts such as "3" and "true" are converted."""
    try:
        return convert_change(fields, strict=False)
    except msgspec.ValidationError:
        # Quote only the start: clients may send anything.
        name = fields.get("do")
        return Refused(code="bad-change", subject_id=name[:40] if isinstance(name, str) else "")


def convert_change(fields: Mapping[str, Any], *, strict: bool) -> Change:
    """Return the change of form fields or JSON. Raises msgspec.ValidationError.

    Prefixed fields such as `limit:points` are collected in `limits`, `units` and `cards`. Unknown fields are ignored.
    """
    gathered = {"limits": _gather(fields, LIMIT), "units": _gather(fields, UNIT), "cards": _gather(fields, CARD)}
    try:
        change: Change = msgspec.convert({**gathered, **fields}, type=Change, strict=strict)
    except (ValueError, TypeError, OverflowError) as error:
        raise msgspec.ValidationError(str(error)) from error
    return change


def _gather(fields: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    return {name.removeprefix(prefix): value for name, value in fields.items() if name.startswith(prefix)}
