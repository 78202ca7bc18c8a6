"""Compute a game's state from its operations in server order.

An operation says what a player did, never the result, so simultaneous taps overwrite nothing. An outdated operation
changes nothing. The first operation begins the game, so operations give the whole state.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeVar

import msgspec

from catalogue.definitions.base import Definition
from catalogue.definitions.table_rules import TokenCapture
from roster.engine.edits import Refused
from roster.play.losses import COMMANDER, UnitStakes, count_cards, is_commander_lost
from roster.play.objective_hand import Hand, HandRules, Roll

KEY_LENGTH = 160
TEXT_LENGTH = 600
MOST_AMOUNT = 1_000
MOST_SUM = 9_999
SIDES = 2
MOST_SIDES = 4
RESULT = "result"
"""Key of a side's confirmed result: the points of all sides, separated by colons."""
FIRST = "first"
"""Key of the first step, whose turn belongs to the side that goes first, and of steps that change it."""
STEP = "step"
"""Key of the current step, as `round:place of the side whose turn it is:phase`."""
INITIATIVE = "initiative:"
"""Key prefix, by round: the place that goes first. If sides take turns, a step with this key hands the turn over."""
ROLL = "roll:"
"""Key prefix, by round: the server's dice for initiative."""
PLACES = tuple(str(place) for place in range(MOST_SIDES))
SETUP = "setup:"
"""Key prefix, by step number: finished set-up steps."""
SCORE = "score:"
"""Key prefix, by score line and round: points."""
LINE = "line:"
"""Key prefix, by line id and round: how often a line was scored."""
GONE = "gone:"
"""Key prefix, by capture id: tokens that left the game without being captured."""
MISSION = "mission"
"""Key of the id of a side's own mission."""
OUT = "out"
"""Key of the text that marks a side as out, regardless of its list."""
_KEY = re.compile(rf"[\w.:'+-]{{1,{KEY_LENGTH}}}")
_STEP = re.compile(r"(?P<round>\d{1,9}):(?P<turn>[0-3])([:](?P<phase>.*))?", re.DOTALL)
_CAPTURED = re.compile(rf"{SCORE}(?P<capture>.+)\.(?P<victim>[0-3]):\d{{1,4}}")
_CARDS = re.compile(r"\d{1,3}(,\d{1,3}){0,119}")
_TICK = re.compile(r"(\d{1,4}) (\d{1,4})")
Ends = Mapping[str, tuple[int, int]]
HandAct = Callable[[HandRules, Hand, Mapping[str, str], Roll], Hand | Refused]
Entry = TypeVar("Entry", int, str)


class Kind(StrEnum):
    BEGIN = "begin"
    STEP = "step"
    TICK = "tick"
    COUNT = "count"
    SET = "set"
    DEAL = "deal"
    SHUFFLE = "shuffle"
    DRAW = "draw"
    DISCARD = "discard"
    RETURN = "return"
    HAND = "hand"
    END = "end"
    UNDO = "undo"


SECRET_KINDS = frozenset({Kind.DEAL, Kind.SHUFFLE, Kind.DRAW, Kind.DISCARD, Kind.RETURN, Kind.HAND})
"""Kinds that hide their details from other sides."""
SHARED_KINDS = frozenset({Kind.STEP, Kind.SET, Kind.COUNT, Kind.END, Kind.UNDO})
SERVER_KINDS = frozenset({Kind.BEGIN, Kind.DEAL})
LASTING_KINDS = SERVER_KINDS | {Kind.END}
SENT_KINDS = frozenset(Kind) - SERVER_KINDS


