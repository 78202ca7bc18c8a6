"""Read deployment maps in inches."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import yaml
from msgspec.structs import replace

from catalogue.definitions.diagnostics import Diagnostic
from catalogue.definitions.missions import LONGEST_ZONES, DeploymentMapDefinition, MapTable, Point, Whose, Zone
from catalogue.documents.node import DocumentNode, DocumentSource, MappingReader
from catalogue.documents.problems import (
    NO_SOURCE_LINE,
    DocumentError,
    DocumentLimits,
    MalformedValueError,
    Problems,
    SourceLine,
)
from catalogue.documents.section import (
    LINES,
    NUMBER,
    TEXT,
    Section,
    ValueType,
    expect_list,
    expect_parsed,
    expect_sections,
    key,
    need,
    read_section,
)
from catalogue.documents.yaml_reader import YamlDocument, read_yaml
from catalogue.formats.packs.features.missions.syntax import (
    COUNT,
    PlayKind,
    expect_references,
    find_roll,
    read_table_size,
)
from catalogue.formats.packs.syntax.base import CommonValues, DefinedSyntax, KeyNode, NamedSyntax, expect_definitions
from catalogue.formats.packs.syntax.context import ParseContext

EDGES = ("north", "south", "west", "east", "all")
CORNERS = ("northwest", "northeast", "southwest", "southeast")
WHOSE = tuple(word.value for word in Whose)
GOES_WITH = {"depth": "edge", "size": "corner", "measure": "polygon"}
SHAPES = tuple(GOES_WITH.values())
NOTHING_WRITTEN = {"depth": None, "size": None, "measure": ""}


class TableSize(NamedTuple):
    width: float
    depth: float


def _expect_word(words: tuple[str, ...], otherwise: str = "") -> ValueType[str]:
    def read_word(text: str) -> str:
        if text in words:
            return text
        raise MalformedValueError(f"“{text}” is not a word for this.", f"Write {', '.join(words)}.")

    return expect_parsed(" or ".join(f"`{word}`" for word in words), read_word, otherwise, {"enum": list(words)})


NODE: ValueType[DocumentNode | None] = ValueType("inches", lambda node, _: node, lambda _: None, NUMBER.schema)
POINT_SCHEMA = {"type": "array", "items": NUMBER.schema, "minItems": 2, "maxItems": 2}
POINTS = expect_list("list of `[12, 24]`", lambda node, _: node, POINT_SCHEMA)


class ZoneSyntax(Section):
    """A zone: `edge` and `depth`, `corner` and `size`, `circle`, or `polygon`."""

    title = "The zone"

    name: str = need("zone", TEXT, "its name")
    whose: str = key("whose", _expect_word(WHOSE, Whose.BOTH.value), "the side that deploys in it")
    edge: str | None = key(
        "edge", _expect_word(EDGES), "the edge that it lies along; `all` for a strip along all edges", None
    )
    depth: DocumentNode | None = key("depth", NODE, "its depth from the edge")
    corner: str | None = key("corner", _expect_word(CORNERS), "the corner that it lies in", None)
    size: DocumentNode | None = key("size", NODE, "its width and depth from the corner")
    circle: DocumentNode | None = key("circle", NODE, "its radius, around the centre")
    polygon: tuple[DocumentNode, ...] | None = key(
        "polygon", POINTS, "its corners, from the left and from the top", None
    )
    measure: str = key("measure", TEXT, "the text next to a polygon")
    node: DocumentNode | None = None

    @classmethod
    def complete_values(cls, values: dict[str, Any], mapping: MappingReader, context: object) -> None:
        # The keys of a second shape are reported as unknown.
        shape = next((word for word in SHAPES if word in mapping), "")
        for word, other in GOES_WITH.items():
            if shape != other:
                mapping.forget(word)
                values[word] = NOTHING_WRITTEN[word]
            elif word != "measure":
                mapping.need(word)
        if shape != "polygon":
            values["polygon"] = None
        values["node"] = mapping.node

    def place_on(self, table: TableSize) -> Zone:
        """Report parts that do not fit on the table."""
        polygons, measure = self._make_polygons(table)
        zone = Zone(name=self.name, whose=Whose(self.whose), polygons=polygons, measure=measure)
        radius = _read_inches(self.circle, min(table) / 2) if self.circle is not None else 0
        if radius:
            centre = (table.width / 2, table.depth / 2)
            return replace(zone, centre=centre, radius=radius, measure=measure or f"{radius:g}″")
        if not polygons and self.node is not None:
            mend = "Add `edge` and `depth`, `corner`, `circle` or `polygon`."
            self.node.report("missing-key", "The zone has no shape.", mend)
        return zone

    def _make_polygons(self, table: TableSize) -> tuple[tuple[tuple[Point, ...], ...], str]:
        if self.edge is not None:
            depth = _read_inches(self.depth, min(table))
            return tuple(_make_strips(self.edge, depth, table)), f"{depth:g}″"
        if self.corner is not None:
            size = _read_inches(self.size, min(table))
            left = 0 if "west" in self.corner else table.width - size
            top = 0 if "north" in self.corner else table.depth - size
            return (_make_rectangle(left, top, left + size, top + size),), f"{size:g}″"
        if self.polygon is not None:
            return (tuple(_read_point(node, table) for node in self.polygon),), self.measure
        return (), ""


def _make_strips(edge: str, depth: float, table: TableSize) -> Iterator[tuple[Point, ...]]:
    width, height = table
    strips = {
        "north": (0.0, 0.0, width, depth),
        "south": (0.0, height - depth, width, height),
        "west": (0.0, 0.0, depth, height),
        "east": (width - depth, 0.0, width, height),
    }
    if edge == "all":
        # Strips must not overlap in the corners.
        strips["west"] = (0.0, depth, depth, height - depth)
        strips["east"] = (width - depth, depth, width, height - depth)
    for name, corners in strips.items():
        if edge in (name, "all"):
            yield _make_rectangle(*corners)


def _make_rectangle(left: float, top: float, right: float, bottom: float) -> tuple[Point, ...]:
    return (left, top), (right, top), (right, bottom), (left, bottom)


def _read_inches(node: DocumentNode | None, most: float) -> float:
    if node is None:
        return 0.0
    value = float(node.read_number())
    if not 0 < value <= most:
        node.report("off-the-table", f"{value:g} inches do not fit on the table.", f"Write up to {most:g}.")
        return 0.0
    return value


def _read_point(node: DocumentNode, table: TableSize) -> Point:
    parts = node.read_each()
    if len(parts) != 2:
        node.report("wrong-form", "A point is two numbers.", "Write it as [12, 24].")
        return 0.0, 0.0
    x, y = (float(part.read_number()) for part in parts)
    if not (0 <= x <= table.width and 0 <= y <= table.depth):
        hint = "Write inches from the upper left corner."
        node.report("off-the-table", f"{x:g}, {y:g} is beside the table.", hint)
    return x, y


class MapTableSyntax(DefinedSyntax):
    title = "The table of the map"
    definition = MapTable

    table: TableSize = key(
        "table",
        expect_parsed("`48 x 48`", lambda text: TableSize(*read_table_size(text)), TableSize(0, 0)),
        "width and depth in inches",
    )
    zones: tuple[Any, ...] = key("zones", expect_sections(ZoneSyntax), "the deployment zones")
    spots: tuple[Any, ...] = key("spots", POINTS, "positions of markers, from the left and from the top: `[24, 24]`")
    sizes: tuple[str, ...] = key("sizes", expect_references(PlayKind.SIZE), "the battle sizes that it is for")

    @classmethod
    def complete_values(cls, values: dict[str, Any], mapping: MappingReader, context: ParseContext) -> None:
        table = values["table"]
        if not (table.width and table.depth):
            hint = "Add `table: 48 x 48`, in inches."
            mapping.node.report("missing-key", "The table of the map has no size.", hint)
        values["zones"] = tuple(zone.place_on(table) for zone in values["zones"])
        values["spots"] = tuple(_read_point(node, table) for node in values["spots"])

    @property
    def width(self) -> float:
        return self.table.width

    @property
    def depth(self) -> float:
        return self.table.depth


class MapSyntax(NamedSyntax):
    """A way to deploy, schematic without `tables`."""

    title = "The map"
    name_key = "map"
    cite_required = True
    definition = DeploymentMapDefinition

    roll: int | None = key("roll", COUNT, "its result on the die", None)
    roll_where: SourceLine = NO_SOURCE_LINE
    text: str = key("text", TEXT, "how players deploy, in our own words")
    steps: tuple[str, ...] = key("steps", LINES, "what they do in turn")
    tables: tuple[MapTable, ...] = key(
        "tables",
        expect_definitions(MapTableSyntax, "list of tables"),
        "tables of these sizes; without them the map is schematic",
    )

    @classmethod
    def read_common_keys(cls, mapping: MappingReader, context: ParseContext, under: KeyNode) -> CommonValues:
        values, context = super().read_common_keys(mapping, context, under)
        return values | {"roll_where": find_roll(mapping)}, context


class MapsSyntax(Section):
    page = "missions"

    maps: tuple[MapSyntax, ...] = key("maps", expect_sections(MapSyntax), "deployment maps")


LIMITS = DocumentLimits(values=LONGEST_ZONES, depth=20)


def read_measures(text: str, width: int, depth: int) -> tuple[MapTable, Sequence[Diagnostic]]:
    problems = Problems()
    table = TableSize(width, depth)
    nodes = _read_nodes(text[:LONGEST_ZONES], problems)
    zones = tuple(read_section(ZoneSyntax, node, None).place_on(table) for node in nodes)
    if not zones and not problems.diagnostics:
        hint = "Write `- {zone: Attacker, edge: south, depth: 6}`."
        problems.add(SourceLine("", 1), "missing-key", "There is no zone.", hint)
    return MapTable(width=width, depth=depth, zones=zones), problems.diagnostics


def _read_nodes(text: str, problems: Problems) -> list[DocumentNode]:
    try:
        document = read_yaml(text, DocumentSource("", problems), LIMITS)
    except (yaml.YAMLError, DocumentError):
        document = YamlDocument(None, second_line=1)
    if document.second_line:
        hint = "Write one zone a line: `- {zone: ...}`."
        problems.add(SourceLine("", 1), "bad-yaml", "This is not a list of zones.", hint)
        return []
    return document.root.read_each() if document.root is not None else []
