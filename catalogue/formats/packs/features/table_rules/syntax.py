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
    """Return the type of a list of words of one kind. `subject` begins its error message."""
    one = expect_word(next(iter(kind)), subject)
    return expect_list(" or ".join(f"`{word}`" for word in kind), one.read, one.schema, split=True)


class PhaseGainSyntax(DefinedSyntax):
    title = "What a phase brings"
    short = "gain"
    definition = PhaseGain

    gained: Reference = need("gain", NAME, "the resource")
    amount: int = key("amount", COUNT, "how much it is")
    by_round: bool = key("by round", FLAG, "as much again as the number of the round")
    list_figure: str = key("by list", TEXT, "the figure of the list that adds to it")

    @property
    def resource(self) -> str:
        return make_id(self.gained.text)


class UnitMarkSyntax(NamedSyntax):
    title = "The mark"
    name_key = "mark"
    definition = UnitMark

    until: MarkEnd = key("until", expect_word(MarkEnd.ROUND, "The end of a mark"), "when it ends; else with the round")
    in_turn: bool = key("in turn", FLAG, "the sides act with one unit each in turn, and units that have acted bear it")
    takes_cards: bool = key("takes cards", FLAG, "a unit with it brings no resources any more")


class UnitTrackSyntax(NamedSyntax):
    """Boxes of a unit apart from wounds or models."""

    title = "The track"
    name_key = "track"
    definition = UnitTrack

    column: str = key("column", TEXT, "the column of the profile that says how many boxes, as cards head it")
    boxes: int = key("boxes", COUNT, "how many boxes, if no column says it")


class TurnPhaseSyntax(NamedSyntax):
    title = "The phase"
    name_key = "phase"
    definition = TurnPhase

    marks: tuple[Phase, ...] = key(
        "marks",
        expect_list("phase marks", PHASE.read, {"enum": PHASES}, split=True),
        "the marks of the abilities that matter in it",
    )
    does: tuple[str, ...] = key("does", TEXTS, "what everybody does in it")
    gains: tuple[PhaseGain, ...] = key("gains", expect_definitions(PhaseGainSyntax), "what it brings with one tap")
    icon: str = key("emblem", TEXT, "one of `static/icons/emblems`")
    draws: bool = key(
        "draws", FLAG, "objectives are drawn in it: it comes once, at the start of a round, in missions that draw any"
    )


class ResourceSyntax(NamedSyntax):
    title = "The resource"
    name_key = "resource"
    cite_required = True
    definition = TableResource

    sign: str = key("short", TEXT, "what stands beside the figure, as `CP`")
    start: int = key("start", COUNT, "what each has before the first round")
    start_by_mission: dict[str, int] = key("start by mission", STARTS, "what each has instead in some missions, by id")
    size_figure: str = key("by battle size", TEXT, "the figure of the battle size that each has before the first round")
    list_figure: str = key("by list", TEXT, "the figure of the list that its player has before the first round")
    list_cost: str = key("spent by list", TEXT, "the cost of the list that is spent of it before the first round")
    most: int | None = key("at most", COUNT, "what one may have", None)
    refreshed: bool = key("refreshed", FLAG, "what was spent is there again in each round")
    commander_takes: int = key("commander takes", COUNT, "what is gone with the commander, if not what he brings")
    earns: tuple[ResourceChange, ...] = key("earns", CHANGES, "what brings how much; 0 where that is no single number")
    spends: tuple[ResourceChange, ...] = key("spends", CHANGES, "what costs how much")


class ScoreItemSyntax(NamedSyntax, TimedSyntax):
    """A way to score apart from objectives."""

    title = "The way to score"
    name_key = "score"
    cite_required = True
    definition = ScoreItem

    points: tuple[int, ...] = key("points", COUNTS, "the steps in which it is scored, else 1", (1,))
    most: int | None = key("at most", COUNT, "what it brings in a game", None)
    most_round: int | None = key("at most a round", COUNT, "what it brings in a round", None)
    below_zero: bool = key("below zero", FLAG, "it can be paid with even if there is none of it")
    when: str = key("when", TEXT, "when it is looked at")
    text: str = key("text", TEXT, "what has to be true, in our own words")
    missions: tuple[str, ...] = key(
        "missions", expect_references(PlayKind.MISSION), "the missions it belongs to; none for all"
    )


