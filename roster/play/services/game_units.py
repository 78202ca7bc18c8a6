"""Derive a side's units from its printed list."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, repeat

from django.utils.translation import get_language

from catalogue.definitions.numbers import Number
from catalogue.definitions.queries import Term
from catalogue.definitions.table_rules import MarkEnd, TableRules, UnitMark, UnitTrack
from catalogue.services.lru import Lru
from catalogue.services.play import load_play
from roster.engine.plan import GamePlan
from roster.engine.report import EffectiveSelection, Report
from roster.pdf.datasheets import STRUCTURES, pair_datasheets
from roster.pdf.deck_lists import build_deck_lists
from roster.pdf.listed_units import ListedUnit, walk_own
from roster.pdf.paper_text import choose_money
from roster.pdf.shapes import Ability, Datasheet, DeckList, ProfileRow
from roster.pdf.sheet_cards import is_counted, list_units
from roster.pdf.sheet_context import SheetContext
from roster.play.game_state import SideState, TableStep
from roster.play.losses import ABOARD, IN_RESERVE, JOINED, ON_TABLE, BoxRun, UnitStakes
from roster.play.models import GameSide
from roster.play.services.table_rules import load_table_rules
from roster.services.deck_board import list_beside_categories, list_card_needs
from roster.services.evaluation import EvaluatedList, evaluate_list, hash_document
from roster.services.faces import load_faction
from roster.wording import format_citation

LISTS_KEPT = 64
MOST_BOXES = 120
RESOURCE = "res:"
"""The prefix of resource counters."""


@dataclass(frozen=True, slots=True)
class OnceAbility:
    """An ability or weapon that a unit can use once. `key` is its counter."""

    key: str
    name: str


@dataclass(frozen=True, slots=True)
class TableUnit:
    """`stakes` are the side's losses with the unit, `choice_id` is the selection in its list."""

    key: str
    sheet: Datasheet
    emblem: str
    runs: tuple[BoxRun, ...]
    are_models: bool
    once: tuple[OnceAbility, ...]
    with_unit: str
    stakes: UnitStakes
    choice_id: str = ""

    @property
    def place(self) -> str:
        return self.stakes.place

    @property
    def size(self) -> int:
        return sum(run.size for run in self.runs if not run.beside)


@dataclass(frozen=True, slots=True)
class TableList:
    units: tuple[TableUnit, ...] = ()
    decks: tuple[DeckList, ...] = ()
    figures: Mapping[str, Number] = field(default_factory=dict)
    costs: Mapping[str, Number] = field(default_factory=dict)

    @property
    def stakes(self) -> tuple[UnitStakes, ...]:
        return tuple(unit.stakes for unit in self.units)


_lists: Lru[tuple[str, ...], TableList] = Lru(LISTS_KEPT)


def load_table_list(side: GameSide) -> TableList:
    """Return a side's list at the game's start, empty for a side without a list."""
    if side.version is None or not side.document:
        return TableList()
    version = side.version
    # Words are in the reader's language, so each language has its own entry.
    document = hash_document(side.document + side.plan)
    key = (version.content_hash, document, side.faction_id, side.game.table, get_language() or "")

    def build() -> TableList:
        evaluated_list = evaluate_list(version, side.faction_id, side.document)
        return _build_table_list(side, evaluated_list, load_table_rules(load_play(version), side.game.table))

    return _lists.get(key, build)


