"""Missions, their special rules, and everything else that is on the table beside a list."""

from enum import StrEnum

import msgspec

from catalogue.definitions.base import Definition
from catalogue.definitions.citations import NOWHERE, Citation
from catalogue.definitions.table_rules import ANY_TIME, ScoreTiming, TableRules

Point = tuple[float, float]

LONGEST_ZONES = 4000
"""Letters of the zones of a map as staff enter them."""


class Whose(StrEnum):
    """Whom a zone belongs to."""

    FIRST = "first"
    SECOND = "second"
    BOTH = "both"


class Zone(Definition):
    """Part of a table: polygons, or a circle. `measure` is what is beside it, such as 6"."""

    name: str
    whose: Whose = Whose.BOTH
    polygons: tuple[tuple[Point, ...], ...] = ()
    centre: Point | None = None
    radius: float = 0
    measure: str = ""


class MapTable(Definition):
    """The zones on a table of one size; `sizes` are the ids of the battle sizes it is for, none for all."""

    width: float
    depth: float
    zones: tuple[Zone, ...] = ()
    spots: tuple[Point, ...] = ()
    sizes: tuple[str, ...] = ()


class DeploymentMapDefinition(Definition):
    """A way to deploy. Without `tables` the book gives no distances, and whatever is drawn is schematic."""

    id: str
    name: str
    roll: int | None = None
    text: str = ""
    steps: tuple[str, ...] = ()
    tables: tuple[MapTable, ...] = ()
    citation: Citation = NOWHERE

    @property
    def schematic(self) -> bool:
        """Whether there is nothing to draw to scale."""
        return not self.tables


# ---- missions -------------------------------------------------------------------------------------------------------


class Special(Definition):
    """A special rule of missions, in our own words."""

    id: str
    name: str
    text: str = ""
    citation: Citation = NOWHERE


class LabelledText(Definition):
    """A text under a label, and the points it is worth, if any."""

    label: str
    text: str
    points: str = ""
    timing: ScoreTiming = ANY_TIME


class Aim(Definition):
    """An objective as a mission gives it: as its primary one, say, for so many points, in a zone of its own."""

    objective_id: str
    label: str = ""
    points: str = ""
    zone: str = ""


class Markers(Definition):
    """Markers that lie on the table: which token, how many, for both players together or `per_player`."""

    token_id: str
    count: int = 1
    per_player: bool = False
    text: str = ""


class Brief(Definition, kw_only=True):
    """What a mission asks, of both players or of one side: its special rules by id, what scores, how long.

    `total` are the points needed to win, `maps` the ids of the deployments that belong to it, none where one is rolled.
    """

    tagline: str = ""
    specials: tuple[str, ...] = ()
    aims: tuple[Aim, ...] = ()
    markers: tuple[Markers, ...] = ()
    maps: tuple[str, ...] = ()
    total: int | None = None
    turns: int | None = None
    paragraphs: tuple[LabelledText, ...] = msgspec.field(default=(), name="said")


class MissionSide(Brief, kw_only=True):
    """One side of a mission whose sides differ. `icon` names a sign for its cards."""

    id: str
    name: str
    icon: str = ""


class Draw(Definition):
    """How objectives are drawn anew in each round.

    `number` of them; `table` are the ids of the groups by the result of `die`, or blank for those a player chose, of
    which there are `choose`, called by `letters`. `each`: one from every chosen group. `extra` says who draws one more
    from round two on, `named` what becomes of the one that the opponent names, `secret` how much more those of a group
    noted in secret score. `free` are the stratagems that cost nothing.
    """

    number: int
    die: int = 0
    choose: int = 0
    letters: tuple[str, ...] = ()
    table: tuple[str, ...] = ()
    one_from_each: bool = msgspec.field(default=False, name="each")
    extra: str = ""
    named: str = ""
    secret: int = 0
    free: tuple[str, ...] = ()


class ScoreRow(Definition):
    """A line of a score sheet that belongs to no turn: room to write after some words, or so many boxes to tick."""

    name: str
    text: str = ""
    boxes: int = 0


class ScoreSheet(Definition, kw_only=True):
    """What a score sheet has room for in addition to what scores.

    `turns` are how many a game has where a mission says nothing else, 0 where nothing is counted by turns; `turn` is
    what the game calls one. `columns` are figures to note in each turn; `most` is what objectives score at most in a
    game; `rows` are below.
    """

    turns: int | None = None
    turn: str = ""
    columns: tuple[str, ...] = ()
    most: int | None = None
    rows: tuple[ScoreRow, ...] = ()


