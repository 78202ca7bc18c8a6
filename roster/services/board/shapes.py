"""What the builder's page shows, as plain values.

Where something is forbidden or wrong there is a `Violation`, never a sentence: pages and API say it with
`roster.wording.format_violation(violation, board.books)`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

import msgspec

from catalogue.definitions.base import FrozenMeta
from catalogue.definitions.catalogues import Unchecked
from catalogue.definitions.citations import NOWHERE, Citation
from catalogue.definitions.numbers import Number
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
    """Base of what pages show many of: a value that is made, encoded and read by templates faster than a dataclass.

    None is in a circle of references, so that the collector need not look at any.
    """

    # Templates look for a key before an attribute: without any, each look would raise an error and catch it.
    __getitem__ = object.__getattribute__


class SlotCounter(Shape):
    """How much of one thing a detachment has, and how much it may have: "Hammer 3 of 2".

    `id` is the category's, or the constraint's where it counts something else. None means no limit on that side.
    """

    id: str
    name: str
    measured: Number
    emblem: str = ""
    min: Number | None = None
    max: Number | None = None
    violation: Violation | None = None

    @property
    def state(self) -> SlotState:
        """`over` too many, `short` too few, `full` not one more, `open` otherwise."""
        if self.max is not None and self.measured > self.max:
            return "over"
        if self.min is not None and self.measured < self.min:
            return "short"
        return "full" if self.max is not None and self.measured == self.max else "open"


class UnitRow(Shape):
    """A unit in a detachment: a line of the list, read off its selection.

    `points_id` is the cost type that the list is sized by, "" in a game without one. `violations` are about the unit or
    something inside it, or caused by it. `position` is its place in the list for `move`; rows are in the order of their
    types and names. `leads`: the player declared it to lead its detachment, None if it cannot. `commands` is what it
    is called if it commands the list, else "". `kind` is `setting` for a choice about the whole detachment, such as the
    size of the battle, and `note` for an entry that is only to be read. `primary` is the category that it is listed
    under.
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
        """What the player calls it, else the data."""
        return self.selection.custom_name or self.selection.name

    @property
    def type(self) -> str:
        """The name of its primary category."""
        return self.primary.name if self.primary else ""

    @property
    def points(self) -> Number | None:
        """What it costs with everything in it; None in a game without points."""
        return get_cost_value(self.selection.totals, self.points_id)

    @property
    def models(self) -> int:
        """How many models it has, 0 if the data has none."""
        return sum(node.number for node in self.selection.walk() if node.type == "model")

    @property
    def cards(self) -> int | None:
        """How many cards a deck holds; None if it is not a deck."""
        return sum(child.number for child in self.selection.selections) if self.is_deck else None

    @property
    def options(self) -> dict[str, int]:
        """The names of what it has and how many of each, in order, without its models; empty for a deck."""
        numbers: dict[str, int] = {}
        if self.is_deck:
            return numbers
        for node in self.selection.walk():
            # Models are counted and not named, unless they have a type of their own.
            is_named = node.type != "model" or find_primary(node.categories)
            if node is not self.selection and not node.hidden and is_named:
                numbers[node.name] = numbers.get(node.name, 0) + node.number
        return numbers


class DetachmentRow(Shape):
    """A force of the list, read off its part of the effective tree.

    `depth` is 0 at the top; a force inside another follows it. `inside` are the kinds of force of
    its faction that it can hold; `holds_allies`: the data lets it hold some of other factions. `faction` is the name of
    its own, blank if that is the list's.
    """

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
        """What the player calls it, else the data."""
        return self.force.title

    @property
    def data_name(self) -> str:
        return self.force.name if self.force.custom_name else self.force.title

    @property
    def points(self) -> Number | None:
        return get_cost_value(self.force.totals, self.points_id)

    @property
    def has_units(self) -> bool:
        """Whether it has more than settings and notes."""
        return any(unit.kind == "unit" for unit in self.units)


class ForceOffer(Shape):
    """A kind of detachment that can be added: `entry_id` and `catalogue_id` for `add-detachment`.

    `text` is what the data says of it, `costs` what it costs by itself. `blocked` is what one more would break, None
    when there is room.
    """

    entry_id: str
    catalogue_id: str
    name: str
    text: str = ""
    costs: tuple[CostTotal, ...] = ()
    blocked: Violation | None = None
    citation: Citation = NOWHERE


