"""Which selections of a list are units, and what belongs to each of them."""

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import chain

from catalogue.definitions.emphasis import remove_marks
from catalogue.definitions.numbers import Number, shorten_number
from roster import wording
from roster.engine.model_profiles import has_model_profile, holds_models
from roster.engine.report import CostTotal, EffectiveCategory, EffectiveSelection

UNIT, MODEL = "unit", "model"
NO_CATEGORY = "(No Category)"


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedUnit:
    """A unit of a list, or several that are one selection: something with a card of its own.

    `choice` is the selection by which it was chosen: the unit itself, or a selection that holds several units. `host`
    is the unit around an add-on.
    """

    node: EffectiveSelection
    choice: EffectiveSelection
    host: EffectiveSelection | None = None

    @property
    def custom_name(self) -> str:
        """The owner's name for the unit, or else for the choice that holds it; blank if neither has one."""
        return self.node.custom_name or self.choice.custom_name

    @property
    def name(self) -> str:
        """The owner's name for it, or else that of the data."""
        return self.custom_name or remove_marks(self.node.name)

    @property
    def notes(self) -> str:
        """What it leads or is led by, the owner's notes about its choice, then about the unit."""
        return write_notes(self.node, self.choice)

    @property
    def count(self) -> int:
        """How many units it is."""
        return count_units(self.node)

    @property
    def type(self) -> str:
        """The name of its primary category, or else that of its choice."""
        return get_type_name(self.node) or get_type_name(self.choice)


def get_name(node: EffectiveSelection) -> str:
    """Return the owner's name for a selection, or else that of the data."""
    return node.custom_name or remove_marks(node.name)


def write_notes(node: EffectiveSelection, *choices: EffectiveSelection) -> str:
    """Write what a unit leads or is led by, then the owner's notes about its choice and about itself."""
    bonds = [words for part in walk_own(node) for words in wording.list_bond_words(part)]
    notes = dict.fromkeys(filter(None, (part.notes for part in (*choices, node))))
    return "\n".join(filter(None, (". ".join(bonds), " ".join(notes))))


def get_type_name(node: EffectiveSelection) -> str:
    """Return the name of the primary category."""
    primaries = (category for category in node.categories if category.primary and category.id != NO_CATEGORY)
    return next(map(_name_category, primaries), "")


def _name_category(category: EffectiveCategory) -> str:
    return category.custom_name or remove_marks(category.name)


def list_keywords(node: EffectiveSelection) -> list[str]:
    """Return the names of the categories that are shown and are not the unit's type."""
    return [_name_category(category) for category in node.categories if not (category.primary or category.hidden)]


def find_title(node: EffectiveSelection, command: str) -> str:
    """Return the title of the commander, whose category is `command`, if it is a unit or in it; else a blank."""
    categories = chain.from_iterable(part.categories for part in walk_own(node))
    return next((category.name for category in categories if category.id == command), "")


def count_units(node: EffectiveSelection) -> int:
    """Return how many units one selection is; a selection of a unit may have a number."""
    return max(node.number, 1) if node.type == UNIT else 1


def is_listed(node: EffectiveSelection) -> bool:
    """Say whether a selection is a unit, not a setting of the force such as its size."""
    return holds_models(node) or bool(node.profiles) or node.placeholder


def is_guest(node: EffectiveSelection, host: EffectiveSelection) -> bool:
    """Say whether a selection inside a unit is a unit too, or an add-on model with a type of its own."""
    return node.type == UNIT or (node.type == MODEL and get_type_name(node) not in ("", get_type_name(host)))


def list_guests(node: EffectiveSelection) -> list[EffectiveSelection]:
    """Return the units directly inside a unit: its add-ons, or all units of a choice of several."""
    guests: list[EffectiveSelection] = []
    pending = list(node.selections)
    while pending:
        child = pending.pop(0)
        if is_guest(child, node):
            guests.append(child)
        else:
            # What groups units, or carries them, may hold further ones at any depth; the order of the list is kept.
            pending[:0] = child.selections
    return guests


