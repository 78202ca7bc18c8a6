"""Each constraint wherever it binds, with its measured and allowed values."""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from catalogue.definitions.constraints import Constraint, Severity, Stage
from catalogue.definitions.entries import NO_LIMIT
from catalogue.definitions.numbers import Number, shorten_number
from catalogue.definitions.queries import KNOWN, LIMIT, Bound, Field, Query, Scope
from catalogue.graph.compiled_constraints import CompiledConstraint, CompiledConstraints
from catalogue.graph.compiled_entry import CompiledOption
from catalogue.graph.ids import compose_id, get_target_id
from catalogue.graph.ruleset import CompiledForce, CompiledSlot, Ruleset
from roster.engine.evaluation import Evaluation
from roster.engine.footprints import Footprint
from roster.engine.force_kinds import list_surroundings, may_show
from roster.engine.nodes import Container, ForceNode, GroupNode, Node, RosterNode, SelectionNode, SlotNode
from roster.engine.tree import Force

NO_SELECTIONS: list[SelectionNode] = []
NOTHING: dict[CompiledOption, list[SelectionNode]] = {}
NOTHING_KNOWN = Footprint()
"""Without an earlier evaluation any check may fail."""


class CountedSubject(NamedTuple):
    id: str
    name: str
    queries: tuple[Query, ...]


class Check(NamedTuple):
    """A constraint at its owner's node, with the values of `measure_check`.

    For an entry, `node` is a selection or preview, and `instances` are all selections. `counted` is set if the values
    count something else.
    """

    compiled: CompiledConstraint
    node: Node
    instances: list[SelectionNode] = NO_SELECTIONS
    measured: Number = 0
    allowed: Number = 0
    counted: CountedSubject | None = None

    @property
    def constraint(self) -> Constraint:
        return self.compiled.constraint

    @property
    def footprint(self) -> Footprint | None:
        """The footprint of the force or unit, or of the container if the check is about siblings."""
        node = self.node
        if isinstance(node, ForceNode) and node.is_previewed and node.parent:
            return node.parent.footprint
        if isinstance(node, SelectionNode) and (self.instances or node.document is None):
            return node.container.footprint
        return node.footprint

    @property
    def is_short(self) -> bool:
        return self.measured < self.allowed

    @property
    def is_broken(self) -> bool:
        if self.constraint.bound is not Bound.MAX and self.is_short:
            return True
        return self.constraint.bound is not Bound.MIN and self.measured > self.allowed


# ---- which checks there are --------------------------------------------------------------------------------------


def list_checks(evaluation: Evaluation, bound: Bound) -> Iterator[Check]:
    yield from _list_roster_checks(evaluation, bound)
    for force in evaluation.roster.all_forces:
        yield from _list_checks_of_force(evaluation, force, bound)
    for selection in evaluation.roster.selections:
        yield from _list_checks_of_selection(evaluation, selection, bound)
    if evaluation.plan:
        yield from (check for check in list_staged_checks(evaluation) if check.constraint.bound is bound)


def list_staged_checks(evaluation: Evaluation) -> Iterator[Check]:
    for constraints, node in _list_owners(evaluation):
        for compiled in constraints.staged:
            yield Check(compiled, node)


def list_broken_plan_checks(evaluation: Evaluation) -> list[Check]:
    """List failed checks of the game plan that only further picks might fix."""
    checks = (check for check in list_staged_checks(evaluation) if check.constraint.severity is Severity.ERROR)
    counting = (check for check in checks if not asks_for_answers(check.constraint))
    measured = filter(None, (measure_check(evaluation, check) for check in counting))
    return [check for check in measured if check.is_broken and not is_suppressed(evaluation, check)]


def asks_for_answers(constraint: Constraint) -> bool:
    queries = (constraint.query, *(term.query for term in constraint.terms))
    return constraint.stage is not Stage.LIST and any(KNOWN in query.field for query in queries)


