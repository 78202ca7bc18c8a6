"""The rules of one game: its mission and deployment, its score rules, its hand of objectives."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from django.utils.translation import gettext as _
from msgspec.structs import replace

from catalogue.definitions.missions import BattleSize, MissionDefinition, ScoreSheet
from catalogue.definitions.table_rules import ScoreItem, TableResource, TableRules, TurnPhase
from catalogue.services.lru import Lru
from catalogue.services.play import MissionObjective, Play, load_play
from roster.play.game_score import FREE, ScoreRules
from roster.play.game_state import FoldRules
from roster.play.hand_times import RoundClock
from roster.play.models import Game
from roster.play.objective_hand import Hand
from roster.play.services.game_units import TableList
from roster.play.services.objective_hands import ACTS, make_rules

MOST_POINTS = 3
RESOURCE = "res:"
"""The start of the key of the counter of a resource; its id follows."""
RULES_KEPT = 64
FREE_TABLE = TableRules(resources=tuple(TableResource(id=f"counter-{number}", name="") for number in (1, 2)))
_NUMBER = re.compile(r"\d{1,2}")


@dataclass(frozen=True, slots=True)
class GameRules:
    """The rules of a game. `mission` is None if none was chosen, or if the data does not have it any more.

    `side_names` has the score items of a single side of the mission: the name of that side by the id of the item.
    """

    play: Play
    mission: MissionDefinition | None
    score: ScoreRules
    fold: FoldRules
    side_names: Mapping[str, str] = field(default_factory=dict)

    @property
    def table(self) -> TableRules:
        """The table rules of the data; a game whose data has none gets two counters without a name."""
        return self.play.table if self.play.table != TableRules() else FREE_TABLE

    @property
    def phases(self) -> tuple[TurnPhase, ...]:
        return self.play.table.phases

    @property
    def purse(self) -> TableResource | None:
        """The resource that stratagems are paid with: the first one of the game."""
        return next(iter(self.play.table.resources), None)

    def make_clock(self, first: int) -> RoundClock:
        """Return how the rounds go in a game in which the side at `first` goes first."""
        return RoundClock([phase.id for phase in self.phases], self.table.turns, first)


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
        purse = f"{RESOURCE}{play.table.resources[0].id}" if play.table.resources else ""
        fold = FoldRules(hand=make_rules(play, hand), acts=ACTS, new_hand=hand, purse=purse)
    # An item that several sides score belongs to no single side.
    sides: defaultdict[str, list[str]] = defaultdict(list)
    for side, item in _pair_items(play, mission):
        sides[item.id].append(side)
    return GameRules(
        play=play,
        mission=mission,
        score=build_score_rules(play, mission, fold),
        fold=fold,
        side_names={item_id: names[0] for item_id, names in sides.items() if len(names) == 1 and names[0]},
    )


FREE_ITEMS = (ScoreItem(id=FREE, name=""),)
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

    by_mission: dict[str, ScoreItem] = {}
    for _side, item in _pair_items(play, mission):
        by_mission.setdefault(item.id, item)
    items = dict(by_mission)
    for item in play.table.items:
        if not item.missions or mission_id in item.missions:
            # Packs that were installed before had no step if they name none.
            items[item.id] = replace(item, points=item.points or (1,))
    return ScoreRules(
        items=tuple(items.values()) if items or fold.hand is not None else FREE_ITEMS,
        rounds=turns or sheet.turns or play.table.rounds or 0,
        most=play.table.most,
        most_hand=sheet.most,
        hand=fold.hand,
    )


def _pair_items(play: Play, mission: MissionDefinition | None) -> Iterator[tuple[str, ScoreItem]]:
    """Yield the score items of a mission, each with the name of its side, "" for an item of both sides."""
    for page in play.list_briefs(mission) if mission else ():
        side = page.name
        for aim in page.aims:
            yield side, _build_aim_item(aim)
        for text in page.brief.paragraphs:
            if text.points:
                yield (
                    side,
                    ScoreItem(
                        id=re.sub(r"\W+", "-", f"{side} {text.label}".strip().casefold()),
                        name=f"{side}: {text.label}" if side else text.label,
                        points=_read_points(text.points),
                        text=text.text,
                    ),
                )


def _build_aim_item(aim: MissionObjective) -> ScoreItem:
    lines, label = aim.lines, aim.aim.label
    return ScoreItem(
        id=aim.aim.objective_id,
        name=f"{label}: {aim.name}" if label else aim.name,
        # Points that the book writes as a word are counted one by one.
        points=_read_points(" ".join(points for _, _, points in lines)),
        when=lines[0][0] if lines else "",
        text=" ".join(f"{text} ({points})" if points else text for _, text, points in lines),
    )


def _read_points(text: str) -> tuple[int, ...]:
    """Return the steps in which an item is scored.

    >>> _read_points("3 3 more"), _read_points("1 or 2"), _read_points("half of it")
    ((3,), (1, 2), (1,))
    """
    numbers = (int(number) for number in _NUMBER.findall(text))
    points = tuple(sorted({number for number in numbers if number}))
    return points[:MOST_POINTS] or (1,)


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
