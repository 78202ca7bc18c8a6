"""What is counted during a game: rounds and phases, resources, what scores and when, and who wins."""

from enum import StrEnum

import msgspec

from catalogue.definitions.base import Definition
from catalogue.definitions.citations import NOWHERE, Citation
from catalogue.definitions.infos import Phase


class PhaseGain(Definition):
    """What a side gains of a resource in a phase, once in its turn, or once in a round if the sides take no turns.

    It is `amount`, as much again as the number of the round with `by_round`, and what the list has of `list_figure`.
    """

    resource: str
    amount: int = 0
    by_round: bool = False
    list_figure: str = ""


class MarkEnd(StrEnum):
    """Until when a unit has a mark, if nobody takes it away before."""

    TURN = "turn"
    ROUND = "round"
    GAME = "game"


class UnitMark(Definition):
    """Something that a unit is or has for a time, as a token beside it says at the table: activated, pinned.

    `in_turn` is for the mark of units that act: the sides act with one unit each in turn, and the last unit of a
    round is not the first of the next. A unit with a mark that `takes_cards` brings no resources any more.
    """

    id: str
    name: str
    until: MarkEnd = MarkEnd.ROUND
    in_turn: bool = False
    takes_cards: bool = False
    citation: Citation = NOWHERE


class UnitTrack(Definition):
    """Boxes that a unit has beside its wounds or models: as many as its profile says in `column`, or `boxes`."""

    id: str
    name: str
    column: str = ""
    boxes: int = 0
    citation: Citation = NOWHERE


class TurnPhase(Definition):
    """A phase of a turn: the marks of the abilities that matter in it, and what everybody does then, and gains.

    `draws` says that objectives are drawn in it: it comes once, at the start of a round, before the turns of the
    players, and only in missions that draw objectives.
    """

    id: str
    name: str
    marks: tuple[Phase, ...] = ()
    does: tuple[str, ...] = ()
    gains: tuple[PhaseGain, ...] = ()
    icon: str = ""
    draws: bool = False
    citation: Citation = NOWHERE


class ResourceChange(Definition):
    """What earns or spends a resource, and how much: 0 where the book gives no single number."""

    text: str
    amount: int = 0


class TableResource(Definition):
    """Something that players have and spend in a game. `sign` is beside the figure; `most` is what one may have.

    `start` is what each has before the first round, `start_by_mission` what each has in some missions, by their ids;
    `refreshed` what there is again in every round. There may be more
    before the first round: `size_figure` names the figure of the battle size that says how much, `list_figure` the
    figure of the list; of `list_cost`, a cost of the list, as much is spent before the game. What a unit brings to the
    figure is there while the unit is on the table; a lost commander takes `commander_takes` instead.
    """

    id: str
    name: str
    sign: str = ""
    start: int = 0
    start_by_mission: dict[str, int] = msgspec.field(default_factory=dict)
    size_figure: str = ""
    list_figure: str = ""
    list_cost: str = ""
    most: int | None = None
    refreshed: bool = False
    commander_takes: int = 0
    earns: tuple[ResourceChange, ...] = ()
    spends: tuple[ResourceChange, ...] = ()
    citation: Citation = NOWHERE


class ScoreMoment(StrEnum):
    """When a way to score is looked at. Data that does not say leaves it to the players.

    What scores at once scores in any phase, as soon as it happens.
    """

    FREELY = ""
    EACH_TURN = "each turn"
    LAST_TURN = "last turn"
    WHILE_TRUE = "while true"
    ONCE = "once"
    AT_ONCE = "at once"


class ScoreTiming(Definition):
    """When and how often a way to score counts.

    `times` is how often it scores at one time, 0 without a bound. `first` and `last` are the turns from and up to which
    it is looked at, 0 without a bound; in the last `doubled` turns it brings twice its points. With `in_part` fewer
    points than those may be scored. Of the lines with the same word in `one_of` a side scores the best one only. A line
    that `ends` the game does so at the end of the turn in which it scores.
    """

    counts: ScoreMoment = ScoreMoment.FREELY
    times: int = 0
    first: int = 0
    last: int = 0
    doubled: int = 0
    in_part: bool = False
    one_of: str = ""
    ends: bool = False