def list_open_checks(evaluation: Evaluation, bound: Bound) -> Iterator[Check]:
    """List checks that did not pass in an earlier evaluation."""
    # Footprints do not record game plans.
    if evaluation.plan:
        yield from list_checks(evaluation, bound)
        return
    yield from _list_roster_checks(evaluation, bound)
    for force in evaluation.roster.all_forces:
        footprint = force.footprint
        if not (footprint and footprint.is_clean):
            for check in _list_checks_of_force(evaluation, force, bound, footprint or NOTHING_KNOWN):
                if footprint is None or footprint.may_break(check.constraint.id):
                    yield check
    for selection in evaluation.roster.selections:
        footprint = selection.footprint
        if not (footprint and footprint.is_clean):
            for check in _list_checks_of_selection(evaluation, selection, bound, footprint or NOTHING_KNOWN):
                if footprint is None or footprint.may_break(check.constraint.id):
                    yield check


def _list_roster_checks(evaluation: Evaluation, bound: Bound) -> Iterator[Check]:
    yield from _list_catalogue_checks(evaluation, bound)
    # An empty list must meet its faction's demands, too.
    roster = evaluation.roster
    faction_ids = dict.fromkeys([force.document.catalogue_id for force in roster.forces] or [roster.document.of])
    for faction in filter(None, map(evaluation.ruleset.find_catalogue, faction_ids)):
        yield from _list_demands(evaluation, roster, faction.demanded_forces, faction.catalogue.id, bound)


def _list_demands(
    evaluation: Evaluation,
    parent: RosterNode | ForceNode,
    demanded: Iterable[CompiledForce],
    catalogue_id: str,
    bound: Bound,
) -> Iterator[Check]:
    for compiled_force in demanded:
        for compiled in compiled_force.own_minimums:
            if compiled.constraint.bound is bound:
                yield Check(compiled, _preview_demanded(evaluation, parent, compiled_force, catalogue_id))


def _preview_demanded(
    evaluation: Evaluation, parent: RosterNode | ForceNode, compiled_force: CompiledForce, catalogue_id: str
) -> ForceNode:
    usual = evaluation.preview_force(parent, compiled_force.entry.id, catalogue_id)
    if isinstance(parent, RosterNode) or not evaluation.values.is_force_hidden(usual):
        return usual
    force, around = parent.compiled_force, list_surroundings(parent)
    for allied_id in compiled_force.named_catalogues:
        # Data names dozens of allies and hides the kind for most of them.
        if not may_show(evaluation.ruleset, compiled_force, allied_id, around):
            continue
        allied = evaluation.preview_force(parent, compiled_force.entry.id, allied_id)
        if not evaluation.values.is_force_hidden(allied):
            document = Force(id="", entry_id=parent.document.entry_id, catalogue_id=allied_id)
            host = ForceNode(document, parent.parent or evaluation.roster, parent.compiled_catalogue, force)
            host.footprint = parent.footprint
            if evaluation.values.is_force_hidden(evaluation.preview_force(host, compiled_force.entry.id, allied_id)):
                return allied
    return usual


def list_missing_allies(evaluation: Evaluation) -> tuple[ForceNode, ...]:
    """List missing forces that need another catalogue than their parent's."""
    missing: dict[ForceNode, None] = {}
    for force in evaluation.roster.all_forces:
        if force.compiled_force is None:
            continue
        demanded, catalogue_id = force.compiled_force.demanded_forces, force.document.catalogue_id
        for bound in (Bound.MIN, Bound.EXACTLY):
            for check in _list_demands(evaluation, force, demanded, catalogue_id, bound):
                if not isinstance(check.node, ForceNode) or check.node.document.catalogue_id == catalogue_id:
                    continue
                measured = measure_check(evaluation, check)
                if measured and measured.is_short and not is_suppressed(evaluation, measured):
                    missing[check.node] = None
    return tuple(missing)


