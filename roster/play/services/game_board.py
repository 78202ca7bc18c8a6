"""Show a game to one player, without other sides' secrets."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from catalogue.definitions.score_lines import ScoreLine
from roster.play.chance import order_cards
from roster.play.game_course import GameCourse
from roster.play.game_score import SideScore
from roster.play.game_state import STEP, GameState, Kind, Operation, SideState, parse_move
from roster.play.game_victory import SideStanding, VictoryRules
from roster.play.models import Game, GameSide
from roster.play.objective_hand import Hand
from roster.play.services.game_log import list_just_now
from roster.play.services.game_rules import GameRules, bound_counters, load_rules, make_course
from roster.play.services.game_standings import describe_standing, find_victory, score_rows
from roster.play.services.game_taps import (
    HELD,
    LastTaps,
    list_held,
    list_played_places,
    list_tapped_places,
    read_last_taps,
)
from roster.play.services.game_units import TableList, UnitNow, describe_units, load_table_list
from roster.play.services.games import describe_side
from roster.play.services.table_hands import show_hand

SHUFFLES_TOLD = 2
"""How many future shuffles a device knows."""
DONE = "done:"
"""The prefix of ticks on reminders, which appear only on the side's own page."""
_TICKED = re.compile(r"(\w+:)?([^:.]*(?:\.[^:.]*)?)(.*)")
"""A key of a tick: what it is, and its turn or unit in the middle."""


@dataclass(frozen=True, slots=True)
class BoardSide:
    """A side as a reader sees it: `open` if the reader may tap for it, `is_visible` if the reader may see its list.

    `cap` limits its points from objectives. `side_id` is its mission side, or its own mission, called `own_mission`.
    """

    side: GameSide
    name: str
    state: SideState
    standing: SideStanding
    score: SideScore
    units: list[UnitNow]
    table_list: TableList
    mine: bool
    open: bool
    is_visible: bool
    side_id: str
    lines: list[ScoreLine]
    cap: int | None
    own_mission: str
    goal: int | None

    @property
    def place(self) -> int:
        return self.side.place

    @property
    def is_counted_by_lines(self) -> bool:
        return any(not line.is_free for line in self.lines)

    @property
    def left(self) -> int:
        return sum(not unit.is_dead for unit in self.units)

    def list_rounds(self, number: int) -> list[int]:
        return [self.score.by_round.get(place, 0) for place in range(1, number + 1)]


@dataclass(frozen=True, slots=True)
class GameBoard:
    """A game for one reader, whose side comes first. `place` is None for a spectator."""

    game: Game
    rules: GameRules
    state: GameState
    sides: list[BoardSide]
    place: int | None
    played: frozenset[int]
    victory: VictoryRules

    @property
    def mine(self) -> BoardSide:
        return self.sides[0]

    @property
    def others(self) -> list[BoardSide]:
        """In turn order."""
        return self.sides[1:]

    @property
    def by_place(self) -> list[BoardSide]:
        return sorted(self.sides, key=lambda side: side.place)

    @property
    def joined(self) -> bool:
        return len(self.played) > 1

    @property
    def course(self) -> GameCourse:
        return make_course(self.game, self.rules)

    def get_side(self, place: int) -> BoardSide:
        return next(side for side in self.sides if side.side.place == place)

    @property
    def holds_points(self) -> bool:
        return any(line.is_held for side in self.sides for line in side.lines)

    @property
    def rounds(self) -> int:
        """The game's rounds, or the rounds up to the last with points."""
        return max([self.rules.score.rounds, *(number for side in self.sides for number in side.score.by_round)])


