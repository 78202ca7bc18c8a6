"""Build a game page's context, so that the template computes nothing."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from catalogue.definitions.identity import UNKNOWN, Identity, tell_seats_apart
from catalogue.definitions.numbers import Number
from catalogue.definitions.score_lines import ScoreLine
from catalogue.definitions.table_rules import Loss, TableResource, TieBreak, TokenCapture
from catalogue.models import Faction
from roster.play.game_score import FREE, HAND, name_line_counter, read_counter
from roster.play.game_state import INITIATIVE, ROLL, SETUP, Pile, TableStep
from roster.play.game_victory import find_sudden_end
from roster.play.losses import (
    count_bodies,
    find_acting_place,
    is_annihilated,
    is_commander_lost,
    list_acted,
    list_acting,
)
from roster.play.services.game_board import BoardSide, GameBoard, describe_page_state, describe_score_rules
from roster.play.services.game_rules import count_beginning, find_initiative, list_resources
from roster.play.services.game_units import UnitNow, end_mark_key, list_reminders
from roster.play.services.games import describe_outcome, is_waiting_for, read_outcome
from roster.play.services.table_rules import has_table_rules
from roster.play.views.hand_part import describe_hands
from roster.services.faces import load_faction
from roster.services.mission_factions import ListFaction, find_misfits
from roster.wording import explain_misfit
from roster.wording.cards import list_level_rules

MOST_ROUNDS = 50
MARK_LENGTH = 60
DOTS = 4
BODY_STEPS = (-1, 1, 10, 50)
"""Steps for the points of lost models of a side without a list."""


@dataclass(frozen=True, slots=True)
class PhaseTab:
    """`step` is what the tab's button sets, `state` is "now", "done" or ""."""

    name: str
    icon: str
    step: TableStep
    state: str
    draws: bool


@dataclass(frozen=True, slots=True)
class PhaseReminder:
    """`key` is the key of the text that players tick off, `mark` its last part."""

    phase: str
    mark: str
    key: str
    name: str
    text: str
    units: str
    done: bool


@dataclass(frozen=True, slots=True)
class PhaseGainNow:
    """A side's gain in a phase: `amount` in this round, `flat` in every round. `key` and `mark` are as in
    `PhaseReminder`.
    """

    phase: str
    mark: str
    key: str
    resource: TableResource
    counter: str
    amount: int
    flat: int
    by_round: bool
    taken: bool


@dataclass(frozen=True, slots=True)
class LineNow:
    """A score line's points `here` (in this round) and in total.

    `worth` is the value of one more. `is_spent` means that objectives have reached their limit.
    """

    line: ScoreLine
    name: str
    key: str
    count: int
    here: int
    total: int
    worth: int
    live: bool
    is_first: bool
    is_spent: bool

    @property
    def is_full(self) -> bool:
        line = self.line
        return (
            _is_reached(line.most_game, self.total)
            or _is_reached(line.most_round, self.here)
            or _is_reached(line.most_times, self.count)
            or self.is_spent
        )

    @property
    def is_spendable(self) -> bool:
        """Whether it can be counted down. Free points from earlier rounds can, too."""
        return self.count > 0 or self.line.below_zero or (self.line.is_free and self.total > 0)

    @property
    def is_doubled(self) -> bool:
        return self.worth > self.line.one


def _is_reached(most: int | None, points: int) -> bool:
    return most is not None and points >= most


@dataclass(frozen=True, slots=True)
class ResourceNow:
    """`gone` was lost with units since the start."""

    resource: TableResource
    key: str
    begun: int
    has: int
    gone: int

    @property
    def comes_back(self) -> int:
        return max(0, self.begun - self.gone - self.has) if self.resource.refreshed else 0


@dataclass(frozen=True, slots=True)
class PlayedCard:
    number: int
    name: str
    text: str
    cost: str


@dataclass(frozen=True, slots=True)
class PlayedDeck:
    """A side's deck, with the hand and discard pile that the reader may see."""

    key: str
    name: str
    size: int
    left: int
    hand: tuple[PlayedCard, ...]
    gone: tuple[PlayedCard, ...]
    held: int
    begun: bool
    card_texts: list[dict[str, str]]


