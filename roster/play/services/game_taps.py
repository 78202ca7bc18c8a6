"""Check, order and store the taps of all sides, and the resulting state.

A device sends a tap until the server confirms it. A tap sent twice counts once; a late tap comes last.
"""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import replace as replace_undo
from datetime import UTC, datetime
from itertools import takewhile
from uuid import UUID, uuid4

import msgspec
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from msgspec.structs import replace

from catalogue.definitions.base import Definition
from roster.play.chance import derive_dice, new_seed, order_cards
from roster.play.game_course import GameCourse
from roster.play.game_state import (
    FIRST,
    INITIATIVE,
    LASTING_KINDS,
    MISSION,
    ROLL,
    STEP,
    FoldRules,
    GameState,
    Kind,
    Operation,
    Pile,
    TableStep,
    apply_operation,
    check_operation,
    encode_state,
    fold_operations,
    list_standing,
    parse_move,
    parse_step,
    read_hand_note,
)
from roster.play.models import Game, GameOperation, GameSide
from roster.play.models.games import NOTE_LENGTH
from roster.play.services.game_rules import GameRules, load_fold, load_rules, make_course
from roster.play.services.game_standings import close_game, keep_scores
from roster.play.services.game_units import find_highest, load_table_list
from roster.play.services.table_hands import NAME, settle_hand
from roster.services.limits import check_text
from roster.services.outcomes import Refused

MOST_OPERATIONS = 5_000
MOST_AT_ONCE = 500
MOST_CARDS = 120
MOST_ROLLS = 20
UNDO_DEPTH = 30
UNDO_FIELDS = ("uid", "kind", "key", "amount", "text", "side")
UNDOS = 12
"""How many taps a player can undo or redo offline."""
HELD = 200
"""How many of the last taps of all sides a state names."""
HELD_LETTERS = 8
STATE_KINDS = frozenset({Kind.HAND, Kind.STEP, Kind.SET})
"""Kinds that may depend on the state after an undo in the same batch."""
LATEST = datetime.max.replace(tzinfo=UTC).timestamp() / 2
_dice = secrets.SystemRandom()


class SentTap(Definition, forbid_unknown_fields=False):
    """A tap as a device or program sends it; `at` is the device's clock in milliseconds, which may be wrong."""

    id: str
    kind: str
    key: str = ""
    amount: int = 0
    text: str = ""
    side: int | None = None
    at: float = 0


class SentTaps(Definition, forbid_unknown_fields=False):
    """The taps that the server has not confirmed yet, in order."""

    taps: tuple[SentTap, ...] = ()


_taps_decoder = msgspec.json.Decoder(SentTaps)


@dataclass(frozen=True, slots=True)
class SentOperation:
    operation: Operation
    device_time: datetime | None = None


@dataclass(frozen=True, slots=True)
class Undoable:
    """`before` is the text that the tap replaced, if known."""

    operation: Operation
    before: str


@dataclass(frozen=True, slots=True)
class Redoable:
    """An undone tap. Undoing the operation `undo_id` redoes it."""

    undo_id: str
    operation: Operation


@dataclass(frozen=True, slots=True)
class LastTaps:
    """What a side can undo and redo, newest first."""

    undos: Sequence[Undoable] = ()
    redos: Sequence[Redoable] = ()


@dataclass(frozen=True, slots=True)
class TapReceipt:
    """Each operation's number, or why it was refused, by sent id."""

    game: Game
    numbers: Mapping[str, int]
    refused: Mapping[str, Refused]


def list_operations(game: Game) -> list[Operation]:
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
    """Store a side's new operations; invalid operations are refused one by one.

    Operations from before the game's end are stored even if they arrive later.
    """
    # Locked, so that numbers have no gaps and the state includes the last operation.
    held = Game.objects.select_for_update().select_related("version").get(pk=game.pk)
    sound = [one.operation.uid for one in sent if is_uid(one.operation.uid)]
    rows = held.operations.filter(Q(uid__in=sound) | Q(number=0)).values_list("uid", "number")
    numbers = {str(uid): number for uid, number in rows if number}
    course = make_course(held, load_rules(held))

    refused: dict[str, Refused] = {}
    new: dict[str, SentOperation] = {}
    for one in sent:
        uid = one.operation.uid
        if uid in numbers or uid in new:
            continue
        problem = _check_new(held, place, one.operation, len(new), course)
        if problem:
            refused[uid] = problem
        else:
            new[uid] = one
    if new:
        if all(number for _uid, number in rows):
            _add_beginning(held, course)
        stored, unsettled = _store_operations(held, place, list(new.values()))
        numbers |= stored
        refused |= unsettled
        for end in (new[uid].operation for uid in stored if new[uid].operation.kind == Kind.END):
            # The first end counts. A reopened game is ended on its page.
            notes = check_text(end.text or held.notes, NOTE_LENGTH, lines=True)
            if held.ended is None and isinstance(notes, str):
                close_game(held, notes, end.side)
    return TapReceipt(game=held, numbers=numbers, refused=refused)


