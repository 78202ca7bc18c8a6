"""The effective tree: each force and selection as it stands now, with everything derived for it, in display order."""

import re
from collections.abc import Iterable, Sequence

from catalogue.definitions.citations import NOWHERE
from catalogue.definitions.entries import Association, EntryType
from catalogue.graph.compiled_entry import CategoryMembership
from catalogue.graph.ruleset import CompiledSlot
from roster.engine.attachments import list_bonds, name_association
from roster.engine.evaluation import Evaluation
from roster.engine.infos import Display, display_category, display_force, display_selection
from roster.engine.nodes import ForceNode, SelectionNode
from roster.engine.offers import is_force_hidden
from roster.engine.report import EffectiveAttachment, EffectiveCategory, EffectiveForce, EffectiveSelection
from roster.engine.tree import CategoryNote
from roster.engine.violation_location import find_name, locate_selection

UNCATEGORISED_ID = "(No Category)"
UNCATEGORISED = "Uncategorised"
DIGITS = re.compile(r"(\d+)")


def make_natural_key(name: str) -> tuple[tuple[int, int, str], ...]:
    """Make a sort key that reads numbers inside a name as numbers.

    >>> sorted(["Unit 10", "Unit 2"], key=make_natural_key)
    ['Unit 2', 'Unit 10']
    """
    parts = DIGITS.split(name.casefold())
    # A split by digits has the numbers at its odd places.
    return tuple((0, int(part), "") if i % 2 else (1, 0, part) for i, part in enumerate(parts))


def build_effective_tree(evaluation: Evaluation) -> tuple[EffectiveForce, ...]:
    """Build all forces of the roster; top-level ones by name."""
    forces = [build_force(evaluation, force) for force in evaluation.roster.forces]
    return tuple(sorted(forces, key=lambda force: make_natural_key(force.name)))


def build_force(evaluation: Evaluation, force: ForceNode) -> EffectiveForce:
    """Build a force: selections in the order of its categories, then by name; inner forces as in the data."""
    document, compiled_force = force.document, force.compiled_force
    name, hidden, citation = document.name, False, NOWHERE
    if compiled_force:
        name = evaluation.values.adjust_name(compiled_force.modifiers, compiled_force.entry.name, force)
        hidden = is_force_hidden(evaluation, force)
        citation = evaluation.values.adjust_citation(compiled_force.modifiers, compiled_force.entry.citation, force)
    display = display_force(evaluation, force)
    return EffectiveForce(
        id=document.id,
        entry_id=document.entry_id,
        catalogue_id=document.catalogue_id,
        catalogue_name=force.compiled_catalogue.catalogue.name if force.compiled_catalogue else "",
        name=name,
        hidden=hidden,
        custom_name=document.custom_name,
        ordinal=force.ordinal,
        notes=document.notes,
        totals=evaluation.build_cost_lines(evaluation.costs.sum_force(force)),
        categories=_list_force_categories(evaluation, force),
        profiles=display.profiles,
        rules=display.rules,
        selections=_sort_roots(evaluation, force),
        forces=tuple(build_force(evaluation, inner) for inner in _sort_forces(force)),
        citation=citation,
    )


def _sort_forces(force: ForceNode) -> list[ForceNode]:
    place = {entry.id: i for i, entry in enumerate(force.inner_entries)}
    return sorted(force.forces, key=lambda inner: place.get(inner.document.entry_id, len(place)))


def _sort_roots(evaluation: Evaluation, force: ForceNode) -> tuple[EffectiveSelection, ...]:
    order = {slot.id: place for place, slot in enumerate(_list_slots(force), 1)}
    rows: dict[int, list[tuple[SelectionNode, EffectiveSelection]]] = {}
    for node in force.members:
        place = order.get(evaluation.categories.get_membership(node).primary, 0)
        rows.setdefault(place, []).append((node, build_selection(evaluation, node)))
    return tuple(selection for place in sorted(rows) for selection in _sort_siblings(rows[place]))


def _list_slots(force: ForceNode) -> Sequence[CompiledSlot]:
    return force.compiled_force.slots if force.compiled_force else ()


def _sort_siblings(row: Iterable[tuple[SelectionNode, EffectiveSelection]]) -> tuple[EffectiveSelection, ...]:
    """Sort siblings by their place in the data where they have one, the others after them by name."""
    keyed = [(_sort_index(node), make_natural_key(selection.name), selection) for node, selection in row]
    return tuple(selection for *_, selection in sorted(keyed, key=lambda item: item[:2]))


def _sort_index(node: SelectionNode) -> tuple[bool, int]:
    index = node.option.entry.sort_index if node.option else 0
    # An index of 0 says that the data gives none.
    return not index, index


