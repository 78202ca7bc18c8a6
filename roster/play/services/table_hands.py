"""Acts on the objectives of a side in a game: whether they may be done now, and the dice that are rolled for them."""

from msgspec.structs import replace

from roster.engine.edits import Refused
from roster.play.chance import derive_dice
from roster.play.game_score import score_side
from roster.play.game_state import GameState, Operation, read_hand_note, write_hand_note
from roster.play.hand_times import ON, HandMoment, check_moment
from roster.play.models import Game, GameSide
from roster.play.objective_hand import Hand
from roster.play.services.game_rules import RESOURCE, GameRules, count_beginning
from roster.play.services.game_units import load_table_list
from roster.play.services.objective_hands import count_round

NAME = "name"
"""The act of the opponent: naming an objective that counts double, or nothing."""


def settle_hand(
    game: Game, operation: Operation, actor: int, state: GameState, rules: GameRules
) -> Operation | Refused:
    """Return an act on a hand with its round and its dice in it, or why it may not be done now.

    The dice come from the seed of the game, so that an act that was taken back and is done again rolls nothing anew.
    """
    note, place = read_hand_note(operation.text), operation.side
    if note is None or place is None or rules.fold.hand is None or rules.fold.new_hand is None:
        return Refused(code="bad-change", subject_id=operation.uid)
    rows = list(game.sides.select_related("version").order_by("place"))
    moment = HandMoment(
        rules=rules.fold.hand,
        clock=rules.make_clock(game.first),
        step=state.step,
        hands=[side.hand for side in state.sides],
        place=place,
        actor=actor,
        note=note,
        points=[count_points_before(rules, state, number) for number in range(len(state.sides))],
        played={0, *game.sides.filter(seats__isnull=False).values_list("place", flat=True)},
        left=count_left(game, rules, rows[place], state),
    )
    if refused := check_moment(moment):
        return replace(refused, subject_id=operation.uid)

    fields = {name: value for name, value in note.fields.items() if name not in ("extra", "round")}
    if note.act == "begin":
        fields["round"] = str(state.step.round)
        if moment.draws_extra():
            fields["extra"] = ON
    side = state.sides[place]
    number = state.step.round if note.act == "begin" else count_round(side.hand or rules.fold.new_hand, note.act)
    dice = derive_dice(game.seed, place, number)
    rolls: list[int] = []

    def roll(sides: int, name: str) -> int:
        rolls.append(dice(sides, name))
        return rolls[-1]

    settled = replace(note, fields=fields, rolls=())
    # Played once for the dice alone: the resulting hand is computed when the operation is folded in.
    played = rules.fold.play_hand(side, settled, roll)
    if not isinstance(played, Hand):
        return replace(played or Refused(code="bad-change"), subject_id=operation.uid)
    return replace(operation, text=write_hand_note(replace(settled, rolls=tuple(rolls))))


def count_points_before(rules: GameRules, state: GameState, place: int) -> int:
    """Return the points that a side scored in the rounds before the one that is played."""
    by_round = score_side(rules.score, state.sides[place]).by_round
    return sum(points for number, points in by_round.items() if number < state.step.round)


def count_left(game: Game, rules: GameRules, row: GameSide, state: GameState) -> int | None:
    """Return what a side has to pay stratagems with; None in a game without a resource."""
    if rules.purse is None:
        return None
    size = rules.play.sizes.get(game.size_id)
    begun = count_beginning(rules.purse, size, load_table_list(row))
    return begun + state.sides[row.place].counts.get(f"{RESOURCE}{rules.purse.id}", 0)
