"""Game and second reading of Warzone agree on mission points, body counts, resource cards, winners and the record."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from django.test import Client

from roster.models import Roster
from roster.play.game_victory import Ending
from roster.play.models import Game
from roster.play.services.game_board import build_game_board
from roster.play.services.game_records import compute_record
from roster.play.services.games import end_game
from roster.play.views.game_page import build_game_context
from roster.services.owners import Visitor
from tests.extent import COMPLETE, SEED
from tests.play.games import WARZONE, begin, load_army, make_tap, tap
from tests.second_reading.scoring.warzone_resurrection import (
    LOCATIONS,
    WINTER_WOLVES,
    Battle,
    Deed,
    Standing,
    Turn,
    play,
)

pytestmark = [pytest.mark.slow, pytest.mark.django_db]

GAMES = 120 if COMPLETE else 6
SHOWN = 1_000
CARDS = "res:resource-cards"
LINES = {"major": "major-victory", "partial": "partial-victory", "annihilation": "annihilation"}


class Table:
    """A game of the app, for a battle's deeds."""

    def __init__(self, client: Client, army: Roster, battle: Battle) -> None:
        self.game: Game = begin(client, army, mission=battle.mission, opponent_link=army.get_absolute_url())
        units = build_game_board(self.game, 0).mine.units
        # The list has a squad with two kinds of models that has no card in the reading.
        self.units = [unit.unit for unit in units if unit.unit.sheet.name in {card.name for card in WINTER_WOLVES}]
        assert [unit.sheet.name for unit in self.units] == [card.name for card in WINTER_WOLVES]
        self.lost = [Counter[tuple[str, int]](), Counter[tuple[str, int]]()]
        left_out = next(unit.unit.key for unit in units if unit.unit not in self.units)
        for player in (0, 1):
            # That squad is embarked elsewhere, so it neither acts nor is lost.
            self.set(player, f"at:{left_out}", "dead=1")
            for squad in battle.reserves[player]:
                self.set(player, f"at:{self.units[squad].key}", "reserve")

    def set(self, player: int, key: str, text: str) -> None:
        tap(self.game, 0, make_tap("set", key, text=text, side=player))

    def do(self, deed: Deed, number: int) -> None:
        unit = self.units[deed.squad]
        match deed.kind:
            case "wound":
                self._wound(deed)
            case "leader":
                self.set(deed.player, f"mark:{unit.key}:leader-lost", "1")
            case "spend":
                tap(self.game, 0, make_tap("count", CARDS, -deed.number, side=deed.player))
            case "land":
                self.set(deed.player, f"at:{unit.key}", "table")
            case "claim":
                tap(self.game, 0, make_tap("count", f"line:{LINES[deed.claim]}:{number}", 1, side=deed.player))

    def _wound(self, deed: Deed) -> None:
        unit, card = self.units[deed.squad], WINTER_WOLVES[deed.squad]
        if card.locations:
            run = next(run for run in unit.runs if run.label == f"{deed.model + 1} {LOCATIONS[deed.location]}")
        elif card.wounds > 1:
            run = unit.runs[deed.model]
        else:
            # It does not matter which box stands for a model; boxes are ticked in order.
            run = next(run for run in unit.runs if self._count(deed.player, run.key) < run.size)
        ticked = self._count(deed.player, run.key)
        tap(self.game, 0, make_tap("tick", run.key, text=f"{ticked} {ticked + 1}", side=deed.player))

    def _count(self, player: int, key: str) -> int:
        return self.game.now.sides[player].counts.get(key, 0)

    def begin_turn(self, turn: Turn) -> None:
        now = self.game.now.step
        for phase in ("control", "end"):
            target = f"{turn.number}:0:{phase}"
            if str(now) != target:
                tap(self.game, 0, make_tap("step", "step", text=f"{now} {target}", side=None))
            if phase == "control":
                context = build_game_context(build_game_board(self.game, 0))
                theirs = [now for _side, now in context["other_resources"]]
                for player, resources in ((0, context["resources"]), (1, theirs)):
                    (cards,) = resources
                    if cards.comes_back:
                        tap(self.game, 0, make_tap("count", CARDS, cards.comes_back, side=player))
            now = self.game.now.step

    def look(self) -> Standing:
        board = build_game_board(self.game, 0)
        context = build_game_context(board)
        bodies = [Fraction(str(one.bodies)) - self.left_out_points for one in context["losses"]]
        cards = [context["resources"][0].has, context["other_resources"][0][1].has]
        return Standing(
            points=(board.mine.score.total, board.others[0].score.total),
            bodies=(bodies[0], bodies[1]),
            unused=(cards[0], cards[1]),
        )

    left_out_points = Fraction(6 * 14 + 10)