class Operation(Definition):
    """One tap by the side at `actor`. `side` is the place that it concerns, None for all.

    `key` names the counter, text or pile; for an undo, the `uid` of the undone tap. By kind:

    * step: `text` is the steps from and to; `amount` is 1 if the game takes the step, else 0. The `key` is STEP, or if
      the side of the second step goes first, FIRST for the game and INITIATIVE with the round for a round.
    * tick: `text` is the number of ticked boxes before and after.
    * begin: `number` is 0, `text` the first step, `amount` the number of sides.
    * count: a `text` is a key for which only one operation counts.
    * end: `text` holds the notes. If there is a `side`, it conceded.
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
    act: str
    fields: Mapping[str, str] = {}
    rolls: tuple[int, ...] = ()


class Pile(msgspec.Struct, omit_defaults=True):
    """A deck in play: cards by their position in the list, the next card first."""

    draw: list[int] = []
    hand: list[int] = []
    discard: list[int] = []
    shuffled: int = 0


class SideState(msgspec.Struct, omit_defaults=True):
    counts: dict[str, int] = {}
    texts: dict[str, str] = {}
    piles: dict[str, Pile] = {}
    hand: Hand | None = None

    def get_pile(self, key: str) -> Pile:
        return self.piles.setdefault(key, Pile())


class GameState(msgspec.Struct, omit_defaults=True):
    shared: SideState = msgspec.field(default_factory=SideState)
    sides: list[SideState] = msgspec.field(default_factory=lambda: [SideState() for _ in range(SIDES)])

    @property
    def step(self) -> "TableStep":
        return read_step(self.shared.texts.get(STEP, ""))

    @property
    def firsts(self) -> dict[int, int]:
        """The places that go first, by round, if players have set them."""
        notes = {
            key.removeprefix(INITIATIVE): text for key, text in self.shared.texts.items() if key.startswith(INITIATIVE)
        }
        return {int(number): int(text) for number, text in notes.items() if number.isdecimal() and text in PLACES}

    def get_side(self, place: int | None) -> SideState:
        return self.shared if place is None else self.sides[place]

    def count_captured(self, capture: TokenCapture, place: int) -> dict[int, int]:
        """Count a side's captured tokens by their owner's place."""
        captured: dict[int, int] = {}
        for key, count in self.sides[place].counts.items():
            victim = find_victim(capture, place, key)
            if victim is not None and key.startswith(SCORE):
                captured[victim] = captured.get(victim, 0) + count
        return captured

    def count_tokens_gone(self, capture: TokenCapture, place: int) -> int:
        captured = sum(self.count_captured(capture, other).get(place, 0) for other in range(len(self.sides)))
        return captured + self.sides[place].counts.get(f"{GONE}{capture.id}", 0)


class TableStep(Definition):
    """The round from 1, the place of the side whose turn it is, and the phase's id."""

    round: int = 1
    turn: int = 0
    phase: str = ""

    def __str__(self) -> str:
        return f"{self.round}:{self.turn}:{self.phase}"


@dataclass(frozen=True, slots=True)
class FoldRules:
    """The rules that the state depends on.

    `ends` are ranges of each side's counters by key. `times` is how often a score line counts at one time, by id; lines
    in `owed` may go below zero. `purse` pays for stratagems. `units` are each side's losses with its units, `resources`
    the counters that units add to, `empty_marks` the marks of units that no longer add anything.
    """

    hand: HandRules | None = None
    acts: Mapping[str, HandAct] = field(default_factory=dict)
    new_hand: Hand | None = None
    purse: str = ""
    ends: tuple[Ends, ...] = ()
    times: Mapping[str, int] = field(default_factory=dict)
    owed: frozenset[str] = frozenset()
    capture: TokenCapture | None = None
    teams: int = 0
    units: tuple[tuple[UnitStakes, ...], ...] = ()
    resources: tuple[str, ...] = ()
    empty_marks: tuple[str, ...] = ()

    def bound(self, state: "GameState", place: int | None, key: str, value: int) -> int:
        low, high = -MOST_SUM, MOST_SUM
        if key.removeprefix(SCORE).rpartition(":")[0] in self.owed:
            return min(max(value, low), high)
        counts = state.get_side(place).counts
        victim = find_victim(self.capture, place, key) if self.capture else None
        if self.capture and victim is not None:
            # A side cannot lose more tokens than it has, and allies take none.
            is_enemy = place is not None and victim < len(state.sides) and not are_allies(self.teams, place, victim)
            low, high = 0, 0
            if is_enemy or key.startswith(GONE):
                others = state.count_tokens_gone(self.capture, victim) - counts.get(key, 0)
                high = max(0, self.capture.tokens - others)
        elif key.startswith(SCORE):
            # A round may take back earlier points, but no more than the item brought.
            item, _, number = key.rpartition(":")
            earlier = [points for other, points in counts.items() if other != key and other.rpartition(":")[0] == item]
            low = -sum(earlier) if number.isdecimal() else 0
        elif key.startswith(LINE):
            low, high = 0, self.times.get(key.removeprefix(LINE).rpartition(":")[0], high)
        elif place is not None and place < len(self.ends):
            low, high = self.ends[place].get(key, (low, high))
        return min(max(value, low), high)

    def count_gone(self, units: Sequence[UnitStakes], side: SideState, resource: str) -> int:
        """Return how much of a resource was lost with units; negative for a gain."""
        return count_cards(units, side, resource, self.empty_marks) - count_cards(units, SideState(), resource)

    def play_hand(self, side: SideState, note: HandNote, roll: Roll) -> Hand | Refused | None:
        """Return the hand after an action, or None for an unknown action or without a hand."""
        act = self.acts.get(note.act)
        hand = side.hand or self.new_hand
        if act is None or hand is None or self.hand is None:
            return None
        return act(self.hand, hand, note.fields, roll)


