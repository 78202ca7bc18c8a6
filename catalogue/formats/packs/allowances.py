"""Units that let their detachment take more units: `allows: {core: 1-4, hammer: 0-2}`.

Each unit of a detachment needs a place that some unit there allows it, and each place that must be filled needs a
unit of its own. That is a matching, and Hall's theorem says when there is one: for every set of units, the places
open to them are at least as many; for every set of compulsory places, the units that fit are at least as many. When
both hold, one booking does both at once (Mendelsohn and Dulmage). So the rule becomes sums, one per set, and stays
exact.
"""

from collections.abc import Iterable, Iterator
from itertools import combinations

from catalogue.definitions.constraints import Constraint
from catalogue.definitions.entries import Category, CategoryLink, Cost, CostType
from catalogue.definitions.numbers import Number
from catalogue.definitions.queries import ANY, Bound, Condition, Guard, Operator, Query, Scope, Term
from catalogue.formats.packs.forms import AllowanceRules, RuleText, UnitForm
from catalogue.formats.packs.words import slug
from catalogue.formats.packs.workshop import Workshop

MAX_GROUPS = 5


class Places:
    """The kinds of place that units allow: `core`, one unit by name, or a type without the units that are barred."""

    def __init__(self, shop: Workshop) -> None:
        self.shop = shop
        self.takers: dict[str, frozenset[str]] = {}
        self.demanded: set[str] = set()
        for unit in shop.forms.units:
            for own, takers, low in self._allowed_by(unit):
                self.takers[own] = takers
                if low:
                    self.demanded.add(own)

    def cost_types(self) -> Iterator[CostType]:
        for own in self.takers:
            yield CostType(id=f"allowed/{own}", name=f"Allowed {own}", hidden=True)
            if own in self.demanded:
                yield CostType(id=f"demanded/{own}", name=f"Demanded {own}", hidden=True)

    def _allowed_by(self, unit: UnitForm) -> Iterator[tuple[str, frozenset[str], int]]:
        for allowance in unit.allows:
            own = place_id(allowance.name.text, unit, self.shop)
            if own:
                yield own, frozenset(self._takers(allowance.name.text, unit)), allowance.range.low

    def _takers(self, name: str, unit: UnitForm) -> Iterator[str]:
        barred = {slug(bar.text) for bar in unit.bars}
        for other in self.shop.forms.units:
            of_type = bool(other.type and slug(other.type.text) == slug(name)) and not other.by_name_only
            if other.id == slug(name) or (of_type and not barred & {other.id, slug(other.name)}):
                yield other.id


def place_id(name: str, unit: UnitForm, shop: Workshop) -> str:
    """The id of a kind of place: of a type, of a named unit, or of a type as this unit narrows it."""
    own = slug(name)
    if own in shop.forms.types:
        barred = {slug(bar.text) for bar in unit.bars}
        narrowed = any(
            other.type and slug(other.type.text) == own and barred & {other.id, slug(other.name)}
            for other in shop.forms.units
        )
        return f"{own}-for-{unit.id}" if narrowed else own
    return own if own in shop.index.units else ""


def allowance_costs(unit: UnitForm, shop: Workshop) -> tuple[Cost, ...]:
    """The hidden costs that carry what a unit allows and demands."""
    found = []
    for allowance in unit.allows:
        target = shop.index.target(allowance.name, None, ("type", "unit"))
        own = place_id(allowance.name.text, unit, shop) if target else ""
        low, high = allowance.range
        if own and high is None:
            message = "An allowance needs an upper number."
            shop.problems.add(allowance.name.where, "bad-range", message, "Write it as 1-4.")
        elif own:
            found.append(Cost(type_id=f"allowed/{own}", value=high or 0))
            found += [Cost(type_id=f"demanded/{own}", value=low)] if low else []
    for bar in unit.bars:
        shop.index.target(bar, None, ("unit",))
    return tuple(found)


def allowance_rules(
    rules: AllowanceRules, types: Iterable[str], owner: str, places: Places
) -> Iterator[Constraint]:
    """The constraints of a detachment whose slots are `types`."""
    for kind in types:
        yield from _for_type(rules, kind, owner, places)


def _for_type(rules: AllowanceRules, kind: str, owner: str, places: Places) -> Iterator[Constraint]:
    shop = places.shop
    units = [unit.id for unit in shop.forms.units if unit.type and slug(unit.type.text) == kind]
    groups = _groups(units, places)
    if len(groups) > MAX_GROUPS:
        message = f"The units of type “{kind}” are allowed in {len(groups)} different ways."
        shop.problems.add(rules.where, "too-many-ways", message, "Use fewer `bars:` and named allowances.")
        return
    leads = 1 if rules.leader and slug(rules.leader.text) == kind else 0
    led = _led(rules)
    for chosen in _subsets(list(groups)):
        open_places = sorted({place for group in chosen for place in group})
        counted = _counted(kind, chosen, groups)
        name = "-".join(_group_name(group) for group in chosen) if len(groups) > 1 else kind
        yield _ceiling(
            f"{owner}#nobody-{name}", rules.nobody, counted, leads, [], _none(open_places, led), shop
        )
        if open_places:
            when = Guard(conditions=led.conditions, guards=(_some(open_places),))
            own = f"{owner}#too-many-{name}"
            yield _ceiling(own, rules.too_many, counted, leads, open_places, when, shop)
    yield from _floors(rules, kind, leads, owner, groups, places)


