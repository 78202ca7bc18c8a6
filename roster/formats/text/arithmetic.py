"""Check the sums of a pasted list, even if its game is not installed."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from catalogue.definitions.numbers import Number
from roster.formats.text.pasted import PastedLayout, PastedList, sum_points


class SumKind(StrEnum):
    TOTAL = "total"
    LIMIT = "limit"
    UNITS = "units"
    SECTION = "section"
    MODELS = "models"
    PARTS = "parts"


@dataclass(frozen=True, slots=True)
class SumCheck:
    """A stated and a computed sum. `line` is 0 for the start of the list."""

    kind: SumKind
    stated: Number
    computed: Number
    name: str = ""
    line: int = 0

    @property
    def holds(self) -> bool:
        return self.computed <= self.stated if self.kind is SumKind.LIMIT else self.computed == self.stated


def check_sums(pasted: PastedList) -> list[SumCheck]:
    """Compare stated sums with their lines. Callers filter by `holds`."""
    return [*_check_head(pasted), *_check_sections(pasted), *_check_models(pasted)]


def _check_head(pasted: PastedList) -> Iterator[SumCheck]:
    claims = pasted.claims
    # Without unit costs there is no sum to compare.
    points = pasted.sum_points() or None
    # Such a list may still state its total, which must keep the limit.
    spent = points or claims.total or None
    checks = (
        (SumKind.TOTAL, claims.total, points),
        (SumKind.LIMIT, claims.limit, spent),
        (SumKind.UNITS, claims.units, len(pasted.units)),
    )
    # In a hand-typed list, units without points may still cost some.
    is_open = pasted.layout is PastedLayout.PLAIN and any(unit.points is None for unit in pasted.units)
    for kind, stated, computed in checks:
        if stated is None or computed is None:
            continue
        check = SumCheck(kind, stated, computed)
        if not (kind is SumKind.LIMIT and is_open and check.holds):
            yield check


def _check_sections(pasted: PastedList) -> Iterator[SumCheck]:
    for section in pasted.sections:
        later = (other.line for other in pasted.sections if other.line > section.line)
        # The last section ends with the text, wherever in the paste the list begins.
        end = min(later, default=len(pasted.lines) + section.line)
        units = [unit for unit in pasted.units if section.line < unit.line < end]
        if section.points is not None and units:
            yield SumCheck(SumKind.SECTION, section.points, sum_points(units), section.name, section.line)


def _check_models(pasted: PastedList) -> Iterator[SumCheck]:
    for unit in pasted.units:
        models = unit.count_models()
        # Most programs write 1 for any unit, however many models it has.
        stated = unit.count or 1
        # The items of a unit are its models if each has a number.
        lists_models = all(item.counted for item in unit.items if item.items)
        if stated > 1 and models is not None and lists_models:
            yield SumCheck(SumKind.MODELS, stated, models, unit.name, unit.line)

        for item in unit.items:
            # A single part may be some of the models only.
            if len(item.parts) > 1:
                together = sum(part.count for part in item.parts)
                yield SumCheck(SumKind.PARTS, item.count, together, item.name, item.line)