def are_allies(teams: int, place: int, other: int) -> bool:
    """Return whether two places are equal or in one team. Teams take alternate places.

    >>> are_allies(2, 1, 3), are_allies(2, 1, 2), are_allies(0, 1, 3), are_allies(0, 3, 3)
    (True, False, False, True)
    """
    return place % teams == other % teams if teams else place == other


def find_victim(capture: TokenCapture, place: int | None, key: str) -> int | None:
    """Return the place whose tokens a counter counts, or None for another counter."""
    if key == f"{GONE}{capture.id}":
        return place
    match = _CAPTURED.fullmatch(key)
    return int(match["victim"]) if match and match["capture"] == capture.id else None


_state_decoder = msgspec.json.Decoder(GameState)
_note_decoder = msgspec.json.Decoder(HandNote)
NO_RULES = FoldRules()


def decode_state(document: str) -> GameState:
    return _state_decoder.decode(document)


def encode_state(state: GameState) -> str:
    return msgspec.json.encode(state).decode()


def read_step(text: str) -> TableStep:
    """Return the step in a text, or the first step if the text is invalid.

    >>> read_step("3:1:shooting")
    TableStep(round=3, turn=1, phase='shooting')
    >>> read_step("3:1").phase, read_step("0:1:shooting").round
    ('', 1)
    >>> read_step("x")
    TableStep(round=1, turn=0, phase='')
    """
    return parse_step(text) or TableStep()


def parse_step(text: str) -> TableStep | None:
    step = _STEP.fullmatch(text)
    number = int(step["round"]) if step else 0
    if step is None or not 1 <= number <= MOST_AMOUNT:
        return None
    return TableStep(round=number, turn=int(step["turn"]), phase=step["phase"] or "")


def parse_move(text: str) -> tuple[TableStep, TableStep] | None:
    """Return the steps from and to, or None if the text is not two steps.

    >>> parse_move("1:0:move 1:0:fight")
    (TableStep(round=1, turn=0, phase='move'), TableStep(round=1, turn=0, phase='fight'))
    """
    start, _, end = text.partition(" ")
    steps = parse_step(start), parse_step(end)
    return (steps[0], steps[1]) if steps[0] and steps[1] else None


def tick_boxes(ticked: int, start: int, end: int) -> int:
    """Count the ticked boxes after a device ticks or unticks boxes from `start` to `end`.

    Boxes that another device has changed meanwhile do not count twice.

    >>> tick_boxes(0, 0, 2), tick_boxes(2, 0, 2), tick_boxes(5, 0, 2)
    (2, 2, 5)
    >>> tick_boxes(2, 2, 1), tick_boxes(1, 2, 1), tick_boxes(5, 2, 1)
    (1, 1, 4)
    """
    if start <= end:
        return ticked + max(0, end - max(start, ticked))
    return ticked - max(0, min(start, ticked) - end)


