"""The page of a game as its template reads it: one pass over rules and state, so that the template computes nothing."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.text import slugify
from django.utils.translation import gettext as _

from catalogue.definitions.table_rules import ScoreItem, TableResource
from roster.play.game_score import FREE, name_counter
from roster.play.game_state import Pile, TableStep
from roster.play.services.game_board import BoardSide, GameBoard, describe_caps, describe_state
from roster.play.services.game_rules import count_beginning, list_resources
from roster.play.services.game_units import list_reminders
from roster.play.services.games import describe_side
from roster.play.views.hand_part import describe_hand
from roster.services.faces import load_faction

MOST_ROUNDS = 50
MARK_LENGTH = 60


@dataclass(frozen=True, slots=True)
class PhaseTab:
    """A phase to go to: `step` is what its button sets, `state` whether it is played now, done or to come."""

    name: str
    icon: str
    step: TableStep
    state: str


@dataclass(frozen=True, slots=True)
class PhaseReminder:
    """Something not to forget in a phase. `key` is that of the text which says that it was done; `mark` ends it."""

    phase: str
    mark: str
    key: str
    name: str
    text: str
    units: str
    done: bool


@dataclass(frozen=True, slots=True)
class ScoreButton:
    """A way to score with its buttons: the steps, and what was scored in this round and in all."""

    item: ScoreItem
    key: str
    here: int
    total: int

    @property
    def is_full(self) -> bool:
        """Whether it brings nothing more, in this round or in the game."""
        most, most_round = self.item.most, self.item.most_round
        return (most is not None and self.total >= most) or (most_round is not None and self.here >= most_round)


@dataclass(frozen=True, slots=True)
class ResourceNow:
    """A resource with what a side had of it before the first round, and has now."""

    resource: TableResource
    key: str
    begun: int
    has: int

    @property
    def comes_back(self) -> int:
        """How much of it was spent and is there again in the next round."""
        return max(0, self.begun - self.has) if self.resource.refreshed else 0


@dataclass(frozen=True, slots=True)
class PlayedCard:
    """A card of a deck by its place in the list."""

    number: int
    name: str
    text: str
    cost: str


@dataclass(frozen=True, slots=True)
class PlayedDeck:
    """A deck as it is played by one side: all its cards, and those in hand and laid away where the reader sees them."""

    key: str
    name: str
    size: int
    left: int
    hand: tuple[PlayedCard, ...]
    gone: tuple[PlayedCard, ...]
    held: int
    begun: bool
    known: list[dict[str, str]]


def build_game_context(board: GameBoard) -> dict[str, Any]:
    """Return what the page of a game shows to one reader."""
    game, rules, step = board.game, board.rules, board.state.step
    mine = board.mine
    rounds = range(1, _count_rounds(board) + 1)
    return {
        "page": "play",
        "game": game,
        "board": board,
        "face": _find_face(board),
        "names": [describe_side(side.side) for side in board.sides],
        "step": step,
        "rounds": rounds,
        "open_ended": not rules.score.rounds,
        "round_word": rules.table.round or _("Round"),
        "whose_turn": _describe_turn(board),
        "tabs": _list_tabs(board),
        "next_step": _find_next(board),
        "reminders": list(_list_reminders(board)),
        "state": describe_state(game, board.place),
        "caps": describe_caps(rules.score),
        "scores": _list_scores(board, mine),
        "other_scores": _list_scores(board, board.other) if board.other.open else [],
        "resources": _list_resources(board, mine),
        "other_resources": _list_resources(board, board.other),
        "stratagems": list(rules.play.stratagems.values()),
        "decks": [list(_list_decks(side)) for side in board.sides],
        "table": [(side, side.list_rounds(len(rounds))) for side in board.sides],
        "hand": describe_hand(board),
        "mission": rules.mission,
        "missing_mission": bool(game.mission_id) and rules.mission is None,
        "whereabouts": [
            ("table", _("On the table")),
            ("reserve", _("In reserve")),
            ("aboard", _("Aboard")),
            ("joined", _("Joined")),
            ("dead", _("Destroyed")),
        ],
        "watching": board.place is None,
    }


def _find_face(board: GameBoard) -> Any:
    side = board.mine.side
    return load_faction(side.version_id or 0, side.faction_id).row or board.game.version.game


def _count_rounds(board: GameBoard) -> int:
    """Return how many rounds the table of scores has: those of the game, or those that were played so far."""
    played = max([board.state.step.round, *(n for side in board.sides for n in side.score.by_round)])
    return max(board.rules.score.rounds, min(played, MOST_ROUNDS))


def _describe_turn(board: GameBoard) -> str:
    """Say whose turn it is, where the players take whole turns."""
    if not board.rules.table.turns:
        return ""
    turn = board.state.step.turn
    if board.place == turn:
        return _("Your turn")
    side = next(side for side in board.sides if side.side.place == turn)
    return _("Turn: %(name)s") % {"name": describe_side(side.side)}


# ---- rounds and phases ----------------------------------------------------------------------------------------------


def _list_tabs(board: GameBoard) -> list[PhaseTab]:
    step, phases = board.state.step, board.rules.phases
    ids = [phase.id for phase in phases]
    now = ids.index(step.phase) if step.phase in ids else 0
    return [
        PhaseTab(phase.name, phase.icon, _replace_phase(step, phase.id), _name_state(number, now))
        for number, phase in enumerate(phases)
    ]


def _replace_phase(step: TableStep, phase: str) -> TableStep:
    return TableStep(round=step.round, turn=step.turn, phase=phase)


def _name_state(number: int, now: int) -> str:
    if number == now:
        return "now"
    return "done" if number < now else ""


def _find_next(board: GameBoard) -> tuple[TableStep, str]:
    """Return what comes after what is played now, and what it is called: a phase, the other's turn, or a round."""
    step, table, first = board.state.step, board.rules.table, board.game.first
    ids = [phase.id for phase in table.phases]
    place = ids.index(step.phase) if step.phase in ids else len(ids)
    if place + 1 < len(ids):
        return TableStep(round=step.round, turn=step.turn, phase=ids[place + 1]), table.phases[place + 1].name
    begin = ids[0] if ids else ""
    if table.turns and step.turn == first:
        other = 1 - first
        side = next(side for side in board.sides if side.side.place == other)
        return TableStep(round=step.round, turn=other, phase=begin), describe_side(side.side)
    word = table.round or _("Round")
    return TableStep(round=step.round + 1, turn=first, phase=begin), f"{word} {step.round + 1}"


