"""The rules of one game: its mission and deployment, its score rules, its hand of objectives."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from dataclasses import replace as replace_fold

from django.utils.translation import gettext as _
from msgspec.structs import replace

from catalogue.definitions.missions import BattleSize, MissionDefinition, ScoreSheet
from catalogue.definitions.table_rules import MarkEnd, ScoreItem, TableResource, TableRules, TurnPhase, UnitMark
from catalogue.services.lru import Lru
from catalogue.services.play import MissionObjective, Play, load_play
from roster.play.game_course import GameCourse
from roster.play.game_score import FREE, ScoreRules
from roster.play.game_state import FIRST, MOST_SUM, Ends, FoldRules, parse_step
from roster.play.models import Game
from roster.play.objective_hand import Hand
from roster.play.services.game_units import TableList, load_table_list
from roster.play.services.objective_hands import ACTS, make_rules
from roster.play.table_setup import TableSetup, read_setup

MOST_POINTS = 3
RULES_KEPT = 64
FREE_TABLE = TableRules(resources=tuple(TableResource(id=f"counter-{number}", name="") for number in (1, 2)))
_NUMBER = re.compile(r"\d{1,2}")


@dataclass(frozen=True, slots=True)
class GameRules:
    """The rules of a game. `mission` is None if none was chosen, or if the data does not have it any more.

    `side_names` has the score items of a single side of the mission: the name of that side by the id of the item.
    """

    play: Play
    table: TableRules
    mission: MissionDefinition | None
    score: ScoreRules
    fold: FoldRules
    side_names: Mapping[str, str] = field(default_factory=dict)

    @property
    def marks(self) -> list[UnitMark]:
        """The marks that units can have: those of the data, and free ones in any game."""
        # Without turns, a turn is a round.
        own = self.table.marks or (UnitMark(id="done", name=_("Done"), until=MarkEnd.TURN),)
        free = [UnitMark(id=f"free-{number}", name=_("Marker %d") % number, until=MarkEnd.GAME) for number in (1, 2)]
        return [*own, *free]

    @property
    def phases(self) -> tuple[TurnPhase, ...]:
        return self.table.phases


_rules: Lru[tuple[str, str, str, str], GameRules] = Lru(RULES_KEPT)


def load_rules(game: Game) -> GameRules:
    """Return the rules of a game, by the data that it is pinned to, and by how its players set up their table."""
    key = (game.version.content_hash, game.mission_id, game.size_id, game.table)
    return _rules.get(key, lambda: _build_rules(game))


def has_table_rules(play: Play) -> bool:
    """Whether the data says how a game goes. If not, its players may set up their table."""
    return play.table != TableRules()


def load_table_rules(play: Play, text: str) -> TableRules:
    """Return the table rules of the data, else those of the players' setup, else two counters without a name."""
    if has_table_rules(play):
        return play.table
    # A setup of a later version than this server's cannot be read; the game goes on without it.
    setup = read_setup(text) if text else None
    return setup.build_rules() if isinstance(setup, TableSetup) else FREE_TABLE


def _build_rules(game: Game) -> GameRules:
    play = load_play(game.version)
    table = load_table_rules(play, game.table)
    mission = play.missions.get(game.mission_id)
    fold = FoldRules()
    if mission is not None and mission.draw is not None:
        hand = Hand(mission_id=mission.id, size_id=game.size_id)
        fold = FoldRules(hand=make_rules(play, hand), acts=ACTS, new_hand=hand)
    # An item that several sides score belongs to no single side.
    sides: defaultdict[str, list[str]] = defaultdict(list)
    for side, item in _pair_items(play, mission):
        sides[item.id].append(side)
    return GameRules(
        play=play,
        table=table,
        mission=mission,
        score=build_score_rules(play, table, mission, fold),
        fold=fold,
        side_names={item_id: names[0] for item_id, names in sides.items() if len(names) == 1 and names[0]},
    )


FREE_ITEMS = (ScoreItem(id=FREE, name=""),)
"""If a book has no rules for points, players can still count some."""


def build_score_rules(play: Play, table: TableRules, mission: MissionDefinition | None, fold: FoldRules) -> ScoreRules:
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
    for item in table.items:
        if not item.missions or mission_id in item.missions:
            # Packs that were installed before had no step if they name none.
            items[item.id] = replace(item, points=item.points or (1,))
    return ScoreRules(
        items=tuple(items.values()) if items or fold.hand is not None else FREE_ITEMS,
        rounds=turns or sheet.turns or table.rounds or 0,
        most=table.most,
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


def make_course(game: Game, rules: GameRules) -> GameCourse:
    """Return the steps of a game in their order, by the side that goes first as the players say now."""
    first = parse_step(game.now.shared.texts.get(FIRST, ""))
    return GameCourse(
        phases=tuple(phase.id for phase in rules.phases),
        rounds=rules.score.rounds,
        turns=rules.table.turns,
        first=first.turn if first else game.first,
    )


def load_fold(game: Game, rules: GameRules) -> FoldRules:
    """Return the rules to fold the operations of a game by, with the ends of its counters."""
    sides = game.sides.select_related("version").order_by("place")
    ends = tuple(bound_counters(game, rules, load_table_list(side)) for side in sides)
    return replace_fold(rules.fold, ends=ends)


def bound_counters(game: Game, rules: GameRules, table_list: TableList) -> Ends:
    """Return the lowest and highest values of a side's counters, by their keys: its boxes and its resources."""
    ends = {run.key: (0, run.size) for unit in table_list.units for run in unit.runs}
    size = rules.play.sizes.get(game.size_id)
    for resource in rules.table.resources:
        # A counter has what was spent and gained since the beginning.
        begun = count_beginning(resource, size, table_list)
        most = MOST_SUM if resource.most is None else max(resource.most, begun)
        ends[f"res:{resource.id}"] = (-begun, most - begun)
    return ends


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
