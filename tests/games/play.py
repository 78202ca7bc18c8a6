"""Build lists of a game with the verbs of the pages, and check what must hold in any game."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from secrets import token_hex
from typing import Any

import msgspec

from catalogue.definitions.numbers import Number
from catalogue.definitions.rule_codes import RuleCode
from catalogue.models import Faction, PackVersion, UnitEntry
from roster.engine.report import Violation
from roster.engine.tree import RosterTree
from roster.formats.list_document import Unreadable
from roster.formats.ros import ReadError
from roster.models import Roster
from roster.services.board import Board, ChoiceGroup, ForceOffer, OpenedUnit, OptionChoice, build_board
from roster.services.board.options import open_unit
from roster.services.changes import AddDetachment, AddUnit, Change, Choose, SetNumber
from roster.services.edits import edit_roster
from roster.services.evaluation import EvaluatedList
from roster.services.exchange import RosterFormat, export_list, read_list_file
from roster.services.outcomes import Refused, SavedEdit
from roster.services.owners import Visitor
from roster.services.rosters import find_roster, start_roster

MOST_FACTIONS = 3
POINTS = 1987
"""The limit of the lists: no sum reaches it by accident, so a limit counted as spent is noticed.

In games with other sizes, it is multiplied by ten until some units fit.
"""
UNITS_WITHIN = 3
"""This many units of the median price fit into the limit."""
MOST_ROUNDS = 12
"""How often required options of a unit are searched again, because taken options may have their own."""
MOST_LISTS = 12
MOST_STEPS = 400
NEVER_BY_ITSELF = (RuleCode.HIDDEN, RuleCode.UNKNOWN_ENTRY, RuleCode.UNKNOWN_FORCE)


@dataclass
class Tally:
    """What was tried in a game; `troubles` is empty if nothing went wrong.

    `hollow` are the factions with nothing to take, because their library is missing. A game fails if all are hollow.
    """

    deadline: float
    forces: int = 0
    units: int = 0
    troubles: dict[str, None] = field(default_factory=dict)
    hollow: list[str] = field(default_factory=list)
    was_cut: bool = False

    def fail(self, text: str) -> None:
        self.troubles[text] = None

    @property
    def is_late(self) -> bool:
        if time.process_time() > self.deadline:
            self.was_cut = True
        return self.was_cut


def play_game(version: PackVersion, seconds: float) -> Tally:
    """Build lists in up to three factions; after some seconds no more units are taken."""
    tally = Tally(time.process_time())
    factions = choose_factions(list(version.factions.order_by("position")))
    if not factions:
        tally.fail("there is no faction")
    for faction in factions:
        tally.was_cut = False
        tally.deadline = time.process_time() + seconds / len(factions)
        try:
            FactionPlay(version, faction, tally).play()
        except Exception as error:  # a crash fails only its game
            tally.fail(f"{faction.name}: crashed with {error!r}")
    if tally.hollow and not tally.units:
        for name in tally.hollow:
            tally.fail(f"{name}: nothing can be taken")
    return tally


def choose_factions(factions: list[Faction]) -> list[Faction]:
    filled = [faction for faction in factions if faction.unit_count] or factions
    places = sorted({0, len(filled) // 2, len(filled) - 1})
    return [filled[place] for place in places if 0 <= place < len(filled)][:MOST_FACTIONS]


def choose_limit(version: PackVersion) -> int:
    """Return a limit in which the units of a game fit: a player of Blood Bowl costs 50,000."""
    units = UnitEntry.objects.filter(faction__version=version, points__gt=0)
    prices = sorted(units.values_list("points", flat=True))
    limit = POINTS
    while prices and prices[len(prices) // 2] * UNITS_WITHIN > limit:
        limit *= 10
    return limit


class FactionPlay:
    """The lists of a faction: every kind of force once, in as many lists as needed."""

    def __init__(self, version: PackVersion, faction: Faction, tally: Tally) -> None:
        self.version = version
        self.faction = faction
        self.tally = tally
        self.tried: set[str] = set()
        self.units = 0

    def play(self) -> None:
        for _ in range(MOST_LISTS):
            before = len(self.tried)
            built = ListPlay(self)
            built.play()
            if len(self.tried) == before or self.tally.is_late:
                break
        if not self.units:
            self.tally.hollow.append(self.faction.name)


class ListPlay:
    """A list. `chosen` are the requested parts; all others are automatic."""

    def __init__(self, play: FactionPlay) -> None:
        self.play_of = play
        self.tally = play.tally
        self.limit = choose_limit(play.version)
        limits: dict[str, Number] = {play.version.points_id: self.limit} if play.version.points_id else {}
        owner = Visitor(key=token_hex(16))
        started = start_roster(owner, play.version, play.faction.faction_id, "Test", limits)
        if isinstance(started, Refused):
            raise ValueError(f"no list can be started: {started.code}")
        self.roster = started
        self.chosen: set[str] = set()
        self.named: set[str] = set()
        self.settled: set[str] = set()

    def play(self) -> None:
        board = self._show()
        self._check(board.evaluated_list)
        while not self.tally.is_late:
            offer = next((force for force in board.forces if self._is_new(force)), None)
            if offer is None:
                break
            board = self._take_force(board, offer, "")
            self._add_inner_forces(board)
            board = self._fill_all()
        self._check_round_trip()

    def _take_force(self, board: Board, offer: ForceOffer, node: str) -> Board:
        self.play_of.tried.add(offer.entry_id)
        change = AddDetachment(entry=offer.entry_id, catalogue=offer.catalogue_id, node=node)
        if self._edit(change) is None:
            return board
        self.tally.forces += 1
        self._choose_settings()
        return self._show()

    def _choose_settings(self) -> None:
        for row in self._show().detachments:
            for unit in row.units:
                if unit.id not in self.settled:
                    self.settled.add(unit.id)
                    self._choose_required(self._show().evaluated_list, unit.id)

    def _fill_all(self) -> Board:
        """Fill all detachments, also filled ones: more may be open to them now."""
        for detachment in self._show().detachments:
            self._fill(detachment.id)
        return self._show()

    def _is_new(self, offer: ForceOffer) -> bool:
        return offer.blocked is None and offer.entry_id not in self.play_of.tried

    def _add_inner_forces(self, board: Board) -> None:
        for _ in range(MOST_STEPS):
            pairs = ((row.id, offer) for row in board.detachments for offer in row.inside if self._is_new(offer))
            pair = next(pairs, None)
            if pair is None or self.tally.is_late:
                return
            board = self._take_force(board, pair[1], pair[0])

    def _fill(self, force_id: str) -> None:
        """Take a unit of every slot that offers one and was not filled in this list."""
        done: set[str] = set()
        while not self.tally.is_late:
            board = build_board(self._reload(), into=force_id)
            category = next(
                (c for c in board.offered if c.id not in done | self.named and any(u.blocked is None for u in c.units)),
                None,
            )
            if category is None or board.into != force_id:
                return
            done.add(category.id)
            unit = next(u for u in category.units if u.blocked is None)
            saved = self._edit(AddUnit(node=force_id, entry=unit.entry_id))
            if saved is not None and saved.created:
                self.named.add(category.id)
                self.tally.units += 1
                self.play_of.units += 1
                self.settled.add(saved.created[0])
                self._choose_required(saved.evaluated_list, saved.created[0])

    def _choose_required(self, judged: EvaluatedList, unit_id: str) -> None:
        asked: set[tuple[str, str, int]] = set()
        for _ in range(MOST_ROUNDS):
            opened = open_unit(judged, unit_id)
            change = next(_list_required(opened, asked), None) if opened else None
            if change is None:
                return
            saved = self._edit(change)
            judged = saved.evaluated_list if saved is not None else judged

    def _edit(self, change: Change) -> SavedEdit | None:
        roster = self._reload()
        outcome = edit_roster(roster, roster.head, change)
        if not isinstance(outcome, SavedEdit):
            if not isinstance(outcome, Refused):
                self.tally.fail(f"{self.play_of.faction.name}: {change} came to {outcome}")
            return None
        self.chosen.update(outcome.created[:1])
        self._check(outcome.evaluated_list)
        return outcome

    def _reload(self) -> Roster:
        self.roster = find_roster(self.roster.public_id)
        return self.roster

    def _show(self) -> Board:
        return build_board(self._reload())

    def _check(self, judged: EvaluatedList) -> None:
        for violation in judged.report.violations:
            for trouble in list_troubles(violation, self.chosen, self.limit):
                self.tally.fail(f"{self.play_of.faction.name}: {trouble}")

    def _check_round_trip(self) -> None:
        roster = self._reload()
        for form in (RosterFormat.ROSZ, RosterFormat.JSON):
            read = read_list_file(export_list(roster, form), f"list.{form}")
            if isinstance(read, ReadError | Unreadable):
                self.tally.fail(f"{self.play_of.faction.name}: the .{form} is not read again: {read}")
            elif simplify(read.evaluated_list.tree) != simplify(roster.tree):
                self.tally.fail(f"{self.play_of.faction.name}: the .{form} comes back as another list")


def list_troubles(violation: Violation, chosen: set[str], points: int) -> Iterator[str]:
    """Yield what is wrong in any list, incomplete or overfull ones as well."""
    on = violation.on
    if violation.code in NEVER_BY_ITSELF and on.id not in chosen:
        yield f"{on.name or on.entry_id} was picked by itself and is {violation.code}"
    # The data may also limit the limit itself: this detachment for games of at most 999 points.
    is_limit = violation.code == RuleCode.COST_LIMIT or violation.counted_id.startswith("limit::")
    if violation.measured == points and not is_limit:
        yield f"{violation.counted or on.name}: the limit of {points} is counted as spent"


def _list_required(opened: OpenedUnit, asked: set[tuple[str, str, int]]) -> Iterator[Change]:
    """Yield each change that fills a requirement of a unit, once."""
    for item in _walk_items(opened):
        if isinstance(item, ChoiceGroup) and item.count < item.min:
            free = [c for c in item.items if isinstance(c, OptionChoice) and c.blocked is None]
            for choice in free:
                if _ask(asked, item.node_id, choice.entry_id, choice.number + 1):
                    if item.one_of:
                        yield Choose(node=item.node_id, group=item.group_id, entry=choice.entry_id)
                    else:
                        number = min(choice.number + int(item.min - item.count), int(choice.max or item.min))
                        yield SetNumber(node=item.node_id, entry=choice.entry_id, number=max(number, 1))
        elif (
            isinstance(item, OptionChoice)
            and item.number < item.min
            and item.blocked is None
            and _ask(asked, item.node_id, item.entry_id, int(item.min))
        ):
            yield SetNumber(node=item.node_id, entry=item.entry_id, number=int(item.min))


def _ask(asked: set[tuple[str, str, int]], *key: Any) -> bool:
    is_new = key not in asked
    asked.add(key)
    return is_new


def _walk_items(opened: OpenedUnit) -> Iterator[OptionChoice | ChoiceGroup]:
    pending: list[Any] = list(opened.items)
    for item in pending:
        yield item
        if isinstance(item, ChoiceGroup):
            pending += item.items
        else:
            pending += (inner for unit in item.inside for inner in unit.items)


_OF_ONE_COPY = frozenset(("id", "name", "faction", "automatic", "origin"))


def simplify(tree: RosterTree) -> Any:
    return _drop_ids(msgspec.to_builtins(tree))


def _drop_ids(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _drop_ids(inner) for key, inner in value.items() if key not in _OF_ONE_COPY}
    return [_drop_ids(inner) for inner in value] if isinstance(value, list | tuple) else value
