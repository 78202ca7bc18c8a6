"""What the engine answers: costs, violations, the effective tree, and what was not checked."""

from collections.abc import Iterable, Iterator
from enum import StrEnum

from catalogue.definitions.catalogues import Unchecked
from catalogue.definitions.citations import NOWHERE, Citation
from catalogue.definitions.constraints import Severity, Stage
from catalogue.definitions.infos import Characteristic
from catalogue.definitions.numbers import Number
from roster.engine.tree import Value, copy_with


class Verdict(StrEnum):
    """Legal; incomplete (every error could be mended by further picks); or illegal."""

    LEGAL = "legal"
    INCOMPLETE = "incomplete"
    ILLEGAL = "illegal"


class PlaceKind(StrEnum):
    ROSTER = "roster"
    FORCE = "force"
    CATEGORY = "category"
    SELECTION = "selection"


class Location(Value):
    """Something in the roster that a violation is about.

    `id` is the instance's id in the roster (blank for the roster itself; the force's id for a category), `entry_id` the
    definition's.
    """

    kind: PlaceKind
    id: str = ""
    entry_id: str = ""
    name: str = ""


class Lacking(Value):
    """What more of would make room for what there is too much of, by its name, and how many more."""

    name: str
    number: Number


class Violation(Value):
    """What is wrong at one place by one constraint or rule, as data; `roster.wording` makes the sentence.

    `code` names the rule kind. `owner_id` and `constraint_id` name the definition that is broken; `counted_id` what
    was counted (an entry, group, category, force entry or cost type) and `counted` its name. `measured` and `allowed`
    are the two figures compared; `cause` lists what was counted, as far as it can be pointed at. `rule`, `name`,
    `text` and `citation` are the data's own. Violations of a later `stage` than the list are those of the game plan.
    `mended_by` are the ids of what one more of would help, as far as that is known; `crowded`: none of it may be added
    as the list stands, something else would have to go for it. `choices` are all values that would do, where a limit is
    one of several. `lacking` is what has to be added if there is too much of something only because there is too little
    of a single other thing. Where not things are counted but what they cost, `unit` is the name of that cost type.
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
        """What the violation is known by before and after a change.

        Of several units that break one rule it may point at another one after a change, so the unit is no part of it.
        """
        place = self.on.id if self.on.kind is not PlaceKind.SELECTION else ""
        return (self.code, self.owner_id, self.constraint_id, self.counted_id, place)


ViolationKey = tuple[str, str, str, str, str]


def group_violations(violations: Iterable[Violation]) -> list[tuple[Violation, ...]]:
    """Group violations that say the same of equal places: ten models that all lack a pistol are one thing to do.

    Only selections are such places: each detachment and each category is looked at by itself.
    """
    groups: dict[object, list[Violation]] = {}
    for violation in violations:
        place = violation.on
        if place.kind is PlaceKind.SELECTION:
            # What was counted is in each of them, and tells them apart no more than where they are.
            place = copy_with(place, id="")
            violation_key: object = copy_with(violation, on=place, cause=())
        else:
            violation_key = violation
        groups.setdefault(violation_key, []).append(violation)
    return [tuple(group) for group in groups.values()]


class CostTotal(Value):
    """A sum of one cost type. `limit` is None where there is none."""

    type_id: str
    name: str
    value: Number
    limit: Number | None = None
    hidden: bool = False


def find_cost(costs: Iterable[CostTotal], type_id: str) -> CostTotal | None:
    """Return the sum of one cost type."""
    return next((cost for cost in costs if cost.type_id == type_id), None)


class FigureTotal(Value):
    """A number that the list is known by beside its costs, such as how many units start the game.

    `cost_id` is the cost type that it adds up, blank where it is anything else.
    """

    id: str
    name: str
    value: Number
    cost_id: str = ""
    text: str = ""
    citation: Citation = NOWHERE


class CommanderInfo(Value):
    """Who commands the list, and why: the highest `rank`, by the cost type named `by`, of `able` who could.

    `commander` is None where nobody can (`able` is 0 then) or where it is open between several: the selections whose
    ids are `open_to`.
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
    """A category that a selection belongs to, or a slot of a force, after modifiers."""

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
    """Return the category by which something has its place in a force."""
    return next((category for category in categories if category.primary), None)


