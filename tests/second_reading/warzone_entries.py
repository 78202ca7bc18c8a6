"""Squad entries of Warzone Resurrection as their files print them: models, options, abilities and points."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from tests.plain_yaml import load_yaml_file
from tests.second_reading.printed_line import ANY, Entry, Line, Part, amounts, own_id, slug
from tests.second_reading.reading import count_of, parts_of

OPTIONS = "wz-data-options"
SIZE = "wz-squad-size"

BY_LEAVE = "as-troops"
"""Marks a squad that counts as troops by the commander's leave."""
MAY_BE_TROOPS = {"support", "light-vehicle", "heavy-vehicle", "transport-vehicle"}


@dataclass(frozen=True)
class Shelf:
    """All entries of a pack by id, and their shared lists of options."""

    units: dict[str, Entry]
    lists: dict[str, Entry]


@cache
def shelf_of(folder: Path) -> Shelf:
    units: dict[str, Entry] = {}
    lists: dict[str, Entry] = {}
    for path in (*sorted(folder.glob("units/*.yaml")), folder / "doomtroopers.yaml"):
        tree = load_yaml_file(path)
        for shared in tree.get("lists", ()):
            lists[shared.get("id") or slug(shared["list"])] = shared
        for unit in tree.get("units", ()):
            units[unit.get("id") or slug(unit["unit"])] = {**unit, "faction": tree.get("faction", "")}
    return Shelf(units, lists)


# ---- what may be chosen --------------------------------------------------------------------------------------------


@dataclass
class Choices:
    id: str
    written: Entry
    around: "Choices | None" = None

    @property
    def bounds(self) -> tuple[int, int]:
        return amounts(self.written.get("choose", "any"))

    @property
    def name(self) -> str:
        return slug(self.written.get("name") or self.written.get("list") or "")


@dataclass
class Sheet:
    """The lines and choices directly on a squad, model or option."""

    lines: list[Line] = field(default_factory=list)
    choices: list[Choices] = field(default_factory=list)

    def inside(self, choices: Choices) -> list[Line]:
        return [line for line in self.lines if choices in around(line)]

    def line_of(self, part: Part) -> Line | None:
        """Return a chosen option's line; if several lists have it, the one whose group the option names."""
        lines = [line for line in self.lines if line.id == own_id(part)]
        group = part.get("group", "") if isinstance(part, dict) else ""
        named = [line for line in lines if any(choices.id == group for choices in around(line))]
        return next(iter(named or lines), None)


def around(line: Line) -> list[Choices]:
    """Return the lists of choices around a line, the nearest first."""
    found = []
    group = line.group
    while group is not None:
        found.append(group)
        group = group.around
    return found


def sheet_of(shelf: Shelf, entry: Entry, start: str) -> Sheet:
    sheet = Sheet()
    for written in (*entry.get("models", ()), *entry.get("options", ())):
        _add(shelf, sheet, written, start, None)
    return sheet


def _add(shelf: Shelf, sheet: Sheet, written: Entry | str, start: str, group: Choices | None) -> None:
    line = _spelled_out(written)
    if "list" in line or "choose" in line:
        _add_choices(shelf, sheet, line, start, group)
    else:
        own = line.get("id") or f"{start}/{slug(line.get('model') or line['option'])}"
        # Without a number each is taken once; with a printed number, the same one may repeat.
        counted = group is not None and group.written.get("choose", "any") != "any"
        sheet.lines.append(Line(own, line, group, ANY if counted else 1))


def _add_choices(shelf: Shelf, sheet: Sheet, line: Entry, start: str, group: Choices | None) -> None:
    if "list" in line and "from" not in line:
        inner = slug(line["list"])
        shared = shelf.lists[inner]
        both = [*shared.get("limits", ()), *line.get("limits", ())]
        outer = Choices(f"{start}/{inner}", {key: line[key] for key in line.keys() - {"list"}}, group)
        choices = Choices(inner, {**shared, "limits": both}, outer)
        sheet.choices.append(outer)
        members = shared["from"]
    else:
        inner = f"{start}/{slug(line['name'])}" if "name" in line else start
        choices = Choices(inner, line, group)
        members = line["from"]
    sheet.choices.append(choices)
    for member in members:
        _add(shelf, sheet, member, inner, choices)


def _spelled_out(written: Entry | str) -> Entry:
    if isinstance(written, str):
        return {"option": written}
    if {"choose", "list", "option", "model"} & written.keys():
        return written
    [(name, price)] = written.items()
    return {"option": name, "points": price}


# ---- one squad of a list -------------------------------------------------------------------------------------------


