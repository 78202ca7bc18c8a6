"""Detachments with their units as ledger lines, and how much of each type there is and may be."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from catalogue.definitions.constraints import Severity
from catalogue.definitions.numbers import Number
from catalogue.definitions.queries import BOUNDS, Bound, Field, Query, Scope
from catalogue.graph.ids import get_target_id
from catalogue.graph.ruleset import CompiledForce
from roster.engine.checks import Check, measure_check
from roster.engine.evaluation import Evaluation
from roster.engine.nodes import ForceNode
from roster.engine.report import CommanderInfo, EffectiveForce, EffectiveSelection, PlaceKind, Violation
from roster.engine.tree import RosterTree
from roster.services.board.shapes import CountedName, DetachmentRow, RowKind, SlotCounter, UnitRow
from roster.services.board.unit_offers import offer_inner_forces
from roster.services.evaluation import EvaluatedList, get_cost_value

Slots = Mapping[str, tuple[SlotCounter, ...]]
_OWN_SCOPES = (Scope.FORCE, Scope.SELF, Scope.PARENT)
_LOWER, _UPPER = (Bound.MIN, Bound.EXACTLY), (Bound.MAX, Bound.EXACTLY)

_ByNode = dict[str, list[Violation]]


def count_slots(evaluation: Evaluation, violations: Iterable[Violation]) -> Slots:
    """Count the slots of every detachment, by its id; `violations` are those of the list's report.

    First what the detachment limits as a whole ("Units 6 of 8"), then its types in the order of the data. Of several
    rules about one type the strictest counts; rules about a part of a type are left to the verdict.
    """
    return {
        force.document.id: tuple(_count_force_slots(evaluation, force, violations))
        for force in evaluation.roster.all_forces
        if force.compiled_force is not None
    }


@dataclass(slots=True)
class _Counter:
    """What the rules about one type come to."""

    measured: Number | None = None
    min: Number | None = None
    max: Number | None = None

    @property
    def is_blank(self) -> bool:
        return not (self.max or self.min or self.measured)

    def take(self, check: Check) -> None:
        constraint, allowed = check.constraint, check.allowed
        # Advice is measured too, so that its counter shows how many there are.
        self.measured = check.measured
        if constraint.severity is not Severity.ERROR:
            return  # advice bounds nothing
        bound = constraint.bound
        # Zero or less asks for nothing, and a counter that says “at least 0” is noise.
        if bound in _LOWER and allowed > 0:
            self.min = max(self.min or 0, allowed)
        if bound in _UPPER:
            self.max = allowed if self.max is None else min(self.max, allowed)


def _count_force_slots(
    evaluation: Evaluation, force: ForceNode, violations: Iterable[Violation]
) -> Iterator[SlotCounter]:
    assert force.compiled_force is not None  # noqa: S101 - see count_slots
    # Data hides slots that nobody is to see.
    slots = {slot.id: slot for slot in force.compiled_force.slots if not slot.hidden}
    counters = _measure_categories(evaluation, force, slots.keys())
    # Violations name places in the list; those of other detachments are not this one's.
    wrong = _index_violations(violations, _collect_node_ids(force))
    for category_id in (*_list_limited_extras(counters, slots.keys()), *slots):
        counter = counters.get(category_id, _Counter())
        measured = counter.measured
        slot = slots.get(category_id)
        yield SlotCounter(
            id=category_id,
            name=(slot and slot.name) or evaluation.ruleset.binding.categories[category_id].name,
            emblem=slot.emblem if slot else "",
            measured=_count_listed(evaluation, force, category_id) if measured is None else measured,
            min=counter.min,
            max=counter.max,
            violation=wrong.get(category_id),
        )


def _measure_categories(evaluation: Evaluation, force: ForceNode, shown: Collection[str]) -> dict[str, _Counter]:
    """Measure what the rules ask of each category: of those shown all rules, of others the plain ones."""
    counters: dict[str, _Counter] = {}
    for category_id, check in _list_category_checks(evaluation, force):
        if category_id not in shown and not (_has_name(evaluation, category_id) and _is_plain(check)):
            continue
        measured_check = measure_check(evaluation, check)
        if measured_check:
            counters.setdefault(category_id, _Counter()).take(measured_check)
    return counters


def _has_name(evaluation: Evaluation, category_id: str) -> bool:
    """Return whether a category has a name that is not only its id."""
    category = evaluation.ruleset.binding.categories.get(category_id)
    return category is not None and category.name != category_id


def _list_limited_extras(counters: Mapping[str, _Counter], shown: Collection[str]) -> list[str]:
    """List the categories that are not slots and that a detachment limits, or holds any of."""
    return [key for key, counter in counters.items() if key not in shown and not counter.is_blank]


def _list_category_checks(evaluation: Evaluation, force: ForceNode) -> Iterator[tuple[str, Check]]:
    """List the checks of a detachment that count selections of one category in it."""
    compiled_force = force.compiled_force
    assert compiled_force is not None  # noqa: S101 - see count_slots
    for own_id, check in _list_checks(evaluation, force, compiled_force):
        query = check.constraint.query
        category_id = query.child_id or own_id
        if category_id and query.field == Field.SELECTIONS and _is_here(query, force) and not query.percent:
            yield category_id, check


def _list_checks(
    evaluation: Evaluation, force: ForceNode, compiled_force: CompiledForce
) -> Iterator[tuple[str, Check]]:
    """List every check of a detachment, with the category it belongs to."""
    for bound in BOUNDS:
        for constraint in compiled_force.constraints.by_bound.get(bound, ()):
            yield "", Check(constraint, force)
        for slot in compiled_force.slots:
            for constraint in slot.constraints.by_bound.get(bound, ()):
                yield slot.id, Check(constraint, evaluation.scopes.get_slot(force, slot.id))


def _is_here(query: Query, force: ForceNode) -> bool:
    """Return whether a query counts in this detachment alone; one inside it would be counted along."""
    return query.scope in _OWN_SCOPES and not (query.include_child_forces and force.forces)


def _is_plain(check: Check) -> bool:
    """Return whether a check always holds and compares with one number, so that a counter can show it."""
    constraint = check.constraint
    return not constraint.when and not constraint.terms


def _count_listed(evaluation: Evaluation, force: ForceNode, category_id: str) -> int:
    """Count the units that are listed under a category: the primary one, of those that are of several."""
    return sum(
        member.number
        for member in evaluation.scopes.get_slot(force, category_id).members
        if evaluation.categories.get_membership(member).primary in ("", category_id)
    )


def _collect_node_ids(force: ForceNode) -> set[str]:
    return {force.document.id, *(m.document.id for m in force.members if m.document)}


def _index_violations(violations: Iterable[Violation], ids: set[str]) -> dict[str, Violation]:
    """Return the first violation about each category among those of one detachment."""
    violation_by_category: dict[str, Violation] = {}
    for violation in violations:
        if any(place.id in ids for place in (violation.on, *violation.cause)):
            violation_by_category.setdefault(violation.counted_id, violation)
    return violation_by_category


def build_detachment_rows(judged: EvaluatedList) -> tuple[DetachmentRow, ...]:
    """Build the rows of all forces of a list, those inside another right after it."""
    violations = _group_by_node(judged.report.violations)
    makers = _RowContext(
        judged,
        violations,
        judged.points_id,
        count_slots(judged.evaluation, judged.report.violations),
        _index_positions(judged.tree),
        judged.deck_ids,
        judged.setting_ids,
    )
    return tuple(_build_detachments(makers, judged.report.forces, "", 0))


@dataclass(frozen=True, slots=True)
class _RowContext:
    """What rows are made with."""

    judged: EvaluatedList
    violations: _ByNode
    type_id: str
    slots: Slots
    positions: Mapping[str, int]
    decks: frozenset[str]
    settings: frozenset[str]

    def count_cards(self, unit: EffectiveSelection) -> int | None:
        """Return how many cards a deck holds; None if it is not a deck."""
        if get_target_id(unit.entry_id) not in self.decks:
            return None
        return sum(child.number for child in unit.selections)


def _build_detachments(
    context: _RowContext, forces: tuple[EffectiveForce, ...], parent_id: str, depth: int
) -> Iterator[DetachmentRow]:
    for force in forces:
        yield DetachmentRow(
            id=force.id,
            entry_id=force.entry_id,
            catalogue_id=force.catalogue_id,
            name=force.title,
            data_name=force.name if force.custom_name else force.title,
            points=get_cost_value(force.totals, context.type_id),
            totals=tuple(cost for cost in force.totals if not cost.hidden),
            slots=context.slots.get(force.id, ()),
            units=tuple(_build_unit_rows(context, force)),
            violations=tuple(context.violations.get(force.id, ())),
            rules=force.rules,
            notes=force.notes,
            parent_id=parent_id,
            depth=depth,
            position=context.positions.get(force.id, 0),
            inside=offer_inner_forces(context.judged, force),
            holds=len(force.forces),
            citation=force.citation,
        )
        yield from _build_detachments(context, force.forces, force.id, depth + 1)


def _build_unit_rows(context: _RowContext, force: EffectiveForce) -> Iterator[UnitRow]:
    leader_categories, declared = _find_leaders(context, force)
    for unit in force.selections:
        violations = _list_unit_violations(context, unit)
        # The data hides helper entries that way; one that breaks a rule must be seen to be mended.
        if unit.hidden and not violations:
            continue
        can_lead = any(category.id in leader_categories for category in unit.categories)
        # None and not False: a unit that cannot lead has no button for it.
        leads = unit.id in declared if can_lead else None
        yield _build_unit_row(context, unit, violations, leads)


def _list_unit_violations(context: _RowContext, unit: EffectiveSelection) -> tuple[Violation, ...]:
    """List each violation about the unit or anything in it once, though it may name several of them."""
    violations: dict[Violation, None] = {}
    for node in unit.walk():
        violations |= dict.fromkeys(context.violations.get(node.id, ()))
    return tuple(violations)


def _build_unit_row(
    context: _RowContext, unit: EffectiveSelection, violations: tuple[Violation, ...], leads: bool | None
) -> UnitRow:
    # A deck is not a unit: its cards are counted, and its options are the cards.
    cards = context.count_cards(unit)
    return UnitRow(
        selection=unit,
        type=next((category.name for category in unit.categories if category.primary), ""),
        points=get_cost_value(unit.totals, context.type_id),
        models=sum(node.number for node in unit.walk() if node.type == "model"),
        options=tuple(_count_options(unit)) if cards is None else (),
        violations=violations,
        leads=leads,
        commands=_name_command(context.judged.report.command, unit),
        cards=cards,
        position=context.positions.get(unit.id, 0),
        kind=_classify_row(context, unit),
    )


def _classify_row(context: _RowContext, unit: EffectiveSelection) -> RowKind:
    """Tell units from what community data has among them: settings of the detachment, and notes to be read."""
    if unit.id not in context.settings:
        return "unit"
    container = context.judged.evaluation.find_container(unit.id)
    contents = container.contents if container else None
    return "setting" if contents is not None and contents.options else "note"


def _name_command(command: CommanderInfo | None, unit: EffectiveSelection) -> str:
    """Return what a unit is called that commands the list or holds who does; blank for any other."""
    commander_id = command.commander.id if command and command.commander else ""
    if command is None or not commander_id:
        return ""
    return command.name if any(node.id == commander_id for node in unit.walk()) else ""


def _find_leaders(context: _RowContext, force: EffectiveForce) -> tuple[set[str], tuple[str, ...]]:
    """Return the categories that may lead a detachment or the list, and the units declared to lead."""
    catalogue = context.judged.ruleset.find_catalogue(force.catalogue_id)
    compiled_force = catalogue.find_force(force.entry_id) if catalogue else None
    growth = compiled_force.entry.growth if compiled_force else None
    node = context.judged.evaluation.find_container(force.id)
    system = context.judged.ruleset.binding.game_system
    command = system.command if system else None
    # Two features of packs name leaders: one by detachment, one for the whole list.
    able = {growth.leader} if growth else set()
    able |= {command.of} if command else set()
    return able, node.document.leading if isinstance(node, ForceNode) else ()


def _index_positions(tree: RosterTree) -> dict[str, int]:
    """Index the position of every detachment and unit among its siblings; the page has another order."""
    positions: dict[str, int] = {}
    # Positions are those of the stored tree, where `move` counts; the page sorts by type and name.
    pending = [tree.forces]
    for forces in pending:
        for position, force in enumerate(forces):
            positions[force.id] = position
            positions |= {unit.id: index for index, unit in enumerate(force.selections)}
            pending.append(force.forces)
    return positions


def _count_options(unit: EffectiveSelection) -> Iterator[CountedName]:
    """Count what a unit has besides its models, in order, equal things added up."""
    numbers: dict[str, int] = {}
    for node in unit.walk():
        if node is not unit and _is_listed(node):
            numbers[node.name] = numbers.get(node.name, 0) + node.number
    return (CountedName(name=name, number=number) for name, number in numbers.items())


def _is_listed(node: EffectiveSelection) -> bool:
    """Return whether something is listed by name: models are counted instead, unless they have a type of their own."""
    return not node.hidden and (node.type != "model" or any(category.primary for category in node.categories))


def _group_by_node(violations: tuple[Violation, ...]) -> _ByNode:
    """Group violations by the id of every part of the list that they are about or caused by."""
    violations_by_node: _ByNode = defaultdict(list)
    for violation in violations:
        places = [violation.on, *(p for p in violation.cause if p.kind is PlaceKind.SELECTION)]
        for node_id in dict.fromkeys(place.id for place in places if place.id):
            violations_by_node[node_id].append(violation)
    return violations_by_node
