from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from dataclasses import replace as replace_rules
from itertools import takewhile

from django.utils.translation import gettext as _
from msgspec.structs import replace

from catalogue.definitions.missions import BattleSize, MissionDefinition, ScoreSheet
from catalogue.definitions.score_lines import ScoreLine
from catalogue.definitions.table_rules import (
    MarkEnd,
    TableResource,
    TableRules,
    TieBreak,
    TokenCapture,
    TurnPhase,
    UnitMark,
    Victory,
)
from catalogue.services.lru import Lru
from catalogue.services.play import Play, load_play
from catalogue.services.score_lines import (
    count_rounds,
    find_capture,
    find_score_sheet,
    list_mission_lines,
    list_own_mission_lines,
    list_table_lines,
)
from roster.play.game_course import GameCourse
from roster.play.game_score import FREE, ScoreRules
from roster.play.game_state import (
    FIRST,
    MISSION,
    MOST_SIDES,
    MOST_SUM,
    SIDES,
    Ends,
    FoldRules,
    GameState,
    SideState,
    parse_step,
)
from roster.play.game_victory import VictoryRules
from roster.play.losses import BODIES, count_cards
from roster.play.models import Game, GameSide
from roster.play.objective_hand import Hand
from roster.play.services.game_units import RESOURCE, TableList, load_table_list
from roster.play.services.objective_hands import ACTS, make_rules
from roster.play.services.table_rules import load_table_rules

RULES_KEPT = 64
NO_MISSION = "-"
"""The own mission of a side before it has chosen one."""
CAPTURE_TIES = (TieBreak.TOKENS, TieBreak.MODELS)


@dataclass(frozen=True, slots=True)
class GameRules:
    """`mission` is None if none is chosen or the data lacks it."""

    play: Play
    table: TableRules
    mission: MissionDefinition | None
    score: ScoreRules
    fold: FoldRules

    @property
    def marks(self) -> list[UnitMark]:
        """The marks in the data, and two free ones."""
        # Without turns, a turn is a round.
        marks = self.table.marks or (UnitMark(id="done", name=_("Done"), until=MarkEnd.TURN),)
        free = [UnitMark(id=f"free-{number}", name=_("Marker %d") % number, until=MarkEnd.GAME) for number in (1, 2)]
        return [*marks, *free]

    @property
    def phases(self) -> tuple[TurnPhase, ...]:
        return self.table.phases

    @property
    def purse(self) -> TableResource | None:
        return next(iter(self.table.resources), None)

    @property
    def acting_mark(self) -> UnitMark | None:
        """The mark of units that have acted, if sides alternate unit by unit."""
        return next((mark for mark in self.table.marks if mark.in_turn), None)

    @property
    def counts_bodies(self) -> bool:
        return self.table.victory is not None and TieBreak.BODY_COUNT in self.table.victory.level

    def list_side_ids(self, rows: Iterable[GameSide], state: GameState) -> list[str]:
        """List the ids that decide each side's score lines: of its mission side, or of its own mission."""
        if not self.table.own_missions:
            return [row.mission_side for row in rows]
        ids = [state.sides[row.place].texts.get(MISSION) or row.mission_side for row in rows]
        # In older games, all sides play the mission of the game.
        shared = self.mission.id if self.mission and not any(ids) else NO_MISSION
        return [side_id or shared for side_id in ids]

    def get_side_name(self, side_id: str) -> str:
        """Return a mission side's or own mission's name, or ""."""
        if self.table.own_missions:
            return self.play.missions[side_id].name if side_id in self.play.missions else ""
        sides = self.mission.sides if self.mission else ()
        return next((side.name for side in sides if side.id == side_id), "")

    @property
    def players(self) -> int:
        return max(SIDES, min(self.mission.players if self.mission else self.table.players, MOST_SIDES))

    @property
    def teams(self) -> int:
        """The number of teams, 0 without teams."""
        return count_teams(self.table, self.mission)

    @property
    def victory(self) -> Victory:
        return self.table.victory or Victory()

    @property
    def capture(self) -> TokenCapture | None:
        return self.fold.capture

    def find_victory(self, side_ids: Sequence[str]) -> VictoryRules:
        victory, mission = self.victory, self.mission
        rules = VictoryRules(
            totals=(None,) * len(side_ids),
            teams=self.teams,
            level=tuple(tie for tie in victory.level if self.capture or tie not in CAPTURE_TIES),
            level_points=victory.level_points,
        )
        if self.capture:
            rules = replace_rules(rules, from_each=victory.from_each, by_team=victory.by_team)
        if mission is None or not victory.by_total:
            return rules
        totals = {side.id: side.total for side in mission.sides if side.total is not None}
        return replace_rules(
            rules,
            totals=tuple(totals.get(side_id, mission.total) for side_id in side_ids),
            own_totals=bool(totals),
            ahead=victory.ahead,
        )


_rules: Lru[tuple[str, str, str, str], GameRules] = Lru(RULES_KEPT)


def load_rules(game: Game) -> GameRules:
    key = (game.version.content_hash, game.mission_id, game.size_id, game.table)
    return _rules.get(key, lambda: _build_rules(game))