class Squad:
    def __init__(self, shelf: Shelf, part: Part, chart: int, host: "Squad | None" = None) -> None:
        self.shelf = shelf
        self.part = part
        self.id = own_id(part)
        self.entry = shelf.units[self.id]
        self.chart = chart
        self.host = host
        self.ref: str = part.get("ref", "") if isinstance(part, dict) else ""
        self.leads = isinstance(part, dict) and bool(part.get("leads"))
        self.chosen: Counter[str] = Counter()
        """Everything in the squad, at any depth, by id."""
        self.groups: Counter[str] = Counter()
        """How many are chosen of each list of choices, by name."""
        self.models: list[tuple[Entry, int]] = []
        self.options: list[tuple[Line, int]] = []
        self.guests: list[Squad] = []
        """Characters and squads in it that have their own entry."""
        self.sheet = sheet_of(shelf, self.entry, self.id)
        self._count(part, self.sheet, 1)

    def _count(self, part: Part, sheet: Sheet, times: int) -> None:
        for inner in parts_of(part):
            number = times * count_of(inner)
            line = sheet.line_of(inner)
            if line is None:
                if own_id(inner) in self.shelf.units:
                    self.guests += [Squad(self.shelf, inner, self.chart, self) for _ in range(number)]
                continue
            self.chosen[line.id] += number
            self.groups.update({choices.name: number for choices in around(line)})
            if line.is_model:
                self.models.append((line.written, number))
            else:
                self.options.append((line, number))
            self._count(inner, sheet_of(self.shelf, line.written, line.id), number)

    @cached_property
    def size(self) -> int:
        """The number of models; an entry without models counts as one."""
        if self.entry.get("empty"):
            return 0
        return sum(number for _, number in self.models) if "models" in self.entry else 1

    @property
    def leaves(self) -> Counter[str]:
        """The squad's marks for counting as troops by leave; one in valid lists."""
        said = Counter[str]()
        for part in parts_of(self.part):
            unit, _, option = own_id(part).rpartition("/")
            entry = self.shelf.units.get(unit)
            if option == BY_LEAVE and entry and has_leave(entry):
                said[unit] += count_of(part)
        return said

    @property
    def by_leave(self) -> bool:
        """Whether the squad is marked as troops by the commander's leave."""
        return self.leaves[self.id] > 0

    @property
    def type(self) -> str:
        """The squad's slot, by its entry or by what it counts as."""
        if self.by_leave:
            return "troops"
        counted = [line.written["counts as"] for line, _ in self.options if "counts as" in line.written]
        return counted[-1] if counted else self.entry["type"]

    def keywords(self) -> Iterator[str]:
        yield from self.entry.get("keywords", ())
        for written, _ in self.models:
            yield from written.get("keywords", ())
        for line, _ in self.options:
            yield from line.written.get("keywords", ())

    def is_a(self, keyword: str) -> bool:
        return keyword in self.entry.get("keywords", ())

    def marked(self, keyword: str) -> int:
        return sum(number for line, number in self.options if keyword in line.written.get("keywords", ()))

    def factions(self) -> set[str]:
        return {self.entry["faction"], *self.entry.get("also in", ())}

    def homes(self) -> set[str]:
        home = self.entry.get("home", self.entry["faction"])
        return {home} if isinstance(home, str) else set(home)

    def of(self, reference: str) -> int:
        """Count what an entry refers to, by name, path or list."""
        path = "/".join(slug(word) for word in reference.split("/"))
        guests = sum(guest.id == path for guest in self.guests)
        here = sum(number for chosen, number in self.chosen.items() if f"/{chosen}".endswith(f"/{path}"))
        return here or guests or self.groups[path]

    def prints(self, column: int) -> list[tuple[Any, int]]:
        """Return a figure of the models' profiles, with how many have it."""
        if "profile" in self.entry:
            return [(_column(self.entry["profile"], column), 1)]
        return [(_column(model["profile"], column), number) for model, number in self.models]

    @property
    def leadership(self) -> int:
        """LD as printed: the seventh column, the fifth for vehicles."""
        return max((int(ld) for ld, _ in self.prints(LD) if str(ld).isdigit()), default=0)

    @property
    def room(self) -> int:
        """The squad's room in a transport: size and one more for each model, at least one."""
        sizes = [(int(size), number) for size, number in self.prints(SZ) if str(size).lstrip("-").isdigit()]
        return sum(max(1, size + 1) * number for size, number in sizes)


LD, SZ = 6, 9
VEHICLE = {LD: 4, SZ: 10}


def _column(profile: list[Any], column: int) -> Any:
    """Return a figure of a profile; vehicles have a column more."""
    return profile[VEHICLE[column] if len(profile) == 13 else column]


def has_leave(entry: Entry) -> bool:
    """Return whether a squad could get leave: it has no rule of its own about it."""
    own = (option for option in entry.get("options", ()) if isinstance(option, dict))
    return entry["type"] in MAY_BE_TROOPS and all(slug(option.get("option", "")) != BY_LEAVE for option in own)
