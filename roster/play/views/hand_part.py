"""The hand of objectives on the page of a game, for the side that holds it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from catalogue.definitions.missions import ObjectiveDefinition
from roster.play import objective_hand as engine
from roster.play.objective_hand import DrawnObjective, Hand, HandRules
from roster.play.services.game_board import GameBoard


@dataclass(frozen=True, slots=True)
class HeldObjective:
    """An objective of this round: its place in the hand, what it asks, what it brings."""

    place: int
    objective_id: str
    name: str
    lines: tuple[tuple[str, str], ...]
    worth: int
    scored: bool


def describe_hand(board: GameBoard) -> dict[str, Any] | None:
    """Return what the page shows of the reader's own hand; None where the mission draws no objectives."""
    rules, new = board.rules.score.hand, board.rules.fold.new_hand
    if rules is None or new is None or board.place is None:
        return None
    return _describe_own_hand(board, rules, board.mine.state.hand or new)


def _describe_own_hand(board: GameBoard, rules: HandRules, hand: Hand) -> dict[str, Any]:
    cards = [_describe_objective(rules, hand, place, drawn) for place, drawn in enumerate(hand.now.drawn)]
    return {
        **_describe_questions(rules, hand),
        "groups": [board.rules.play.groups[group] for group in rules.objectives],
        "cards": cards,
        "keepable": _list_keepable(rules, cards),
        "round": len(hand.rounds),
        "next": len(hand.rounds) + 1,
        "more": len(hand.rounds) < engine.ROUNDS,
        "most": board.rules.score.most_hand,
        "points": engine.sum_points(rules, hand),
    }


def _list_keepable(rules: HandRules, cards: Sequence[HeldObjective]) -> list[HeldObjective]:
    """List the objectives that may be kept for the next round, where the mission lets players do so."""
    if engine.KEEP not in rules.stratagems:
        return []
    return [card for card in cards if not card.scored]


def _describe_questions(rules: HandRules, hand: Hand) -> dict[str, Any]:
    """Return what a player is asked before drawing; how many groups, only until they are chosen."""
    return {
        "choose": 0 if hand.groups else rules.draw.choose,
        "secret_asked": bool(rules.draw.secret),
        "named_asked": bool(rules.draw.named),
        "extra_asked": bool(rules.draw.extra),
    }


def _describe_objective(rules: HandRules, hand: Hand, place: int, drawn: DrawnObjective) -> HeldObjective:
    objective = rules.find_objective(drawn.objective_id) or ObjectiveDefinition(id="", name=drawn.objective_id)
    return HeldObjective(
        place=place,
        objective_id=drawn.objective_id,
        name=objective.name,
        lines=tuple(objective.list_lines(hand.size_id)),
        worth=engine.count_worth(rules, hand, drawn),
        scored=drawn.scored,
    )
