"""The files of lists as values; misspelt keys are refused."""

from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from tests.plain_yaml import load_yaml_file

HERE = Path(__file__).parent

Step = dict[str, Any]
Fact = dict[str, Any]


class Wrong(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The expected violation at one place; absent fields match anything."""

    rule: str
    on: str | None = None
    counts: str | None = None
    measured: float | None = None
    allowed: float | None = None
    constraint: str | None = None


class Break(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A single change of a legal list, and its expected result."""

    title: str = msgspec.field(name="break")
    because: list[Fact]
    change: Step | list[Step]
    wrong: list[Wrong] = []
    legal: bool = False
    costs: dict[str, float] = {}

    @property
    def steps(self) -> list[Step]:
        return self.change if isinstance(self.change, list) else [self.change]


class WrittenList(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    archive: str
    system: str
    faction: str
    name: str
    known_for: str = msgspec.field(name="known for")
    steps: list[Step]
    costs: dict[str, float]
    breaks: list[Break]
    limit: float | dict[str, float] = {}
    unjudged: list[str] = []


@cache
def read_list(path: Path) -> WrittenList:
    return msgspec.convert(_name_on(load_yaml_file(path)), WrittenList, strict=False)


def _name_on(value: Any) -> Any:
    """Return a value with the key `on` as a word: YAML 1.1 reads it as true."""
    if isinstance(value, dict):
        return {"on" if key is True else key: _name_on(inner) for key, inner in value.items()}
    return [_name_on(inner) for inner in value] if isinstance(value, list) else value


def list_files() -> dict[str, list[Path]]:
    files: dict[str, list[Path]] = {}
    for path in sorted(HERE.glob("*/*.yaml")):
        files.setdefault(path.parent.name, []).append(path)
    return files
