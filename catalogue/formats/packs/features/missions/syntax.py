"""Read missions, objectives, tokens and other material of games."""

from dataclasses import replace
from enum import StrEnum
from typing import Any

from catalogue.definitions.missions import (
    Aim,
    BattleSize,
    Draw,
    LabelledText,
    Markers,
    MissionDefinition,
    MissionPackDefinition,
    MissionSide,
    NamedFigure,
    ObjectiveDefinition,
    ObjectiveGroup,
    ReferencePart,
    ScoreRow,
    ScoreSheet,
    Scoring,
    Special,
    Stratagem,
    Token,
)
from catalogue.definitions.table_rules import ScoreMoment, ScoreTiming
from catalogue.documents.node import DocumentNode, MappingReader
from catalogue.documents.problems import NO_SOURCE_LINE, MalformedValueError, SourceLine
from catalogue.documents.section import (
    FLAG,
    LINES,
    ONE_TEXT,
    SECTION,
    TEXT,
    TEXTS,
    Section,
    ValueType,
    expect_list,
    expect_pairs,
    expect_parsed,
    expect_section,
    expect_sections,
    key,
    need,
    read_section,
)
from catalogue.formats.packs.syntax.base import (
    NAME,
    NAMES,
    CommonValues,
    DefinedSyntax,
    KeyNode,
    NamedSyntax,
    Reference,
    expect_definition,
    expect_definitions,
    expect_one_of,
    expect_word,
    read_reference,
)
from catalogue.formats.packs.syntax.context import ParseContext
from catalogue.formats.packs.syntax.scalars import make_id, read_parameter

MOST_PLAYERS = 8
MOST_SIDES = 100
TEXT_BY_NAME = {"type": "object", "additionalProperties": ONE_TEXT}


class PlayKind(StrEnum):
    MISSION = "mission"
    PACK = "mission pack"
    SPECIAL = "special rule"
    OBJECTIVE = "objective"
    GROUP = "objective group"
    MAP = "map"
    SIZE = "battle size"
    STRATAGEM = "stratagem"
    TOKEN = "token"  # noqa: S105 - a thing that is laid on a table


# ---- types of values ----------------------------------------------------------------------------------------------


def read_count(text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) < 6:
        return int(text)
    raise MalformedValueError(f"“{text}” is not a whole number.", "Write a number, as 4.", "bad-number")


def _read_players(text: str) -> int:
    number = read_count(text)
    if 1 <= number <= MOST_PLAYERS:
        return number
    raise MalformedValueError(f"{text} players cannot play.", f"Write 1 to {MOST_PLAYERS}.", "bad-number")


def _read_die(text: str) -> int:
    if text[:1] in ("D", "d") and 1 <= (sides := read_count(text[1:])) <= MOST_SIDES:
        return sides
    raise MalformedValueError(f"“{text}” is not a die.", "Write D6 or D3.", "bad-number")


def _read_roll(text: str) -> tuple[int, int]:
    low, _, high = text.partition("-")
    return read_count(low.strip()), read_count((high or low).strip())


def read_table_size(text: str) -> tuple[int, int]:
    """Parse `44 x 60`: width and depth in inches."""
    width, _, depth = text.lower().replace("×", "x").partition("x")
    return read_count(width.strip()), read_count(depth.strip())


def expect_count(otherwise: int) -> ValueType[int]:
    return expect_parsed("whole number", read_count, otherwise, {"type": ["integer", "string"]})


COUNT = expect_count(0)
DIE = expect_parsed("`D6`", _read_die, 0)
TABLE_SIZE: ValueType[tuple[int, int] | None] = expect_parsed("`44 x 60`", read_table_size, None)
ROLL: ValueType[tuple[int | None, int | None]] = expect_parsed("`1` or `1-2`", _read_roll, (None, None))


def expect_reference(kind: PlayKind) -> ValueType[str]:
    """Return the type of a name, to be looked up later."""
    return ValueType("name", lambda node, context: _read_reference(node, context, kind), lambda _: "", ONE_TEXT)


