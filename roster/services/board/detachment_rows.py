from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from catalogue.definitions.constraints import Severity
from catalogue.definitions.identity import shorten_faction_name
from catalogue.definitions.numbers import Number
from catalogue.definitions.queries import BOUNDS, Bound, Field, Scope
from catalogue.graph.ids import get_target_id
from catalogue.graph.ruleset import CompiledForce
from roster.engine.checks import Check, is_suppressed, measure_check
from roster.engine.evaluation import Evaluation
from roster.engine.nodes import ForceNode
from roster.engine.report import EffectiveForce, EffectiveSelection, PlaceKind, Violation, find_primary
from roster.engine.tree import RosterTree, copy_with
from roster.services.board.allies import may_hold_allies
from roster.services.board.shapes import DetachmentRow, RowKind, SlotCounter, UnitRow
from roster.services.board.unit_offers import offer_inner_forces
from roster.services.evaluation import EvaluatedList

Slots = Mapping[str, tuple[SlotCounter, ...]]
_OWN_SCOPES = (Scope.FORCE, Scope.SELF, Scope.PARENT)
_LOWER, _UPPER = (Bound.MIN, Bound.EXACTLY), (Bound.MAX, Bound.EXACTLY)


def count_slots(evaluation: Evaluation, violations: Collection[Violation]) -> Slots:
    """Count slots by detachment id.

    The whole detachment comes first ("Units 6 of 8"), then each type by its strictest rule, without rules about part of
    a type.
    """
    slots: dict[str, tuple[SlotCounter, ...]] = {}
    figures = evaluation.force_figures
    for force in evaluation.roster.all_forces:
        if force.compiled_force is None:
            continue
        if force not in figures:
            figures[force] = tuple(_count_force_slots(evaluation, force, force.compiled_force))
        # Only violations about places in this detachment concern its slots.
        ids = {force.document.id, *(member.document.id for member in force.members if member.document)}
        wrong: dict[str, Violation] = {}
        for violation in violations:
            if any(place.id in ids for place in (violation.on, *violation.cause)):
                wrong.setdefault(violation.counted_id, violation)
        counters: tuple[SlotCounter, ...] = figures[force]
        slots[force.document.id] = tuple(
            copy_with(counter, violation=wrong[counter.id]) if counter.id in wrong else counter for counter in counters
        )
    return slots


@dataclass(slots=True)
class _Counter:
    measured: Number | None = None
    min: Number | None = None
    max: Number | None = None

    @property
    def is_blank(self) -> bool:
        return not (self.max or self.min or self.measured)

    def take(self, check: Check) -> None:
        constraint, allowed = check.constraint, check.allowed
        # Advice is measured too, so that its counter shows the number.
        self.measured = check.measured
        if constraint.severity is not Severity.ERROR:
            return
        bound = constraint.bound
        # A bound of zero or less requires nothing, and "at least 0" is noise.
        if bound in _LOWER and allowed > 0:
            self.min = max(self.min or 0, allowed)
        if bound in _UPPER:
            self.max = allowed if self.max is None else min(self.max, allowed)


def _count_force_slots(
    evaluation: Evaluation, force: ForceNode, compiled_force: CompiledForce
) -> Iterator[SlotCounter]:
    # A hidden slot is shown while it is wrongly filled.
    filled = {evaluation.categories.get_membership(member).primary for member in force.members}
    slots = {
        slot.id: slot
        for slot in compiled_force.slots
        if slot.id in filled or not evaluation.values.is_slot_hidden(evaluation.scopes.get_slot(force, slot.id))
    }
    categories = evaluation.ruleset.binding.categories

    # For other categories only unconditional rules count, if the category has a name.
    counters: dict[str, _Counter] = {}
    for category_id, check in _list_category_checks(evaluation, force, compiled_force):
        category = categories.get(category_id)
        constraint = check.constraint
        is_plain = not constraint.when and not constraint.terms
        has_name = category is not None and category.name != category_id
        if (category_id in slots or (is_plain and has_name)) and not is_suppressed(evaluation, check):
            measured_check = measure_check(evaluation, check)
            if measured_check:
                counters.setdefault(category_id, _Counter()).take(measured_check)

    extras = [key for key, counter in counters.items() if key not in slots and not counter.is_blank]
    for category_id in (*extras, *slots):
        counter = counters.get(category_id, _Counter())
        measured = counter.measured
        if measured is None:
            # A unit of several categories is listed under its primary one.
            measured = sum(
                member.number
                for member in evaluation.scopes.get_slot(force, category_id).members
                if evaluation.categories.get_membership(member).primary in ("", category_id)
            )
        slot = slots.get(category_id)
        yield SlotCounter(
            id=category_id,
            name=(slot and slot.name) or categories[category_id].name,
            emblem=slot.emblem if slot else "",
            measured=measured,
            min=counter.min,
            max=counter.max,
        )


