"""Which models of a unit carry what: numbers of a text shared out among the options of the data.

A text says `9x Guard` and below it `7x bow, 2x spear`; data knows models with a bow and models with a spear, options
that hold others, and things that come along. Nothing here knows lines; names are compared by their keys.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, islice, product

from catalogue.definitions.entries import EntryType
from catalogue.graph.compiled_entry import CompiledGroup, CompiledOption, ContainerOptions
from catalogue.graph.declared import INSIDE_UNIT, DeclaredLimits, find_limits
from roster.formats.text.names import make_key, split_key, take_base

MAX_LOADOUTS = 300
MAX_STEPS = 4_000
"""How many ways to share numbers out are tried before the best so far is taken."""
ANY_NUMBER = 500
NESTED = 3
"""How deep what comes along inside an option is looked at."""
OptionPath = tuple[CompiledOption, ...]
Wares = Counter[str]
"""How many of each name, by key."""


def scale_wares(wares: Mapping[str, int], times: int) -> Wares:
    """Return what so many have together, of whom one has `wares`."""
    return Counter({key: number * times for key, number in wares.items()})


def limit_wares(wares: Mapping[str, int], wanted: Mapping[str, int]) -> Wares:
    """Return of some wares those that are wanted."""
    return Counter({key: number for key, number in wares.items() if key in wanted})


@dataclass(frozen=True, slots=True, eq=False)
class Offer:
    """An option in a container, with all that a text may name when it means it."""

    option: CompiledOption
    key: str
    parts: tuple[str, ...]
    inside: Wares
    least: int
    most: int

    @property
    def may_be_added(self) -> bool:
        """Whether more of it may be taken than come along."""
        return self.most > self.least

    def match_wares(self, wanted: Mapping[str, int]) -> Wares:
        """Return which of the wanted names it stands for: its own, the parts of that, or what comes along in it."""
        if self.key in wanted:
            return Counter({**limit_wares(self.inside, wanted), self.key: 1})
        if self.parts and wanted.keys() >= set(self.parts):
            return Counter(self.parts)
        return limit_wares(self.inside, wanted)


@dataclass(frozen=True, slots=True, eq=False)
class Pick:
    """An offer that is to be taken, and how many beside those that come along."""

    offer: Offer
    number: int

    @property
    def total(self) -> int:
        return self.offer.least + self.number


@dataclass(slots=True)
class Allocation:
    """What is taken in one container, which names nothing there stands for, and how badly it fits."""

    picks: list[Pick] = field(default_factory=list)
    left: Wares = field(default_factory=Counter)
    faults: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Loadout:
    """One way in which models may be armed: `size` models at once, with `wares` together."""

    path: OptionPath
    size: int
    wares: Wares
    picks: tuple[Pick, ...] = ()
    most: int = ANY_NUMBER

    def count_wares(self, number: int) -> Wares:
        """Return what so many of it carry together."""
        return scale_wares(self.wares, number)

    def count_fitting(self, models: int, left: Wares) -> int:
        """Return how many of it there may be, with so many models and so much to carry left."""
        carried = (left[key] // per_one for key, per_one in self.wares.items())
        return min([models // self.size, self.most, *carried])


class Container:
    """What may be taken in one container, by the names that a text may have for it."""

    def __init__(self, contents: ContainerOptions, *, with_models: bool = False) -> None:
        self.contents = contents
        self._with_models = with_models

    @cached_property
    def offers(self) -> list[Offer]:
        """The options in it; models only where they are what a model carries, as its drones are."""
        if self._with_models:
            return list(map(_build_offer, self.contents.options))
        return [_build_offer(option) for option in self.contents.options if not _is_model(option)]

    @cached_property
    def _by_key(self) -> dict[str, list[Offer]]:
        matches: dict[str, list[Offer]] = {}
        for offer in self.offers:
            for key in dict.fromkeys((offer.key, *offer.parts, *offer.inside)):
                matches.setdefault(key, []).append(offer)
        return matches

    @cached_property
    def group_room(self) -> dict[CompiledGroup, int]:
        """How many each group may hold, where it says so."""
        limits = {group: find_limits(group.entry.constraints, INSIDE_UNIT, group.entry.ids) for group in self.groups}
        return {group: most for group, (_, most, _) in limits.items() if most is not None}

    @cached_property
    def picks(self) -> dict[CompiledOption, int]:
        """What comes along by itself, by choice or not."""
        return dict(self.contents.declared_picks)

    @property
    def groups(self) -> tuple[CompiledGroup, ...]:
        return self.contents.groups

    def knows(self, key: str) -> bool:
        return key in self._by_key

    def is_fixed(self, option: CompiledOption) -> bool:
        """Whether an option comes along whatever is chosen."""
        limits = _find_limits(option)
        return bool(limits.min) and not limits.conditional

    def list_offers(self, wanted: Iterable[str]) -> list[Offer]:
        """List what any of the names may mean, each once, in the order of the data."""
        matches = dict.fromkeys(offer for key in wanted for offer in self._by_key.get(key, ()))
        return list(matches)

    def find_own(self, key: str) -> list[Offer]:
        """List the options that are called so, those that may be taken first."""
        called = [offer for offer in self._by_key.get(key, ()) if offer.key == key]
        return sorted(called, key=lambda offer: offer.option.hidden)

    def find_addable(self, key: str) -> Offer | None:
        """Return the first option of a name of which more may be taken than come along."""
        return next((offer for offer in self.find_own(key) if offer.may_be_added), None)

    def sum_fixed(self, wanted: Mapping[str, int]) -> Wares:
        """Add up what comes along whatever is chosen, as far as it is wanted."""
        fixed: Wares = Counter()
        for offer in self.list_offers(wanted):
            fixed.update(scale_wares(offer.match_wares(wanted), offer.least))
        return +fixed

    def allocate(self, wanted: Wares) -> Allocation:
        """Take what stands for the wanted names, the option that stands for the most of them first."""
        fixed = self.sum_fixed(wanted)
        missing = sum((fixed - wanted).values())
        filling = _Filling(self, wanted - fixed, Counter())
        filling.take_all()
        filling.take_beyond()
        # What comes along and is named more often is equipment written twice.
        left = Counter({key: number for key, number in filling.left.items() if key not in fixed})
        return Allocation(
            [Pick(offer, number) for offer, number in filling.taken.items()], left, missing + filling.beyond
        )

    def list_loadouts(self, kind: "ModelKind", wanted: Wares, most: int) -> Iterator[Loadout]:
        """List the ways to arm one model with wanted things."""
        fixed = self.sum_fixed(wanted)
        for picks in islice(self._list_picks(wanted, most), MAX_LOADOUTS * 4):
            if self._fits_groups(picks):
                yield Loadout(kind.path, 1, fixed + _sum_picks(picks, wanted), picks, kind.most)

    def _list_picks(self, wanted: Wares, most: int) -> Iterator[tuple[Pick, ...]]:
        """List what one model may take beside what comes along, whether it fits together or not."""
        offers = [offer for offer in self.list_offers(wanted) if offer.may_be_added]
        ranges = [range(min(offer.most - offer.least, most) + 1) for offer in offers]
        for numbers in product(*ranges):
            yield _make_picks(offers, numbers)

    def _fits_groups(self, picks: Sequence[Pick]) -> bool:
        taken = _count_by_group(picks)
        return all(number <= self.group_room.get(group, ANY_NUMBER) for group, number in taken.items())


def _make_picks(offers: Iterable[Offer], numbers: Iterable[int]) -> tuple[Pick, ...]:
    """Return the offers of which there is a number."""
    return tuple(pick for pick in map(Pick, offers, numbers) if pick.number)


def _sum_picks(picks: Iterable[Pick], wanted: Mapping[str, int]) -> Wares:
    """Add up what picks stand for, as far as it is wanted."""
    wares: Wares = Counter()
    for pick in picks:
        wares.update(scale_wares(pick.offer.match_wares(wanted), pick.number))
    return wares


def _count_by_group(picks: Iterable[Pick]) -> Counter[CompiledGroup]:
    """Count what picks take of each group."""
    taken: Counter[CompiledGroup] = Counter()
    for pick in picks:
        for group in pick.offer.option.groups:
            taken[group] += pick.total
    return taken


@dataclass(slots=True)
class _Filling:
    """One container while it is filled."""

    container: Container
    left: Wares
    taken: Counter[Offer]
    beyond: int = 0

    def take_all(self) -> None:
        while best := self._find_best():
            self._take(best, self._count_fitting(best))

    def _find_best(self) -> Offer | None:
        """Return what stands for the most of what is left, of that which there is room for."""
        # Without room for it even what stands for the most names is of no use.
        fitting = filter(self._count_fitting, self.container.list_offers(self.left))
        return max(fitting, key=self._rank, default=None)

    def _rank(self, offer: Offer) -> tuple[int, ...]:
        matched = offer.match_wares(self.left)
        comes_along = offer.option in self.container.picks
        return len(matched), offer.key in matched, not offer.option.hidden, comes_along

    def _count_fitting(self, offer: Offer) -> int:
        """Count how many may still be taken: by its own limit, by those of its groups, by what is wanted."""
        asked = self._list_asked(offer)
        if not asked:
            return 0
        groups = map(self._count_room, offer.option.groups)
        return max(0, min(offer.most - offer.least - self.taken[offer], *groups, *asked))

    def _list_asked(self, offer: Offer) -> list[int]:
        """List for each name that an offer stands for how many of the offer it asks for."""
        matched = offer.match_wares(self.left)
        if offer.key in matched:
            # What is inside need not be named as well.
            return [self.left[offer.key]]
        return [self.left[key] // number for key, number in matched.items()]

    def _count_room(self, group: CompiledGroup) -> int:
        most = self.container.group_room.get(group)
        if most is None:
            return ANY_NUMBER
        return most - sum(number for offer, number in self.taken.items() if group in offer.option.groups)

    def _take(self, offer: Offer, number: int) -> None:
        matched = offer.match_wares(self.left)
        self.taken[offer] += number
        self.left = self.left - scale_wares(matched, number)

    def take_beyond(self) -> None:
        """Take what is called so although there is no room for it: the list says so, and the verdict will, too."""
        for key, number in list(self.left.items()):
            offer = self.container.find_addable(key)
            if offer:
                self._take(offer, number)
                self.beyond += number


class Containers:
    """What is known of containers, each worked out once."""

    def __init__(self) -> None:
        self._known: dict[tuple[ContainerOptions, bool], Container] = {}

    def open(self, option: CompiledOption, *, as_model: bool = False) -> Container:
        """Return what is in an option; of a model that is a part of a unit, the models in it, too."""
        asked = (option.entry.contents, as_model)
        if asked not in self._known:
            self._known[asked] = Container(option.entry.contents, with_models=as_model)
        return self._known[asked]


# ---- models ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class ModelKind:
    """A model that a unit may have, or some that only come together; `bases` are what a text may call it."""

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

    def has_room_for(self, count: int) -> bool:
        """Whether there may be so many of it, each taken by itself."""
        return not self.is_bundle and count <= self.most


def list_model_kinds(contents: ContainerOptions, above: OptionPath = ()) -> Iterator[ModelKind]:
    """List the models in a container, also those in options that are nothing but models."""
    for option in contents.options:
        path = (*above, option)
        if _is_model(option):
            yield _build_model_kind(path)
        elif len(above) < NESTED:
            yield from _list_inner_kinds(path)


def _list_inner_kinds(path: OptionPath) -> list[ModelKind]:
    """List the models in an option; they are one kind where they only come together."""
    kinds = list(list_model_kinds(path[-1].entry.contents, path))
    models = _list_fixed_models(path[-1]) if kinds else []
    return [_build_bundle(path, models)] if models else kinds


def _build_model_kind(path: OptionPath) -> ModelKind:
    name = path[-1].name
    limits = _find_limits(path[-1])
    most = ANY_NUMBER if limits.max is None or limits.conditional else limits.max
    return ModelKind(path, 1, Counter(), make_key(name), frozenset({make_key(take_base(name))}), most)


def _list_fixed_models(option: CompiledOption) -> list[tuple[CompiledOption, int]]:
    """List the models that an option always comes with; none where their numbers are open."""
    fixed: list[tuple[CompiledOption, int]] = []
    for inner in filter(_is_model, option.entry.contents.options):
        limit = _find_limits(inner)
        # One kind of model with an open number leaves those of all others open, too.
        if limit.min is None or limit.min != limit.max:
            return []
        fixed.append((inner, limit.min))
    return fixed


def _build_bundle(path: OptionPath, models: Sequence[tuple[CompiledOption, int]]) -> ModelKind:
    wares: Wares = Counter()
    for model, number in models:
        wares.update(scale_wares(_sum_inside(model), number))
    size = sum(number for _, number in models)
    bases = frozenset(make_key(take_base(model.name)) for model, _ in models)
    return ModelKind(path, size, wares, make_key(path[-1].name), bases)


@dataclass(slots=True)
class FittedModels:
    """The models that stand for a row of a text; `left`: what none of them has."""

    loadouts: list[tuple[Loadout, int]]
    left: Wares
    faults: int


class ModelFitter:
    """Shares the models and things of one row out among the models of the data that it may mean."""

    def __init__(self, kinds: Sequence[ModelKind], containers: Containers) -> None:
        self._kinds = kinds
        self._containers = containers

    def fit(self, count: int, wanted: Wares) -> FittedModels:
        """Fit `count` models that have `wanted` together."""
        unknown = Counter({key: number for key, number in wanted.items() if not self._knows(key)})
        known = wanted - unknown
        fitted = self._fit_alike(count, known)
        if fitted is None:
            fitted = self._fit_mixed(count, known)
            fitted.faults += unknown.total()
        fitted.left += unknown
        return fitted

    def _fit_mixed(self, count: int, wanted: Wares) -> FittedModels:
        """Arm models each in its own way."""
        search = _Search(self._list_loadouts(wanted), count, wanted)
        search.run(0, count, wanted, [])
        chosen = self._complete(search.best, count)
        used: Wares = Counter()
        for loadout, number in chosen:
            used.update(loadout.count_wares(number))
        return FittedModels(chosen, wanted - used, search.faults)

    def _complete(self, chosen: list[tuple[Loadout, int]], count: int) -> list[tuple[Loadout, int]]:
        """Add models for which nothing came out even, so that all are there."""
        missing = count - _count_models(chosen)
        plain = self._find_single()
        if missing <= 0 or plain is None:
            return chosen
        return _add_models(chosen, plain.path, missing)

    def _find_single(self) -> ModelKind | None:
        """Return the first model that is taken by itself."""
        return next((kind for kind in self._kinds if not kind.is_bundle), None)

    def _knows(self, key: str) -> bool:
        return any(key in kind.wares or self._can_carry(kind, key) for kind in self._kinds)

    def _can_carry(self, kind: ModelKind, key: str) -> bool:
        return not kind.is_bundle and self._contain(kind).knows(key)

    def _contain(self, kind: ModelKind) -> Container:
        return self._containers.open(kind.option, as_model=True)

    def _fit_alike(self, count: int, wanted: Wares) -> FittedModels | None:
        """Arm all models of the only kind the same; None where there are several, or numbers do not come out even."""
        kind, *others = self._kinds
        if others or kind.is_bundle or not _can_share_evenly(wanted, count):
            return None
        per_one = Counter({key: number // count for key, number in wanted.items()})
        allocation = self._contain(kind).allocate(per_one)
        loadout = Loadout(kind.path, 1, per_one, tuple(allocation.picks))
        left = scale_wares(allocation.left, count)
        return FittedModels([(loadout, count)], left, allocation.faults * count + left.total())

    def _list_loadouts(self, wanted: Wares) -> list[Loadout]:
        loadouts = [loadout for kind in self._kinds for loadout in self._list_kind_loadouts(kind, wanted)]
        shared = Counter(chain.from_iterable(loadout.wares for loadout in loadouts))
        # What few can have is given out first, so that what all can have fills the rest.
        return sorted(loadouts, key=lambda loadout: _rank_loadout(loadout, shared))

    def _list_kind_loadouts(self, kind: ModelKind, wanted: Wares) -> Iterable[Loadout]:
        if kind.is_bundle:
            return [Loadout(kind.path, kind.size, limit_wares(kind.wares, wanted))]
        most = max(wanted.values(), default=1)
        return islice(self._contain(kind).list_loadouts(kind, wanted, most), MAX_LOADOUTS)


def _count_models(chosen: Iterable[tuple[Loadout, int]]) -> int:
    return sum(loadout.size * number for loadout, number in chosen)


def _can_share_evenly(wares: Mapping[str, int], count: int) -> bool:
    """Whether so many models can have the same of everything."""
    return not any(number % count for number in wares.values())


def _rank_loadout(loadout: Loadout, shared: Mapping[str, int]) -> tuple[int, int]:
    rarest = min((shared[key] for key in loadout.wares), default=9**9)
    return rarest, -len(loadout.wares)


def _add_models(chosen: list[tuple[Loadout, int]], path: OptionPath, count: int) -> list[tuple[Loadout, int]]:
    """Add models of a kind to those that are armed the same already, or else without anything."""
    paths = [loadout.path for loadout, _ in chosen]
    if path not in paths:
        return [*chosen, (Loadout(path, 1, Counter()), count)]
    index = paths.index(path)
    loadout, number = chosen[index]
    return [*chosen[:index], (loadout, number + count), *chosen[index + 1 :]]


class _Search:
    """Looks for numbers of loadouts that come to what is wanted; keeps the best there is."""

    def __init__(self, loadouts: Sequence[Loadout], count: int, wanted: Wares) -> None:
        self._loadouts = loadouts
        self._steps = 0
        self.best: list[tuple[Loadout, int]] = []
        self.faults = sum(wanted.values()) + 3 * count

    def run(self, start: int, models: int, left: Wares, chosen: list[tuple[Loadout, int]]) -> bool:
        """Try numbers of each loadout from `start` on; tell whether everything came out even."""
        self._steps += 1
        self._keep_best(left.total() + 3 * models, chosen)
        if self._is_over(start, models):
            return not (models or left)
        loadout = self._loadouts[start]
        # Many of the first ones before few: those that fewest models can have are given out first.
        for number in range(loadout.count_fitting(models, left), -1, -1):
            rest = left - loadout.count_wares(number)
            taken = [*chosen, (loadout, number)] if number else chosen
            if self.run(start + 1, models - number * loadout.size, rest, taken):
                return True
        return False

    def _is_over(self, start: int, models: int) -> bool:
        """Whether nothing is left to try: no more steps, no more loadouts, or no more models."""
        return self._steps > MAX_STEPS or start == len(self._loadouts) or not models

    def _keep_best(self, faults: int, chosen: list[tuple[Loadout, int]]) -> None:
        if faults < self.faults:
            self.best, self.faults = list(chosen), faults


# ---- options ---------------------------------------------------------------------------------------------------------


def _is_model(option: CompiledOption) -> bool:
    return option.entry.target.type is EntryType.MODEL


def _build_offer(option: CompiledOption) -> Offer:
    limits = _find_limits(option)
    most = ANY_NUMBER if limits.max is None else limits.max
    # What rules may change comes along only perhaps.
    least = 0 if limits.conditional else min(limits.min or 0, most)
    return Offer(option, make_key(option.name), split_key(option.name), _sum_inside(option), least, most)


def _find_limits(option: CompiledOption) -> DeclaredLimits:
    return find_limits(option.entry.constraints, INSIDE_UNIT, option.entry.ids)


def _sum_inside(option: CompiledOption, depth: int = 0) -> Wares:
    """Add up what comes along in an option, by key."""
    inside: Wares = Counter()
    if depth >= NESTED:
        return inside
    for inner, number in option.entry.declared_picks:
        inside[make_key(inner.name)] += number
        inside.update(scale_wares(_sum_inside(inner, depth + 1), number))
    return inside
