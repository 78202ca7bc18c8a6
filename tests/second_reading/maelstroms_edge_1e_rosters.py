"""Lists of Maelstrom's Edge, 1st edition, and more changes of them."""

from collections.abc import Iterator, Sequence
from functools import cached_property

from tests.second_reading.maelstroms_edge_entries import Unit
from tests.second_reading.mutations import Change, copy_of
from tests.second_reading.printed_line import Entry, Part, amounts
from tests.second_reading.reading import Document, Figures, count_of, detachments_of, id_of, parts_of, units_of

FORCE, PREVIEW, OUTSIDE = "standard", "preview-2015", "none"
"""The kinds of detachment. Units in none are outside."""
PREVIEWED = "preview"


class Selection:
    """A selection of a detachment: one unit, or several taken as one."""

    def __init__(self, part: Part, figures: Figures) -> None:
        self.id = id_of(part)
        self.entry: Entry = figures.written[figures.name(self.id)]
        inside = [inner for inner in parts_of(part) if is_unit(inner, figures)]
        self.guests = [Selection(inner, figures) for inner in inside]
        """Units inside it that are not part of its entry."""
        self.part: Document = {} if isinstance(part, str) else dict(part)
        self.part["options"] = [inner for inner in parts_of(part) if inner not in inside]

    @property
    def type(self) -> str:
        return self.entry["type"]

    @property
    def declared(self) -> bool:
        return bool(self.part.get("leads"))

    @property
    def most_as_one(self) -> int:
        return amounts(self.entry.get("units", 1))[1]

    @cached_property
    def own_units(self) -> list[Unit]:
        if "units" not in self.entry:
            return [Unit(self.entry, self.part, self.id)]
        own = f"{self.id}/unit"
        several = [part for part in parts_of(self.part) if id_of(part) == own]
        return [Unit(self.entry, part, own) for part in several for _ in range(count_of(part))]

    @property
    def every(self) -> "Iterator[Selection]":
        yield self
        for guest in self.guests:
            yield from guest.every


def is_unit(part: Part, figures: Figures) -> bool:
    return any(id_of(part) in entries for entries in figures.units.values())


class Detachment:
    """A detachment, or all units outside. `unknown` units have no entry of the 1st edition."""

    def __init__(self, document: Document, faction: str, figures: Figures) -> None:
        self.kind: str = document["detachment"]
        self.faction: str = document.get("catalogue", faction)
        self.unknown = [part for part in units_of(document) if not is_unit(part, figures)]
        self.selections = [
            Selection(part, figures)
            for part in units_of(document)
            if is_unit(part, figures)
            for _ in range(count_of(part))
        ]

    @property
    def units(self) -> Iterator[Unit]:
        for selection in self.selections:
            for each in selection.every:
                yield from each.own_units

    def has(self, kind: str) -> int:
        return sum(selection.type == kind for selection in self.selections)


class Roster:
    def __init__(self, document: Document, figures: Figures) -> None:
        self.faction: str = document["faction"]
        self.limit = document.get("limits", {}).get("points", "none")
        self.plan: Document | None = document.get("plan")
        self.detachments = [Detachment(each, self.faction, figures) for each in detachments_of(document)]

    @property
    def kinds(self) -> set[str]:
        return {detachment.kind for detachment in self.detachments}

    @property
    def selections(self) -> Iterator[Selection]:
        for detachment in self.detachments:
            yield from detachment.selections

    @property
    def units(self) -> Iterator[Unit]:
        for detachment in self.detachments:
            yield from detachment.units


ANOTHER_EDITION = "militus-warrior-prime-of-the-2nd-edition"


def more_changes(document: Document, figures: Figures) -> Iterator[Change]:
    """Yield more changes: other editions, units inside units, every unit as commander."""
    for number, detachment in enumerate(detachments_of(document)):
        changed = copy_of(document)
        detachments_of(changed)[number].setdefault("units", []).append(ANOTHER_EDITION)
        yield f"unit of the 2nd edition: {number}", changed
        faction = detachment.get("catalogue", document["faction"])
        for index, unit in enumerate(units_of(detachment)):
            for kind, more in _changes_of_unit(unit, figures.units[faction]):
                changed = copy_of(document)
                written = units_of(detachments_of(changed)[number])
                whole = {"unit": unit} if isinstance(unit, str) else unit
                written[index] = {**whole, **more, "options": [*parts_of(unit), *more.get("options", ())]}
                if "ref" in more:
                    changed["plan"] = {**changed.get("plan", {}), "commander": more["ref"]}
                yield f"{kind}: {id_of(unit)}", changed


def _changes_of_unit(unit: Part, others: Sequence[str]) -> Iterator[tuple[str, Document]]:
    """Yield changes of a unit's options. Units that the plan names get no unit inside."""
    own = id_of(unit)
    yield "unit twice", {"count": 2}
    yield "unit declared to lead", {"leads": True}
    yield "unit in itself", {"options": [own]}
    yield "unit as commander", {"ref": "chosen"}
    if own in others and not (isinstance(unit, dict) and "ref" in unit):
        other = others[others.index(own) - 1]
        yield "unit in another", {"options": [other]}