def _list_checks_of_force(
    evaluation: Evaluation, force: ForceNode, bound: Bound, footprint: Footprint = NOTHING_KNOWN
) -> Iterator[Check]:
    yield from _list_force_checks(evaluation, force, bound)
    if force.compiled_force:
        demanded, catalogue_id = force.compiled_force.demanded_forces, force.document.catalogue_id
        yield from _list_demands(evaluation, force, demanded, catalogue_id, bound)
    yield from list_container_checks(evaluation, force, bound, footprint)


def _list_checks_of_selection(
    evaluation: Evaluation, selection: SelectionNode, bound: Bound, footprint: Footprint = NOTHING_KNOWN
) -> Iterator[Check]:
    if selection.option is None:
        return
    entry = selection.option.entry
    for compiled in entry.constraints.explicit.get(bound, ()):
        yield Check(compiled, selection)
    if bound in entry.contents.constraint_bounds:
        is_bounded = bool(selection.members) or bound is not Bound.MAX
    else:
        is_bounded = any(member.misplaced for member in selection.members)
    if is_bounded:
        yield from list_container_checks(evaluation, selection, bound, footprint)


def list_pressing_checks(evaluation: Evaluation, bound: Bound) -> tuple[Check, ...]:
    """List checks that picks of entries other than the owner can break."""
    key = (list_pressing_checks, bound)
    if key not in evaluation.memo:
        evaluation.memo[key] = tuple(_find_pressing_checks(evaluation, bound))
    pressing: tuple[Check, ...] = evaluation.memo[key]
    return pressing


def _find_pressing_checks(evaluation: Evaluation, bound: Bound) -> Iterator[Check]:
    yield from _list_catalogue_checks(evaluation, bound)
    for force in evaluation.roster.all_forces:
        yield from _list_force_checks(evaluation, force, bound)
    for selection in evaluation.roster.selections:
        if selection.option:
            for compiled in selection.option.entry.constraints.by_bound.get(bound, ()):
                if compiled.counts_more_than_owner:
                    yield Check(compiled, selection)


def _list_catalogue_checks(evaluation: Evaluation, bound: Bound) -> Iterator[Check]:
    for catalogue in evaluation.catalogues:
        for compiled in evaluation.ruleset.compile_roster_constraints(catalogue).by_bound.get(bound, ()):
            yield Check(compiled, evaluation.roster)


def _list_force_checks(evaluation: Evaluation, force: ForceNode, bound: Bound) -> Iterator[Check]:
    compiled_force = force.compiled_force
    if compiled_force is None:
        return
    for compiled in compiled_force.constraints.by_bound.get(bound, ()):
        yield Check(compiled, force)
    # Empty slots bind: they may require units.
    yield from _list_slot_checks(evaluation, force, compiled_force.slots, bound)
    loose = compiled_force.unslotted_categories
    if bound is Bound.MAX:
        # A category without a slot limits only existing selections.
        binding = [slot for slot in loose if evaluation.queries.has_category(force, slot.id)]
    else:
        # "One Warlord in the whole army" binds in all catalogues that know the category.
        category_ids = force.compiled_catalogue.demanding_categories if force.compiled_catalogue else ()
        binding = [slot for slot in loose if slot.id in category_ids]
    yield from _list_slot_checks(evaluation, force, binding, bound)


def _list_slot_checks(
    evaluation: Evaluation, force: ForceNode, slots: Iterable[CompiledSlot], bound: Bound
) -> Iterator[Check]:
    for slot in slots:
        for compiled in slot.constraints.by_bound.get(bound, ()):
            yield Check(compiled, evaluation.scopes.get_slot(force, slot.id))


def _list_owners(evaluation: Evaluation) -> Iterator[tuple[CompiledConstraints, Node]]:
    for catalogue in evaluation.catalogues:
        yield evaluation.ruleset.compile_roster_constraints(catalogue), evaluation.roster
    for force in evaluation.roster.all_forces:
        if force.compiled_force:
            yield force.compiled_force.constraints, force
    for node in evaluation.roster.selections:
        if node.option:
            yield node.option.entry.constraints, node


