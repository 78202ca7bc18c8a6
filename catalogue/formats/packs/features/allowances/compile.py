"""The rules of a detachment about what its units allow each other.

Each unit needs a place that some unit opens to it, and each compulsory place needs a unit of its own. That is a
matching, and Hall's theorem says when there is one: for every set of units the places open to them are at least as
many, for every set of compulsory places the units that fit are at least as many. When both hold, one booking does
both at once (Mendelsohn and Dulmage). So the rule becomes sums, one for each set that matters, and stays exact.

A set of groups matters when it is connected, by sharing places, and closed: no other group has all its places among
theirs. Units that nobody allows at all break a rule of their own, and are left out of the other one.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import TypeVar

from catalogue.definitions.constraints import Constraint, LeaderReach, Opening
from catalogue.definitions.queries import ANY, Bound, Condition, Guard, Operator, Query, Scope, Term
from catalogue.formats.packs.compile.builtin_rule_words import build_rule_words
from catalogue.formats.packs.features.allowances.slots import (
    AllowanceSlots,
    Group,
    make_group_category,
    name_group,
)
from catalogue.formats.packs.syntax.game import AllowancesSyntax
from catalogue.formats.packs.syntax.scalars import make_id

MAX_GROUPS = 6
HasId = TypeVar("HasId")


def build_allowance_limits(
    rules: AllowancesSyntax, type_ids: Iterable[str], owner: str, places: AllowanceSlots
) -> Iterator[Constraint]:
    """The constraints of the detachment `owner` with slots for the types `kinds`."""
    for type_id in type_ids:
        groups = list(places.group_units(type_id))
        if len(groups) > MAX_GROUPS:
            message = f"The units of type “{type_id}” are allowed in {len(groups)} different ways."
            mend = f"Use fewer `bars:` and allowances by name; {MAX_GROUPS} ways are the most."
            places.context.problems.add(rules.where, "too-many-ways", message, mend)
            continue
        yield from TypeRules(rules, type_id, owner, places, groups).build_limits()


class TypeRules:
    """The rules for one type of unit in one kind of detachment."""

    def __init__(
        self, rules: AllowancesSyntax, kind: str, owner: str, places: AllowanceSlots, groups: list[Group]
    ) -> None:
        self.rules = rules
        self.kind = kind
        self.owner = owner
        self.places = places
        self.groups = groups
        self.leads = 1 if rules.leader and make_id(rules.leader.text) == kind else 0

    def build_limits(self) -> Iterator[Constraint]:
        for chosen in _list_subsets(self.groups):
            if self.leads:
                yield from self._limit_leading_groups(chosen)
            elif is_connected(chosen):
                yield from self._limit_led_groups(chosen)
        yield from self._build_floors()

    def _limit_led_groups(self, chosen: Sequence[Group]) -> Iterator[Constraint]:
        """A ceiling on the groups that holds where each is allowed and the others they enclose are not."""
        enclosed = [group for group in self.groups if group not in chosen and group <= _join_groups(chosen)]
        if len(chosen) == 1:
            yield self._build_ceiling("nobody", chosen, self._require_leader(_require_none(chosen[0])))
        if all(chosen):
            guards = [_require_some(group) for group in chosen] + [
                _require_none(group) for group in enclosed if group
            ]
            yield self._build_ceiling("too-many", chosen, self._require_leader(*guards))

    def _limit_leading_groups(self, chosen: Sequence[Group]) -> Iterator[Constraint]:
        """The same with one unit that needs nobody's leave, whichever it is."""
        if any(group not in chosen and group <= _join_groups(chosen) for group in self.groups):
            return
        yield self._build_ceiling("nobody", chosen, _require_none(_join_groups(chosen)))
        if _join_groups(chosen):
            yield self._build_ceiling("too-many", chosen, _require_some(_join_groups(chosen)))

    def _build_ceiling(self, name: str, chosen: Sequence[Group], when: Guard) -> Constraint:
        text = self.rules.nobody if name == "nobody" else self.rules.too_many
        counted, others = self._count_fitting(chosen)
        opened = sorted(_join_groups(chosen)) if name == "too-many" else []
        terms = (*(_build_term(f"allowed/{place}") for place in opened), *others)
        constraint_id = f"{self.owner}#{name}-{self._name_groups(chosen)}"
        return self.places.context.build_constraint(
            constraint_id, Bound.MAX, self.leads, text, text.cite, counted, when, terms
        )

    def _build_floors(self) -> Iterator[Constraint]:
        """Enough units for the compulsory places; where the type leads, one more, who fills none of them."""
        wanted = self._list_demanded()
        for demanded in _list_subsets(wanted):
            fitting = [group for group in self.groups if group & set(demanded)]
            if self.is_needed(demanded) and not (self.leads and len(fitting) == len(self.groups)):
                constraint_id = f"{self.owner}#too-few-{'-'.join(make_id(place) for place in demanded)}"
                yield self._build_floor(constraint_id, demanded, fitting, 0)
        if self.leads and wanted:
            yield self._build_floor(
                f"{self.owner}#too-few-{self.kind}-to-lead", wanted, self.groups, self.leads
            )

    def _build_floor(
        self, constraint_id: str, demanded: Sequence[str], fitting: Sequence[Group], more: int
    ) -> Constraint:
        counted, others = self._count_fitting(fitting)
        terms = (*(_build_term(f"demanded/{place}") for place in demanded), *others)
        when = Guard(any_of=True, conditions=tuple(_require_one(f"demanded/{place}") for place in demanded))
        text = self.rules.too_few
        return self.places.context.build_constraint(
            constraint_id, Bound.MIN, more, text, text.cite, counted, when, terms
        )

    def _count_fitting(self, groups: Sequence[Group]) -> tuple[Query, list[Term]]:
        """What counts the units of these groups: one query, and the others as terms of the bound."""
        if groups:
            first, *rest = self._count_groups(groups)
            return first, [Term(query=query, coefficient=-1) for query in rest]
        # No unit of the pack will do: the units of the type are counted on both sides, so that none helps.
        everything = Query(scope=Scope.FORCE, child_id=self.kind)
        return everything, [Term(query=everything)]

    def is_needed(self, demanded: Sequence[str]) -> bool:
        """Whether these compulsory places are connected by units that fit in several, and no other lies among them."""
        takers = {place: self.places.takers[place] for place in self._list_demanded()}
        reach = _join_groups(takers[place] for place in demanded)
        if not reach:
            return len(demanded) == 1
        enclosed = [
            place for place in takers if place not in demanded and takers[place] and takers[place] <= reach
        ]
        return not enclosed and is_connected([takers[place] for place in demanded])

    def _list_demanded(self) -> list[str]:
        return sorted(place for place in self.places.demanded if self.places.kinds[place] == self.kind)

    def _count_groups(self, chosen: Sequence[Group]) -> list[Query]:
        """What counts the units of these groups: the first, and the others."""
        ids = (
            [self.kind]
            if len(self.groups) < 2
            else [make_group_category(self.kind, group) for group in chosen]
        )
        return [Query(scope=Scope.FORCE, child_id=category_id) for category_id in ids]

    def _name_groups(self, chosen: Sequence[Group]) -> str:
        return "-".join(name_group(group) for group in chosen) if len(self.groups) > 1 else self.kind

    def _require_leader(self, *guards: Guard) -> Guard:
        """Without a leader nobody can allow anything; that is another rule's business."""
        leader = self.rules.leader
        conditions = tuple(guard for guard in guards if guard)
        if leader is None:
            return Guard(guards=conditions)
        query = Query(scope=Scope.FORCE, child_id=make_id(leader.text))
        return Guard(conditions=(_build_condition(query, Operator.AT_LEAST, 1),), guards=conditions)


