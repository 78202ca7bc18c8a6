"""Decide when a side may act on an objective hand. `objective_hand` decides the effect."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from roster.engine.edits import Refused
from roster.play.game_course import GameCourse
from roster.play.game_state import HandNote, TableStep
from roster.play.objective_hand import BARRED, KEEP, ONE, SHIFT, SWAP, Hand, HandRules

FEWER_POINTS = "fewer-points"
"""The side with fewer points draws the extra objective."""
ON = "on"


@dataclass(frozen=True, slots=True)
class HandMoment:
    """An action of the side at `actor` on the hand of the side at `place`.

    `points` are the scores before this round, `played` the sides with their own device. `left` is what the side can
    pay, None without a resource.
    """

    rules: HandRules
    course: GameCourse
    step: TableStep
    hands: Sequence[Hand | None]
    place: int
    actor: int
    note: HandNote
    points: Sequence[int] = ()
    played: Collection[int] = ()
    left: int | None = None

    @property
    def hand(self) -> Hand | None:
        return self.hands[self.place]

    @property
    def others(self) -> list[int]:
        return [place for place in range(len(self.hands)) if place != self.place]

    def has_drawn(self, place: int) -> bool:
        hand = self.hands[place]
        return hand is not None and len(hand.rounds) >= self.step.round

    @property
    def is_scored(self) -> bool:
        return any(drawn.scored for hand in self._list_drawn_hands() for drawn in hand.now.drawn)

    @property
    def is_named(self) -> bool:
        return any(drawn.named for hand in self._list_drawn_hands() for drawn in hand.now.drawn)

    def _list_drawn_hands(self) -> list[Hand]:
        return [hand for place, hand in enumerate(self.hands) if hand is not None and self.has_drawn(place)]

    def draws_extra(self) -> bool:
        if not self.rules.draw.extra or self.step.round < 2:
            return False
        if self.rules.draw.extra != FEWER_POINTS:
            return self.note.fields.get("extra") == ON
        return any(self.points[self.place] < self.points[other] for other in self.others)


def check_moment(moment: HandMoment) -> Refused | None:
    check = _CHECKS.get(moment.note.act)
    if check is None:
        return Refused(code="bad-change")
    return check(moment) or _check_payment(moment)


def _allow(moment: HandMoment) -> None:
    """Allow the action."""


def _check_draw(moment: HandMoment) -> Refused | None:
    if moment.has_drawn(moment.place):
        return Refused(code="drawn-already", measured=moment.step.round)
    if moment.note.fields.get("keep") and not moment.course.is_opening(moment.step):
        return Refused(code="not-opening")
    hands = {place: moment.hands[place] for place in moment.others if place in moment.played}
    # Both sides reveal their categories at once, so both must have chosen.
    if moment.rules.draw.choose and not all(hand and hand.groups for hand in hands.values()):
        return Refused(code="other-chooses")
    if moment.draws_extra() and moment.rules.draw.extra != FEWER_POINTS:
        drawn = (moment.hands[place] for place in moment.others if moment.has_drawn(place))
        if any(hand and hand.now.extra for hand in drawn):
            return Refused(code="other-extra")
    return None


def _check_fresh(moment: HandMoment) -> Refused | None:
    if not moment.has_drawn(moment.place):
        return Refused(code="not-drawn", measured=moment.step.round)
    if moment.is_scored or moment.is_named:
        return Refused(code="draw-over")
    return None


def _check_roll(moment: HandMoment) -> Refused | None:
    if not moment.course.is_opening(moment.step):
        return Refused(code="not-opening")
    return _check_fresh(moment)


def _check_swap(moment: HandMoment) -> Refused | None:
    return None if moment.course.is_closing(moment.step) else Refused(code="not-closing")


def _check_naming(moment: HandMoment) -> Refused | None:
    if moment.actor == moment.place and any(other in moment.played for other in moment.others):
        return Refused(code="opponent-names")
    # Do not wait for a side with neither player nor hand.
    waited = [place for place in moment.others if place in moment.played or moment.hands[place] is not None]
    if not all(moment.has_drawn(place) for place in [moment.place, *waited]):
        return Refused(code="not-drawn", measured=moment.step.round)
    return Refused(code="naming-over") if moment.is_scored else None


def _check_score(moment: HandMoment) -> Refused | None:
    drawn = moment.hand.now.drawn if moment.hand else ()
    index = moment.note.fields.get("place", "")
    is_there = index.isdecimal() and int(index) < len(drawn)
    if not is_there or moment.hand is None:
        return None
    objective = drawn[int(index)]
    if objective.named and moment.rules.draw.named == BARRED:
        return Refused(code="barred")
    number = len(moment.hand.rounds)
    steps = find_due_steps(moment.rules, moment.course, objective.objective_id, number, moment.place)
    # Objectives can score late in the round, but never early.
    if steps and all(moment.course.is_ahead(step, of=moment.step) for step in steps):
        return Refused(code="not-due")
    return None


def find_due_steps(rules: HandRules, course: GameCourse, objective_id: str, number: int, place: int) -> list[TableStep]:
    objective = rules.find_objective(objective_id)
    return [course.find_due(scoring.due, number, place) for scoring in objective.scores] if objective else []


def _check_payment(moment: HandMoment) -> Refused | None:
    cost = count_cost(moment.rules, moment.note)
    if moment.left is None or cost <= max(0, moment.left):
        return None
    return Refused(code="too-dear", allowed=max(0, moment.left), measured=cost)


def count_cost(rules: HandRules, note: HandNote) -> int:
    number = len(note.fields.get("keep", "").split()) if note.act == "begin" else 1
    return rules.get_cost(_STRATAGEMS.get(note.act, "")) * number


_STRATAGEMS: Mapping[str, str] = {"begin": KEEP, "up": SHIFT, "down": SHIFT, "one": ONE, "category": SWAP}
_CHECKS: Mapping[str, Callable[[HandMoment], Refused | None]] = {
    "choose": _allow,
    "begin": _check_draw,
    "up": _check_roll,
    "down": _check_roll,
    "one": _check_roll,
    "replace": _check_fresh,
    "name": _check_naming,
    "score": _check_score,
    "unscore": _allow,
    "category": _check_swap,
}
"""Only undo takes back a round, so that redo draws the same cards."""
