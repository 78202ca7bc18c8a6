"""Edits return a new roster, or why they were refused."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

from catalogue.definitions.entries import NO_LIMIT
from catalogue.definitions.numbers import Number
from catalogue.graph.compiled_entry import MAX_DEPTH, CompiledOption
from catalogue.graph.ids import strip_link_prefix
from catalogue.graph.ruleset import CompiledForce, Ruleset
from roster.engine.attachments import find_association
from roster.engine.evaluation import Evaluation
from roster.engine.new_selections import IdSource as IdSource
from roster.engine.new_selections import (
    add_cost_types,
    copy_force,
    copy_selection,
    fill_force,
    generate_id,
    insert_option,
    list_hidden_picks,
    may_hide_root,
)
from roster.engine.nodes import Container, ForceNode, SelectionNode, is_within_itself
from roster.engine.tree import (
    Attachment,
    CategoryNote,
    Force,
    Limit,
    Path,
    RosterTree,
    Selection,
    Value,
    copy_with,
    find_path,
    get_siblings,
    prune_attachments,
    prune_to_path,
    remove_node,
    replace_node,
    replace_siblings,
)

MOST = 9999
Part = TypeVar("Part", Force, Selection)


class EditedRoster(Value):
    """The roster after an edit.

    `created` are the ids of the nodes that it was about, the requested node first. `evaluation`, if any, is of this
    roster.
    """

    roster: RosterTree
    created: tuple[str, ...] = ()
    evaluation: Evaluation | None = None


class Refused(Value):
    """Why an edit was not made.

    `code` is stable: `unknown-node`, `unknown-force-entry`, `unknown-catalogue`, `unknown-entry`, `unknown-cost-type`,
    `unknown-association`, `bad-number`, `too-deep`. `subject_id` is the missing id or the node. The last two codes set
    `measured` and `allowed`.
    """

    code: str
    subject_id: str = ""
    measured: Number = 0
    allowed: Number = 0


# ---- rosters and forces ------------------------------------------------------------------------------------------


def create_roster(
    ruleset: Ruleset, name: str = "", *, limits: Mapping[str, Number] | None = None, ids: IdSource = generate_id
) -> EditedRoster:
    """Create an empty roster with `limits`, defaults, and limits that depend on them."""
    explicit = limits or {}
    cost_types = ruleset.binding.cost_types.values()
    starting = {kind.id: kind.default_limit for kind in cost_types if kind.default_limit >= 0}
    values = {**starting, **explicit}
    values = {**values, **find_dependent_limits(ruleset, values), **explicit}
    agreed = {type_id: value for type_id, value in values.items() if value >= 0}
    roster = RosterTree(id=ids(), name=name, limits=_build_limits(agreed))
    return EditedRoster(roster=roster, created=(roster.id,))


def list_open_limits(ruleset: Ruleset) -> dict[str, Number]:
    """Leave the points limit open if its default is 0: players agree on one."""
    points = ruleset.points_type
    return {points.id: NO_LIMIT} if points and points.default_limit == 0 else {}


def _build_limits(limits: Mapping[str, Number]) -> tuple[Limit, ...]:
    return tuple(Limit(type_id=type_id, value=value) for type_id, value in limits.items())


def add_force(
    ruleset: Ruleset,
    roster: RosterTree,
    force_entry_id: str,
    catalogue_id: str,
    parent_id: str = "",
    *,
    ids: IdSource = generate_id,
) -> EditedRoster | Refused:
    compiled_force = find_force_kind(ruleset, catalogue_id, force_entry_id)
    if isinstance(compiled_force, Refused):
        return compiled_force
    path = _find_path_within(roster, parent_id)
    parent = path[-1] if path else None
    if not isinstance(parent, RosterTree | Force):
        return Refused(code="unknown-node", subject_id=parent_id)
    if len(path) >= MAX_DEPTH:
        return Refused(code="too-deep", subject_id=parent_id, measured=len(path), allowed=MAX_DEPTH)
    force = Force(id=ids(), entry_id=force_entry_id, catalogue_id=catalogue_id, name=compiled_force.entry.name)
    roster = replace_node(path, copy_with(parent, forces=(*parent.forces, force)))
    return _add_root_minimums(ruleset, roster, force.id, ids)


def find_force_kind(ruleset: Ruleset, catalogue_id: str, force_entry_id: str) -> CompiledForce | Refused:
    compiled_catalogue = ruleset.find_catalogue(catalogue_id)
    if compiled_catalogue is None:
        return Refused(code="unknown-catalogue", subject_id=catalogue_id)
    compiled_force = compiled_catalogue.find_force(force_entry_id)
    return compiled_force or Refused(code="unknown-force-entry", subject_id=force_entry_id)


def _find_path_within(roster: RosterTree, node_id: str) -> Path:
    return find_path(roster, node_id) if node_id else (roster,)


def _find_part(roster: RosterTree, node_id: str, kind: type[Part]) -> tuple[Path, Part | None]:
    path = find_path(roster, node_id)
    part = path[-1] if path else None
    return path, part if isinstance(part, kind) else None


def _add_root_minimums(ruleset: Ruleset, roster: RosterTree, force_id: str, ids: IdSource) -> EditedRoster:
    def judge() -> tuple[Evaluation, ForceNode]:
        evaluation = Evaluation(ruleset, roster)
        return evaluation, next(force for force in evaluation.roster.all_forces if force.document.id == force_id)

    def insert(option: CompiledOption) -> None:
        nonlocal roster
        roster, _ = insert_option(ruleset, roster, force_id, option, ids, automatic=True)

    evaluation, force = judge()
    # A roster lists every cost type it ever had, even if the total is 0.
    roster = add_cost_types(roster, evaluation.costs.get_declared_costs(force))
    fill_force(judge, insert)
    return drop_hidden_picks(ruleset, roster, (force_id,))


def drop_hidden_picks(ruleset: Ruleset, roster: RosterTree, created: tuple[str, ...]) -> EditedRoster:
    """Remove automatic selections that an edit has hidden, such as a note shown while a force is empty."""
    while any(_may_be_hidden(ruleset, force, root) for force, root in _walk_roots(roster.forces)):
        evaluation = Evaluation(ruleset, roster)
        # A removal may hide or show other selections.
        hidden = list_hidden_picks(evaluation, evaluation.roster.selections)
        if not hidden:
            return EditedRoster(roster=roster, created=created, evaluation=evaluation)
        for node in hidden:
            path = find_path(roster, node.written.id)
            # It may be gone with the selection around it.
            roster = remove_node(path) if path else roster
    return EditedRoster(roster=roster, created=created)


def _walk_roots(forces: Iterable[Force]) -> Iterator[tuple[Force, Selection]]:
    for force in forces:
        yield from ((force, root) for root in force.selections)
        yield from _walk_roots(force.forces)


def _may_be_hidden(ruleset: Ruleset, force: Force, root: Selection) -> bool:
    catalogue = ruleset.find_catalogue(force.catalogue_id) if root.automatic else None
    option = catalogue.root_options.find_option(root.entry_id) if catalogue else None
    compiled_force = catalogue.find_force(force.entry_id) if catalogue else None
    return option is not None and may_hide_root(ruleset, compiled_force, option)


def claim_pick(roster: RosterTree, node_id: str) -> RosterTree:
    """Mark the automatic selection at or around a node as chosen, to keep it."""
    for node in find_path(roster, node_id):
        if isinstance(node, Selection) and node.automatic:
            return replace_node(find_path(roster, node.id), copy_with(node, automatic=False))
    return roster


def change_force(
    ruleset: Ruleset, roster: RosterTree, force_id: str, force_entry_id: str, *, ids: IdSource = generate_id
) -> EditedRoster | Refused:
    """Change a force's kind, keep its contents, and add missing automatic selections."""
    path, force = _find_part(roster, force_id, Force)
    if force is None:
        return Refused(code="unknown-node", subject_id=force_id)
    compiled_catalogue = ruleset.find_catalogue(force.catalogue_id)
    compiled_force = compiled_catalogue.find_force(force_entry_id) if compiled_catalogue else None
    if compiled_force is None:
        return Refused(code="unknown-force-entry", subject_id=force_entry_id)
    roster = replace_node(path, copy_with(force, entry_id=force_entry_id, name=compiled_force.entry.name))
    return _add_root_minimums(ruleset, roster, force_id, ids)


