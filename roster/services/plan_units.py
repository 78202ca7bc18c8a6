"""The units of a list as a game plan speaks of them: each of several taken as one apart, equal names numbered."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from catalogue.graph.ids import get_target_id
from roster.engine.report import EffectiveForce, EffectiveSelection

UNIT, MODEL = "unit", "model"


@dataclass(frozen=True, slots=True)
class GameUnit:
    """A unit as the plan has it: each of several taken as one on its own. `around` is what they are taken as."""

    selection: EffectiveSelection
    around: EffectiveSelection | None = None

    @property
    def id(self) -> str:
        return self.selection.id

    @property
    def type(self) -> str:
        categories = (*self.selection.categories, *(self.around.categories if self.around else ()))
        return next((category.name for category in categories if category.primary), "")

    @property
    def ids(self) -> set[str]:
        """The ids of all that is in it."""
        return {inner.id for inner in self.selection.walk()}

    def is_any_of(self, of: Iterable[str]) -> bool:
        """Return whether it is one of these entries or of one of these categories; none means any."""
        mine: set[str] = set()
        for selection in filter(None, (self.selection, self.around)):
            mine |= {get_target_id(selection.entry_id), *(c.id for c in selection.categories)}
        wanted = set(of)
        return not wanted or bool(wanted & mine)


def list_units(forces: Iterable[EffectiveForce]) -> Iterator[GameUnit]:
    """List all units, in the order of the detachments; what joined a unit is part of it."""
    for force in forces:
        for root in force.selections:
            inside = [inner for inner in root.selections if inner.type == UNIT]
            # Several units bought as one entry are played one by one.
            if inside and not _is_somebody(root):
                yield from (GameUnit(inner, root) for inner in inside)
            elif root.type == UNIT:
                yield GameUnit(root)
        yield from list_units(force.forces)


def _is_somebody(root: EffectiveSelection) -> bool:
    """Return whether a selection is a unit itself, not just a choice of several."""
    return bool(root.profiles) or any(inner.type == MODEL for inner in root.selections)


def name_units(units: Sequence[GameUnit]) -> dict[str, str]:
    """Return the units' names; equal ones are numbered."""
    plain = {unit.id: unit.selection.custom_name or unit.selection.name for unit in units}
    often = Counter(plain.values())
    seen: Counter[str] = Counter()
    for unit_id, name in plain.items():
        seen[name] += 1
        if often[name] > 1:
            plain[unit_id] = f"{name} {seen[name]}"
    return plain