def check_operation(operation: Operation, sides: int = SIDES) -> Refused | None:
    """Return `bad-change` for an operation that our pages never send."""
    refused = Refused(code="bad-change", subject_id=operation.uid)
    # Only a side has piles and a hand; the shared state has none.
    if operation.side is None:
        is_known = operation.kind in SHARED_KINDS
    else:
        is_known = operation.kind in SENT_KINDS - {Kind.STEP} and operation.side in range(sides)
    if not is_known or _KEY.fullmatch(operation.key) is None:
        return refused
    # PostgreSQL cannot store NUL.
    if abs(operation.amount) > MOST_AMOUNT or len(operation.text) > TEXT_LENGTH or "\0" in operation.text:
        return refused

    is_readable = True
    match operation.kind:
        case Kind.DISCARD | Kind.RETURN:
            is_readable = _CARDS.fullmatch(operation.text) is not None
        case Kind.SHUFFLE:
            is_readable = operation.text == "" or _CARDS.fullmatch(operation.text) is not None
        case Kind.HAND:
            is_readable = read_hand_note(operation.text) is not None
        case Kind.COUNT:
            is_readable = operation.text == "" or _KEY.fullmatch(operation.text) is not None
        case Kind.STEP:
            move = parse_move(operation.text)
            is_readable = move is not None and (operation.key == STEP or _hands_over(operation.key, *move))
        case Kind.SET if operation.key.startswith(INITIATIVE):
            is_place = operation.text in ("", *PLACES[:sides])
            is_readable = is_place and operation.key.removeprefix(INITIATIVE).isdecimal()
        case Kind.TICK:
            is_readable = _TICK.fullmatch(operation.text) is not None
    return None if is_readable else refused


def _hands_over(key: str, start: TableStep, end: TableStep) -> bool:
    """Return whether a step gives a round's or the game's first turn to a side, in the same phase."""
    keys = (f"{INITIATIVE}{start.round}", *([FIRST] if start.round == 1 else []))
    return key in keys and (start.round, start.phase) == (end.round, end.phase)


def read_hand_note(text: str) -> HandNote | None:
    try:
        return _note_decoder.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None


def write_hand_note(note: HandNote) -> str:
    return msgspec.json.encode(note).decode()


def fold_operations(operations: Sequence[Operation], rules: FoldRules = NO_RULES) -> GameState:
    state = GameState()
    for operation in list_standing(operations):
        apply_operation(state, operation, rules)
    return state


def list_standing(operations: Sequence[Operation]) -> list[Operation]:
    """List the operations that are not undone. Undos can be undone, too."""
    undone: set[str] = set()
    standing = []
    # Backwards, so that an undone undo has no effect.
    for operation in reversed(operations):
        if operation.uid in undone:
            continue
        if operation.kind == Kind.UNDO:
            undone.add(operation.key)
        else:
            standing.append(operation)
    return standing[::-1]


def apply_operation(state: GameState, operation: Operation, rules: FoldRules = NO_RULES) -> None:
    """Apply an operation other than an undo."""
    if operation.side is None or operation.kind not in (Kind.TICK, Kind.COUNT, Kind.SET) or not rules.units:
        _apply_act(state, operation, rules)
        return
    side, units = state.sides[operation.side], rules.units[operation.side]
    gone = {key: rules.count_gone(units, side, key) for key in rules.resources}
    _apply_act(state, operation, rules)
    for key, before in gone.items():
        now = rules.count_gone(units, side, key)
        if before != now:
            # A loss first reduces what was spent. Arriving resources can be spent.
            count = side.counts.get(key, 0) + max(0, before - now)
            _set_entry(side.counts, key, min(count, -now))
    if any(unit.is_commander(side) for unit in units):
        # The first side to lose its commander may lose a tied game.
        if not is_commander_lost(units, side):
            side.texts.pop(COMMANDER, None)
        elif COMMANDER not in side.texts:
            side.texts[COMMANDER] = str(operation.number)


