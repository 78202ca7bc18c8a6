"""Overlays: the rules of one book laid over data of the same game that comes from elsewhere.

Such data has units, costs and detachments of its own, and calls types, keywords and costs as it likes. An overlay says
what its rules speak of is called there; `catalogue.definitions.apply_overlay` lays it over the data.
"""

import msgspec

from catalogue.definitions.base import Definition
from catalogue.definitions.citations import NOWHERE, Citation
from catalogue.definitions.constraints import CommonCategory, Constraint


class OverlayUnitType(Definition):
    """A type of unit: the names of its categories there, the sets it is of, and what each such unit keeps to.

    In the constraints a count without `child_id` means the unit itself.
    """

    type_id: str
    called: tuple[str, ...]
    sets: tuple[str, ...] = ()
    constraints: tuple[Constraint, ...] = ()


class NameSet(Definition):
    """Units that count together, known by their names: those of the types `within` that are `called` so.

    With `of` and `to`, names of faction keywords, it is one family for each title that a unit of either keyword has,
    `strike` left out of it. `constraints` count the category `id`; if `mixed`, they bind while two of the units are
    taken. `also_in` are the names of units that stand for one of several others, and are not units of their own.
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
    """Something that the overlay leaves open on such data: a stable code, one short sentence of our own."""

    code: str
    text: str
    citation: Citation = NOWHERE


class LeaderCorrection(Definition):
    """Whom a unit of the data may lead, in place of what its texts say: names of units, or of keywords.

    `beside` are names of one of whom may lead the same unit; with `support` it may join a unit that has a leader.
    """

    unit: str
    leads: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    support: bool = False


class Overlay(Definition):
    """The rules that a pack lays over the data of the game system `over`.

    `costs` and `keywords` are by own id what they are called there; a keyword may be an
    option of the game system. Categories whose names begin with
    `faction_keywords` say to which factions a unit belongs; `common` is what the units of each force have to share of
    them, by the rest of their names, and forces whose names begin as one of `broad` may share one that is barred.
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
