"""Build new selections with required entries and defaults."""

import secrets
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import accumulate, chain
from math import ceil

from catalogue.definitions.catalogues import Catalogue
from catalogue.definitions.constraints import Constraint, Severity
from catalogue.definitions.queries import AGREED, KNOWN, LIMIT, Bound, Field, Operator, Scope, asks_widely
from catalogue.graph.compiled_constraints import CompiledConstraint
from catalogue.graph.compiled_entry import MAX_AUTOMATIC, CompiledEntry, CompiledGroup, CompiledOption, ContainerOptions
from catalogue.graph.ids import compose_id, get_link_prefix
from catalogue.graph.ruleset import CompiledForce, Ruleset
from roster.engine.checks import Check, is_suppressed, measure_check
from roster.engine.effects import HIDDEN
from roster.engine.evaluation import Evaluation
from roster.engine.nodes import ForceNode, GroupNode, Node, SelectionNode
from roster.engine.tree import Force, Origin, RosterTree, Selection, append_selection, copy_with, find_path

SIZES = (LIMIT + KNOWN, AGREED + KNOWN)
"""The beginnings of fields about the size of the game."""

# ---- what comes along by itself ----------------------------------------------------------------------------


def fill_force(judge: Callable[[], tuple[Evaluation, ForceNode]], insert: Callable[[CompiledOption], object]) -> None:
    """Add a new force's automatic root entries, one after the other.

    If either of two entries is required while the other is missing, only the first is added. If a modifier lowers a
    minimum in the empty force, the declared minimum counts.
    """
    evaluation, force = judge()
    options = force.contents.automatic_options if force.contents else ()
    lowered = {option for option in options if _is_lowered(evaluation, force, option)}
    is_current = True
    for option in options:
        if not is_current:
            evaluation, force = judge()
            is_current = True
        node = evaluation.preview_selection(force, option)
        if not evaluation.is_open(force, option) or is_barred(evaluation, node):
            continue
        missing = _count_missing(evaluation, node, declared=option in lowered)
        # Stacks are sizes inside a unit: lists do not start with "1,3" squadrons.
        default = 0 if option.entry.default_stacks else evaluation.values.count_default(node)
        for _ in range(_cap_by_maximums(evaluation, node, max(missing, default))):
            insert(option)
            is_current = False


def _is_lowered(evaluation: Evaluation, force: ForceNode, option: CompiledOption) -> bool:
    if all(not (compiled.modifiers or compiled.reached) for compiled in option.entry.constraints.minimums):
        return False
    return _count_missing(evaluation, evaluation.preview_selection(force, option)) <= 0


def is_barred(evaluation: Evaluation, node: SelectionNode) -> bool:
    """Return whether an automatic selection must be left out because it is hidden.

    BattleScribe adds required entries that are always hidden, so its lists keep them.
    """
    if not evaluation.values.is_hidden(node):
        return False
    if evaluation.roster.document.origin is not Origin.BATTLESCRIBE:
        return True
    force = node.force.compiled_force if node.force else None
    return node.option is not None and may_hide_root(evaluation.ruleset, force, node.option)


def may_change_hidden(ruleset: Ruleset, option: CompiledOption) -> bool:
    return HIDDEN in ruleset.effect_fields or any(HIDDEN in entry.modifiers for entry in option.merged_entries)


def may_hide_root(ruleset: Ruleset, force: CompiledForce | None, option: CompiledOption) -> bool:
    return may_change_hidden(ruleset, option) or (force is not None and force.hides_slots)


def list_hidden_picks(evaluation: Evaluation, nodes: Iterable[SelectionNode]) -> list[SelectionNode]:
    hidden: list[SelectionNode] = []
    answers: dict[Hashable, bool] = {}
    for node in nodes:
        if node.option is None or node.document is None or not node.document.automatic:
            continue
        key: Hashable = node
        # Large lists have hundreds of forces of one kind.
        if isinstance(node.parent, ForceNode) and _hides_by_kind(evaluation.ruleset, node.option):
            compiled_force = node.parent.compiled_force
            if compiled_force is None or not compiled_force.hides_slots:
                # Contents of a force may hide its slots.
                key = node.option, node.parent.document.entry_id
        if key not in answers:
            answers[key] = is_barred(evaluation, node)
        if answers[key]:
            hidden.append(node)
    return hidden


def _hides_by_kind(ruleset: Ruleset, option: CompiledOption) -> bool:
    return ruleset.derive((_hides_by_kind, option), lambda: _asks_for_kind(ruleset, option))