def build_selection(evaluation: Evaluation, node: SelectionNode) -> EffectiveSelection:
    """Build a selection with what is inside it, by name."""
    document, option = node.written, node.option
    inside = _sort_siblings((m, build_selection(evaluation, m)) for m in node.members)
    display = display_selection(evaluation, node)
    costs = evaluation.build_cost_lines(evaluation.costs.get_selection_costs(node))
    entry = option.entry if option else None
    return EffectiveSelection(
        id=document.id,
        entry_id=node.entry_id,
        name=evaluation.values.get_name(node),
        group_id=node.group_id,
        group_name=_find_group_name(evaluation, node),
        type=entry.target.type.value if entry else EntryType.UPGRADE.value,
        number=node.total,
        hidden=evaluation.values.is_hidden(node),
        placeholder=option is None,
        custom_name=document.custom_name,
        notes=document.notes,
        note=entry.note if entry else "",
        costs=costs,
        # Most selections hold nothing: their sum is their cost.
        totals=evaluation.build_cost_lines(evaluation.costs.sum_selection(node)) if inside else costs,
        categories=_list_categories(evaluation, node),
        profiles=display.profiles,
        rules=display.rules,
        selections=inside,
        attachments=_list_attachments(evaluation, node),
        joined_by=_list_joining(evaluation, node),
        citation=evaluation.values.get_citation(node),
    )


def _find_group_name(evaluation: Evaluation, node: SelectionNode) -> str:
    if node.option is None or node.option.group is None:
        return ""
    group = evaluation.values.get_group(node.option.group, node.container)
    return evaluation.values.get_group_name(group)


def _list_attachments(evaluation: Evaluation, node: SelectionNode) -> tuple[EffectiveAttachment, ...]:
    """List what a selection is attached to, as far as the list and the data have it."""
    if not node.written.attachments:
        return ()
    return tuple(
        _build_attachment(evaluation, bond.association, bond.target)
        for bond in list_bonds(evaluation, node)
        if bond.association and bond.target
    )


def _build_attachment(evaluation: Evaluation, association: Association, other: SelectionNode) -> EffectiveAttachment:
    return EffectiveAttachment(
        association_id=association.id, name=name_association(association), to=locate_selection(evaluation, other)
    )


def _list_joining(evaluation: Evaluation, node: SelectionNode) -> tuple[EffectiveAttachment, ...]:
    """List what is attached to a selection, each with the other one."""
    return tuple(
        _build_attachment(evaluation, bond.association, bond.source)
        for attachment, source in evaluation.scopes.attached.get(node.written.id, ())
        for bond in list_bonds(evaluation, source)
        if bond.attachment is attachment and bond.association
    )


def _list_categories(evaluation: Evaluation, node: SelectionNode) -> tuple[EffectiveCategory, ...]:
    membership = evaluation.categories.get_membership(node)
    # Hundreds of selections are of the same categories, in this list and in others.
    return evaluation.ruleset.derive(
        (_list_categories, membership),
        lambda: tuple(_build_category(evaluation, category_id, membership) for category_id in membership.ids),
    )


def _build_category(evaluation: Evaluation, category_id: str, membership: CategoryMembership) -> EffectiveCategory:
    known = evaluation.ruleset.binding.categories.get(category_id)
    return EffectiveCategory(
        id=category_id,
        name=find_name(evaluation, category_id),
        primary=category_id == membership.primary,
        hidden=known.hidden if known else False,
        citation=known.citation if known else NOWHERE,
    )


def _list_force_categories(evaluation: Evaluation, force: ForceNode) -> tuple[EffectiveCategory, ...]:
    notes = {note.category_id: note for note in force.document.category_notes}
    blank = CategoryNote(category_id="")
    # It is not a category of the data, but other programs let players write a note on it.
    uncategorised = notes.get(UNCATEGORISED_ID, blank)
    categories = [
        EffectiveCategory(
            id=UNCATEGORISED_ID, name=UNCATEGORISED, custom_name=uncategorised.custom_name, notes=uncategorised.notes
        )
    ]
    for slot in _list_slots(force):
        categories.append(_build_slot_category(evaluation, force, slot, notes.get(slot.id, blank)))
    return tuple(categories)


def _build_slot_category(
    evaluation: Evaluation, force: ForceNode, slot: CompiledSlot, note: CategoryNote
) -> EffectiveCategory:
    node = evaluation.scopes.get_slot(force, slot.id)
    display = display_category(evaluation, node) if slot.category else Display()
    return EffectiveCategory(
        id=slot.id,
        name=evaluation.values.adjust_name(slot.modifiers, slot.name, node),
        hidden=evaluation.values.adjust_flag(slot.modifiers.get("hidden", ()), slot.hidden, node),
        custom_name=note.custom_name,
        notes=note.notes,
        profiles=display.profiles,
        rules=display.rules,
        citation=slot.category.citation if slot.category else NOWHERE,
    )