def _apply_act(state: GameState, operation: Operation, rules: FoldRules) -> None:
    side = state.get_side(operation.side)
    key = operation.key
    match operation.kind:
        case Kind.BEGIN:
            side.texts[STEP] = side.texts[FIRST] = operation.text
            # Older beginnings have no amount.
            state.sides = [SideState() for _ in range(operation.amount or SIDES)]
        case Kind.STEP:
            move = parse_move(operation.text)
            if move and operation.amount:
                side.texts[STEP] = str(move[1])
                if key != STEP:
                    side.texts[key] = str(move[1]) if key == FIRST else str(move[1].turn)
        case Kind.COUNT | Kind.TICK:
            value = _sum_up(side, operation)
            _set_entry(side.counts, key, rules.bound(state, operation.side, key, value))
        case Kind.SET:
            # In older games, changing who goes first was a text. It changes whose turn it is until the first move.
            if operation.side is None and key == FIRST and side.texts.get(STEP) == side.texts.get(FIRST):
                side.texts[STEP] = operation.text
            is_order = key == COMMANDER and operation.text != "" and operation.side is not None
            _set_entry(side.texts, key, str(operation.number) if is_order else operation.text)
        case Kind.HAND:
            note = read_hand_note(operation.text)
            played = rules.play_hand(side, note, replay_rolls(note.rolls)) if note else None
            if isinstance(played, Hand):
                paid = played.spent - (side.hand.spent if side.hand else 0)
                if paid and rules.purse:
                    _set_entry(side.counts, rules.purse, side.counts.get(rules.purse, 0) - paid)
                side.hand = played
        case Kind.DEAL | Kind.SHUFFLE:
            # Shuffled cards leave the hand and the discard pile.
            pile, cards = side.get_pile(key), _read_cards(operation)
            pile.draw = list(dict.fromkeys(cards))
            pile.shuffled += 1
            pile.hand = _leave_out(pile.hand, cards)
            pile.discard = _leave_out(pile.discard, cards)
        case Kind.DRAW:
            pile, number = side.get_pile(key), max(operation.amount, 0)
            pile.hand, pile.draw = pile.hand + pile.draw[:number], pile.draw[number:]
        case Kind.DISCARD:
            pile = side.get_pile(key)
            pile.discard += _take_from_hand(pile, _read_cards(operation))
        case Kind.RETURN:
            pile = side.get_pile(key)
            pile.draw += _take_from_hand(pile, _read_cards(operation))


def _sum_up(side: SideState, operation: Operation) -> int:
    value = side.counts.get(operation.key, 0)
    if operation.kind == Kind.TICK:
        start, end = map(int, operation.text.split())
        return tick_boxes(value, start, end)
    if operation.text:
        # Income counts once, even if several devices report it.
        if operation.text in side.texts:
            return value
        side.texts[operation.text] = "1"
    return value + operation.amount


def _set_entry(entries: dict[str, Entry], key: str, value: Entry) -> None:
    if value:
        entries[key] = value
    else:
        entries.pop(key, None)


def _read_cards(operation: Operation) -> list[int]:
    return [int(card) for card in operation.text.split(",") if card]


def _take_from_hand(pile: Pile, cards: list[int]) -> list[int]:
    # Two devices may discard the same card; it moves once.
    taken = [card for card in cards if card in pile.hand]
    pile.hand = _leave_out(pile.hand, taken)
    return taken


def _leave_out(cards: list[int], gone: list[int]) -> list[int]:
    return [card for card in cards if card not in gone]


def replay_rolls(rolls: Iterable[int]) -> Roll:
    """Return dice that repeat `rolls` and show 1 for missing or impossible rolls."""
    faces: Iterator[int] = iter(rolls)

    def roll(sides: int, _name: str) -> int:
        result = next(faces, 1)
        return result if 1 <= result <= sides else 1

    return roll