def build_game_board(game: Game, place: int | None) -> GameBoard:
    rules = load_rules(game)
    state = game.now
    rows = list(game.sides.select_related("version", "roster").order_by("place"))
    tapped: frozenset[int] = frozenset() if place is None else list_tapped_places(game, place)
    victory = find_victory(rules, rows)
    side_ids = rules.list_side_ids(rows, state)
    sides = []
    for row, score, total in zip(rows, score_rows(game, rows, rules), victory.totals, strict=True):
        table_list = load_table_list(row)
        side_state = state.sides[row.place]
        is_mine = row.place == place
        units = describe_units(table_list.units, side_state, rules.marks, state.step)
        sides.append(
            BoardSide(
                side=row,
                name=describe_side(row),
                state=side_state,
                standing=describe_standing(rules, state, row.place, score.total, units),
                score=score,
                units=units,
                table_list=table_list,
                mine=is_mine,
                open=row.place in tapped,
                is_visible=is_mine or not row.conceals,
                side_id=side_ids[row.place],
                lines=rules.score.list_lines_at(row.place, side_ids),
                own_mission=rules.get_side_name(side_ids[row.place]) if rules.table.own_missions else "",
                cap=rules.score.find_cap(side_ids[row.place]),
                goal=total,
            )
        )
    start = place or 0
    return GameBoard(game, rules, state, sides[start:] + sides[:start], place, list_played_places(game), victory)


def describe_state(game: Game, place: int | None) -> dict[str, Any]:
    state = game.now
    rules = load_rules(game)
    scores = score_rows(game, game.sides.order_by("place"), rules)
    last = LastTaps() if place is None else read_last_taps(game, place)
    played = list_played_places(game)
    return {
        "last": game.last,
        "ended": game.ended is not None,
        "joined": len(played) > 1,
        "played": sorted(played),
        "step": str(state.step),
        "texts": state.shared.texts,
        "sides": [
            _describe_side(
                game, number, side, score, show_side_hand(rules, state, number, place), is_own=number == place
            )
            | {"texts": side.texts if number == (place or 0) else _drop_reminders(side.texts)}
            for number, (side, score) in enumerate(zip(state.sides, scores, strict=True))
        ],
        "undos": [
            _describe_tap(undo.operation) | ({"before": undo.before} if undo.before else {}) for undo in last.undos
        ],
        "redos": [{**_describe_tap(redo.operation), "undo": redo.undo_id} for redo in last.redos],
        "just": [
            {"id": act.id, "side": act.place, "text": act.text} | ({"undo": 1} if act.can_undo else {})
            for act in list_just_now(game, place)
        ],
        # A device may still have taps that the server has: its own if an answer was lost, others' by code.
        "held": " ".join(() if place is None else list_held(game, HELD)),
    }


def describe_page_state(game: Game, place: int | None) -> dict[str, Any]:
    """Return a page's state, with `ticked` grouping the hundreds of texts "1" by common parts of their keys."""
    state = describe_state(game, place)
    for side in state["sides"]:
        side["ticked"] = _group_ticks(side["texts"])
        side["texts"] = {key: text for key, text in side["texts"].items() if text != "1"}
    return state


def _group_ticks(texts: Mapping[str, str]) -> dict[str, str]:
    """Group the keys whose text is "1" by pattern. A reminder's turn, or a mark's unit, replaces the pattern's star.

    >>> _group_ticks({"mark:u1:done.1.0": "1", "mark:u2:done.1.0": "1", "at:u2": "dead=2", "out": "1"})
    {'mark:*:done.1.0': 'u1 u2', '*': 'out'}
    >>> _group_ticks({"done:1.0.fight.lash-whip": "1", "done:1.1.fight.lash-whip": "1"})
    {'done:*.fight.lash-whip': '1.0 1.1'}
    """
    differing: dict[str, list[str]] = {}
    for key in (key for key, text in texts.items() if text == "1"):
        start, part, end = _TICKED.findall(key)[0]
        differing.setdefault(f"{start}*{end}", []).append(part)
    return {pattern: " ".join(parts) for pattern, parts in differing.items()}


def _drop_reminders(texts: Mapping[str, str]) -> dict[str, str]:
    return {key: text for key, text in texts.items() if not key.startswith(DONE)}


def describe_score_rules(board: GameBoard) -> dict[str, Any]:
    """Return what a device needs to compute scores and the winner."""
    rules, victory = board.rules.score, board.victory
    by_place = board.by_place
    return {
        **_describe_loss_rules(board, by_place),
        # The end of a mark's key says until when a unit has it.
        "marks": {mark.id: [mark.name, mark.until] for mark in board.rules.marks},
        "most": rules.most,
        "objectives": [side.cap for side in by_place],
        "rounds": rules.rounds,
        "lines": [{line.id: _describe_line(line) for line in side.lines} for side in by_place],
        "ends": [bound_counters(board.game, board.rules, side.table_list) for side in by_place],
        "totals": victory.totals,
        "own": victory.own_totals,
        "ahead": victory.ahead,
        "teams": victory.teams,
        "fromEach": victory.from_each,
        "byTeam": victory.by_team,
        "out": board.rules.victory.out,
        "lastCard": board.rules.victory.last_card,
        "capture": {"id": capture.id, "tokens": capture.tokens} if (capture := board.rules.capture) else None,
        "phase": board.rules.table.scored_in,
    }


