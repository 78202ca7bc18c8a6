"""The page of a game as its template reads it: one pass over rules and state, so that the template computes nothing."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from django.utils.text import slugify
from django.utils.translation import gettext as _

from catalogue.definitions.table_rules import ScoreItem, TableResource, TurnPhase
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
        return _is_reached(self.item.most, self.total) or _is_reached(self.item.most_round, self.here)


def _is_reached(most: int | None, points: int) -> bool:
    return most is not None and points >= most


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
        "round_word": _get_round_word(board),
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
    played = max(board.state.step.round, board.rounds)
    return max(board.rules.score.rounds, min(played, MOST_ROUNDS))


def _describe_turn(board: GameBoard) -> str:
    """Say whose turn it is, where the players take whole turns."""
    if not board.rules.table.turns:
        return ""
    turn = board.state.step.turn
    if board.place == turn:
        return _("Your turn")
    return _("Turn: %(name)s") % {"name": describe_side(board.get_side(turn).side)}


# ---- rounds and phases ----------------------------------------------------------------------------------------------


def _list_tabs(board: GameBoard) -> list[PhaseTab]:
    now = _find_phase(board) or 0
    return [
        PhaseTab(phase.name, phase.icon, _replace_phase(board.state.step, phase.id), _name_state(number, now))
        for number, phase in enumerate(board.rules.phases)
    ]


def _replace_phase(step: TableStep, phase: str) -> TableStep:
    return TableStep(round=step.round, turn=step.turn, phase=phase)


def _name_state(number: int, now: int) -> str:
    if number == now:
        return "now"
    return "done" if number < now else ""


def _find_next(board: GameBoard) -> tuple[TableStep, str]:
    """Return what comes after what is played now, and what it is called: a phase, the other's turn, or a round."""
    phases, now = board.rules.table.phases, _find_phase(board)
    following = phases[now + 1 :] if now is not None else ()
    if following:
        return _replace_phase(board.state.step, following[0].id), following[0].name
    return _begin_next_turn(board, phases[0].id if phases else "")


def _begin_next_turn(board: GameBoard, phase: str) -> tuple[TableStep, str]:
    """Return the turn of the other side, where sides take turns and it had none, else that of the next round."""
    step, first = board.state.step, board.game.first
    if board.rules.table.turns and step.turn == first:
        other = board.get_side(1 - first)
        return TableStep(round=step.round, turn=1 - first, phase=phase), describe_side(other.side)
    return TableStep(round=step.round + 1, turn=first, phase=phase), f"{_get_round_word(board)} {step.round + 1}"


def _find_phase(board: GameBoard) -> int | None:
    """Return the place of the phase that is played now; None for a step that names none."""
    ids = [phase.id for phase in board.rules.phases]
    return ids.index(board.state.step.phase) if board.state.step.phase in ids else None


def _get_round_word(board: GameBoard) -> str:
    return board.rules.table.round or _("Round")


def _list_reminders(board: GameBoard) -> Iterator[PhaseReminder]:
    """Yield what everybody does in each phase, then the abilities of units that matter in it."""
    step, side = board.state.step, board.mine
    for phase in board.rules.phases:
        for mark, name, text, names in chain(_list_duties(phase), _list_abilities(side, phase)):
            key = f"done:{step.round}.{step.turn}.{phase.id}.{mark}"
            yield PhaseReminder(phase.id, mark, key, name, text, names, key in side.state.texts)


def _list_duties(phase: TurnPhase) -> Iterator[tuple[str, str, str, str]]:
    for number, text in enumerate(phase.does):
        yield str(number), "", text, ""


def _list_abilities(side: BoardSide, phase: TurnPhase) -> Iterator[tuple[str, str, str, str]]:
    # Abilities tell what is in a hidden list.
    units = side.units if side.shown else ()
    for ability, names in list_reminders(units, phase.marks):
        # By its name: units that die take their abilities along, and the others keep their ticks.
        yield slugify(ability.name)[:MARK_LENGTH], ability.name, ability.text, ", ".join(names)


# ---- points and resources -------------------------------------------------------------------------------------------


def _list_scores(board: GameBoard, side: BoardSide) -> list[ScoreButton]:
    """List what scores, each with its counter of this round; what only the other side of the mission scores is not."""
    mine = _name_mission_side(board, side)
    return [
        _build_score_button(board, side, item)
        for item in board.rules.score.items
        if not mine or board.rules.side_names.get(item.id, mine) == mine
    ]


def _name_mission_side(board: GameBoard, side: BoardSide) -> str:
    """Return the name of the side of the mission that a player has chosen; blank for none."""
    sides = board.rules.mission.sides if board.rules.mission else ()
    return {one.id: one.name for one in sides}.get(side.side.mission_side, "")


def _build_score_button(board: GameBoard, side: BoardSide, item: ScoreItem) -> ScoreButton:
    key = name_counter(item.id, board.state.step.round)
    shown = _name_points(item) if item.id == FREE else item
    return ScoreButton(shown, key, side.state.counts.get(key, 0), side.score.by_item.get(item.id, 0))


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
