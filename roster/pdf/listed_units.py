"""Tell units from a list's other selections, and find each unit's parts."""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import chain

from catalogue.definitions.emphasis import remove_marks
from catalogue.definitions.numbers import Number, shorten_number
from roster import wording
from roster.engine import model_profiles
from roster.engine.model_profiles import holds_models
from roster.engine.report import CostTotal, EffectiveCategory, EffectiveSelection

UNIT, MODEL = "unit", "model"
NO_CATEGORY = "(No Category)"


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedUnit:
    """A unit of a list, or several equal units in one selection.

    The player made the selection `choice`. `host` is the unit that an add-on belongs to.
    """

    node: EffectiveSelection
    choice: EffectiveSelection
    host: EffectiveSelection | None = None

    @property
    def custom_name(self) -> str:
        """The owner's name for the unit or choice, else ""."""
        return self.node.custom_name or self.choice.custom_name

    @property
    def name(self) -> str:
        return self.custom_name or remove_marks(self.node.name)

    @property
    def notes(self) -> str:
        return write_notes(self.node, self.choice)

    @property
    def count(self) -> int:
        return count_units(self.node)

    @property
    def type(self) -> str:
        """The primary category of the unit or choice, else ""."""
        return get_type_name(self.node) or get_type_name(self.choice)


def get_name(node: EffectiveSelection) -> str:
    """Return the owner's name, else the name in the data."""
    return node.custom_name or remove_marks(node.name)


def write_notes(node: EffectiveSelection, *choices: EffectiveSelection) -> str:
    """Write the attachments, then on a new line the owner's notes."""
    return "\n".join(filter(None, (". ".join(list_bonds(node)), write_own_notes(*choices, node))))


def write_own_notes(*parts: EffectiveSelection) -> str:
    """Join the owner's notes, each once."""
    return " ".join(dict.fromkeys(filter(None, (part.notes for part in parts))))


def list_bonds(node: EffectiveSelection) -> tuple[str, ...]:
    """Describe attachments: "Leads Reed Cutters"."""
    return tuple(words for part in walk_own(node) for words in wording.list_bond_words(part))


def get_type_name(node: EffectiveSelection) -> str:
    """Name the primary category, or return ""."""
    primaries = (category for category in node.categories if category.primary and category.id != NO_CATEGORY)
    return next(map(_name_category, primaries), "")


def _name_category(category: EffectiveCategory) -> str:
    return category.custom_name or remove_marks(category.name)


def list_keywords(node: EffectiveSelection) -> list[str]:
    """Name visible categories other than the unit's type."""
    return [_name_category(category) for category in node.categories if not (category.primary or category.hidden)]


def find_title(node: EffectiveSelection, command: str) -> str:
    """Return the name of the category `command` if the unit or a part of it has it, else ""."""
    categories = chain.from_iterable(part.categories for part in walk_own(node))
    return next((category.name for category in categories if category.id == command), "")


def count_units(node: EffectiveSelection) -> int:
    return max(node.number, 1) if node.type == UNIT else 1


def put_together(nodes: Sequence[EffectiveSelection]) -> list[EffectiveSelection]:
    """Move each leader before its unit, and keep all other order."""
    places = {node.id: place for place, node in enumerate(nodes)}
    hosts = {
        node.id: attachment.to.id for node in nodes for attachment in node.attachments if attachment.to.id in places
    }

    def find_place(node: EffectiveSelection) -> tuple[int, int, int]:
        # Lists from other programs may attach units in a circle.
        end, steps = node.id, 0
        while end in hosts and steps < len(hosts):
            end, steps = hosts[end], steps + 1
        return places[end], -steps, places[node.id]

    return sorted(nodes, key=find_place) if hosts else list(nodes)


def is_listed(node: EffectiveSelection) -> bool:
    """Return whether a selection is a unit rather than a setting."""
    return holds_models(node) or bool(node.profiles) or node.placeholder


def is_guest(node: EffectiveSelection, host: EffectiveSelection) -> bool:
    """Return whether a selection inside a unit is a unit itself, or an add-on model of another type."""
    return node.type == UNIT or (node.type == MODEL and get_type_name(node) not in ("", get_type_name(host)))


def list_guests(node: EffectiveSelection) -> list[EffectiveSelection]:
    """List the units inside a unit or choice, but not the units inside those. Groups of units do not count."""
    guests: list[EffectiveSelection] = []
    pending = list(node.selections)
    while pending:
        child = pending.pop(0)
        if is_guest(child, node):
            guests += list_units_of_choice(child)
        else:
            # A group or carrier may hold further units at any depth, in list order.
            pending[:0] = child.selections
    return guests


def walk_own(node: EffectiveSelection) -> Iterator[EffectiveSelection]:
    """Yield a selection and its parts, without units inside it."""
    pending = [node]
    while pending:
        part = pending.pop(0)
        yield part
        pending[:0] = [child for child in part.selections if not is_guest(child, node)]


def is_unit_group(node: EffectiveSelection) -> bool:
    """Return whether a selection only groups units. A carrier also has a profile or models of its own."""
    # Unlike a group, a unit that carries others has a profile or models of its own.
    return bool(list_guests(node)) and not any(part.profiles or part.type == MODEL for part in walk_own(node))


def list_units_of_choice(node: EffectiveSelection) -> list[EffectiveSelection]:
    """List the units in a choice that only groups them, or the choice itself."""
    return list_guests(node) if is_unit_group(node) else [node]


def list_choice_units(node: EffectiveSelection) -> Iterator[ListedUnit]:
    for unit in list_units_of_choice(node):
        yield ListedUnit(node=unit, choice=node)
        yield from _list_addons(unit)


def _list_addons(host: EffectiveSelection) -> Iterator[ListedUnit]:
    for addon in list_guests(host):
        yield ListedUnit(node=addon, choice=addon, host=host)
        yield from _list_addons(addon)


def count_models(node: EffectiveSelection) -> int:
    """Count models without add-ons; 0 if the data has none."""
    return sum(part.number for part in list_models(node))


def list_models(node: EffectiveSelection) -> list[EffectiveSelection]:
    """List models without add-ons."""
    return model_profiles.list_models(
        node, lambda part: [child for child in part.selections if not is_guest(child, node)]
    )


def collect_ids(node: EffectiveSelection) -> set[str]:
    return {part.id for part in walk_own(node)}


def compute_own_costs(node: EffectiveSelection) -> tuple[CostTotal, ...]:
    addons = [cost for unit in list_units_of_choice(node) for addon in list_guests(unit) for cost in addon.totals]
    if not addons:
        return node.totals
    return tuple(subtract_costs(total, addons) for total in node.totals)


def subtract_costs(total: CostTotal, parts: Iterable[CostTotal]) -> CostTotal:
    taken = sum(part.value for part in parts if part.type_id == total.type_id)
    return CostTotal(type_id=total.type_id, name=total.name, value=total.value - taken, hidden=total.hidden)


def divide_number(value: Number, count: int) -> Number:
    """Return an equal share for one of `count`.

    >>> divide_number(13, 2), divide_number(12, 4)
    (Decimal('6.5'), 3)
    """
    # A share of one keeps the digits of the data.
    return value if count == 1 else shorten_number(Decimal(value) / count)


def compute_likeness(node: EffectiveSelection, *, addons: bool) -> Hashable:
    """Return a value that is equal for units that look the same in print."""
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