def expect_references(kind: PlayKind) -> ValueType[tuple[str, ...]]:
    return expect_list("names", expect_reference(kind).read, ONE_TEXT, split=True)


def _read_reference(node: DocumentNode, context: ParseContext, kind: PlayKind) -> str:
    name = read_reference(node)
    context.declared.references.append((kind, name))
    return make_id(name.text)


FACTS = expect_pairs(
    "`name: value`", lambda name, value, _: NamedFigure(name=name.read_text(), value=value.read_text()), ONE_TEXT
)


def _read_paragraph(name: DocumentNode, value: DocumentNode, context: ParseContext) -> LabelledText:
    label, points = read_parameter(name.read_text())
    if not value.is_map:
        return LabelledText(label=label, text=value.read_text(), points=points)
    timed = read_section(TimedTextSyntax, value, context)
    return LabelledText(label=label, text=timed.text, points=points, timing=timed.timing, theirs=timed.theirs)


def _read_markers(node: DocumentNode, context: ParseContext) -> Any:
    """Read a token, `refinery x4`, or a mapping."""
    if not node.is_text:
        return read_section(MarkersSyntax, node, context).define()
    name, _, count = node.read_text().partition(" x")
    token = _read_reference(node.replace_text(name), context, PlayKind.TOKEN)
    return Markers(token_id=token, count=node.replace_text(count).read(read_count, 1) if count else 1)


def _read_aims(node: DocumentNode, context: ParseContext) -> tuple[Aim, ...]:
    """Read `Primary: King of the Hill (5)`, or `Primary: {objective, zone}`."""
    aims = []
    for name, value in node.read_pairs():
        zone, place = "", value
        if value.is_map:
            mapping = MappingReader(value, "The objective of the mission")
            zone, place = mapping.read_text("zone"), mapping.need("objective") or value
            mapping.close()
        if place.is_text:
            objective, points = read_parameter(place.read_text())
            objective_id = _read_reference(place.replace_text(objective), context, PlayKind.OBJECTIVE)
            aims.append(Aim(objective_id=objective_id, label=name.read_text(), points=points, zone=zone))
    return tuple(aims)


AIM_SCHEMA = {"anyOf": [ONE_TEXT, {"type": "object", "properties": {"objective": ONE_TEXT, "zone": ONE_TEXT}}]}
AIMS: ValueType[tuple[Aim, ...]] = ValueType(
    "`label: objective`", _read_aims, lambda _: (), {"type": "object", "additionalProperties": AIM_SCHEMA}
)


# ---- missions -----------------------------------------------------------------------------------------------------


class MarkersSyntax(DefinedSyntax):
    title = "The markers"
    definition = Markers

    token_id: str = need("token", expect_reference(PlayKind.TOKEN), "the name of the token")
    count: int = key("count", expect_count(1), "how many")
    per_player: bool = key("per player", FLAG, "the number is for each player")
    text: str = key("text", TEXT, "their positions")


MARKERS: ValueType[Markers | None] = ValueType(
    "`lock x3`, or a mapping",
    _read_markers,
    lambda _: None,
    {"anyOf": [ONE_TEXT, expect_section(MarkersSyntax).schema]},
)


class ScoreSheetSyntax(DefinedSyntax):
    title = "`score`"
    definition = ScoreSheet

    turns: int | None = key(
        "turns", COUNT, "the number of turns on the sheet; 0 if the game is not scored by turn", None
    )
    turn: str = key("turn", TEXT, "the game's word for it")
    ticks: tuple[str, ...] = key("ticks", TEXTS, "what has a box to tick in each turn, such as the zones of the table")
    columns: tuple[str, ...] = key("columns", TEXTS, "what players write down in each turn")
    most: int | None = key("at most", COUNT, "the most that objectives can score in a game", None)
    boxes: tuple[ScoreRow, ...] = key(
        "boxes",
        expect_pairs(
            "`name: number`",
            lambda name, value, _: ScoreRow(name=name.read_text(), boxes=value.read(read_count, 0)),
            COUNT.schema,
        ),
        "the number of boxes to tick",
    )
    rows: tuple[ScoreRow, ...] = key(
        "rows",
        expect_pairs(
            "`name: text`", lambda name, value, _: ScoreRow(name=name.read_text(), text=value.read_text()), ONE_TEXT
        ),
        "a label and space to write",
    )

    @classmethod
    def complete_values(cls, values: dict[str, Any], mapping: MappingReader, context: ParseContext) -> None:
        values["rows"] = (*values["boxes"], *values["rows"])


