"""Choose a pasted list's kind of force by names, else by what its units need."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass

from catalogue.definitions.entries import ForceEntry
from catalogue.definitions.numbers import Number
from catalogue.definitions.queries import Bound, Field
from catalogue.graph.compiled_entry import CompiledOption
from catalogue.graph.ruleset import CompiledCatalogue, CompiledForce
from roster.formats.text.names import NameLookup, make_key
from roster.formats.text.pasted import PastedList
from roster.formats.text.resolve import ResolvedUnit

_ORDER = re.compile(r"^\W*(?:\d+[.)]\s+)?")
_COMMAND_POINTS = re.compile(r"\s*[\[(]?[-+]?\d+\s?CP[\])]?$", re.I)
_YEAR = re.compile(r"\b20\d\d\b")


@dataclass(frozen=True, slots=True)
class BrokenSlot:
    name: str
    bound: Number
    count: int


@dataclass(frozen=True, slots=True)
class ForceFit:
    """How a pasted list fits a kind of force: `placed` of its `units` have a slot there or in a force inside it.

    `short` and `over` are slots with too few and too many units. `hidden` counts choices that the kind does not offer.
    """

    entry: ForceEntry
    placed: int
    units: int
    is_named: bool
    costs_points: bool
    short: tuple[BrokenSlot, ...]
    over: tuple[BrokenSlot, ...]
    hidden: int = 0

    @property
    def missing(self) -> Number:
        return sum(slot.bound - slot.count for slot in self.short)

    @property
    def excess(self) -> Number:
        return sum(slot.count - slot.bound for slot in self.over)

    @property
    def rank(self) -> tuple[object, ...]:
        """The sort key, best kind first. Equal ranks are a tie."""
        # A kind that costs points is never chosen by fit.
        return (not self.is_named, self.costs_points, -self.placed, self.hidden, self.missing + self.excess)


def find_named_force(catalogue: CompiledCatalogue, pasted: PastedList) -> ForceEntry | None:
    # Data numbers its kinds to put them in order.
    named = [(name, entry) for entry in catalogue.force_entries for name in (entry.name, _ORDER.sub("", entry.name))]
    lookup = NameLookup(named)
    headings = (section.name for section in pasted.sections if section.heads_force)
    written = (*pasted.claims.detachments, *pasted.claims.other.values(), *headings)
    if entry := next(filter(None, (lookup.find(name).certain for name in written)), None):
        return entry
    # Lists print the command points that a kind costs there: `Patrol Detachment 0CP`.
    plain = NameLookup((_COMMAND_POINTS.sub("", name), entry) for name, entry in named)
    matches = (plain.find(_COMMAND_POINTS.sub("", name)) for name in written)
    if match := next((one for one in matches if one.certain and set(one.others) <= {one.value}), None):
        return match.value
    # A line break may be missing in the head. The longest name is the most specific.
    keys = sorted(((make_key(name), entry) for name, entry in named), key=lambda pair: -len(pair[0]))
    glued = [f" {make_key(name)} " for name in (*pasted.claims.detachments, *pasted.claims.other.values())]
    matching = (entry for key, entry in keys if " " in key and any(f" {key} " in text for text in glued))
    return next(matching, None)


def rank_force_entries(
    catalogue: CompiledCatalogue, pasted: PastedList, units: Sequence[ResolvedUnit], points_id: str = ""
) -> list[ForceFit]:
    """Return the likeliest kinds of force first. `points_id` is the limit's cost type."""
    named = find_named_force(catalogue, pasted)
    entries = catalogue.force_entries
    # Hidden kinds are offered only inside another, or to another catalogue.
    visible = [entry for entry in entries if not entry.hidden or entry is named] or list(entries)
    # Choices of the head for the whole list are on no line.
    taken = [unit.option for unit in units if unit.option is not None and unit.pasted.line]
    fits = []
    for entry in visible:
        force = catalogue.compile_force(entry)
        inside = _list_inner_slots(catalogue, entry)
        fits.append(_fit_force(force, taken, inside, is_named=entry is named, points_id=points_id))
    return sort_fits(fits)


def sort_fits(fits: Iterable[ForceFit]) -> list[ForceFit]:
    return sorted(fits, key=lambda fit: (fit.rank, -_find_year(fit.entry.name)))


def choose_force_entry(
    catalogue: CompiledCatalogue, pasted: PastedList, units: Sequence[ResolvedUnit], points_id: str = ""
) -> ForceEntry | None:
    fits = rank_force_entries(catalogue, pasted, units, points_id)
    return fits[0].entry if fits else None


def _list_inner_slots(catalogue: CompiledCatalogue, entry: ForceEntry) -> set[str]:
    slots: set[str] = set()
    pending = list(entry.forces)
    while pending:
        inner = pending.pop()
        slots.update(catalogue.compile_force(inner).slots_by_category)
        pending += inner.forces
    return slots


def _fit_force(
    force: CompiledForce, taken: Sequence[CompiledOption], inside: Set[str], *, is_named: bool, points_id: str
) -> ForceFit:
    placed = 0
    counts: Counter[str] = Counter()
    for option in taken:
        slots = [category for category in option.membership.ids if category in force.slots_by_category]
        placed += bool(slots) or not inside.isdisjoint(option.membership.ids)
        counts.update(slots)
    limits = list(_list_limits(force))
    return ForceFit(
        entry=force.entry,
        placed=placed,
        units=len(taken),
        is_named=is_named,
        costs_points=bool(points_id) and force.costs.get(points_id, 0) > 0,
        short=tuple(
            BrokenSlot(name, value, counts[slot_id])
            for slot_id, name, bound, value in limits
            if bound is Bound.MIN and counts[slot_id] < value
        ),
        over=tuple(
            BrokenSlot(name, value, counts[slot_id])
            for slot_id, name, bound, value in limits
            if bound is Bound.MAX and 0 <= value < counts[slot_id]
        ),
    )


def _list_limits(force: CompiledForce) -> Iterator[tuple[str, str, Bound, Number]]:
    for slot in force.slots:
        for compiled in slot.constraints:
            constraint = compiled.constraint
            query = constraint.query
            counts_units = query.field is Field.SELECTIONS and query.child_id in (None, slot.id) and not query.percent
            if counts_units and compiled.binds_list and compiled.is_unconditional and not compiled.modifiers:
                yield slot.id, slot.name, constraint.bound, constraint.value


def _find_year(name: str) -> int:
    return max(map(int, _YEAR.findall(name)), default=0)
