"""Detachments and their units as ledger lines."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from catalogue.graph.ids import get_target_id
from roster.engine.report import CommanderInfo, EffectiveForce, EffectiveSelection, PlaceKind, Violation
from roster.engine.tree import Force, RosterTree
from roster.services.board.shapes import CountedName, DetachmentRow, UnitRow
from roster.services.board.slots import Slots, count_slots
from roster.services.board.unit_offers import offer_inner_forces
from roster.services.evaluation import EvaluatedList, get_cost_value
from roster.services.tree_lookup import find_node

_ByNode = dict[str, list[Violation]]


def build_detachment_rows(judged: EvaluatedList) -> tuple[DetachmentRow, ...]:
    """Build the rows of all forces of a list, those inside another right after it."""
    violations = _group_by_node(judged.report.violations)
    points = judged.points
    type_id = points.type_id if points else ""
    makers = _RowContext(
        judged,
        violations,
        type_id,
        count_slots(judged.evaluation, judged.report.violations),
        _index_positions(judged.tree),
        frozenset(deck.entry_id for catalogue in judged.ruleset.data.catalogues for deck in catalogue.decks),
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

    def count_cards(self, unit: EffectiveSelection) -> int | None:
        """Return how many cards a deck holds; None if it is no deck."""
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
            inside=offer_inner_forces(context.judged.ruleset, force.entry_id, force.catalogue_id),
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
    )


def _name_command(command: CommanderInfo | None, unit: EffectiveSelection) -> str:
    """Return what a unit is called that commands the list or holds who does; blank for any other."""
    commander_id = command.commander.id if command and command.commander else ""
    if command is None or not commander_id:
        return ""
    return command.name if any(node.id == commander_id for node in unit.walk()) else ""


def _find_leaders(context: _RowContext, force: EffectiveForce) -> tuple[set[str], tuple[str, ...]]:
    """Return the categories that may lead a detachment or the list, and the units declared to lead."""
    book = context.judged.ruleset.find_catalogue(force.catalogue_id)
    template = book.find_force(force.entry_id) if book else None
    growth = template.entry.growth if template else None
    node = find_node(context.judged.tree, force.id)
    system = context.judged.ruleset.binding.game_system
    command = system.command if system else None
    # Two features of packs name leaders: one by detachment, one for the whole list.
    able = {growth.leader} if growth else set()
    able |= {command.of} if command else set()
    return able, node.leading if isinstance(node, Force) else ()


def _index_positions(tree: RosterTree) -> dict[str, int]:
    """Index the position of every detachment and unit among its siblings; the page has another order."""
    positions: dict[str, int] = {}
    # Positions are those of the stored tree, where `move` counts; the page sorts by type and name.
    pending = [tree.forces]
    for forces in pending:
        for position, force in enumerate(forces):
            positions[force.id] = position
            positions |= {unit.id: place for place, unit in enumerate(force.selections)}
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