def _list_category_checks(
    evaluation: Evaluation, force: ForceNode, compiled_force: CompiledForce
) -> Iterator[tuple[str, Check]]:
    checks: list[tuple[str, Check]] = []
    for bound in BOUNDS:
        for constraint in compiled_force.constraints.by_bound.get(bound, ()):
            checks.append(("", Check(constraint, force)))
        for slot in compiled_force.slots:
            for constraint in slot.constraints.by_bound.get(bound, ()):
                checks.append((slot.id, Check(constraint, evaluation.scopes.get_slot(force, slot.id))))

    for slot_id, check in checks:
        query = check.constraint.query
        category_id = query.child_id or slot_id
        # Such a query would also count a detachment inside this one.
        is_here = query.scope in _OWN_SCOPES and not (query.include_child_forces and force.forces)
        if category_id and query.field == Field.SELECTIONS and is_here and not query.percent:
            yield category_id, check


def build_detachment_rows(
    evaluated_list: EvaluatedList, unit_by_node: Mapping[str, EffectiveSelection], faction_ids: Collection[str]
) -> tuple[DetachmentRow, ...]:
    report = evaluated_list.report
    violations_by_node = _group_by_node(report.violations)
    commander = report.command.commander if report.command else None
    sources = _RowSources(
        evaluated_list=evaluated_list,
        violations_by_node=violations_by_node,
        wrong_units={unit_by_node[node_id].id for node_id in violations_by_node if node_id in unit_by_node},
        slots=count_slots(evaluated_list.evaluation, report.violations),
        positions=_index_positions(evaluated_list.tree),
        decks=evaluated_list.deck_ids,
        settings=evaluated_list.setting_ids,
        nodes={force.document.id: force for force in evaluated_list.evaluation.roster.all_forces},
        commander=unit_by_node.get(commander.id) if commander else None,
        faction_ids=faction_ids,
    )
    return tuple(_build_detachments(sources, report.forces, 0))


@dataclass(frozen=True, slots=True, kw_only=True)
class _RowSources:
    """`commander` is the unit that is or contains the commander."""

    evaluated_list: EvaluatedList
    violations_by_node: Mapping[str, list[Violation]]
    wrong_units: Collection[str]
    slots: Slots
    positions: Mapping[str, int]
    decks: frozenset[str]
    settings: frozenset[str]
    nodes: Mapping[str, ForceNode]
    commander: EffectiveSelection | None
    faction_ids: Collection[str]


def _build_detachments(sources: _RowSources, forces: tuple[EffectiveForce, ...], depth: int) -> Iterator[DetachmentRow]:
    evaluated_list = sources.evaluated_list
    for force in forces:
        node = sources.nodes[force.id]
        compiled_force = node.compiled_force
        yield DetachmentRow(
            force=force,
            points_id=evaluated_list.points_id,
            slots=sources.slots.get(force.id, ()),
            units=tuple(_build_unit_rows(sources, force, node)),
            depth=depth,
            inside=offer_inner_forces(evaluated_list, force, compiled_force) if compiled_force else (),
            holds_allies=may_hold_allies(evaluated_list.ruleset, node, sources.faction_ids),
            faction="" if force.catalogue_id == evaluated_list.tree.of else shorten_faction_name(force.catalogue_name),
        )
        yield from _build_detachments(sources, force.forces, depth + 1)


def _build_unit_rows(sources: _RowSources, force: EffectiveForce, node: ForceNode) -> Iterator[UnitRow]:
    evaluated_list = sources.evaluated_list
    command = evaluated_list.report.command
    # Two features of packs name leaders: of a detachment and of the list.
    growth = node.growth
    system = evaluated_list.ruleset.binding.game_system
    leader_categories = {growth.leader} if growth else set()
    if system and system.command:
        leader_categories.add(system.command.of)
    leading = node.document.leading
    for unit in force.selections:
        violations: tuple[Violation, ...] = ()
        if unit.id in sources.wrong_units:
            # A violation may name several parts of the unit: keep it once.
            here = (violation for part in unit.walk() for violation in sources.violations_by_node.get(part.id, ()))
            violations = tuple({id(violation): violation for violation in here}.values())
        # Data hides helper entries this way, but one that breaks a rule must be visible.
        if unit.hidden and not violations:
            continue

        kind: RowKind = "unit"
        if unit.id in sources.settings:
            container = evaluated_list.evaluation.find_container(unit.id)
            contents = container.contents if container else None
            kind = "setting" if contents is not None and contents.options else "note"

        can_lead = any(category.id in leader_categories for category in unit.categories)
        yield UnitRow(
            selection=unit,
            points_id=evaluated_list.points_id,
            violations=violations,
            # None, not False: a unit that cannot lead has no button for it.
            leads=unit.id in leading if can_lead else None,
            commands=command.name if command and unit is sources.commander else "",
            is_deck=get_target_id(unit.entry_id) in sources.decks,
            position=sources.positions.get(unit.id, 0),
            kind=kind,
            primary=find_primary(unit.categories),
        )


def _index_positions(tree: RosterTree) -> dict[str, int]:
    positions: dict[str, int] = {}
    pending = [tree.forces]
    for forces in pending:
        for force in forces:
            positions.update({unit.id: position for position, unit in enumerate(force.selections)})
            pending.append(force.forces)
    return positions


def _group_by_node(violations: tuple[Violation, ...]) -> dict[str, list[Violation]]:
    violations_by_node: dict[str, list[Violation]] = defaultdict(list)
    for violation in dict.fromkeys(violations):
        places = [violation.on, *(place for place in violation.cause if place.kind is PlaceKind.SELECTION)]
        for node_id in dict.fromkeys(place.id for place in places if place.id):
            violations_by_node[node_id].append(violation)
    return violations_by_node
