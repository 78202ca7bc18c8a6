from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any

from catalogue.definitions.missions import ObjectiveDefinition, ObjectiveGroup, Stratagem
from roster.engine.edits import Refused
from roster.play import objective_hand as engine
from roster.play.game_state import HandNote, read_step
from roster.play.hand_times import FEWER_POINTS, ON, HandMoment, check_moment, find_due_steps
from roster.play.objective_hand import BARRED, DOUBLE, DrawnObjective, Hand, HandRules
from roster.play.services.game_board import BoardSide, GameBoard, show_side_hand
from roster.play.services.table_hands import NAME, count_left, draw_ahead, make_moment
from roster.wording.refusals import explain_refusal

CHANGES = (("up", engine.SHIFT, 1), ("down", engine.SHIFT, -1), ("one", engine.ONE, 0))


@dataclass(frozen=True, slots=True)
class RollChange:
    """A stratagem that changes a roll to give `leads_to`; `wrong` is why it cannot be paid."""

    act: str
    stratagem: Stratagem
    cost: int
    step: int
    leads_to: ObjectiveDefinition
    wrong: str


@dataclass(frozen=True, slots=True)
class HeldObjective:
    """An objective, and the actions on it that are allowed now.

    `plain` is its value before doubling, `brings` its value within the cap on all objectives, `due` the first step at
    which it can be scored.
    """

    place: int
    drawn: DrawnObjective
    objective: ObjectiveDefinition
    group: ObjectiveGroup
    lines: tuple[tuple[str, str], ...]
    worth: int
    plain: int
    brings: int
    is_barred: bool
    may_score: bool
    due: str
    is_due: bool
    may_name: bool
    changes: tuple[RollChange, ...]
    others: tuple[ObjectiveDefinition, ...]
    draws_another: bool


@dataclass(frozen=True, slots=True)
class StratagemOffer:
    """`wrong` is why the stratagem cannot be used."""

    stratagem: Stratagem
    cost: int
    wrong: str


@dataclass(frozen=True, slots=True)
class DrawOffer:
    """The draw of this round; `wrong` is why it must wait.

    `is_extra` means that the number includes one for fewer points, `asks_extra` that the players say whether there is
    one more.
    """

    number: int
    wrong: str
    is_extra: bool
    asks_extra: bool
    keep: StratagemOffer | None
    keepable: tuple[HeldObjective, ...]


@dataclass(frozen=True, slots=True)
class SideHand:
    """One side's objectives as the reader sees them; the reader may act on an `open` hand."""

    side: BoardSide
    hand: Hand
    open: bool
    choose: tuple[str, ...]
    secret: int
    groups: tuple[ObjectiveGroup, ...]
    chosen: tuple[ObjectiveGroup, ...]
    noted: ObjectiveGroup | None
    cards: tuple[HeldObjective, ...]
    draw: DrawOffer | None
    swap: StratagemOffer | None
    unchosen: tuple[ObjectiveGroup, ...]
    names: str
    is_named: bool
    points: int
    most: int | None
    ahead: dict[str, Any]

    @property
    def place(self) -> int:
        return self.side.side.place

    @property
    def round(self) -> int:
        return len(self.hand.rounds)

    @property
    def dice(self) -> tuple[tuple[int, int], ...]:
        return self.hand.now.dice


def describe_hands(board: GameBoard) -> list[SideHand]:
    """Return all hands, the reader's own first."""
    rules, new = board.rules.fold.hand, board.rules.fold.new_hand
    if rules is None or new is None:
        return []
    return [_HandReader(board, side, rules, new).describe() for side in board.sides]


