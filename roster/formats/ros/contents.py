"""A roster as BattleScribe and New Recruit keep it: the list, the data it was made with, and what it then cost."""

from catalogue.definitions.numbers import Number
from roster.engine.tree import RosterTree, Value


class MadeWith(Value):
    """A game system or a catalogue that a roster was made with."""

    id: str
    name: str = ""
    revision: str = ""


class StoredCost(Value):
    """A sum that the program which made the roster stored in it."""

    type_id: str
    name: str
    value: Number


class RosterFile(Value):
    """What a `.ros` holds. `uneven` names selections that had to be split, because their contents differ one by one."""

    roster: RosterTree
    game_system: MadeWith
    catalogues: tuple[MadeWith, ...] = ()
    costs: tuple[StoredCost, ...] = ()
    uneven: tuple[str, ...] = ()
