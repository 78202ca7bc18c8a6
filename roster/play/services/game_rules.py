"""The rules of one game: its mission and deployment, how it scores, how its hand of objectives is drawn."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from django.utils.translation import gettext as _
from msgspec.structs import replace

from catalogue.definitions.missions import BattleSize, Brief, MissionDefinition, ScoreSheet
from catalogue.definitions.table_rules import ScoreItem, TableResource, TableRules, TurnPhase
from catalogue.services.lru import Lru
from catalogue.services.play import MissionObjective, Play, load_play
from roster.play.game_score import FREE, ScoreRules
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
    """What binds a game. `mission` is None where none was chosen, or where the data has it no more.

    `side_names` has what scores for one side of the mission alone: the name of that side by the id of the item.
    """

    play: Play
    mission: MissionDefinition | None
    score: ScoreRules
    fold: FoldRules
    side_names: Mapping[str, str] = field(default_factory=dict)

    @property
    def table(self) -> TableRules:
        """How the game goes; one whose data says nothing of it has counters for whatever there is to count."""
        return self.play.table if self.play.table != TableRules() else FREE_TABLE

    @property
    def phases(self) -> tuple[TurnPhase, ...]:
        return self.play.table.phases


_rules: Lru[tuple[str, str, str], GameRules] = Lru(RULES_KEPT)


def load_rules(game: Game) -> GameRules:
    """Return what a game is played by: of the data that it is pinned to, whatever has been installed since."""
    key = (game.version.content_hash, game.mission_id, game.size_id)
    return _rules.get(key, lambda: _build_rules(game))


def _build_rules(game: Game) -> GameRules:
    play = load_play(game.version)
    mission = play.missions.get(game.mission_id)
    fold = FoldRules()
    if mission is not None and mission.draw is not None:
        hand = Hand(mission_id=mission.id, size_id=game.size_id)
        fold = FoldRules(hand=make_rules(play, hand), acts=ACTS, new_hand=hand)
    return GameRules(
        play=play,
        mission=mission,
        score=build_score_rules(play, mission, fold),
        fold=fold,
        side_names=_find_side_names(play, mission),
    )


def _list_general_items(play: Play, mission: MissionDefinition | None) -> Iterator[ScoreItem]:
    """Yield what the book scores in every mission, and what it has for this one beside its objectives."""
    mission_id = mission.id if mission else ""
    for item in play.table.items:
        if not item.missions or mission_id in item.missions:
            # Packs that were installed before had no step where they name none.
            yield replace(item, points=item.points or (1,))


FREE_ITEMS = (ScoreItem(id=FREE, name=""),)
"""Where a book says nothing of points, players still want to count something."""


def build_score_rules(play: Play, mission: MissionDefinition | None, fold: FoldRules) -> ScoreRules:
    """Return what scores in a mission: its objectives, what it says of points, and what the book has for all."""
    sheet = _find_sheet(play, mission)
    items = {item.id: item for item in (*_list_mission_items(play, mission), *_list_general_items(play, mission))}
    return ScoreRules(
        items=tuple(items.values()) if items or fold.hand is not None else FREE_ITEMS,
        rounds=_count_turns(mission) or sheet.turns or play.table.rounds or 0,
        most=play.table.most,
        most_hand=sheet.most,
        hand=fold.hand,
    )


def _count_turns(mission: MissionDefinition | None) -> int:
    """Return how many turns a mission has, or the longer of its sides; 0 where it says nothing."""
    if mission is None:
        return 0
    return max(brief.turns or 0 for brief in (mission, *mission.sides))


def _find_sheet(play: Play, mission: MissionDefinition | None) -> ScoreSheet:
    """Return the score sheet of a mission, or else of its pack."""
    if mission is None:
        return ScoreSheet()
    pack = play.find_pack(mission.pack)
    return mission.score or (pack and pack.score) or ScoreSheet()


def _list_mission_items(play: Play, mission: MissionDefinition | None) -> list[ScoreItem]:
    """List what scores by the mission: of everybody, then of each side that differs."""
    items: dict[str, ScoreItem] = {}
    for _side, item in _pair_items(play, mission):
        items.setdefault(item.id, item)
    return list(items.values())


def _find_side_names(play: Play, mission: MissionDefinition | None) -> dict[str, str]:
    """Return whose an item is, by its id; what several sides score is nobody's alone."""
    sides: defaultdict[str, list[str]] = defaultdict(list)
    for side, item in _pair_items(play, mission):
        sides[item.id].append(side)
    return {item_id: names[0] for item_id, names in sides.items() if len(names) == 1 and names[0]}


def _pair_items(play: Play, mission: MissionDefinition | None) -> Iterator[tuple[str, ScoreItem]]:
    """Yield what scores by the mission with the name of its side, blank for everybody's."""
    for page in play.list_briefs(mission) if mission else ():
        for item in (*_list_aims(page.aims), *_list_paragraphs(page.brief, page.name)):
            yield page.name, item


def _list_aims(aims: tuple[MissionObjective, ...]) -> list[ScoreItem]:
    return [_build_aim_item(aim) for aim in aims]


def _build_aim_item(aim: MissionObjective) -> ScoreItem:
    lines, label = aim.lines, aim.aim.label
    return ScoreItem(
        id=aim.aim.objective_id,
        name=f"{label}: {aim.name}" if label else aim.name,
        # What stands as a word in the book is counted one by one.
        points=_read_points(" ".join(points for _, _, points in lines)),
        when=lines[0][0] if lines else "",
        text=" ".join(_write_line(text, points) for _, text, points in lines),
    )


def _write_line(text: str, points: str) -> str:
    return f"{text} ({points})" if points else text


def _list_paragraphs(brief: Brief, side: str) -> list[ScoreItem]:
    return [
        ScoreItem(
            id=re.sub(r"\W+", "-", f"{side} {text.label}".strip().casefold()),
            name=f"{side}: {text.label}" if side else text.label,
            points=_read_points(text.points),
            text=text.text,
        )
        for text in brief.paragraphs
        if text.points
    ]


def _read_points(text: str) -> tuple[int, ...]:
    """Return the steps in which something is scored.

    >>> _read_points("3 3 more"), _read_points("1 or 2"), _read_points("half of it")
    ((3,), (1, 2), (1,))
    """
    numbers = (int(number) for number in _NUMBER.findall(text))
    points = tuple(sorted({number for number in numbers if number}))
    return points[:MOST_POINTS] or (1,)


def list_resources(table: TableRules) -> list[TableResource]:
    """Return what players have and spend; counters that have no name by their number, in the language of the reader."""
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