def build_game_context(board: GameBoard) -> dict[str, Any]:
    game, rules, step = board.game, board.rules, board.state.step
    mine = board.mine
    played = max(step.round, board.rounds)
    rounds = range(1, max(rules.score.rounds, min(played, MOST_ROUNDS)) + 1)
    setup_steps = _list_setup_steps(board)
    whose_turn = ""
    if rules.table.turns:
        is_mine = board.place == step.turn
        other_turn = _("Turn: %(name)s") % {"name": board.get_side(step.turn).name}
        whose_turn = _("Your turn") if is_mine else other_turn
    state = describe_page_state(game, board.place)
    # The template writes these words itself.
    just_now = state.pop("just")
    return build_units_context(board) | {
        "names": [side.name for side in board.by_place],
        "just_now": [(_name_player(board, act["side"]), act["text"], act["id"], "undo" in act) for act in just_now],
        "seats": _list_seats(board),
        "rounds": rounds,
        "open_ended": not rules.score.rounds,
        "round_word": _get_round_word(board),
        "whose_turn": whose_turn,
        "tabs": _list_tabs(board),
        "next_step": _find_next(board),
        "rounds_to_go_to": _list_rounds_to_go_to(board),
        "turns_to_go_to": _list_turns_to_go_to(board),
        "setup_steps": setup_steps,
        "who_goes_first": _list_first(board),
        # Also true if there are no steps: then players only say who goes first.
        "setup_done": all(done for _number, _text, done in setup_steps),
        "state": state,
        "score_rules": describe_score_rules(board),
        "standing": describe_standing(board),
        "captures": _list_captures(board),
        "initiative": _describe_initiative(board),
        "losses": _list_losses(board),
        "body_steps": BODY_STEPS,
        "open_command": _list_open_command(board),
        "scores": [(side, _list_scores(board, side), _list_mission_choices(board, side)) for side in board.sides],
        "resources": _list_resources(board, mine),
        "other_resources": [(side, now) for side in board.others for now in _list_resources(board, side)],
        "stratagems": list(rules.play.stratagems.values()),
        "decks": _list_decks(mine),
        "others": [(side, _list_decks(side)) for side in board.others],
        "table": [(side, side.list_rounds(len(rounds))) for side in board.sides],
        "held": board.holds_points,
        "hands": describe_hands(board),
        "can_set_up": not has_table_rules(rules.play),
        "mission": rules.mission,
        "missing_mission": bool(game.mission_id) and rules.mission is None,
        "misfits": _list_misfits(board),
        "confirms": board.place is not None and is_waiting_for(game, board.place),
        "ending": describe_ending(board),
    }


def build_units_context(board: GameBoard) -> dict[str, Any]:
    """Return the part of the game page's context about units and reminders."""
    game = board.game
    return {
        "page": "play",
        "game": game,
        "board": board,
        "face": _load_faction(board.mine) or game.version.game,
        "step": board.state.step,
        "reminders": list(_list_reminders(board)),
        "gains": list(_list_gains(board)),
        "acting": _describe_acting(board),
        "whereabouts": [
            ("table", _("On the table")),
            ("reserve", _("In reserve")),
            ("aboard", _("Aboard")),
            ("joined", _("Joined")),
            ("dead", _("Destroyed")),
        ],
        "watching": board.place is None,
    }


# ---- rounds and phases ----------------------------------------------------------------------------------------------


def _list_tabs(board: GameBoard) -> list[PhaseTab]:
    now = _find_phase(board) or 0
    tabs = []
    for number, phase in enumerate(board.rules.phases):
        state = "now" if number == now else "done" if number < now else ""
        # A phase that opens the round belongs to the first turn, whoever's turn it is now.
        turn = board.course.find_first(board.state.step.round) if phase.draws else board.state.step.turn
        step = TableStep(round=board.state.step.round, turn=turn, phase=phase.id)
        tabs.append(PhaseTab(phase.name, phase.icon, step, state, phase.draws))
    return tabs