def _floors(
    rules: AllowanceRules,
    kind: str,
    leads: int,
    owner: str,
    groups: dict[frozenset[str], list[str]],
    places: Places,
) -> Iterator[Constraint]:
    """Compulsory places: for each set of them, enough units that fit."""
    wanted = sorted(place for place in places.demanded if any(place in group for group in groups))
    for chosen in _subsets(wanted):
        fitting = [group for group in groups if any(place in group for place in chosen)]
        first, *rest = _counted(kind, fitting, groups)
        terms = (
            *(_term(f"demanded/{place}") for place in chosen),
            *(Term(query=q, coefficient=-1) for q in rest),
        )
        when = Guard(any_of=True, conditions=tuple(_at_least(f"demanded/{place}") for place in chosen))
        name = "-".join(slug(place) for place in chosen)
        made = places.shop.made
        yield made(
            f"{owner}#too-few-{name}", Bound.MIN, leads, rules.too_few, rules.too_few.cite, first, when, terms
        )


def _ceiling(
    own: str,
    text: RuleText,
    counted: list[Query],
    leads: int,
    open_places: list[str],
    when: Guard,
    shop: Workshop,
) -> Constraint:
    first, *rest = counted
    terms = (
        *(_term(f"allowed/{place}") for place in open_places),
        *(Term(query=q, coefficient=-1) for q in rest),
    )
    return shop.made(own, Bound.MAX, leads, text, text.cite, first, when, terms)


def _groups(units: list[str], places: Places) -> dict[frozenset[str], list[str]]:
    """The units of a type by the kinds of place that are open to them."""
    groups: dict[frozenset[str], list[str]] = {}
    for unit in units:
        open_to = frozenset(place for place, takers in places.takers.items() if unit in takers)
        groups.setdefault(open_to, []).append(unit)
    return groups


def _counted(
    kind: str, chosen: Iterable[frozenset[str]], groups: dict[frozenset[str], list[str]]
) -> list[Query]:
    ids = [kind] if len(groups) == 1 else [group_category(kind, group) for group in chosen]
    return [Query(scope=Scope.FORCE, child_id=own, deep=True) for own in ids]


def group_category(kind: str, group: frozenset[str]) -> str:
    return f"allowed-by/{kind}/{_group_name(group)}"


def _group_name(group: frozenset[str]) -> str:
    return "+".join(sorted(slug(place) for place in group)) or "nobody"


def group_links(places: Places) -> tuple[list[Category], dict[str, CategoryLink]]:
    """The hidden categories that tell units of one type apart where they are allowed in different ways."""
    categories: list[Category] = []
    links: dict[str, CategoryLink] = {}
    for kind in places.shop.forms.types:
        units = [unit.id for unit in places.shop.forms.units if unit.type and slug(unit.type.text) == kind]
        groups = _groups(units, places)
        for group, members in groups.items() if len(groups) > 1 else ():
            own = group_category(kind, group)
            categories.append(Category(id=own, name=own, hidden=True))
            links |= {unit: CategoryLink(id=f"{unit}@{own}", target_id=own, hidden=True) for unit in members}
    return categories, links


def _subsets(items: list[frozenset[str]] | list[str]) -> Iterator[list]:  # type: ignore[type-arg]
    for size in range(1, len(items) + 1):
        yield from (list(chosen) for chosen in combinations(items, size))


def _sum(cost: str) -> Query:
    return Query(field=cost, scope=Scope.FORCE, child_id=ANY, deep=True)


def _term(cost: str) -> Term:
    return Term(query=_sum(cost))


def _at_least(cost: str, value: Number = 1) -> Condition:
    return Condition(operator=Operator.AT_LEAST, query=_sum(cost), value=value)


def _led(rules: AllowanceRules) -> Guard:
    """Without a leader nobody can allow anything; that is another rule's business."""
    if rules.leader is None:
        return Guard()
    query = Query(scope=Scope.FORCE, child_id=slug(rules.leader.text), deep=True)
    return Guard(conditions=(Condition(operator=Operator.AT_LEAST, query=query, value=1),))


def _some(open_places: list[str]) -> Guard:
    return Guard(any_of=True, conditions=tuple(_at_least(f"allowed/{place}") for place in open_places))


def _none(open_places: list[str], led: Guard) -> Guard:
    nothing = tuple(
        Condition(operator=Operator.AT_MOST, query=_sum(f"allowed/{place}"), value=0) for place in open_places
    )
    return Guard(conditions=(*led.conditions, *nothing))
