"""A game as a page or a device may see it: from one seat, without what is secret on the other side."""

from dataclasses import dataclass
from typing import Any

import msgspec

from roster.play.game_score import ScoreRules, SideScore
from roster.play.game_state import GameState, Operation, Pile, SideState
from roster.play.models import Game, GameSide
from roster.play.services.game_rules import GameRules, load_rules
from roster.play.services.game_taps import LastTaps, list_played_places, read_last_taps, score_rows
from roster.play.services.game_units import TableList, UnitNow, describe_units, load_table_list


@dataclass(frozen=True, slots=True)
class BoardSide:
    """A side as a reader sees it: `mine` is the reader's own, `open` says that the reader may tap for it.

    `shown` is a list whose cards the reader may see; otherwise there are only names.
    """

    side: GameSide
    state: SideState
    score: SideScore
    units: list[UnitNow]
    table_list: TableList
    mine: bool
    open: bool
    shown: bool

    @property
    def left(self) -> int:
        return sum(not unit.is_dead for unit in self.units)

    def list_rounds(self, number: int) -> list[int]:
        """Return what was scored in each of so many rounds."""
        return [self.score.by_round.get(place, 0) for place in range(1, number + 1)]


@dataclass(frozen=True, slots=True)
class GameBoard:
    """A game for one reader: the sides with the reader's own first, `place` None for an onlooker."""

    game: Game
    rules: GameRules
    state: GameState
    sides: list[BoardSide]
    place: int | None
    joined: bool

    @property
    def mine(self) -> BoardSide:
        return self.sides[0]

    @property
    def other(self) -> BoardSide:
        return self.sides[1]

    def get_side(self, place: int) -> BoardSide:
        """Return a side by its place in the game."""
        return next(side for side in self.sides if side.side.place == place)

    @property
    def rounds(self) -> int:
        """How many rounds the table of scores has: those of the game, or those in which something was scored."""
        return max([self.rules.score.rounds, *(number for side in self.sides for number in side.score.by_round)])


def build_game_board(game: Game, place: int | None) -> GameBoard:
    """Return a game as the side at `place` sees it."""
    rules = load_rules(game)
    state = game.now
    rows = list(game.sides.select_related("version", "roster").order_by("place"))
    joined = game.sides.filter(place=1, seats__isnull=False).exists()
    tapped = _list_tapped_places(place, joined=joined)
    sides = [
        _build_board_side(row, state.sides[row.place], score, mine=row.place == place, is_tapped=row.place in tapped)
        for row, score in zip(rows, score_rows(game, rows, rules), strict=True)
    ]
    if place == 1:
        sides.reverse()
    return GameBoard(game, rules, state, sides, place, joined)


def _list_tapped_places(place: int | None, *, joined: bool) -> set[int]:
    """Return the places of the sides that the reader at `place` taps for; an onlooker taps for none."""
    if place is None:
        return set()
    # As long as nobody plays the other side, whoever began the game keeps it.
    return {place} if joined else {place, 1}


def _build_board_side(row: GameSide, state: SideState, score: SideScore, *, mine: bool, is_tapped: bool) -> BoardSide:
    table_list = load_table_list(row)
    return BoardSide(
        side=row,
        state=state,
        score=score,
        units=describe_units(table_list.units, state),
        table_list=table_list,
        mine=mine,
        open=is_tapped,
        shown=mine or not row.conceals,
    )


def describe_state(game: Game, place: int | None) -> dict[str, Any]:
    """Return how a game stands for the device of the side at `place`; None for an onlooker."""
    state = game.now
    scores = score_rows(game, game.sides.order_by("place"), load_rules(game))
    last = LastTaps() if place is None else read_last_taps(game, place)
    return {
        "last": game.last,
        "ended": game.ended is not None,
        "joined": 1 in list_played_places(game),
        "step": str(state.step),
        "texts": state.shared.texts,
        "sides": [
            _describe_side(side, score, is_own=number == place)
            for number, (side, score) in enumerate(zip(state.sides, scores, strict=True))
        ],
        "undos": [{**_describe_tap(undo.operation), "before": undo.before} for undo in last.undos],
        "redos": [{**_describe_tap(redo.operation), "undo": redo.undo_id} for redo in last.redos],
    }


def describe_caps(rules: ScoreRules) -> dict[str, Any]:
    """Return what scores at most: a side, its hand of objectives, and each item in a game and in a round."""
    items = {item.id: [item.most, item.most_round] for item in rules.items}
    return {"most": rules.most, "hand": rules.most_hand, "items": items}


def _describe_tap(operation: Operation) -> dict[str, Any]:
    return {
        "id": operation.uid,
        "kind": operation.kind,
        "side": operation.side,
        "key": operation.key,
        "amount": operation.amount,
        "text": operation.text,
    }


def _describe_side(side: SideState, score: SideScore, *, is_own: bool) -> dict[str, Any]:
    described: dict[str, Any] = {
        "counts": side.counts,
        "texts": side.texts,
        "score": {"total": score.total, "rounds": score.by_round, "lost": score.lost, "hand": score.hand},
        "piles": {key: _describe_pile(pile, is_own=is_own) for key, pile in side.piles.items()},
    }
    if is_own and side.hand is not None:
        described["hand"] = msgspec.to_builtins(side.hand)
    return described


def _describe_pile(pile: Pile, *, is_own: bool) -> dict[str, Any]:
    """Return the cards of a pile by their numbers; to the other side only how many are to draw and in hand.

    The device of its owner knows what comes next, so that cards can be drawn without a network.
    """
    if is_own:
        return {"draw": pile.draw, "hand": pile.hand, "discard": pile.discard}
    return {"draw": len(pile.draw), "hand": len(pile.hand), "discard": pile.discard}
