"""Read `at the table:` of packs."""

from typing import ClassVar

from catalogue.definitions.infos import Phase
from catalogue.definitions.table_rules import (
    InitiativeRoll,
    Loss,
    MarkEnd,
    PhaseGain,
    ResourceChange,
    ScoreItem,
    TableResource,
    TableRules,
    TieBreak,
    TokenCapture,
    TurnPhase,
    UnitMark,
    UnitTrack,
    Victory,
)
from catalogue.documents.node import MappingReader
from catalogue.documents.section import (
    FLAG,
    TEXT,
    TEXTS,
    Section,
    ValueType,
    expect_list,
    expect_pairs,
    expect_section,
    key,
    need,
)
from catalogue.formats.packs.features.missions.syntax import (
    COUNT,
    DIE,
    PlayKind,
    TimedSyntax,
    expect_references,
    read_count,
)
from catalogue.formats.packs.syntax.base import (
    NAME,
    DefinedSyntax,
    KeyNode,
    NamedSyntax,
    Reference,
    Word,
    expect_definition,
    expect_definitions,
    expect_word,
)
from catalogue.formats.packs.syntax.infos import PHASE, PHASES
from catalogue.formats.packs.syntax.scalars import make_id

COUNTS = expect_list("whole numbers", lambda node, _: node.read(read_count, 0), COUNT.schema, split=True)
CHANGES = expect_pairs(
    "`text: number`",
    lambda name, value, _: ResourceChange(text=name.read_text(), amount=value.read(read_count, 0)),
    COUNT.schema,
)


STARTS: ValueType[dict[str, int]] = ValueType(
    "`mission: number`",
    lambda node, _: {make_id(name.read_text()): value.read(read_count, 0) for name, value in node.read_pairs()},
    lambda _: {},
    {"type": "object", "additionalProperties": COUNT.schema},
)


def expect_words(kind: type[Word], subject: str) -> ValueType[tuple[Word, ...]]:
    """Return the type of a list of words of one kind. `subject` starts the error message."""
    one = expect_word(next(iter(kind)), subject)
    return expect_list(" or ".join(f"`{word}`" for word in kind), one.read, one.schema, split=True)


class PhaseGainSyntax(DefinedSyntax):
    title = "The gain"
    short = "gain"
    definition = PhaseGain

    gained: Reference = need("gain", NAME, "the resource")
    amount: int = key("amount", COUNT, "how much it is")
    by_round: bool = key("by round", FLAG, "the number of the round is added")
    list_figure: str = key("by list", TEXT, "the figure of the list that adds to it")

    @property
    def resource(self) -> str:
        return make_id(self.gained.text)


class UnitMarkSyntax(NamedSyntax):
    title = "The mark"
    name_key = "mark"
    definition = UnitMark

    until: MarkEnd = key(
        "until", expect_word(MarkEnd.ROUND, "The end of a mark"), "when it ends; by default with the round"
    )
    in_turn: bool = key("in turn", FLAG, "sides alternate unit by unit, and units that have acted get this mark")
    takes_cards: bool = key("takes cards", FLAG, "a unit with this mark no longer adds resources")


class UnitTrackSyntax(NamedSyntax):
    """Boxes of a unit in addition to wounds or models."""

    title = "The track"
    name_key = "track"
    definition = UnitTrack

    column: str = key("column", TEXT, "the profile column with the number of boxes, as named on cards")
    boxes: int = key("boxes", COUNT, "the number of boxes, if no column has it")


class TurnPhaseSyntax(NamedSyntax):
    title = "The phase"
    name_key = "phase"
    definition = TurnPhase

    marks: tuple[Phase, ...] = key(
        "marks",
        expect_list("phase marks", PHASE.read, {"enum": PHASES}, split=True),
        "the marks of abilities used in it",
    )
    does: tuple[str, ...] = key("does", TEXTS, "what every player does in it")
    gains: tuple[PhaseGain, ...] = key("gains", expect_definitions(PhaseGainSyntax), "the gains of one tap")
    icon: str = key("emblem", TEXT, "one of `static/icons/emblems`")
    draws: bool = key(
        "draws", FLAG, "objectives are drawn in it, once at the start of a round, if the mission draws any"
    )


class ResourceSyntax(NamedSyntax):
    title = "The resource"
    name_key = "resource"
    cite_required = True
    definition = TableResource

    sign: str = key("short", TEXT, "the label next to the figure, such as `CP`")
    start: int = key("start", COUNT, "the amount before the first round")
    start_by_mission: dict[str, int] = key("start by mission", STARTS, "other amounts in some missions, by id")
    size_figure: str = key("by battle size", TEXT, "the figure of the battle size that is added before the first round")
    list_figure: str = key("by list", TEXT, "the figure of the list that is added before the first round")
    list_cost: str = key("spent by list", TEXT, "the cost of the list that is subtracted before the first round")
    most: int | None = key("at most", COUNT, "the most that a side can have", None)
    refreshed: bool = key("refreshed", FLAG, "spent amounts return each round")
    commander_takes: int = key(
        "commander takes", COUNT, "what is lost with the commander, if it differs from what the commander adds"
    )
    earns: tuple[ResourceChange, ...] = key("earns", CHANGES, "gains and their amounts; 0 if the amount varies")
    spends: tuple[ResourceChange, ...] = key("spends", CHANGES, "uses and their costs")