def is_close(mine: Standing, other: Standing) -> bool:
    """Return whether two readings agree; pages round points to hundredths."""
    bodies = zip(mine.bodies, other.bodies, strict=True)
    close = all(abs(one - two) <= Fraction(1, 100) for one, two in bodies)
    return close and (mine.points, mine.unused) == (other.points, other.unused)


def referee(
    client: Client, army: Roster, seeds: list[str], play_battle: Callable[[Random], Battle] = play
) -> list[str]:
    """Play random battles in both readings; return their differences."""
    disputed: list[str] = []
    results: Counter[str] = Counter()
    game = None
    for seed in seeds:
        battle = play_battle(Random(seed))
        table = Table(client, army, battle)
        for turn in battle.turns:
            table.begin_turn(turn)
            for deed in turn.deeds:
                table.do(deed, turn.number)
            if not is_close(table.look(), turn.standing):
                disputed.append(f"{seed}, turn {turn.number}: {table.look()}, by the reading {turn.standing}")
        game = table.game
        ended = end_game(game, "")
        assert isinstance(ended, Game)
        scores = tuple(side.score for side in ended.sides.order_by("place"))
        ending = Ending.DRAW if battle.winner is None else Ending.STANDARD
        if (ended.ending, ended.winner, scores) != (ending, battle.winner, battle.points):
            disputed.append(f"{seed}: {ended.winner} with {scores}, by the reading {battle.winner} {battle.points}")
        results["draws" if battle.winner is None else "losses" if battle.winner else "wins"] += 1
    if game is not None:
        (line,) = compute_record(Visitor(key=game.owner_key)).lists
        if +Counter(wins=line.wins, draws=line.draws, losses=line.losses) != results:
            disputed.append(f"the record has {line}, the reading {results}")
    return disputed


@pytest.fixture
def army(db: None) -> Roster:
    return load_army(WARZONE, "army-winter-wolves")


def test_both_count_alike(client: Client, army: Roster) -> None:
    assert referee(client, army, [f"{SEED} {number}" for number in range(GAMES)])[:5] == []


def test_battles_end_in_every_way() -> None:
    battles = [play(Random(f"{SEED} {number}")) for number in range(SHOWN)]
    assert {battle.winner for battle in battles} == {0, 1, None}
    # Battles level on mission points, decided by the body count, the commander or not at all.
    level = [battle for battle in battles if sorted(battle.points) in ([0, 1], [5, 6], [10, 11])]
    assert level
    equal = [battle for battle in battles if battle.points[0] == battle.points[1]]
    assert {battle.winner is None for battle in equal} == {True, False}
    assert any(len(battle.turns) < 8 for battle in battles)


def test_a_reading_without_the_tie_break_is_found_out(client: Client, army: Roster) -> None:
    def forget(dice: Random) -> Battle:
        battle = play(dice)
        points = min(battle.points)
        return replace(battle, points=(points, points), winner=None)

    seeds = [seed for number in range(SHOWN) if sorted(play(Random(seed := f"{SEED} {number}")).points) == [0, 1]]
    assert referee(client, army, seeds[:1], forget)
