"""The units of a side at the table: what their printed cards say, with boxes to tick, and their decks.

The print model of the list is the one reading of the data; here it is only laid out unit by unit.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, count, repeat

from django.utils.translation import get_language

from catalogue.definitions.numbers import Number
from catalogue.services.lru import Lru
from roster.engine.plan import GamePlan
from roster.engine.report import Report
from roster.pdf.datasheets import pair_datasheets
from roster.pdf.deck_lists import build_deck_lists
from roster.pdf.listed_units import ListedUnit
from roster.pdf.paper_text import choose_money
from roster.pdf.shapes import Ability, Datasheet, DeckList, ProfileRow
from roster.pdf.sheet_cards import list_units
from roster.pdf.sheet_context import SheetContext
from roster.play.game_state import SideState
from roster.play.models import GameSide
from roster.services.deck_board import list_beside_categories, list_card_needs
from roster.services.evaluation import EvaluatedList, evaluate_list, hash_document
from roster.services.faces import load_faction
from roster.wording import format_citation

LISTS_KEPT = 64
MOST_BOXES = 120
IN_RESERVE, ABOARD, JOINED, ON_TABLE, DEAD = "reserve", "aboard", "joined", "table", "dead"
WHEREABOUTS = (ON_TABLE, IN_RESERVE, ABOARD, JOINED, DEAD)


@dataclass(frozen=True, slots=True)
class BoxRun:
    """Boxes to tick off together, under one counter: the wounds of a model, or up to five models."""

    key: str
    size: int
    label: str = ""


@dataclass(frozen=True, slots=True)
class OnceAbility:
    """Something that can be used once in a battle."""

    key: str
    name: str


@dataclass(frozen=True, slots=True)
class TableUnit:
    """A unit at the table. `key` tells it from the others of its list; `place` is where it is when the game begins."""

    key: str
    sheet: Datasheet
    emblem: str
    runs: tuple[BoxRun, ...]
    are_models: bool
    once: tuple[OnceAbility, ...]
    place: str
    with_unit: str

    @property
    def size(self) -> int:
        return sum(run.size for run in self.runs)


@dataclass(frozen=True, slots=True)
class TableList:
    """A list as it is played: its units and its decks; its figures and its costs by name."""

    units: tuple[TableUnit, ...] = ()
    decks: tuple[DeckList, ...] = ()
    figures: Mapping[str, Number] = field(default_factory=dict)
    costs: Mapping[str, Number] = field(default_factory=dict)


_lists: Lru[tuple[str, str, str, str], TableList] = Lru(LISTS_KEPT)


def load_table_list(side: GameSide) -> TableList:
    """Return the list of a side as it was when the game began; nothing for a side without one."""
    if side.version is None or not side.document:
        return TableList()
    version = side.version
    # Words are in the language of the reader, so each language has a reading of its own.
    key = (version.content_hash, hash_document(side.document + side.plan), side.faction_id, get_language() or "")
    return _lists.get(key, lambda: _build_table_list(side, evaluate_list(version, side.faction_id, side.document)))


def _build_table_list(side: GameSide, judged: EvaluatedList) -> TableList:
    report = judged.report
    context = _make_context(judged, report)
    beside = list_beside_categories(judged.ruleset)
    listed = [unit for unit in list_units(report.forces) if not _lies_beside(unit, beside)]
    return TableList(
        units=tuple(_build_units(side, listed, _collect_sheets(listed, context))),
        decks=tuple(build_deck_lists(report.forces, list_card_needs(judged.ruleset), context)),
        figures={figure.name: figure.value for figure in report.figures},
        costs={cost.name: cost.value for cost in report.costs},
    )


def _collect_sheets(listed: Sequence[ListedUnit], context: SheetContext) -> dict[int, Datasheet]:
    """Return the datasheet of each unit, by the identity of the unit; units that are alike share one."""
    return {id(unit): sheet for units, sheet in pair_datasheets(listed, context) for unit in units}


def _make_context(judged: EvaluatedList, report: Report) -> SheetContext:
    return SheetContext(
        money=choose_money(report.costs),
        cite=lambda place: format_citation(place, judged.books),
        problems=(),
        marks={},
        cards=list_card_needs(judged.ruleset),
        command=report.command.id if report.command else "",
    )


def _lies_beside(unit: ListedUnit, beside: frozenset[str]) -> bool:
    """Return whether a part of a list is not a unit at the table: a banner, or a deck."""
    return any(category.primary and category.id in beside for category in unit.node.categories)


def _build_unit(key: str, unit: ListedUnit, sheet: Datasheet, emblem: str, place: tuple[str, str]) -> TableUnit:
    runs, are_models = _build_runs(key, sheet)
    return TableUnit(
        key=key,
        sheet=sheet,
        emblem=emblem,
        runs=runs,
        are_models=are_models,
        once=tuple(_list_once(key, sheet)),
        place=place[0],
        with_unit=place[1],
    )


def _find_place(plan: GamePlan, unit: ListedUnit, names: dict[str, str]) -> tuple[str, str]:
    """Return where a unit is when the game begins, and with which other."""
    ids = {unit.node.id, unit.choice.id}
    for ride in plan.rides:
        if ride.passenger_id in ids:
            return ABOARD, names.get(ride.transport_id, "")
    for join in plan.joins:
        if join.character_id in ids:
            return JOINED, names.get(join.host_id, "")
    if ids.isdisjoint(plan.reserves):
        return ON_TABLE, ""
    return IN_RESERVE, ""


def _build_units(side: GameSide, listed: Sequence[ListedUnit], sheets: Mapping[int, Datasheet]) -> Iterator[TableUnit]:
    """Yield each unit on the table by itself: of several that are alike each loses models of its own."""
    names = {unit.node.id: unit.name for unit in listed}
    plan, faces = side.game_plan, load_faction(side.version_id or 0, side.faction_id)
    numbers = count(1)
    for unit in listed:
        emblem = faces.find_face(unit.node.entry_id, unit.type).emblem
        for _ in range(unit.count):
            yield _build_unit(f"u{next(numbers)}", unit, sheets[id(unit)], emblem, _find_place(plan, unit, names))


def _build_runs(key: str, sheet: Datasheet) -> tuple[tuple[BoxRun, ...], bool]:
    """Return the boxes of one unit as its card has them; where a card has too many to draw, a single counter."""
    runs = list(_list_runs(key, sheet))
    if not runs:
        return (BoxRun(f"w:{key}:0.0", max(sheet.models, 1)),), True
    # Damage steps go by the wounds of the whole model, so its boxes are one run.
    if _list_tops(sheet):
        return (BoxRun(f"w:{key}:0.0", sum(run.size for run in runs)),), False
    return tuple(runs), any(track.models for track in sheet.tracks)


def _list_runs(key: str, sheet: Datasheet) -> Iterator[BoxRun]:
    for number, track in enumerate(sheet.tracks):
        for place, size in enumerate(track.groups):
            yield BoxRun(f"w:{key}:{number}.{place}", size, "" if place else track.label)


def _list_tops(sheet: Datasheet) -> Sequence[int]:
    """Return the wounds at which each damage step of a model begins; a unit of several kinds of models has none."""
    return sheet.tracks[0].tops if len(sheet.tracks) == 1 else ()


def _list_once(key: str, sheet: Datasheet) -> Iterator[OnceAbility]:
    for number, name in enumerate(dict.fromkeys(_name_once(sheet))):
        yield OnceAbility(f"once:{key}:{number}", name)


def _name_once(sheet: Datasheet) -> Iterator[str]:
    """Name the abilities and the weapons of a unit that are used once."""
    yield from (ability.name for ability in sheet.abilities if ability.is_once)
    rows = chain.from_iterable(table.rows for table in sheet.weapons)
    yield from (row.name for row in rows if row.is_once)


# ---- as it is now ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Box:
    """A box to tick; `lost` says that it is."""

    number: int
    lost: bool


@dataclass(frozen=True, slots=True)
class BoxRow:
    """Boxes under one counter as they are now."""

    run: BoxRun
    boxes: tuple[Box, ...]

    @property
    def left(self) -> int:
        return sum(not box.lost for box in self.boxes)


@dataclass(frozen=True, slots=True)
class ProfileNow:
    """A row of a profile that counts while a model has `low` to `high` wounds left; both 0 for one that always does."""

    row: ProfileRow
    low: int
    high: int
    counts: bool


@dataclass(frozen=True, slots=True)
class UnitNow:
    """A unit as it is: what is left of it, where it is, its boxes, and which rows of its profile count."""

    unit: TableUnit
    left: int
    place: str
    died: str
    rows: tuple[BoxRow, ...]
    profile: tuple[ProfileNow, ...]

    @property
    def is_dead(self) -> bool:
        return self.left <= 0 or self.place == DEAD


def describe_units(units: Sequence[TableUnit], side: SideState) -> list[UnitNow]:
    """Return the units of a side as they are now."""
    return [_describe_unit(unit, side) for unit in units]


def _describe_unit(unit: TableUnit, side: SideState) -> UnitNow:
    rows = tuple(_tick_boxes(run, side.counts.get(run.key, 0)) for run in unit.runs)
    left = sum(row.left for row in rows)
    place, _, died = side.texts.get(f"at:{unit.key}", unit.place).partition("=")
    return UnitNow(
        unit=unit,
        left=0 if place == DEAD else left,
        place=place if place in WHEREABOUTS else ON_TABLE,
        died=died,
        rows=rows,
        profile=_choose_rows(unit, left),
    )


def _tick_boxes(run: BoxRun, lost: int) -> BoxRow:
    """Return the boxes under a counter: those on the right are ticked first, as on paper."""
    return BoxRow(run, tuple(Box(number, number > run.size - lost) for number in range(1, run.size + 1)))


def _choose_rows(unit: TableUnit, left: int) -> tuple[ProfileNow, ...]:
    """Return the rows of a profile; of damage steps only the one of the wounds that are left counts."""
    profile = unit.sheet.profile
    if profile is None:
        return ()
    tops = _list_tops(unit.sheet)
    # The last step is also that of a model that is no more.
    lows = [*(top + 1 for top in tops[1:]), 0]
    # Without damage steps every row counts.
    steps = chain(zip(lows, tops, strict=False), repeat((0, 0)))
    return tuple(
        ProfileNow(row, low, high, counts=not high or low <= max(left, 0) <= high)
        for row, (low, high) in zip(profile.rows, steps, strict=False)
    )


def list_reminders(units: Sequence[UnitNow], marks: Collection[str]) -> list[tuple[Ability, list[str]]]:
    """List the abilities of units in play that matter in a phase by its marks, each with the units that have it."""
    names: defaultdict[Ability, list[str]] = defaultdict(list)
    for ability, name in _pair_abilities(units):
        if ability.phase in marks:
            names[ability].append(name)
    return [(ability, list(dict.fromkeys(holders))) for ability, holders in names.items()]


def _pair_abilities(units: Iterable[UnitNow]) -> Iterator[tuple[Ability, str]]:
    """Pair the abilities of units in play with the names of those units."""
    for unit in units:
        if not unit.is_dead:
            sheet = unit.unit.sheet
            yield from ((ability, sheet.name) for ability in sheet.abilities)
