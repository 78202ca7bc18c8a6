"""Taps of both sides: checked, put in order and stored, with the state that they lead to beside them.

A device sends what was tapped until the server has named it. Whatever comes twice counts once, whatever comes late is
put behind what is there.
"""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from msgspec.structs import replace

from roster.play.game_score import SideScore, score_side
from roster.play.game_state import (
    GameState,
    Kind,
    Operation,
    Pile,
    SideState,
    apply_operation,
    check_operation,
    encode_state,
    fold_operations,
    list_standing,
    read_hand_note,
    write_hand_note,
)
from roster.play.models import Game, GameOperation, GameSide
from roster.play.services.game_rules import GameRules, load_rules
from roster.play.services.objective_hands import roll_die
from roster.services.outcomes import Refused

MOST_OPERATIONS = 5_000
MOST_AT_ONCE = 500
MOST_CARDS = 120
UNDO_DEPTH = 30
UNDO_FIELDS = ("uid", "kind", "key", "amount", "text", "side")
UNDOS = 12
"""So many of one's last taps can be taken back, or done again, without a network."""
_dice = secrets.SystemRandom()


@dataclass(frozen=True, slots=True)
class SentOperation:
    """An operation as a device sends it, with what its clock said; None where that was no time."""

    operation: Operation
    device_time: datetime | None = None


@dataclass(frozen=True, slots=True)
class Undoable:
    """A tap that can be taken back. `before` is the text that stood there, as far as the same side had set one."""

    operation: Operation
    before: str


@dataclass(frozen=True, slots=True)
class Redoable:
    """A tap that was taken back and can be done again, by taking back the undo of this id."""

    undo_id: str
    operation: Operation


@dataclass(frozen=True, slots=True)
class LastTaps:
    """What a side can take back and do again, the newest first."""

    undos: Sequence[Undoable] = ()
    redos: Sequence[Redoable] = ()


@dataclass(frozen=True, slots=True)
class TapReceipt:
    """What became of operations, by the id each has from its device: its number, or why it cannot be kept."""

    game: Game
    numbers: Mapping[str, int]
    refused: Mapping[str, Refused]


def list_operations(game: Game) -> list[Operation]:
    """Return all that was tapped, in order."""
    return [read_operation(row) for row in game.operations.order_by("number")]


def read_operation(row: GameOperation) -> Operation:
    return Operation(
        uid=str(row.uid),
        kind=row.kind,
        key=row.key,
        amount=row.amount,
        text=row.text,
        side=row.side,
        actor=row.actor,
        number=row.number,
    )


@transaction.atomic
def append_operations(game: Game, place: int, sent: Sequence[SentOperation]) -> TapReceipt:
    """Keep the operations of a side that are not kept yet; those that make no sense are refused one by one.

    What was tapped before the end of a game and comes after it is kept as well.
    """
    # Held until the transaction ends: numbers have no gaps, and the state is that of the last of them.
    held = Game.objects.select_for_update().select_related("version").get(pk=game.pk)
    numbers = _find_known(held, [one.operation.uid for one in sent])
    new, refused = _sort_new(held, place, [one for one in sent if one.operation.uid not in numbers])
    if new:
        numbers |= _store_operations(held, place, new)
    return TapReceipt(game=held, numbers=numbers, refused=refused)


def _sort_new(game: Game, place: int, sent: Iterable[SentOperation]) -> tuple[list[SentOperation], dict[str, Refused]]:
    """Return the operations that can be kept, each once, and why others cannot."""
    refused: dict[str, Refused] = {}
    new: dict[str, SentOperation] = {}
    for one in sent:
        uid = one.operation.uid
        if uid in new:
            continue
        problem = _check_new(game, place, one.operation, len(new))
        if problem:
            refused[uid] = problem
        else:
            new[uid] = one
    return list(new.values()), refused


