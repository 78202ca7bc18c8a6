from collections.abc import Mapping
from dataclasses import dataclass, field

from roster.play.game_state import MOST_AMOUNT, SIDES, TableStep


@dataclass(frozen=True, slots=True)
class GameCourse:
    """The steps of a game; `rounds` is 0 if unknown.

    With `turns`, the sides take turns, starting at the place `first` or, in the rounds of `firsts`, at another place.
    The first `openings` phases come once per round, before the turns.
    """

    phases: tuple[str, ...] = ()
    rounds: int = 0
    turns: bool = False
    first: int = 0
    firsts: Mapping[int, int] = field(default_factory=dict)
    openings: int = 0
    sides: int = SIDES

    def find_first(self, number: int) -> int:
        return self.firsts.get(number, self.first)

    def list_order(self, number: int) -> tuple[int, ...]:
        """List the places in the order of their turns in a round."""
        first = self.find_first(number)
        return tuple((first + more) % self.sides for more in range(self.sides))

    @property
    def beginning(self) -> TableStep:
        return self.start_round(1)

    def begin_with(self, place: int) -> TableStep:
        """Return the first step if the side at `place` goes first."""
        return TableStep(turn=place, phase=self.beginning.phase)

    def start_round(self, number: int) -> TableStep:
        return TableStep(round=number, turn=self.find_first(number), phase=self.phases[0] if self.phases else "")

    def start_turn(self, number: int, place: int) -> TableStep:
        phases = self.list_phases(number, place)
        return TableStep(round=number, turn=place, phase=phases[0] if phases else "")

    def list_phases(self, number: int, place: int) -> tuple[str, ...]:
        """List the phases of a turn; only the first turn of a round has the openings."""
        return self.phases if place == self.find_first(number) or not self.turns else self.phases[self.openings :]

    def has(self, step: TableStep) -> bool:
        is_played = 1 <= step.round <= (self.rounds or MOST_AMOUNT) and step.turn < self.sides
        return is_played and step.phase in (self.list_phases(step.round, step.turn) or ("",))

    def is_opening(self, step: TableStep) -> bool:
        return step == self.start_round(step.round)

    def is_closing(self, step: TableStep) -> bool:
        following = self.find_next(step)
        return following is None or following.round != step.round

    def find_due(self, due: str, number: int, place: int) -> TableStep:
        """Return the first step of a round at which a side can score something with this `due` time.

        >>> course = GameCourse(phases=("draw", "move", "fight"), rounds=5, turns=True, openings=1)
        >>> [str(course.find_due(due, 2, 1)) for due in ("phase", "turn", "round", "move", "your move")]
        ['2:0:move', '2:0:fight', '2:1:fight', '2:0:move', '2:1:move']
        """
        last = self.phases[-1] if self.phases else ""
        first = self.find_first(number)
        last_turn = self.list_order(number)[-1] if self.turns else first
        phases = self.phases[self.openings :]
        match due:
            case "":
                return self.start_round(number)
            case "phase":
                return TableStep(round=number, turn=first, phase=phases[0] if phases else "")
            case "turn":
                return TableStep(round=number, turn=first, phase=last)
            case "round":
                return TableStep(round=number, turn=last_turn, phase=last)
        whose, _, phase = due.rpartition(" ")
        return TableStep(round=number, turn=place if whose and self.turns else first, phase=phase)

    def find_next(self, step: TableStep) -> TableStep | None:
        """Return the step after another, or None after the last step.

        >>> course = GameCourse(phases=("move", "fight"), rounds=1, turns=True)
        >>> course.find_next(TableStep(phase="move")).phase, course.find_next(TableStep(phase="fight")).turn
        ('fight', 1)
        >>> course.find_next(TableStep(turn=1, phase="fight"))

        The side that went last may go first in the next round.

        >>> course = GameCourse(rounds=3, turns=True, firsts={2: 1})
        >>> str(course.find_next(TableStep(turn=1))), str(course.find_next(TableStep(round=2, turn=1)))
        ('2:1:', '2:0:')
        >>> str(course.find_next(TableStep(round=2))), str(course.find_next(TableStep(round=3)))
        ('3:0:', '3:1:')
        """
        # The phases played in a step without a phase are unknown, so the next turn follows.
        following = self.phases[self.phases.index(step.phase) + 1 :] if step.phase in self.phases else ()
        if following:
            return TableStep(round=step.round, turn=step.turn, phase=following[0])
        following_turn = (step.turn + 1) % self.sides
        if self.turns and following_turn != self.find_first(step.round):
            return self.start_turn(step.round, following_turn)
        if self.rounds and step.round >= self.rounds:
            return None
        return self.start_round(step.round + 1)

    def is_ahead(self, step: TableStep, of: TableStep) -> bool:
        return self.measure(step) > self.measure(of)

    def measure(self, step: TableStep) -> tuple[int, int, int]:
        phase = self.phases.index(step.phase) if step.phase in self.phases else -1
        return step.round, (step.turn - self.find_first(step.round)) % self.sides if self.turns else 0, phase