def read_sent_taps(body: bytes) -> list[SentOperation] | None:
    """Read taps from JSON, or return None if it is invalid."""
    try:
        taps = _taps_decoder.decode(body).taps
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
    if len(taps) > MOST_AT_ONCE:
        return None
    sent = []
    for tap in taps:
        operation = Operation(uid=tap.id, kind=tap.kind, key=tap.key, amount=tap.amount, text=tap.text, side=tap.side)
        # Clocks may be wrong, so the server's order counts.
        is_time = 0 < tap.at / 1000 < LATEST
        sent.append(SentOperation(operation, datetime.fromtimestamp(tap.at / 1000, UTC) if is_time else None))
    return sent


def is_uid(text: str) -> bool:
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False


def list_played_places(game: Game) -> frozenset[int]:
    """Return the places with their own device."""
    seated = game.sides.filter(seats__isnull=False).values_list("place", flat=True)
    return frozenset({0, *seated})


def list_tapped_places(game: Game, place: int) -> frozenset[int]:
    return frozenset(range(game.sides.count())) - list_played_places(game) | {place}


def write_beginning(game: Game, course: GameCourse) -> GameOperation:
    beginning = Operation(
        uid=str(uuid4()), kind=Kind.BEGIN, key="game", text=str(course.beginning), amount=course.sides
    )
    row = write_operation(beginning)
    row.game, row.step = game, beginning.text
    return row


def _add_beginning(game: Game, course: GameCourse) -> None:
    """Add the first operation, which old games lack."""
    write_beginning(game, course).save()
    game.state = encode_state(fold_operations(list_operations(game), load_fold(game, load_rules(game))))


def deal_decks(game: Game, side: GameSide) -> None:
    rows = []
    for number, deck in enumerate(load_table_list(side).decks):
        cards = list(range(min(sum(line.count for line in deck.lines), MOST_CARDS)))
        _dice.shuffle(cards)
        dealt = Operation(
            uid=str(uuid4()), kind=Kind.DEAL, key=f"d{number}", text=",".join(map(str, cards)), side=side.place
        )
        rows.append(SentOperation(dealt))
    if rows:
        _store_operations(game, side.place, rows)


def _check_new(game: Game, place: int, operation: Operation, before: int, course: GameCourse) -> Refused | None:
    if game.is_by_hand or not is_uid(operation.uid):
        return Refused(code="bad-change", subject_id=operation.uid)
    if game.last + before >= MOST_OPERATIONS:
        return Refused(code="too-many", measured=game.last + before, allowed=MOST_OPERATIONS)
    # Another player taps for a side without a device. The opponent names objectives.
    is_foreign = operation.side not in (None, place) and not _names_objective(operation)
    if is_foreign and operation.side in list_played_places(game):
        return Refused(code="other-side", subject_id=operation.uid)
    if operation.kind == Kind.UNDO:
        # A tap of the same batch belongs to this side.
        foreign = game.operations.filter(~Q(actor=place) | Q(kind__in=LASTING_KINDS))
        if not is_uid(operation.key) or foreign.filter(uid=operation.key).exists():
            return Refused(code="nothing-to-undo", subject_id=operation.uid)
    if operation.kind == Kind.SET and operation.key == FIRST and operation.side is None:
        beginnings = [str(course.begin_with(place)) for place in range(course.sides)]
        if operation.text not in beginnings:
            return Refused(code="bad-change", subject_id=operation.uid)
    if operation.kind == Kind.SET and operation.key == MISSION:
        rules = load_rules(game)
        is_known = rules.table.own_missions and operation.text in ("", *rules.play.missions)
        if operation.side is None or not is_known:
            return Refused(code="bad-change", subject_id=operation.uid)
    return check_operation(operation, course.sides)


def _names_objective(operation: Operation) -> bool:
    note = read_hand_note(operation.text) if operation.kind == Kind.HAND else None
    return note is not None and note.act == NAME


