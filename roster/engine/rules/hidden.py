"""Nothing that is hidden.

**Demands** that no selection is of an entry that is hidden where it stands, that nothing stands in a slot that its
force hides, and that nothing is in a force whose kind is hidden.

**Why:** data hides what may not be taken: the relics of another sub-faction, an upgrade whose condition is not met,
the slots that a detachment does not have.

**Measured** by the hidden flag of the entry, of the link to it and of the groups around it, after modifiers; of a slot
by that of the force's link to the category and of the category itself; of a force by that of its kind. A selection
stands in the slot of its primary category. Reported once per entry and place, per slot and per force; `measured` is how
many were taken. What is hidden demands nothing itself; what was taken for a hidden slot keeps its own limits. If every
kind of force is flagged hidden for good, the flag says nothing.

**Broken by** a relic that was taken before the warlord changed its regiment, and by elites in a detachment without a
slot for them.
"""

from collections.abc import Iterator

from catalogue.definitions.rule_codes import RuleCode
from roster.engine.evaluation import Evaluation
from roster.engine.footprints import HIDDEN
from roster.engine.nodes import Container, ForceNode, RosterNode, SelectionNode, SlotNode
from roster.engine.offers import list_offered_forces
from roster.engine.report import Violation
from roster.engine.rule import build_hidden_slot_violation, build_hidden_violation, build_rule_violation
from roster.engine.rule_citation import attach_rule_text
from roster.engine.violation_location import locate_force


def check(evaluation: Evaluation) -> Iterator[Violation]:
    """Find each hidden entry and slot at each place where something was taken of it, and each hidden force."""
    for force in evaluation.roster.all_forces:
        if (force.members or force.forces) and evaluation.values.is_force_hidden(force):
            yield from _check_force(evaluation, force)
    containers: list[Container] = [*evaluation.roster.all_forces, *evaluation.roster.selections]
    for container in containers:
        is_open = container.footprint is None or container.footprint.may_break(HIDDEN)
        if container.members and is_open:
            for violation in _check_members(evaluation, container):
                if container.footprint:
                    container.footprint.broken.add(HIDDEN)
                yield violation


def _check_force(evaluation: Evaluation, force: ForceNode) -> Iterator[Violation]:
    if force.compiled_force and force.compiled_catalogue and isinstance(force.parent, RosterNode):
        entries, catalogue_id = force.compiled_catalogue.force_entries, force.document.catalogue_id
        offered = list_offered_forces(evaluation, entries, catalogue_id)
        if any(entry is force.compiled_force.entry for entry in offered):
            return
    location = locate_force(evaluation, force)
    yield build_rule_violation(RuleCode.HIDDEN, location, force.document.entry_id, measured=1, cause=(location,))


def _check_members(evaluation: Evaluation, container: Container) -> Iterator[Violation]:
    in_hidden_slots: dict[SlotNode, list[SelectionNode]] = {}
    for nodes in evaluation.group_selections(container).values():
        hidden_nodes = [node for node in nodes if evaluation.values.is_entry_hidden(node)]
        if hidden_nodes:
            violation = build_hidden_violation(evaluation, hidden_nodes)
            yield attach_rule_text(evaluation, violation, hidden_nodes[0])
            continue
        for node in nodes:
            slot = evaluation.values.find_hidden_slot(node)
            if slot:
                in_hidden_slots.setdefault(slot, []).append(node)
    for slot, nodes in in_hidden_slots.items():
        yield attach_rule_text(evaluation, build_hidden_slot_violation(evaluation, slot, nodes), nodes[0])