def _list_reminders(board: GameBoard) -> Iterator[PhaseReminder]:
    """Yield what everybody does in each phase, then the abilities of units that matter in it."""
    step, side = board.state.step, board.mine
    # Abilities tell what is in a hidden list.
    units = side.units if side.shown else ()
    for phase in board.rules.phases:
        lines = [(str(number), "", text, "") for number, text in enumerate(phase.does)]
        # By its name: units that die take their abilities along, and the others keep their ticks.
        lines += [
            (slugify(ability.name)[:MARK_LENGTH], ability.name, ability.text, ", ".join(names))
            for ability, names in list_reminders(units, phase.marks)
        ]
        for mark, name, text, names in lines:
            key = f"done:{step.round}.{step.turn}.{phase.id}.{mark}"
            yield PhaseReminder(phase.id, mark, key, name, text, names, key in side.state.texts)


# ---- points and resources -------------------------------------------------------------------------------------------


def _list_scores(board: GameBoard, side: BoardSide) -> list[ScoreButton]:
    """List what scores, each with its counter of this round; what only the other side of the mission scores is not."""
    rules = board.rules
    names = {one.id: one.name for one in rules.mission.sides} if rules.mission else {}
    mine = names.get(side.side.mission_side, "")
    buttons = []
    for item in rules.score.items:
        if mine and rules.side_names.get(item.id, mine) != mine:
            continue
        named = _name_points(item) if item.id == FREE else item
        key = name_counter(item.id, board.state.step.round)
        total = side.score.by_item.get(item.id, 0)
        buttons.append(ScoreButton(named, key, side.state.counts.get(key, 0), total))
    return buttons


def _name_points(item: ScoreItem) -> ScoreItem:
    return ScoreItem(id=item.id, name=_("Points"), points=(1, 5), citation=item.citation)


def _list_resources(board: GameBoard, side: BoardSide) -> list[ResourceNow]:
    return [_count_resource(board, side, resource) for resource in list_resources(board.rules.table)]


def _count_resource(board: GameBoard, side: BoardSide, resource: TableResource) -> ResourceNow:
    key = f"res:{resource.id}"
    begun = count_beginning(resource, board.rules.play.sizes.get(board.game.size_id), side.table_list)
    return ResourceNow(resource, key, begun, begun + side.state.counts.get(key, 0))


# ---- decks ----------------------------------------------------------------------------------------------------------


def _list_decks(side: BoardSide) -> Iterator[PlayedDeck]:
    for number, deck in enumerate(side.table_list.decks):
        key = f"d{number}"
        pile = side.state.piles.get(key)
        cards = _number_cards(deck.lines)
        held = pile or Pile()
        yield PlayedDeck(
            key=key,
            name=deck.name,
            size=len(cards),
            left=len(held.draw),
            hand=_pick_cards(cards, held.hand) if side.mine else (),
            gone=_pick_cards(cards, held.discard),
            held=len(held.hand),
            begun=pile is not None,
            # What a device needs to show a card without asking.
            known=[{"name": card.name, "text": card.text, "cost": card.cost} for card in cards],
        )


def _number_cards(lines: Sequence[Any]) -> tuple[PlayedCard, ...]:
    """Return every copy of every card, numbered as operations name them."""
    copies = [line for line in lines for _copy in range(line.count)]
    return tuple(
        PlayedCard(number, line.name, " ".join(line.text), " · ".join(filter(None, line.figures)))
        for number, line in enumerate(copies)
    )


def _pick_cards(cards: Sequence[PlayedCard], numbers: Sequence[int]) -> tuple[PlayedCard, ...]:
    return tuple(cards[number] for number in numbers if number < len(cards))