SCORE_SHEET = expect_definition(ScoreSheetSyntax)


class DrawSyntax(DefinedSyntax):
    title = "`draw` of the mission"
    definition = Draw

    number: int = key("number", COUNT, "how many are drawn")
    die: int = key("die", DIE, "the die for the group, such as `D3`")
    choose: int = key("choose", COUNT, "how many groups are chosen")
    letters: tuple[str, ...] = key("letters", TEXTS, "what the chosen groups are called")
    table: tuple[str, ...] = key(
        "table", expect_references(PlayKind.GROUP), "the groups by the result of the die, if players choose none"
    )
    one_from_each: bool = key("one from each", FLAG, "one from every chosen group")
    extra: str = key(
        "one more for", expect_one_of(("more markers", "fewer points")), "the side that draws one more, from round two"
    )
    named: str = key(
        "opponent names", expect_one_of(("double", "barred")), "the effect on the objective that the opponent names"
    )
    secret: int = key("secret category", COUNT, "how much more the objectives of the secretly noted group score")
    free: tuple[str, ...] = key("free", expect_references(PlayKind.STRATAGEM), "stratagems that cost nothing")


class TimedSyntax(DefinedSyntax):
    page = "missions"

    counts: ScoreMoment = key(
        "counts",
        expect_word(ScoreMoment.FREELY, "What scores"),
        "when a game scores it; without it players score at any time",
    )
    times: int = key("times", COUNT, "how often it can score at one time, for example once for each marker")
    first: int = key("from turn", COUNT, "the first turn in which it can score")
    last: int = key("to turn", COUNT, "the last turn in which it can score")
    doubled_turns: int = key("double in last", COUNT, "the number of final turns in which it scores double")
    in_part: bool = key("in part", FLAG, "fewer points may be scored")
    one_of: str = key("one of", TEXT, "a word; of all lines with the same word, a side scores only the best")
    ends: bool = key("ends the game", FLAG, "the game ends with the turn in which it scores")

    @property
    def timing(self) -> ScoreTiming:
        return ScoreTiming(
            counts=self.counts,
            times=self.times,
            first=self.first,
            last=self.last,
            doubled=self.doubled_turns,
            in_part=self.in_part,
            one_of=self.one_of,
            ends=self.ends,
        )


class TimedTextSyntax(TimedSyntax):
    title = "The paragraph"
    definition = LabelledText

    text: str = need("text", TEXT, "the condition to score")
    theirs: bool = key("theirs", FLAG, "the opponents of the side that plays the mission score it")


PARAGRAPH_SCHEMA = {"anyOf": [ONE_TEXT, expect_section(TimedTextSyntax).schema]}


class BriefSyntax(DefinedSyntax):
    tagline: str = key("tagline", TEXT, "in our own words")
    specials: tuple[str, ...] = key(
        "specials",
        expect_references(PlayKind.SPECIAL),
        "its special rules, which `specials:` next to `missions:` describes",
    )
    aims: tuple[Aim, ...] = key(
        "objectives",
        AIMS,
        "what scores: `Primary: Hold the locks (1)`, with the value of X in this mission in brackets",
    )
    markers: tuple[Markers, ...] = key(
        "markers", expect_list("list of markers", _read_markers, MARKERS.schema), "markers on the table"
    )
    maps: tuple[str, ...] = key(
        "deployment", expect_references(PlayKind.MAP), "its maps; without them players roll for a map"
    )
    total: int | None = key("total", COUNT, "points needed to win", None)
    turns: int | None = key("turns", COUNT, "the number of turns", None)
    paragraphs: tuple[LabelledText, ...] = key(
        "says",
        expect_pairs("`label: text`", _read_paragraph, PARAGRAPH_SCHEMA),
        "anything else, with points in brackets after the label: `Crossing (3 points): ...`; or `{text, counts, ...}`",
    )


