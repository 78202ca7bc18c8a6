"""Check the sums of a pasted list, whether its game is installed or not."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from catalogue.definitions.numbers import Number
from roster.formats.text.pasted import PastedList, PastedSection, PastedUnit, sum_points


class SumKind(StrEnum):
    """What a sum check compares."""

    TOTAL = "total"
    LIMIT = "limit"
    UNITS = "units"
    SECTION = "section"
    MODELS = "models"
    PARTS = "parts"


@dataclass(frozen=True, slots=True)
class SumCheck:
    """A sum that the list states and what its lines come to. `line` is where it is stated, 0 for the head."""

    kind: SumKind
    stated: Number
    computed: Number
    name: str = ""
    line: int = 0

    @property
    def holds(self) -> bool:
        return self.computed <= self.stated if self.kind is SumKind.LIMIT else self.computed == self.stated


def check_sums(pasted: PastedList) -> list[SumCheck]:
    """Compare everything that a list states twice; whoever asks looks for those that do not hold."""
    return [*_check_head(pasted), *_check_sections(pasted), *_check_models(pasted)]


def _check_head(pasted: PastedList) -> Iterator[SumCheck]:
    claims = pasted.claims
    # Without points nothing was read that could be summed up: it says nothing of the total.
    points = pasted.sum_points() or None
    # Where units have no points the list may still state its total, and that has a limit to keep.
    spent = points or claims.total or None
    checks = (
        (SumKind.TOTAL, claims.total, points),
        (SumKind.LIMIT, claims.limit, spent),
        (SumKind.UNITS, claims.units, len(pasted.units)),
    )
    for kind, stated, computed in checks:
        yield from _compare_numbers(kind, stated, computed)


def _compare_numbers(kind: SumKind, stated: Number | None, computed: Number | None) -> Iterator[SumCheck]:
    """Compare what the head states where both numbers are there."""
    if stated is not None and computed is not None:
        yield SumCheck(kind, stated, computed)


def _check_sections(pasted: PastedList) -> Iterator[SumCheck]:
    for section in pasted.sections:
        units = _list_units(pasted, section)
        if section.points is not None and units:
            yield SumCheck(SumKind.SECTION, section.points, sum_points(units), section.name, section.line)


def _list_units(pasted: PastedList, section: PastedSection) -> list[PastedUnit]:
    """List the units below a heading, up to the next one."""
    end = _find_end(pasted, section)
    return [unit for unit in pasted.units if section.line < unit.line < end]


def _find_end(pasted: PastedList, section: PastedSection) -> int:
    """Return the line of the next heading."""
    later = (other.line for other in pasted.sections if other.line > section.line)
    # Below the last heading everything up to the end of the text, wherever in the paste the list begins.
    return min(later, default=len(pasted.lines) + section.line)


def _check_models(pasted: PastedList) -> Iterator[SumCheck]:
    for unit in pasted.units:
        models = unit.count_models()
        # A number of one is how most programs write any unit, however many models it has.
        stated = unit.count or 1
        if stated > 1 and models is not None and _lists_models(unit):
            yield SumCheck(SumKind.MODELS, stated, models, unit.name, unit.line)
        yield from _check_parts(unit)


def _check_parts(unit: PastedUnit) -> Iterator[SumCheck]:
    for item in unit.items:
        # A single part may be some of the models, and the text silent about the others.
        if len(item.parts) > 1:
            together = sum(part.count for part in item.parts)
            yield SumCheck(SumKind.PARTS, item.count, together, item.name, item.line)


def _lists_models(unit: PastedUnit) -> bool:
    """Whether what is under a unit are its models, each with a number."""
    return all(item.counted for item in unit.items if item.items)