def list_container_checks(
    evaluation: Evaluation, container: Container, bound: Bound, footprint: Footprint = NOTHING_KNOWN
) -> Iterator[Check]:
    """Skip checks of unselected entries that `footprint` passed."""
    contents = container.contents
    if contents is None:
        return
    chosen = evaluation.group_selections(container) if container.members else NOTHING
    for option, instances in chosen.items():
        for compiled in option.entry.constraints.on_owner.get(bound, ()):
            yield Check(compiled, instances[0], instances)
    # An entry that is not taken may have a minimum.
    for option in contents.demanding_options.get(bound, ()):
        if option in chosen:
            continue
        # Previewing all of them would cost more than all other checks.
        open_constraints = [c for c in option.entry.constraints.on_owner[bound] if footprint.may_break(c.constraint.id)]
        if open_constraints and evaluation.is_open(container, option):
            for compiled in open_constraints:
                yield Check(compiled, evaluation.preview_selection(container, option))
    groups = contents.constrained_groups[bound]
    if groups and bound is Bound.MAX:
        taken = {group for option in chosen for group in option.groups}
        groups = tuple(group for group in groups if group in taken)
    for group in groups:
        node = evaluation.values.get_group(group, container)
        for compiled in group.entry.constraints.by_bound[bound]:
            yield Check(compiled, node)


# ---- what they measure -------------------------------------------------------------------------------------------


def get_owner_key(check: Check) -> Hashable:
    """Return what a constraint without a child id counts.

    A shared constraint counts its owner over all links, a link's constraint the target.
    """
    compiled, node = check.compiled, check.node
    query = compiled.constraint.query
    if isinstance(node, SelectionNode):
        if query.shared:
            return compiled.shared_id
        return node.option if query.scope == Scope.PARENT else node.entry_id
    if isinstance(node, GroupNode):
        if query.scope in (Scope.PARENT, Scope.SELF):
            return node.group
        return compiled.shared_id if query.shared else compose_id(node.container.start, node.group)
    if isinstance(node, SlotNode):
        return node.id
    if isinstance(node, ForceNode) and (query.field == Field.FORCES or query.scope == Scope.ROSTER):
        return get_target_id(node.document.entry_id) if query.shared else node.document.entry_id
    return "any"


def measure_check(evaluation: Evaluation, check: Check) -> Check | None:
    """Return the check with its values, or None if it does not bind."""
    key = (id(check.compiled), check.node, len(check.instances))
    if key not in evaluation.memo:
        evaluation.deadline()
        evaluation.memo[key] = _measure_check(evaluation, check)
    measured: Check | None = evaluation.memo[key]
    return measured


def _measure_check(evaluation: Evaluation, check: Check) -> Check | None:
    compiled, node, constraint = check.compiled, check.node, check.compiled.constraint
    # Fast path for the most frequent constraints.
    if compiled.counts_siblings and node.parent:
        allowed = compute_bound(evaluation, check)
        if allowed == NO_LIMIT:
            return None
        measured = evaluation.queries.count_siblings(constraint.query, node, get_owner_key(check))
        return Check(compiled, node, check.instances, measured, allowed)

    if not evaluation.conditions.is_satisfied(constraint.when, node):
        return None
    allowed = compute_bound(evaluation, check)
    # Terms may raise a missing bound.
    if allowed == NO_LIMIT and not constraint.terms:
        return None
    if compiled.shared_limit:
        return _measure_share(evaluation, check, allowed)
    owner_key = get_owner_key(check)
    amount = _weigh_owner(evaluation, constraint.query, node)
    if amount is None:
        amount = _count(evaluation, constraint.query, node, owner_key)
    if amount is None:
        return None
    moved: Number = 0
    for term in constraint.terms:
        counted = _count(evaluation, term.query, node, owner_key)
        if counted is not None:
            moved += term.coefficient * counted
    allowed += moved
    if constraint.query.percent:
        allowed = compute_percentage(allowed, evaluation.queries.compute_total(constraint.query, node))
    return Check(compiled, node, check.instances, amount, allowed)


