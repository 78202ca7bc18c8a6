"""Compute a force's current state from its ledger."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

import msgspec

from catalogue.definitions.numbers import Number, parse_number, shorten_number
from roster.club.campaign_table import CampaignTable, WrittenRank, read_campaign
from roster.club.models import CampaignForce, LedgerEntry, LedgerKind, Veteran
from roster.engine.tree import Selection


class UnitSnapshot(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A unit as it was in a list: what pages show, and its selection to put into another list."""

    version: int
    detachment: str
    catalogue: str
    entry: str
    name: str
    type: str = ""
    emblem: str = ""
    models: int = 1
    points: str = "0"
    options: tuple[str, ...] = ()
    selection: Selection


_decoder = msgspec.json.Decoder(UnitSnapshot)


def describe_gear(unit: UnitSnapshot, name: str) -> str:
    """Return the unit's options, after its name in the data with its models unless that equals `name`.

    >>> unit = UnitSnapshot(version=1, detachment="", catalogue="", entry="c", name="Cutters", models=5,
    ...     options=("Nets",), selection=Selection(id="a", entry_id="c"))
    >>> describe_gear(unit, "The Third Bank"), describe_gear(unit, "Cutters")
    ('Cutters (5) · Nets', 'Nets')
    """
    models = f"{unit.name} ({unit.models})" if unit.models > 1 else unit.name
    return " · ".join(filter(None, (models if unit.name != name else "", ", ".join(unit.options))))


def encode_snapshot(unit: UnitSnapshot) -> str:
    return msgspec.json.encode(unit).decode()


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """A row of a ledger; it `stands` unless it was undone."""

    entry: LedgerEntry
    stands: bool


@dataclass(slots=True)
class VeteranState:
    """A unit's current state. `farewell` is why it left, None while it is in the force."""

    veteran: Veteran
    unit: UnitSnapshot
    table: CampaignTable
    name: str = ""
    story: str = ""
    experience: int = 0
    kills: int = 0
    games: int = 0
    survived: int = 0
    marked: int = 0
    """The cost of honours, injuries and other rows."""
    counters: Counter[str] = field(default_factory=Counter)
    honours: list[LedgerEntry] = field(default_factory=list)
    injuries: list[LedgerEntry] = field(default_factory=list)
    farewell: str | None = None
    lines: list[LedgerLine] = field(default_factory=list)

    @property
    def counted(self) -> list[tuple[str, int]]:
        """The counters other than 0, with their names."""
        return [(name, number) for name, number in self.counters.items() if number]

    @property
    def is_in(self) -> bool:
        return self.farewell is None

    @property
    def rank(self) -> WrittenRank | None:
        return self.table.find_rank(self.experience)

    @property
    def cost(self) -> int:
        """The points that the ledger adds to the unit."""
        return self.marked + (self.rank.cost if self.rank else 0)

    @property
    def points(self) -> Number:
        return parse_number(self.unit.points)

    @property
    def total(self) -> Number:
        return shorten_number(self.points + self.cost)


@dataclass(frozen=True, slots=True)
class LedgerStep:
    """The rows of one action. `name` is the unit's or, for several, "". An undo is a step of its own."""

    number: int
    created: datetime
    entries: Sequence[LedgerEntry]
    name: str
    stands: bool

    @property
    def kind(self) -> LedgerKind:
        return LedgerKind(self.entries[0].kind)


@dataclass(frozen=True, slots=True)
class ForceRoll:
    """A force's units, in the order in which they joined, and its steps, newest first."""

    force: CampaignForce
    table: CampaignTable
    veterans: Sequence[VeteranState]
    steps: Sequence[LedgerStep]

    @property
    def present(self) -> list[VeteranState]:
        return [state for state in self.veterans if state.is_in]

    @property
    def gone(self) -> list[VeteranState]:
        return [state for state in self.veterans if not state.is_in]

    @property
    def points(self) -> Number:
        return shorten_number(sum(state.points for state in self.present))

    @property
    def cost(self) -> int:
        return sum(state.cost for state in self.present)

    @property
    def total(self) -> Number:
        return shorten_number(self.points + self.cost)

    @property
    def undoable(self) -> LedgerStep | None:
        """The newest step that was not undone and is not an undo."""
        return next((step for step in self.steps if step.stands and step.kind != LedgerKind.UNDO), None)

    def find(self, veteran_id: int) -> VeteranState | None:
        return next((state for state in self.veterans if state.veteran.pk == veteran_id), None)