def _asks_for_kind(ruleset: Ruleset, option: CompiledOption) -> bool:
    if HIDDEN in ruleset.effect_fields:
        return False
    modifiers = [modifier for entry in option.merged_entries for modifier in entry.modifiers.get(HIDDEN, ())]
    guards = [modifier.guard for modifier in modifiers]
    for guard in guards:  # grows during the loop
        guards += guard.guards
        for condition in guard.conditions:
            query = condition.query
            asks_kind = query.scope == Scope.FORCE and query.child_id in ruleset.force_entry_ids
            asks_kind = asks_kind and condition.operator in (Operator.INSTANCE_OF, Operator.NOT_INSTANCE_OF)
            asks_list = query.scope == Scope.ROSTER and asks_widely(condition)
            if not (asks_kind or asks_list):
                return False
    return not any(modifier.repeats for modifier in modifiers)


def fill_selection(evaluation: Evaluation, selection: SelectionNode) -> None:
    """Add required entries and defaults to a new selection, level by level.

    If the game size forbids a group's default, another member is taken. Minimums are met even beyond shared maximums
    that other units have used up, defaults only up to their own. Further selections are filled like the largest stack.
    """
    budget = MAX_AUTOMATIC
    barred_ids = list_ids_barred_by_size(evaluation)
    pending = [selection]
    stacks: dict[SelectionNode, int] = {}
    if selection.option and selection.option.entry.default_stacks:
        stacks[selection] = _find_largest_stack(selection.option.entry.default_stacks)
    by_need: list[SelectionNode] = []
    for container in pending:
        contents = container.contents
        if contents is None or budget < 0:
            break
        picks = contents.fixed_picks
        if picks and barred_ids and any(not barred_ids.isdisjoint(option.entry.ids) for option, _ in picks):
            picks = None
        if picks is None:
            _fill_by_need(evaluation, container, contents, stacks.get(container))
            by_need.append(container)
        else:
            for option, number in picks:
                if evaluation.is_open(container, option):
                    _add_option(container, option, number)
            evaluation.queries.forget(container)
        budget -= len(container.members)
        stacks.update(_list_stacks(container, stacks.get(container)))
        pending.extend(container.members)
    for container in by_need:
        _drop_hidden_members(evaluation, container)


def _find_largest_stack(sizes: Sequence[int]) -> int:
    return max(range(len(sizes)), key=lambda index: (sizes[index], index))


def _list_stacks(container: SelectionNode, stack: int | None) -> Iterator[tuple[SelectionNode, int]]:
    """Yield members in stacks, with the stack's index."""
    begun: Counter[CompiledOption] = Counter()
    for member in container.members:
        sizes = member.option.entry.default_stacks if member.option else ()
        if stack is not None:
            yield member, stack
        elif member.option and sizes:
            ends = accumulate(sizes)
            before = begun[member.option]
            yield member, next((i for i, end in enumerate(ends) if before < end), _find_largest_stack(sizes))
            begun[member.option] += member.number


def _drop_hidden_members(evaluation: Evaluation, container: SelectionNode) -> None:
    for member in tuple(container.members):
        if _is_hidden_by_now(evaluation, member):
            container.members.remove(member)
            member.let_go()
            evaluation.queries.forget(container)


def _is_hidden_by_now(evaluation: Evaluation, member: SelectionNode) -> bool:
    option = member.option
    if option is None:
        return False
    places: list[tuple[CompiledEntry, Node]] = [(option.entry, member)]
    places += [(group.entry, GroupNode(group, member.container)) for group in option.groups]
    return any(
        HIDDEN in entry.modifiers and not entry.hides_widely and evaluation.values.is_hidden_there(entry, place)
        for entry, place in places
    )


def _fill_by_need(
    evaluation: Evaluation, container: SelectionNode, contents: ContainerOptions, stack: int | None
) -> None:
    hidden_widely = evaluation.values.find_hidden_widely(container)
    visible: list[CompiledOption] = []
    for option in contents.automatic_options:
        # Check this first: in large games nearly all automatic options are hidden.
        if hidden_widely[option.entry]:
            continue
        visible.append(option)
        node = evaluation.preview_selection(container, option)
        # Check the number first: it is rarely above 0, and hiding is slow.
        missing, default = _count_missing(evaluation, node), evaluation.values.count_default(node, stack)
        if max(missing, default) > 0 and _may_stand(evaluation, node):
            _put_option(evaluation, container, option, max(missing, _cap_by_maximums(evaluation, node, default)))
    # Note this last: each new member can show or hide the options after it.
    evaluation.values.note_hidden_widely(contents, container)
    for group, option in contents.default_choices:
        missing = _count_missing_in_group(evaluation, GroupNode(group, container))
        if not missing:
            continue
        chosen = _choose_default(evaluation, container, group, option)
        if chosen is not None and chosen.option is not None:
            _put_option(evaluation, container, chosen.option, _cap_by_maximums(evaluation, chosen, missing))
    # A new member may require an earlier entry: a spell requires the model it summons.
    waiting = [option for option in visible if any(c.modifiers or c.reached for c in option.entry.constraints.minimums)]
    settled = not container.members
    for _ in waiting:
        if settled:
            break
        settled = True
        for option in waiting:
            # Counts of the roster or force do not include this preview.
            if any(member.option is option for member in container.members):
                continue
            # The cached values of the preview are outdated.
            node = SelectionNode(container, option, compose_id(container.start, option))
            missing = _count_missing(evaluation, node)
            if missing > 0 and evaluation.is_open(container, option) and not _is_hidden_by_now(evaluation, node):
                _put_option(evaluation, container, option, missing)
                settled = False


