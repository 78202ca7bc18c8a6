"""Find who wins a game by points, captured tokens and eliminated sides."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import takewhile

from catalogue.definitions.numbers import Number
from catalogue.definitions.table_rules import TieBreak
from roster.play.game_state import MOST_SUM, SIDES

Team = Sequence[int]
"""The places of sides that win and lose together."""


class Ending(StrEnum):
    OPEN = ""
    CRUSHING = "crushing"
    AT_ONCE = "at once"
    STANDARD = "standard"
    DRAW = "draw"
    CONCEDED = "conceded"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ends. `ranks` start at 1, equal within a team; empty while the game is open.

    `by` is the tie-break that decided, `bonus` the winner's points for it.
    """

    ending: Ending = Ending.OPEN
    winner: int | None = None
    ranks: tuple[int, ...] = ()
    by: TieBreak | None = None
    bonus: int = 0


@dataclass(frozen=True, slots=True)
class SideStanding:
    """What counts for victory. `captured` are tokens by their owner's place, `tokens` are its own.

    `left` are its models and other boxes, `bodies` the points of its lost models, None if unknown. `commander` is when
    it lost its commander.
    """

    points: int
    captured: Mapping[int, int] = field(default_factory=dict)
    tokens: int = 0
    left: int | None = None
    bodies: Number | None = None
    commander: int | None = None
    is_out: bool = False


@dataclass(frozen=True, slots=True)
class VictoryRules:
    """What wins a game. `totals` are the sides' victory totals.

    With `own_totals`, sides compare their points above their totals. A side wins at once with its total and a lead of
    `ahead`, or with `from_each` tokens of each opponent, as does a team with `by_team` tokens. `level` are the
    tie-breaks; the lower body count scores `level_points`.
    """

    totals: tuple[int | None, ...] = (None, None)
    own_totals: bool = False
    ahead: int | None = None
    teams: int = 0
    from_each: int | None = None
    by_team: int | None = None
    level: tuple[TieBreak, ...] = ()
    level_points: int = 0

    def list_teams(self) -> list[Team]:
        """Without teams, each side is its own."""
        number = len(self.totals)
        return [range(first, number, self.teams or number) for first in range(self.teams or number)]

    def find_team(self, place: int) -> Team:
        return next(team for team in self.list_teams() if place in team)


def find_sudden_end(rules: VictoryRules, sides: Sequence[SideStanding]) -> Outcome:
    """Return a victory before the last turn, or an open outcome.

    >>> stand = lambda *points: [SideStanding(one) for one in points]
    >>> find_sudden_end(VictoryRules((20, 20), ahead=5), stand(20, 15)).winner
    0
    >>> find_sudden_end(VictoryRules((20, 20), ahead=5), stand(24, 20)).ending
    <Ending.OPEN: ''>

    If sides have their own totals, the lead counts beyond both totals, or is what the other side lacks of its own.

    >>> find_sudden_end(VictoryRules((28, 30), own_totals=True, ahead=5), stand(35, 32)).winner
    0
    >>> find_sudden_end(VictoryRules((28, 30), own_totals=True, ahead=5), stand(35, 33)).winner
    >>> find_sudden_end(VictoryRules((28, 30), own_totals=True, ahead=5), stand(35, 29)).winner
    """
    teams = rules.list_teams()
    standing = [team for team in teams if not _is_out(team, sides)]
    if len(teams) == SIDES and len(standing) == 1:
        return _end(rules, sides, Ending.AT_ONCE, standing[0])
    for team in teams:
        if _captured_enough(rules, team, sides):
            return _end(rules, sides, Ending.AT_ONCE, team)
    for team in teams:
        if rules.ahead is not None and _leads_by(rules, team, sides, rules.ahead):
            return _end(rules, sides, Ending.CRUSHING, team)
    return Outcome()


def _is_out(team: Team, sides: Sequence[SideStanding]) -> bool:
    return any(sides[place].is_out for place in team)


def _captured_enough(rules: VictoryRules, team: Team, sides: Sequence[SideStanding]) -> bool:
    if rules.teams:
        return rules.by_team is not None and sum(sides[place].points for place in team) >= rules.by_team
    (place,) = team
    least = min(sides[place].captured.get(other, 0) for other in range(len(sides)) if other != place)
    return rules.from_each is not None and least >= rules.from_each


def _leads_by(rules: VictoryRules, team: Team, sides: Sequence[SideStanding], ahead: int) -> bool:
    total, points = rules.totals[team[0]], _sum_points(team, sides)
    if total is None or points < total:
        return False
    for other in rules.list_teams():
        if other == team:
            continue
        theirs, lead = rules.totals[other[0]], points - _sum_points(other, sides)
        if rules.own_totals and theirs is not None:
            beyond = _sum_points(other, sides) - theirs
            lead = points - total - beyond if beyond >= 0 else -beyond
        if lead < ahead:
            return False
    return True


def _sum_points(team: Team, sides: Sequence[SideStanding]) -> int:
    return sum(sides[place].points for place in team)


