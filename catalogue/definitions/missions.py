"""Missions, and everything else on the table apart from the lists."""

from enum import StrEnum

import msgspec

from catalogue.definitions.base import Definition
from catalogue.definitions.citations import NOWHERE, Citation
from catalogue.definitions.table_rules import ANY_TIME, ScoreTiming, TableRules

Point = tuple[float, float]

LONGEST_ZONES = 4000
"""For zones entered by staff."""


class Whose(StrEnum):
    FIRST = "first"
    SECOND = "second"
    BOTH = "both"


class Zone(Definition):
    """Polygons, or a circle. `measure` is its label, such as 6"."""

    name: str
    whose: Whose = Whose.BOTH
    polygons: tuple[tuple[Point, ...], ...] = ()
    centre: Point | None = None
    radius: float = 0
    measure: str = ""


class MapTable(Definition):
    """The zones on a table of one size. `sizes` are battle size ids, empty for all."""

    width: float
    depth: float
    zones: tuple[Zone, ...] = ()
    spots: tuple[Point, ...] = ()
    sizes: tuple[str, ...] = ()


class DeploymentMapDefinition(Definition):
    """A way to deploy. Without `tables`, its map cannot be drawn to scale."""

    id: str
    name: str
    roll: int | None = None
    text: str = ""
    steps: tuple[str, ...] = ()
    tables: tuple[MapTable, ...] = ()
    citation: Citation = NOWHERE

    @property
    def schematic(self) -> bool:
        return not self.tables


# ---- missions -------------------------------------------------------------------------------------------------------


class Special(Definition):
    id: str
    name: str
    text: str = ""
    citation: Citation = NOWHERE


class LabelledText(Definition):
    """A labelled text, and the points it is worth, if any. `theirs` are for the opponents of the mission's side."""

    label: str
    text: str
    points: str = ""
    timing: ScoreTiming = ANY_TIME
    theirs: bool = False


class Aim(Definition):
    objective_id: str
    label: str = ""
    points: str = ""
    zone: str = ""


class Markers(Definition):
    """For both players together, or `per_player`."""

    token_id: str
    count: int = 1
    per_player: bool = False
    text: str = ""


class Brief(Definition, kw_only=True):
    """A mission for both players or one side.

    `total` is the points needed to win. `maps` is empty if the map is rolled for.
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
    id: str
    name: str
    icon: str = ""


class Draw(Definition):
    """How objectives are drawn each round.

    `table` has the group for each result of `die`, or "" for one of the `choose` groups that players chose, called
    `letters`. `each` draws one from every chosen group. `extra` says who draws one more from round two on, `named` what
    happens to the objective that the opponent names, `secret` the extra points for a secretly noted group. `free`
    stratagems cost nothing.
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
    """A line of a score sheet outside the turns: room to write, or boxes to tick."""

    name: str
    text: str = ""
    boxes: int = 0


class ScoreSheet(Definition, kw_only=True):
    """A score sheet without its scoring lines.

    `turns` is a game's default length (0: turns do not matter), `turn` its word for one. `ticks` are boxes to tick each
    turn, `columns` figures to note, `most` is the maximum from objectives.
    """

    turns: int | None = None
    turn: str = ""
    ticks: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    most: int | None = None
    rows: tuple[ScoreRow, ...] = ()


class MissionDefinition(Brief, kw_only=True):
    """A mission, and where to read the rest.

    Its `players` form `teams`, seated in turn (0: none). `score` takes precedence over its pack's. `low` and `high` are
    results of the pack's die. `sides` contain only their differences. `factions` are ids, empty for all.
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
    factions: tuple[str, ...] = ()
    citation: Citation = NOWHERE

    @property
    def is_rolled(self) -> bool:
        return self.low is not None

    def suits(self, faction_id: str) -> bool:
        """Return whether the mission is for a faction. An unknown faction may be any."""
        return not (self.factions and faction_id) or faction_id in self.factions


def form_even_teams(players: int, teams: int) -> bool:
    """Return whether players form equal teams of more than one player; True for no teams.

    >>> form_even_teams(4, 2), form_even_teams(4, 0), form_even_teams(3, 2), form_even_teams(4, 1)
    (True, True, False, False)
    """
    return not teams or (1 < teams < players and players % teams == 0)


class MissionPackDefinition(Definition):
    """Missions that share one die roll."""

    id: str
    name: str
    die: int = 6
    text: str = ""
    score: ScoreSheet | None = None
    citation: Citation = NOWHERE


class Scoring(Definition):
    """A way to score. Readers see `when` and `doubled`; games count by `timing`.

    `by_size` has texts by battle size. `due` is when a drawn objective can score: at the end of any `phase`, of a
    `turn`, of the `round`, of a phase id, or of `your` and a phase id; blank for any time.
    """

    text: str = ""
    when: str = ""
    points: str = ""
    doubled: str = ""
    by_size: dict[str, str] = msgspec.field(default_factory=dict)
    timing: ScoreTiming = ANY_TIME
    due: str = ""


class ObjectiveDefinition(Definition):
    """`group` is the id of its class or category, `roll` its place there.

    It needs a unit on the battlefield with one of the keywords `asks_for`.
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
        """Return when and for what it scores in a battle of this size."""
        return [(score.when, score.by_size.get(size_id, score.text)) for score in self.scores]


class ObjectiveGroup(Definition):
    id: str
    name: str
    tagline: str = ""
    text: str = ""
    icon: str = ""
    citation: Citation = NOWHERE


class NamedFigure(Definition):
    name: str
    value: str


class BattleSize(Definition):
    """The table's width and depth are in inches."""

    id: str
    name: str
    points: int | None = None
    width: int | None = None
    depth: int | None = None
    facts: tuple[NamedFigure, ...] = ()
    citation: Citation = NOWHERE


class Stratagem(Definition):
    """`act` is its effect on drawn objectives, `limit` how often it may be used."""

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
    """`diameter` is in millimetres."""

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
    """Steps, texts, then a table."""

    id: str
    name: str
    steps: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    rows: tuple[NamedFigure, ...] = ()
    citation: Citation = NOWHERE


class PlayBook(Definition):
    packs: tuple[MissionPackDefinition, ...] = ()
    groups: tuple[ObjectiveGroup, ...] = ()
    objectives: tuple[ObjectiveDefinition, ...] = ()
    maps: tuple[DeploymentMapDefinition, ...] = ()
    sizes: tuple[BattleSize, ...] = ()
    stratagems: tuple[Stratagem, ...] = ()
    tokens: tuple[Token, ...] = ()
    reference: tuple[ReferencePart, ...] = ()
    table: TableRules = TableRules()
