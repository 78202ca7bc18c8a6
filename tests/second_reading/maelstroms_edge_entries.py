"""Unit entries of Maelstrom's Edge, read as the 2nd edition prints them: models, gear and options.

Forces of the 1st edition use the same book; its rules have the same names under another prefix.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.second_reading.printed_line import ANY, Entry, Line, Part, amounts, own_id, slug
from tests.second_reading.reading import count_of, id_of, parts_of

ADD_ON = "add-on"


@dataclass
class Choices:
    """A list of choices: `choose` a number, or `swap` something carried."""

    id: str
    written: Entry
    around: "Choices | None" = None

    @property
    def bounds(self) -> tuple[int, int]:
        return amounts(self.written["choose"]) if "choose" in self.written else (0, ANY)


@dataclass
class Sheet:
    """The lines and choices directly on a unit or model."""

    lines: dict[str, Line] = field(default_factory=dict)
    choices: list[Choices] = field(default_factory=list)

    def total(self, choices: Choices, here: Counter[str]) -> int:
        """Count the choices of a list and the lists inside it."""
        return sum(here[line.id] for line in self.inside(choices))

    def inside(self, choices: Choices) -> Iterator[Line]:
        for line in self.lines.values():
            around = line.group
            while around is not None and around is not choices:
                around = around.around
            if around is choices:
                yield line


def sheet_of(entry: Entry, start: str) -> Sheet:
    sheet = Sheet()
    for written in (*entry.get("models", ()), *entry.get("options", ())):
        _add(sheet, written, start, None)
    return sheet


def _add(sheet: Sheet, written: Entry | str, start: str, group: Choices | None) -> None:
    line = _spelled_out(written)
    if "choose" in line or "swap" in line:
        inner = f"{start}/{slug(line['name'])}" if "name" in line else start
        choices = Choices(inner, line, group)
        sheet.choices.append(choices)
        for member in line.get("from") or line["for"]:
            _add(sheet, member, inner, choices)
        return
    line_id = f"{start}/{slug(line.get('model') or line['option'])}"
    sheet.lines[line_id] = Line(line_id, line, group, ANY if group else 1)


def _spelled_out(written: Entry | str) -> Entry:
    if isinstance(written, str):
        return {"option": written}
    if {"choose", "swap", "option", "model"} & written.keys():
        return written
    [(name, price)] = written.items()
    return {"option": name, "points": price}


# ---- one unit of a list --------------------------------------------------------------------------------------------


class Unit:
    """A unit of a list with its entry; `entries` are all entries in it, by id."""

    def __init__(self, entry: Entry, part: Part, unit_id: str, entries: Mapping[str, Entry] | None = None) -> None:
        self.entry = entry
        self.part = part
        self.id = unit_id
        self.entries = entries or {}
        self.chosen: Counter[str] = Counter()
        """Everything in the unit, at any depth, by id."""
        self.models: list[tuple[Entry, int]] = []
        """The models and their numbers."""
        self.options: list[tuple[Entry, int]] = []
        """The options and their numbers."""
        self.add_ons: list[tuple[Entry, int]] = []
        self.sheet = sheet_of(entry, unit_id)
        self._count(part, self.sheet, 1)

    def _count(self, part: Part, sheet: Sheet, times: int) -> None:
        for inner in parts_of(part):
            number = times * count_of(inner)
            line = sheet.lines.get(id_of(inner))
            if line is None:
                stranger = self.entries.get(own_id(inner), {})
                if stranger.get("type") == ADD_ON:
                    self.add_ons.append((stranger, number))
                continue
            self.chosen[line.id] += number
            (self.models if line.is_model else self.options).append((line.written, number))
            self._count(inner, sheet_of(line.written, line.id), number)

    @property
    def size(self) -> int:
        """The number of models; an entry without models counts as one."""
        return sum(number for _, number in self.models) if "models" in self.entry else 1

    @property
    def largest_size(self) -> int:
        """Add-on models: the number of models if all model options are taken."""
        return largest(self.entry.get("models", [])) if "models" in self.entry else 1

    def has(self, key: str, word: str) -> bool:
        """Return whether the unit or one of its models has an ability or designator."""
        holders = [self.entry, *(model for model, _ in (*self.models, *self.add_ons))]
        return any(
            str(item.get("ability") if isinstance(item, dict) else item).split(" (")[0] == word
            for holder in holders
            for item in holder.get(key, ())
        )

    def of(self, reference: str) -> int:
        """Count what an entry refers to, by name or path."""
        path = "/".join(slug(word) for word in reference.split("/"))
        return sum(
            number for chosen, number in self.chosen.items() if f"/{path}/" in f"{chosen.removeprefix(self.id)}/"
        )

    def carried(self, swap: Entry, model: Entry | None) -> int:
        """Count the swappable things before any swap: on one model, or on all that may swap.

        A whole unit swaps all at once.
        """
        if swap.get("whole unit"):
            return 1
        thing, by = swap["swap"], swap.get("by")
        everybody = copies(self.entry.get("carries", ()), thing)
        if model is not None:
            return everybody + copies(model.get("carries", ()), thing)
        if "models" not in self.entry:
            return everybody
        return sum(
            number * (everybody + copies(carrier.get("carries", ()), thing))
            for carrier, number in self.models
            if by is None or carrier["model"] in ([by] if isinstance(by, str) else by)
        )

    def holds(self, condition: Any) -> bool:
        if isinstance(condition, list):
            return all(map(self.holds, condition))
        if isinstance(condition, dict):
            return any(map(self.holds, condition["any"]))
        if condition.startswith("no "):
            return not self.of(condition.removeprefix("no "))
        if asked := re.fullmatch(r"at (least|most) (\d+) (.+)", condition):
            number = self.amount(asked[3])
            return number >= int(asked[2]) if asked[1] == "least" else number <= int(asked[2])
        return self.of(condition) > 0

    def amount(self, word: str) -> int:
        """Return a number in an entry: models, weapons, or an amount."""
        if word == "models":
            return self.size + sum(number for _, number in self.add_ons)
        if word == "weapons":
            return weapons_of(self)
        return int(word) if word.isdigit() else self.of(word)


def copies(carried: Any, thing: str) -> int:
    """Count a thing in a list of gear: `Incursion Rifle x2` is two."""
    number = 0
    for item in carried:
        name, _, times = str(item).partition(" x")
        if name == thing:
            number += int(times or 1)
    return number


def largest(models: list[Entry]) -> int:
    number = 0
    for model in models:
        number += amounts(model["choose"])[1] if "choose" in model else Line("", model).bounds[1]
    return number


def weapons_of(unit: Unit) -> int:
    """Militus Warrior Prime, J and K: two rifles or their replacements, and a third weapon; a field is not a weapon."""
    third = sum(
        number
        for chosen, number in unit.chosen.items()
        if chosen.split("/")[1] in ("third-weapon-or-field", "shoulder") and "field-generator" not in chosen
    )
    return 2 + third
