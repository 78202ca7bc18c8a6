from collections.abc import Iterable, Sequence
from dataclasses import replace

from django.utils import timezone

from catalogue.definitions.table_rules import Loss
from roster.play.game_score import SideScore, score_side
from roster.play.game_state import MOST_SUM, OUT, GameState, SideState
from roster.play.game_victory import Ending, Outcome, SideStanding, VictoryRules, concede, find_outcome
from roster.play.losses import COMMANDER, UnitStakes, count_bodies, is_commander_lost
from roster.play.models import Game, GameSide
from roster.play.services.game_rules import GameRules, load_rules
from roster.play.services.game_units import UnitNow, describe_units, load_table_list


def find_victory(rules: GameRules, rows: Iterable[GameSide]) -> VictoryRules:
    return rules.find_victory([row.mission_side for row in rows])


def score_sides(rules: GameRules, rows: Iterable[GameSide], state: GameState) -> list[SideScore]:
    """Score taps; `rows` are all sides in order."""
    ids = rules.list_side_ids(rows, state)
    return [
        score_side(rules.score, side, ids[place], rules.score.list_opponents(place, ids))
        for place, side in enumerate(state.sides)
    ]


def score_rows(game: Game, rows: Iterable[GameSide], rules: GameRules) -> list[SideScore]:
    """Return the scores, from taps or entered by hand, with a finished game's bonus."""
    rows = list(rows)
    if game.is_by_hand:
        return [SideScore(total=row.score or 0) for row in rows]
    scores = score_sides(rules, rows, game.now)
    for place in _list_given_up(game, rows):
        if rules.victory.conceded is not None:
            scores[place] = replace(scores[place], total=rules.victory.conceded)
    outcome = find_end(rules, rows, game.now) if game.ended and game.ending != Ending.CONCEDED else Outcome()
    return [
        replace(score, total=score.total + outcome.bonus) if row.place == outcome.winner else score
        for row, score in zip(rows, scores, strict=True)
    ]


def _list_given_up(game: Game, rows: Sequence[GameSide]) -> list[int]:
    """List the places of the sides that gave up: they are ranked behind all others."""
    if game.ending != Ending.CONCEDED:
        return []
    last = max(row.rank or 0 for row in rows)
    return [row.place for row in rows if row.rank == last]


def find_end(rules: GameRules, rows: Sequence[GameSide], state: GameState) -> Outcome:
    """Return how the game ends without further taps."""
    return find_outcome(find_victory(rules, rows), read_standings(rules, rows, state))


def read_standings(rules: GameRules, rows: Sequence[GameSide], state: GameState) -> list[SideStanding]:
    """Return the standings if the game ends now; `rows` are all sides in order."""
    standings = []
    for row, score in zip(rows, score_sides(rules, rows, state), strict=True):
        table_list, side = load_table_list(row), state.sides[row.place]
        units = describe_units(table_list.units, side, rules.marks, state.step)
        standing = describe_standing(rules, state, row.place, score.total, units)
        standings.append(_add_losses(standing, table_list.stakes, side))
    return standings


def _add_losses(standing: SideStanding, units: Sequence[UnitStakes], side: SideState) -> SideStanding:
    """Add losses at the game's end, including units in reserve."""
    number = side.texts.get(COMMANDER, "")
    commander = int(number) if number.isdecimal() else None
    if commander is None and is_commander_lost(units, side, over=True):
        # Lost at the end, after every tap.
        commander = MOST_SUM - 1
    return replace(standing, bodies=count_bodies(units, side, over=True), commander=commander)


def describe_standing(
    rules: GameRules, state: GameState, place: int, points: int, units: Sequence[UnitNow]
) -> SideStanding:
    capture, losses = rules.capture, rules.victory.out
    captured = state.count_captured(capture, place) if capture else {}
    tokens = capture.tokens - state.count_tokens_gone(capture, place) if capture else 0
    # Players say when a side without a list is out.
    has_nobody = bool(units) and all(unit.is_dead for unit in units)
    is_out = (Loss.MODELS in losses and has_nobody) or (Loss.TOKENS in losses and capture is not None and tokens <= 0)
    return SideStanding(
        points=points,
        captured=captured,
        tokens=tokens,
        left=sum(row.left for unit in units if not unit.is_dead for row in unit.rows) if units else None,
        is_out=is_out or OUT in state.sides[place].texts,
    )


def close_game(game: Game, notes: str, conceded: int | None = None) -> None:
    """Store a game's end and score. `conceded` is the place of a side that gave up."""
    game.ended = game.ended or timezone.now()
    game.notes = notes
    rules = load_rules(game)
    if conceded is not None:
        rows = list(game.sides.select_related("version").order_by("place"))
        outcome = concede(find_victory(rules, rows), read_standings(rules, rows, game.now), conceded)
        game.ending, game.winner = outcome.ending, outcome.winner
        for row in rows:
            row.rank = outcome.ranks[row.place]
        GameSide.objects.bulk_update(rows, ["rank"])
    game.save(update_fields=["ended", "ending", "winner", "notes", "updated"])
    if not game.is_by_hand:
        keep_scores(game, rules, game.now)


def keep_scores(game: Game, rules: GameRules, state: GameState) -> None:
    rows = list(game.sides.select_related("version").order_by("place"))
    standings = read_standings(rules, rows, state)
    # A side that conceded has lost, whatever it scored.
    is_settled = game.ending == Ending.CONCEDED
    outcome = Outcome() if is_settled else find_outcome(find_victory(rules, rows), standings)
    given_up = _list_given_up(game, rows) if rules.victory.conceded is not None else []
    for row, standing in zip(rows, standings, strict=True):
        row.score = standing.points + (outcome.bonus if row.place == outcome.winner else 0)
        if row.place in given_up:
            row.score = rules.victory.conceded
        if not is_settled:
            row.rank = outcome.ranks[row.place]
        row.save(update_fields=["score", "rank"])
    if not is_settled:
        game.ending, game.winner = outcome.ending, outcome.winner
        game.save(update_fields=["ending", "winner"])
