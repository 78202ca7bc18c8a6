"""Count what is played, by slice, without numbers that identify a player. Pure.

A player counts once for each faction of a slice, with the newest list, so these counts of lists are counts of players.
"""

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import NamedTuple, TypeVar

import msgspec

from catalogue.definitions.numbers import Number

FEWEST_PLAYERS = 5
"""Numbers about fewer players are not shown."""
FEWEST_GAMES = 30
"""A share of fewer games is not shown."""
REPORT_FORM = 1
"""The form of stored `FactionReport`s. Raise it when code that knows only this one would misread a new report."""
MOST_OPTIONS = 12
MOST_STEPS = 8
NORMAL_95 = 1.959964
"""Standard deviations around the mean that hold 95 % of a normal distribution."""

Player = Hashable
Key = TypeVar("Key", bound=Hashable)


class Slice(NamedTuple):
    """A part of the counts: `kind` is `all`, `size`, `version`, `month` or `event`."""

    kind: str
    value: str = ""


EVERYTHING = Slice("all")
DETAILED = frozenset(("all", "size", "version", "event"))
"""The kinds of slices whose options are counted, too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DatedList:
    """A list before its document is read. `key` finds the document."""

    key: int
    player: Player
    faction: str
    version: int
    points: Number | None
    slices: tuple[Slice, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ListPicks:
    """The names in a list: each unit's options, and choices for the whole list with their group's name."""

    units: Mapping[str, frozenset[str]]
    choices: frozenset[tuple[str, str]] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSeatList:
    player: Player
    faction: str
    units: Collection[str]
    slices: tuple[Slice, ...]


# ---- counting --------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class FewPlayers:
    """A set of distinct players that stops growing at `FEWEST_PLAYERS`."""

    players: set[Player] = field(default_factory=set)

    def add(self, player: Player) -> None:
        if not self.is_enough:
            self.players.add(player)

    @property
    def is_enough(self) -> bool:
        return len(self.players) >= FEWEST_PLAYERS


@dataclass(slots=True)
class ResultTally:
    wins: int = 0
    draws: int = 0
    losses: int = 0
    few: FewPlayers = field(default_factory=FewPlayers)
    few_opponents: FewPlayers = field(default_factory=FewPlayers)

    def count_result(self, player: Player, opponent: Player, result: int) -> None:
        """Count a game: `result` is above 0 for a win and below for a loss."""
        self.wins += result > 0
        self.draws += result == 0
        self.losses += result < 0
        self.few.add(player)
        self.few_opponents.add(opponent)


@dataclass(slots=True)
class FactionTally:
    players: int = 0
    few: FewPlayers = field(default_factory=FewPlayers)
    units: Counter[str] = field(default_factory=Counter)
    options: Counter[tuple[str, str]] = field(default_factory=Counter)
    choices: Counter[tuple[str, str]] = field(default_factory=Counter)
    points: Counter[Number] = field(default_factory=Counter)
    score: ResultTally = field(default_factory=ResultTally)
    unit_scores: dict[str, ResultTally] = field(default_factory=dict)


@dataclass(slots=True)
class SliceTally:
    players: int = 0
    few: FewPlayers = field(default_factory=FewPlayers)
    games: int = 0
    factions: dict[str, FactionTally] = field(default_factory=dict)

    def open_faction(self, faction: str) -> FactionTally:
        return self.factions.setdefault(faction, FactionTally())


class Tally:
    """One game's counts, by slice."""

    def __init__(self) -> None:
        self.slices: dict[Slice, SliceTally] = {}

    def open_slice(self, key: Slice) -> SliceTally:
        return self.slices.setdefault(key, SliceTally())

    def count_player(self, slices: Iterable[Slice], player: Player) -> None:
        """Count a player once in all slices of their lists."""
        for key in slices:
            tally = self.open_slice(key)
            tally.players += 1
            tally.few.add(player)

    def count_list(self, dated: DatedList, slices: Iterable[Slice], picks: ListPicks) -> None:
        """Count a list in the slices in which it is its player's newest of the faction."""
        for key in slices:
            tally = self.open_slice(key).open_faction(dated.faction)
            tally.players += 1
            tally.few.add(dated.player)
            tally.units.update(picks.units.keys())
            tally.choices.update(picks.choices)
            if dated.points is not None:
                tally.points[dated.points] += 1
            if key.kind in DETAILED:
                tally.options.update((unit, option) for unit, options in picks.units.items() for option in options)

    def count_game(self, first: GameSeatList, second: GameSeatList, result: int) -> None:
        """Count a game of two different factions. `result` is above 0 if the first side won, 0 for a draw."""
        if first.faction == second.faction:
            return
        for key in first.slices:
            if key not in second.slices:
                continue
            tally = self.open_slice(key)
            tally.games += 1
            for seat, other, outcome in ((first, second, result), (second, first, -result)):
                faction = tally.open_faction(seat.faction)
                faction.score.count_result(seat.player, other.player, outcome)
                for unit in seat.units:
                    score = faction.unit_scores.setdefault(unit, ResultTally())
                    score.count_result(seat.player, other.player, outcome)


