"""Build the effective tree in display order, with visible profiles and rules."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from operator import itemgetter
from typing import NamedTuple

from catalogue.definitions.catalogues import Catalogue
from catalogue.definitions.citations import NOWHERE
from catalogue.definitions.entries import Association, EntryType
from catalogue.definitions.infos import Info, InfoKind
from catalogue.definitions.link_index import Binding
from catalogue.definitions.queries import Modifier
from catalogue.graph.compiled_constraints import Modifiers, group_by_field
from catalogue.graph.compiled_entry import MAX_DEPTH, HomedInfo
from catalogue.graph.ids import extend_prefix
from catalogue.graph.infos import format_characteristics
from catalogue.graph.ruleset import CompiledSlot
from roster.engine.attachments import list_bonds, name_association
from roster.engine.effective_values import append_annotation
from roster.engine.effects import HIDDEN, ProfileEffect
from roster.engine.evaluation import Evaluation
from roster.engine.nodes import ForceNode, Node, SelectionNode, SlotNode, TextNode
from roster.engine.report import (
    EffectiveAttachment,
    EffectiveCategory,
    EffectiveForce,
    EffectiveProfile,
    EffectiveRule,
    EffectiveSelection,
)
from roster.engine.tree import CategoryNote, copy_with
from roster.engine.violation_location import find_name, locate_selection

UNCATEGORISED_ID = "(No Category)"
UNCATEGORISED = "Uncategorised"
DIGITS = re.compile(r"(\d+)")


@lru_cache(maxsize=4_096)
def make_natural_key(name: str) -> tuple[tuple[int, int, str], ...]:
    """Make a sort key that compares numbers in a name by value.

    >>> sorted(["Unit 10", "Unit 2"], key=make_natural_key)
    ['Unit 2', 'Unit 10']
    """
    parts = DIGITS.split(name.casefold())
    # Splitting by digits puts numbers at odd positions.
    return tuple((0, int(part), "") if i % 2 else (1, 0, part) for i, part in enumerate(parts))


def build_effective_tree(evaluation: Evaluation) -> tuple[EffectiveForce, ...]:
    forces = [build_force(evaluation, force) for force in evaluation.roster.forces]
    return tuple(sorted(forces, key=lambda force: make_natural_key(force.name)))


def build_force(evaluation: Evaluation, force: ForceNode) -> EffectiveForce:
    row = evaluation.force_rows.get(force)
    if row:
        return row
    document, compiled_force = force.document, force.compiled_force
    name, hidden, citation = document.name, False, NOWHERE
    if compiled_force:
        name = evaluation.values.adjust_name(compiled_force.modifiers, compiled_force.entry.name, force)
        hidden = evaluation.values.is_force_hidden(force)
        citation = evaluation.values.adjust_citation(compiled_force.modifiers, compiled_force.entry.citation, force)
    display = display_force(evaluation, force)
    places = {entry.id: place for place, entry in enumerate(force.inner_entries)}
    inner_forces = sorted(force.forces, key=lambda inner: places.get(inner.document.entry_id, len(places)))
    built = evaluation.force_rows[force] = EffectiveForce(
        id=document.id,
        entry_id=document.entry_id,
        catalogue_id=document.catalogue_id,
        catalogue_name=force.compiled_catalogue.catalogue.name if force.compiled_catalogue else "",
        name=name,
        hidden=hidden,
        custom_name=document.custom_name,
        ordinal=evaluation.ordinals.get(force, 0),
        notes=document.notes,
        totals=evaluation.build_cost_lines(evaluation.costs.sum_force(force)),
        categories=_list_force_categories(evaluation, force),
        profiles=display.profiles,
        rules=display.rules,
        selections=_sort_roots(evaluation, force),
        forces=tuple(build_force(evaluation, inner) for inner in inner_forces),
        citation=citation,
    )
    return built


def _sort_roots(evaluation: Evaluation, force: ForceNode) -> tuple[EffectiveSelection, ...]:
    order = {slot.id: place for place, slot in enumerate(_list_slots(force), 1)}
    rows: dict[int, list[tuple[SelectionNode, EffectiveSelection]]] = {}
    for node in force.members:
        place = order.get(evaluation.categories.get_membership(node).primary, 0)
        row = evaluation.unit_rows.get(node)
        if row is None:
            row = evaluation.unit_rows[node] = build_selection(evaluation, node)
        rows.setdefault(place, []).append((node, row))
    return tuple(selection for place in sorted(rows) for selection in _sort_siblings(rows[place]))


def _list_slots(force: ForceNode) -> Sequence[CompiledSlot]:
    return force.compiled_force.slots if force.compiled_force else ()


def _sort_siblings(row: Iterable[tuple[SelectionNode, EffectiveSelection]]) -> tuple[EffectiveSelection, ...]:
    keyed = []
    for node, selection in row:
        index = node.option.entry.sort_index if node.option else 0
        keyed.append((not index, index, make_natural_key(selection.name), selection))
    return tuple(selection for *_, selection in sorted(keyed, key=itemgetter(0, 1, 2)))


def build_selection(evaluation: Evaluation, node: SelectionNode) -> EffectiveSelection:
    document, option = node.written, node.option
    inside = _sort_siblings((m, build_selection(evaluation, m)) for m in node.members) if node.members else ()
    display = display_selection(evaluation, node)
    costs = evaluation.build_cost_lines(evaluation.costs.get_selection_costs(node))
    entry = option.entry if option else None
    group_name = ""
    if option and option.group:
        group_name = evaluation.values.get_group_name(evaluation.values.get_group(option.group, node.container))
    return EffectiveSelection(
        id=document.id,
        entry_id=node.entry_id,
        name=evaluation.values.get_name(node),
        group_id=node.group_id,
        group_name=group_name,
        type=entry.target.type.value if entry else EntryType.UPGRADE.value,
        number=node.total,
        hidden=evaluation.values.is_entry_hidden(node),
        placeholder=option is None,
        custom_name=document.custom_name,
        notes=document.notes,
        note=entry.note if entry else "",
        costs=costs,
        totals=evaluation.build_cost_lines(evaluation.costs.sum_selection(node)) if inside else costs,
        categories=_list_categories(evaluation, node),
        profiles=display.profiles,
        rules=display.rules,
        selections=inside,
        attachments=_list_attachments(evaluation, node),
        joined_by=_list_joining(evaluation, node),
        citation=evaluation.values.get_citation(node),
    )


def _list_attachments(evaluation: Evaluation, node: SelectionNode) -> tuple[EffectiveAttachment, ...]:
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
    attached = evaluation.scopes.attached.get(node.written.id)
    if not attached:
        return ()
    return tuple(
        _build_attachment(evaluation, bond.association, bond.source)
        for attachment, source in attached
        for bond in list_bonds(evaluation, source)
        if bond.attachment is attachment and bond.association
    )


def _list_categories(evaluation: Evaluation, node: SelectionNode) -> tuple[EffectiveCategory, ...]:
    membership = evaluation.categories.get_membership(node)

    def build_categories() -> tuple[EffectiveCategory, ...]:
        categories = []
        for category_id in membership.ids:
            category = evaluation.ruleset.binding.categories.get(category_id)
            categories.append(
                EffectiveCategory(
                    id=category_id,
                    name=find_name(evaluation, category_id),
                    primary=category_id == membership.primary,
                    hidden=category.hidden if category else False,
                    citation=category.citation if category else NOWHERE,
                )
            )
        return tuple(categories)

    # Shared by all selections with these categories, in all lists.
    return evaluation.ruleset.derive((_list_categories, membership), build_categories)


def _list_force_categories(evaluation: Evaluation, force: ForceNode) -> tuple[EffectiveCategory, ...]:
    notes = {note.category_id: note for note in force.document.category_notes}
    blank = CategoryNote(category_id="")
    # Other programs allow notes on it, although it is not in the data.
    uncategorised = notes.get(UNCATEGORISED_ID, blank)
    categories = [
        EffectiveCategory(
            id=UNCATEGORISED_ID, name=UNCATEGORISED, custom_name=uncategorised.custom_name, notes=uncategorised.notes
        )
    ]
    for slot in _list_slots(force):
        note = notes.get(slot.id, blank)
        node = evaluation.scopes.get_slot(force, slot.id)
        display = display_category(evaluation, node) if slot.category else Display()
        categories.append(
            EffectiveCategory(
                id=slot.id,
                name=evaluation.values.adjust_name(slot.modifiers, slot.name, node),
                hidden=evaluation.values.adjust_flag(slot.modifiers.get(HIDDEN, ()), slot.hidden, node),
                custom_name=note.custom_name,
                notes=note.notes,
                profiles=display.profiles,
                rules=display.rules,
                citation=slot.category.citation if slot.category else NOWHERE,
            )
        )
    return tuple(categories)


# ---- profiles and rules ----------------------------------------------------------------------------------------------


class Display(NamedTuple):
    profiles: tuple[EffectiveProfile, ...] = ()
    rules: tuple[EffectiveRule, ...] = ()


def display_selection(evaluation: Evaluation, node: SelectionNode) -> Display:
    if node.option is None:
        return Display()
    entry = node.option.entry

    def show_fixed() -> Display | None:
        # None means "not the same everywhere" and is cached, too.
        is_fixed = all(_is_fixed(evaluation, bound) for bound in entry.infos)
        return display_infos(evaluation, entry.infos, node) if is_fixed else None

    if node not in evaluation.profile_effects:
        key = (display_selection, entry, node.start, node.container.start)
        fixed = evaluation.ruleset.derive(key, show_fixed)
        if fixed is not None:
            return fixed
    return display_infos(evaluation, entry.infos, node)


def display_force(evaluation: Evaluation, force: ForceNode) -> Display:
    if force.compiled_catalogue is None or force.compiled_force is None:
        return Display()
    home = force.compiled_catalogue.catalogue
    infos = [HomedInfo(info, home) for info in force.compiled_force.entry.infos]
    for catalogue in force.compiled_catalogue.imported:
        infos += [HomedInfo(info, catalogue) for info in catalogue.infos]
    return display_infos(evaluation, infos, force)


def display_category(evaluation: Evaluation, node: SlotNode) -> Display:
    slot, force = node.slot, node.force
    if slot is None or force is None or force.compiled_catalogue is None:
        return Display()
    home = force.compiled_catalogue.catalogue
    infos = chain.from_iterable(part.infos for part in (slot.category, slot.link) if part)
    return display_infos(evaluation, [HomedInfo(info, home) for info in infos], node)


def display_infos(evaluation: Evaluation, infos: Iterable[HomedInfo], node: Node) -> Display:
    profiles: list[EffectiveProfile] = []
    rules: list[EffectiveRule] = []
    reached = evaluation.profile_effects.get(node, ()) if isinstance(node, SelectionNode) else ()
    for bound in infos:
        display = _display_changing(evaluation, bound, node, reached) if reached else _display(evaluation, bound, node)
        profiles += display.profiles
        rules += display.rules
    return Display(tuple(profiles), tuple(rules))


def _display(evaluation: Evaluation, bound: HomedInfo, node: Node) -> Display:
    def show_fixed() -> Display | None:
        return _display_changing(evaluation, bound, node, ()) if _is_fixed(evaluation, bound) else None

    # By identity: comparing infos costs more than displaying them.
    key = (_display, id(bound.info), id(bound.home), _get_path_start(bound, node))
    return evaluation.ruleset.derive(key, show_fixed) or _display_changing(evaluation, bound, node, ())


def _is_fixed(evaluation: Evaluation, bound: HomedInfo) -> bool:
    return not any(traced.fields or traced.hiding for traced in _trace_infos(evaluation, bound))


def _display_changing(
    evaluation: Evaluation, bound: HomedInfo, node: Node, reached: Sequence[ProfileEffect]
) -> Display:
    profiles: list[EffectiveProfile] = []
    rules: list[EffectiveRule] = []
    place = TextNode(node) if isinstance(node, SelectionNode) else node
    start = _get_path_start(bound, node)
    for traced in _trace_infos(evaluation, bound):
        if any(evaluation.values.adjust_flag(modifiers, hidden, place) for modifiers, hidden in traced.hiding):
            continue
        path = start + traced.links
        if traced.info.kind is InfoKind.PROFILE:
            profiles.append(_show_profile(evaluation, traced, path, place, reached))
        else:
            info, fields = traced.info, traced.fields
            description = evaluation.values.adjust_text(fields.get("description", ()), info.description, place)
            rules.append(
                EffectiveRule(
                    id=info.id,
                    name=evaluation.values.adjust_name(fields, info.name, place),
                    description=description,
                    phase=info.phase.value,
                    parameter=info.parameter,
                    citation=evaluation.values.adjust_citation(fields, info.citation, place),
                    path=path,
                )
            )
    return Display(tuple(profiles), tuple(rules))


Hiding = tuple[tuple[tuple[Modifier, ...], bool], ...]
"""Hiding modifiers of each step on the path to an info, with the flag before them."""


class _TracedInfo(NamedTuple):
    info: Info
    fields: Modifiers
    links: str
    hiding: Hiding


def _trace_infos(evaluation: Evaluation, bound: HomedInfo) -> tuple[_TracedInfo, ...]:
    key = (_trace_infos, id(bound.info), id(bound.home))
    return evaluation.ruleset.derive(key, lambda: tuple(_follow_links(evaluation.ruleset.binding, bound)))


def _follow_links(binding: Binding, bound: HomedInfo) -> Iterator[_TracedInfo]:
    pending = [_InfoStep(bound.info, bound.home)]
    while pending:
        step = pending.pop()
        info = step.info
        # Modifiers of a link apply after its target's.
        modifiers = (*info.modifiers, *step.inherited)
        fields = group_by_field(modifiers)
        # Community data contains cyclic links.
        if step.depth > MAX_DEPTH or (info.hidden and HIDDEN not in fields):
            continue
        hiding = (*step.hiding, (fields[HIDDEN], info.hidden)) if HIDDEN in fields else step.hiding
        inner = step._replace(inherited=modifiers, hiding=hiding, depth=step.depth + 1)
        if info.kind is InfoKind.GROUP:
            # Modifiers of a group do not apply to its members.
            pending += [inner._replace(info=member, inherited=()) for member in reversed(info.infos)]
        elif info.kind is InfoKind.LINK:
            target = binding.find_info(info.target_id, step.home)
            if target:
                links = extend_prefix(step.links, info.id)
                pending.append(inner._replace(info=target.info, home=target.home, links=links))
        else:
            yield _TracedInfo(info, fields, step.links, hiding)


class _InfoStep(NamedTuple):
    info: Info
    home: Catalogue
    inherited: tuple[Modifier, ...] = ()
    links: str = ""
    hiding: Hiding = ()
    depth: int = 0


def _get_path_start(bound: HomedInfo, node: Node) -> str:
    if not isinstance(node, SelectionNode):
        return ""
    return node.container.start if bound.on_link else node.start


def _show_profile(
    evaluation: Evaluation, traced: _TracedInfo, path: str, node: Node, reached: Sequence[ProfileEffect]
) -> EffectiveProfile:
    info, fields = traced.info, traced.fields
    profile_type = evaluation.ruleset.binding.profile_types.get(info.type_id)
    type_name = info.type_name or (profile_type.name if profile_type else "")
    # Effects name a profile type, not its id.
    outside = [influence for influence in reached if influence.profile_type == type_name]

    def adjust_field(field: str, text: str) -> str:
        text = evaluation.values.adjust_text(fields.get(field, ()), text, node)
        for influence in outside:
            if influence.modifier.field == field:
                text = evaluation.values.adjust_text((influence.modifier,), text, influence.source)
        return text

    characteristics = tuple(
        copy_with(c, value=adjust_field(c.type_id, c.value)) if fields or outside else c for c in info.characteristics
    )
    return EffectiveProfile(
        id=info.id,
        name=append_annotation(adjust_field("name", info.name), adjust_field("annotation", "")),
        type_id=info.type_id,
        type_name=type_name,
        characteristics=format_characteristics(characteristics, profile_type),
        citation=evaluation.values.adjust_citation(fields, info.citation, node),
        path=path,
    )