class MissionSideSyntax(BriefSyntax):
    title = "The side"
    short = "specials"
    short_list = True
    definition = MissionSide

    id: str
    name: str
    icon: str = key("icon", TEXT, "one of `static/icons/lucide`")

    @classmethod
    def read_common_keys(cls, mapping: MappingReader, context: ParseContext, under: KeyNode) -> CommonValues:
        assert under is not None  # noqa: S101 - sides with keys are read from a mapping
        mapping.title = f"The side “{under.read_text()}”"
        return {"id": make_id(under.read_text()), "name": under.read_text()}, context


def _read_sides(node: DocumentNode, context: ParseContext) -> tuple[MissionSide, ...]:
    if not node.is_map:
        return tuple(MissionSide(id=make_id(name.read_text()), name=name.read_text()) for name in node.read_texts())
    return tuple(
        read_section(MissionSideSyntax, value, context, under=name).define() for name, value in node.read_pairs()
    )


SIDES: ValueType[tuple[MissionSide, ...]] = ValueType(
    "names, or `name: side`",
    _read_sides,
    lambda _: (),
    {"anyOf": [TEXTS.schema, {"type": "object", "additionalProperties": {SECTION: MissionSideSyntax}}]},
)


class MissionSyntax(NamedSyntax, BriefSyntax):
    """`roll` has the results of the mission pack's die that lead to this mission."""

    title = "The mission"
    name_key = "mission"
    cite_required = True
    definition = MissionDefinition

    pack_name: Reference | None = key("pack", NAME, "its mission pack", None)
    roll: tuple[int | None, int | None] = key("roll", ROLL, "its results on the pack's die")
    scoring: str = key("scoring", TEXT, "how it is scored, in one line; without it, a summary of the objectives")
    story: str = key("story", TEXT, "in our own words")
    note: str = key("note", TEXT, "in our own words")
    icon: str = key("icon", TEXT, "one of `static/icons/lucide`")
    sides: tuple[MissionSide, ...] = key(
        "sides",
        SIDES,
        "sides that differ: names, or each with its own special rules or any key from `tagline` to `says`",
    )
    draw: Draw | None = key("draw", expect_definition(DrawSyntax), "how objectives are drawn in each round", None)
    players: int = key(
        "players", expect_parsed("whole number", _read_players, 2, COUNT.schema), "how many play it; by default 2"
    )
    teams: int = key("teams", COUNT, "how many teams its players form, seated alternately; by default none")
    score: ScoreSheet | None = key("score", SCORE_SHEET, "its score sheet, instead of its pack's", None)
    faction_names: tuple[Reference, ...] = key("factions", NAMES, "the factions that may use it; by default all")

    @property
    def pack(self) -> str:
        return self.pack_name.text if self.pack_name else ""

    @property
    def low(self) -> int | None:
        return self.roll[0]

    @property
    def high(self) -> int | None:
        return self.roll[1]


class SpecialSyntax(NamedSyntax):
    title = "The special rule"
    name_key = "special"
    cite_required = True
    definition = Special

    text: str = key("text", TEXT, "what it does, in our own words")


class MissionPackSyntax(NamedSyntax):
    title = "The mission pack"
    name_key = "pack"
    cite_required = True
    definition = MissionPackDefinition

    die: int = key("die", replace(DIE, blank=lambda _: 6), "the die to roll for a mission, such as `D6`")
    text: str = key("text", TEXT, "what it is, in our own words")
    score: ScoreSheet | None = key("score", SCORE_SHEET, "its score sheet", None)


