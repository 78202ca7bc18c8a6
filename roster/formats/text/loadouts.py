"""Distribute a text's numbers among the data's models and options.

A text says `9x Guard` and below it `7x bow, 2x spear`; the data has models with a bow, models with a spear, nested and
automatic options. Names are compared by their keys.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, islice, product

from catalogue.definitions.entries import EntryType
from catalogue.definitions.queries import Operator
from catalogue.graph.compiled_entry import CompiledGroup, CompiledOption, ContainerOptions
from catalogue.graph.declared import INSIDE_UNIT, DeclaredLimits, find_limits
from roster.engine.effects import HIDDEN
from roster.formats.text.names import make_key, split_key, take_base

MAX_LOADOUTS = 300
MAX_STEPS = 4_000
"""After this many steps, the best distribution so far is taken."""
ANY_NUMBER = 500
NESTED = 3
"""The depth to which automatic contents of an option are considered."""
OptionPath = tuple[CompiledOption, ...]
Wares = Counter[str]
"""Numbers of things, by the key of their name."""


def scale_wares(wares: Mapping[str, int], times: int) -> Wares:
    return Counter({key: number * times for key, number in wares.items()})


def limit_wares(wares: Mapping[str, int], demand: Mapping[str, int]) -> Wares:
    return Counter({key: number for key, number in wares.items() if key in demand})


@dataclass(frozen=True, slots=True, eq=False)
class Offer:
    """An option with all names by which a text may mean it.

    An entry in `hiders` hides it. `signs` are names in its automatic contents that may mean it.
    """

    option: CompiledOption
    key: str
    parts: tuple[str, ...]
    inside: Wares
    signs: Wares
    least: int
    most: int
    hiders: frozenset[str]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((self.key, *self.parts, *self.signs)))

    @property
    def may_be_added(self) -> bool:
        return self.most > self.least

    def match_wares(self, demand: Mapping[str, int]) -> Wares:
        """Return the names it covers: its own, the parts of its name, or its automatic contents."""
        if self.key in demand:
            return Counter({**limit_wares(self.inside, demand), self.key: 1})
        if self.parts and demand.keys() >= set(self.parts):
            return Counter(self.parts)
        return limit_wares(self.signs, demand)


@dataclass(frozen=True, slots=True, eq=False)
class Pick:
    """An offer to take, and how many on top of the automatic number."""

    offer: Offer
    number: int

    @property
    def total(self) -> int:
        return self.offer.least + self.number


@dataclass(slots=True)
class Allocation:
    """`left` names have no option; `faults` says how badly the picks fit."""

    picks: list[Pick] = field(default_factory=list)
    left: Wares = field(default_factory=Counter)
    faults: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Loadout:
    """A way to equip `size` models at once, with `wares` in total."""

    path: OptionPath
    size: int
    wares: Wares
    picks: tuple[Pick, ...] = ()
    most: int = ANY_NUMBER

    def count_wares(self, number: int) -> Wares:
        return scale_wares(self.wares, number)

    def count_fitting(self, models: int, left: Wares) -> int:
        carried = (left[key] // per_one for key, per_one in self.wares.items())
        return min([models // self.size, self.most, *carried])


class Container:
    def __init__(self, contents: ContainerOptions, *, with_models: bool = False) -> None:
        self.contents = contents
        self._with_models = with_models

    @cached_property
    def offers(self) -> list[Offer]:
        """Its options; models only if a model carries them, such as drones."""
        if self._with_models:
            return list(map(_build_offer, self.contents.options))
        return [_build_offer(option) for option in self.contents.options if not _is_model(option)]

    @cached_property
    def _by_key(self) -> dict[str, list[Offer]]:
        matches: dict[str, list[Offer]] = {}
        for offer in self.offers:
            for key in offer.names:
                matches.setdefault(key, []).append(offer)
        return matches

    @cached_property
    def group_room(self) -> dict[CompiledGroup, int]:
        room: dict[CompiledGroup, int] = {}
        for group in self.contents.groups:
            _, most, _ = find_limits(group.entry.constraints, INSIDE_UNIT, group.entry.ids)
            if most is not None:
                room[group] = most
        return room

    @cached_property
    def picks(self) -> dict[CompiledOption, int]:
        return dict(self.contents.declared_picks)

    def knows(self, key: str) -> bool:
        return key in self._by_key

    def is_fixed(self, option: CompiledOption) -> bool:
        limits = _find_limits(option)
        return bool(limits.min) and not limits.conditional

    def list_offers(self, demand: Iterable[str]) -> list[Offer]:
        matches = dict.fromkeys(offer for key in demand for offer in self._by_key.get(key, ()))
        return list(matches)

    def find_own(self, key: str) -> list[Offer]:
        called = [offer for offer in self._by_key.get(key, ()) if offer.key == key]
        return sorted(called, key=lambda offer: offer.option.hidden)

    def sum_fixed(self, demand: Mapping[str, int]) -> Wares:
        fixed: Wares = Counter()
        for offer in self.list_offers(demand):
            fixed.update(scale_wares(offer.match_wares(demand), offer.least))
        return +fixed

    def allocate(self, demand: Wares) -> Allocation:
        fixed = self.sum_fixed(demand)
        missing = sum((fixed - demand).values())
        filling = _Filling(self, demand - fixed, Counter())
        filling.take_all()
        filling.take_beyond()
        # If a text names an automatic item more often than it is selected, it wrote the equipment twice.
        left = Counter({key: number for key, number in filling.left.items() if key not in fixed})
        return Allocation(
            [Pick(offer, number) for offer, number in filling.taken.items()], left, missing + filling.beyond
        )

    def list_loadouts(self, kind: "ModelKind", demand: Wares, most: int) -> Iterator[Loadout]:
        """Yield the ways to equip one model, with up to `most` more of each option."""
        fixed = self.sum_fixed(demand)
        offers = [offer for offer in self.list_offers(demand) if offer.may_be_added]
        ranges = [range(min(offer.most - offer.least, most) + 1) for offer in offers]
        for numbers in islice(product(*ranges), MAX_LOADOUTS * 4):
            picks = tuple(pick for pick in map(Pick, offers, numbers) if pick.number)
            in_groups: Counter[CompiledGroup] = Counter()
            for pick in picks:
                for group in pick.offer.option.groups:
                    in_groups[group] += pick.total
            if any(number > self.group_room.get(group, ANY_NUMBER) for group, number in in_groups.items()):
                continue
            if any(not pick.offer.hiders.isdisjoint(other.offer.option.keys) for pick in picks for other in picks):
                continue

            wares: Wares = Counter()
            for pick in picks:
                wares.update(scale_wares(pick.offer.match_wares(demand), pick.number))
            yield Loadout(kind.path, 1, fixed + wares, picks, kind.most)


@dataclass(slots=True)
class _Filling:
    container: Container
    left: Wares
    taken: Counter[Offer]
    beyond: int = 0

    def take_all(self) -> None:
        while True:
            fitting = filter(self._count_fitting, self.container.list_offers(self.left))
            best = max(fitting, key=self._rank, default=None)
            if best is None:
                return
            self._take(best, self._count_fitting(best))

    def _rank(self, offer: Offer) -> tuple[int, ...]:
        matched = offer.match_wares(self.left)
        comes_along = offer.option in self.container.picks
        return len(matched), offer.key in matched, not offer.option.hidden, comes_along

    def _count_fitting(self, offer: Offer) -> int:
        matched = offer.match_wares(self.left)
        if offer.key in matched:
            # Its contents need not be named.
            bounds = [self.left[offer.key]]
        else:
            bounds = [self.left[key] // number for key, number in matched.items()]
        if not bounds:
            return 0

        for group in offer.option.groups:
            most = self.container.group_room.get(group)
            used = sum(number for other, number in self.taken.items() if group in other.option.groups)
            bounds.append(ANY_NUMBER if most is None else most - used)
        return max(0, min(offer.most - offer.least - self.taken[offer], *bounds))

    def _take(self, offer: Offer, number: int) -> None:
        matched = offer.match_wares(self.left)
        self.taken[offer] += number
        self.left = self.left - scale_wares(matched, number)

    def take_beyond(self) -> None:
        """Take named options even without room, so that the verdict reports it."""
        for key, number in list(self.left.items()):
            offer = next((offer for offer in self.container.find_own(key) if offer.may_be_added), None)
            if offer:
                self._take(offer, number)
                self.beyond += number


class Containers:
    def __init__(self) -> None:
        self._containers: dict[tuple[ContainerOptions, bool], Container] = {}

    def open(self, option: CompiledOption, *, as_model: bool = False) -> Container:
        key = (option.entry.contents, as_model)
        if key not in self._containers:
            self._containers[key] = Container(option.entry.contents, with_models=as_model)
        return self._containers[key]


# ---- models ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class ModelKind:
    """A kind of model in a unit, or models that only come together. `bases` are the names that a text may use."""

    path: OptionPath
    size: int
    wares: Wares
    key: str
    bases: frozenset[str]
    most: int = ANY_NUMBER

    @property
    def option(self) -> CompiledOption:
        return self.path[-1]

    @property
    def is_bundle(self) -> bool:
        return self.option.entry.target.type is not EntryType.MODEL


def list_model_kinds(contents: ContainerOptions, above: OptionPath = ()) -> Iterator[ModelKind]:
    for option in contents.options:
        path = (*above, option)
        key = make_key(option.name)
        if _is_model(option):
            limits = _find_limits(option)
            most = ANY_NUMBER if limits.max is None or limits.conditional else limits.max
            yield ModelKind(path, 1, Counter(), key, frozenset({make_key(take_base(option.name))}), most)
        elif len(above) < NESTED:
            kinds = list(list_model_kinds(option.entry.contents, path))
            models = _list_fixed_models(option) if kinds else []
            if not models:
                yield from kinds
                continue
            wares: Wares = Counter()
            for model, number in models:
                wares.update(scale_wares(_sum_inside(model), number))
            size = sum(number for _, number in models)
            yield ModelKind(path, size, wares, key, frozenset(make_key(take_base(model.name)) for model, _ in models))


def _list_fixed_models(option: CompiledOption) -> list[tuple[CompiledOption, int]]:
    fixed: list[tuple[CompiledOption, int]] = []
    for inner in filter(_is_model, option.entry.contents.options):
        limit = _find_limits(inner)
        if limit.min is None or limit.min != limit.max:
            return []
        fixed.append((inner, limit.min))
    return fixed


@dataclass(slots=True)
class FittedModels:
    """Loadouts with their numbers of models. No model carries the wares `left`."""

    loadouts: list[tuple[Loadout, int]]
    left: Wares
    faults: int


class ModelFitter:
    def __init__(self, kinds: Sequence[ModelKind], containers: Containers) -> None:
        self._kinds = kinds
        self._containers = containers

    def fit(self, count: int, demand: Wares) -> FittedModels:
        """Find loadouts for `count` models that carry `demand` together. Misfits count as faults."""
        unknown: Wares = Counter()
        for key, number in demand.items():
            containers = (self._contain(kind) for kind in self._kinds if not kind.is_bundle)
            comes_along = any(key in kind.wares for kind in self._kinds)
            if not comes_along and not any(container.knows(key) for container in containers):
                unknown[key] = number
        carried = demand - unknown
        fitted = self._fit_alike(count, carried)
        if fitted is None:
            fitted = self._fit_mixed(count, carried)
        # Multiplied numbers get more faults, which tells the two ways of counting apart.
        fitted.faults += unknown.total()
        fitted.left += unknown
        return fitted

    def _contain(self, kind: ModelKind) -> Container:
        return self._containers.open(kind.option, as_model=True)

    def _fit_alike(self, count: int, demand: Wares) -> FittedModels | None:
        """Equip all models alike; None for several kinds, or if numbers do not divide."""
        kind, *others = self._kinds
        if others or kind.is_bundle or any(number % count for number in demand.values()):
            return None
        per_one = Counter({key: number // count for key, number in demand.items()})
        allocation = self._contain(kind).allocate(per_one)
        loadout = Loadout(kind.path, 1, per_one, tuple(allocation.picks))
        left = scale_wares(allocation.left, count)
        return FittedModels([(loadout, count)], left, allocation.faults * count + left.total())

    def _fit_mixed(self, count: int, demand: Wares) -> FittedModels:
        search = _Search(self._list_loadouts(demand), count, demand)
        search.run(0, count, demand, [])
        chosen = search.best
        missing = count - sum(loadout.size * number for loadout, number in chosen)
        single = next((kind for kind in self._kinds if not kind.is_bundle), None)
        if missing > 0 and single:
            # The remaining models are armed like the first of their kind, or not at all.
            paths = [loadout.path for loadout, _ in chosen]
            if single.path in paths:
                index = paths.index(single.path)
                loadout, number = chosen[index]
                chosen[index] = loadout, number + missing
            else:
                chosen.append((Loadout(single.path, 1, Counter()), missing))

        used: Wares = Counter()
        for loadout, number in chosen:
            used.update(loadout.count_wares(number))
        return FittedModels(chosen, demand - used, search.faults)

    def _list_loadouts(self, demand: Wares) -> list[Loadout]:
        most = max(demand.values(), default=1)
        loadouts: list[Loadout] = []
        for kind in self._kinds:
            if kind.is_bundle:
                loadouts.append(Loadout(kind.path, kind.size, limit_wares(kind.wares, demand)))
            else:
                loadouts += islice(self._contain(kind).list_loadouts(kind, demand, most), MAX_LOADOUTS)
        shared = Counter(chain.from_iterable(loadout.wares for loadout in loadouts))

        def rank(loadout: Loadout) -> tuple[int, int]:
            rarest = min((shared[key] for key in loadout.wares), default=9**9)
            return rarest, -len(loadout.wares)

        # Assign the rarest wares first, so that common ones fill the rest.
        return sorted(loadouts, key=rank)


class _Search:
    def __init__(self, loadouts: Sequence[Loadout], count: int, demand: Wares) -> None:
        self._loadouts = loadouts
        self._steps = 0
        self.best: list[tuple[Loadout, int]] = []
        self.faults = sum(demand.values()) + 3 * count

    def run(self, start: int, models: int, left: Wares, chosen: list[tuple[Loadout, int]]) -> bool:
        self._steps += 1
        faults = left.total() + 3 * models
        if faults < self.faults:
            self.best, self.faults = list(chosen), faults
        if self._steps > MAX_STEPS or start == len(self._loadouts) or not models:
            return not (models or left)
        loadout = self._loadouts[start]
        # Try high numbers first, because the rarest loadouts come first. Models of one kind share its limit, however
        # they are armed.
        alike = sum(number for other, number in chosen if other.path == loadout.path)
        for number in range(min(loadout.count_fitting(models, left), loadout.most - alike), -1, -1):
            rest = left - loadout.count_wares(number)
            taken = [*chosen, (loadout, number)] if number else chosen
            if self.run(start + 1, models - number * loadout.size, rest, taken):
                return True
        return False


# ---- options ---------------------------------------------------------------------------------------------------------


def _is_model(option: CompiledOption) -> bool:
    return option.entry.target.type is EntryType.MODEL


def _build_offer(option: CompiledOption) -> Offer:
    limits = _find_limits(option)
    most = ANY_NUMBER if limits.max is None else limits.max
    # An option that modifiers may change is not certain to be automatic.
    least = 0 if limits.conditional else min(limits.min or 0, most)
    inside = _sum_inside(option)
    # Models of the unit carry the same weapons as models that the option adds.
    signs = _sum_models(option) if count_coming_models(option) and not _is_model(option) else inside
    hiders = frozenset(_list_hiders(option))
    return Offer(option, make_key(option.name), split_key(option.name), inside, signs, least, most, hiders)


def _list_hiders(option: CompiledOption) -> Iterator[str]:
    modifiers = chain.from_iterable(entry.modifiers.get(HIDDEN, ()) for entry in option.merged_entries)
    guards = [modifier.guard for modifier in modifiers if modifier.value == "true"]
    for guard in guards:  # grows while it is walked
        # One of several conditions that must hold together does not hide by itself.
        if guard.negated or not (guard.any_of or len(guard.conditions) + len(guard.guards) == 1):
            continue
        guards += guard.guards
        for condition in guard.conditions:
            if condition.operator is Operator.AT_LEAST and condition.value == 1 and condition.query.child_id:
                yield condition.query.child_id


def _find_limits(option: CompiledOption) -> DeclaredLimits:
    return find_limits(option.entry.constraints, INSIDE_UNIT, option.entry.ids)


def count_coming_models(option: CompiledOption, depth: int = 0) -> int:
    if depth >= NESTED:
        return 0
    picks = option.entry.declared_picks
    return sum(number * (1 if _is_model(inner) else count_coming_models(inner, depth + 1)) for inner, number in picks)


def _sum_inside(option: CompiledOption, depth: int = 0) -> Wares:
    inside: Wares = Counter()
    if depth >= NESTED:
        return inside
    for inner, number in option.entry.declared_picks:
        inside[make_key(inner.name)] += number
        inside.update(scale_wares(_sum_inside(inner, depth + 1), number))
    return inside


def _sum_models(option: CompiledOption, depth: int = 0) -> Wares:
    models: Wares = Counter()
    for inner, number in option.entry.declared_picks if depth < NESTED else ():
        named = Counter({make_key(inner.name): 1}) if _is_model(inner) else _sum_models(inner, depth + 1)
        models.update(scale_wares(named, number))
    return models
