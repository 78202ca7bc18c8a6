"""A roster as a value: what was chosen and how many, and nothing that can be derived from the data."""

from enum import StrEnum
from typing import TypeVar

import msgspec

from catalogue.definitions.base import Definition
from catalogue.definitions.numbers import Number


class Value(Definition):
    """Base of the engine's values: immutable, and the same as plain JSON."""


class Attachment(Value):
    """A selection that this one is attached to: the id of the association by which, and of that selection."""

    association_id: str
    to_id: str


class Selection(Value):
    """One entry taken, at one place.

    `entry_id` is the path of link ids and the target's id, joined by `::`; `group_id` the same for the innermost group.
    `number` counts per one of the parent. `name` is what the entry was called when it was taken: it names a placeholder
    when the data no longer has the entry. `attachments` say whom it leads, or what else it goes with.
    """

    id: str
    entry_id: str
    group_id: str = ""
    number: int = 1
    name: str = ""
    custom_name: str = ""
    notes: str = ""
    attachments: tuple[Attachment, ...] = ()
    selections: tuple["Selection", ...] = ()


class CategoryNote(Value):
    """What a user wrote on a category of a force."""

    category_id: str
    custom_name: str = ""
    notes: str = ""


OUTSIDE = ""
"""The force entry of what stands outside every detachment: lists that come from elsewhere have such selections."""


class Force(Value):
    """A force or detachment: the selections made in it and the forces inside it.

    `leader_id` is the id of the selection that the player declared to lead it, blank where none was;
    `also_leading` those of others that a list from elsewhere declares as well, which is for its rules to judge. A force
    whose `entry_id` is `OUTSIDE` is none, but holds what a list has outside every detachment.
    """

    id: str
    entry_id: str
    catalogue_id: str
    name: str = ""
    custom_name: str = ""
    notes: str = ""
    leader_id: str = ""
    also_leading: tuple[str, ...] = ()
    category_notes: tuple[CategoryNote, ...] = ()
    selections: tuple[Selection, ...] = ()
    forces: tuple["Force", ...] = ()

    @property
    def leading(self) -> tuple[str, ...]:
        """The ids of all selections that are declared to lead it."""
        return (self.leader_id, *self.also_leading) if self.leader_id else ()


class Limit(Value):
    """How much of a cost type the roster may spend. Below zero: no limit."""

    type_id: str
    value: Number


class Origin(StrEnum):
    """The program whose counting a list follows where programs differ; blank: the meaning of the data's authors."""

    HERE = ""
    BATTLESCRIBE = "battlescribe"


class RosterTree(Value):
    """A whole list. `cost_types` keeps every cost type ever seen in it, in order of appearance.

    `unshown` is what its written form leaves out, where it came from one: ids as the game names them, such as
    `options`. `player` and `event` stand on paper. `overlay` names rules of another pack that the list is judged by
    besides, as `pack@beginning of the version's hash`; blank for none. `faction` is the id of the list's own faction,
    whatever its detachments are of; blank where nobody says it: then that of its first detachment is meant. It is known
    beside the stored document, never in it. `origin` is the program that a list comes from whose counting differs:
    BattleScribe finds nothing by the id of a link to a group.
    """

    id: str
    name: str = ""
    player: str = ""
    event: str = ""
    notes: str = ""
    limits: tuple[Limit, ...] = ()
    cost_types: tuple[str, ...] = ()
    unshown: tuple[str, ...] = ()
    overlay: str = ""
    origin: Origin = Origin.HERE
    faction: str = ""
    forces: tuple[Force, ...] = ()

    @property
    def of(self) -> str:
        """The id of the faction that the list is of; blank for an empty list of which nobody says it."""
        return self.faction or next((force.catalogue_id for force in self.forces), "")


ValueT = TypeVar("ValueT", bound=msgspec.Struct)


def copy_with(value: ValueT, /, **fields: object) -> ValueT:
    """Copy `value` with `fields` replaced.

    >>> copy_with(Selection(id="a", entry_id="x"), number=3).number
    3
    """
    return msgspec.structs.replace(value, **fields)