def _describe_loss_rules(board: GameBoard, by_place: Sequence[BoardSide]) -> dict[str, Any]:
    rules, fold = board.rules, board.rules.fold
    if not (fold.resources or rules.counts_bodies or rules.table.vital or rules.acting_mark):
        return {}
    return {
        "units": [
            {
                unit.key: {
                    "runs": {
                        run.key: [run.size, run.models, float(run.worth), run.vital]
                        for run in unit.runs
                        if not run.beside
                    },
                    "place": unit.place,
                    "commands": unit.commands,
                    "open": unit.may_command,
                    "cards": unit.cards,
                    "command": unit.command_cards,
                }
                for unit in side.table_list.stakes
            }
            for side in by_place
        ],
        "resources": fold.resources,
        "empty": fold.empty_marks,
        "acting": rules.acting_mark.id if rules.acting_mark else "",
        "annihilation": rules.victory.annihilation,
        "over": [line.id for line in rules.score.lines if line.timing.ends],
    }


def _describe_line(line: ScoreLine) -> dict[str, Any]:
    if line.is_free:
        return {
            "free": True,
            "most": line.most,
            "mostRound": line.most_round,
            "owed": line.below_zero,
            "objective": line.is_of_mission,
        }
    return {
        "one": line.one,
        "times": line.most_times,
        "first": line.first_round,
        "last": line.last_round,
        "doubled": line.first_doubled,
        "held": line.is_held,
        "most": line.most_game,
        "phase": line.phase,
        "oneOf": line.timing.one_of,
        "objective": line.is_of_mission,
    }


def _describe_tap(operation: Operation) -> dict[str, Any]:
    kind, amount, text = operation.kind, operation.amount, operation.text
    if kind == Kind.STEP and operation.key == STEP:
        move = parse_move(text)
        kind, amount, text = Kind.SET, 0, str(move[1]) if move else ""
    elif kind == Kind.TICK:
        start, end = map(int, text.split())
        kind, amount, text = Kind.COUNT, end - start, ""
    described = {"id": operation.uid, "kind": kind, "side": operation.side, "key": operation.key}
    return described | ({"amount": amount} if amount or kind == Kind.COUNT else {}) | ({"text": text} if text else {})


def show_side_hand(rules: GameRules, state: GameState, number: int, place: int | None) -> Hand | None:
    hand = state.sides[number].hand
    if hand is None or rules.fold.hand is None or number == place:
        return hand
    return show_hand(hand, [side.hand for side in state.sides], rules.fold.hand)


def _describe_side(
    game: Game, place: int, side: SideState, score: SideScore, hand: Hand | None, *, is_own: bool
) -> dict[str, Any]:
    piles: dict[str, Any] = {}
    for key, pile in side.piles.items():
        # The owner's device draws offline; the other side only gets numbers.
        draw, cards = (pile.draw, pile.hand) if is_own else (len(pile.draw), len(pile.hand))
        piles[key] = {"draw": draw, "hand": cards, "discard": pile.discard}
        if is_own and game.seed:
            # A device that shuffles offline uses the server's order.
            everything = [*pile.draw, *pile.hand, *pile.discard]
            piles[key]["next"] = [
                order_cards(game.seed, place, key, everything, pile.shuffled + more) for more in range(SHUFFLES_TOLD)
            ]
    described: dict[str, Any] = {
        "counts": side.counts,
        "score": {
            "total": score.total,
            "rounds": score.by_round,
            "held": score.held,
            "lost": score.lost,
            "hand": score.hand,
        },
        "piles": piles,
    }
    if hand is not None:
        drawn = [{"id": one.objective_id, "scored": one.scored, "named": one.named} for one in hand.now.drawn]
        described["hand"] = {"groups": hand.groups, "secret": hand.secret, "round": len(hand.rounds), "drawn": drawn}
    return described