def read_last_taps(game: Game, place: int) -> LastTaps:
    depth = UNDO_DEPTH
    while True:
        # Plain values, because every response to a tap includes this.
        taps = game.operations.filter(actor=place).exclude(kind__in=LASTING_KINDS).order_by("-number")
        rows = taps.values_list(*UNDO_FIELDS)[:depth]
        operations = [
            Operation(uid=str(uid), kind=kind, key=key, amount=amount, text=text, side=side)
            for uid, kind, key, amount, text, side in rows
        ]
        operations.reverse()
        standing = list_standing(operations)
        # Undone taps and their undos are rows too, so read more until there are enough.
        if len(standing) >= UNDOS or len(operations) < depth:
            break
        depth *= 4

    course = make_course(game, load_rules(game))
    before: dict[tuple[int | None, str], str] = {(None, FIRST): str(course.begin_with(game.first))}
    undos = []
    for operation in standing:
        place_of_text = operation.side, operation.key
        undos.append(Undoable(operation, before.get(place_of_text, "")))
        if operation.kind == Kind.SET:
            before[place_of_text] = operation.text
    return LastTaps(_list_seen(undos[::-1], game.now.step)[:UNDOS], _list_redos(operations))


def _list_seen(undos: Iterable[Undoable], step: TableStep) -> list[Undoable]:
    """Drop steps that the game has left or never took, because undoing them would show nothing."""
    seen = []
    for undo in undos:
        move = parse_move(undo.operation.text) if undo.operation.kind == Kind.STEP else None
        if move is None:
            seen.append(undo)
        elif undo.operation.amount and move[1] == step:
            step = move[0]
            seen.append(replace_undo(undo, before=str(step)))
    return seen


def list_held(game: Game, limit: int | None = None) -> list[str]:
    """List the first characters of the ids of all or the last taps, newest first."""
    rows = game.operations.filter(number__gt=0).order_by("-number")
    return [str(uid)[:HELD_LETTERS] for uid in rows.values_list("uid", flat=True)[:limit]]


def _list_redos(operations: Sequence[Operation]) -> list[Redoable]:
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


def _store_operations(
    game: Game, place: int, new: Sequence[SentOperation]
) -> tuple[dict[str, int], dict[str, Refused]]:
    rules = load_rules(game)
    fold = load_fold(game, rules)
    state = game.now
    rows: list[GameOperation] = []
    refused: dict[str, Refused] = {}
    is_stale = False
    for one in new:
        fits_at = _find_hand_over(game, rows, one.operation) if rules.table.turns else None
        if is_stale and (fits_at or one.operation.kind in STATE_KINDS):
            state, is_stale = _fold_game(game, rows, fold), False
        if fits_at and fits_at != state.step:
            refused[one.operation.uid] = Refused(code="nothing-to-undo", subject_id=one.operation.uid)
            continue
        operation = settle_step(one.operation, state.step, make_course(game, rules, state))
        if not isinstance(operation, Refused):
            operation = settle_chance(game, operation, place, state, rules)
        if isinstance(operation, Refused):
            refused[one.operation.uid] = operation
            continue
        operation = replace(operation, actor=place, number=game.last + len(rows) + 1)
        row = write_operation(operation)
        row.game, row.step, row.device_time = game, str(state.step), one.device_time
        rows.append(row)
        if _is_undo(operation):
            is_stale = True
        else:
            apply_operation(state, operation, fold)
    if not rows:
        return {}, refused
    if is_stale:
        state = _fold_game(game, rows, fold)
    GameOperation.objects.bulk_create(rows)

    game.last = rows[-1].number
    game.state = encode_state(state)
    game.updated = timezone.now()
    Game.objects.filter(pk=game.pk).update(last=game.last, state=game.state, updated=game.updated, seed=game.seed)
    if game.ended:
        keep_scores(game, rules, state)
    return {str(row.uid): row.number for row in rows}, refused


def _fold_game(game: Game, new: Iterable[GameOperation], fold: FoldRules) -> GameState:
    """Compute the state from all operations, because only that restores what an undone tap replaced."""
    return fold_operations([*list_operations(game), *map(read_operation, new)], fold)


def write_operation(operation: Operation) -> GameOperation:
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


def _roll_initiative(game: Game, operation: Operation, state: GameState, rules: GameRules) -> Operation | Refused:
    """Return the dice of all sides with what their units add, such as `12+2 7`."""
    roll, number = rules.table.initiative, operation.key.removeprefix(ROLL)
    if roll is None or not roll.die or not (number.isdecimal() and roll.first <= int(number) <= MOST_OPERATIONS):
        return Refused(code="bad-change", subject_id=operation.uid)
    game.seed = game.seed or new_seed()
    rows = game.sides.select_related("version").order_by("place")
    added = [
        find_highest(load_table_list(row).units, side, roll.ability)
        for row, side in zip(rows, state.sides, strict=True)
    ]
    dice = [derive_dice(game.seed, place, int(number)) for place in range(len(state.sides))]
    rolled = [0] * len(state.sides)
    # Reroll ties.
    for attempt in range(1, MOST_ROLLS + 1):
        rolled = [one(roll.die, f"initiative {attempt}") for one in dice]
        if len({result + more for result, more in zip(rolled, added, strict=True)}) == len(state.sides):
            break
    words = [f"{result}+{more}" if more else str(result) for result, more in zip(rolled, added, strict=True)]
    return replace(operation, text=" ".join(words))