class MissionDefinition(Brief, kw_only=True):
    """A mission: what it is called, how it is scored, where to read the rest.

    `players` are how many play it, `teams` how many teams they form, seated in turn, 0 for none; a `score` sheet of its
    own goes before that of its pack. `low` and `high` are the results of its pack's die. `sides` play it where they
    differ.
    """

    id: str
    name: str
    pack: str = ""
    scoring: str = ""
    low: int | None = None
    high: int | None = None
    story: str = ""
    note: str = ""
    icon: str = ""
    sides: tuple[MissionSide, ...] = ()
    draw: Draw | None = None
    players: int = 2
    teams: int = 0
    score: ScoreSheet | None = None
    citation: Citation = NOWHERE

    @property
    def is_rolled(self) -> bool:
        """Whether a result of its pack's die leads to it; the others are chosen."""
        return self.low is not None


class MissionPackDefinition(Definition):
    """Missions that are rolled for together, with a die of so many sides."""

    id: str
    name: str
    die: int = 6
    text: str = ""
    score: ScoreSheet | None = None
    citation: Citation = NOWHERE


class Scoring(Definition):
    """A way to score: when it is looked at, what has to be true, for how many points. `by_size` by battle size.

    `when` and `doubled` are the words that readers see, `timing` is what a game counts by. `due` is when an
    objective of a hand can score in its round: at the end of any `phase`, of a `turn`, of the `round`, of the phase
    with an id, or of `your` phase with an id; blank for any time.
    """

    text: str = ""
    when: str = ""
    points: str = ""
    doubled: str = ""
    by_size: dict[str, str] = msgspec.field(default_factory=dict)
    timing: ScoreTiming = ANY_TIME
    due: str = ""


class ObjectiveDefinition(Definition):
    """An objective; `group` is the id of the class or category it belongs to, `roll` its place there.

    `asks_for` are keywords of units: if no unit on the battlefield has them, the objective cannot be achieved.
    """

    id: str
    name: str
    group: str = ""
    roll: int | None = None
    tagline: str = ""
    scores: tuple[Scoring, ...] = ()
    markers: Markers | None = None
    zone: str = ""
    setup: str = ""
    special: str = ""
    replace: str = ""
    asks_for: tuple[str, ...] = ()
    note: str = ""
    icon: str = ""
    citation: Citation = NOWHERE

    def list_lines(self, size_id: str) -> list[tuple[str, str]]:
        """Return when it is looked at and what has to be true then, in a battle of this size."""
        return [(score.when, score.by_size.get(size_id, score.text)) for score in self.scores]


class ObjectiveGroup(Definition):
    """A class or category of objectives, and what all of them have in common."""

    id: str
    name: str
    tagline: str = ""
    text: str = ""
    icon: str = ""
    citation: Citation = NOWHERE


class NamedFigure(Definition):
    """A figure with its name."""

    name: str
    value: str


class BattleSize(Definition):
    """How large a battle is: its points, the table in inches, and other figures."""

    id: str
    name: str
    points: int | None = None
    width: int | None = None
    depth: int | None = None
    facts: tuple[NamedFigure, ...] = ()
    citation: Citation = NOWHERE


class Stratagem(Definition):
    """A stratagem of the missions. `act` is what it does to drawn objectives, `limit` how often: a battle, a round."""

    id: str
    name: str
    cost: int = 0
    kind: str = ""
    when: str = ""
    limit: str = ""
    text: str = ""
    act: str = ""
    citation: Citation = NOWHERE


class Token(Definition):
    """A token or marker to cut out: how wide, in millimetres, how many on a sheet, and what is on each."""

    id: str
    name: str
    text: str = ""
    diameter: int = 25
    count: int = 1
    faces: tuple[str, ...] = ()
    per_player: bool = False
    icon: str = ""
    citation: Citation = NOWHERE


class ReferencePart(Definition):
    """A part of the quick reference: sentences in order, then rows of a table."""

    id: str
    name: str
    texts: tuple[str, ...] = ()
    rows: tuple[NamedFigure, ...] = ()
    citation: Citation = NOWHERE


class PlayBook(Definition):
    """Everything a game is played with beside the lists, but for the missions and their special rules."""

    packs: tuple[MissionPackDefinition, ...] = ()
    groups: tuple[ObjectiveGroup, ...] = ()
    objectives: tuple[ObjectiveDefinition, ...] = ()
    maps: tuple[DeploymentMapDefinition, ...] = ()
    sizes: tuple[BattleSize, ...] = ()
    stratagems: tuple[Stratagem, ...] = ()
    tokens: tuple[Token, ...] = ()
    reference: tuple[ReferencePart, ...] = ()
    table: TableRules = TableRules()
