"""Find house rules that no list can satisfy together, by counting what each asks for.

Every unit, option or card that a rule names is a number. A type is the sum of what is of it, or a number of its own
where something may join or leave it; so that rules which do go together are never refused.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain

from catalogue.definitions.catalogues import DataSet
from catalogue.definitions.entries import Entry
from catalogue.definitions.link_index import walk_entries, walk_forces
from catalogue.definitions.numbers import Number
from catalogue.definitions.queries import Modifier
from roster.engine.completion.effort import Effort
from roster.engine.completion.linear import Linear, Model, add_all, to_exact
from roster.engine.completion.solver import Solver, load_solver
from roster.events.house_rules.apply import KnownThings, find_cost_type, index_things
from roster.events.house_rules.document import HouseRules, NamedRule, WrittenLimit, WrittenRule, describe_things
from roster.formats.list_document import Text

LOOKING = Effort(40_000)
"""How much may be done to find rules that collide."""


def find_colliding_rules(
    data: DataSet, rules: HouseRules, points_id: str, prices: Mapping[str, Number]
) -> tuple[NamedRule, ...]:
    """Return a smallest set of rules that no list can keep to, in the order of their lines; none where one can.

    `prices` are what each unit costs at least, by id, in the type of cost `points_id`.
    """
    if load_solver() is None or not any(cap.least for cap in rules.caps):
        return ()
    counting = _Counting(data, prices)
    counting.add_rules(rules, points_id)
    colliding = Solver(counting.model).load(switched=True).find_collision(LOOKING.start())
    return tuple(sorted((rule for rule in colliding if isinstance(rule, NamedRule)), key=lambda rule: rule.line))


@dataclass(slots=True)
class _Members:
    """What is of each type of units; `loose` are types that something may join or leave."""

    of: dict[str, set[str]] = field(default_factory=dict)
    loose: set[str] = field(default_factory=set)


def _index_members(data: DataSet) -> _Members:
    members = _Members()
    for catalogue in data.catalogues:
        for force in walk_forces(catalogue.forces):
            members.loose |= _list_joined(effect.modifier for effect in force.effects)
        for entry in walk_entries((*catalogue.entries, *catalogue.shared_entries)):
            _add_member(members, entry)
    return members


def _add_member(members: _Members, entry: Entry) -> None:
    joined = {link.target_id for link in entry.categories}
    members.loose |= _list_joined((*entry.modifiers, *(effect.modifier for effect in entry.effects)))
    if entry.is_link:
        # What is chosen by the link alone is of these types, and what it leads to elsewhere is not.
        members.loose |= joined
        return
    for category_id in joined:
        members.of.setdefault(category_id, set()).add(entry.id)


def _list_joined(modifiers: Iterable[Modifier]) -> set[str]:
    return {modifier.value for modifier in modifiers if modifier.field == "category"}


class _Counting:
    """The numbers of a list that house rules ask about, and what they ask of them."""

    def __init__(self, data: DataSet, prices: Mapping[str, Number]) -> None:
        self.data, self.prices = data, prices
        self.things: KnownThings = index_things(data)
        self.members = _index_members(data)
        self.model = Model()
        self._counts: dict[str, Linear] = {}

    def add_rules(self, rules: HouseRules, points_id: str) -> None:
        for thing in chain.from_iterable(ban.what for ban in rules.bans):
            self._bind((thing,), NamedRule(thing.value, thing.line), upper=0)
        for cap in rules.caps:
            self._bind(cap.what, _name_rule(cap, cap.what), lower=cap.least or None, upper=cap.most)
        # Last, when it is known what is counted at all.
        self._add_limits(rules, points_id)

    def _add_limits(self, rules: HouseRules, points_id: str) -> None:
        for limit in rules.limits:
            if find_cost_type(self.data, limit.type.value) == points_id:
                self._bind_points(limit)

    def _bind_points(self, limit: WrittenLimit) -> None:
        if limit.value is not None:
            label = NamedRule(limit.type.value, limit.type.line)
            self.model.require(add_all(self._list_prices()), upper=to_exact(limit.value), label=label)

    def _bind(
        self, things: tuple[Text, ...], label: NamedRule, *, lower: int | None = None, upper: int | None = None
    ) -> None:
        ids = sorted(self.things.find_all_ids(things))
        if ids:
            counted = add_all(self._count(thing_id) for thing_id in ids)
            self.model.require(counted, lower=lower, upper=upper, label=label)

    def _count(self, thing_id: str) -> Linear:
        """Return how many of a thing a list has."""
        if thing_id not in self._counts:
            inside = self.members.of.get(thing_id)
            if not inside or thing_id in self.members.loose:
                self._counts[thing_id] = self.model.add_variable()
            else:
                self._counts[thing_id] = add_all(self._count(entry_id) for entry_id in sorted(inside))
        return self._counts[thing_id]

    def _list_prices(self) -> Iterator[Linear]:
        for thing_id, count in list(self._counts.items()):
            if thing_id in self.prices and thing_id not in self.members.of:
                yield count * to_exact(self.prices[thing_id])


def _name_rule(rule: WrittenRule, things: tuple[Text, ...]) -> NamedRule:
    return NamedRule(describe_things(things), rule.where.line)
