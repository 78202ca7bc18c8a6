"""Find house rules that no list can satisfy together, with an integer model of what they count.

Each named unit, option or card is a variable. A type is the sum of its units, or a variable if units can join or leave
it, so compatible rules are never refused.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import chain

from catalogue.definitions.catalogues import DataSet
from catalogue.definitions.link_index import walk_entries, walk_forces
from catalogue.definitions.numbers import Number
from catalogue.definitions.queries import Modifier
from roster.engine.completion.effort import Effort
from roster.engine.completion.linear import Linear, Model, add_all, to_exact
from roster.engine.completion.solver import Solver, load_solver
from roster.events.house_rules.apply import KnownThings, find_cost_type, index_things
from roster.events.house_rules.document import HouseRules, NamedRule, describe_things
from roster.formats.list_document import Text

LOOKING = Effort(40_000)
"""The effort limit of the search."""


def find_colliding_rules(
    data: DataSet, rules: HouseRules, points_id: str, prices: Mapping[str, Number]
) -> tuple[NamedRule, ...]:
    """Return a smallest set of rules that no list can satisfy, in the order of their lines.

    `prices` are the units' lowest prices by id, in the cost type `points_id`.
    """
    if load_solver() is None or not any(cap.least for cap in rules.caps):
        return ()
    counting = _Counting(data)
    for thing in chain.from_iterable(ban.what for ban in rules.bans):
        counting.bind((thing,), NamedRule(thing.value, thing.line), upper=0)
    for cap in rules.caps:
        label = NamedRule(describe_things(cap.what), cap.where.line)
        counting.bind(cap.what, label, lower=cap.least or None, upper=cap.most)

    # Limits come last: they add up the prices of everything that is counted by then.
    for limit in rules.limits:
        if limit.value is not None and find_cost_type(data, limit.type.value) == points_id:
            label = NamedRule(limit.type.value, limit.type.line)
            counting.model.require(counting.sum_prices(prices), upper=to_exact(limit.value), label=label)

    colliding = Solver(counting.model).load(switched=True).find_collision(LOOKING.start())
    return tuple(sorted((rule for rule in colliding if isinstance(rule, NamedRule)), key=lambda rule: rule.line))


@dataclass(slots=True)
class _Members:
    """Each type's units. Modifiers can add units to `loose` types, or remove them."""

    of: dict[str, set[str]] = field(default_factory=dict)
    loose: set[str] = field(default_factory=set)


def _index_members(data: DataSet) -> _Members:
    members = _Members()
    for catalogue in data.catalogues:
        for force in walk_forces(catalogue.forces):
            members.loose |= _list_joined(effect.modifier for effect in force.effects)
        for entry in walk_entries((*catalogue.entries, *catalogue.shared_entries)):
            members.loose |= _list_joined((*entry.modifiers, *(effect.modifier for effect in entry.effects)))
            joined = {link.target_id for link in entry.categories}
            if entry.is_link:
                # The types belong to the link. The target may be chosen elsewhere without them.
                members.loose |= joined
                continue
            for category_id in joined:
                members.of.setdefault(category_id, set()).add(entry.id)
    return members


def _list_joined(modifiers: Iterable[Modifier]) -> set[str]:
    return {modifier.value for modifier in modifiers if modifier.field == "category"}


class _Counting:
    def __init__(self, data: DataSet) -> None:
        self.things: KnownThings = index_things(data)
        self.members = _index_members(data)
        self.model = Model()
        self._counts: dict[str, Linear] = {}

    def bind(
        self, things: tuple[Text, ...], label: NamedRule, *, lower: int | None = None, upper: int | None = None
    ) -> None:
        ids = sorted(self.things.find_all_ids(things))
        if ids:
            counted = add_all(self._count(thing_id) for thing_id in ids)
            self.model.require(counted, lower=lower, upper=upper, label=label)

    def sum_prices(self, prices: Mapping[str, Number]) -> Linear:
        return add_all(
            count * to_exact(prices[thing_id])
            for thing_id, count in self._counts.items()
            if thing_id in prices and thing_id not in self.members.of
        )

    def _count(self, thing_id: str) -> Linear:
        if thing_id not in self._counts:
            inside = self.members.of.get(thing_id)
            if not inside or thing_id in self.members.loose:
                self._counts[thing_id] = self.model.add_variable()
            else:
                self._counts[thing_id] = add_all(self._count(entry_id) for entry_id in sorted(inside))
        return self._counts[thing_id]
