"""The result of an evaluation."""

from collections.abc import Iterable, Iterator
from enum import StrEnum

from catalogue.definitions.catalogues import Unchecked
from catalogue.definitions.citations import NOWHERE, Citation
from catalogue.definitions.constraints import Severity, Stage
from catalogue.definitions.infos import Characteristic
from catalogue.definitions.numbers import Number
from roster.engine.tree import Value, copy_with


class Verdict(StrEnum):
    """A list is incomplete if further picks could fix every error."""

    LEGAL = "legal"
    INCOMPLETE = "incomplete"
    ILLEGAL = "illegal"


class PlaceKind(StrEnum):
    ROSTER = "roster"
    FORCE = "force"
    CATEGORY = "category"
    SELECTION = "selection"


class Location(Value):
    """The part of the roster that a violation is about.

    `id` is blank for the roster; for a category, it is the force's id. `entry_id` is the definition's id.
    """

    kind: PlaceKind
    id: str = ""
    entry_id: str = ""
    name: str = ""


class Lacking(Value):
    """What to add, and how many, to make room for an excess."""

    name: str
    number: Number


class Violation(Value):
    """A broken constraint or rule at one place. `roster.wording` makes the sentence.

    `owner_id` and `constraint_id` name the definition, `counted_id` the counted entry, group, category, force entry or
    cost type. `cause` lists what was counted. `mended_by` are entries to add; if `crowded`, they have no room.
    `choices` are all values that a limit may have. `unit` names a counted cost.
    """

    code: str
    on: Location
    owner_id: str = ""
    constraint_id: str = ""
    counted_id: str = ""
    counted: str = ""
    measured: Number = 0
    allowed: Number = 0
    cause: tuple[Location, ...] = ()
    rule: str = ""
    name: str = ""
    text: str = ""
    citation: Citation = NOWHERE
    severity: Severity = Severity.ERROR
    mendable: bool = False
    mended_by: tuple[str, ...] = ()
    crowded: bool = False
    choices: tuple[Number, ...] = ()
    lacking: Lacking | None = None
    unit: str = ""
    stage: Stage = Stage.LIST

    @property
    def key(self) -> "ViolationKey":
        """A key that stays the same if an edit moves the violation to another unit."""
        place = self.on.id if self.on.kind is not PlaceKind.SELECTION else ""
        return (self.code, self.owner_id, self.constraint_id, self.counted_id, place)

    @property
    def rule_key(self) -> tuple[str, ...]:
        """A key that other lists share: it names the entry instead of a selection."""
        on = self.on
        return (self.code, self.constraint_id, self.owner_id, self.counted_id, on.kind, on.entry_id)


ViolationKey = tuple[str, str, str, str, str]


def group_violations(violations: Iterable[Violation]) -> list[tuple[Violation, ...]]:
    """Group violations that differ only in the selection, such as ten models without a pistol."""
    groups: dict[object, list[Violation]] = {}
    for violation in violations:
        place = violation.on
        if place.kind is PlaceKind.SELECTION:
            place = copy_with(place, id="")
            violation_key: object = copy_with(violation, on=place, cause=())
        else:
            violation_key = violation
        groups.setdefault(violation_key, []).append(violation)
    return [tuple(group) for group in groups.values()]


def group_needs(violations: Iterable[Violation]) -> list[tuple[Violation, ...]]:
    """Group a place's violations that lack picks of one name, each group beginning with an excess.

    For example, a Command and its detachment each lack a Core. Ids cannot tell: one rule may count a category, another
    the places open to it.
    """
    groups: dict[object, list[Violation]] = {}
    for violation in violations:
        is_open = violation.mendable and not violation.crowded and violation.severity is Severity.ERROR
        is_short = violation.measured < violation.allowed and not violation.unit
        name = violation.lacking.name if violation.lacking else violation.counted if is_short else ""
        if is_open and name:
            groups.setdefault((violation.on.id, name), []).append(violation)
    ordered = (sorted(group, key=lambda violation: violation.lacking is None) for group in groups.values())
    return [tuple(group) for group in ordered if len(group) > 1 and group[0].lacking]


class CostTotal(Value):
    type_id: str
    name: str
    value: Number
    limit: Number | None = None
    hidden: bool = False


def find_cost(costs: Iterable[CostTotal], type_id: str) -> CostTotal | None:
    return next((cost for cost in costs if cost.type_id == type_id), None)


class FigureTotal(Value):
    """A figure other than a cost, such as how many units start the game. It may sum the cost type `cost_id`."""

    id: str
    name: str
    value: Number
    cost_id: str = ""
    text: str = ""
    citation: Citation = NOWHERE


class CommanderInfo(Value):
    """The commander of the list.

    Of `able` candidates, `highest` have the highest `rank` in the cost type named `by`. `open_to` are selection ids to
    choose from.
    """

    id: str
    name: str
    by: str
    rank: Number = 0
    able: int = 0
    highest: int = 0
    commander: Location | None = None
    open_to: tuple[str, ...] = ()