def _find_known(game: Game, uids: Sequence[str]) -> dict[str, int]:
    sound = [uid for uid in uids if is_uid(uid)]
    rows = game.operations.filter(uid__in=sound).values_list("uid", "number")
    return {str(uid): number for uid, number in rows}


def is_uid(text: str) -> bool:
    """Return whether a text is an id as devices make them, written the usual way."""
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False


def list_played_places(game: Game) -> frozenset[int]:
    """Return the places of the sides that somebody plays on a device of their own."""
    seated = game.sides.filter(seats__isnull=False).values_list("place", flat=True)
    return frozenset({0, *seated})


def _check_new(game: Game, place: int, operation: Operation, before: int) -> Refused | None:
    """Return why an operation cannot be kept, None if it can."""
    if game.is_by_hand or not is_uid(operation.uid):
        return Refused(code="bad-change", subject_id=operation.uid)
    if game.last + before >= MOST_OPERATIONS:
        return Refused(code="too-many", measured=game.last + before, allowed=MOST_OPERATIONS)
    if not _can_tap_for(game, place, operation.side):
        return Refused(code="other-side", subject_id=operation.uid)
    if operation.kind == Kind.UNDO and not _is_own_tap(game, place, operation.key):
        return Refused(code="nothing-to-undo", subject_id=operation.uid)
    return check_operation(operation)


def _can_tap_for(game: Game, place: int, side: int | None) -> bool:
    """Whether the side at `place` may tap for another: each keeps its own, and both keep one that nobody plays."""
    return side in (None, place) or side not in list_played_places(game)


def read_last_taps(game: Game, place: int) -> LastTaps:
    """Return what a side takes back and does again, one after the other."""
    depth = UNDO_DEPTH
    while True:
        operations = _read_last(game, place, depth)
        standing = list_standing(operations)
        # What was taken back is a row as well, and so is what took it back.
        if len(standing) >= UNDOS or len(operations) < depth:
            return LastTaps(_list_undos(standing), _list_redos(operations))
        depth *= 4


def _list_undos(standing: Sequence[Operation]) -> list[Undoable]:
    before: dict[tuple[int | None, str], str] = {}
    undos = []
    for operation in standing:
        place_of_text = operation.side, operation.key
        undos.append(Undoable(operation, before.get(place_of_text, "")))
        if operation.kind == Kind.SET:
            before[place_of_text] = operation.text
    return undos[: -UNDOS - 1 : -1]


def _list_redos(operations: Sequence[Operation]) -> list[Redoable]:
    """Return what was taken back since the last tap that was none itself: after that one there is nothing to redo."""
    taps = {operation.uid: operation for operation in operations if operation.kind != Kind.UNDO}
    undone: set[str] = set()
    redos = []
    for undo in takewhile(_is_undo, reversed(operations)):
        if undo.uid in undone:
            continue
        undone.add(undo.key)
        if undo.key in taps:
            redos.append(Redoable(undo.uid, taps[undo.key]))
    return redos[:UNDOS]


def _is_undo(operation: Operation) -> bool:
    return operation.kind == Kind.UNDO


def _read_last(game: Game, place: int, number: int) -> list[Operation]:
    # Read as plain values: this is part of the answer to every tap.
    rows = game.operations.filter(actor=place).order_by("-number").values_list(*UNDO_FIELDS)[:number]
    operations = [
        Operation(uid=str(uid), kind=kind, key=key, amount=amount, text=text, side=side)
        for uid, kind, key, amount, text, side in rows
    ]
    return operations[::-1]


def _is_own_tap(game: Game, place: int, uid: str) -> bool:
    # One that comes along in the same batch is not stored yet; that it is one's own is certain then.
    other = game.operations.exclude(actor=place)
    return is_uid(uid) and not other.filter(uid=uid).exists()


