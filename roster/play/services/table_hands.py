from collections.abc import Collection, Iterable

from msgspec.structs import replace

from roster.engine.edits import Refused
from roster.play.chance import derive_dice
from roster.play.game_score import score_side
from roster.play.game_state import GameState, HandNote, Operation, SideState, read_hand_note, write_hand_note
from roster.play.hand_times import ON, HandMoment, check_moment
from roster.play.models import Game
from roster.play.objective_hand import ROUNDS, DrawnObjective, Hand, HandRules, start_round
from roster.play.services.game_rules import GameRules, count_beginning, make_course
from roster.play.services.game_units import RESOURCE, TableList, load_table_list
from roster.play.services.objective_hands import count_round

FIELDS = {"choose": ("group", "secret"), "begin": ("keep",), "category": ("old", "new")}
PLACED = ("place", "objective")
NAME = "name"
"""The opponent's action: name an objective, which is doubled or barred."""


def settle_hand(
    game: Game, operation: Operation, actor: int, played: Collection[int], state: GameState, rules: GameRules
) -> Operation | Refused:
    """Return an action on a hand with its round and dice, or why it is not allowed now.

    `played` are the places with their own device. Dice come from the game's seed, so that redoing an action repeats
    them.
    """
    note, place = read_hand_note(operation.text), operation.side
    if note is None or place is None or rules.fold.new_hand is None:
        return Refused(code="bad-change", subject_id=operation.uid)
    rows = {row.place: row for row in game.sides.select_related("version")}
    left = count_left(game, rules, load_table_list(rows[place]), state.sides[place])
    moment = make_moment(game, rules, state, note, place=place, actor=actor, played=played, left=left)
    if moment is None:
        return Refused(code="bad-change", subject_id=operation.uid)
    if refused := check_moment(moment):
        return replace(refused, subject_id=operation.uid)

    # The other side can read acts, so drop any other fields.
    fields = {name: note.fields[name] for name in FIELDS.get(note.act, PLACED) if name in note.fields}
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
    # Only for the dice; folding the operation computes the hand.
    hand = rules.fold.play_hand(side, settled, roll)
    if not isinstance(hand, Hand):
        return replace(hand or Refused(code="bad-change"), subject_id=operation.uid)
    return replace(operation, text=write_hand_note(replace(settled, rolls=tuple(rolls))))


def draw_ahead(game: Game, rules: GameRules, place: int, hand: Hand) -> dict[int, tuple[DrawnObjective, ...]]:
    """Return what a side will draw in each coming round, the mission's extra objective last.

    Its device shows this offline; the server rolls the same dice later.
    """
    draws: dict[int, tuple[DrawnObjective, ...]] = {}
    if rules.fold.hand is None or not game.seed:
        return draws
    for number in range(len(hand.rounds) + 1, ROUNDS + 1):
        extra = bool(rules.fold.hand.draw.extra) and number > 1
        roll = derive_dice(game.seed, place, number)
        drawn = start_round(rules.fold.hand, hand, roll, extra=extra, number=number)
        if isinstance(drawn, Hand):
            draws[number] = drawn.now.drawn
    return draws


def make_moment(
    game: Game,
    rules: GameRules,
    state: GameState,
    note: HandNote,
    *,
    place: int,
    actor: int,
    played: Collection[int],
    left: int | None,
) -> HandMoment | None:
    if rules.fold.hand is None:
        return None
    return HandMoment(
        rules=rules.fold.hand,
        course=make_course(game, rules),
        step=state.step,
        hands=[side.hand for side in state.sides],
        place=place,
        actor=actor,
        note=note,
        points=[_count_points_before(rules, state, number) for number in range(len(state.sides))],
        played=played,
        left=left,
    )


def _count_points_before(rules: GameRules, state: GameState, place: int) -> int:
    by_round = score_side(rules.score, state.sides[place]).by_round
    return sum(points for number, points in by_round.items() if number < state.step.round)


def count_left(game: Game, rules: GameRules, table_list: TableList, side: SideState) -> int | None:
    if rules.purse is None:
        return None
    begun = count_beginning(rules.purse, rules.play.sizes.get(game.size_id), table_list)
    return begun + side.counts.get(f"{RESOURCE}{rules.purse.id}", 0)


def show_hand(hand: Hand, hands: Iterable[Hand | None], rules: HandRules) -> Hand:
    """Return a hand as the other sides see it.

    Categories are visible once all sides have chosen, the secret category once it has scored.
    """
    is_open = all(other is not None and other.groups for other in hands) or bool(hand.rounds)
    scored = {drawn.group_id for played in hand.rounds for drawn in played.drawn if drawn.scored}
    return replace(
        hand,
        groups=hand.groups if is_open or not rules.draw.choose else (),
        secret=hand.secret if hand.secret in scored else "",
    )
