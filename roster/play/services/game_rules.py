"""The rules of one game: its mission and deployment, its score rules, its hand of objectives."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from msgspec.structs import replace

from catalogue.definitions.missions import BattleSize, MissionDefinition, ScoreSheet
from catalogue.definitions.table_rules import ScoreTiming, TableResource, TableRules, TurnPhase, Victory
from catalogue.services.lru import Lru
from catalogue.services.play import Play, load_play
from roster.play.game_score import FREE, ScoreLine, ScoreRules, VictoryRules
from roster.play.game_state import FoldRules
from roster.play.models import Game
from roster.play.objective_hand import Hand
from roster.play.services.game_units import TableList
from roster.play.services.objective_hands import ACTS, make_rules

MOST_POINTS = 3
RULES_KEPT = 64
FREE_TABLE = TableRules(resources=tuple(TableResource(id=f"counter-{number}", name="") for number in (1, 2)))
_NUMBER = re.compile(r"\d{1,2}")


@dataclass(frozen=True, slots=True)
class GameRules:
    """The rules of a game. `mission` is None if none was chosen, or if the data does not have it any more."""

    play: Play
    mission: MissionDefinition | None
    score: ScoreRules
    fold: FoldRules

    @property
    def table(self) -> TableRules:
        """The table rules of the data; a game whose data has none gets two counters without a name."""
        return self.play.table if self.play.table != TableRules() else FREE_TABLE

    @property
    def phases(self) -> tuple[TurnPhase, ...]:
        return self.play.table.phases

    def get_side_name(self, side_id: str) -> str:
        """Return the name of a side of the mission, "" for an id that it does not have."""
        sides = self.mission.sides if self.mission else ()
        return next((side.name for side in sides if side.id == side_id), "")

    def find_victory(self, side_ids: Sequence[str]) -> VictoryRules:
        """Return who wins, for players with these sides of the mission."""
        victory = self.table.victory or Victory()
        mission = self.mission
        if mission is None or not victory.by_total:
            return VictoryRules(totals=(None,) * len(side_ids))
        totals = {side.id: side.total for side in mission.sides if side.total is not None}
        return VictoryRules(
            totals=tuple(totals.get(side_id, mission.total) for side_id in side_ids),
            own_totals=bool(totals),
            ahead=victory.ahead,
        )


_rules: Lru[tuple[str, str, str], GameRules] = Lru(RULES_KEPT)


def load_rules(game: Game) -> GameRules:
    """Return the rules of a game, by the data that it is pinned to."""
    key = (game.version.content_hash, game.mission_id, game.size_id)
    return _rules.get(key, lambda: _build_rules(game))


def _build_rules(game: Game) -> GameRules:
    play = load_play(game.version)
    mission = play.missions.get(game.mission_id)
    fold = FoldRules()
    if mission is not None and mission.draw is not None:
        hand = Hand(mission_id=mission.id, size_id=game.size_id)
        fold = FoldRules(hand=make_rules(play, hand), acts=ACTS, new_hand=hand)
    return GameRules(play=play, mission=mission, score=build_score_rules(play, mission, fold), fold=fold)


FREE_LINES = (ScoreLine(id=FREE, name=""),)
"""If a book has no rules for points, players can still count some."""


def build_score_rules(play: Play, mission: MissionDefinition | None, fold: FoldRules) -> ScoreRules:
    """Return the score rules of a mission: its objectives, its paragraphs with points, and the general items."""
    # The score sheet of a pack counts if its mission has none.
    sheet, turns, mission_id = ScoreSheet(), 0, ""
    if mission is not None:
        mission_id = mission.id
        pack = play.find_pack(mission.pack)
        sheet = mission.score or (pack and pack.score) or sheet
        # The sides of a mission may end at different turns: the longer one counts.
        turns = max(brief.turns or 0 for brief in (mission, *mission.sides))

    rounds = turns or sheet.turns or play.table.rounds or 0
    lines = list(_list_mission_lines(play, mission, rounds)) if mission else []
    lines += [
        ScoreLine(
            id=item.id,
            name=item.name,
            # Packs that were installed before had no step if they name none.
            points=item.points or (1,),
            when=item.when,
            text=item.text,
            rounds=rounds,
            most=item.most,
            most_round=item.most_round,
            timing=item.timing,
        )
        for item in play.table.items
        if not item.missions or mission_id in item.missions
    ]
    return ScoreRules(
        lines=tuple(lines) if lines or fold.hand is not None else FREE_LINES,
        rounds=rounds,
        most=play.table.most,
        most_hand=sheet.most,
        hand=fold.hand,
    )


def _list_mission_lines(play: Play, mission: MissionDefinition, rounds: int) -> Iterator[ScoreLine]:
    """Yield the lines of a mission: of its objectives, then of its paragraphs; those of one side with its id."""
    side_ids = {side.name: side.id for side in mission.sides}
    for page in play.list_briefs(mission):
        # Sides may have one objective with different points or zones, and each has a counter of its own.
        side_id = side_ids.get(page.name, "")
        start = f"{side_id}." if side_id else ""
        for aim in page.aims:
            objective = aim.objective
            for number, (scoring, text, points) in enumerate(aim.scored_lines, 1):
                yield ScoreLine(
                    id=f"{start}{aim.aim.objective_id}.{number}",
                    name=aim.name,
                    points=_read_points(points, scoring.timing),
                    when=scoring.when,
                    text=text,
                    objective=f"{aim.aim.label}: {aim.name}" if aim.aim.label else aim.name,
                    zone=aim.aim.zone or (objective.zone if objective else ""),
                    setup=objective.setup if objective else "",
                    special=objective.special if objective else "",
                    icon=objective.icon if objective else "",
                    side=side_id,
                    phase=play.table.scored_in if scoring.timing.counts else "",
                    rounds=rounds,
                    timing=scoring.timing,
                )
        for paragraph in page.brief.paragraphs:
            if paragraph.points:
                yield ScoreLine(
                    id=re.sub(r"\W+", "-", f"{page.name} {paragraph.label}".strip().casefold()),
                    name=paragraph.label,
                    points=_read_points(paragraph.points, paragraph.timing),
                    text=paragraph.text,
                    side=side_id,
                    phase=play.table.scored_in if paragraph.timing.counts else "",
                    rounds=rounds,
                    timing=paragraph.timing,
                )


def _read_points(text: str, timing: ScoreTiming) -> tuple[int, ...]:
    """Return the steps in which a line is scored.

    >>> from catalogue.definitions.table_rules import ANY_TIME, Counts
    >>> _read_points("3 more", ANY_TIME), _read_points("1 or 2", ANY_TIME)
    ((3,), (1, 2))

    Points that the book writes as a word, or that may be scored in part, are counted one by one.

    >>> _read_points("half of it", ANY_TIME), _read_points("half of it", ScoreTiming(counts=Counts.EACH_TURN))
    ((1,), (1, 5))
    >>> _read_points("3", ScoreTiming(counts=Counts.EACH_TURN, in_part=True))
    (1, 3)
    """
    numbers = (int(number) for number in _NUMBER.findall(text))
    points = tuple(sorted({number for number in numbers if number}))[:MOST_POINTS]
    if timing.counts and not points:
        return (1, 5)
    if timing.in_part:
        return (1, *points) if points != (1,) else points
    return points or (1,)


def list_resources(table: TableRules) -> list[TableResource]:
    """Return the resources of players; a counter without a name is called by its number, in the reader's language."""
    return [
        resource if resource.name else replace(resource, name=_("Counter %d") % number)
        for number, resource in enumerate(table.resources, 1)
    ]


def count_beginning(resource: TableResource, size: BattleSize | None, table_list: TableList) -> int:
    """Return how much of a resource a player has before the first round: by the size of the battle and by the list."""
    figures = {figure.name: figure.value for figure in size.facts} if size else {}
    text = figures.get(resource.size_figure, "")
    given = int(text) if text.isdecimal() else 0
    given += int(table_list.figures.get(resource.list_figure, 0))
    return max(0, resource.start + given - int(table_list.costs.get(resource.list_cost, 0)))
