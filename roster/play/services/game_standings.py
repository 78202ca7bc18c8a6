"""How the sides of a game stand: what each has scored and captured, what is left of it, and who wins."""

from collections.abc import Iterable, Sequence

from catalogue.definitions.table_rules import Loss
from roster.play.game_score import SideScore, score_side
from roster.play.game_state import OUT, GameState
from roster.play.game_victory import Ending, SideStanding, VictoryRules, find_outcome
from roster.play.models import Game, GameSide
from roster.play.services.game_rules import GameRules
from roster.play.services.game_units import UnitNow, describe_units, load_table_list


def find_victory(rules: GameRules, rows: Iterable[GameSide]) -> VictoryRules:
    return rules.find_victory([row.mission_side for row in rows])


def score_sides(rules: GameRules, rows: Iterable[GameSide], state: GameState) -> list[SideScore]:
    """Return the scores of the sides by the taps; `rows` are all sides in order."""
    return [score_side(rules.score, side, row.mission_side) for row, side in zip(rows, state.sides, strict=True)]


def score_rows(game: Game, rows: Iterable[GameSide], rules: GameRules) -> list[SideScore]:
    """Return the scores of the sides, by the taps or as they were entered by hand."""
    if game.is_by_hand:
        return [SideScore(total=row.score or 0) for row in rows]
    return score_sides(rules, rows, game.now)


def read_standings(rules: GameRules, rows: Sequence[GameSide], state: GameState) -> list[SideStanding]:
    """Return how the sides of a game stand; `rows` are all sides in order."""
    scores = score_sides(rules, rows, state)
    units = [
        describe_units(load_table_list(row).units, side, rules.marks, state.step)
        for row, side in zip(rows, state.sides, strict=True)
    ]
    return [describe_standing(rules, state, place, score.total, units[place]) for place, score in enumerate(scores)]


def describe_standing(
    rules: GameRules, state: GameState, place: int, points: int, units: Sequence[UnitNow]
) -> SideStanding:
    """Return how a side stands, with its units as they are now."""
    capture, losses = rules.capture, rules.victory.out
    captured = state.count_captured(capture, place) if capture else {}
    tokens = capture.tokens - state.count_tokens_gone(capture, place) if capture else 0
    # What is left of a side without a list is not known; its players say that it is out.
    has_nobody = bool(units) and all(unit.is_dead for unit in units)
    is_out = (Loss.MODELS in losses and has_nobody) or (Loss.TOKENS in losses and capture is not None and tokens <= 0)
    return SideStanding(
        points=points,
        captured=captured,
        tokens=tokens,
        left=sum(row.left for unit in units if not unit.is_dead for row in unit.rows),
        is_out=is_out or OUT in state.sides[place].texts,
    )


def keep_scores(game: Game, rules: GameRules, state: GameState) -> None:
    """Store the score and the rank of each side and who wins, for records to count."""
    rows = list(game.sides.select_related("version").order_by("place"))
    standings = read_standings(rules, rows, state)
    # A side that has conceded has lost, whatever was scored.
    is_settled = game.ending == Ending.CONCEDED
    outcome = find_outcome(find_victory(rules, rows), standings)
    for row, standing in zip(rows, standings, strict=True):
        row.score = standing.points
        if not is_settled:
            row.rank = outcome.ranks[row.place]
        row.save(update_fields=["score", "rank"])
    if not is_settled:
        game.ending, game.winner = outcome.ending, outcome.winner
        game.save(update_fields=["ending", "winner"])