class EffectiveProfile(Value):
    """A profile as it stands now: after modifiers, hidden ones left out.

    `path` holds the ids of the links that led to it, each with `::` after it.
    """

    id: str
    name: str
    type_id: str
    type_name: str
    characteristics: tuple[Characteristic, ...]
    citation: Citation = NOWHERE
    path: str = ""


class EffectiveRule(Value):
    """A rule or ability as it stands now; `path` as for a profile."""

    id: str
    name: str
    description: str = ""
    phase: str = ""
    parameter: str = ""
    citation: Citation = NOWHERE
    path: str = ""


class EffectiveAttachment(Value):
    """What a selection is attached to, or is joined by: by which association, what that is called, the other one."""

    association_id: str
    name: str
    to: Location


class EffectiveSelection(Value):
    """A selection with everything derived for it.

    `number` is the exported number: the product of the amounts up to the force. `costs` are its own, `totals` include
    its children. `placeholder` marks an entry that the data does not have.
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
        """Walk this selection and everything inside it, outer ones first."""
        yield self
        for inner in self.selections:
            yield from inner.walk()


class EffectiveForce(Value):
    """A force with everything derived for it; selections in the order of its categories, then by name.

    `ordinal` tells forces of one kind apart that have no names of their own, from 1; 0 where there is one only.
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
        """Walk this force and every force inside it, outer ones first."""
        yield self
        for inner in self.forces:
            yield from inner.walk_forces()

    @property
    def title(self) -> str:
        """What people call it."""
        return self.custom_name or (f"{self.name} {self.ordinal}" if self.ordinal else self.name)


NOT_FINISHED = "not-finished"
"""The code of the remark that the clock ended looking ahead, so that the list may yet turn out to be lost."""


OTHER_FACTIONS = "other-factions"
"""The code of the remark that looking ahead did not try detachments of factions that the list has nothing of."""


class Report(Value):
    """The answer to "is this list legal, and why". `forces` is the effective tree, filled when it was asked for."""

    costs: tuple[CostTotal, ...]
    violations: tuple[Violation, ...]
    unchecked: tuple[Unchecked, ...] = ()
    figures: tuple[FigureTotal, ...] = ()
    command: CommanderInfo | None = None
    forces: tuple[EffectiveForce, ...] = ()

    def walk_forces(self) -> Iterator[EffectiveForce]:
        """Walk every force of the list, outer ones first."""
        for force in self.forces:
            yield from force.walk_forces()

    @property
    def is_finished(self) -> bool:
        """Whether looking ahead, if it was asked for, came to its end."""
        return all(remark.code != NOT_FINISHED for remark in self.unchecked)

    @property
    def shown_costs(self) -> tuple[CostTotal, ...]:
        """The costs to tell of: no hidden ones, nor what has no limit and is a figure of the list already."""
        figure_cost_ids = {figure.cost_id for figure in self.figures}
        visible = (cost for cost in self.costs if not cost.hidden)
        return tuple(cost for cost in visible if cost.limit is not None or cost.type_id not in figure_cost_ids)

    @property
    def errors(self) -> tuple[Violation, ...]:
        """The violations that decide the verdict."""
        return tuple(v for v in self.violations if v.severity is Severity.ERROR)

    @property
    def error_count(self) -> int:
        """How many things are wrong; what is wrong at equal places counts once."""
        return len(group_violations(self.errors))

    @property
    def verdict(self) -> Verdict:
        if not self.errors:
            return Verdict.LEGAL
        return Verdict.INCOMPLETE if all(v.mendable for v in self.errors) else Verdict.ILLEGAL
