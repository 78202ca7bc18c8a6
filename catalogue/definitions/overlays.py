"""Overlays: one book's rules, applied by `apply_overlay` to other data of the same game.

An overlay maps that data's names of types, keywords and costs.
"""

import msgspec

from catalogue.definitions.base import Definition
from catalogue.definitions.citations import NOWHERE, Citation
from catalogue.definitions.constraints import CommonCategory, Constraint


class OverlayUnitType(Definition):
    """A type of unit: the names of its categories in the data, its sets, and constraints on each such unit.

    A query without `child_id` counts the unit itself.
    """

    type_id: str
    called: tuple[str, ...]
    sets: tuple[str, ...] = ()
    constraints: tuple[Constraint, ...] = ()


class NameSet(Definition):
    """Units that count together: units of the types `within` with a name in `called`.

    With the faction keywords `of` and `to`, units of both with the same title form one set per title; `strike` lists
    words to remove from titles first. `constraints` count the category `id`; if `mixed`, they bind only while two of
    the units are taken. A unit in `also_in` represents one of the others and is not counted itself.
    """

    id: str
    name: str
    within: tuple[str, ...] = ()
    called: tuple[str, ...] = ()
    also_in: tuple[str, ...] = ()
    of: str = ""
    to: str = ""
    strike: tuple[str, ...] = ()
    mixed: bool = False
    constraints: tuple[Constraint, ...] = ()


class Remark(Definition):
    code: str
    text: str
    citation: Citation = NOWHERE


class LeaderCorrection(Definition):
    """The units or keywords that a unit may lead, in place of those its texts name.

    Units in `beside` may lead the same unit. With `support` it may join a unit that already has a leader.
    """

    unit: str
    leads: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    support: bool = False


class Overlay(Definition):
    """The rules that a pack applies to data of the game system `over`.

    `costs` and `keywords` map the pack's ids to names in the data; a keyword may be an option of the game system. A
    unit's factions are categories whose names begin with `faction_keywords`; `common` has the rest of those names.
    Forces whose names begin with one of `broad` may share a barred faction.
    """

    id: str
    name: str
    over: str
    text: str = ""
    costs: dict[str, str] = msgspec.field(default_factory=dict)
    keywords: dict[str, str] = msgspec.field(default_factory=dict)
    faction_keywords: str = ""
    kinds: tuple[OverlayUnitType, ...] = ()
    families: tuple[NameSet, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    common: CommonCategory | None = None
    broad: tuple[str, ...] = ()
    unchecked: tuple[Remark, ...] = ()
    leaders: tuple[LeaderCorrection, ...] = ()
    citation: Citation = NOWHERE
