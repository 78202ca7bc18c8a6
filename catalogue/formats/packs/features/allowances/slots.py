"""The places that units open for others: `allows: {core: 1-4, Pike Bailiffs: 0-1}`.

A kind of place is a type, one unit by name, or a type as one unit narrows it with `bars:`. What a unit opens is a
hidden cost of its own, `allowed/core`, and what it demands another, `demanded/core`; rules sum them up in the
detachment.
"""

from collections.abc import Iterator

from catalogue.definitions.entries import Category, CategoryLink, Cost, CostType
from catalogue.formats.packs.compile.context import CompileContext
from catalogue.formats.packs.compile.multi_faction_units import are_strangers
from catalogue.formats.packs.syntax.scalars import make_id
from catalogue.formats.packs.syntax.units import UnitSyntax

Group = frozenset[str]
"""Units of one type that the same kinds of place are open to, by those places."""


class AllowanceSlots:
    """All kinds of place in a pack, which units fit in each, and which of them some unit demands to be filled."""

    def __init__(self, context: CompileContext) -> None:
        self.context = context
        self.takers: dict[str, frozenset[str]] = {}
        self.kinds: dict[str, str] = {}
        self.demanded: set[str] = set()
        for unit in context.forms.units:
            for allowance in unit.allows:
                slot_id = find_slot_id(allowance.name.text, unit, context)
                if slot_id:
                    fitting = frozenset(_list_takers(allowance.name.text, unit, context))
                    self.takers[slot_id] = self.takers.get(slot_id, frozenset()) | fitting
                    self.kinds[slot_id] = _find_type_of_slot(allowance.name.text, context)
                    self.demanded |= {slot_id} if allowance.range.low else set()

    def build_cost_types(self) -> Iterator[CostType]:
        """The hidden costs that carry what is allowed and demanded."""
        for slot_id in self.takers:
            yield CostType(id=f"allowed/{slot_id}", name=f"Allowed {slot_id}", hidden=True)
            if slot_id in self.demanded:
                yield CostType(id=f"demanded/{slot_id}", name=f"Demanded {slot_id}", hidden=True)

    def group_units(self, kind: str) -> dict[Group, list[str]]:
        """The units of a type, told apart by the places open to them."""
        units_by_slots: dict[Group, list[str]] = {}
        for unit in self.context.forms.units:
            if unit.type and make_id(unit.type.text) == kind:
                open_to = frozenset(place for place, takers in self.takers.items() if unit.id in takers)
                units_by_slots.setdefault(open_to, []).append(unit.id)
        return units_by_slots

    def build_group_categories(self) -> tuple[list[Category], dict[str, CategoryLink]]:
        """Hidden categories for the groups of types that have several, and each unit's link to its own."""
        categories: list[Category] = []
        links: dict[str, CategoryLink] = {}
        for kind, form in self.context.forms.types.items():
            groups = self.group_units(kind)
            for group, members in groups.items() if len(groups) > 1 else ():
                category_id = make_group_category(kind, group)
                categories.append(Category(id=category_id, name=form.name, hidden=True))
                links |= {
                    unit: CategoryLink(id=f"{unit}@{category_id}", target_id=category_id, hidden=True)
                    for unit in members
                }
        return categories, links


def name_group(group: Group) -> str:
    return "+".join(sorted(make_id(place) for place in group)) or "nobody"


def make_group_category(kind: str, group: Group) -> str:
    return f"open-to/{kind}/{name_group(group)}"


def find_slot_id(name: str, unit: UnitSyntax, context: CompileContext) -> str:
    """The id of the kind of place that a unit means; blank where it means nothing known."""
    wanted_id = make_id(name)
    if wanted_id in context.forms.types:
        barred = {make_id(bar.text) for bar in unit.bars}
        narrowed = any(
            other.type and make_id(other.type.text) == wanted_id and barred & {other.id, make_id(other.name)}
            for other in context.forms.units
        )
        return f"{wanted_id}-for-{unit.id}" if narrowed else wanted_id
    return next(
        (other.id for other in context.forms.units if wanted_id in (other.id, make_id(other.name))), ""
    )


def build_allowance_costs(unit: UnitSyntax, context: CompileContext) -> tuple[Cost, ...]:
    """What a unit allows and demands, as costs of its selection."""
    costs: list[Cost] = []
    for bar in unit.bars:
        context.index.find_target(bar, None, ("unit",))
    for allowance in unit.allows:
        low, high = allowance.range
        if context.index.find_target(allowance.name, None, ("type", "unit")) is None:
            continue
        if high is None:
            message = "An allowance needs an upper number."
            context.problems.add(allowance.name.where, "bad-range", message, "Write it as 1-4.")
            continue
        slot_id = find_slot_id(allowance.name.text, unit, context)
        costs.append(Cost(type_id=f"allowed/{slot_id}", value=high))
        costs += [Cost(type_id=f"demanded/{slot_id}", value=low)] if low else []
    return tuple(costs)


def _find_type_of_slot(name: str, context: CompileContext) -> str:
    """The type of the units that a place is for."""
    wanted_id = make_id(name)
    if wanted_id in context.forms.types:
        return wanted_id
    named = (unit for unit in context.forms.units if wanted_id in (unit.id, make_id(unit.name)) and unit.type)
    return next((make_id(unit.type.text) for unit in named if unit.type), "")


def _list_takers(name: str, unit: UnitSyntax, context: CompileContext) -> Iterator[str]:
    """The units that fit in a place: the one named, or those of the type that are neither barred nor named only.

    Units of another faction never belong beside this one, and break a rule of their own. A place for all of a type is
    open to them all the same; leaving them out of the others keeps the groups few.
    """
    barred = {make_id(bar.text) for bar in unit.bars}
    anybodys = find_slot_id(name, unit, context) == make_id(name)
    for other in context.forms.units:
        if not anybodys and are_strangers(unit, other):
            continue
        called = {other.id, make_id(other.name)}
        of_type = bool(other.type and make_id(other.type.text) == make_id(name)) and not other.by_name_only
        if make_id(name) in called or (of_type and not barred & called):
            yield other.id
