"""Values on the builder's page."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

import msgspec

from catalogue.definitions.base import FrozenMeta
from catalogue.definitions.catalogues import Unchecked
from catalogue.definitions.citations import NOWHERE, Citation
from catalogue.definitions.numbers import Number
from roster.engine.model_profiles import list_models
from roster.engine.report import (
    CostTotal,
    EffectiveCategory,
    EffectiveForce,
    EffectiveSelection,
    Verdict,
    Violation,
    find_primary,
)
from roster.models import Roster
from roster.services.evaluation import EvaluatedList, get_cost_value
from roster.services.rulesets import Publications

SlotState = Literal["open", "full", "over", "short"]
Control = Literal["radio", "tick", "number", "fixed"]
RowKind = Literal["unit", "setting", "note"]


class Shape(msgspec.Struct, metaclass=FrozenMeta, frozen=True, kw_only=True, gc=False):
    """Base of frequent values: faster than dataclasses and ignored by the garbage collector."""

    # Templates try a key before an attribute, which would raise and catch an error each time.
    __getitem__ = object.__getattribute__


class SlotCounter(Shape):
    """How many of a category a detachment has and may have: "Hammer 3 of 2"."""

    id: str
    name: str
    measured: Number
    emblem: str = ""
    min: Number | None = None
    max: Number | None = None
    violation: Violation | None = None

    @property
    def state(self) -> SlotState:
        """`over` or `short` if a bound is broken, `full` at the maximum, else `open`."""
        if self.max is not None and self.measured > self.max:
            return "over"
        if self.min is not None and self.measured < self.min:
            return "short"
        return "full" if self.max is not None and self.measured == self.max else "open"


class UnitRow(Shape):
    """`leads` is None if the unit cannot lead; `commands` is its title as commander.

    Of the values of `kind`, a `setting` is a choice about the detachment, a `note` an entry without choices.
    """

    selection: EffectiveSelection
    points_id: str
    violations: tuple[Violation, ...] = ()
    leads: bool | None = None
    commands: str = ""
    is_deck: bool = False
    position: int = 0
    kind: RowKind = "unit"
    primary: EffectiveCategory | None = None

    @property
    def id(self) -> str:
        return self.selection.id

    @property
    def name(self) -> str:
        return self.selection.custom_name or self.selection.name

    @property
    def type(self) -> str:
        return self.primary.name if self.primary else ""

    @property
    def points(self) -> Number | None:
        return get_cost_value(self.selection.totals, self.points_id)

    @property
    def models(self) -> int:
        return sum(model.number for model in list_models(self.selection))

    @property
    def cards(self) -> int | None:
        return sum(child.number for child in self.selection.selections) if self.is_deck else None

    @property
    def options(self) -> dict[str, int]:
        """Visible options, counted by name, without plain models."""
        numbers: dict[str, int] = {}
        if self.is_deck:
            return numbers
        for node in self.selection.walk():
            # Models are counted, not named, unless they have a separate category.
            is_named = node.type != "model" or find_primary(node.categories)
            if node is not self.selection and not node.hidden and is_named:
                numbers[node.name] = numbers.get(node.name, 0) + node.number
        return numbers


class DetachmentRow(Shape):
    """`inside` are forces of its faction that it can hold. `faction` is "" if it is the list's."""

    force: EffectiveForce
    points_id: str
    slots: tuple[SlotCounter, ...] = ()
    units: tuple[UnitRow, ...] = ()
    depth: int = 0
    inside: tuple["ForceOffer", ...] = ()
    holds_allies: bool = False
    faction: str = ""

    @property
    def id(self) -> str:
        return self.force.id

    @property
    def entry_id(self) -> str:
        return self.force.entry_id

    @property
    def name(self) -> str:
        return self.force.title

    @property
    def data_name(self) -> str:
        return self.force.name if self.force.custom_name else self.force.title

    @property
    def points(self) -> Number | None:
        return get_cost_value(self.force.totals, self.points_id)

    @property
    def has_units(self) -> bool:
        return any(unit.kind == "unit" for unit in self.units)


class ForceOffer(Shape):
    """Adding the detachment would cause the violation `blocked`."""

    entry_id: str
    catalogue_id: str
    name: str
    text: str = ""
    costs: tuple[CostTotal, ...] = ()
    blocked: Violation | None = None
    citation: Citation = NOWHERE


class UnitOffer(Shape):
    """`too_dear` means that it costs more than is left. `other_costs` are all costs except points."""

    entry_id: str
    name: str
    points: Number | None
    costs: tuple[CostTotal, ...] = ()
    other_costs: tuple[CostTotal, ...] = ()
    number: int = 0
    note: str = ""
    blocked: Violation | None = None
    too_dear: bool = False
    citation: Citation = NOWHERE


def list_other_costs(costs: Iterable[CostTotal], points_id: str) -> tuple[CostTotal, ...]:
    return tuple(cost for cost in costs if cost.value and not cost.hidden and cost.type_id != points_id)