class _HandReader:
    def __init__(self, board: GameBoard, side: BoardSide, rules: HandRules, new: Hand) -> None:
        self.board, self.side, self.rules = board, side, rules
        self.place = side.side.place
        self.hand: Hand = show_side_hand(board.rules, board.state, self.place, board.place) or new
        self.is_open = side.open and not board.game.ended
        self._left = count_left(board.game, board.rules, side.table_list, side.state)

    def describe(self) -> SideHand:
        rules, hand, groups = self.rules, self.hand, self.board.rules.play.groups
        is_chosen = bool(hand.groups) or not rules.draw.choose
        chooses = self.is_open and not is_chosen and not hand.rounds
        letters = rules.draw.letters or tuple(str(number) for number in range(1, rules.draw.choose + 1))
        return SideHand(
            side=self.side,
            hand=hand,
            open=self.is_open,
            choose=letters if chooses else (),
            secret=rules.draw.secret if chooses else 0,
            groups=tuple(groups[group] for group in rules.objectives),
            chosen=tuple(groups[group] for group in hand.groups),
            noted=groups.get(hand.secret),
            cards=tuple(self._read_cards()),
            draw=self._read_draw() if is_chosen else None,
            swap=self._read_swap(),
            unchosen=tuple(groups[group] for group in rules.objectives if group not in hand.groups),
            names=rules.draw.named,
            is_named=any(drawn.named for drawn in hand.now.drawn),
            points=engine.sum_points(rules, hand),
            most=self.board.rules.score.most_objectives,
            ahead=self._read_ahead() if is_chosen else {},
        )

    def _read_ahead(self) -> dict[str, Any]:
        """Return what a device needs to draw the next rounds offline, or {} if it may not have it.

        A side must choose its categories without knowing their draws.
        """
        draw = self.rules.draw
        refused = self._check("begin")
        if not self.is_open or (refused and refused.code == "other-chooses"):
            return {}
        draws = draw_ahead(self.board.game, self.board.rules, self.place, self.hand)
        cards = {drawn.objective_id: drawn for drawn in chain.from_iterable(draws.values())}
        objectives = {id_: self.rules.find_objective(id_) for id_ in cards}
        return {
            "number": draw.number,
            "extra": draw.extra,
            "fewer": draw.extra == FEWER_POINTS,
            "draws": {number: [drawn.objective_id for drawn in drawn_now] for number, drawn_now in draws.items()},
            "due": {
                number: [self._find_due(drawn.objective_id, number) for drawn in drawn_now]
                for number, drawn_now in draws.items()
            },
            "cards": {
                id_: {
                    "name": objective.name,
                    "group": cards[id_].group_id,
                    "worth": engine.count_worth(self.rules, self.hand, cards[id_]),
                    "lines": list(objective.list_lines(self.hand.size_id)),
                }
                for id_, objective in objectives.items()
                if objective is not None
            },
        }

    def _make_moment(self, act: str, **fields: str) -> HandMoment | None:
        board = self.board
        if board.place is None or board.game.ended:
            return None
        return make_moment(
            board.game,
            board.rules,
            board.state,
            HandNote(act=act, fields=fields),
            place=self.place,
            actor=board.place,
            played=board.played,
            left=self._left,
        )

    def _check(self, act: str, **fields: str) -> Refused | None:
        moment = self._make_moment(act, **fields)
        return check_moment(moment) if moment else Refused(code="other-side")

    def _read_cards(self) -> Iterator[HeldObjective]:
        rules, hand, groups = self.rules, self.hand, self.board.rules.play.groups
        may_name = bool(rules.draw.named) and self._check(NAME) is None
        may_replace = self.is_open and self._check("replace") is None
        most = self.board.rules.score.most_objectives
        room = None if most is None else max(0, most - engine.sum_points(rules, hand))
        for place, drawn in enumerate(hand.now.drawn):
            objective = rules.find_objective(drawn.objective_id) or ObjectiveDefinition(id="", name=drawn.objective_id)
            is_barred = drawn.named and rules.draw.named == BARRED
            others = [other for other in rules.objectives.get(drawn.group_id, ()) if other.id not in hand.now.seen]
            worth = engine.count_worth(rules, hand, drawn)
            is_doubled = drawn.named and rules.draw.named == DOUBLE
            due = self._find_due(drawn.objective_id, len(hand.rounds))
            yield HeldObjective(
                place=place,
                drawn=drawn,
                objective=objective,
                group=groups.get(drawn.group_id) or ObjectiveGroup(id="", name=drawn.group_id),
                lines=tuple(objective.list_lines(hand.size_id)),
                worth=worth,
                plain=worth // 2 if is_doubled else worth,
                brings=min(worth, room) if room is not None else worth,
                is_barred=is_barred,
                may_score=self.is_open and not is_barred,
                due=due,
                is_due=not due or not self.board.course.is_ahead(read_step(due), of=self.board.state.step),
                may_name=may_name and not drawn.named,
                changes=tuple(self._read_changes(drawn)) if self.is_open else (),
                others=tuple(others) if may_replace and objective.asks_for else (),
                draws_another=may_replace and bool(objective.replace),
            )

    def _find_due(self, objective_id: str, number: int) -> str:
        """Return the first step of a round at which an objective can be scored, or "" for any time."""
        course = self.board.course
        steps = find_due_steps(self.rules, course, objective_id, number, self.place)
        return str(min(steps, key=course.measure)) if steps else ""

    def _read_changes(self, drawn: DrawnObjective) -> Iterator[RollChange]:
        for act, word, step in CHANGES:
            stratagem = self.rules.stratagems.get(word)
            is_rolled = drawn.roll and not drawn.scored and stratagem and stratagem.id not in self.hand.now.used
            if stratagem is None or not is_rolled:
                continue
            rolled = 1 if word == engine.ONE else drawn.roll + step
            objective = engine.find_unseen(self.rules, self.hand, drawn, rolled)
            refused = self._check(act)
            if objective is not None and _is_payable(refused):
                cost, wrong = self.rules.get_cost(word), explain_refusal(refused) if refused else ""
                yield RollChange(act, stratagem, cost, step, objective, wrong)

    def _read_draw(self) -> DrawOffer | None:
        number, draw = self.board.state.step.round, self.rules.draw
        moment = self._make_moment("begin")
        if not self.is_open or moment is None or moment.has_drawn(self.place) or number > engine.ROUNDS:
            return None
        refused = check_moment(moment)
        is_extra = moment.draws_extra()
        is_asked = draw.extra not in ("", FEWER_POINTS) and number > 1
        # Only objectives of the previous round can be kept.
        is_next = len(self.hand.rounds) == number - 1
        keepable = [card for card in self._read_cards() if not card.drawn.scored] if is_next else []
        keep = self._make_offer(engine.KEEP, self._check("begin", keep="one")) if keepable else None
        return DrawOffer(
            number=draw.number + is_extra,
            wrong=explain_refusal(refused) if refused else "",
            is_extra=is_extra,
            asks_extra=is_asked and self._check("begin", extra=ON) is None,
            keep=keep,
            keepable=tuple(keepable) if keep else (),
        )

    def _read_swap(self) -> StratagemOffer | None:
        hand, stratagem = self.hand, self.rules.stratagems.get(engine.SWAP)
        is_used = any(stratagem and stratagem.id in played.used for played in hand.rounds)
        if not self.is_open or not hand.groups or not hand.rounds or is_used:
            return None
        return self._make_offer(engine.SWAP, self._check("category"))

    def _make_offer(self, word: str, refused: Refused | None) -> StratagemOffer | None:
        stratagem = self.rules.stratagems.get(word)
        if stratagem is None or not _is_payable(refused):
            return None
        return StratagemOffer(stratagem, self.rules.get_cost(word), explain_refusal(refused) if refused else "")


def _is_payable(refused: Refused | None) -> bool:
    return refused is None or refused.code == "too-dear"