def remove_force(roster: RosterTree, force_id: str) -> EditedRoster | Refused:
    path, force = _find_part(roster, force_id, Force)
    if force is None:
        return Refused(code="unknown-node", subject_id=force_id)
    return EditedRoster(roster=prune_attachments(remove_node(path)))


def duplicate_force(
    ruleset: Ruleset, roster: RosterTree, force_id: str, *, ids: IdSource = generate_id
) -> EditedRoster | Refused:
    path, force = _find_part(roster, force_id, Force)
    if force is None:
        return Refused(code="unknown-node", subject_id=force_id)
    copy = copy_force(force, ids)
    return EditedRoster(roster=replace_siblings(path, (*get_siblings(path), copy)), created=(copy.id,))


def declare_leader(
    roster: RosterTree, force_id: str, selection_id: str, *, beside: bool = False
) -> EditedRoster | Refused:
    """Declare a leader, in addition to earlier ones if `beside`. A blank id means any."""
    path, force = _find_part(roster, force_id, Force)
    if force is None:
        return Refused(code="unknown-node", subject_id=force_id)
    if not any(selection_id in (selection.id, "") for selection in force.selections):
        return Refused(code="unknown-node", subject_id=selection_id)
    leading = (*force.leading, selection_id) if beside else (selection_id,)
    led = copy_with(force, leader_id=leading[0], also_leading=leading[1:])
    return EditedRoster(roster=replace_node(path, led), created=(selection_id,))


