"""Compute a side's losses: models, points, commander, resources."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Protocol

from catalogue.definitions.numbers import Number, shorten_number

IN_RESERVE, ABOARD, JOINED, ON_TABLE, DEAD = "reserve", "aboard", "joined", "table", "dead"
WHEREABOUTS = (ON_TABLE, IN_RESERVE, ABOARD, JOINED, DEAD)
BODIES = "bodies"
"""The counter for points of lost models; with a list, only for losses outside the boxes."""
COMMANDS = "commands"
"""The text that names the commander if the list leaves it open."""
COMMANDER = "commander"
"""The text that marks the commander as lost, with the operation's number, else 1."""


class Counted(Protocol):
    @property
    def counts(self) -> dict[str, int]: ...
    @property
    def texts(self) -> dict[str, str]: ...


@dataclass(frozen=True, slots=True)
class BoxRun:
    """Boxes under one counter: a model's wounds, or up to five models.

    Boxes `beside`, such as tokens, are not models. Otherwise there are `models` models of `worth` points each. A unit
    is lost once all its `vital` runs are ticked off.
    """

    key: str
    size: int
    label: str = ""
    beside: bool = False
    models: int = 1
    worth: Number = 0
    vital: bool = True

    def count_lost(self, ticked: int) -> int:
        """Count the models that are lost once `ticked` boxes are ticked.

        >>> BoxRun("w", 5, models=5).count_lost(2), BoxRun("w", 4, models=1).count_lost(3)
        (2, 0)
        """
        if self.beside or not self.vital:
            return 0
        ticked = min(max(ticked, 0), self.size)
        return ticked if self.models == self.size else self.models * (ticked == self.size)


@dataclass(frozen=True, slots=True)
class UnitStakes:
    """What a side loses with a unit that starts at `place`.

    `cards` has two amounts by counter key: what the unit adds, and what the side loses with it. If players choose a
    commander, candidates have `may_command`, and the chosen one has `command_cards`.
    """

    key: str
    runs: tuple[BoxRun, ...] = ()
    place: str = ON_TABLE
    commands: bool = False
    may_command: bool = False
    cards: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    command_cards: Mapping[str, tuple[int, int]] = field(default_factory=dict)

    def is_commander(self, side: Counted) -> bool:
        return self.commands or (self.may_command and side.texts.get(COMMANDS) == self.key)

    def get_cards(self, side: Counted, resource: str) -> tuple[int, int]:
        chosen = self.may_command and self.is_commander(side)
        return (self.command_cards if chosen else self.cards).get(resource, (0, 0))

    def find_place(self, side: Counted) -> tuple[str, str]:
        """Return the unit's place, and the round in which it was destroyed or ""."""
        place, _, died = side.texts.get(f"at:{self.key}", self.place).partition("=")
        return (place if place in WHEREABOUTS else ON_TABLE), died

    def is_lost(self, side: Counted) -> bool:
        runs = [run for run in self.runs if run.vital and not run.beside]
        return self.find_place(side)[0] == DEAD or all(side.counts.get(run.key, 0) >= run.size for run in runs)

    @property
    def worth(self) -> Number:
        return sum(run.models * run.worth for run in self.runs if run.vital and not run.beside)


def count_bodies(units: Iterable[UnitStakes], side: Counted, *, over: bool = False) -> Number | None:
    """Return the points of a side's lost models, None if unknown.

    Once the game is `over`, units in reserve count as lost.
    """
    units = tuple(units)
    if not units and BODIES not in side.counts:
        return None
    bodies: Number = side.counts.get(BODIES, 0)
    for unit in units:
        is_gone = unit.is_lost(side) or (over and unit.find_place(side)[0] == IN_RESERVE)
        if is_gone:
            bodies += unit.worth
        else:
            bodies += sum(run.count_lost(side.counts.get(run.key, 0)) * run.worth for run in unit.runs)
    # Models may share a price, so the sum can have fractions.
    return shorten_number(round(Decimal(bodies), 2))


def is_commander_lost(units: Iterable[UnitStakes], side: Counted, *, over: bool = False) -> bool:
    """Return whether a side's commander is lost, or still in reserve once the game is `over`."""
    commanders = [unit for unit in units if unit.is_commander(side)]
    if not commanders:
        return COMMANDER in side.texts
    return any(unit.is_lost(side) or (over and unit.find_place(side)[0] == IN_RESERVE) for unit in commanders)


def is_annihilated(units: Iterable[UnitStakes], side: Counted) -> bool:
    """Return whether all units of a side are lost. Units in reserve are not."""
    units = tuple(units)
    return bool(units) and all(unit.is_lost(side) for unit in units)


def count_cards(units: Iterable[UnitStakes], side: Counted, resource: str, marks: Sequence[str] = ()) -> int:
    """Count how much of a resource is missing because units are in reserve, lost, or have one of `marks`."""
    gone = 0
    for unit in units:
        brings, takes = unit.get_cards(side, resource)
        if unit.is_lost(side) or any(f"mark:{unit.key}:{mark}" in side.texts for mark in marks):
            gone += takes
        elif unit.find_place(side)[0] == IN_RESERVE:
            gone += brings
    return gone


# ---- who acts with which unit ---------------------------------------------------------------------------------------


def list_acted(side: Counted, mark: str) -> list[str]:
    """List the units with a mark key that ends in `mark`, in the order of marking."""
    return [key.split(":")[1] for key in side.texts if key.startswith("mark:") and key.endswith(mark)]


def list_acting(units: Iterable[UnitStakes], side: Counted) -> list[str]:
    return [unit.key for unit in units if not unit.is_lost(side) and unit.find_place(side)[0] == ON_TABLE]


def find_acting_place(first: int, acted: Sequence[int], left: Sequence[int]) -> int | None:
    """Return the place whose unit acts next, or None if no units are left.

    `first` has the initiative. `acted` and `left` count each side's units that have and have not acted.

    >>> find_acting_place(0, (0, 0), (3, 2)), find_acting_place(0, (1, 0), (2, 2)), find_acting_place(0, (2, 2), (1, 0))
    (0, 1, 0)
    >>> find_acting_place(1, (2, 2), (0, 0))

    Sides without units left are skipped.

    >>> find_acting_place(2, (1, 1, 1), (2, 0, 2)), find_acting_place(2, (1, 1, 2), (2, 0, 1))
    (2, 0)
    """
    places = ((first + number) % len(acted) for number in range(len(acted)))
    return min((place for place in places if left[place]), key=lambda place: acted[place], default=None)
