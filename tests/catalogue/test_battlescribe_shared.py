"""The community's real data is understood completely or named in the report."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from catalogue.definitions.base import Definition
from catalogue.definitions.catalogues import DataSet
from catalogue.definitions.entries import Category, CategoryLink, Entry, ForceEntry
from catalogue.definitions.infos import Info
from catalogue.formats.battlescribe.reader import ReadResult, read_path
from tests.extent import sample

pytestmark = pytest.mark.slow

COUNTED = Entry | Info | Category | CategoryLink | ForceEntry

# Files, definitions, and the codes of all findings with their numbers.
EXPECTED: dict[str, tuple[int, int, dict[str, int]]] = {
    "edge-dawnfall": (8, 937, {}),
    "maelstroms-edge-1e": (5, 2_075, {}),
    "warzone-resurrection": (11, 12_554, {}),
    "wh40k-killteam-v1.4.16": (25, 12_179, {"empty-conditions": 1}),
    "wh40k-9e-v9.2.13": (54, 64_453, {"dangling-category": 4, "dangling-child": 3, "empty-conditions": 3}),
    "wh40k-9e": (53, 68_298, {"empty-conditions": 4}),
    "wh40k-10e-v10.6.0": (
        45,
        53_488,
        {
            "association": 17,
            "convenience": 1,
            "dangling-cost": 1,
            "dangling-default": 42,
            "dangling-field": 2,
            "dangling-publication": 1,
            "display-only": 5,
        },
    ),
}


def definitions(values: tuple[object, ...]) -> Iterator[COUNTED]:
    """Return every entry, text, category, category link and force in `values` and below."""
    for value in values:
        if isinstance(value, COUNTED):
            yield value
        if isinstance(value, Definition):
            for name in value.__struct_fields__:
                inside = getattr(value, name)
                if isinstance(inside, tuple) and inside:
                    yield from definitions(inside)


@pytest.fixture(scope="module", params=sample(EXPECTED, 2))
def read(request: pytest.FixtureRequest, shared: Path) -> tuple[str, ReadResult]:
    return request.param, read_path(shared / "bsdata" / f"{request.param}.zip")


def test_community_data_is_read_completely(read: tuple[str, ReadResult]) -> None:
    name, result = read
    files, count, findings = EXPECTED[name]
    assert result.data is not None
    assert len(result.data.catalogues) == files
    assert sum(1 for _ in definitions(result.data.catalogues)) == count
    assert Counter(found.code for found in result.diagnostics) == findings


def test_community_data_survives_storage(read: tuple[str, ReadResult]) -> None:
    _, result = read
    assert result.data is not None
    for catalogue in result.data.catalogues:
        stored = msgspec.json.encode(catalogue)
        assert msgspec.json.encode(msgspec.json.decode(stored, type=type(catalogue))) == stored
    assert DataSet(catalogues=result.data.catalogues) == result.data