# ---- objectives ---------------------------------------------------------------------------------------------------


def _read_score_text(node: DocumentNode, context: ParseContext) -> str | dict[str, str]:
    if node.is_map:
        return {_read_reference(size, context, PlayKind.SIZE): value.read_text() for size, value in node.read_pairs()}
    return node.read_text()


OWN_PHASE = "your "
"""Limits a phase to the player's own turn."""
DUE_WORDS = frozenset({"phase", "turn", "round"})


class ScoringSyntax(TimedSyntax):
    title = "The way to score"
    definition = Scoring

    written: str | dict[str, str] = key(
        "text",
        ValueType("text, or `battle size: text`", _read_score_text, lambda _: "", {"anyOf": [ONE_TEXT, TEXT_BY_NAME]}),
        "what scores",
    )
    when: str = key("when", TEXT, "when it is scored, such as `End phase`")
    points: str = need("points", TEXT, "the points")
    doubled: str = key("doubled", TEXT, "when the points are doubled")
    due_at: Reference | None = key(
        "due",
        NAME,
        "for a hand: the end of any `phase`, of a `turn`, of the `round`, of a named phase, of `your` phase",
        None,
    )

    @property
    def due(self) -> str:
        if self.due_at is None:
            return ""
        _before, yours, phase = self.due_at.text.rpartition(OWN_PHASE)
        return f"{yours}{make_id(phase)}"

    @property
    def text(self) -> str:
        return self.written if isinstance(self.written, str) else ""

    @property
    def by_size(self) -> dict[str, str]:
        return self.written if isinstance(self.written, dict) else {}


class ObjectiveSyntax(NamedSyntax):
    title = "The objective"
    name_key = "objective"
    cite_required = True
    definition = ObjectiveDefinition

    roll: int | None = key("roll", COUNT, "its result on its group's die", None)
    roll_where: SourceLine = NO_SOURCE_LINE
    tagline: str = key("tagline", TEXT, "in our own words")
    scores: tuple[Scoring, ...] = need("scores", expect_definitions(ScoringSyntax, "list of ways"), "how it scores")
    markers: Markers | None = key("markers", MARKERS, "markers on the table")
    zone: str = key("zone", TEXT, "its position")
    setup: str = key("setup", TEXT, "what to do before")
    special: str = key("special", TEXT, "other conditions")
    replace: str = key("replace if", TEXT, "the condition for drawing another instead")
    asks_for: tuple[str, ...] = key(
        "asks for", TEXTS, "if no unit on the battlefield has these keywords, another objective may be selected instead"
    )
    note: str = key("note", TEXT, "in our own words")
    icon: str = key("icon", TEXT, "one of `static/icons/lucide`")
    group: str = ""

    @classmethod
    def read_common_keys(cls, mapping: MappingReader, context: ParseContext, under: KeyNode) -> CommonValues:
        values, inner = super().read_common_keys(mapping, context, under)
        return values | {"group": context.path, "roll_where": find_roll(mapping)}, inner

    @classmethod
    def complete_values(cls, values: dict[str, Any], mapping: MappingReader, context: ParseContext) -> None:
        if "scores" in mapping and not values["scores"]:
            hint = "Add `scores:`."
            mapping.node.report("missing-key", f"{mapping.title} does not say how it scores.", hint)


def find_roll(mapping: MappingReader) -> SourceLine:
    """Return the line of a result, or of its construct."""
    node = mapping.get("roll")
    return node.where if node is not None else mapping.where


