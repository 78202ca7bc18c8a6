"""Warhammer 40,000 datasheets as the unit files print them, and what they forbid.

Figures come from the files; limits and allowances are read here independently.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from tests.plain_yaml import load_yaml_file

MANY = 10**6
NUMBERS = {"one": 1, "two": 2, "three": 3}


@cache
def slug(name: str) -> str:
    plain = unicodedata.normalize("NFKD", str(name).replace("'", ""))
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")


@dataclass(frozen=True, slots=True)
class DatasheetLine:
    """A line of a datasheet: a unit, a kind of model, an option or a choice."""

    id: str
    written: Mapping[str, Any]
    least: int = 0
    most: int = MANY
    is_model: bool = False
    is_choice: bool = False
    inside: "tuple[DatasheetLine, ...]" = ()

    @property
    def name(self) -> str:
        return self.id.rsplit("/", 1)[-1]

    @property
    def title(self) -> str:
        return str(self.written.get("model") or self.written.get("option") or "")


@dataclass(frozen=True, slots=True)
class Datasheet:
    """A unit entry. A datasheet of the codex may have several entries."""

    id: str
    title: str
    faction: str
    role: str
    keywords: frozenset[str]
    unit: DatasheetLine
    lines: Mapping[str, DatasheetLine] = field(default_factory=dict)

    @property
    def has_models(self) -> bool:
        return any(line.is_model for line in self.lines.values())


@cache
def datasheets(folder: Path) -> dict[str, Datasheet]:
    sheets: dict[str, Datasheet] = {}
    for path in sorted(folder.glob("units/*.yaml")):
        tree = load_yaml_file(path)
        shared = {listed["list"]: listed for listed in tree.get("lists", [])}
        for written in tree["units"]:
            sheet = _datasheet(written, tree["faction"], shared)
            sheets[sheet.id] = sheet
    return sheets


def _datasheet(written: dict[str, Any], faction: str, shared: dict[str, Any]) -> Datasheet:
    place = written.get("id", slug(written["unit"]))
    models = [_line(part, place, shared, is_model=True) for part in written.get("models", [])]
    options = [_line(part, place, shared) for part in written.get("options", [])]
    unit = DatasheetLine(id=place, written=written, inside=(*models, *options))
    return Datasheet(
        id=place,
        title=written["unit"],
        faction=faction,
        role=written["type"],
        keywords=frozenset(slug(word) for word in written["keywords"]),
        unit=unit,
        lines={line.id: line for line in _walk(unit)},
    )


def _walk(line: DatasheetLine) -> Iterator[DatasheetLine]:
    yield line
    for inner in line.inside:
        yield from _walk(inner)


def _line(
    written: Any, above: str, shared: dict[str, Any], *, is_model: bool = False, in_choice: bool = False
) -> DatasheetLine:
    if isinstance(written, str):
        written = {"option": written}
    if "list" in written:
        return _list(written, above, shared)
    if "choose" in written:
        return _choice(written, above, shared, is_model=is_model)
    if not {"model", "option"} & written.keys():
        (name, price), *_ = written.items()
        written = {"option": name, "points": price}
    place = f"{above}/{written.get('id', slug(written.get('model') or written['option']))}"
    least, most = _numbers(written, is_model=is_model, in_choice=in_choice)
    inside = tuple(_line(part, place, shared) for part in written.get("options", []))
    return DatasheetLine(id=place, written=written, least=least, most=most, is_model="model" in written, inside=inside)


def _list(written: dict[str, Any], above: str, shared: dict[str, Any]) -> DatasheetLine:
    """Return a choice from a shared list; its options have ids of the list."""
    place = slug(written["list"])
    members = tuple(_line(part, place, shared, in_choice=True) for part in shared[written["list"]]["from"])
    least, most = _numbers({"count": written["choose"]})
    return DatasheetLine(id=f"{above}/{place}", written=written, least=least, most=most, is_choice=True, inside=members)


def _choice(written: dict[str, Any], above: str, shared: dict[str, Any], *, is_model: bool) -> DatasheetLine:
    place = f"{above}/{slug(written['name'])}" if "name" in written else above
    members = tuple(_line(part, place, shared, is_model=is_model, in_choice=True) for part in written["from"])
    least, most = _numbers({"count": written["choose"]})
    return DatasheetLine(
        id=place, written=written, least=least, most=most, is_model=is_model, is_choice=True, inside=members
    )


def _numbers(written: Mapping[str, Any], *, is_model: bool = False, in_choice: bool = False) -> tuple[int, int]:
    """Return a line's least and most, apart from what depends on the rest of the unit."""
    if "count" not in written and "up to" not in written:
        if in_choice or "one per" in written:
            return 0, MANY
        return (1, 1) if is_model else (0, 1)
    count = str(written.get("count", f"up to {written.get('up to')}"))
    if count == "any":
        return 0, MANY
    if count.startswith("up to "):
        figure = count.removeprefix("up to ")
        return 0, NUMBERS.get(figure) or int(figure)
    if count.endswith("+"):
        return int(count[:-1]), MANY
    least, _, most = count.partition("-")
    figure = NUMBERS.get(least) or int(least)
    return figure, int(most) if most else figure