class OfferCategory(Shape):
    id: str
    name: str
    emblem: str
    slot: SlotCounter | None
    units: tuple[UnitOffer, ...]


class NumberControl(Shape):
    """A number with buttons: of an entry in a container or, without `entry_id`, of the node's stack."""

    node_id: str
    entry_id: str
    name: str
    number: int
    step: int = 1
    max: Number | None = None
    is_full: bool = False
    is_stack: bool = False

    @property
    def number_below(self) -> int:
        return max(0, self.number - self.step)


class OptionChoice(Shape):
    """An option in an opened unit, or equal options if `is_stack`. `node_id` is the container.

    `points` is the price of one more with its contents. `inside` are its selections with choices.
    """

    node_id: str
    entry_id: str
    name: str
    control: Control
    points: Number | None = None
    costs: tuple[CostTotal, ...] = ()
    other_costs: tuple[CostTotal, ...] = ()
    number: int = 0
    min: Number = 0
    max: Number | None = None
    step: int = 1
    group_id: str = ""
    note: str = ""
    blocked: Violation | None = None
    needed: bool = False
    is_stack: bool = False
    inside: tuple["OpenedUnit", ...] = ()
    citation: Citation = NOWHERE

    @property
    def taken(self) -> bool:
        return self.number > 0

    @property
    def counter(self) -> NumberControl:
        stack = self.inside[0].counter if len(self.inside) == 1 else None
        if stack is not None and stack.number == self.number:
            return stack
        return NumberControl(
            node_id=self.node_id,
            entry_id=self.entry_id,
            name=self.name,
            number=self.number,
            step=self.step,
            max=self.max,
            is_full=self.blocked is not None,
            is_stack=self.is_stack,
        )


class ChoiceGroup(Shape):
    """`one_of` groups have radio buttons, with `none` also a button for no choice."""

    node_id: str
    group_id: str
    name: str
    count: Number = 0
    min: Number = 0
    max: Number | None = None
    one_of: bool = False
    none: bool = False
    flat: bool = False
    foldable: bool = False
    note: str = ""
    is_stack: bool = False
    items: tuple["OptionChoice | ChoiceGroup", ...] = ()
    citation: Citation = NOWHERE


class Stray(Shape):
    node_id: str
    name: str
    number: int = 1
    points: Number | None = None
    is_stack: bool = False


class AttachmentChoice(Shape):
    """`fits` is False if the host is no longer allowed."""

    id: str
    name: str
    taken: bool = False
    fits: bool = True


class AttachmentControl(Shape):
    node_id: str
    association_id: str
    name: str
    most: int | None
    choices: tuple[AttachmentChoice, ...]

    @property
    def one_of(self) -> bool:
        return self.most == 1

    @property
    def is_full(self) -> bool:
        return self.most is not None and sum(choice.taken for choice in self.choices) >= self.most


class OpenedUnit(Shape):
    """A selection, or equal selections, with all choices.

    `counter` sets `number`, per parent. `can_split` means that one of several can be changed separately.
    """

    node_id: str
    name: str
    number: int = 1
    counter: NumberControl | None = None
    can_split: bool = False
    items: tuple[OptionChoice | ChoiceGroup, ...] = ()
    strays: tuple[Stray, ...] = ()
    attachments: tuple[AttachmentControl, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """`points` is the cost that sizes the list; new units go into `into`. `unit_by_node` maps selection ids to their
    units.
    """

    roster: Roster
    evaluated_list: EvaluatedList
    verdict: Verdict
    points: CostTotal | None
    totals: tuple[CostTotal, ...] = ()
    violations: tuple[Violation, ...] = ()
    unchecked: tuple[Unchecked, ...] = ()
    detachments: tuple[DetachmentRow, ...] = ()
    forces: tuple[ForceOffer, ...] = ()
    has_allies: bool = False
    into: str = ""
    offered: tuple[OfferCategory, ...] = ()
    opened: OpenedUnit | None = None
    apart: str = ""
    can_undo: bool = False
    can_redo: bool = False
    knows_decks: bool = False
    books: Publications = field(default_factory=dict)
    unit_by_node: Mapping[str, EffectiveSelection] = field(default_factory=dict)

    __getitem__ = Shape.__getitem__

    @property
    def revision(self) -> int:
        return self.roster.head

    @property
    def is_empty(self) -> bool:
        return not any(detachment.has_units for detachment in self.detachments)

    @property
    def into_catalogue_id(self) -> str:
        catalogue_ids = (row.force.catalogue_id for row in self.detachments if row.id == self.into)
        return next(catalogue_ids, self.roster.faction_id)

    @property
    def left(self) -> Number | None:
        """Negative if overspent; None without points or a limit."""
        if self.points is None or self.points.limit is None:
            return None
        return self.points.limit - self.points.value
