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

from catalogue.definitions.constraints import Constraint, Growth, Opening
from catalogue.definitions.queries import ANY, Bound, Condition, Guard, Operator, Query, Scope, Term
from catalogue.formats.packs.compile.builtin_rule_words import ruling
from catalogue.formats.packs.features.allowances.slots import Group, Places, group_category, group_name
from catalogue.formats.packs.forms.game import AllowanceRules
from catalogue.formats.packs.words import slug

MAX_GROUPS = 6
Thing = TypeVar("Thing")


def allowance_rules(
    rules: AllowanceRules, kinds: Iterable[str], owner: str, places: Places
) -> Iterator[Constraint]:
    """The constraints of the detachment `owner` with slots for the types `kinds`."""
    for kind in kinds:
        groups = list(places.groups(kind))
        if len(groups) > MAX_GROUPS:
            message = f"The units of type “{kind}” are allowed in {len(groups)} different ways."
            mend = f"Use fewer `bars:` and allowances by name; {MAX_GROUPS} ways are the most."
            places.context.problems.add(rules.where, "too-many-ways", message, mend)
            continue
        yield from _Type(rules, kind, owner, places, groups).constraints()


class _Type:
    """The rules for one type of unit in one kind of detachment."""

    def __init__(
        self, rules: AllowanceRules, kind: str, owner: str, places: Places, groups: list[Group]
    ) -> None:
        self.rules = rules
        self.kind = kind
        self.owner = owner
        self.places = places
        self.groups = groups
        self.leads = 1 if rules.leader and slug(rules.leader.text) == kind else 0

    def constraints(self) -> Iterator[Constraint]:
        for chosen in _subsets(self.groups):
            if self.leads:
                yield from self._with_leader(chosen)
            elif _connected(chosen):
                yield from self._without_leader(chosen)
        yield from self._floors()

    def _without_leader(self, chosen: Sequence[Group]) -> Iterator[Constraint]:
        """A ceiling on the groups that holds where each is allowed and the others they enclose are not."""
        enclosed = [group for group in self.groups if group not in chosen and group <= _joined(chosen)]
        if len(chosen) == 1:
            yield self._ceiling("nobody", chosen, self._led(_none(chosen[0])))
        if all(chosen):
            guards = [_some(group) for group in chosen] + [_none(group) for group in enclosed if group]
            yield self._ceiling("too-many", chosen, self._led(*guards))

    def _with_leader(self, chosen: Sequence[Group]) -> Iterator[Constraint]:
        """The same with one unit that needs nobody's leave, whichever it is."""
        if any(group not in chosen and group <= _joined(chosen) for group in self.groups):
            return
        yield self._ceiling("nobody", chosen, _none(_joined(chosen)))
        if _joined(chosen):
            yield self._ceiling("too-many", chosen, _some(_joined(chosen)))

    def _ceiling(self, name: str, chosen: Sequence[Group], when: Guard) -> Constraint:
        text = self.rules.nobody if name == "nobody" else self.rules.too_many
        counted, others = self._fitting(chosen)
        opened = sorted(_joined(chosen)) if name == "too-many" else []
        terms = (*(_term(f"allowed/{place}") for place in opened), *others)
        own = f"{self.owner}#{name}-{self._name(chosen)}"
        return self.places.context.made(own, Bound.MAX, self.leads, text, text.cite, counted, when, terms)

    def _floors(self) -> Iterator[Constraint]:
        """Enough units for the compulsory places; where the type leads, one more, who fills none of them."""
        wanted = self._wanted()
        for demanded in _subsets(wanted):
            fitting = [group for group in self.groups if group & set(demanded)]
            if self._matter(demanded) and not (self.leads and len(fitting) == len(self.groups)):
                own = f"{self.owner}#too-few-{'-'.join(slug(place) for place in demanded)}"
                yield self._floor(own, demanded, fitting, 0)
        if self.leads and wanted:
            yield self._floor(f"{self.owner}#too-few-{self.kind}-to-lead", wanted, self.groups, self.leads)

    def _floor(self, own: str, demanded: Sequence[str], fitting: Sequence[Group], more: int) -> Constraint:
        counted, others = self._fitting(fitting)
        terms = (*(_term(f"demanded/{place}") for place in demanded), *others)
        when = Guard(any_of=True, conditions=tuple(_at_least(f"demanded/{place}") for place in demanded))
        text = self.rules.too_few
        return self.places.context.made(own, Bound.MIN, more, text, text.cite, counted, when, terms)

    def _fitting(self, groups: Sequence[Group]) -> tuple[Query, list[Term]]:
        """What counts the units of these groups: one query, and the others as terms of the bound."""
        if groups:
            first, *rest = self._counted(groups)
            return first, [Term(query=query, coefficient=-1) for query in rest]
        # No unit of the pack will do: the units of the type are counted on both sides, so that none helps.
        everything = Query(scope=Scope.FORCE, child_id=self.kind)
        return everything, [Term(query=everything)]

    def _matter(self, demanded: Sequence[str]) -> bool:
        """Whether these compulsory places are connected by units that fit in several, and no other lies among them."""
        takers = {place: self.places.takers[place] for place in self._wanted()}
        reach = _joined(takers[place] for place in demanded)
        if not reach:
            return len(demanded) == 1
        enclosed = [
            place for place in takers if place not in demanded and takers[place] and takers[place] <= reach
        ]
        return not enclosed and _connected([takers[place] for place in demanded])

    def _wanted(self) -> list[str]:
        return sorted(place for place in self.places.demanded if self.places.kinds[place] == self.kind)

    def _counted(self, chosen: Sequence[Group]) -> list[Query]:
        """What counts the units of these groups: the first, and the others."""
        ids = [self.kind] if len(self.groups) < 2 else [group_category(self.kind, group) for group in chosen]
        return [Query(scope=Scope.FORCE, child_id=own) for own in ids]

    def _name(self, chosen: Sequence[Group]) -> str:
        return "-".join(group_name(group) for group in chosen) if len(self.groups) > 1 else self.kind

    def _led(self, *guards: Guard) -> Guard:
        """Without a leader nobody can allow anything; that is another rule's business."""
        leader = self.rules.leader
        found = tuple(guard for guard in guards if guard)
        if leader is None:
            return Guard(guards=found)
        query = Query(scope=Scope.FORCE, child_id=slug(leader.text))
        return Guard(conditions=(_condition(query, Operator.AT_LEAST, 1),), guards=found)