def _build_table_list(side: GameSide, evaluated_list: EvaluatedList, table: TableRules) -> TableList:
    report = evaluated_list.report
    cards = list_card_needs(evaluated_list.ruleset)
    context = SheetContext(
        money=choose_money(report.costs),
        cite=lambda place: format_citation(place, evaluated_list.books),
        problem_numbers={},
        marks={},
        cards=cards,
        command=report.command.id if report.command else "",
    )
    # Banners and decks belong to a list, but are not units at the table.
    beside = list_beside_categories(evaluated_list.ruleset)
    listed = [
        unit
        for unit in list_units(report.forces)
        if not any(category.primary and category.id in beside for category in unit.node.categories)
    ]
    # Equal units share a datasheet.
    sheets = {id(unit): sheet for units, sheet in pair_datasheets(listed, context) for unit in units}
    names = {unit.node.id: unit.name for unit in listed}
    plan, faces = side.game_plan, load_faction(side.version_id or 0, side.faction_id)
    shares = _list_shares(evaluated_list, table)
    open_to = report.command.open_to if report.command else ()
    table_units: list[TableUnit] = []
    number, has_profiles = 0, any(sheet.profile for sheet in sheets.values())
    for unit in listed:
        # Imported data lists references and settings as units; they cannot be lost.
        if unit.node.placeholder or not is_counted(unit.node, context.money):
            continue
        emblem = faces.find_face(unit.node.entry_id, unit.type).emblem
        place, with_unit = _find_place(plan, unit, names)
        # Each of several equal units loses its own models.
        for _ in range(unit.count):
            # Number all of them, units or not, because the keys in running games do.
            number += 1
            key, sheet = f"u{number}", sheets[id(unit)]
            # Lores and the like cost points in some imported data, but have no profile.
            if has_profiles and not (sheet.profile or sheet.weapons):
                continue
            runs, are_models = _build_runs(key, sheet, table.vital)
            runs += _build_tracks(key, sheet, table.tracks)
            commands, may_command = bool(sheet.commands), unit.node.id in open_to
            stakes = UnitStakes(
                key=key,
                runs=runs,
                place=place,
                commands=commands,
                may_command=may_command,
                cards=_count_cards(unit.node, shares, table, commands=commands),
            )
            table_units.append(
                TableUnit(
                    key=key,
                    sheet=sheet,
                    emblem=emblem,
                    runs=runs,
                    are_models=are_models,
                    once=_list_once(key, sheet),
                    with_unit=with_unit,
                    stakes=stakes,
                    choice_id=unit.choice.id,
                )
            )
    if open_to:
        table_units = _add_open_command(table_units, report, table)
    return TableList(
        units=tuple(table_units),
        decks=tuple(build_deck_lists(report.forces, cards, context)),
        figures={figure.name: figure.value for figure in report.figures},
        costs={cost.name: cost.value for cost in report.costs},
    )


def _find_place(plan: GamePlan, unit: ListedUnit, names: dict[str, str]) -> tuple[str, str]:
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


def _list_shares(evaluated_list: EvaluatedList, table: TableRules) -> dict[str, dict[str, int]]:
    """Return what each unit of a category adds to a resource, by counter key and category."""
    figures = {figure.name: figure for figure in evaluated_list.ruleset.data.game_system.figures}
    shares: dict[str, dict[str, int]] = {}
    for resource in table.resources:
        figure = figures.get(resource.list_figure)
        if figure is not None:
            counted = shares.setdefault(f"{RESOURCE}{resource.id}", {})
            for term in (Term(query=figure.query), *figure.terms):
                if term.query.child_id:
                    counted[term.query.child_id] = counted.get(term.query.child_id, 0) + int(term.coefficient)
    return shares


def _count_cards(
    node: EffectiveSelection, shares: Mapping[str, Mapping[str, int]], table: TableRules, *, commands: bool
) -> dict[str, tuple[int, int]]:
    cards = {}
    takes = {f"{RESOURCE}{resource.id}": resource.commander_takes for resource in table.resources}
    for key, counted in shares.items():
        brings = sum(counted.get(category.id, 0) for part in walk_own(node) for category in part.categories)
        cards[key] = brings, (takes[key] or brings) if commands else brings
    return {key: both for key, both in cards.items() if any(both)}


def _add_open_command(units: Sequence[TableUnit], report: Report, table: TableRules) -> list[TableUnit]:
    """Give each possible commander what it adds and takes: the list's figures beyond the sum of all units."""
    figures = {figure.name: int(figure.value) for figure in report.figures}
    rest = {}
    for resource in table.resources:
        key = f"{RESOURCE}{resource.id}"
        brought = sum(unit.stakes.cards.get(key, (0, 0))[0] for unit in units)
        brings = figures.get(resource.list_figure, 0) - brought
        if brings > 0:
            rest[key] = brings, resource.commander_takes or brings
    return [
        replace(unit, stakes=replace(unit.stakes, command_cards=rest)) if unit.stakes.may_command else unit
        for unit in units
    ]


