"""Nothing that the data hides.

**Demands** that no selection has an entry hidden in its place, that no slot hidden by its force is used, and that no
force of a hidden kind has contents.

**Why:** data hides what may not be taken: another sub-faction's relics, upgrades whose condition is not met, slots that
a detachment lacks.

**Measured** by the hidden flags, after modifiers, of an entry, its link and the groups around it; of a slot's category
and the force's link to it; and of a kind of force. A selection is in the slot of its primary category. Reported once
per entry and place, per slot and per force; `measured` is the number taken. Hidden entries require nothing; selections
in a hidden slot keep their own limits. If every kind of force is always hidden, the flag is ignored.

**Broken by** a relic taken before the warlord changed its regiment, and by elites in a detachment without a slot for
them.
"""

from collections.abc import Iterator, Sequence

from catalogue.definitions.entries import ForceEntry
from catalogue.definitions.rule_codes import RuleCode
from roster.engine.evaluation import Evaluation
from roster.engine.footprints import HIDDEN
from roster.engine.nodes import Container, ForceNode, SelectionNode, SlotNode, force_names
from roster.engine.offers import list_offered_forces
from roster.engine.report import Violation
from roster.engine.rule import build_hidden_slot_violation, build_hidden_violation, build_rule_violation
from roster.engine.rule_citation import attach_rule_text
from roster.engine.violation_location import locate_force


def check(evaluation: Evaluation) -> Iterator[Violation]:
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
    entries: Sequence[ForceEntry] = ()
    parent_id = ""
    if isinstance(force.parent, ForceNode):
        entries, parent_id = force.parent.inner_entries, force.parent.document.id
    elif force.compiled_catalogue:
        entries = force.compiled_catalogue.force_entries
    # Other programs save a linked kind under its target, which data always hides: the link is on offer.
    offered = list_offered_forces(evaluation, entries, force.document.catalogue_id, parent_id)
    if any(not force.names.isdisjoint(force_names(entry.id)) for entry in offered):
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