def choose_newest(lists: Iterable[DatedList]) -> Iterator[tuple[DatedList, list[Slice]]]:
    """Yield a player's lists, newest first, each with the slices in which it is the newest of its faction."""
    taken: set[tuple[str, Slice]] = set()
    for dated in lists:
        slices = [key for key in dated.slices if (dated.faction, key) not in taken]
        taken.update((dated.faction, key) for key in slices)
        if slices:
            yield dated, slices


# ---- what may be shown -----------------------------------------------------------------------------------------------


def find_small(groups: Mapping[Key, FewPlayers], sizes: Mapping[Key, int]) -> set[Key]:
    """Return the groups of few players, which are not shown by themselves.

    If together they still have few players, the smallest other group joins them. Otherwise, a reader could subtract the
    shown groups from the whole.
    """
    small = {key for key, few in groups.items() if not few.is_enough}
    together = {player for key in small for player in groups[key].players}
    if together and len(together) < FEWEST_PLAYERS and len(small) < len(groups):
        small.add(min(groups.keys() - small, key=lambda key: (sizes[key], str(key))))
    return small


def select_slices(tally: Tally) -> list[Slice]:
    """Return the slices that may be shown, the whole first; none if all players together are few."""
    whole = tally.slices.get(EVERYTHING)
    if whole is None or not whole.few.is_enough:
        return []
    slices = [EVERYTHING]
    for kind in ("size", "version", "month", "event"):
        parts = {key: part for key, part in tally.slices.items() if key.kind == kind}
        small = find_small(
            {key: part.few for key, part in parts.items()}, {key: part.players for key, part in parts.items()}
        )
        slices += sorted(parts.keys() - small)
    return slices


# ---- reports ---------------------------------------------------------------------------------------------------------


class WonShare(msgspec.Struct, frozen=True):
    """Results of games. A draw is half a win."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def is_few(self) -> bool:
        return self.games < FEWEST_GAMES

    @property
    def share(self) -> float:
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5

    @property
    def interval(self) -> tuple[float, float]:
        return find_interval(self.share, self.games)


class CountedUnit(msgspec.Struct, frozen=True):
    name: str
    players: int
    options: tuple[tuple[str, int], ...] = ()
    won: WonShare | None = None
    emblem: str = ""


class FactionReport(msgspec.Struct, frozen=True):
    """A faction's picks. `points` are steps: from, to, players. `form` is the `REPORT_FORM` that wrote it."""

    players: int
    units: tuple[CountedUnit, ...] = ()
    choices: tuple[tuple[str, str, int], ...] = ()
    points: tuple[tuple[float, float, int], ...] = ()
    won: WonShare | None = None
    form: int = REPORT_FORM


class SliceReport(msgspec.Struct, frozen=True):
    """The factions of a slice that may be shown. `others` are the players of the rest, once for each faction."""

    players: int
    games: int = 0
    folded: int = 0
    others: int = 0
    factions: dict[str, FactionReport] = {}

    @property
    def lists(self) -> int:
        return self.others + sum(faction.players for faction in self.factions.values())