def _find_next(board: GameBoard) -> tuple[TableStep, str] | None:
    step = board.state.step
    following = board.course.find_next(step)
    if following is None:
        return None
    if following.round != step.round:
        return following, f"{_get_round_word(board)} {following.round}"
    if following.turn != step.turn:
        is_mine = following.turn == board.place
        return following, _("your turn") if is_mine else board.get_side(following.turn).name
    return following, next(phase.name for phase in board.rules.phases if phase.id == following.phase)


def _list_rounds_to_go_to(board: GameBoard) -> list[tuple[int, TableStep]]:
    """List the rounds with their first steps; a game without a fixed length has one more than was played."""
    course = board.course
    number = course.rounds or min(max(board.state.step.round, board.rounds) + 1, MOST_ROUNDS)
    return [(place, course.start_round(place)) for place in range(1, number + 1)]


def _list_turns_to_go_to(board: GameBoard) -> list[tuple[str, TableStep]]:
    course, number = board.course, board.state.step.round
    if not course.turns:
        return []
    return [(_name_player(board, place), course.start_turn(number, place)) for place in course.list_order(number)]


def _name_player(board: GameBoard, place: int) -> str:
    return _("You") if place == board.place else board.get_side(place).name


def _find_phase(board: GameBoard) -> int | None:
    ids = [phase.id for phase in board.rules.phases]
    return ids.index(board.state.step.phase) if board.state.step.phase in ids else None


def _get_round_word(board: GameBoard) -> str:
    return board.rules.table.round or _("Round")


def _list_reminders(board: GameBoard) -> Iterator[PhaseReminder]:
    step, side = board.state.step, board.mine
    # Abilities would reveal the units of a hidden list.
    units = side.units if side.is_visible else ()
    for phase in board.rules.phases:
        start = f"done:{step.round}.{step.turn}.{phase.id}."
        for number, text in enumerate(phase.does):
            key = f"{start}{number}"
            yield PhaseReminder(phase.id, str(number), key, "", text, "", key in side.state.texts)
        for ability, names in list_reminders(units, phase.marks):
            # Keyed by name, so that other ticks stay if a unit dies.
            mark = slugify(ability.name)[:MARK_LENGTH]
            key = f"{start}{mark}"
            done = key in side.state.texts
            yield PhaseReminder(phase.id, mark, key, ability.name, ability.text, ", ".join(names), done)


def _list_gains(board: GameBoard) -> Iterator[PhaseGainNow]:
    step, side = board.state.step, board.mine
    resources = {resource.id: resource for resource in list_resources(board.rules.table)}
    for phase in board.rules.phases:
        for number, gain in enumerate(phase.gains):
            mark = f"gain-{number}"
            key = f"done:{step.round}.{step.turn}.{phase.id}.{mark}"
            flat = gain.amount + int(side.table_list.figures.get(gain.list_figure, 0))
            yield PhaseGainNow(
                phase=phase.id,
                mark=mark,
                key=key,
                resource=resources[gain.resource],
                counter=f"res:{gain.resource}",
                amount=flat + (step.round if gain.by_round else 0),
                flat=flat,
                by_round=gain.by_round,
                taken=key in side.state.texts,
            )


def _list_setup_steps(board: GameBoard) -> list[tuple[int, str, bool]]:
    if board.state.step.round > 1 or board.place is None or board.game.ended:
        return []
    done = board.state.shared.texts
    return [(number, text, f"{SETUP}{number}" in done) for number, text in enumerate(board.rules.table.steps, 1)]


def _list_first(board: GameBoard) -> list[tuple[str, TableStep, bool]]:
    course, roll = board.course, board.rules.table.initiative
    if not course.turns or board.state.step.round > 1 or board.place is None or board.game.ended:
        return []
    if roll and roll.first == 1:
        return []
    return [
        (_name_player(board, place), course.begin_with(place), place == course.first) for place in range(course.sides)
    ]


# ---- who leads ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GameStanding:
    """Who leads by how much, what wins, and what would end the game now.

    `sudden` says that a side wins at once, if one does; `by_you` and `by_other` are the words for the reader and for
    `%name`. `last_turn` and `over` say why the game ends.
    """

    lead: str
    rule: str
    wins: list[tuple[str, str]]
    sudden: str
    by_you: str
    by_other: str
    last_turn: str
    over: str