def _choose_default(
    evaluation: Evaluation, container: SelectionNode, group: CompiledGroup, default: CompiledOption
) -> SelectionNode | None:
    barred_ids = list_ids_barred_by_size(evaluation)
    options = [default]
    if not barred_ids.isdisjoint(default.entry.ids) and container.contents:
        options = [one for one in container.contents.options if group in one.groups and one is not default]
        options = [one for one in options if barred_ids.isdisjoint(one.entry.ids)]
    previews = (evaluation.preview_selection(container, option) for option in options)
    return next((node for node in previews if _may_stand(evaluation, node)), None)


def list_ids_barred_by_size(evaluation: Evaluation) -> frozenset[str]:
    """List entries that the agreed limits forbid in the whole list."""
    if list_ids_barred_by_size not in evaluation.memo:
        barred: set[str] = set()
        for catalogue in evaluation.catalogues:
            for constraint in _list_size_constraints(evaluation.ruleset, catalogue):
                if evaluation.conditions.is_satisfied(constraint.when, evaluation.roster):
                    queries = (constraint.query, *(term.query for term in constraint.terms))
                    barred.update(query.child_id for query in queries if query.child_id)
        evaluation.memo[list_ids_barred_by_size] = frozenset(barred)
    ids: frozenset[str] = evaluation.memo[list_ids_barred_by_size]
    return ids


def _list_size_constraints(ruleset: Ruleset, catalogue: Catalogue) -> tuple[Constraint, ...]:
    def find() -> tuple[Constraint, ...]:
        maximums = ruleset.compile_roster_constraints(catalogue).by_bound.get(Bound.MAX, ())
        return tuple(compiled.constraint for compiled in maximums if _is_about_size(compiled))

    return ruleset.derive((_list_size_constraints, catalogue.id), find)


def _is_about_size(compiled: CompiledConstraint) -> bool:
    constraint = compiled.constraint
    if constraint.value or compiled.modifiers or constraint.severity is not Severity.ERROR:
        return False
    queries = (constraint.query, *(term.query for term in constraint.terms))
    counts_picks = all(query.field == Field.SELECTIONS and query.scope == Scope.ROSTER for query in queries)
    has_room = any(term.coefficient > 0 for term in constraint.terms)
    conditions = constraint.when.conditions
    asks_limits = conditions and all(one.query.field.startswith(SIZES) for one in conditions)
    return bool(counts_picks and not has_room and asks_limits and not constraint.when.guards)


def _may_stand(evaluation: Evaluation, prospect: SelectionNode) -> bool:
    option, container = prospect.option, prospect.container
    return option is not None and evaluation.is_open(container, option) and not evaluation.values.is_hidden(prospect)


def _put_option(evaluation: Evaluation, container: SelectionNode, option: CompiledOption, number: int) -> None:
    if number > 0:
        _add_option(container, option, min(number, MAX_AUTOMATIC))
        evaluation.queries.forget(container)


def _add_option(container: SelectionNode, option: CompiledOption, number: int) -> None:
    entry_id = compose_id(container.start, option)
    same = next((m for m in container.members if m.option is option), None)
    if option.entry.is_instanced:
        container.members.extend(SelectionNode(container, option, entry_id) for _ in range(number))
    elif same:
        same.number += max(0, number)
    elif number > 0:
        container.members.append(SelectionNode(container, option, entry_id, number))


def _count_missing(evaluation: Evaluation, node: SelectionNode, *, declared: bool = False) -> int:
    """If `declared`, count at least the unmodified minimum."""
    missing = 0
    for compiled in node.option.entry.constraints.minimums if node.option else ():
        if not compiled.may_require:
            continue
        check = measure_check(evaluation, Check(compiled, node))
        if check:
            least = max(check.allowed, compiled.constraint.value) if declared else check.allowed
            missing = max(missing, ceil(least - check.measured))
    return missing