class TokenCaptureSyntax(NamedSyntax):
    title = "What is captured"
    name_key = "capture"
    cite_required = True
    definition = TokenCapture

    tokens: int = need("tokens", COUNT, "how many each side begins with")
    column: str = need("worth", TEXT, "the column of the profile that says how many a model brings, as cards head it")
    text: str = key("text", TEXT, "what brings them, in our own words")
    missions: tuple[str, ...] = key(
        "missions", expect_references(PlayKind.MISSION), "the missions it belongs to; none for all"
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
    ahead: int | None = key("ahead", COUNT, "with its total and so many more, a side wins at once", None)
    from_each: int | None = key("from each", COUNT, "with so many tokens of each opponent a side wins at once", None)
    by_team: int | None = key("by team", COUNT, "with so many tokens a team wins at once", None)
    out: tuple[Loss, ...] = key("out without", expect_words(Loss, "A loss"), "a side without these is out")
    last_card: bool = key("last card", FLAG, "when a deck has run out, the game ends with the turn")
    level: tuple[TieBreak, ...] = key(
        "level", expect_words(TieBreak, "A tie-break"), "what decides between level sides, in order"
    )
    level_points: int = key("level points", COUNT, "what the lower body count scores then")
    annihilation: bool = key("annihilation", FLAG, "a side without models ends the game")


class InitiativeSyntax(SoleSyntax):
    title = "`initiative`"
    sole_id = "initiative"
    definition = InitiativeRoll

    word: str = key("called", TEXT, "what the book calls it, else initiative")
    die: int = key("die", DIE, "the die that each side rolls, as `D20`, else a D6", 6)
    first: int = key("from turn", COUNT, "the first turn in which it is rolled, else 1", 1)
    ability: str = key("ability", TEXT, "the ability whose figure in brackets is added to the roll")


class TableRulesSyntax(SoleSyntax):
    title = "`at the table`"
    sole_id = "at-the-table"
    definition = TableRules

    rounds: int | None = key("rounds", COUNT, "how many a game has; without it, it goes on until somebody wins", None)
    round: str = key("round", TEXT, "what the game calls one")
    turns: bool = key("turns", FLAG, "the players take whole turns one after the other")
    most: int | None = key("at most", COUNT, "what a side scores at most in a game", None)
    phases: tuple[TurnPhase, ...] = key(
        "phases", expect_definitions(TurnPhaseSyntax), "the phases of a turn or round, in order"
    )
    resources: tuple[TableResource, ...] = key(
        "resources", expect_definitions(ResourceSyntax), "what players have and spend"
    )
    items: tuple[ScoreItem, ...] = key(
        "scores", expect_definitions(ScoreItemSyntax), "what scores beside the objectives of missions"
    )
    marks: tuple[UnitMark, ...] = key(
        "unit marks", expect_definitions(UnitMarkSyntax), "what units are or have for a time"
    )
    tracks: tuple[UnitTrack, ...] = key(
        "unit tracks", expect_definitions(UnitTrackSyntax), "what units count in boxes beside wounds and models"
    )
    steps: tuple[str, ...] = key("set up", TEXTS, "what players do before the first round, in order")
    capture: TokenCapture | None = key(
        "captures", expect_definition(TokenCaptureSyntax), "tokens of each side that the others take", None
    )
    phase_of_scores: Reference | None = key("scored in", NAME, "the phase in which objectives are scored", None)
    vital: str = key("destroyed without", TEXT, "the column whose boxes decide that a model is destroyed")
    initiative: InitiativeRoll | None = key(
        "initiative", expect_definition(InitiativeSyntax), "the roll for who acts first in a round", None
    )
    victory: Victory | None = key("victory", expect_definition(VictorySyntax), "who wins", None)
    own_missions: bool = key("own missions", FLAG, "each side plays a mission of its own, such as one of its faction")

    @property
    def scored_in(self) -> str:
        return make_id(self.phase_of_scores.text) if self.phase_of_scores else ""


class AtTheTableSyntax(Section):
    page = "table_rules"

    table_rules: TableRulesSyntax | None = key(
        "at the table",
        expect_section(TableRulesSyntax, "mapping"),
        "how a game goes: rounds, phases, resources, what scores",
        None,
    )