def walk_own(node: EffectiveSelection) -> Iterator[EffectiveSelection]:
    """Yield the selection and everything in it, without the units inside."""
    pending = [node]
    while pending:
        part = pending.pop(0)
        yield part
        pending[:0] = [child for child in part.selections if not is_guest(child, node)]


def is_unit_group(node: EffectiveSelection) -> bool:
    """Say whether a selection only groups units that are taken as one choice."""
    # A unit that carries others has a profile or models of its own, which a mere group never has.
    return bool(list_guests(node)) and not any(part.profiles or part.type == MODEL for part in walk_own(node))


def list_units_of_choice(node: EffectiveSelection) -> list[EffectiveSelection]:
    """Return the units that were taken as one choice: that itself, unless it only groups them."""
    return list_guests(node) if is_unit_group(node) else [node]


def list_choice_units(node: EffectiveSelection) -> Iterator[ListedUnit]:
    """Yield the units of one choice, each followed by its add-ons."""
    # Nobody looks for a card of a group: its units have them.
    for unit in list_units_of_choice(node):
        yield ListedUnit(node=unit, choice=node)
        for addon in list_guests(unit):
            yield ListedUnit(node=addon, choice=addon, host=unit)


def count_models(node: EffectiveSelection) -> int:
    """Return how many models a selection has, without add-ons; 0 if the data has no models."""
    return sum(part.number for part in list_models(node))


def list_models(node: EffectiveSelection) -> list[EffectiveSelection]:
    """Return the models of a unit, itself if it is one.

    If the data calls nothing in it a model, its models are the outermost selections with a profile of models; a unit
    with such a profile of its own has no others.
    """
    models = [part for part in walk_own(node) if part.type == MODEL]
    if models or (node.type == UNIT and has_model_profile(node)):
        return models
    pending = [node]
    while pending:
        part = pending.pop(0)
        if has_model_profile(part):
            models.append(part)
        else:
            pending[:0] = [child for child in part.selections if not is_guest(child, node)]
    return models


def collect_ids(node: EffectiveSelection) -> set[str]:
    """Return the ids of a unit and of what is in it, without add-ons."""
    return {part.id for part in walk_own(node)}


def compute_own_costs(node: EffectiveSelection) -> tuple[CostTotal, ...]:
    """Return what a selection costs without the add-ons in it."""
    addons = [cost for unit in list_units_of_choice(node) for addon in list_guests(unit) for cost in addon.totals]
    if not addons:
        return node.totals
    return tuple(subtract_costs(total, addons) for total in node.totals)


def subtract_costs(total: CostTotal, parts: Iterable[CostTotal]) -> CostTotal:
    """Return a total without some of its parts."""
    taken = sum(part.value for part in parts if part.type_id == total.type_id)
    return CostTotal(type_id=total.type_id, name=total.name, value=total.value - taken, hidden=total.hidden)


def divide_number(value: Number, count: int) -> Number:
    """Return the share of one of `count`.

    >>> divide_number(13, 2), divide_number(12, 4)
    (Decimal('6.5'), 3)
    """
    # Of one the number stays as the data has it, so that its digits are not written otherwise.
    return value if count == 1 else shorten_number(Decimal(value) / count)


def compute_likeness(node: EffectiveSelection, *, addons: bool) -> Hashable:
    """Return a value that is equal for units of which the same is printed; with `addons`, theirs included."""
    return _compute_likeness(node, node, addons)


def _compute_likeness(node: EffectiveSelection, unit: EffectiveSelection, addons: bool) -> Hashable:
    inside = [child for child in node.selections if addons or not is_guest(child, unit)]
    return (
        node.entry_id,
        node.name,
        node.custom_name,
        node.notes,
        tuple(wording.list_bond_words(node)),
        node.number,
        node.placeholder,
        node.totals if addons else compute_own_costs(node),
        tuple((c.id, c.name, c.custom_name, c.primary, c.hidden) for c in node.categories),
        tuple((profile.type_id, profile.name, profile.characteristics) for profile in node.profiles),
        tuple((rule.name, rule.parameter, rule.description) for rule in node.rules),
        tuple(_compute_likeness(child, unit, addons) for child in inside),
    )