def report_slice(tally: SliceTally) -> SliceReport:
    """Return what may be shown of a slice, the factions with most players first."""
    small = find_small(
        {key: faction.few for key, faction in tally.factions.items()},
        {key: faction.players for key, faction in tally.factions.items()},
    )
    faction_keys = sorted(tally.factions.keys() - small, key=lambda key: (-tally.factions[key].players, key))
    return SliceReport(
        players=tally.players,
        games=tally.games,
        folded=len(small),
        others=sum(tally.factions[key].players for key in small),
        factions={key: report_faction(tally.factions[key]) for key in faction_keys},
    )


def report_faction(tally: FactionTally) -> FactionReport:
    options: dict[str, list[tuple[str, int]]] = {}
    for (unit, option), number in sort_counts(tally.options):
        # If every player takes an option with the unit, it says nothing about their choices.
        if FEWEST_PLAYERS <= number < tally.units[unit] and len(options.setdefault(unit, [])) < MOST_OPTIONS:
            options[unit].append((option, number))
    units = tuple(
        CountedUnit(name, number, tuple(options.get(name, ())), _report_score(tally.unit_scores.get(name)))
        for name, number in sort_counts(tally.units)
        if number >= FEWEST_PLAYERS
    )
    choices = tuple(
        (group, name, number) for (group, name), number in sort_counts(tally.choices) if number >= FEWEST_PLAYERS
    )
    return FactionReport(
        players=tally.players,
        units=units,
        choices=choices,
        points=tuple(group_points(tally.points)),
        won=_report_score(tally.score),
    )


def sort_counts(counts: Counter[Key]) -> list[tuple[Key, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], str(item[0])))


def _report_score(tally: ResultTally | None) -> WonShare | None:
    """Return None for games of few players, or against few: their losses are the others' wins."""
    if tally is None or not (tally.few.is_enough and tally.few_opponents.is_enough):
        return None
    return WonShare(tally.wins, tally.draws, tally.losses)


def group_points(points: Mapping[Number, int]) -> list[tuple[float, float, int]]:
    """Group points into steps of equal width; a step of few players joins the next, and the last joins the one before.

    >>> group_points({1000: 5, 1990: 2, 2000: 9})
    [(1000.0, 1200.0, 5), (1800.0, 2200.0, 11)]
    """
    if not points:
        return []
    width = _round_up(float(max(points) - min(points)) / MOST_STEPS)
    counts: Counter[int] = Counter()
    for value, number in points.items():
        counts[int(float(value) // width)] += number
    steps: list[tuple[float, float, int]] = []
    start, waiting = min(counts), 0
    for step in range(min(counts), max(counts) + 1):
        if not (waiting or counts[step]):
            start = step + 1
        waiting += counts[step]
        if waiting >= FEWEST_PLAYERS:
            steps.append((start * width, (step + 1) * width, waiting))
            start, waiting = step + 1, 0
    if waiting and steps:
        begin, _end, number = steps.pop()
        steps.append((begin, (max(counts) + 1) * width, number + waiting))
    return steps


def _round_up(width: float) -> float:
    """Return the next of 1, 2, 5, 10, 20, 50 ..."""
    step = 1.0
    while True:
        for factor in (1, 2, 5):
            if step * factor >= width:
                return step * factor
        step *= 10


def find_interval(share: float, number: int) -> tuple[float, float]:
    """Return the Wilson score interval of a share of `number` cases, which contains the true share in 19 of 20 cases.

    >>> [round(bound, 2) for bound in find_interval(0.5, 100)], find_interval(0, 0)
    ([0.4, 0.6], (0.0, 1.0))
    """
    if not number:
        return 0.0, 1.0
    square = NORMAL_95**2 / number
    middle = (share + square / 2) / (1 + square)
    spread = NORMAL_95 * sqrt(share * (1 - share) / number + square / (4 * number)) / (1 + square)
    return max(0.0, middle - spread), min(1.0, middle + spread)


def order_by_share(lines: Iterable[tuple[Key, WonShare]]) -> Sequence[tuple[Key, WonShare]]:
    """Order shares of enough games by share, then shares of few games by number, unranked."""
    return sorted(lines, key=lambda line: (line[1].is_few, 0 if line[1].is_few else -line[1].share, -line[1].games))
