"""Zones of a map whose distances its book does not give in words: written by hand, as in packs."""

from collections.abc import Sequence

import yaml

from catalogue.definitions.diagnostics import Diagnostic
from catalogue.definitions.missions import MapTable
from catalogue.documents.node import DocumentNode, DocumentSource
from catalogue.documents.problems import DocumentError, DocumentLimits, Problems, SourceLine
from catalogue.documents.section import read_section
from catalogue.documents.yaml_reader import YamlDocument, read_yaml
from catalogue.formats.packs.features.missions.map_syntax import TableSize, ZoneSyntax

LONGEST = 4000
LIMITS = DocumentLimits(values=LONGEST, depth=20)


def read_measures(text: str, width: int, depth: int) -> tuple[MapTable, Sequence[Diagnostic]]:
    """Return the table that `text` describes, a list of zones as under `zones:` of a map, and what is wrong with it."""
    problems = Problems()
    table = TableSize(width, depth)
    nodes = _read_nodes(text[:LONGEST], problems)
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