def growth(rules: AllowanceRules, kinds: Iterable[str], places: Places) -> Growth | None:
    """How a detachment with slots for the types `kinds` grows from its leader outward."""
    if rules.leader is None:
        return None
    groups = {kind: list(places.groups(kind)) for kind in kinds}
    openings = (
        Opening(
            allowed=f"allowed/{place}",
            demanded=f"demanded/{place}" if place in places.demanded else "",
            takers=tuple(_takers(place, groups)),
        )
        for place in places.takers
    )
    return Growth(
        leader=slug(rules.leader.text),
        openings=tuple(opening for opening in openings if opening.takers),
        misled=ruling("", rules.misled),
        unreached=ruling("", rules.nobody),
        unfilled=ruling("", rules.too_few),
    )


def _takers(place: str, groups: dict[str, list[Group]]) -> Iterator[str]:
    """The categories of the units that fit in a place."""
    for kind, found in groups.items():
        for group in found:
            if place in group:
                yield kind if len(found) < 2 else group_category(kind, group)


def _joined(groups: Iterable[Group]) -> Group:
    return frozenset().union(*groups)


def _connected(sets: Sequence[frozenset[str]]) -> bool:
    """Whether each can be reached from the first through shared members."""
    reached, left = set(sets[0]), list(sets[1:])
    while touching := [each for each in left if each & reached]:
        reached |= _joined(touching)
        left = [each for each in left if each not in touching]
    return not left


def _subsets(items: Sequence[Thing]) -> Iterator[tuple[Thing, ...]]:
    for size in range(1, len(items) + 1):
        yield from combinations(items, size)


def _sum(cost: str) -> Query:
    return Query(field=cost, scope=Scope.FORCE, child_id=ANY)


def _term(cost: str) -> Term:
    return Term(query=_sum(cost))


def _condition(query: Query, operator: Operator, value: int) -> Condition:
    return Condition(operator=operator, query=query, value=value)


def _at_least(cost: str) -> Condition:
    return _condition(_sum(cost), Operator.AT_LEAST, 1)


def _some(group: Group) -> Guard:
    """Some unit opens a place to the group."""
    return Guard(any_of=True, conditions=tuple(_at_least(f"allowed/{place}") for place in sorted(group)))


def _none(group: Group) -> Guard:
    """Nobody does."""
    conditions = (_condition(_sum(f"allowed/{place}"), Operator.AT_MOST, 0) for place in sorted(group))
    return Guard(conditions=tuple(conditions))