def _store_operations(game: Game, place: int, new: Sequence[SentOperation]) -> dict[str, int]:
    rules = load_rules(game)
    state = game.now
    rows = []
    for number, one in enumerate(new, game.last + 1):
        operation = settle_chance(one.operation, state, rules)
        numbered = replace(operation, actor=place, number=number)
        rows.append(_build_row(game, numbered, str(state.step), one.device_time))
        if not _is_undo(operation):
            apply_operation(state, operation, rules.fold)
    GameOperation.objects.bulk_create(rows)
    game.last = rows[-1].number
    if any(_is_undo(one.operation) for one in new):
        # What was set before is known by going through everything again only.
        state = fold_operations(list_operations(game), rules.fold)
    _keep_state(game, rules, state)
    return {str(row.uid): row.number for row in rows}


def _build_row(game: Game, operation: Operation, step: str, device_time: datetime | None) -> GameOperation:
    row = write_operation(operation)
    row.game, row.step, row.device_time = game, step, device_time
    return row


def write_operation(operation: Operation) -> GameOperation:
    """Return an operation as it is kept."""
    return GameOperation(
        uid=operation.uid,
        number=operation.number,
        actor=operation.actor,
        side=operation.side,
        kind=operation.kind,
        key=operation.key,
        amount=operation.amount,
        text=operation.text,
    )


def _keep_state(game: Game, rules: GameRules, state: GameState) -> None:
    game.state = encode_state(state)
    game.updated = timezone.now()
    Game.objects.filter(pk=game.pk).update(last=game.last, state=game.state, updated=game.updated)
    if game.ended:
        keep_scores(game, rules, state)


def keep_scores(game: Game, rules: GameRules, state: GameState) -> None:
    """Note with each side what it has scored, for records to count."""
    for side, score in zip(game.sides.order_by("place"), score_sides(rules, state), strict=True):
        side.score = score.total
        side.save(update_fields=["score"])


def score_sides(rules: GameRules, state: GameState) -> list[SideScore]:
    return [score_side(rules.score, side) for side in state.sides]


def score_rows(game: Game, rows: Iterable[GameSide], rules: GameRules) -> list[SideScore]:
    """Return the scores of the sides, by what was tapped or as they were entered by hand."""
    if game.is_by_hand:
        return [SideScore(total=row.score or 0) for row in rows]
    return score_sides(rules, game.now)


# ---- dice and shuffling ---------------------------------------------------------------------------------------------


def settle_chance(operation: Operation, state: GameState, rules: GameRules) -> Operation:
    """Return an operation with what chance decided in it, so that going through it again gives the same.

    A device without a network shuffles by itself; dice for objectives are rolled here.
    """
    if operation.side is None:
        return operation
    side = state.sides[operation.side]
    if operation.kind == Kind.SHUFFLE and not operation.text:
        return replace(operation, text=_shuffle_cards(operation, side))
    if operation.kind == Kind.HAND:
        return _roll_for_hand(operation, side, rules)
    return operation


def _roll_for_hand(operation: Operation, side: SideState, rules: GameRules) -> Operation:
    """Return an act on a hand with the dice it takes; as it was where the mission knows no such act."""
    note = read_hand_note(operation.text)
    rolls: list[int] = []

    def roll(sides: int) -> int:
        rolls.append(roll_die(sides))
        return rolls[-1]

    # Played once for the dice alone: what comes of it is worked out when the operation is folded in.
    if note is None or rules.fold.play_hand(side, note, roll) is None:
        return operation
    return replace(operation, text=write_hand_note(replace(note, rolls=tuple(rolls))))


def _shuffle_cards(operation: Operation, side: SideState) -> str:
    """Return the cards of a pile in a new order: all of so many but those in hand, or those that were not in hand."""
    pile = side.piles.get(operation.key, Pile())
    cards = pile.draw + pile.discard
    if operation.amount:
        cards = list(range(min(operation.amount, MOST_CARDS)))
    drawn = [card for card in cards if card not in pile.hand]
    _dice.shuffle(drawn)
    return ",".join(map(str, drawn))