def asks_whole_cost(ruleset: Ruleset, query: Query) -> bool:
    """Return whether a selection's query asks for its own cost, with contents."""
    is_about_itself = query.scope == Scope.SELF and query.deep and query.child_id is None and query.where is None
    return is_about_itself and query.field in ruleset.binding.cost_types


def _weigh_owner(evaluation: Evaluation, query: Query, node: Node) -> Number | None:
    """Return what a whole unit costs. A sum leaves it out, because a selection is not inside itself."""
    if not isinstance(node, SelectionNode) or not asks_whole_cost(evaluation.ruleset, query):
        return None
    evaluation.costs.settle()
    return node.number * evaluation.costs.get_whole_cost(node, query.field)


def _count(evaluation: Evaluation, query: Query, node: Node, owner_key: Hashable) -> Number | None:
    amount = evaluation.queries.compute_amount(query, node, owner_key)
    return None if amount == NO_LIMIT and query.field.startswith(LIMIT + KNOWN) else amount


def _measure_share(evaluation: Evaluation, check: Check, percentage: Number) -> Check | None:
    query, type_id = check.constraint.query, check.compiled.shared_limit
    # Each report must repeat the remark about a missing limit.
    if check.node.footprint:
        check.node.footprint.is_repeatable = False
    # Rulebooks define the share by the agreed limit, not by the points spent.
    limit = evaluation.roster.document.find_limit(type_id)
    if limit is None:
        evaluation.unlimited[type_id] = None
        return None
    places = evaluation.scopes.list_places(query, check.node)
    if places is None:
        return None
    key = get_owner_key(check) if query.child_id is None else query.child_id
    spent = evaluation.queries.sum_spent(type_id, query, places, key)
    return check._replace(measured=spent, allowed=compute_percentage(percentage, limit))


def compute_percentage(percentage: Number, whole: Number) -> Number:
    """Compute a percentage of a number.

    >>> compute_percentage(25, 2000)
    500
    """
    return shorten_number(Decimal(percentage) * whole / 100)


def compute_bound(evaluation: Evaluation, check: Check) -> Number:
    """Return the strictest bound after modifiers, or `NO_LIMIT`.

    A negative maximum equals 0, unless terms may raise it.
    """
    compiled = check.compiled
    value = compiled.constraint.value
    if not (compiled.modifiers or compiled.reached):
        return value if value >= NO_LIMIT or compiled.constraint.terms else 0
    nodes: Sequence[Node] = check.instances or [check.node]
    numbers = []
    for node in nodes:
        number = evaluation.values.adjust_number(compiled.modifiers, value, node)
        numbers.append(evaluation.values.adjust_reached_number(node, compiled.constraint.id, number))
    if compiled.constraint.bound is Bound.MIN:
        return max(numbers)
    strictest = min((number for number in numbers if number != NO_LIMIT), default=NO_LIMIT)
    return strictest if strictest == NO_LIMIT or compiled.constraint.terms else max(strictest, 0)


def is_suppressed(evaluation: Evaluation, check: Check) -> bool:
    """Return whether the owner is hidden and so demands nothing.

    A hidden slot does not suppress the constraints of selections.
    """
    node = check.node
    if isinstance(node, SelectionNode):
        return evaluation.values.is_entry_hidden(node) if node.document else evaluation.values.is_hidden(node)
    if isinstance(node, GroupNode):
        return evaluation.values.is_group_hidden(node)
    if isinstance(node, ForceNode):
        # An existing hidden force is a violation, but it still binds.
        around = [force for force in (node, node.parent) if isinstance(force, ForceNode)]
        return node.is_previewed and any(map(evaluation.values.is_force_hidden, around))
    return isinstance(node, SlotNode) and evaluation.values.is_slot_hidden(node)


def find_scope(evaluation: Evaluation, check: Check) -> Node | None:
    return evaluation.scopes.find_place(check.constraint.query.scope, check.node)