# ---- selections --------------------------------------------------------------------------------------------------


def select(
    ruleset: Ruleset, roster: RosterTree, parent_id: str, entry_id: str, *, ids: IdSource = generate_id
) -> EditedRoster | Refused:
    """Add a selection with its automatic selections, even if the rules forbid it.

    `entry_id` is a composite id, a link's id or the target's id. If a selection already contains the entry and it can
    be counted, its number goes up by one instead.
    """
    path = find_path(roster, parent_id)
    if not path:
        return Refused(code="unknown-node", subject_id=parent_id)
    if len(path) >= MAX_DEPTH:
        return Refused(code="too-deep", subject_id=parent_id, measured=len(path), allowed=MAX_DEPTH)
    # The options of a place do not depend on its siblings.
    evaluation = Evaluation(ruleset, prune_to_path(path))
    container = evaluation.find_container(path[-1].id)
    option = find_option(container, entry_id) if container else None
    if container is None or option is None:
        return Refused(code="unknown-entry", subject_id=entry_id)
    same = find_stack(container, option)
    if same:
        return set_number(ruleset, roster, same.written.id, same.number + 1)
    roster, created = insert_option(ruleset, roster, parent_id, option, ids)
    return drop_hidden_picks(ruleset, claim_pick(roster, parent_id), (created,))


def find_stack(container: Container, option: CompiledOption) -> SelectionNode | None:
    """Return the selection in `container` whose number goes up if the option is taken again, if any."""
    if not isinstance(container, SelectionNode) or option.entry.is_instanced:
        return None
    return next((member for member in container.members if member.option is option), None)


def find_option(container: Container, entry_id: str) -> CompiledOption | None:
    """Return the option with this id, even if the force has no slot for it."""
    contents = container.contents
    option = contents.find_option(strip_link_prefix(container.start, entry_id)) if contents else None
    return option if option and not is_within_itself(container, option) else None


def remove_one(roster: RosterTree, selection_id: str) -> EditedRoster | Refused:
    path, selection = _find_part(roster, selection_id, Selection)
    if selection is None:
        return Refused(code="unknown-node", subject_id=selection_id)
    if selection.number > 1:
        fewer = copy_with(selection, number=selection.number - 1)
        return EditedRoster(roster=replace_node(path, fewer), created=(selection_id,))
    return EditedRoster(roster=prune_attachments(remove_node(path)))


def set_number(ruleset: Ruleset, roster: RosterTree, selection_id: str, number: int) -> EditedRoster | Refused:
    """Set the number per parent; zero removes the selection."""
    path, selection = _find_part(roster, selection_id, Selection)
    if selection is None:
        return Refused(code="unknown-node", subject_id=selection_id)
    if not 0 <= number <= MOST:
        return Refused(code="bad-number", subject_id=selection_id, measured=number, allowed=MOST)
    if number == 0:
        return EditedRoster(roster=prune_attachments(remove_node(path)))
    roster = claim_pick(replace_node(path, copy_with(selection, number=number)), selection_id)
    return drop_hidden_picks(ruleset, roster, (selection_id,))


def duplicate_selection(
    ruleset: Ruleset, roster: RosterTree, selection_id: str, *, ids: IdSource = generate_id
) -> EditedRoster | Refused:
    path, selection = _find_part(roster, selection_id, Selection)
    if selection is None:
        return Refused(code="unknown-node", subject_id=selection_id)
    copy = copy_selection(selection, ids)
    return EditedRoster(roster=replace_siblings(path, (*get_siblings(path), copy)), created=(copy.id,))


def move(roster: RosterTree, node_id: str, position: int) -> EditedRoster | Refused:
    """Move a node among its siblings, at most to the end."""
    path = find_path(roster, node_id)
    if not path or position < 0:
        return Refused(code="bad-number" if path else "unknown-node", subject_id=node_id, measured=position)
    row = list(get_siblings(path))
    old = next(i for i, node in enumerate(row) if node is path[-1])
    row.insert(position, row.pop(old))
    return EditedRoster(roster=replace_siblings(path, tuple(row)), created=(node_id,))