class ObjectiveGroupSyntax(NamedSyntax):
    title = "The objective group"
    name_key = "group"
    cite_required = True
    definition = ObjectiveGroup

    tagline: str = key("tagline", TEXT, "in our own words")
    text: str = key("text", TEXT, "what it is, in our own words")
    icon: str = key("icon", TEXT, "one of `static/icons/lucide`")
    objectives: tuple[ObjectiveSyntax, ...] = key("objectives", expect_sections(ObjectiveSyntax), "its objectives")

    @classmethod
    def read_common_keys(cls, mapping: MappingReader, context: ParseContext, under: KeyNode) -> CommonValues:
        values, context = super().read_common_keys(mapping, context, under)
        return values, replace(context, path=values["id"])


# ---- what else is on the table ------------------------------------------------------------------------------------


class StratagemSyntax(NamedSyntax):
    title = "The stratagem"
    name_key = "stratagem"
    cite_required = True
    definition = Stratagem

    cost: int = key("cost", COUNT, "what it costs")
    kind: str = key("kind", TEXT, "what kind it is")
    when: str = key("when", TEXT, "when it may be used")
    limit: str = key("once per", expect_one_of(("battle", "round")), "how often it may be used")
    text: str = key("text", TEXT, "what it does, in our own words")
    act: str = key(
        "act", expect_one_of(("keep", "swap category", "shift", "set to one")), "what it does to drawn objectives"
    )


class BattleSizeSyntax(NamedSyntax):
    title = "The battle size"
    name_key = "size"
    cite_required = True
    definition = BattleSize

    points: int | None = key("points", COUNT, "the points of a list", None)
    table: tuple[int, int] | None = key("table", TABLE_SIZE, "width and depth in inches")
    facts: tuple[NamedFigure, ...] = key("figures", FACTS, "any other details")

    @property
    def width(self) -> int | None:
        return self.table[0] if self.table else None

    @property
    def depth(self) -> int | None:
        return self.table[1] if self.table else None


class TokenSyntax(NamedSyntax):
    title = "The token"
    name_key = "token"
    cite_required = True
    definition = Token

    text: str = key("text", TEXT, "its purpose, in our own words")
    diameter: int = key("diameter", expect_count(25), "in millimetres")
    count: int = key("count", expect_count(1), "how many there are")
    faces: tuple[str, ...] = key("faces", TEXTS, "the faces, if they differ")
    per_player: bool = key("per player", FLAG, "the number is for each player")
    icon: str = key("icon", TEXT, "one of `static/icons/lucide`")


class ReferencePartSyntax(NamedSyntax):
    title = "The part of the reference"
    name_key = "part"
    cite_required = True
    definition = ReferencePart

    steps: tuple[str, ...] = key("steps", LINES, "sentences in order, printed with numbers")
    texts: tuple[str, ...] = key("says", LINES, "sentences")
    rows: tuple[NamedFigure, ...] = key("rows", FACTS, "names and their meanings")


class PlayContentSyntax(Section):
    page = "missions"

    packs: tuple[MissionPackSyntax, ...] = key(
        "mission packs", expect_sections(MissionPackSyntax), "missions that share a die roll"
    )
    missions: tuple[MissionSyntax, ...] = key("missions", expect_sections(MissionSyntax), "missions")
    specials: tuple[SpecialSyntax, ...] = key("specials", expect_sections(SpecialSyntax), "special rules of missions")
    groups: tuple[ObjectiveGroupSyntax, ...] = key(
        "objective groups", expect_sections(ObjectiveGroupSyntax), "groups of objectives"
    )
    objectives: tuple[ObjectiveSyntax, ...] = key(
        "objectives", expect_sections(ObjectiveSyntax), "objectives without a group"
    )
    sizes: tuple[BattleSizeSyntax, ...] = key("battle sizes", expect_sections(BattleSizeSyntax), "battle sizes")
    stratagems: tuple[StratagemSyntax, ...] = key("stratagems", expect_sections(StratagemSyntax), "stratagems")
    tokens: tuple[TokenSyntax, ...] = key("tokens", expect_sections(TokenSyntax), "tokens")
    reference: tuple[ReferencePartSyntax, ...] = key(
        "reference", expect_sections(ReferencePartSyntax, "list of parts"), "the quick reference"
    )
