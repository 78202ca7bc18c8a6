"""The state that the taps of a game lead to. Pure: operations in server order in, a state out.

An operation says what was done, never how things stand afterwards: a counter goes up or down by so many, a text is
set, cards are drawn, a tap is taken back. So two devices that tap at the same time overwrite nothing. What makes no
sense any more, such as drawing from an empty pile, changes nothing and is never an error: it was done on a device that
did not know better yet.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import msgspec

from catalogue.definitions.base import Definition
from roster.engine.edits import Refused
from roster.play.objective_hand import Hand, HandRules, Roll

KEY_LENGTH = 160
TEXT_LENGTH = 600
MOST_AMOUNT = 1_000
SIDES = 2
STEP = "step"
"""The key of what is played now, as `round:place of the side whose turn it is:phase`."""
_KEY = re.compile(rf"[\w.:'+-]{{1,{KEY_LENGTH}}}")
_CARDS = re.compile(r"\d{1,3}(,\d{1,3}){0,119}")
HandAct = Callable[[HandRules, Hand, Mapping[str, str], Roll], Hand | Refused]


class Kind(StrEnum):
    """What an operation does."""

    COUNT = "count"
    SET = "set"
    SHUFFLE = "shuffle"
    DRAW = "draw"
    DISCARD = "discard"
    RETURN = "return"
    HAND = "hand"
    UNDO = "undo"


SECRET_KINDS = frozenset({Kind.SHUFFLE, Kind.DRAW, Kind.DISCARD, Kind.RETURN, Kind.HAND})
"""What the other side is told of, without the cards and objectives in it."""
SHARED_KINDS = frozenset({Kind.SET, Kind.COUNT, Kind.UNDO})
"""What may be about both sides."""


class Operation(Definition):
    """One tap. `side` is the place of the side it is about, None for both; `actor` that of the side that made it.

    `key` names the counter, text or pile; for an undo it is the `uid` of what is taken back.
    """

    uid: str
    kind: str
    key: str = ""
    amount: int = 0
    text: str = ""
    side: int | None = None
    actor: int = 0
    number: int = 0


class HandNote(Definition):
    """What an operation on a hand of objectives says: the act, what it is about, and the dice rolled for it."""

    act: str
    fields: Mapping[str, str] = {}
    rolls: tuple[int, ...] = ()


class Pile(msgspec.Struct, omit_defaults=True):
    """A deck that is played: cards by their place in the list, the next one first."""

    draw: list[int] = []
    hand: list[int] = []
    discard: list[int] = []


class SideState(msgspec.Struct, omit_defaults=True):
    """What one side keeps, or both together."""

    counts: dict[str, int] = {}
    texts: dict[str, str] = {}
    piles: dict[str, Pile] = {}
    hand: Hand | None = None

    def sum_counts(self, prefix: str) -> int:
        return sum(count for key, count in self.counts.items() if key.startswith(prefix))


class GameState(msgspec.Struct, omit_defaults=True):
    """How a game stands: what is common to both sides, and each of them."""

    shared: SideState = msgspec.field(default_factory=SideState)
    sides: list[SideState] = msgspec.field(default_factory=lambda: [SideState() for _ in range(SIDES)])

    @property
    def step(self) -> "TableStep":
        return read_step(self.shared.texts.get(STEP, ""))

    def get_side(self, place: int | None) -> SideState:
        return self.shared if place is None else self.sides[place]


class TableStep(Definition):
    """What is played now: the round from 1, the place of the side whose turn it is, the id of the phase."""

    round: int = 1
    turn: int = 0
    phase: str = ""

    def __str__(self) -> str:
        return f"{self.round}:{self.turn}:{self.phase}"


@dataclass(frozen=True, slots=True)
class FoldRules:
    """What folding needs to know of a game: how a hand of objectives is played. `acts` by the word of the operation."""

    hand: HandRules | None = None
    acts: Mapping[str, HandAct] = field(default_factory=dict)
    new_hand: Hand | None = None


_state_decoder = msgspec.json.Decoder(GameState)
_note_decoder = msgspec.json.Decoder(HandNote)
NO_RULES = FoldRules()


def decode_state(document: str) -> GameState:
    return _state_decoder.decode(document)


def encode_state(state: GameState) -> str:
    return msgspec.json.encode(state).decode()


def read_step(text: str) -> TableStep:
    """Read a step; one that makes no sense is the first.

    >>> read_step("3:1:shooting")
    TableStep(round=3, turn=1, phase='shooting')
    >>> read_step("x")
    TableStep(round=1, turn=0, phase='')
    """
    number, _, rest = text.partition(":")
    turn, _, phase = rest.partition(":")
    if not (number.isdecimal() and 1 <= int(number) <= MOST_AMOUNT and turn in ("0", "1")):
        return TableStep()
    return TableStep(round=int(number), turn=int(turn), phase=phase)


def check_operation(operation: Operation) -> Refused | None:
    """Return `bad-change` for what no page of ours sends, None for what can be kept."""
    # Piles and hands are of one side; both together have neither.
    kinds = set(Kind) if operation.side is not None else SHARED_KINDS
    sound = (
        operation.kind in kinds
        and operation.side in (None, *range(SIDES))
        and bool(_KEY.fullmatch(operation.key))
        and abs(operation.amount) <= MOST_AMOUNT
        and len(operation.text) <= TEXT_LENGTH
        and _has_readable_text(operation)
    )
    return None if sound else Refused(code="bad-change", subject_id=operation.uid)


def _has_readable_text(operation: Operation) -> bool:
    if operation.kind in (Kind.DISCARD, Kind.RETURN):
        return bool(_CARDS.fullmatch(operation.text))
    if operation.kind == Kind.SHUFFLE:
        # Without cards the server shuffles.
        return not operation.text or bool(_CARDS.fullmatch(operation.text))
    return operation.kind != Kind.HAND or read_hand_note(operation.text) is not None


def read_hand_note(text: str) -> HandNote | None:
    """Return what an operation on a hand says; None for a text that is none."""
    try:
        return _note_decoder.decode(text)
    except (msgspec.DecodeError, msgspec.ValidationError):
        return None


def write_hand_note(note: HandNote) -> str:
    return msgspec.json.encode(note).decode()


def fold_operations(operations: Sequence[Operation], rules: FoldRules = NO_RULES) -> GameState:
    """Return what operations come to, in their order and without those that were taken back."""
    state = GameState()
    for operation in list_standing(operations):
        apply_operation(state, operation, rules)
    return state


def list_standing(operations: Sequence[Operation]) -> list[Operation]:
    """Return the operations that were not taken back. An undo can be taken back as well."""
    undone: set[str] = set()
    standing = []
    # Backwards: an undo that was itself taken back is met after what took it back, and does nothing.
    for operation in reversed(operations):
        if operation.uid in undone:
            continue
        if operation.kind == Kind.UNDO:
            undone.add(operation.key)
        else:
            standing.append(operation)
    return standing[::-1]


def find_undoable(operations: Sequence[Operation], place: int) -> Operation | None:
    """Return the last operation of a side that stands: what its undo takes back."""
    mine = (operation for operation in reversed(list_standing(operations)) if operation.actor == place)
    return next(mine, None)


def apply_operation(state: GameState, operation: Operation, rules: FoldRules = NO_RULES) -> None:
    """Change a state by one operation that is not an undo."""
    side = state.get_side(operation.side)
    if operation.kind == Kind.COUNT:
        _count(side.counts, operation)
    elif operation.kind == Kind.SET:
        _set(side.texts, operation)
    elif operation.kind == Kind.HAND:
        _play_hand(side, operation, rules)
    elif operation.kind in SECRET_KINDS:
        _move_cards(side.piles.setdefault(operation.key, Pile()), operation)


def _count(counts: dict[str, int], operation: Operation) -> None:
    count = counts.get(operation.key, 0) + operation.amount
    # A counter at nothing is as if it had never been touched.
    if count:
        counts[operation.key] = count
    else:
        counts.pop(operation.key, None)


def _set(texts: dict[str, str], operation: Operation) -> None:
    if operation.text:
        texts[operation.key] = operation.text
    else:
        texts.pop(operation.key, None)


def _move_cards(pile: Pile, operation: Operation) -> None:
    """Shuffle these cards to draw from, draw so many, lay one of the hand away, or put it under the pile."""
    if operation.kind == Kind.SHUFFLE:
        cards = [int(card) for card in operation.text.split(",") if card]
        # Each card is in one place only: what is shuffled in leaves hand and discard.
        pile.draw = list(dict.fromkeys(cards))
        pile.hand = _leave_out(pile.hand, cards)
        pile.discard = _leave_out(pile.discard, cards)
    elif operation.kind == Kind.DRAW:
        number = max(operation.amount, 0)
        pile.hand, pile.draw = pile.hand + pile.draw[:number], pile.draw[number:]
    else:
        # Two devices may lay the same card away; it goes once.
        discarded = [int(card) for card in operation.text.split(",") if int(card) in pile.hand]
        pile.hand = _leave_out(pile.hand, discarded)
        target = pile.discard if operation.kind == Kind.DISCARD else pile.draw
        target += discarded


def _leave_out(cards: list[int], gone: list[int]) -> list[int]:
    return [card for card in cards if card not in gone]


def _play_hand(side: SideState, operation: Operation, rules: FoldRules) -> None:
    note = read_hand_note(operation.text)
    act = rules.acts.get(note.act) if note else None
    hand = side.hand or rules.new_hand
    if note is None or act is None or rules.hand is None or hand is None:
        return
    played = act(rules.hand, hand, note.fields, replay_rolls(note.rolls))
    if not isinstance(played, Refused):
        side.hand = played


def replay_rolls(rolls: Iterable[int]) -> Roll:
    """Return dice that show again what they showed; beyond that, and where a die has too few sides, the lowest."""
    shown: Iterator[int] = iter(rolls)

    def roll(sides: int) -> int:
        result = next(shown, 1)
        return result if 1 <= result <= sides else 1

    return roll