class ScoreItemSyntax(NamedSyntax, TimedSyntax):
    """A way to score in addition to objectives."""

    title = "The way to score"
    name_key = "score"
    cite_required = True
    definition = ScoreItem

    points: tuple[int, ...] = key("points", COUNTS, "the steps by which it is scored; by default 1", (1,))
    most: int | None = key("at most", COUNT, "the most that it scores in a game", None)
    most_round: int | None = key("at most a round", COUNT, "the most that it scores in a round", None)
    below_zero: bool = key("below zero", FLAG, "it may go below zero")
    when: str = key("when", TEXT, "when it is scored")
    text: str = key("text", TEXT, "the condition to score, in our own words")
    missions: tuple[str, ...] = key(
        "missions", expect_references(PlayKind.MISSION), "the missions that have it; by default all"
    )


class TokenCaptureSyntax(NamedSyntax):
    title = "The capture"
    name_key = "capture"
    cite_required = True
    definition = TokenCapture

    tokens: int = need("tokens", COUNT, "how many each side has at the start")
    column: str = need("worth", TEXT, "the profile column with the number for a model, as named on cards")
    text: str = key("text", TEXT, "how to gain them, in our own words")
    missions: tuple[str, ...] = key(
        "missions", expect_references(PlayKind.MISSION), "the missions that have it; by default all"
    )
    lost_in: tuple[str, ...] = key(
        "lost in",
        expect_references(PlayKind.MISSION),
        "the missions in which tokens leave the game if no enemy killed the model",
    )


class SoleSyntax(NamedSyntax):
    """A construct that a pack has once, with a fixed id and without a name."""

    identity_keys = ("cite",)
    cite_required = True
    sole_id: ClassVar[str]

    @classmethod
    def read_identity(cls, mapping: MappingReader, under: KeyNode) -> tuple[str, str]:
        return "", cls.sole_id


class VictorySyntax(SoleSyntax):
    title = "`victory`"
    sole_id = "victory"
    definition = Victory

    by_total: bool = key("by total", FLAG, "only a side with the mission's `total` can win")
    ahead: int | None = key("ahead", COUNT, "a side with its total and this lead wins at once", None)
    from_each: int | None = key(
        "from each", COUNT, "a side with this number of tokens from each opponent wins at once", None
    )
    by_team: int | None = key("by team", COUNT, "a team with this number of tokens wins at once", None)
    out: tuple[Loss, ...] = key(
        "out without", expect_words(Loss, "A loss"), "a side that has none of these left is out"
    )
    last_card: bool = key("last card", FLAG, "when a deck has run out, the game ends with the turn")
    level: tuple[TieBreak, ...] = key("level", expect_words(TieBreak, "A tie-break"), "the tie-breaks, in order")
    level_points: int = key("level points", COUNT, "the points for the lower body count")
    annihilation: bool = key("annihilation", FLAG, "a side without models ends the game")
    conceded: int | None = key(
        "conceded", COUNT, "the score of a side that gives up; without it, the side keeps its points", None
    )


class InitiativeSyntax(SoleSyntax):
    title = "`initiative`"
    sole_id = "initiative"
    definition = InitiativeRoll

    word: str = key("called", TEXT, "its name in the book; by default initiative")
    die: int = key("die", DIE, "the die that each side rolls, such as `D20`; by default a D6", 6)
    first: int = key("from turn", COUNT, "the first turn in which it is rolled; by default 1", 1)
    ability: str = key("ability", TEXT, "the ability whose number in brackets is added to the roll")


class TableRulesSyntax(SoleSyntax):
    title = "`at the table`"
    sole_id = "at-the-table"
    definition = TableRules

    rounds: int | None = key(
        "rounds", COUNT, "the number of rounds in a game; without it, the game continues until a side wins", None
    )
    round: str = key("round", TEXT, "the game's word for it")
    turns: bool = key("turns", FLAG, "the players take whole turns in order")
    most: int | None = key("at most", COUNT, "the most that a side can score in a game", None)
    phases: tuple[TurnPhase, ...] = key(
        "phases", expect_definitions(TurnPhaseSyntax), "the phases of a turn or round, in order"
    )
    resources: tuple[TableResource, ...] = key(
        "resources", expect_definitions(ResourceSyntax), "what players have and spend"
    )
    items: tuple[ScoreItem, ...] = key(
        "scores",
        expect_definitions(ScoreItemSyntax, "list of scores"),
        "what scores in addition to the objectives of missions",
    )
    marks: tuple[UnitMark, ...] = key("unit marks", expect_definitions(UnitMarkSyntax), "temporary states of units")
    tracks: tuple[UnitTrack, ...] = key(
        "unit tracks", expect_definitions(UnitTrackSyntax), "what units count in boxes, other than wounds and models"
    )
    steps: tuple[str, ...] = key("set up", TEXTS, "what players do before the first round, in order")
    capture: TokenCapture | None = key(
        "captures", expect_definition(TokenCaptureSyntax), "tokens of each side that other sides capture", None
    )
    phase_of_scores: Reference | None = key("scored in", NAME, "the phase in which objectives are scored", None)
    vital: str = key("destroyed without", TEXT, "the column whose boxes show whether a model is destroyed")
    initiative: InitiativeRoll | None = key(
        "initiative", expect_definition(InitiativeSyntax), "the roll that decides who goes first in a round", None
    )
    victory: Victory | None = key("victory", expect_definition(VictorySyntax), "how a side wins", None)
    own_missions: bool = key("own missions", FLAG, "each side plays its own mission, such as one of its faction")

    @property
    def scored_in(self) -> str:
        return make_id(self.phase_of_scores.text) if self.phase_of_scores else ""


class AtTheTableSyntax(Section):
    page = "table_rules"

    table_rules: TableRulesSyntax | None = key(
        "at the table",
        expect_section(TableRulesSyntax, "mapping"),
        "the course of a game: rounds, phases, resources, scores",
        None,
    )