def describe_standing(board: GameBoard) -> GameStanding:
    victory, table = board.victory, board.rules.table
    phases = {phase.id: phase.name for phase in table.phases}
    lead = ""
    ahead, behind, *_others = sorted(board.sides, key=lambda side: -side.score.total)
    if ahead.score.total != behind.score.total:
        words = _("You lead by %(n)s") if ahead.place == board.place else _("%(name)s leads by %(n)s")
        lead = words % {"name": ahead.name, "n": ahead.score.total - behind.score.total}
    wins: list[tuple[str, str]] = []
    rule = ""
    if victory.ahead is not None:
        phase = phases.get(table.scored_in, _("Each round"))
        if victory.own_totals:
            rule = _(
                "%(phase)s: a side wins at once if it has reached its own total and exceeds "
                "it by %(n)s more than the other side does."
            )
        else:
            rule = _("%(phase)s: a side wins at once if it has reached the total and is %(n)s ahead.")
        rule %= {"phase": phase, "n": victory.ahead}
        wins += [
            (_("Crushing victory"), rule),
            (_("Standard victory"), _("After the last round, a side wins if it has reached the total and is ahead.")),
            (_("Draw"), _("No side has reached its total, or both are level.")),
        ]
        if victory.own_totals:
            wins[1] = (
                _("Standard victory"),
                _(
                    "After the last round, a side wins if it has reached its own total and exceeds it "
                    "by more than the other side does."
                ),
            )
    if board.rules.capture:
        rule, wins = _describe_captures(board)
    elif Loss.MODELS in board.rules.victory.out and not rule:
        rule = _("A side without models has lost.")
    wins += list_level_rules(victory.level, victory.level_points)
    sudden = find_sudden_end(victory, [side.standing for side in board.by_place])
    if victory.ahead is not None:
        by_you = _("You have a crushing victory: the total and the required lead.")
        by_other = _("%(name)s has a crushing victory: the total and the required lead.")
    else:
        by_you, by_other = _("You win at once."), _("%(name)s wins at once.")
    at_once = ""
    if sudden.winner is not None and table.scored_in in ("", board.state.step.phase):
        name = board.get_side(sudden.winner).name
        at_once = by_you if sudden.winner == board.place else by_other % {"name": name}
    return GameStanding(
        lead=lead,
        rule=rule,
        wins=wins,
        sudden=at_once,
        by_you=by_you,
        by_other=by_other % {"name": "%name"},
        last_turn="" if at_once else _describe_last_turn(board),
        over=_describe_over(board),
    )


def describe_ending(board: GameBoard) -> str:
    """Return who won a finished game and how, or ""."""
    rows = [side.side for side in board.by_place]
    return describe_outcome(read_outcome(board.game, rows), rows) if board.game.ended else ""


def _describe_captures(board: GameBoard) -> tuple[str, list[tuple[str, str]]]:
    victory = board.rules.victory
    if board.victory.teams:
        rule = _("A team that captures %(n)s tokens wins at once.") % {"n": victory.by_team}
        out = _("A player with no models or no tokens left has lost, and so has their team.")
    else:
        rule = _("A player who captures %(n)s tokens from each opponent wins at once.") % {"n": victory.from_each}
        out = _(
            "A player with no models or no tokens left is out. Finish the turn; of the others, the player with the "
            "most captured tokens wins."
        )
    wins = [(_("At once"), rule), (_("Out"), out)]
    if victory.last_card:
        wins.append((_("Last card drawn"), _("Finish the turn; the most captured tokens win.")))
    ties = {TieBreak.TOKENS: _("your own tokens kept"), TieBreak.MODELS: _("models and boxes left")}
    compared = [ties[tie] for tie in board.victory.level if tie in ties]
    if compared:
        wins.append((_("Level"), _("then most %(what)s") % {"what": ", ".join(compared)}))
    return rule, wins