def _count_missing_in_group(evaluation: Evaluation, node: GroupNode) -> int:
    missing = 0
    for compiled in node.group.entry.constraints.minimums:
        check = Check(compiled, node)
        measured = measure_check(evaluation, check)
        if measured and measured.measured < measured.allowed and not is_suppressed(evaluation, check):
            missing = max(missing, ceil(measured.allowed - measured.measured))
    return missing


def _cap_by_maximums(evaluation: Evaluation, node: SelectionNode, number: int) -> int:
    for compiled in node.option.entry.constraints.maximums if node.option and number > 0 else ():
        check = measure_check(evaluation, Check(compiled, node))
        if check:
            number = min(number, int(check.allowed - check.measured))
    return min(number, MAX_AUTOMATIC)


# ---- nodes of the document ---------------------------------------------------------------------------------


IdSource = Callable[[], str]


def generate_id() -> str:
    """Return a short id that cannot be guessed."""
    return secrets.token_urlsafe(9)


def insert_option(
    ruleset: Ruleset,
    roster: RosterTree,
    parent_id: str,
    option: CompiledOption,
    ids: IdSource,
    *,
    automatic: bool = False,
) -> tuple[RosterTree, str]:
    """Return the roster with a new selection, and its id.

    It is filled in place, because its contents may depend on the whole roster.
    """
    path = find_path(roster, parent_id)
    parent = path[-1]
    bare = create_bare_selection(get_link_prefix(parent.entry_id) if isinstance(parent, Selection) else "", option, ids)
    evaluation = Evaluation(ruleset, append_selection(path, bare))
    node = next(n for n in evaluation.roster.selections if n.document is bare)
    filled = complete_selection(evaluation, node, ids)
    filled = copy_with(filled, automatic=automatic)
    # The filled selection replaces the bare one.
    return add_cost_types(append_selection(path, filled), list_cost_types(node)), bare.id


def create_bare_selection(start: str, option: CompiledOption, ids: IdSource) -> Selection:
    """Create an empty selection. `start` is the id prefix in its container."""
    return Selection(
        id=ids(), entry_id=compose_id(start, option), group_id=compose_id(start, option.group) if option.group else ""
    )


def complete_selection(evaluation: Evaluation, bare: SelectionNode, ids: IdSource) -> Selection:
    fill_selection(evaluation, bare)
    document = build_document(evaluation, bare, ids)
    return copy_with(document, id=bare.document.id) if bare.document else document


def build_document(evaluation: Evaluation, node: SelectionNode, ids: IdSource) -> Selection:
    return Selection(
        id=ids(),
        entry_id=node.entry_id,
        group_id=node.group_id,
        number=node.number,
        name=evaluation.values.get_name(node),
        selections=tuple(build_document(evaluation, member, ids) for member in node.members),
    )


def list_cost_types(node: SelectionNode) -> list[str]:
    inside = [type_id for member in node.members for type_id in list_cost_types(member)]
    return [*(node.option.entry.costs if node.option else ()), *inside]


def add_cost_types(roster: RosterTree, type_ids: Iterable[str]) -> RosterTree:
    seen = dict.fromkeys((*roster.cost_types, *type_ids))
    return roster if len(seen) == len(roster.cost_types) else copy_with(roster, cost_types=tuple(seen))


def register_cost_types(ruleset: Ruleset, roster: RosterTree) -> RosterTree:
    evaluation = Evaluation(ruleset, roster)
    declared = map(evaluation.costs.get_declared_costs, evaluation.roster.all_forces)
    carried = (node.option.entry.costs for node in evaluation.roster.selections if node.option)
    return add_cost_types(roster, chain.from_iterable((*declared, *carried)))


def copy_selection(selection: Selection, ids: IdSource) -> Selection:
    """Leave out attachments."""
    inside = tuple(copy_selection(inner, ids) for inner in selection.selections)
    return copy_with(selection, id=ids(), attachments=(), automatic=False, selections=inside)


def copy_force(force: Force, ids: IdSource) -> Force:
    force_id = ids()
    selections = tuple(copy_selection(selection, ids) for selection in force.selections)
    forces = tuple(copy_force(inner, ids) for inner in force.forces)
    copy = copy_with(force, id=force_id, selections=selections, forces=forces)
    new_ids = {old.id: new.id for old, new in zip(force.selections, selections, strict=True)}
    also_leading = tuple(new_ids[old] for old in copy.also_leading if old in new_ids)
    return copy_with(copy, leader_id=new_ids.get(copy.leader_id, ""), also_leading=also_leading)