def build_growth(rules: AllowancesSyntax, kinds: Iterable[str], places: AllowanceSlots) -> LeaderReach | None:
    """How a detachment with slots for the types `kinds` grows from its leader outward."""
    if rules.leader is None:
        return None
    groups = {kind: list(places.group_units(kind)) for kind in kinds}
    openings = (
        Opening(
            allowed=f"allowed/{place}",
            demanded=f"demanded/{place}" if place in places.demanded else "",
            takers=tuple(_list_takers(place, groups)),
        )
        for place in places.takers
    )
    return LeaderReach(
        leader=make_id(rules.leader.text),
        openings=tuple(opening for opening in openings if opening.takers),
        misled=build_rule_words("", rules.misled),
        unreached=build_rule_words("", rules.nobody),
        unfilled=build_rule_words("", rules.too_few),
    )


def _list_takers(place: str, groups: dict[str, list[Group]]) -> Iterator[str]:
    """The categories of the units that fit in a place."""
    for kind, groups_of_type in groups.items():
        for group in groups_of_type:
            if place in group:
                yield kind if len(groups_of_type) < 2 else make_group_category(kind, group)


def _join_groups(groups: Iterable[Group]) -> Group:
    return frozenset().union(*groups)


def is_connected(sets: Sequence[frozenset[str]]) -> bool:
    """Whether each can be reached from the first through shared members."""
    reached, left = set(sets[0]), list(sets[1:])
    while touching := [members for members in left if members & reached]:
        reached |= _join_groups(touching)
        left = [members for members in left if members not in touching]
    return not left


def _list_subsets(items: Sequence[HasId]) -> Iterator[tuple[HasId, ...]]:
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
    """Some unit opens a place to the group."""
    return Guard(any_of=True, conditions=tuple(_require_one(f"allowed/{place}") for place in sorted(group)))


def _require_none(group: Group) -> Guard:
    """Nobody does."""
    conditions = (
        _build_condition(_sum_cost(f"allowed/{place}"), Operator.AT_MOST, 0) for place in sorted(group)
    )
    return Guard(conditions=tuple(conditions))