def _describe_last_turn(board: GameBoard) -> str:
    names = ", ".join(side.name for side in board.by_place if side.standing.is_out)
    if names:
        return _("%(names)s: out. The game ends with this turn.") % {"names": names}
    if board.rules.victory.last_card and any(
        not pile.draw for side in board.sides for pile in side.state.piles.values()
    ):
        return _("A deck has run out. The game ends with this turn.")
    return ""


def _describe_over(board: GameBoard) -> str:
    for side in board.sides:
        name = _name_side(board, side)
        if any(line.timing.ends and side.score.by_item.get(line.id) for line in side.lines):
            return _("%(name)s: the mission is achieved, which ends the game.") % {"name": name}
        if board.rules.victory.annihilation and is_annihilated(side.table_list.stakes, side.state):
            return _("%(name)s: all models are lost, which ends the game.") % {"name": name}
    return ""


# ---- captured tokens ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CapturedCell:
    """A side's captured tokens of the side at `victim`; None if it cannot capture them."""

    victim: int
    number: int | None

    @property
    def dots(self) -> list[bool]:
        return [(self.number or 0) > place for place in range(DOTS)]


@dataclass(frozen=True, slots=True)
class FallenChoice:
    """A model that may have fallen. `value` names its owner and its number of tokens."""

    value: str
    name: str
    worth: int


@dataclass(frozen=True, slots=True)
class CapturesNow:
    capture: TokenCapture
    rows: list[tuple[BoardSide, Identity, list[CapturedCell]]]
    killers: list[BoardSide]
    fallen: list[tuple[BoardSide, list[FallenChoice]]]
    may_be_lost: bool


def _load_faction(side: BoardSide) -> Faction | None:
    return load_faction(side.side.version_id or 0, side.side.faction_id).row


def _list_seats(board: GameBoard) -> list[tuple[BoardSide, Identity]]:
    """List the sides with their colours, which are the same on all devices."""
    factions = [_load_faction(side) for side in board.by_place]
    seats = tell_seats_apart([faction.identity if faction else UNKNOWN for faction in factions])
    return [(side, seats[side.place]) for side in board.sides]


def _list_misfits(board: GameBoard) -> list[str]:
    played = [(board.rules.mission, board.by_place)]
    if board.rules.table.own_missions:
        played = [(board.rules.play.missions.get(side.side_id), [side]) for side in board.by_place]
    return [
        explain_misfit(misfit)
        for mission, sides in played
        if mission
        for misfit in find_misfits(board.game.version_id, mission, map(_describe_faction, sides))
    ]


def _describe_faction(side: BoardSide) -> ListFaction:
    return ListFaction(side.side.list_name, side.side.faction_id, side.side.faction_name)


def _list_captures(board: GameBoard) -> CapturesNow | None:
    capture = board.rules.capture
    if capture is None:
        return None
    rows = []
    for side, identity in _list_seats(board):
        takes = {line.victim for line in side.lines}
        captured = side.standing.captured
        cells = [
            CapturedCell(other.place, captured.get(other.place, 0) if other.place in takes else None)
            for other in board.sides
        ]
        rows.append((side, identity, cells))
    is_open = not board.game.ended
    return CapturesNow(
        capture=capture,
        rows=rows,
        killers=[side for side in board.sides if side.open and is_open],
        fallen=[(side, _list_fallen(side, capture)) for side in [*board.others, board.mine]],
        may_be_lost=board.game.mission_id in capture.lost_in,
    )


def _list_fallen(side: BoardSide, capture: TokenCapture) -> list[FallenChoice]:
    """List a side's models that are worth tokens, or only numbers if the reader may not see its list."""
    worths: dict[str, int] = {}
    for now in side.units if side.is_visible else ():
        profile = now.unit.sheet.profile
        if profile and capture.column in profile.heads:
            figure = profile.rows[0].cells[profile.heads.index(capture.column)]
            worths[now.unit.sheet.name] = int(figure) if figure.isdecimal() else 0
    if not worths:
        worths = {ngettext("%(n)s token", "%(n)s tokens", n) % {"n": n}: n for n in range(1, DOTS + 1)}
    return [
        FallenChoice(f"{side.place} {worth} {slugify(name)}", name, worth) for name, worth in worths.items() if worth
    ]


