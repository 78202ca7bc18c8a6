"""The units of a side at the table: the content of their printed cards, with boxes to tick, and their decks.

The print model of the list reads the data; here it is only laid out unit by unit.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, repeat

from django.utils.translation import get_language

from catalogue.definitions.numbers import Number
from catalogue.definitions.table_rules import MarkEnd, UnitMark, UnitTrack
from catalogue.services.lru import Lru
from catalogue.services.play import load_play
from roster.engine.plan import GamePlan
from roster.pdf.datasheets import pair_datasheets
from roster.pdf.deck_lists import build_deck_lists
from roster.pdf.listed_units import ListedUnit
from roster.pdf.paper_text import choose_money
from roster.pdf.shapes import Ability, Datasheet, DeckList, ProfileRow
from roster.pdf.sheet_cards import list_units
from roster.pdf.sheet_context import SheetContext
from roster.play.game_state import SideState, TableStep
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
    """Boxes to tick off together, under one counter: the wounds of a model, or up to five models.

    `beside` are boxes of something else, such as tokens: a unit without any left is still there.
    """

    key: str
    size: int
    label: str = ""
    beside: bool = False


@dataclass(frozen=True, slots=True)
class OnceAbility:
    """An ability or weapon that can be used once in a battle."""

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
        return sum(run.size for run in self.runs if not run.beside)


@dataclass(frozen=True, slots=True)
class TableList:
    """A list as it is played: its units and its decks; its figures and its costs by name."""

    units: tuple[TableUnit, ...] = ()
    decks: tuple[DeckList, ...] = ()
    figures: Mapping[str, Number] = field(default_factory=dict)
    costs: Mapping[str, Number] = field(default_factory=dict)


_lists: Lru[tuple[str, str, str, str], TableList] = Lru(LISTS_KEPT)


def load_table_list(side: GameSide) -> TableList:
    """Return the list of a side as it was when the game began; an empty one for a side without a list."""
    if side.version is None or not side.document:
        return TableList()
    version = side.version
    # Words are in the language of the reader, so each language has an entry of its own.
    key = (version.content_hash, hash_document(side.document + side.plan), side.faction_id, get_language() or "")
    tracks = load_play(version).table.tracks
    return _lists.get(
        key, lambda: _build_table_list(side, evaluate_list(version, side.faction_id, side.document), tracks)
    )


def _build_table_list(side: GameSide, judged: EvaluatedList, tracks: Sequence[UnitTrack]) -> TableList:
    report = judged.report
    cards = list_card_needs(judged.ruleset)
    context = SheetContext(
        money=choose_money(report.costs),
        cite=lambda place: format_citation(place, judged.books),
        problem_numbers={},
        marks={},
        cards=cards,
        command=report.command.id if report.command else "",
    )
    # Banners and decks are parts of a list, but not units at the table.
    beside = list_beside_categories(judged.ruleset)
    listed = [
        unit
        for unit in list_units(report.forces)
        if not any(category.primary and category.id in beside for category in unit.node.categories)
    ]
    # Units that are alike share a datasheet.
    sheets = {id(unit): sheet for units, sheet in pair_datasheets(listed, context) for unit in units}
    names = {unit.node.id: unit.name for unit in listed}
    plan, faces = side.game_plan, load_faction(side.version_id or 0, side.faction_id)
    table_units: list[TableUnit] = []
    for unit in listed:
        # Imported data has references and settings among the units: nothing of them is ever lost.
        if sheets[id(unit)].profile is None and not sheets[id(unit)].models:
            continue
        emblem = faces.find_face(unit.node.entry_id, unit.type).emblem
        place, with_unit = _find_place(plan, unit, names)
        # Each of several units that are alike loses models of its own.
        for _ in range(unit.count):
            key, sheet = f"u{len(table_units) + 1}", sheets[id(unit)]
            runs, are_models = _build_runs(key, sheet)
            runs += _build_tracks(key, sheet, tracks)
            table_units.append(
                TableUnit(
                    key=key,
                    sheet=sheet,
                    emblem=emblem,
                    runs=runs,
                    are_models=are_models,
                    once=_list_once(key, sheet),
                    place=place,
                    with_unit=with_unit,
                )
            )
    return TableList(
        units=tuple(table_units),
        decks=tuple(build_deck_lists(report.forces, cards, context)),
        figures={figure.name: figure.value for figure in report.figures},
        costs={cost.name: cost.value for cost in report.costs},
    )


def _find_place(plan: GamePlan, unit: ListedUnit, names: dict[str, str]) -> tuple[str, str]:
    """Return the place of a unit when the game begins, and the name of the unit that it is with."""
    ids = {unit.node.id, unit.choice.id}
    for ride in plan.rides:
        if ride.passenger_id in ids:
            return ABOARD, names.get(ride.transport_id, "")
    for join in plan.joins:
        if join.character_id in ids:
            return JOINED, names.get(join.host_id, "")
    for attachment in (*unit.node.attachments, *unit.choice.attachments):
        if attachment.to.id in names:
            return JOINED, names[attachment.to.id]
    if ids.isdisjoint(plan.reserves):
        return ON_TABLE, ""
    return IN_RESERVE, ""


def _build_runs(key: str, sheet: Datasheet) -> tuple[tuple[BoxRun, ...], bool]:
    """Return the boxes of a unit as its card has them, and whether a box is a model."""
    runs = []
    for number, track in enumerate(sheet.tracks):
        for place, size in enumerate(track.groups):
            runs.append(BoxRun(f"w:{key}:{number}.{place}", size, "" if place else track.label))
    # A card that has too many boxes to draw has none: it gets a single counter.
    if not runs:
        return (BoxRun(f"w:{key}:0.0", max(sheet.models, 1)),), True
    # Damage steps go by the wounds of the whole model, so its boxes are one run.
    if _list_tops(sheet):
        return (BoxRun(f"w:{key}:0.0", sum(run.size for run in runs)),), False
    return tuple(runs), any(track.models for track in sheet.tracks)


def _build_tracks(key: str, sheet: Datasheet, tracks: Sequence[UnitTrack]) -> tuple[BoxRun, ...]:
    """Return the boxes of what a unit counts beside its wounds and models."""
    runs = []
    for track in tracks:
        size = track.boxes
        if sheet.profile and track.column in sheet.profile.heads:
            # Of several models in a unit the first row speaks for all.
            figure = sheet.profile.rows[0].cells[sheet.profile.heads.index(track.column)]
            size = int(figure) if figure.isdecimal() else 0
        if size:
            runs.append(BoxRun(f"t:{key}:{track.id}", min(size, MOST_BOXES), track.name, beside=True))
    return tuple(runs)


def _list_tops(sheet: Datasheet) -> Sequence[int]:
    """Return the wounds at which each damage step of a model begins; empty for a unit of several kinds of models."""
    return sheet.tracks[0].tops if len(sheet.tracks) == 1 else ()


def _list_once(key: str, sheet: Datasheet) -> tuple[OnceAbility, ...]:
    names = [ability.name for ability in sheet.abilities if ability.is_once]
    for table in sheet.weapons:
        names += [row.name for row in table.rows if row.is_once]
    return tuple(OnceAbility(f"once:{key}:{number}", name) for number, name in enumerate(dict.fromkeys(names)))


# ---- as it is now ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Box:
    """A box to tick; `lost` if it is ticked. `tick` is what a tap on it does: how many are lost before and after."""

    number: int
    lost: bool
    tick: str


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
    """A row of a profile that applies while a model has `low` to `high` wounds left; both 0 if it always applies."""

    row: ProfileRow
    low: int
    high: int
    counts: bool


@dataclass(frozen=True, slots=True)
class MarkNow:
    """A mark that a unit can have; `key` is the key of the text that says so."""

    mark: UnitMark
    key: str
    on: bool


@dataclass(frozen=True, slots=True)
class UnitNow:
    """The current state of a unit: how much is left, its place, its boxes, its marks, and which profile rows apply."""

    unit: TableUnit
    left: int
    place: str
    died: str
    rows: tuple[BoxRow, ...]
    profile: tuple[ProfileNow, ...]
    marks: tuple[MarkNow, ...]

    @property
    def is_dead(self) -> bool:
        return self.left <= 0 or self.place == DEAD


def end_mark_key(mark: UnitMark, step: TableStep) -> str:
    """Return the end of the keys of a mark, so that it is gone when its round or turn is over.

    >>> end_mark_key(UnitMark(id="pinned", name="Pinned"), TableStep(round=2))
    ':pinned.2'
    """
    until = {MarkEnd.TURN: f".{step.round}.{step.turn}", MarkEnd.ROUND: f".{step.round}", MarkEnd.GAME: ""}
    return f":{mark.id}{until[mark.until]}"


def describe_units(
    units: Sequence[TableUnit], side: SideState, marks: Sequence[UnitMark], step: TableStep
) -> list[UnitNow]:
    """Return the current states of the units of a side, with the marks that they can have."""
    described = []
    for unit in units:
        rows = []
        for run in unit.runs:
            # The box of a number is ticked when as many are lost, so that a tap on it says how many.
            lost = side.counts.get(run.key, 0)
            boxes = tuple(
                Box(number, number <= lost, f"{lost} {number - 1 if number == lost else number}")
                for number in range(1, run.size + 1)
            )
            rows.append(BoxRow(run, boxes))
        left = sum(row.left for row in rows if not row.run.beside)
        place, _, died = side.texts.get(f"at:{unit.key}", unit.place).partition("=")
        described.append(
            UnitNow(
                unit=unit,
                left=0 if place == DEAD else left,
                place=place if place in WHEREABOUTS else ON_TABLE,
                died=died,
                rows=tuple(rows),
                profile=_choose_rows(unit, left),
                marks=tuple(
                    MarkNow(mark, key, key in side.texts)
                    for mark in marks
                    for key in (f"mark:{unit.key}{end_mark_key(mark, step)}",)
                ),
            )
        )
    return described


def _choose_rows(unit: TableUnit, left: int) -> tuple[ProfileNow, ...]:
    """Return the rows of a profile; of damage steps only the step of the wounds that are left applies."""
    profile = unit.sheet.profile
    if profile is None:
        return ()
    tops = _list_tops(unit.sheet)
    # A dead model keeps the last step.
    lows = [*(top + 1 for top in tops[1:]), 0]
    # Without damage steps every row applies.
    steps = chain(zip(lows, tops, strict=False), repeat((0, 0)))
    return tuple(
        ProfileNow(row, low, high, counts=not high or low <= max(left, 0) <= high)
        for row, (low, high) in zip(profile.rows, steps, strict=False)
    )


def list_reminders(units: Sequence[UnitNow], marks: Collection[str]) -> list[tuple[Ability, list[str]]]:
    """List the abilities of units in play that matter in a phase by its marks, each with the units that have it."""
    names: defaultdict[Ability, list[str]] = defaultdict(list)
    for unit in units:
        if unit.is_dead:
            continue
        sheet = unit.unit.sheet
        for ability in sheet.abilities:
            if ability.phase in marks:
                names[ability].append(sheet.name)
    return [(ability, list(dict.fromkeys(holders))) for ability, holders in names.items()]
