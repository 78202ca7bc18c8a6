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
from typing import TypeVar

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
_STEP = re.compile(r"(?P<round>\d{1,9}):(?P<turn>[01])([:](?P<phase>.*))?", re.DOTALL)
_CARDS = re.compile(r"\d{1,3}(,\d{1,3}){0,119}")
HandAct = Callable[[HandRules, Hand, Mapping[str, str], Roll], Hand | Refused]
Entry = TypeVar("Entry", int, str)


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

    def get_pile(self, key: str) -> Pile:
        return self.piles.setdefault(key, Pile())


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

    def play_hand(self, side: SideState, note: HandNote, roll: Roll) -> Hand | Refused | None:
        """Return what an act makes of the hand of a side; None in a game that knows no such act."""
        act = self.acts.get(note.act)
        # A side that has not drawn yet has the hand that every game begins with.
        hand = side.hand or self.new_hand
        if act is None or hand is None or self.hand is None:
            return None
        return act(self.hand, hand, note.fields, roll)


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
    >>> read_step("3:1").phase, read_step("0:1:shooting").round
    ('', 1)
    >>> read_step("x")
    TableStep(round=1, turn=0, phase='')
    """
    step = _STEP.fullmatch(text)
    number = int(step["round"]) if step else 0
    if step is None or not 1 <= number <= MOST_AMOUNT:
        return TableStep()
    return TableStep(round=number, turn=int(step["turn"]), phase=step["phase"] or "")


def check_operation(operation: Operation) -> Refused | None:
    """Return `bad-change` for what no page of ours sends, None for what can be kept."""
    sound = _has_known_kind(operation) and _is_within_bounds(operation) and _has_readable_text(operation)
    return None if sound else Refused(code="bad-change", subject_id=operation.uid)


def _has_known_kind(operation: Operation) -> bool:
    # Piles and hands are of one side; both together have neither.
    if operation.side is None:
        return operation.kind in SHARED_KINDS
    return operation.kind in set(Kind) and operation.side in range(SIDES)


def _is_within_bounds(operation: Operation) -> bool:
    return (
        _KEY.fullmatch(operation.key) is not None
        and abs(operation.amount) <= MOST_AMOUNT
        and len(operation.text) <= TEXT_LENGTH
    )


def _has_readable_text(operation: Operation) -> bool:
    is_readable = _READABLE_TEXTS.get(operation.kind)
    return is_readable is None or is_readable(operation.text)


def _is_of_cards(text: str) -> bool:
    return _CARDS.fullmatch(text) is not None


def _is_of_shuffled_cards(text: str) -> bool:
    # Without cards the server shuffles.
    return text == "" or _is_of_cards(text)


def _is_hand_note(text: str) -> bool:
    return read_hand_note(text) is not None


_READABLE_TEXTS: dict[str, Callable[[str], bool]] = {
    Kind.DISCARD: _is_of_cards,
    Kind.RETURN: _is_of_cards,
    Kind.SHUFFLE: _is_of_shuffled_cards,
    Kind.HAND: _is_hand_note,
}


def read_hand_note(text: str) -> HandNote | None:
    """Return what an operation on a hand says; None for a text that is none."""
    try:
        return _note_decoder.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
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


def apply_operation(state: GameState, operation: Operation, rules: FoldRules = NO_RULES) -> None:
    """Change a state by one operation that is not an undo."""
    side = state.get_side(operation.side)
    change_side = _CHANGES.get(operation.kind)
    if change_side:
        change_side(side, operation, rules)


def _add_count(side: SideState, operation: Operation, _rules: FoldRules) -> None:
    _set_entry(side.counts, operation.key, side.counts.get(operation.key, 0) + operation.amount)


def _set_text(side: SideState, operation: Operation, _rules: FoldRules) -> None:
    _set_entry(side.texts, operation.key, operation.text)


def _shuffle_pile(side: SideState, operation: Operation, _rules: FoldRules) -> None:
    _shuffle_cards(side.get_pile(operation.key), _read_cards(operation))


def _draw_from_pile(side: SideState, operation: Operation, _rules: FoldRules) -> None:
    _draw_cards(side.get_pile(operation.key), max(operation.amount, 0))


def _discard_cards(side: SideState, operation: Operation, _rules: FoldRules) -> None:
    pile = side.get_pile(operation.key)
    pile.discard += _take_from_hand(pile, _read_cards(operation))


def _return_cards(side: SideState, operation: Operation, _rules: FoldRules) -> None:
    pile = side.get_pile(operation.key)
    pile.draw += _take_from_hand(pile, _read_cards(operation))


def _set_entry(entries: dict[str, Entry], key: str, value: Entry) -> None:
    """Set a counter or text; one at nothing is as if it had never been touched."""
    if value:
        entries[key] = value
    else:
        entries.pop(key, None)


def _read_cards(operation: Operation) -> list[int]:
    return [int(card) for card in operation.text.split(",") if card]


def _shuffle_cards(pile: Pile, cards: list[int]) -> None:
    """Make these the cards to draw from, in this order."""
    # Each card is in one place only: what is shuffled in leaves hand and discard.
    pile.draw = list(dict.fromkeys(cards))
    pile.hand = _leave_out(pile.hand, cards)
    pile.discard = _leave_out(pile.discard, cards)


def _draw_cards(pile: Pile, number: int) -> None:
    pile.hand, pile.draw = pile.hand + pile.draw[:number], pile.draw[number:]


def _take_from_hand(pile: Pile, cards: list[int]) -> list[int]:
    """Take cards out of a hand and return those that were in it."""
    # Two devices may lay the same card away; it goes once.
    taken = [card for card in cards if card in pile.hand]
    pile.hand = _leave_out(pile.hand, taken)
    return taken


def _leave_out(cards: list[int], gone: list[int]) -> list[int]:
    return [card for card in cards if card not in gone]


def _play_hand(side: SideState, operation: Operation, rules: FoldRules) -> None:
    note = read_hand_note(operation.text)
    played = rules.play_hand(side, note, replay_rolls(note.rolls)) if note else None
    if isinstance(played, Hand):
        side.hand = played


_CHANGES: dict[str, Callable[[SideState, Operation, FoldRules], None]] = {
    Kind.COUNT: _add_count,
    Kind.SET: _set_text,
    Kind.HAND: _play_hand,
    Kind.SHUFFLE: _shuffle_pile,
    Kind.DRAW: _draw_from_pile,
    Kind.DISCARD: _discard_cards,
    Kind.RETURN: _return_cards,
}
"""What an operation changes on a side, by its kind."""


def replay_rolls(rolls: Iterable[int]) -> Roll:
    """Return dice that show again what they showed; beyond that, and where a die has too few sides, the lowest."""
    shown: Iterator[int] = iter(rolls)

    def roll(sides: int) -> int:
        result = next(shown, 1)
        return result if 1 <= result <= sides else 1

    return roll