# ---- who acts, and what is lost --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FirstChoice:
    """A side that can go first in a round. `op` is the tap for it."""

    name: str
    place: int
    is_first: bool
    op: str


@dataclass(frozen=True, slots=True)
class InitiativeNow:
    """Who goes first in this round, from round `first` on. If sides take turns, it `is_open` during the first turn."""

    name: str
    die: int
    first: int
    roll: str
    rolled: str
    sides: list[FirstChoice]
    has_begun: bool
    is_open: bool


def _describe_initiative(board: GameBoard) -> InitiativeNow | None:
    roll, step, course = board.rules.table.initiative, board.state.step, board.course
    if roll is None:
        return None
    number = step.round
    has_it = find_initiative(board.game, board.rules, number)
    ops = {
        side.place: f"step - {INITIATIVE}{number} {step} {step.round}:{side.place}:{step.phase}"
        if course.turns
        else f"set - {INITIATIVE}{number} {side.place}"
        for side in board.sides
    }
    return InitiativeNow(
        name=roll.word or _("Initiative"),
        die=roll.die,
        first=roll.first,
        roll=f"{ROLL}{number}",
        rolled=_write_roll(board, board.state.shared.texts.get(f"{ROLL}{number}", "")),
        sides=[
            FirstChoice(_name_side(board, side), side.place, side.place == has_it, ops[side.place])
            for side in board.sides
        ],
        has_begun=number >= roll.first,
        is_open=not course.turns or step.turn == has_it,
    )


def _write_roll(board: GameBoard, text: str) -> str:
    rolled = text.split(" ")
    if len(rolled) != len(board.sides):
        return ""
    return ", ".join(f"{_name_side(board, side)} {rolled[side.place]}" for side in board.sides)


def _name_side(board: GameBoard, side: BoardSide) -> str:
    return _("You") if side.place == board.place else side.name


@dataclass(frozen=True, slots=True)
class ActingNow:
    """The side that acts next, and the units that must wait because they acted last in the previous round."""

    name: str
    waiting: list[UnitNow]


def _describe_acting(board: GameBoard) -> ActingNow | None:
    mark, step = board.rules.acting_mark, board.state.step
    if mark is None:
        return None
    acted, left = [0] * len(board.sides), [0] * len(board.sides)
    waiting: list[UnitNow] = []
    for side in board.sides:
        place, units, state = side.place, side.table_list.stakes, side.state
        now = list_acted(state, end_mark_key(mark, step))
        acting = list_acting(units, state)
        acted[place], left[place] = len(now), len(set(acting) - set(now))
        earlier = list_acted(state, end_mark_key(mark, TableStep(round=step.round - 1, turn=step.turn)))
        if earlier and not now and len(acting) > 1:
            waiting += [now_unit for now_unit in side.units if now_unit.unit.key == earlier[-1]]
    first = find_initiative(board.game, board.rules, step.round)
    following = find_acting_place(first, acted, left)
    # It is unknown what a side without a list has left.
    has_units = all(side.units for side in board.sides)
    name = "" if following is None or not has_units else _name_side(board, board.get_side(following))
    return ActingNow(name, waiting)


@dataclass(frozen=True, slots=True)
class LossesNow:
    """`bodies` are the points of a side's lost models, counted `by_hand` without a list."""

    side: BoardSide
    name: str
    bodies: Number
    by_hand: bool
    commander_lost: bool


def _list_losses(board: GameBoard) -> list[LossesNow]:
    if not board.rules.counts_bodies:
        return []
    return [
        LossesNow(
            side=side,
            name=_name_side(board, side),
            bodies=count_bodies(side.table_list.stakes, side.state) or 0,
            by_hand=not side.units,
            commander_lost=is_commander_lost(side.table_list.stakes, side.state),
        )
        for side in board.sides
    ]


def _list_open_command(board: GameBoard) -> list[tuple[BoardSide, list[tuple[str, str, bool]]]]:
    choices = []
    for side in board.sides:
        units = [
            (unit.key, unit.sheet.name, unit.stakes.is_commander(side.state))
            for unit in side.table_list.units
            if unit.stakes.may_command
        ]
        if units and side.open and not board.game.ended:
            choices.append((side, units))
    return choices


