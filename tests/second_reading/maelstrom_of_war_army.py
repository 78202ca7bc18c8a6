"""An army of Warhammer 40,000, 9th edition, for the rules of Maelstrom of War."""

from dataclasses import dataclass
from functools import cached_property

from tests.second_reading import maelstrom_of_war_printed as printed
from tests.second_reading.maelstrom_of_war_datasheets import Datasheet, datasheets, slug
from tests.second_reading.reading import Document, Figures, detachments_of, every_part, id_of, parts_of, units_of

INCURSION, STRIKE_FORCE, ONSLAUGHT = 1000, 2000, 3000
COMMAND_POINTS = {INCURSION: 6, STRIKE_FORCE: 12, ONSLAUGHT: 18}
BROAD = frozenset({"chaos", "imperium", "aeldari", "ynnari", "tyranids"})
"""Keywords that alone cannot hold a detachment together."""
FACTION_KEYWORDS = BROAD | {
    slug(name)
    for name in (
        *("Necrons", "<Dynasty>", "Canoptek", "Destroyer Cult", "Sautekh", "Szarekhan", "Maynarkh"),
        *("<Hive Fleet>", "Hive Tendril", "Living Artillery", "Votann"),
    )
}
NOTE, NOTED_POINT = "command-points-spent", "command-points-spent/command-point"


@dataclass(frozen=True)
class Unit:
    written: Document | str
    sheet: Datasheet
    detachment: int
    kind: str

    @property
    def ref(self) -> str:
        return "" if isinstance(self.written, str) else self.written.get("ref", "")

    @cached_property
    def keywords(self) -> frozenset[str]:
        return printed.keywords_of(self.sheet, self.written)

    @cached_property
    def models(self) -> int:
        return printed.models_in(self.sheet, self.written)

    @cached_property
    def marks(self) -> int:
        return sum(
            number
            for part, number in every_part(self.written)
            if part in self.sheet.lines and self.sheet.lines[part].name == "warlord"
        )

    def called(self, name: str) -> bool:
        return slug(self.sheet.title) == name or name in self.keywords


def by_last_ids(part: Document | str) -> Document | str:
    """Return a unit or option with the last part of each id, because options of shared lists may have composite ids."""
    if isinstance(part, str):
        return part.rsplit("::", 1)[-1]
    plain = {**part, "options": [by_last_ids(inner) for inner in parts_of(part)]}
    if "option" in part:
        plain["option"] = part["option"].rsplit("::", 1)[-1]
    return plain


class Army:
    def __init__(self, document: Document, figures: Figures) -> None:
        self.document = document
        self.figures = figures
        sheets = datasheets(figures.folder)
        self.detachments = detachments_of(document)
        self.kinds: list[str] = [detachment["detachment"] for detachment in self.detachments]
        self.units = [
            Unit(by_last_ids(unit), sheets[id_of(unit)], number, detachment["detachment"])
            for number, detachment in enumerate(self.detachments)
            for unit in units_of(detachment)
            if id_of(unit) in sheets
        ]
        limits = document.get("limits", {})
        self.size = limits.get("points")
        self.plan: Document = document.get("plan", {})
        # The command points of a battle size need not be written.
        self.command_points = limits.get("command-points", COMMAND_POINTS.get(self.size))

    def of(self, number: int) -> list[Unit]:
        return [unit for unit in self.units if unit.detachment == number]

    def faction(self, number: int) -> str:
        return self.detachments[number].get("catalogue", self.document.get("faction", ""))

    def notes(self, number: int) -> int:
        """Count a detachment's notes of spent command points, which are not units."""
        return len(self._notes(number))

    def points_noted(self, number: int) -> int:
        return sum(times for note in self._notes(number) for part, times in every_part(note) if part == NOTED_POINT)

    @property
    def has_odd_notes(self) -> bool:
        """Whether anything but command points is noted as spent."""
        notes = [note for number in range(len(self.kinds)) for note in self._notes(number)]
        return any(part not in (NOTE, NOTED_POINT) for note in notes for part, _ in every_part(note))

    def _notes(self, number: int) -> list[Document | str]:
        return [unit for unit in units_of(self.detachments[number]) if id_of(unit) == NOTE]

    def cost(self, unit: Unit) -> float:
        return sum(self._price(unit, part) * number for part, number in every_part(unit.written))

    def _price(self, unit: Unit, part: str) -> float:
        if part not in unit.sheet.lines:
            return 0
        words = str(unit.sheet.lines[part].written.get("points", ""))
        if words.endswith(" per model"):
            return int(words.split()[0]) * unit.models
        return self.figures.price(part)

    @cached_property
    def points(self) -> float:
        return sum(self.cost(unit) for unit in self.units)

    def has_warlord(self, number: int) -> bool:
        return any(unit.marks for unit in self.of(number))