ANY_TIME = ScoreTiming()


class ScoreItem(Definition):
    """A way to score. `points` are the steps it is scored in.

    `most` is what it brings in a game, `most_round` in a round; `missions` are the ids of those it belongs to, none for
    all. What pays for other things may go `below_zero`.
    """

    id: str
    name: str
    points: tuple[int, ...] = (1,)
    most: int | None = None
    most_round: int | None = None
    below_zero: bool = False
    when: str = ""
    text: str = ""
    missions: tuple[str, ...] = ()
    timing: ScoreTiming = ANY_TIME
    citation: Citation = NOWHERE


class TokenCapture(Definition):
    """Tokens of each side that the others take: as many as `column` of a profile says when a model with it is killed.

    `tokens` are what a side begins with. `missions` are the ids of those it belongs to, none for all. In those of
    `lost_in` the tokens leave the game if no enemy killed the model.
    """

    id: str
    name: str
    tokens: int
    column: str
    text: str = ""
    missions: tuple[str, ...] = ()
    lost_in: tuple[str, ...] = ()
    citation: Citation = NOWHERE


class TieBreak(StrEnum):
    """What decides between level sides: more tokens of their own, more models and boxes of `unit tracks`.

    Or lost models that are worth less, or a commander that was lost later.
    """

    TOKENS = "tokens kept"
    MODELS = "models left"
    BODY_COUNT = "body count"
    COMMANDER = "commander"


class Loss(StrEnum):
    """What a side is out without."""

    MODELS = "models"
    TOKENS = "tokens"


class Victory(Definition):
    """Who wins: the side with more points, after the last turn; `level` decides between level sides, in this order.

    With `by_total` it must have the mission's victory total as well; sides with totals of their own are compared by
    what they have beyond them. A side with its total that is `ahead` or more ends the game at once, None if nothing
    does. So does one that has captured `from_each` tokens from each opponent, or a team that has captured `by_team`.
    A side is out without any of `out`: of two sides or teams the other one wins at once, of more the game ends with the
    turn. With `last_card` it ends so when a deck has run out, too. With `annihilation` a side without models ends the
    game, and the points decide. The side with the lower body count of `level` scores `level_points` more.
    """

    by_total: bool = False
    ahead: int | None = None
    from_each: int | None = None
    by_team: int | None = None
    out: tuple[Loss, ...] = ()
    last_card: bool = False
    level: tuple[TieBreak, ...] = ()
    level_points: int = 0
    annihilation: bool = False
    citation: Citation = NOWHERE


class InitiativeRoll(Definition):
    """Who acts first in a round: both sides roll a die, and the winner of the roll decides.

    It is rolled from the round `first` on. Units with the `ability` of this name add its figure to the roll; of several
    the highest counts.
    """

    die: int = 6
    first: int = 1
    ability: str = ""
    citation: Citation = NOWHERE


class TableRules(Definition):
    """How a game goes at the table. `most` is what a side scores at most in it.

    `rounds` is None where the game goes on until somebody wins; `turns` says that the players take whole turns one
    after the other. `steps` is what players do before the first round, in order. `scored_in` is the id of the phase in
    which objectives are scored, blank for any. `players` are how many play and `teams` how many teams they form, if no
    mission says it; 0 for none. A model with several tracks is destroyed without boxes in the column `vital`; if that
    is blank, without any boxes.
    """

    rounds: int | None = None
    round: str = ""
    turns: bool = False
    most: int | None = None
    phases: tuple[TurnPhase, ...] = ()
    resources: tuple[TableResource, ...] = ()
    items: tuple[ScoreItem, ...] = ()
    marks: tuple[UnitMark, ...] = ()
    tracks: tuple[UnitTrack, ...] = ()
    steps: tuple[str, ...] = ()
    scored_in: str = ""
    capture: TokenCapture | None = None
    vital: str = ""
    initiative: InitiativeRoll | None = None
    victory: Victory | None = None
    players: int = 2
    teams: int = 0
    citation: Citation = NOWHERE
