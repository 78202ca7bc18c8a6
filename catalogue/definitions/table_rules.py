"""How a game is played and counted."""

from enum import StrEnum

import msgspec

from catalogue.definitions.base import Definition
from catalogue.definitions.citations import NOWHERE, Citation
from catalogue.definitions.infos import Phase


class PhaseGain(Definition):
    """A side's gain in a phase, once per turn, or per round if sides take no turns.

    It is `amount`, plus the number of the round if `by_round`, plus the list's `list_figure`.
    """

    resource: str
    amount: int = 0
    by_round: bool = False
    list_figure: str = ""


class MarkEnd(StrEnum):
    TURN = "turn"
    ROUND = "round"
    GAME = "game"


class UnitMark(Definition):
    """A temporary state of a unit, shown by a token: activated, pinned.

    `in_turn` marks units that act: sides alternate, and the last unit of a round is not the first of the next. A unit
    with a mark that `takes_cards` no longer adds resources.
    """

    id: str
    name: str
    until: MarkEnd = MarkEnd.ROUND
    in_turn: bool = False
    takes_cards: bool = False
    citation: Citation = NOWHERE


class UnitTrack(Definition):
    """Boxes other than wounds or models: the number in `column` of the unit's profile, or `boxes`."""

    id: str
    name: str
    column: str = ""
    boxes: int = 0
    citation: Citation = NOWHERE


class TurnPhase(Definition):
    """A phase that `draws` objectives comes once at the start of a round, in missions that draw."""

    id: str
    name: str
    marks: tuple[Phase, ...] = ()
    does: tuple[str, ...] = ()
    gains: tuple[PhaseGain, ...] = ()
    icon: str = ""
    draws: bool = False
    citation: Citation = NOWHERE


class ResourceChange(Definition):
    """`amount` is 0 if the book gives no single number."""

    text: str
    amount: int = 0


class TableResource(Definition):
    """Something that players have and spend in a game.

    A player starts with `start`, or `start_by_mission` by mission id, plus the battle size's `size_figure` and the
    list's `list_figure`, minus its `list_cost`. If `refreshed`, it is full again each round. A lost unit takes its part
    of the figure, a lost commander `commander_takes` instead.
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
    """FREELY leaves it to the players, AT_ONCE means in any phase."""

    FREELY = ""
    EACH_TURN = "each turn"
    LAST_TURN = "last turn"
    WHILE_TRUE = "while true"
    ONCE = "once"
    AT_ONCE = "at once"


class ScoreTiming(Definition):
    """When and how often a way to score counts.

    It scores up to `times` at once, from turn `first` to `last` (each 0 for no limit), and twice the points in the last
    `doubled` turns. With `in_part`, fewer points may be scored. Of lines with the same `one_of`, only the best counts.
    If it `ends` the game, it does so at the end of the turn.
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
    """`points` are its steps.

    `most` is per game, `most_round` per round. `missions` are ids, empty for all. Scores that pay for something may go
    `below_zero`.
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
    """Tokens that other sides take when a model is killed: the number in `column` of its profile.

    `tokens` are for each side. `missions` are ids, empty for all. In missions of `lost_in`, tokens leave the game if no
    enemy killed the model.
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
    """More tokens kept, more models and boxes of tracks left, lost models worth less, or a commander lost later."""

    TOKENS = "tokens kept"
    MODELS = "models left"
    BODY_COUNT = "body count"
    COMMANDER = "commander"


class Loss(StrEnum):
    """What a side needs to play on."""

    MODELS = "models"
    TOKENS = "tokens"


class Victory(Definition):
    """Who wins: the side with more points after the last turn.

    - With `by_total` it also needs the mission's total; if sides have their own totals, the excess is compared.
    - A side with its total that is `ahead` by this much ends the game at once (None: never).
    - So does a side that has captured `from_each` tokens from each opponent, or a team that has captured `by_team`.
    - A side without any of `out` is out. Of two sides or teams the other wins at once; of more, the game ends with the
      turn.
    - With `last_card` the game also ends with the turn in which a deck runs out.
    - `level` breaks ties in order; the side with the lower body count scores `level_points` more.
    - With `annihilation`, a side without models ends the game, and the points decide.
    - A side that gives up scores `conceded` (None: what it has scored).
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
    conceded: int | None = None
    citation: Citation = NOWHERE


class InitiativeRoll(Definition):
    """All sides roll a die for who acts first, from round `first` on. The winner decides.

    A unit with the `ability` adds its figure; only the highest counts. `word` is the book's name for it, if not
    initiative. Without a `die`, players only say who it is.
    """

    word: str = ""
    die: int = 6
    first: int = 1
    ability: str = ""
    citation: Citation = NOWHERE


class TableRules(Definition):
    """How a game is played. `most` is a side's maximum score.

    `rounds` is None if the game goes on until a side wins. With `turns`, players take whole turns one after the other.
    `steps` come before the first round. Objectives score in the phase `scored_in`, "" for any. `players` play in
    `teams` if no mission says so. With `own_missions`, each side plays its own. A model with several tracks is
    destroyed without boxes in the column `vital`, or if that is blank, without any.
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
    own_missions: bool = False
    citation: Citation = NOWHERE
