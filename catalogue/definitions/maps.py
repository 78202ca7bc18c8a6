"""Deployment zones as data: shapes on a table, in inches from its upper left corner."""

from enum import StrEnum

from catalogue.definitions.base import Definition
from catalogue.definitions.citations import NOWHERE, Citation

Point = tuple[float, float]


class Whose(StrEnum):
    """Whom a zone belongs to."""

    FIRST = "first"
    SECOND = "second"
    BOTH = "both"


class Zone(Definition):
    """Part of a table: polygons, or a circle. `measure` is what stands beside it, such as 6"."""

    name: str
    whose: Whose = Whose.BOTH
    polygons: tuple[tuple[Point, ...], ...] = ()
    centre: Point | None = None
    radius: float = 0
    measure: str = ""


class MapTable(Definition):
    """The zones on a table of one size; `sizes` are the ids of the battle sizes it is for, none for all."""

    width: float
    depth: float
    zones: tuple[Zone, ...] = ()
    spots: tuple[Point, ...] = ()
    sizes: tuple[str, ...] = ()


class DeploymentMapDefinition(Definition):
    """A way to deploy. Without `tables` the book gives no distances, and whatever is drawn is schematic."""

    id: str
    name: str
    roll: int | None = None
    text: str = ""
    steps: tuple[str, ...] = ()
    tables: tuple[MapTable, ...] = ()
    citation: Citation = NOWHERE

    @property
    def schematic(self) -> bool:
        """Whether there is nothing to draw to scale."""
        return not self.tables