def _find_hand_over(game: Game, new: Iterable[GameOperation], operation: Operation) -> TableStep | None:
    """Return the step at which a hand-over of the first turn can be undone or redone, or None for other operations.

    Later, another order of turns would skip a turn.
    """
    rows_by_id, target, undos = {str(row.uid): row for row in new}, operation, 0
    while _is_undo(target):
        row = rows_by_id.get(target.key) or game.operations.filter(uid=target.key).first()
        if row is None:
            return None
        target, undos = read_operation(row), undos + 1
    move = parse_move(target.text) if target.kind == Kind.STEP and target.key != STEP and target.amount else None
    if move is None or not undos:
        return None
    # The undo of an undo is a redo.
    return move[undos % 2]


def settle_step(operation: Operation, step: TableStep, course: GameCourse) -> Operation | Refused:
    """Return a step whose amount says whether the game takes it: only if it starts at the current step.

    Devices of the previous version send only a step's end. Such steps only move forward. Older ones also set who goes
    first in a round or in the game, which hands over the turn if it is the first of the round or the game.
    """
    if operation.kind == Kind.STEP:
        return _settle_move(operation, step, course)
    if operation.kind == Kind.SET and operation.key == FIRST and operation.side is None and course.turns:
        is_first = step == course.beginning
        return replace(operation, kind=Kind.STEP, text=f"{step} {operation.text}", amount=int(is_first))
    if operation.kind == Kind.SET and operation.key.startswith(INITIATIVE) and course.turns:
        number = int(operation.key.removeprefix(INITIATIVE))
        if number > step.round:
            return operation
        handed = replace(step, turn=int(operation.text or course.first))
        is_first = number == step.round and step.turn == course.find_first(number)
        return replace(operation, kind=Kind.STEP, text=f"{step} {handed}", amount=int(is_first))
    if operation.kind == Kind.SET and operation.key == STEP and operation.side is None:
        end = parse_step(operation.text)
        is_taken = end is not None and course.has(end) and course.is_ahead(end, step)
        return replace(operation, kind=Kind.STEP, text=f"{step} {end or step}", amount=int(is_taken))
    return operation


def _settle_move(operation: Operation, step: TableStep, course: GameCourse) -> Operation | Refused:
    refused = Refused(code="bad-change", subject_id=operation.uid)
    move = parse_move(operation.text)
    if move is None:
        return refused
    start, end = move
    if operation.key == STEP:
        return replace(operation, amount=int(start == step)) if course.has(end) else refused
    if not course.turns or end.turn >= course.sides:
        return refused
    if operation.key == FIRST:
        # Later, another order of turns would skip a turn.
        return replace(operation, amount=int(start == step == course.beginning))
    is_first = start.turn == course.find_first(start.round)
    return replace(operation, amount=int(start == step and is_first))


# ---- dice and shuffling ---------------------------------------------------------------------------------------------


def settle_chance(
    game: Game, operation: Operation, actor: int, state: GameState, rules: GameRules
) -> Operation | Refused:
    """Return an operation with its random results, so that recomputing the state repeats them.

    Offline devices shuffle by themselves; other dice come from the game's seed.
    """
    if operation.side is None:
        is_roll = operation.kind == Kind.SET and operation.key.startswith(ROLL) and operation.text
        return _roll_initiative(game, operation, state, rules) if is_roll else operation
    if operation.kind == Kind.HAND:
        # A game that is older than seeds gets one now.
        game.seed = game.seed or new_seed()
        return settle_hand(game, operation, actor, list_played_places(game), state, rules)
    if operation.kind != Kind.SHUFFLE or operation.text:
        return operation
    # With an amount, shuffle the whole deck, else the draw and discard piles; never the hand.
    pile = state.sides[operation.side].piles.get(operation.key, Pile())
    cards = pile.draw + pile.discard
    if operation.amount:
        cards = list(range(min(operation.amount, MOST_CARDS)))
    drawn = [card for card in cards if card not in pile.hand]
    # Ordered by the shuffle's number, so that undo and redo keep the order.
    game.seed = game.seed or new_seed()
    ordered = order_cards(game.seed, operation.side, operation.key, drawn, pile.shuffled)
    return replace(operation, text=",".join(map(str, ordered)))
