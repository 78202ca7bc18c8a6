"""Find the slots that units open for others: `allows: {core: 1-4, Pike Bailiffs: 0-1}`.

A kind of slot is for a type, for one unit by name, or for a type as one unit narrows it with `bars:`. What a unit opens
is a hidden cost of its own, `allowed/core`, and what it demands another, `demanded/core`; rules sum them up in the
detachment.
"""

from collections.abc import Iterator

from catalogue.definitions.entries import Category, CategoryLink, Cost, CostType
from catalogue.formats.packs.compile.context import CompileContext
from catalogue.formats.packs.compile.multi_faction_units import are_strangers
from catalogue.formats.packs.compile.unit_names import get_type_id, list_names, make_ids
from catalogue.formats.packs.features.allowances import make_allowed_id, make_demanded_id
from catalogue.formats.packs.syntax.scalars import make_id
from catalogue.formats.packs.syntax.units import UnitSyntax

Group = frozenset[str]
"""Units of one type to which the same kinds of slot are open, by those slots."""


class AllowanceSlots:
    """All kinds of slot in a pack, by id.

    `takers` are the units that fit in each, `types` the type of unit each is for, and `demanded` those that some unit
    demands to be filled.
    """

    def __init__(self, context: CompileContext) -> None:
        self.context = context
        self.takers: dict[str, frozenset[str]] = {}
        self.types: dict[str, str] = {}
        self.demanded: set[str] = set()
        for unit in context.pack.units:
            for allowance in unit.allows:
                slot_id = find_slot_id(allowance.name.text, unit, context)
                if slot_id:
                    takers = frozenset(_list_takers(allowance.name.text, unit, context))
                    self.takers[slot_id] = self.takers.get(slot_id, frozenset()) | takers
                    self.types[slot_id] = _find_type_of_slot(allowance.name.text, context)
                    if allowance.range.low:
                        self.demanded.add(slot_id)

    def build_cost_types(self) -> Iterator[CostType]:
        """Yield the hidden costs that carry what is allowed and demanded."""
        for slot_id in self.takers:
            yield CostType(id=make_allowed_id(slot_id), name=f"Allowed {slot_id}", hidden=True)
            if slot_id in self.demanded:
                yield CostType(id=make_demanded_id(slot_id), name=f"Demanded {slot_id}", hidden=True)

    def group_units(self, type_id: str) -> dict[Group, list[str]]:
        """Return the units of a type, grouped by the slots open to them."""
        units_by_slots: dict[Group, list[str]] = {}
        for unit in self.context.pack.units:
            if get_type_id(unit) == type_id:
                slots = frozenset(slot for slot, takers in self.takers.items() if unit.id in takers)
                units_by_slots.setdefault(slots, []).append(unit.id)
        return units_by_slots

    def build_group_categories(self) -> tuple[list[Category], dict[str, CategoryLink]]:
        """Return hidden categories for the groups of types that have several, and each unit's link to its own."""
        categories: list[Category] = []
        links: dict[str, CategoryLink] = {}
        for type_id, form in self.context.pack.types.items():
            groups = self.group_units(type_id)
            if len(groups) < 2:
                continue
            for group, members in groups.items():
                category_id = make_group_category(type_id, group)
                categories.append(Category(id=category_id, name=form.name, hidden=True))
                for unit_id in members:
                    link_id = f"{unit_id}@{category_id}"
                    links[unit_id] = CategoryLink(id=link_id, target_id=category_id, hidden=True)
        return categories, links


def name_group(group: Group) -> str:
    return "+".join(sorted(make_id(slot) for slot in group)) or "nobody"


def make_group_category(type_id: str, group: Group) -> str:
    return f"open-to/{type_id}/{name_group(group)}"


def find_slot_id(name: str, unit: UnitSyntax, context: CompileContext) -> str:
    """Return the id of the kind of slot that a unit means; blank where it means nothing known."""
    wanted_id = make_id(name)
    units = context.pack.units
    if wanted_id not in context.pack.types:
        return next((other.id for other in units if wanted_id in list_names(other)), "")
    barred = make_ids(unit.bars)
    for other in units:
        if get_type_id(other) == wanted_id and barred & list_names(other):
            return f"{wanted_id}-for-{unit.id}"
    return wanted_id


def build_allowance_costs(unit: UnitSyntax, context: CompileContext) -> tuple[Cost, ...]:
    """Return what a unit allows and demands, as costs of its selection."""
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
        costs.append(Cost(type_id=make_allowed_id(slot_id), value=high))
        if low:
            costs.append(Cost(type_id=make_demanded_id(slot_id), value=low))
    return tuple(costs)


def _find_type_of_slot(name: str, context: CompileContext) -> str:
    """Return the type of the units that a slot is for."""
    wanted_id = make_id(name)
    if wanted_id in context.pack.types:
        return wanted_id
    for unit in context.pack.units:
        if unit.type and wanted_id in list_names(unit):
            return get_type_id(unit)
    return ""


def _list_takers(name: str, unit: UnitSyntax, context: CompileContext) -> Iterator[str]:
    """Yield the units that fit in a slot: the one named, or those of the type that are neither barred nor named only.

    Units of another faction never belong beside this one, and break a rule of their own. A slot for all of a type is
    open to them all the same; leaving them out of the others keeps the groups few.
    """
    barred = make_ids(unit.bars)
    is_for_whole_type = find_slot_id(name, unit, context) == make_id(name)
    for other in context.pack.units:
        if not is_for_whole_type and are_strangers(unit, other):
            continue
        names = list_names(other)
        is_of_type = get_type_id(other) == make_id(name)
        if make_id(name) in names or (is_of_type and not other.by_name_only and not barred & names):
            yield other.id