def read_table(force: CampaignForce) -> CampaignTable:
    """Return a force's campaign, empty if it has none."""
    table = read_campaign(force.campaign) if force.campaign else None
    return table if isinstance(table, CampaignTable) else CampaignTable(name="")


def load_roll(force: CampaignForce) -> ForceRoll:
    """Compute a force's state in one query."""
    entries = list(LedgerEntry.objects.filter(veteran__force=force).select_related("veteran"))
    table = read_table(force)
    taken_back = find_undone(entries)
    by_veteran: dict[int, list[LedgerEntry]] = {}
    for entry in entries:
        by_veteran.setdefault(entry.veteran_id, []).append(entry)
    states = [_fold(table, rows, taken_back) for _pk, rows in sorted(by_veteran.items())]
    veterans = [state for state in states if state is not None]
    names = {state.veteran.pk: state.name for state in veterans}
    by_step: dict[int, list[LedgerEntry]] = {}
    for entry in entries:
        by_step.setdefault(entry.step, []).append(entry)
    steps = []
    for number, rows in sorted(by_step.items(), reverse=True):
        units = {row.veteran_id for row in rows}
        name = names.get(rows[0].veteran_id, "") if len(units) == 1 else ""
        stands = any(row.pk not in taken_back for row in rows)
        steps.append(LedgerStep(number, rows[0].created, rows, name, stands))
    return ForceRoll(force, table, veterans, steps)


def find_undone(entries: Sequence[LedgerEntry]) -> set[int]:
    """Return the keys of the undone rows, including undone undos."""
    undone: set[int] = set()
    # An undo is newer than its row, so the newest rows decide first.
    for entry in reversed(entries):
        if entry.undoes_id and entry.pk not in undone:
            undone.add(entry.undoes_id)
    return undone


def _fold(table: CampaignTable, entries: Sequence[LedgerEntry], undone: set[int]) -> VeteranState | None:
    """Return a unit's state, None if its joining was undone."""
    standing = [entry for entry in entries if entry.pk not in undone]
    joined = [entry for entry in standing if entry.kind == LedgerKind.JOINED]
    if not joined:
        return None
    # A unit that rejoined keeps its earlier ledger.
    state = VeteranState(joined[-1].veteran, _decoder.decode(joined[-1].document), table, name=joined[-1].name)
    for entry in standing:
        state.marked += entry.cost
        match LedgerKind(entry.kind):
            case LedgerKind.REFIT:
                state.unit = _decoder.decode(entry.document)
            case LedgerKind.NAME:
                state.name = entry.name
            case LedgerKind.STORY:
                state.story = entry.text
            case LedgerKind.GAME:
                state.games += 1
                state.survived += entry.amount
            case LedgerKind.EXPERIENCE:
                state.experience += entry.amount
            case LedgerKind.KILLS:
                state.kills += entry.amount
            case LedgerKind.COUNTER:
                state.counters[entry.name] += entry.amount
            case LedgerKind.HONOUR:
                state.honours.append(entry)
            case LedgerKind.INJURY:
                state.injuries.append(entry)
            case LedgerKind.HEALED:
                healed = next((one for one in state.injuries if one.name == entry.name), None)
                if healed:
                    state.injuries.remove(healed)
            case LedgerKind.LEFT:
                state.farewell = entry.text
    state.lines = [LedgerLine(entry, entry.pk not in undone) for entry in reversed(entries)]
    return state