def _build_runs(key: str, sheet: Datasheet, vital: str) -> tuple[tuple[BoxRun, ...], bool]:
    # The card has one set of boxes for several vehicles; here each gets its own.
    if structures := _read_structures(sheet):
        (worth,) = {track.worth for track in sheet.tracks}
        return tuple(
            BoxRun(f"w:{key}:{number}.{head}", size, f"{number} {head}", worth=worth, vital=vital in ("", head))
            for number in range(1, sheet.models + 1)
            for head, size in structures
        ), False
    is_structure = len(sheet.tracks) > 1 and any(track.label == vital for track in sheet.tracks)
    runs = []
    for number, track in enumerate(sheet.tracks):
        # Boxes are models, or the wounds of one model.
        are_models = sum(track.groups) == track.number
        for place, size in enumerate(track.groups):
            label = "" if place else track.label
            models, is_vital = size if are_models else 1, not is_structure or track.label == vital
            runs.append(BoxRun(f"w:{key}:{number}.{place}", size, label, False, models, track.worth, is_vital))
    # A card with too many boxes to draw has none; count with one counter.
    if not runs:
        models = max(sheet.models, 1)
        return (BoxRun(f"w:{key}:0.0", models, models=models, worth=sheet.model_worth),), True
    # Damage steps depend on all wounds of a model, so its boxes are one run.
    if _list_tops(sheet):
        size, worth = sum(run.size for run in runs), sheet.tracks[0].worth
        return (BoxRun(f"w:{key}:0.0", size, worth=worth),), False
    return tuple(runs), any(track.models for track in sheet.tracks)


def _read_structures(sheet: Datasheet) -> list[tuple[str, int]]:
    tables = [table for table in sheet.more_profiles if set(table.heads) & set(STRUCTURES) and len(table.rows) == 1]
    if sheet.models < 2 or len(sheet.tracks) != 1 or len(tables) != 1:
        return []
    pairs = zip(tables[0].heads, tables[0].rows[0].cells, strict=True)
    figures = ((head, cell.partition("/")[2].strip()) for head, cell in pairs if head in STRUCTURES)
    return [(head, int(figure)) for head, figure in figures if figure.isdecimal() and int(figure)]


def _build_tracks(key: str, sheet: Datasheet, tracks: Sequence[UnitTrack]) -> tuple[BoxRun, ...]:
    runs = []
    for track in tracks:
        size = track.boxes
        if sheet.profile and track.column in sheet.profile.heads:
            # The first row applies to all models of a unit.
            figure = sheet.profile.rows[0].cells[sheet.profile.heads.index(track.column)]
            size = int(figure) if figure.isdecimal() else 0
        if size:
            runs.append(BoxRun(f"t:{key}:{track.id}", min(size, MOST_BOXES), track.name, beside=True))
    return tuple(runs)


def _list_tops(sheet: Datasheet) -> Sequence[int]:
    """List the highest wounds of each damage step; empty if there are several kinds of models."""
    return sheet.tracks[0].tops if len(sheet.tracks) == 1 else ()


def _list_once(key: str, sheet: Datasheet) -> tuple[OnceAbility, ...]:
    names = [ability.name for ability in sheet.abilities if ability.is_once]
    for table in sheet.weapons:
        names += [row.name for row in table.rows if row.is_once]
    return tuple(OnceAbility(f"once:{key}:{number}", name) for number, name in enumerate(dict.fromkeys(names)))


# ---- current state --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Box:
    """A box to tick. `tick` is what a tap sends: the losses before and after."""

    number: int
    lost: bool
    tick: str


@dataclass(frozen=True, slots=True)
class BoxRow:
    run: BoxRun
    boxes: tuple[Box, ...]

    @property
    def left(self) -> int:
        return sum(not box.lost for box in self.boxes)