def find_outcome(rules: VictoryRules, sides: Sequence[SideStanding]) -> Outcome:
    """Return how a game ends after its last turn.

    >>> stand = lambda *points: [SideStanding(one) for one in points]
    >>> find_outcome(VictoryRules((30, 30), ahead=5), stand(20, 18))
    Outcome(ending=<Ending.DRAW: 'draw'>, winner=None, ranks=(1, 1), by=None, bonus=0)
    >>> find_outcome(VictoryRules((30, 30), ahead=5), stand(31, 30))
    Outcome(ending=<Ending.STANDARD: 'standard'>, winner=0, ranks=(1, 2), by=None, bonus=0)
    >>> find_outcome(VictoryRules((28, 30), own_totals=True, ahead=5), stand(35, 35)).winner
    0
    >>> find_outcome(VictoryRules((None,) * 3), stand(1, 4, 4)).ranks
    (3, 1, 1)

    A side that is out ranks last, whatever it has captured.

    >>> find_outcome(VictoryRules((None,) * 3), [SideStanding(9, is_out=True), *stand(2, 3)]).ranks
    (3, 2, 1)

    Tied sides are compared by their losses.

    >>> rules = VictoryRules(level=(TieBreak.BODY_COUNT, TieBreak.COMMANDER), level_points=1)
    >>> outcome = find_outcome(rules, [SideStanding(3, bodies=80), SideStanding(3, bodies=95)])
    >>> outcome.winner, outcome.ranks, outcome.by.value, outcome.bonus
    (0, (1, 2), 'body count', 1)
    >>> lost = [SideStanding(3, bodies=80, commander=12), SideStanding(3, bodies=80, commander=40)]
    >>> find_outcome(rules, lost).winner, find_outcome(rules, [lost[0], SideStanding(3, bodies=80)]).winner
    (1, 1)
    >>> find_outcome(rules, [lost[0], SideStanding(3)]).ending
    <Ending.DRAW: 'draw'>
    >>> models = VictoryRules(level=(TieBreak.MODELS,))
    >>> find_outcome(models, [SideStanding(3, left=4), SideStanding(3, left=2)]).winner
    0
    >>> find_outcome(models, [SideStanding(3, left=4), SideStanding(3)]).ending
    <Ending.DRAW: 'draw'>
    """
    sudden = find_sudden_end(rules, sides)
    if sudden.winner is not None:
        return sudden
    teams = rules.list_teams()
    best = max(_measure(rules, team, sides) for team in teams)
    winners = [team for team in teams if _measure(rules, team, sides) == best]
    has_total = any(total is not None for total in rules.totals)
    is_short = has_total and all(_count_beyond(rules, team, sides) < 0 for team in winners)
    if is_short or all(_is_out(team, sides) for team in teams):
        return Outcome(Ending.DRAW, ranks=(1,) * len(sides))
    if len(winners) > 1:
        return Outcome(Ending.DRAW, ranks=_rank(rules, sides))
    by = _find_tie_break(rules, sides)
    outcome = _end(rules, sides, Ending.STANDARD, winners[0])
    return replace(outcome, by=by, bonus=rules.level_points if by == TieBreak.BODY_COUNT else 0)


def _count_beyond(rules: VictoryRules, team: Team, sides: Sequence[SideStanding]) -> int:
    return _sum_points(team, sides) - (rules.totals[team[0]] or 0)


def _list_ties(rules: VictoryRules, sides: Sequence[SideStanding]) -> tuple[TieBreak, ...]:
    """List the tie-breaks before the first that needs an unknown figure."""
    # A side without a list may have any number of models, and uncounted losses may be anything.
    unknown = set()
    if any(side.left is None for side in sides):
        unknown.add(TieBreak.MODELS)
    if any(side.bodies is None for side in sides):
        unknown.add(TieBreak.BODY_COUNT)
    return tuple(takewhile(lambda tie: tie not in unknown, rules.level))


def _measure_tie(tie: TieBreak, team: Team, sides: Sequence[SideStanding]) -> Number:
    members = [sides[place] for place in team]
    match tie:
        case TieBreak.TOKENS:
            return sum(side.tokens for side in members)
        case TieBreak.MODELS:
            return sum(side.left or 0 for side in members)
        case TieBreak.BODY_COUNT:
            return -sum(side.bodies or 0 for side in members)
        case TieBreak.COMMANDER:
            # A surviving commander counts as lost last.
            return min(MOST_SUM if side.commander is None else side.commander for side in members)


def _measure(rules: VictoryRules, team: Team, sides: Sequence[SideStanding]) -> tuple[Number, ...]:
    ties = (_measure_tie(tie, team, sides) for tie in _list_ties(rules, sides))
    return (int(not _is_out(team, sides)), _count_beyond(rules, team, sides), *ties)


def _find_tie_break(rules: VictoryRules, sides: Sequence[SideStanding]) -> TieBreak | None:
    best, second, *_others = sorted((_measure(rules, team, sides) for team in rules.list_teams()), reverse=True)
    if best[:2] != second[:2]:
        return None
    ties = zip(_list_ties(rules, sides), best[2:], second[2:], strict=True)
    return next((tie for tie, mine, theirs in ties if mine != theirs), None)


def _end(rules: VictoryRules, sides: Sequence[SideStanding], ending: Ending, winner: Team) -> Outcome:
    return Outcome(ending, winner[0], _rank(rules, sides, winner))


def _rank(rules: VictoryRules, sides: Sequence[SideStanding], winner: Team = ()) -> tuple[int, ...]:
    measures = {place: (place in winner, _measure(rules, team, sides)) for team in rules.list_teams() for place in team}
    heads = [measures[team[0]] for team in rules.list_teams()]
    return tuple(1 + sum(head > measures[place] for head in heads) for place in range(len(sides)))


def concede(rules: VictoryRules, sides: Sequence[SideStanding], place: int) -> Outcome:
    """Return how a game ends if the side at `place` gives up: the best other side wins.

    >>> outcome = concede(VictoryRules(), [SideStanding(9), SideStanding(2)], 0)
    >>> outcome.ending.value, outcome.winner, outcome.ranks
    ('conceded', 1, (2, 1))
    """
    lost = rules.find_team(place)
    given_up = [replace(side, is_out=True) if number in lost else side for number, side in enumerate(sides)]
    outcome = find_outcome(rules, given_up)
    return Outcome(Ending.CONCEDED, outcome.winner, outcome.ranks)