class EffectiveCategory(Value):
    id: str
    name: str
    primary: bool = False
    hidden: bool = False
    custom_name: str = ""
    notes: str = ""
    profiles: tuple["EffectiveProfile", ...] = ()
    rules: tuple["EffectiveRule", ...] = ()
    citation: Citation = NOWHERE


def find_primary(categories: Iterable[EffectiveCategory]) -> EffectiveCategory | None:
    return next((category for category in categories if category.primary), None)


class EffectiveProfile(Value):
    """A visible profile after modifiers. `path` joins the ids of the links to it, each followed by `::`."""

    id: str
    name: str
    type_id: str
    type_name: str
    characteristics: tuple[Characteristic, ...]
    citation: Citation = NOWHERE
    path: str = ""


class EffectiveRule(Value):
    id: str
    name: str
    description: str = ""
    phase: str = ""
    parameter: str = ""
    citation: Citation = NOWHERE
    path: str = ""


class EffectiveAttachment(Value):
    association_id: str
    name: str
    to: Location


class EffectiveSelection(Value):
    """A selection with everything derived for it.

    `number` counts in the whole force. `costs` exclude and `totals` include contents. A `placeholder` is an unknown
    entry.
    """

    id: str
    entry_id: str
    name: str
    group_id: str = ""
    group_name: str = ""
    type: str = "upgrade"
    number: int = 1
    hidden: bool = False
    placeholder: bool = False
    custom_name: str = ""
    notes: str = ""
    note: str = ""
    costs: tuple[CostTotal, ...] = ()
    totals: tuple[CostTotal, ...] = ()
    categories: tuple[EffectiveCategory, ...] = ()
    profiles: tuple[EffectiveProfile, ...] = ()
    rules: tuple[EffectiveRule, ...] = ()
    selections: tuple["EffectiveSelection", ...] = ()
    attachments: tuple[EffectiveAttachment, ...] = ()
    joined_by: tuple[EffectiveAttachment, ...] = ()
    citation: Citation = NOWHERE

    def walk(self) -> Iterator["EffectiveSelection"]:
        yield self
        for inner in self.selections:
            yield from inner.walk()


class EffectiveForce(Value):
    """A force, its selections sorted by category, then name.

    `ordinal` numbers unnamed forces of one kind from 1; 0 if it is the only one.
    """

    id: str
    entry_id: str
    catalogue_id: str
    catalogue_name: str
    name: str
    hidden: bool = False
    custom_name: str = ""
    ordinal: int = 0
    notes: str = ""
    totals: tuple[CostTotal, ...] = ()
    categories: tuple[EffectiveCategory, ...] = ()
    profiles: tuple[EffectiveProfile, ...] = ()
    rules: tuple[EffectiveRule, ...] = ()
    selections: tuple[EffectiveSelection, ...] = ()
    forces: tuple["EffectiveForce", ...] = ()
    citation: Citation = NOWHERE

    def walk_forces(self) -> Iterator["EffectiveForce"]:
        yield self
        for inner in self.forces:
            yield from inner.walk_forces()

    @property
    def title(self) -> str:
        return self.custom_name or (f"{self.name} {self.ordinal}" if self.ordinal else self.name)


NOT_FINISHED = "not-finished"
"""Code: looking ahead ran out of time."""


OTHER_FACTIONS = "other-factions"
"""Code: looking ahead did not try other factions' detachments."""


class Report(Value):
    costs: tuple[CostTotal, ...]
    violations: tuple[Violation, ...]
    unchecked: tuple[Unchecked, ...] = ()
    figures: tuple[FigureTotal, ...] = ()
    command: CommanderInfo | None = None
    forces: tuple[EffectiveForce, ...] = ()

    def walk_forces(self) -> Iterator[EffectiveForce]:
        for force in self.forces:
            yield from force.walk_forces()

    @property
    def is_finished(self) -> bool:
        return all(remark.code != NOT_FINISHED for remark in self.unchecked)

    @property
    def shown_costs(self) -> tuple[CostTotal, ...]:
        """The visible costs, except unlimited costs that a figure shows."""
        figure_cost_ids = {figure.cost_id for figure in self.figures}
        visible = (cost for cost in self.costs if not cost.hidden)
        return tuple(cost for cost in visible if cost.limit is not None or cost.type_id not in figure_cost_ids)

    @property
    def errors(self) -> tuple[Violation, ...]:
        return tuple(v for v in self.violations if v.severity is Severity.ERROR)

    @property
    def error_count(self) -> int:
        """Equal errors of different selections, and errors that the same picks fix, count once."""
        return len(group_violations(self.errors)) - sum(len(group) - 1 for group in group_needs(self.errors))

    @property
    def verdict(self) -> Verdict:
        if not self.errors:
            return Verdict.LEGAL
        return Verdict.INCOMPLETE if all(v.mendable for v in self.errors) else Verdict.ILLEGAL
