"""The hand of objectives on the page of a game, for the side that holds it."""

from dataclasses import dataclass
from typing import Any

from catalogue.definitions.missions import ObjectiveDefinition
from roster.play import objective_hand as engine
from roster.play.services.game_board import GameBoard


@dataclass(frozen=True, slots=True)
class HeldObjective:
    """An objective of this round: its place in the hand, its text, its points."""

    place: int
    objective_id: str
    name: str
    lines: tuple[tuple[str, str], ...]
    worth: int
    scored: bool


def describe_hand(board: GameBoard) -> dict[str, Any] | None:
    """Return the part of the page with the reader's own hand; None if the mission draws no objectives."""
    rules, new = board.rules.score.hand, board.rules.fold.new_hand
    if rules is None or new is None or board.place is None:
        return None
    hand = board.mine.state.hand or new
    cards = []
    for place, drawn in enumerate(hand.now.drawn):
        objective = rules.find_objective(drawn.objective_id) or ObjectiveDefinition(id="", name=drawn.objective_id)
        cards.append(
            HeldObjective(
                place=place,
                objective_id=drawn.objective_id,
                name=objective.name,
                lines=tuple(objective.list_lines(hand.size_id)),
                worth=engine.count_worth(rules, hand, drawn),
                scored=drawn.scored,
            )
        )
    may_keep = engine.KEEP in rules.stratagems
    return {
        # The groups are asked for until they are chosen.
        "choose": 0 if hand.groups else rules.draw.choose,
        "secret_asked": bool(rules.draw.secret),
        "named_asked": bool(rules.draw.named),
        "extra_asked": bool(rules.draw.extra),
        "groups": [board.rules.play.groups[group] for group in rules.objectives],
        "cards": cards,
        "keepable": [card for card in cards if may_keep and not card.scored],
        "round": len(hand.rounds),
        "next": len(hand.rounds) + 1,
        "more": len(hand.rounds) < engine.ROUNDS,
        "most": board.rules.score.most_hand,
        "points": engine.sum_points(rules, hand),
    }
