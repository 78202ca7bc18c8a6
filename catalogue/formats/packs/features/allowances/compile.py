"""Compile the allowances between a detachment's units.

Each unit needs a slot that another unit opens, and each compulsory slot needs a unit: a bipartite matching. By Hall's
theorem it exists if every set of units has enough open slots, and every set of compulsory slots enough units. Then one
assignment satisfies both (Mendelsohn and Dulmage). So the rule becomes exact sums, one for each set of groups that
shared slots connect and that contains every group whose slots are all in the set. Units that nothing allows break
another rule.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeVar

from catalogue.definitions.constraints import Constraint, LeaderReach, Opening
from catalogue.definitions.entries import Category, CategoryLink, Cost, CostType
from catalogue.definitions.queries import ANY, Bound, Condition, Guard, Operator, Query, Scope, Term
from catalogue.formats.packs.compile.context import CompileContext
from catalogue.formats.packs.compile.name_index import get_type_id, list_names, make_ids
from catalogue.formats.packs.compile.rules import build_rule_words
from catalogue.formats.packs.features.allowances import make_allowed_id, make_demanded_id
from catalogue.formats.packs.features.allowances.syntax import AllowancesSyntax
from catalogue.formats.packs.features.guests.compile import are_strangers
from catalogue.formats.packs.syntax.detachments import DetachmentSyntax
from catalogue.formats.packs.syntax.scalars import make_id
from catalogue.formats.packs.syntax.units import UnitSyntax

Group = frozenset[str]
"""The slots of units of one type that can use the same open slots."""


class AllowanceSlots:
    """All kinds of slot by id: the fitting units (`takers`), their types, and which are compulsory (`demanded`)."""

    def __init__(self, context: CompileContext) -> None:
        self.context = context
        self.takers: dict[str, frozenset[str]] = {}
        self.types: dict[str, str] = {}
        self.demanded: set[str] = set()
        for unit in context.pack.units:
            for allowance in unit.allows:
                name = allowance.name.text
                slot_id = find_slot_id(name, unit, context)
                if not slot_id:
                    continue
                takers = frozenset(_list_takers(name, unit, context))
                self.takers[slot_id] = self.takers.get(slot_id, frozenset()) | takers
                self.types[slot_id] = _find_type_of_slot(name, context)
                if allowance.range.low:
                    self.demanded.add(slot_id)

    def list_used_types(self) -> set[str]:
        return {get_type_id(unit) for unit in self.context.pack.units} | {self.types[slot] for slot in self.demanded}

    def build_cost_types(self) -> Iterator[CostType]:
        for slot_id in self.takers:
            yield CostType(id=make_allowed_id(slot_id), name=f"Allowed {slot_id}", hidden=True)
            if slot_id in self.demanded:
                yield CostType(id=make_demanded_id(slot_id), name=f"Demanded {slot_id}", hidden=True)

    def group_units(self, type_id: str) -> dict[Group, list[str]]:
        units_by_slots: defaultdict[Group, list[str]] = defaultdict(list)
        for unit in self.context.pack.units:
            if get_type_id(unit) == type_id:
                open_slots = frozenset(slot for slot, takers in self.takers.items() if unit.id in takers)
                units_by_slots[open_slots].append(unit.id)
        return units_by_slots

    def build_group_categories(self) -> tuple[list[Category], dict[str, CategoryLink]]:
        categories: list[Category] = []
        links: dict[str, CategoryLink] = {}
        for type_id, syntax in self.context.pack.types.items():
            groups = self.group_units(type_id)
            for group, members in groups.items() if len(groups) > 1 else ():
                category_id = make_group_category(type_id, group)
                categories.append(Category(id=category_id, name=syntax.name, hidden=True))
                for unit_id in members:
                    link_id = f"{unit_id}@{category_id}"
                    links[unit_id] = CategoryLink(id=link_id, target_id=category_id, hidden=True)
        return categories, links


def name_group(group: Group) -> str:
    return "+".join(sorted(make_id(slot) for slot in group)) or "nobody"


def make_group_category(type_id: str, group: Group) -> str:
    return f"open-to/{type_id}/{name_group(group)}"


def choose_group_category(type_id: str, group: Group, groups: Collection[Group]) -> str:
    return type_id if len(groups) < 2 else make_group_category(type_id, group)


def find_slot_id(name: str, unit: UnitSyntax, context: CompileContext) -> str:
    wanted_id = make_id(name)
    if wanted_id not in context.pack.types:
        return next((other.id for other in context.pack.units if wanted_id in list_names(other)), "")
    barred = make_ids(unit.bars)
    for other in context.pack.units:
        if get_type_id(other) == wanted_id and barred & list_names(other):
            return f"{wanted_id}-for-{unit.id}"
    return wanted_id


def build_allowance_costs(unit: UnitSyntax, context: CompileContext) -> tuple[Cost, ...]:
    context.index.find_ids(unit.bars, "unit")
    costs = []
    for allowance in unit.allows:
        low, high = allowance.range
        if not context.index.find_id(allowance.name, "type", "unit"):
            continue
        if high is None:
            message = "An allowance needs an upper number."
            context.problems.add(allowance.name.where, "bad-range", message, "Write it as 1-4.")
            continue
        slot_id = find_slot_id(allowance.name.text, unit, context)
        costs.append(Cost(type_id=make_allowed_id(slot_id), value=high))
        if low:
            costs.append(Cost(type_id=make_demanded_id(slot_id), value=low))
    return tuple(costs)


def _find_type_of_slot(name: str, context: CompileContext) -> str:
    wanted_id = make_id(name)
    if wanted_id in context.pack.types:
        return wanted_id
    for unit in context.pack.units:
        if unit.type and wanted_id in list_names(unit):
            return get_type_id(unit)
    return ""


def _list_takers(name: str, unit: UnitSyntax, context: CompileContext) -> Iterator[str]:
    """Yield units that fit a slot: the named one, or all of the type except `bars` and `by_name_only`.

    Foreign units break another rule. Leaving them out of some slots keeps the groups few.
    """
    wanted_id, barred = make_id(name), make_ids(unit.bars)
    is_for_whole_type = find_slot_id(name, unit, context) == wanted_id
    for other in context.pack.units:
        if not is_for_whole_type and are_strangers(unit, other):
            continue
        names = list_names(other)
        is_of_type = get_type_id(other) == wanted_id and not other.by_name_only
        if wanted_id in names or (is_of_type and names.isdisjoint(barred)):
            yield other.id


# ---- rules of allowances --------------------------------------------------------------------------------------------

MAX_GROUPS = 6
Item = TypeVar("Item")


def build_allowances(
    detachment: DetachmentSyntax, slot_types: Iterable[str], allowance_slots: AllowanceSlots
) -> tuple[list[Constraint], LeaderReach | None]:
    rules = detachment.allowances
    if rules is None:
        return [], None
    used_types = allowance_slots.list_used_types()
    type_ids = [type_id for type_id in slot_types if type_id in used_types]
    constraints: list[Constraint] = []
    groups = {type_id: list(allowance_slots.group_units(type_id)) for type_id in type_ids}
    for type_id in type_ids:
        ways = len(groups[type_id])
        # Each group doubles the number of constraints.
        if ways <= MAX_GROUPS:
            limits = TypeLimits(rules, type_id, detachment.id, allowance_slots, groups[type_id])
            constraints += limits.build_limits()
        else:
            message = f"The units of type “{type_id}” are allowed in {ways} different ways."
            mend = f"Use fewer `bars:` and allowances by name; {MAX_GROUPS} ways are the most."
            allowance_slots.context.problems.add(rules.where, "too-many-ways", message, mend)
    return constraints, _build_growth(rules, groups, allowance_slots)


@dataclass(frozen=True, slots=True)
class TypeLimits:
    """The constraints on one type in the detachment kind `owner`."""

    rules: AllowancesSyntax
    type_id: str
    owner: str
    slots: AllowanceSlots
    groups: list[Group]

    @property
    def is_leading(self) -> bool:
        return bool(self.rules.leader and make_id(self.rules.leader.text) == self.type_id)

    @property
    def leaders(self) -> int:
        """The number of units that need no slot."""
        return int(self.is_leading)

    def build_limits(self) -> Iterator[Constraint]:
        # Hall's condition for every set of groups needs sums, but no search.
        for groups in _list_subsets(self.groups):
            if self.is_leading:
                yield from self._limit_leading_groups(groups)
            elif _is_connected(groups):
                yield from self._limit_led_groups(groups)
        yield from self._build_floors()

    def _limit_led_groups(self, groups: Sequence[Group]) -> Iterator[Constraint]:
        """Yield a ceiling that holds while each group is allowed and the enclosed groups are not."""
        if len(groups) == 1:
            yield self._build_ceiling("nobody", groups, self._require_leader(_require_none(groups[0])))
        if all(groups):
            allowed = map(_require_some, groups)
            barred = map(_require_none, self._list_enclosed(groups))
            yield self._build_ceiling("too-many", groups, self._require_leader(*allowed, *barred))

    def _limit_leading_groups(self, groups: Sequence[Group]) -> Iterator[Constraint]:
        """Yield the ceilings with room for the leader."""
        if self._list_enclosed(groups):
            return
        slots = _join_groups(groups)
        yield self._build_ceiling("nobody", groups, _require_none(slots))
        if slots:
            yield self._build_ceiling("too-many", groups, _require_some(slots))

    def _list_enclosed(self, groups: Sequence[Group]) -> list[Group]:
        slots = _join_groups(groups)
        return [group for group in self.groups if group not in groups and group <= slots]

    def _build_ceiling(self, name: str, groups: Sequence[Group], when: Guard) -> Constraint:
        text = self.rules.nobody if name == "nobody" else self.rules.too_many
        counted, others = self._count_fitting(groups)
        open_slots = sorted(_join_groups(groups)) if name == "too-many" else []
        names = "-".join(map(name_group, groups)) if len(self.groups) > 1 else self.type_id
        terms = (*(_build_term(make_allowed_id(slot)) for slot in open_slots), *others)
        return self.slots.context.build_constraint(
            f"{self.owner}#{name}-{names}", Bound.MAX, self.leaders, text, text.cite, counted, when, terms
        )

    def _build_floors(self) -> Iterator[Constraint]:
        """Yield minimums for compulsory slots. The leader fills none, so its type needs one more."""
        all_demanded = self._list_demanded()
        for demanded in filter(self._is_needed, _list_subsets(all_demanded)):
            fitting = [group for group in self.groups if not group.isdisjoint(demanded)]
            # The floor for the leader, below, demands more of the same units.
            if not (self.is_leading and len(fitting) == len(self.groups)):
                constraint_id = f"{self.owner}#too-few-{'-'.join(map(make_id, demanded))}"
                yield self._build_floor(constraint_id, demanded, fitting, 0)
        if self.is_leading and all_demanded:
            constraint_id = f"{self.owner}#too-few-{self.type_id}-to-lead"
            yield self._build_floor(constraint_id, all_demanded, self.groups, self.leaders)

    def _build_floor(
        self, constraint_id: str, demanded: Sequence[str], fitting: Sequence[Group], more: int
    ) -> Constraint:
        counted, others = self._count_fitting(fitting)
        terms = (*(_build_term(make_demanded_id(slot)) for slot in demanded), *others)
        when = Guard(any_of=True, conditions=tuple(_require_one(make_demanded_id(slot)) for slot in demanded))
        text = self.rules.too_few
        return self.slots.context.build_constraint(
            constraint_id, Bound.MIN, more, text, text.cite, counted, when, terms
        )

    def _count_fitting(self, groups: Sequence[Group]) -> tuple[Query, list[Term]]:
        if groups:
            category_ids = [choose_group_category(self.type_id, group, self.groups) for group in groups]
            first, *rest = [Query(scope=Scope.FORCE, child_id=category_id) for category_id in category_ids]
            return first, [Term(query=query, coefficient=-1) for query in rest]
        # No unit fits. Counting the type on both sides means that no unit helps.
        everything = Query(scope=Scope.FORCE, child_id=self.type_id)
        return everything, [Term(query=everything)]

    def _is_needed(self, demanded: Sequence[str]) -> bool:
        """Return whether shared units connect these compulsory slots, and they enclose no other."""
        inside = [self.slots.takers[slot] for slot in demanded]
        reach = _join_groups(inside)
        # Slots that no unit fits get a floor each, so that the violation names the empty slot.
        if not reach:
            return len(demanded) == 1
        # If all units of another compulsory slot fit too, its floor demands more of them.
        others = [self.slots.takers[slot] for slot in self._list_demanded() if slot not in demanded]
        return _is_connected(inside) and not any(set() < units <= reach for units in others)

    def _list_demanded(self) -> list[str]:
        return sorted(slot for slot in self.slots.demanded if self.slots.types[slot] == self.type_id)

    def _require_leader(self, *guards: Guard) -> Guard:
        """Also require a leader: its absence breaks another rule."""
        leader = self.rules.leader
        conditions = tuple(guard for guard in guards if guard)
        if leader is None:
            return Guard(guards=conditions)
        query = Query(scope=Scope.FORCE, child_id=make_id(leader.text))
        return Guard(conditions=(_build_condition(query, Operator.AT_LEAST, 1),), guards=conditions)


def _build_growth(
    rules: AllowancesSyntax, groups_by_type: dict[str, list[Group]], allowance_slots: AllowanceSlots
) -> LeaderReach | None:
    if rules.leader is None:
        return None
    openings = []
    for slot in allowance_slots.takers:
        takers = tuple(
            choose_group_category(type_id, group, groups)
            for type_id, groups in groups_by_type.items()
            for group in groups
            if slot in group
        )
        if takers:
            demanded = make_demanded_id(slot) if slot in allowance_slots.demanded else ""
            openings.append(Opening(allowed=make_allowed_id(slot), demanded=demanded, takers=takers))
    return LeaderReach(
        leader=make_id(rules.leader.text),
        openings=tuple(openings),
        misled=build_rule_words("", rules.misled),
        unreached=build_rule_words("", rules.nobody),
        unfilled=build_rule_words("", rules.too_few),
    )


def _join_groups(groups: Iterable[Group]) -> Group:
    return frozenset().union(*groups)


def _is_connected(sets: Sequence[frozenset[str]]) -> bool:
    reached, left = sets[0], list(sets[1:])
    while touching := [members for members in left if not members.isdisjoint(reached)]:
        reached = _join_groups((reached, *touching))
        left = [members for members in left if members not in touching]
    return not left


def _list_subsets(items: Sequence[Item]) -> Iterator[tuple[Item, ...]]:
    for size in range(1, len(items) + 1):
        yield from combinations(items, size)


def _sum_cost(cost: str) -> Query:
    return Query(field=cost, scope=Scope.FORCE, child_id=ANY)


def _build_term(cost: str) -> Term:
    return Term(query=_sum_cost(cost))


def _build_condition(query: Query, operator: Operator, value: int) -> Condition:
    return Condition(operator=operator, query=query, value=value)


def _require_one(cost: str) -> Condition:
    return _build_condition(_sum_cost(cost), Operator.AT_LEAST, 1)


def _require_some(group: Group) -> Guard:
    return Guard(any_of=True, conditions=tuple(_require_one(make_allowed_id(slot)) for slot in sorted(group)))


def _require_none(group: Group) -> Guard:
    queries = [_sum_cost(make_allowed_id(slot)) for slot in sorted(group)]
    return Guard(conditions=tuple(_build_condition(query, Operator.AT_MOST, 0) for query in queries))
