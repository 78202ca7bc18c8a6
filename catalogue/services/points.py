"""What the smallest selection of an entry costs and how many models it has, as the data states it.

Counted are its own costs, everything inside with a minimum, and for a group with a minimum its default or, without one,
what costs least. Nothing that a rule changes is known here: the engine judges lists, this only labels the shelves.
"""

from catalogue.definitions.catalogues import DataSet
from catalogue.definitions.entries import CostType, EntryType
from catalogue.definitions.numbers import Number
from catalogue.definitions.queries import Scope
from catalogue.services.book import Bound, Key, Library
from catalogue.services.limits import INSIDE_UNIT, Limits, limits

DEEPEST = 12
MODELS = "models"
"""The hidden cost by which packs count models."""
MOST_TAKEN = 1000

_NAMED = frozenset(Scope)

Costs = dict[str, Number]
Taken = list[tuple[Bound, int]]
Range = tuple[int, int | None]


def points_type(data: DataSet) -> CostType | None:
    """The cost type that lists are limited by: the one called points, else the first visible one with a limit.

    None in a game that has no visible cost.
    """
    visible = [kind for c in data.catalogues for kind in c.cost_types if not kind.hidden]
    named = [kind for kind in visible if _is_points(kind.name) or _is_points(kind.id)]
    limited = [kind for kind in visible if kind.default_limit >= 0 or kind.presets]
    return next(iter([*named, *limited, *visible]), None)


def _is_points(text: str) -> bool:
    return text.strip().lower().startswith(("pts", "point"))


class InsideUnit:
    """The scopes in which a limit is one of the unit: the named ones, and any entry that something may stand in."""

    def __init__(self, library: Library) -> None:
        self._binding = library.binding

    def __contains__(self, scope: object) -> bool:
        if scope in INSIDE_UNIT:
            return True
        anywhere = self._binding.catalogues[0]
        return (
            isinstance(scope, str) and scope not in _NAMED and bool(self._binding.find_entry(scope, anywhere))
        )


class Smallest:
    """The smallest selections of a library's entries, each worked out once."""

    def __init__(self, library: Library, points_id: str) -> None:
        self._library = library
        self._scopes = InsideUnit(library)
        self._points_id = points_id
        self._costs: dict[Key, Costs] = {}
        self._models: dict[Key, Range] = {}
        self._limits: dict[Key, Limits] = {}
        self._taken: dict[Key, Taken] = {}

    def costs(self, bound: Bound, depth: int = 0) -> Costs:
        """Cost type id to the sum over one selection of `bound`. Shared: do not change."""
        key = bound.key
        if key not in self._costs:
            self._costs[key] = {}  # an entry inside itself adds nothing
            self._costs[key] = self._sum(bound, depth)
        return self._costs[key]

    def models(self, bound: Bound) -> Range:
        """The least and the most models in one selection of `bound`; None for no upper limit.

        Zeros where the data does not say. What joins a unit as a type of its own is not counted.
        """
        least, most = self._models_inside(bound, 0)
        told = int(self.costs(bound).get(MODELS, 0))
        return (told, told) if most == 0 else (least, most)

    def _models_inside(self, bound: Bound, depth: int) -> Range:
        key = bound.key
        if key not in self._models:
            self._models[key] = (0, 0)
            self._models[key] = self._count(bound, depth)
        return self._models[key]

    def limits(self, bound: Bound) -> Limits:
        """How often `bound` may stand where it stands."""
        key = bound.key
        if key not in self._limits:
            ids = {part.id for part in bound.parts}
            self._limits[key] = limits(bound.constraints, self._scopes, ids, modifiers=bound.modifiers)
        return self._limits[key]

    def _sum(self, bound: Bound, depth: int) -> Costs:
        total: Costs = dict(bound.costs)
        if depth < DEEPEST:
            for child, number in self._inside(bound, depth + 1):
                for kind, value in self.costs(child, depth + 1).items():
                    total[kind] = total.get(kind, 0) + number * value
        return total

    def _inside(self, container: Bound, depth: int) -> Taken:
        """What an entry or group holds at least."""
        taken: Taken = []
        for child in self._library.inside(container):
            if child.is_group:
                taken += self._from_group(child, depth)
            elif least := self.limits(child).min:
                taken.append((child, min(least, MOST_TAKEN)))
        return taken

    def _from_group(self, group: Bound, depth: int) -> Taken:
        key = group.key
        if key not in self._taken:
            self._taken[key] = []
            self._taken[key] = self._chosen(group, depth)
        return self._taken[key]

    def _chosen(self, group: Bound, depth: int) -> Taken:
        if depth > DEEPEST:
            return []
        taken = self._inside(group, depth + 1)
        missing = min(self.limits(group).min or 0, MOST_TAKEN) - sum(number for _, number in taken)
        if missing <= 0:
            return taken
        for choice in self._in_order_of_choice(group, depth):
            if missing <= 0:
                break
            most = self.limits(choice).max
            room = missing if most is None else min(missing, most)
            taken.append((choice, room))
            missing -= room
        return taken

    def _in_order_of_choice(self, group: Bound, depth: int) -> list[Bound]:
        """The default first, then what costs least; what is there anyway stays out."""
        free = [b for b in self._choices(group, depth) if not b.hidden and not self.limits(b).min]
        points = {b.id: self.costs(b, depth + 1).get(self._points_id, 0) for b in free}
        return sorted(free, key=lambda b: (group.default_id not in b.ids, points[b.id]))

    def _choices(self, group: Bound, depth: int) -> list[Bound]:
        found: list[Bound] = []
        for child in self._library.inside(group):
            if not child.is_group:
                found.append(child)
            elif depth < DEEPEST:
                found += self._choices(child, depth + 1)
        return found

    def _count(self, bound: Bound, depth: int) -> Range:
        own = 1 if bound.entry.type is EntryType.MODEL and not bound.is_group else 0
        least: int = own
        most: int | None = own
        for child in self._library.inside(bound) if depth < DEEPEST else []:
            low, high = self._models_inside(child, depth + 1)
            if not child.is_group:
                low, high = (0, 0) if self._joins(child) else _times(low, high, self.limits(child))
            least += low
            most = None if most is None or high is None else most + high
        return self._capped(bound, least, most) if bound.is_group else (least, most)

    def _joins(self, bound: Bound) -> bool:
        return any(link.primary for link in bound.categories) and not self.limits(bound).min

    def _capped(self, group: Bound, least: int, most: int | None) -> Range:
        """A group's own limits bind its models where each choice in it is one model."""
        sizes = {
            self._models_inside(choice, 0) for choice in self._library.inside(group) if not choice.is_group
        }
        if sizes != {(1, 1)}:
            return least, most
        low, high, _ = self.limits(group)
        upper = [number for number in (most, high) if number is not None]
        return max(least, low or 0), min(upper, default=None)


def _times(low: int, high: int | None, limit: Limits) -> Range:
    if high == 0:
        return 0, 0
    return low * (limit.min or 0), None if high is None or limit.max is None else high * limit.max