# ---- attachments -------------------------------------------------------------------------------------------------


def attach(
    ruleset: Ruleset, roster: RosterTree, selection_id: str, association_id: str, to_id: str
) -> EditedRoster | Refused:
    """Attach a selection to another, even if rules forbid it. A full association drops its oldest attachment."""
    evaluation = Evaluation(ruleset, roster)
    node = evaluation.find_container(selection_id)
    if not isinstance(node, SelectionNode):
        return Refused(code="unknown-node", subject_id=selection_id)
    if to_id not in evaluation.scopes.by_id or to_id == selection_id:
        return Refused(code="unknown-node", subject_id=to_id)
    association = find_association(ruleset, node, association_id)
    if association is None:
        return Refused(code="unknown-association", subject_id=association_id)
    fresh = Attachment(association_id=association_id, to_id=to_id)
    staying = [one for one in _list_attachments(roster, selection_id) if one != fresh]
    # The oldest attachments come first.
    if association.most >= 0:
        same = [one for one in staying if one.association_id == association_id]
        surplus = same[: max(0, len(same) + 1 - association.most)]
        staying = [one for one in staying if one not in surplus]
    return _set_attachments(roster, selection_id, [*staying, fresh])


def detach(roster: RosterTree, selection_id: str, association_id: str = "", to_id: str = "") -> EditedRoster | Refused:
    """Remove attachments that match both ids; a blank id matches all."""
    if not find_path(roster, selection_id):
        return Refused(code="unknown-node", subject_id=selection_id)
    staying = [
        one
        for one in _list_attachments(roster, selection_id)
        if association_id not in ("", one.association_id) or to_id not in ("", one.to_id)
    ]
    return _set_attachments(roster, selection_id, staying)


def _list_attachments(roster: RosterTree, selection_id: str) -> tuple[Attachment, ...]:
    node = find_path(roster, selection_id)[-1]
    return node.attachments if isinstance(node, Selection) else ()


def _set_attachments(
    roster: RosterTree, selection_id: str, attachments: Iterable[Attachment]
) -> EditedRoster | Refused:
    path, selection = _find_part(roster, selection_id, Selection)
    if selection is None:
        return Refused(code="unknown-node", subject_id=selection_id)
    changed = copy_with(selection, attachments=tuple(attachments))
    return EditedRoster(roster=replace_node(path, changed), created=(selection_id,))


# ---- limits and texts --------------------------------------------------------------------------------------------


def set_limit(ruleset: Ruleset, roster: RosterTree, type_id: str, value: Number | None) -> EditedRoster | Refused:
    """Set a limit and its dependent limits; None or a negative value removes it."""
    if type_id not in ruleset.binding.cost_types:
        return Refused(code="unknown-cost-type", subject_id=type_id)
    limits = {limit.type_id: limit.value for limit in roster.limits}
    if value is None or value < 0:
        limits.pop(type_id, None)
    else:
        limits |= {type_id: value, **find_dependent_limits(ruleset, {type_id: value})}
    return EditedRoster(roster=copy_with(roster, limits=_build_limits(limits)))


def set_texts(
    roster: RosterTree, node_id: str, *, custom_name: str | None = None, notes: str | None = None, category_id: str = ""
) -> EditedRoster | Refused:
    """Set a custom name and notes. None keeps a text. A blank `node_id` means the roster."""
    path = _find_path_within(roster, node_id)
    if not path:
        return Refused(code="unknown-node", subject_id=node_id)
    node = path[-1]
    fields = {"name" if isinstance(node, RosterTree) else "custom_name": custom_name, "notes": notes}
    texts = {field: text for field, text in fields.items() if text is not None}
    if category_id and isinstance(node, Force):
        blank = CategoryNote(category_id=category_id)
        note = next((note for note in node.category_notes if note.category_id == category_id), blank)
        return EditedRoster(roster=replace_node(path, set_category_note(node, copy_with(note, **texts))))
    roster = replace_node(path, copy_with(node, **texts))
    # A player who names a selection means to keep it.
    return EditedRoster(roster=claim_pick(roster, node_id) if node_id else roster)


def set_category_note(force: Force, note: CategoryNote) -> Force:
    others = tuple(n for n in force.category_notes if n.category_id != note.category_id)
    return copy_with(force, category_notes=(*others, note))


def find_dependent_limits(ruleset: Ruleset, limits: Mapping[str, Number]) -> dict[str, Number]:
    return {
        kind.id: steps[limits[kind.follows]]
        for kind in ruleset.binding.cost_types.values()
        if kind.follows in limits and limits[kind.follows] in (steps := dict(kind.steps))
    }
