"""Tap a reading's claims into a game and note differences."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from django.test import Client

from roster.models import Roster
from roster.play.game_state import MISSION
from roster.play.models import Game
from roster.play.services.game_board import build_game_board
from roster.play.services.game_records import compute_record
from roster.play.services.game_rules import load_rules
from roster.play.services.game_standings import score_rows
from roster.play.services.games import describe_side, end_game
from roster.play.views.game_page import describe_standing
from roster.services.owners import Visitor
from tests.play.games import begin, make_tap, tap
from tests.second_reading.scoring.reading import Claim, EndOfTurn, RandomGame, ScoreReading


@dataclass(slots=True)
class ScoreTally:
    games: int = 0
    endings: Counter[str] = field(default_factory=Counter)
    missions: Counter[str] = field(default_factory=Counter)
    disputed: list[str] = field(default_factory=list)


def referee(client: Client, reading: ScoreReading, army: Roster, seeds: Sequence[str]) -> ScoreTally:
    """Play the random games of these seeds twice and compare them and the player's record."""
    tally = ScoreTally()
    results: Counter[str] = Counter()
    game = None
    for seed in seeds:
        dice = Random(seed)
        played = reading.play(dice)
        game = begin(client, army, mission=played.mission, mission_side=played.side, opponent="Tom")
        tally.disputed += [f"{seed}, {played.mission}: {fault}" for fault in _play(game, reading, played, dice)]
        tally.games += 1
        tally.endings[played.ending] += 1
        tally.missions[played.mission] += 1
        results["draws" if played.winner is None else "losses" if played.winner else "wins"] += 1
    if game is not None:
        (line,) = compute_record(Visitor(key=game.owner_key)).lists
        record = Counter(wins=line.wins, draws=line.draws, losses=line.losses)
        if +record != results:
            tally.disputed.append(f"the record has {record}, the reading {results}")
    return tally


def _play(game: Game, reading: ScoreReading, played: RandomGame, dice: Random) -> list[str]:
    faults = []
    if played.opponents_mission:
        tap(game, 0, make_tap("set", MISSION, text=played.opponents_mission, side=1))
    for turn in played.turns:
        _go_to(game, reading, turn)
        for claim in turn.claims:
            _tap_claim(game, turn.number, claim, dice)
        totals = _count(game)
        if totals != turn.totals:
            faults.append(f"turn {turn.number}: the game has {totals}, the reading {turn.totals} for {turn.claims}")
        board = build_game_board(game, 0)
        sudden = describe_standing(board).sudden
        winner = "" if turn.sudden is None else describe_side(board.get_side(turn.sudden).side)
        expected = "You" if turn.sudden == board.place else winner
        if not sudden.startswith(f"{expected} ") if expected else sudden:
            faults.append(f"turn {turn.number}: “{sudden}”, by the reading “{expected}” wins at once")
    ended = end_game(game, "")
    assert isinstance(ended, Game)
    if (ended.ending, ended.winner) != (played.ending, played.winner):
        faults.append(f"{ended.ending} of {ended.winner}, by the reading {played.ending} of {played.winner}")
    return faults


def _go_to(game: Game, reading: ScoreReading, turn: EndOfTurn) -> None:
    now, step = game.now.step, f"{turn.number}:{game.first}:{reading.phase}"
    if str(now) != step:
        tap(game, 0, make_tap("step", "step", text=f"{now} {step}", side=None))


def _tap_claim(game: Game, number: int, claim: Claim, dice: Random) -> None:
    """Tap a claim, one by one or at once, sometimes after a wrong tap that is undone."""
    key = f"score:{claim.line}:{number}" if claim.is_free else f"line:{claim.line}:{0 if claim.lasts else number}"
    # A lasting claim counts until it is no longer true.
    missing = claim.times - (game.now.sides[claim.side].counts.get(key, 0) if claim.lasts else 0)
    if dice.random() < 0.1:
        wrong = make_tap("count", key, dice.choice((1, 2)), side=claim.side)
        tap(game, 0, wrong)
        tap(game, 0, make_tap("undo", wrong.uid, side=None))
    if missing > 1 and dice.random() < 0.5:
        for _one in range(missing):
            tap(game, 0, make_tap("count", key, 1, side=claim.side))
    elif missing:
        tap(game, 0, make_tap("count", key, missing, side=claim.side))


def _count(game: Game) -> tuple[int, ...]:
    rows = game.sides.order_by("place")
    return tuple(score.total for score in score_rows(game, rows, load_rules(game)))