class UnitOffer(Shape):
    """A unit that can be added: `entry_id` for `add-unit`. `blocked` is what one more would break, None when free.

    `needs` is the type of unit of which one more would mend that, blank where no single one is known. It is `too_dear`
    if it would cost more than there may be spent. `other_costs` are those of `costs` that the list is not sized by.
    """

    entry_id: str
    name: str
    points: Number | None
    costs: tuple[CostTotal, ...] = ()
    other_costs: tuple[CostTotal, ...] = ()
    number: int = 0
    note: str = ""
    blocked: Violation | None = None
    needs: str = ""
    too_dear: bool = False
    citation: Citation = NOWHERE


def list_other_costs(costs: Iterable[CostTotal], points_id: str) -> tuple[CostTotal, ...]:
    """Return what there is to pay in shown costs other than the one that the list is sized by."""
    return tuple(cost for cost in costs if cost.value and not cost.hidden and cost.type_id != points_id)


class OfferCategory(Shape):
    """The units of one category on offer, with the slot they fill where there is one."""

    id: str
    name: str
    emblem: str
    slot: SlotCounter | None
    units: tuple[UnitOffer, ...]


class NumberControl(Shape):
    """A number with buttons: of an entry in a container, or, without `entry_id`, of the stack that the node is in.

    Send `set-number` with node, entry and number, and `stack` if `is_stack`. `step` is by how many buttons change the
    number; `is_full`: one more would break a rule.
    """

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
        """The number one step down."""
        return max(0, self.number - self.step)


class OptionChoice(Shape):
    """One option inside an opened unit.

    `control` says how it is asked: `radio` one of its group (send `choose` with node, group, entry), `tick` (`toggle`
    with node, entry, on), `number` (`set-number` with node, entry, number), `fixed` nothing to choose. `node_id` is the
    container it is in; `is_stack`: it stands in for equal ones, and the form says `stack`, so that all of them change.
    `points` is what one more costs of the cost that the list is sized by, in each of them and with what comes with it,
    and `other_costs` what it costs in addition, such as detachment points. `step` is by how many buttons change the
    number. `needed`: the list still lacks one. `inside` are the taken ones that have choices of their own, equal ones
    together.
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
        """How its number is set: if all of it are equal, more of the same are added."""
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
    """Options that belong together. `one_of`: radio buttons; `none` then says whether to offer "nothing" as well."""

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
    """Something inside a selection that is not on offer there: it can only be taken out. `points` is what it costs.

    `is_stack`: there are several of it, and all of them go at once.
    """

    node_id: str
    name: str
    number: int = 1
    points: Number | None = None
    is_stack: bool = False


class AttachmentChoice(Shape):
    """Something to be attached to; several of one name are numbered. One that no longer may be is not `fits`."""

    id: str
    name: str
    taken: bool = False
    fits: bool = True


class AttachmentControl(Shape):
    """By what association a selection may be attached, and to what; at most one where `one_of`.

    Send `attach` with node, association and to (blank: to nothing), or `detach`.
    """

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
        """Whether nothing more may be taken."""
        return self.most is not None and sum(choice.taken for choice in self.choices) >= self.most


class OpenedUnit(Shape):
    """A selection with all its choices, shown when a row is opened. It stands in for all that are equal to it.

    `number` is how many they are together, per one of what they are in; `counter` sets it, None if it cannot be set
    here. `can_split`: one of them may be made another. `strays` are what it holds besides: what its data does not have,
    or has elsewhere only. `attachments` say to what it may be attached, as a leader is to the unit that it leads.
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
    """The builder's page.

    `points` is the cost that the list is sized by; `into` the detachment that units go into, blank without one, and
    `offered` what it may take. `has_allies`: forces of other factions may be looked for at the top. `opened` is the
    unit whose choices are shown, in which the selection `apart` is not counted with those that it is equal to.
    `knows_decks`: the game has decks of cards. `unit_by_node` are the units that selections are or belong to, by the
    ids of selections.
    """

    roster: Roster
    judged: EvaluatedList
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
        """The number that an edit made on this page has to name."""
        return self.roster.head

    @property
    def is_empty(self) -> bool:
        """Whether nothing is taken yet but what comes by itself, such as settings."""
        return not any(detachment.has_units for detachment in self.detachments)

    @property
    def into_catalogue_id(self) -> str:
        """The catalogue of what is on offer: that of the detachment that units go into, else the list's faction."""
        catalogue_ids = (row.force.catalogue_id for row in self.detachments if row.id == self.into)
        return next(catalogue_ids, self.roster.faction_id)

    @property
    def left(self) -> Number | None:
        """Points left to spend, below zero when overspent; None without a limit."""
        if self.points is None or self.points.limit is None:
            return None
        return self.points.limit - self.points.value
