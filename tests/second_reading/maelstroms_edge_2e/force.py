from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from tests.second_reading.maelstroms_edge_entries import ADD_ON, Unit
from tests.second_reading.printed_line import Entry, Part, amounts, own_id, slug
from tests.second_reading.reading import Document, Figures, count_of, detachments_of, id_of, parts_of, units_of

OUTSIDE = "none"


@dataclass(eq=False)
class Selection:
    """A selection of a detachment: its entry, and its units if several are taken as one."""

    id: str
    entry: Entry
    part: Part
    units: list[Unit]
    entries: dict[str, Entry]

    @property
    def name(self) -> str:
        return self.entry["unit"]

    @property
    def type(self) -> str:
        return self.entry["type"]

    @property
    def several(self) -> tuple[int, int]:
        return amounts(self.entry.get("units", 1))

    @property
    def stray_points(self) -> int:
        """The cost of add-ons next to the units taken as one, outside all of them."""
        if "units" not in self.entry:
            return 0
        add_ons = [(self.entries.get(own_id(inner), {}), count_of(inner)) for inner in parts_of(self.part)]
        return sum(number * entry["points"] for entry, number in add_ons if entry.get("type") == ADD_ON)

    @property
    def leads(self) -> bool:
        return isinstance(self.part, dict) and bool(self.part.get("leads"))


class Force:
    def __init__(self, document: Document, figures: Figures) -> None:
        self.document = document
        self.figures = figures
        self.faction: str = document["faction"]
        self.entries = {slug(name): entry for name, entry in figures.written.items()}
        self.detachments = [Detachment(self, written) for written in detachments_of(document)]
        self.plan: Document | None = document.get("plan")

    @cached_property
    def selections(self) -> list[Selection]:
        return [selection for detachment in self.detachments for selection in detachment.selections]

    @cached_property
    def units(self) -> list[Unit]:
        return [unit for selection in self.selections for unit in selection.units]


class Detachment:
    """A detachment and its selections. Units outside all detachments are in one without a kind."""

    def __init__(self, force: Force, document: Document) -> None:
        self.force = force
        self.document = document
        self.faction: str = document.get("catalogue", force.faction)
        chosen = [
            selection_of(unit, force.entries)
            for unit in units_of(document)
            if id_of(unit) in force.entries
            for _ in range(count_of(unit))
        ]
        self.selections = [selection for selection in chosen if selection.type != ADD_ON]
        self.add_ons = [selection for selection in chosen if selection.type == ADD_ON]

    @property
    def is_one(self) -> bool:
        return self.document["detachment"] != OUTSIDE

    def count(self, kind: str) -> int:
        return sum(selection.type == kind for selection in self.selections)


def selection_of(part: Part, entries: dict[str, Entry]) -> Selection:
    unit_id = id_of(part)
    return Selection(unit_id, entries[unit_id], part, units_in(part, unit_id, entries), entries)


def units_in(part: Part, unit_id: str, entries: dict[str, Entry]) -> list[Unit]:
    """Return the units taken as one, and misplaced units inside them."""
    entry = entries[unit_id]
    units = [] if "units" in entry else [Unit(entry, part, unit_id, entries)]
    for inner in parts_of(part):
        stranger = own_id(inner)
        if id_of(inner) == f"{unit_id}/unit":
            units += [Unit(entry, inner, f"{unit_id}/unit", entries)] * count_of(inner)
        elif stranger in entries and entries[stranger]["type"] != ADD_ON:
            units += units_in(inner, stranger, entries) * count_of(inner)
    return units


def marks(units: Iterable[Unit], keyword: str) -> int:
    return sum(number for unit in units for option, number in unit.options if keyword in option.get("keywords", ()))
