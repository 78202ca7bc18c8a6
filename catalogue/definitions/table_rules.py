"""What is counted during a game: rounds and phases, resources, and what scores besides objectives."""

from catalogue.definitions.base import Definition
from catalogue.definitions.citations import NOWHERE, Citation
from catalogue.definitions.infos import Phase


class TurnPhase(Definition):
    """A phase of a turn: the marks of the abilities that matter in it, and what everybody does then.

    `draws` says that objectives are drawn in it: it comes once, at the start of a round, before the turns of the
    players, and only in missions that draw objectives.
    """

    id: str
    name: str
    marks: tuple[Phase, ...] = ()
    does: tuple[str, ...] = ()
    icon: str = ""
    draws: bool = False
    citation: Citation = NOWHERE


class ResourceChange(Definition):
    """What earns or spends a resource, and how much: 0 where the book gives no single number."""

    text: str
    amount: int = 0


class TableResource(Definition):
    """Something that players have and spend in a game. `sign` is beside the figure; `most` is what one may have.

    `start` is what each has before the first round, `refreshed` what there is again in every round. There may be more
    before the first round: `size_figure` names the figure of the battle size that says how much, `list_figure` the
    figure of the list; of `list_cost`, a cost of the list, as much is spent before the game.
    """

    id: str
    name: str
    sign: str = ""
    start: int = 0
    size_figure: str = ""
    list_figure: str = ""
    list_cost: str = ""
    most: int | None = None
    refreshed: bool = False
    earns: tuple[ResourceChange, ...] = ()
    spends: tuple[ResourceChange, ...] = ()
    citation: Citation = NOWHERE


class ScoreItem(Definition):
    """A way to score. `points` are the steps it is scored in.

    `most` is what it brings in a game, `most_round` in a round; `missions` are the ids of those it belongs to, none for
    all.
    """

    id: str
    name: str
    points: tuple[int, ...] = (1,)
    most: int | None = None
    most_round: int | None = None
    when: str = ""
    text: str = ""
    missions: tuple[str, ...] = ()
    citation: Citation = NOWHERE


class TableRules(Definition):
    """How a game goes at the table. `most` is what a side scores at most in it.

    `rounds` is None where the game goes on until somebody wins; `turns` says that the players take whole turns one
    after the other.
    """

    rounds: int | None = None
    round: str = ""
    turns: bool = False
    most: int | None = None
    phases: tuple[TurnPhase, ...] = ()
    resources: tuple[TableResource, ...] = ()
    items: tuple[ScoreItem, ...] = ()
    citation: Citation = NOWHERE