# ---- points and resources -------------------------------------------------------------------------------------------


def _list_scores(board: GameBoard, side: BoardSide) -> list[LineNow]:
    step = board.state.step
    objectives = {HAND, *(line.id for line in side.lines if line.is_of_mission)}
    brought = sum(points for item, points in side.score.by_item.items() if item in objectives)
    lines: list[LineNow] = []
    for line in [*side.lines, *_list_earlier_lines(board, side)]:
        key = name_line_counter(line, step.round)
        count = side.state.counts.get(key, 0)
        name = line.objective or line.name
        counter_line = line
        if line.id == FREE:
            name, counter_line = _("Points"), replace(line, points=(1, 5))
        side_name = board.rules.get_side_name(line.side)
        if line.victim is not None:
            name = _("%(what)s from %(name)s") % {"what": name, "name": board.get_side(line.victim).name}
        lines.append(
            LineNow(
                line=counter_line,
                name=f"{side_name}: {name}" if side_name else name,
                key=key,
                count=count,
                here=line.count_points(count, step.round),
                total=side.score.by_item.get(line.id, 0),
                worth=line.count_worth(step.round),
                live=line.is_live(step.round, step.phase),
                is_first=not (lines and line.objective and lines[-1].line.objective == line.objective),
                is_spent=line.is_of_mission and _is_reached(side.cap, brought),
            )
        )
    return lines


def _list_mission_choices(board: GameBoard, side: BoardSide) -> list[tuple[str, list[tuple[str, str]]]]:
    play = board.rules.play
    if not board.rules.table.own_missions:
        return []
    suited = [
        (name, [one for one in play.list_missions(name) if one.suits(side.side.faction_id)]) for name in play.pack_names
    ]
    return [(name, [(mission.id, mission.name) for mission in missions]) for name, missions in suited if missions]


def _list_earlier_lines(board: GameBoard, side: BoardSide) -> Iterator[ScoreLine]:
    """Yield lines for points from older games, whose objectives had no lines, so that players can correct them."""
    ids = {counter[1] for counter in map(read_counter, side.state.counts) if counter and counter[0] == "score"}
    objectives = board.rules.play.objectives
    for item_id in sorted(ids & objectives.keys()):
        yield ScoreLine(id=item_id, name=objectives[item_id].name)


def _list_resources(board: GameBoard, side: BoardSide) -> list[ResourceNow]:
    size = board.rules.play.sizes.get(board.game.size_id)
    resources = []
    for resource in list_resources(board.rules.table):
        key = f"res:{resource.id}"
        begun = count_beginning(resource, size, side.table_list)
        gone = board.rules.fold.count_gone(side.table_list.stakes, side.state, key)
        resources.append(ResourceNow(resource, key, begun, begun + side.state.counts.get(key, 0), gone))
    return resources


# ---- decks ----------------------------------------------------------------------------------------------------------


def _list_decks(side: BoardSide) -> list[PlayedDeck]:
    decks = []
    for number, deck in enumerate(side.table_list.decks):
        key = f"d{number}"
        pile = side.state.piles.get(key)
        held = pile or Pile()
        # Every copy of every card, numbered as operations refer to them.
        copies = [line for line in deck.lines for _copy in range(line.count)]
        cards = [
            PlayedCard(place, line.name, " ".join(line.text), " · ".join(filter(None, line.figures)))
            for place, line in enumerate(copies)
        ]
        decks.append(
            PlayedDeck(
                key=key,
                name=deck.name,
                size=len(cards),
                left=len(held.draw),
                hand=_pick_cards(cards, held.hand) if side.mine else (),
                gone=_pick_cards(cards, held.discard),
                held=len(held.hand),
                begun=pile is not None,
                # A device needs these to show a card without a request.
                card_texts=[{"name": card.name, "text": card.text, "cost": card.cost} for card in cards],
            )
        )
    return decks


def _pick_cards(cards: Sequence[PlayedCard], numbers: Sequence[int]) -> tuple[PlayedCard, ...]:
    return tuple(cards[number] for number in numbers if number < len(cards))