def _build_rules(game: Game) -> GameRules:
    play = load_play(game.version)
    table = load_table_rules(play, game.table)
    # Missions may change what players begin with.
    starts = (
        replace(resource, start=resource.start_by_mission.get(game.mission_id, resource.start))
        for resource in table.resources
    )
    table = replace(table, resources=tuple(starts))
    mission = play.missions.get(game.mission_id)
    fold = FoldRules()
    if mission is not None and mission.draw is not None:
        hand = Hand(mission_id=mission.id, size_id=game.size_id)
        purse = f"{RESOURCE}{table.resources[0].id}" if table.resources else ""
        fold = FoldRules(hand=make_rules(play, hand), acts=ACTS, new_hand=hand, purse=purse)
    else:
        table = replace(table, phases=tuple(phase for phase in table.phases if not phase.draws))
    if capture := find_capture(table, game.mission_id):
        fold = replace_rules(fold, capture=capture, teams=count_teams(table, mission))
    score = build_score_rules(play, table, mission, fold)
    times = {line.id: line.most_times for line in score.lines if line.most_times is not None}
    fold = replace_rules(
        fold,
        times=times,
        owed=frozenset(line.id for line in score.lines if line.below_zero),
        resources=tuple(f"{RESOURCE}{resource.id}" for resource in table.resources if resource.list_figure),
        empty_marks=tuple(mark.id for mark in table.marks if mark.takes_cards),
    )
    return GameRules(play=play, table=table, mission=mission, score=score, fold=fold)


def count_teams(table: TableRules, mission: MissionDefinition | None) -> int:
    return mission.teams if mission else table.teams


FREE_LINES = (ScoreLine(id=FREE, name=""),)
"""For books without rules about points."""


def build_score_rules(play: Play, table: TableRules, mission: MissionDefinition | None, fold: FoldRules) -> ScoreRules:
    sheet, rounds, lines = ScoreSheet(), table.rounds or 0, list[ScoreLine]()
    if mission is not None:
        sheet = find_score_sheet(play, mission)
        rounds = count_rounds(table, mission, sheet)
        lines += [] if table.own_missions else list_mission_lines(play, mission, rounds)
    if table.own_missions:
        lines += list_own_mission_lines(play, mission.id if mission else "", rounds)
    lines += list_table_lines(table, mission.id if mission else "", rounds)
    if capture := fold.capture:
        players = mission.players if mission else table.players
        lines += [
            ScoreLine(id=f"{capture.id}.{victim}", name=capture.name, points=(1, 2), text=capture.text, victim=victim)
            for victim in range(players)
        ]
    return ScoreRules(
        lines=tuple(lines) if lines or fold.hand is not None else FREE_LINES,
        rounds=rounds,
        most=table.most,
        most_objectives=None if table.own_missions else sheet.most,
        most_by_side={other.id: find_score_sheet(play, other).most for other in play.missions.values()}
        if table.own_missions
        else {},
        hand=fold.hand,
        teams=count_teams(table, mission),
    )


def make_course(game: Game, rules: GameRules, state: GameState | None = None) -> GameCourse:
    """Return a game's steps in its current state or in `state`."""
    state = state or game.now
    first = parse_step(state.shared.texts.get(FIRST, ""))
    return GameCourse(
        phases=tuple(phase.id for phase in rules.phases),
        rounds=rules.score.rounds,
        turns=rules.table.turns,
        first=first.turn if first else game.first,
        firsts=state.firsts if rules.table.turns else {},
        openings=sum(1 for _phase in takewhile(lambda phase: phase.draws, rules.phases)),
        sides=len(state.sides),
    )


def find_initiative(game: Game, rules: GameRules, number: int) -> int:
    """Return the place that goes first in a round: by the roll, else the game's first side."""
    return game.now.firsts.get(number, make_course(game, rules).first)


def load_fold(game: Game, rules: GameRules) -> FoldRules:
    lists = [load_table_list(side) for side in game.sides.select_related("version").order_by("place")]
    ends = tuple(bound_counters(game, rules, table_list) for table_list in lists)
    return replace_rules(rules.fold, ends=ends, units=tuple(table_list.stakes for table_list in lists))


def bound_counters(game: Game, rules: GameRules, table_list: TableList) -> Ends:
    """Return the ranges of a side's counters by key."""
    ends = {run.key: (0, run.size) for unit in table_list.units for run in unit.runs}
    if rules.counts_bodies:
        ends[BODIES] = (0, MOST_SUM)
    size = rules.play.sizes.get(game.size_id)
    for resource in rules.table.resources:
        # A counter holds what was spent and gained since the beginning.
        begun = count_beginning(resource, size, table_list)
        # Units that arrive from reserve bring more.
        missing = count_cards(table_list.stakes, SideState(), f"{RESOURCE}{resource.id}")
        most = MOST_SUM if resource.most is None else max(resource.most, begun + missing)
        ends[f"{RESOURCE}{resource.id}"] = (-begun, most - begun)
    return ends


def list_resources(table: TableRules) -> list[TableResource]:
    """List the players' resources, with numbers for unnamed counters."""
    return [
        resource if resource.name else replace(resource, name=_("Counter %d") % number)
        for number, resource in enumerate(table.resources, 1)
    ]


def count_beginning(resource: TableResource, size: BattleSize | None, table_list: TableList) -> int:
    figures = {figure.name: figure.value for figure in size.facts} if size else {}
    text = figures.get(resource.size_figure, "")
    given = int(text) if text.isdecimal() else 0
    given += int(table_list.figures.get(resource.list_figure, 0))
    # Units in reserve bring their share when they arrive.
    given -= count_cards(table_list.stakes, SideState(), f"{RESOURCE}{resource.id}")
    return max(0, resource.start + given - int(table_list.costs.get(resource.list_cost, 0)))
