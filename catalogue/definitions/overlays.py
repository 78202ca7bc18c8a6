"""Overlays: the rules of one book, applied to data of the same game from another source.

Such data has its own units, costs and detachments, and its own names for types, keywords and costs. An overlay maps the
names; `catalogue.definitions.apply_overlay` applies it.
"""

import msgspec

from catalogue.definitions.base import Definition
from catalogue.definitions.citations import NOWHERE, Citation
from catalogue.definitions.constraints import CommonCategory, Constraint


class OverlayUnitType(Definition):
    """A type of unit: the names of its categories in the data, its sets, and constraints on each such unit.

    In the constraints, a query without `child_id` counts the unit itself.
    """

    type_id: str
    called: tuple[str, ...]
    sets: tuple[str, ...] = ()
    constraints: tuple[Constraint, ...] = ()


class NameSet(Definition):
    """Units that count together, matched by name: units of the types `within` with a name in `called`.

    With `of` and `to`, two faction keywords, units of the two keywords with the same title form one set per title; the
    words in `strike` are removed from titles first. `constraints` count the category `id`; if `mixed`, they bind only
    while two of the units are taken. Units named in `also_in` stand for one of several others and are not counted
    themselves.
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
    """Something that the overlay leaves unchecked."""

    code: str
    text: str
    citation: Citation = NOWHERE


class LeaderCorrection(Definition):
    """The units that a unit may lead, in place of what its texts say: names of units or keywords.

    Units named in `beside` may lead the same unit. With `support` it may join a unit that already has a leader.
    """

    unit: str
    leads: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    support: bool = False


class Overlay(Definition):
    """The rules that a pack applies to data of the game system `over`.

    `costs` and `keywords` map the pack's ids to the names in the data; a keyword may be an option of the game system.
    Categories whose names begin with `faction_keywords` are a unit's factions. `common` says which of these factions,
    by the rest of their names, the units of a force must share. Forces whose names begin with one of `broad` may share
    a barred one.
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
