"""Zones of a map whose distances its book does not give in words: written by hand, in the form that packs have."""

from collections.abc import Sequence

import yaml

from catalogue.definitions.diagnostics import Diagnostic
from catalogue.definitions.maps import MapTable
from catalogue.documents.node import DocumentNode
from catalogue.documents.problems import Problems, SourceLine
from catalogue.formats.packs.parse.maps import Table, read_zone

LONGEST = 4000


def read_measures(text: str, width: int, depth: int) -> tuple[MapTable, Sequence[Diagnostic]]:
    """The table that `text` describes, a list of zones as under `zones:` of a map, and what is wrong with it."""
    problems = Problems()
    zones = tuple(read_zone(item, Table(width, depth)) for item in _items(text[:LONGEST], problems))
    if not zones and not problems.found:
        problems.add(
            SourceLine("", 1),
            "missing-key",
            "There is no zone.",
            "Write `- {zone: Attacker, edge: south, depth: 6}`.",
        )
    return MapTable(width=width, depth=depth, zones=zones), problems.found


def _items(text: str, problems: Problems) -> list[DocumentNode]:
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError:
        problems.add(
            SourceLine("", 1),
            "bad-yaml",
            "This is no list of zones.",
            "Write one zone a line: `- {zone: ...}`.",
        )
        return []
    return DocumentNode(node, "", problems).each() if node is not None else []