@dataclass(frozen=True, slots=True)
class ProfileNow:
    """A profile row for `low` to `high` wounds left; for any number if both are 0."""

    row: ProfileRow
    low: int
    high: int
    counts: bool


@dataclass(frozen=True, slots=True)
class MarkNow:
    mark: UnitMark
    key: str
    on: bool


@dataclass(frozen=True, slots=True)
class UnitNow:
    """`left` is 0 once the unit is lost. `ordinal` distinguishes namesakes."""

    unit: TableUnit
    ordinal: int | None
    left: int
    place: str
    died: str
    rows: tuple[BoxRow, ...]
    profile: tuple[ProfileNow, ...]
    marks: tuple[MarkNow, ...]

    @property
    def is_dead(self) -> bool:
        return self.left <= 0

    @property
    def spoken(self) -> str:
        """Its name, with what distinguishes it from its side's other units."""
        return f"{self.unit.sheet.name} {self.ordinal}" if self.ordinal else self.unit.sheet.name


def end_mark_key(mark: UnitMark, step: TableStep) -> str:
    """Return the end of a mark's keys, which lets the mark expire with its turn or round.

    >>> end_mark_key(UnitMark(id="pinned", name="Pinned"), TableStep(round=2))
    ':pinned.2'
    """
    until = {MarkEnd.TURN: f".{step.round}.{step.turn}", MarkEnd.ROUND: f".{step.round}", MarkEnd.GAME: ""}
    return f":{mark.id}{until[mark.until]}"


def describe_units(
    units: Sequence[TableUnit], side: SideState, marks: Sequence[UnitMark], step: TableStep
) -> list[UnitNow]:
    described = []
    often = Counter(unit.sheet.name for unit in units)
    seen: Counter[str] = Counter()
    for unit in units:
        rows = []
        name = unit.sheet.name
        seen[name] += 1
        for run in unit.runs:
            # Box n is ticked once n are lost.
            lost = side.counts.get(run.key, 0)
            boxes = tuple(
                Box(number, number <= lost, f"{lost} {number - 1 if number == lost else number}")
                for number in range(1, run.size + 1)
            )
            rows.append(BoxRow(run, boxes))
        left = sum(row.left for row in rows if not row.run.beside)
        place, died = unit.stakes.find_place(side)
        is_lost = unit.stakes.is_lost(side)
        described.append(
            UnitNow(
                unit=unit,
                ordinal=seen[name] if often[name] > 1 else None,
                left=0 if is_lost else left,
                place=place,
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
    profile = unit.sheet.profile
    if profile is None:
        return ()
    tops = _list_tops(unit.sheet)
    # A dead model keeps the last step.
    lows = [*(top + 1 for top in tops[1:]), 0]
    # Without damage steps, every row applies.
    steps = chain(zip(lows, tops, strict=False), repeat((0, 0)))
    return tuple(
        ProfileNow(row, low, high, counts=not high or low <= max(left, 0) <= high)
        for row, (low, high) in zip(profile.rows, steps, strict=False)
    )


def find_highest(units: Sequence[TableUnit], side: SideState, ability: str) -> int:
    """Return the highest number in brackets after an ability's name among units on the table."""
    pattern = re.compile(rf"{re.escape(ability)} \((\d{{1,3}})\)")
    return max(
        (
            int(match[1])
            for unit in units
            if ability and not unit.stakes.is_lost(side) and unit.stakes.find_place(side)[0] in (ON_TABLE, JOINED)
            for name in [*(one.name for one in unit.sheet.abilities), *unit.sheet.in_book]
            if (match := pattern.fullmatch(name))
        ),
        default=0,
    )


def list_reminders(units: Sequence[UnitNow], marks: Collection[str]) -> list[tuple[Ability, list[str]]]:
    names: defaultdict[Ability, list[str]] = defaultdict(list)
    for unit in units:
        if unit.is_dead:
            continue
        sheet = unit.unit.sheet
        for ability in sheet.abilities:
            if ability.phase in marks:
                names[ability].append(sheet.name)
    return [(ability, list(dict.fromkeys(holders))) for ability, holders in names.items()]
