"""Preview the costs and broken checks of one more selection."""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from functools import cached_property
from math import prod
from operator import itemgetter
from typing import NamedTuple

from catalogue.definitions.numbers import Number, shorten_number
from catalogue.definitions.queries import ANY, Bound, Field, Query, Scope
from catalogue.definitions.rule_codes import RuleCode
from catalogue.graph.compiled_constraints import NO_CONSTRAINTS
from catalogue.graph.compiled_entry import CompiledOption
from roster.engine.checks import Check, get_owner_key, is_suppressed, list_pressing_checks, measure_check
from roster.engine.costs import Totals
from roster.engine.evaluation import Evaluation
from roster.engine.new_selections import build_document, fill_selection
from roster.engine.nodes import Container, ForceNode, GroupNode, Node, RosterNode, SelectionNode, SlotNode
from roster.engine.queries import list_forces_of, list_members
from roster.engine.report import Violation
from roster.engine.rule import build_check_violation, build_hidden_violation, build_limit_violation
from roster.engine.scopes import find_root, list_within, walk_outward
from roster.engine.tree import Path, append_selection, copy_with, find_path, replace_node

UPPER = {Bound.MAX: RuleCode.MAXIMUM, Bound.EXACTLY: RuleCode.EXACTLY}
"""Bounds that a pick can break for good."""


class NewSelection(NamedTuple):
    node: SelectionNode
    number: int


Sizes = Mapping[str, int]
"""How many selections each selection represents, by id; 1 if missing."""
ONE_EACH: Sizes = {}
Pick = list[NewSelection]
"""The requested selection, then its automatic selections."""


def pick_again(node: SelectionNode) -> Pick:
    return [NewSelection(node, 1), *(NewSelection(inner, number) for inner, number in list_members(node, deep=True))]


def pick_option(evaluation: Evaluation, container: Container, option: CompiledOption) -> Pick:
    node = evaluation.preview_selection(container, option)
    if node.members:
        return pick_again(node)
    # Contents may hide it, so ask before filling: the answer must not depend on who asks first.
    evaluation.values.is_hidden(node)
    fill_selection(evaluation, node)
    return pick_again(node)


class PreviewedPicks:
    """Cached results for picks inside one container. The evaluation owns them, so they must not refer back to it."""

    def __init__(self, evaluation: Evaluation, container: Container) -> None:
        if PressingChecks not in evaluation.memo:
            evaluation.memo[PressingChecks] = PressingChecks(evaluation)
        pressing: PressingChecks = evaluation.memo[PressingChecks]
        self.pressing = pressing.anywhere, pressing.list_in(evaluation, container.force)
        self.pressing_by_key: dict[Hashable, list[Check]] = {}
        self.around = list(_measure_lasting_checks(evaluation, _list_spending_checks(evaluation, container)))
        # By id: comparing queries would cost more than the cache saves.
        self.places: dict[tuple[int, Node], list[Node]] = {}
        self.violations: dict[tuple[int, Node, Number], Violation] = {}
        self.found: dict[SelectionNode, Violation | None] = {}
        self.prospects: dict[SelectionNode, Prospect] = {}
        self._descriptions: dict[int, Hashable] = {}

    def describe(self, check: Check) -> Hashable:
        description = self._descriptions.get(id(check))
        if description is None:
            node = check.node
            place = node.written.id if isinstance(node, SelectionNode) else node.token
            force_id = node.force.document.id if node.force else ""
            description = self._descriptions[id(check)] = id(check.compiled), get_owner_key(check), force_id, place
        return description


class Prospect:
    """The changes that a pick makes, independent of the rest of the list.

    `keys` are what it counts as, in order. `growths` are changes of measured and allowed values by check, None if not
    computed. `breaks_itself` means that it breaks a check of its own.
    """

    __slots__ = ("breaks_itself", "growths", "keys")

    def __init__(self) -> None:
        self.keys: dict[Hashable, None] = {}
        self.growths: dict[Hashable, tuple[Number, Number | None]] = {}
        self.breaks_itself = False


class UnforeseenError(Exception):
    """An earlier result does not say whether a pick breaks a check."""


class PickPreview:
    """Finds what a pick inside one container would break.

    Minimums and percentages never block a pick, because later picks can fix them; a percentage of a limit does. With
    `sizes`, the pick is made in a whole stack at once, and `costs` must include all its picks.
    """

    def __init__(self, evaluation: Evaluation, container: Container, sizes: Sizes = ONE_EACH) -> None:
        self._evaluation = evaluation
        self._container = container
        self._sizes = sizes
        key = (PickPreview, container, count_stacked(container, sizes))
        if key not in evaluation.memo:
            evaluation.memo[key] = PreviewedPicks(evaluation, container)
        self._previews: PreviewedPicks = evaluation.memo[key]
        self.prices = PickCosts(evaluation, container)

    def find_violation(self, pick: Pick, costs: Totals) -> Violation | None:
        """Return the violation that a pick would cause or worsen.

        In a detachment, violations that no further pick can fix come first; in a selection, the pick's own checks.
        """
        node = pick[0].node
        violations = self._previews.found
        if node not in violations:
            violations[node] = self._look_for_violation(pick, costs)
        return violations[node]

    def get_prospect(self, pick: Pick) -> Prospect:
        """Call `find_violation` first."""
        return self._previews.prospects.setdefault(pick[0].node, Prospect())

    def foresee_violation(self, prospect: Prospect, costs: Totals) -> Violation | None:
        """Reuse an earlier evaluation. Raises UnforeseenError if the pick must be evaluated again."""
        pressing = self._list_pressing(prospect.keys)
        return self._weigh(self._find_reason(self._predict_known(before, prospect) for before in pressing), costs)

    def _predict_known(self, before: Check, prospect: Prospect) -> Check | None:
        change = prospect.growths.get(self._previews.describe(before))
        if change is None:
            raise UnforeseenError
        growth, room = change
        if room is None:
            if before.measured + growth <= before.allowed:
                return None
            raise UnforeseenError
        return _add_growth(before, growth, room)

    def _look_for_violation(self, pick: Pick, costs: Totals) -> Violation | None:
        node = pick[0].node
        if self._evaluation.values.is_hidden(node):
            return build_hidden_violation(self._evaluation, [node])
        prospect = self._previews.prospects[node] = Prospect()
        prospect.keys = self._collect_keys(pick, costs)
        return self._weigh(self._find_reason(self._predict_checks(pick, costs, prospect)), costs)

    def _weigh(self, reason: Violation | None, costs: Totals) -> Violation | None:
        if reason and (isinstance(self._container, SelectionNode) or not reason.mendable):
            return reason
        # "Too many points" is less specific, so it comes last.
        return find_exceeded_limit(self._evaluation, costs) or reason

    def _find_reason(self, broken: Iterable[Check | None]) -> Violation | None:
        mendable = None
        for after in broken:
            if after is None or is_suppressed(self._evaluation, after):
                continue
            key = (id(after.constraint), after.node, after.allowed)
            violation = self._previews.violations.get(key)
            if violation is None:
                violation = build_check_violation(self._evaluation, UPPER[after.constraint.bound], after)
                self._previews.violations[key] = violation
            elif violation.measured != after.measured:
                violation = copy_with(violation, measured=shorten_number(after.measured))
            if isinstance(self._container, SelectionNode) or not violation.mendable:
                return violation
            mendable = mendable or violation
        return mendable

    def _predict_checks(self, pick: Pick, costs: Totals, prospect: Prospect) -> Iterator[Check | None]:
        for before in (*_measure_lasting_checks(self._evaluation, self._list_own_checks(pick)), *self._previews.around):
            _, _, after = self._predict_check(before, pick, costs)
            prospect.breaks_itself |= after is not None
            yield after
        for before in self._list_pressing(prospect.keys):
            growth, room, after = self._predict_check(before, pick, costs)
            prospect.growths[self._previews.describe(before)] = growth, room
            yield after

    def _list_pressing(self, keys: Iterable[Hashable]) -> Iterator[Check]:
        seen: set[int] = set()
        pressing_by_key = self._previews.pressing_by_key
        anywhere, here = self._previews.pressing
        for key in keys:
            if key not in anywhere and key not in here:
                continue
            if key not in pressing_by_key:
                numbered = sorted((*anywhere.get(key, ()), *here.get(key, ())), key=itemgetter(0))
                checks = (check for _, check in numbered if self._may_count(check))
                pressing_by_key[key] = list(_measure_lasting_checks(self._evaluation, checks))
            for check in pressing_by_key[key]:
                if id(check) not in seen:
                    seen.add(id(check))
                    yield check

    def _may_count(self, check: Check) -> bool:
        if isinstance(self._container, SelectionNode):
            return True
        for query in _list_growing_queries(check):
            key = get_owner_key(check) if query.child_id is None else query.child_id
            places = self._list_places(query, check.node, key)
            if any(isinstance(place, RosterNode | ForceNode | SlotNode | GroupNode) for place in places):
                return True
        return False

    def _collect_keys(self, pick: Pick, costs: Totals) -> dict[Hashable, None]:
        # Ordered, so that the first violation is the same in every process.
        keys: dict[Hashable, None] = {}
        for node, _ in pick:
            for key in _list_keys(self._evaluation, node):
                keys[key] = None
        for node, _ in pick:
            for type_id in self._evaluation.costs.get_unit_costs(node):
                keys[ANY, type_id] = None
        # The pick may trigger modifiers with other cost types.
        for type_id in costs:
            keys[ANY, type_id] = None
        return keys

    def _list_own_checks(self, pick: Pick) -> Iterator[Check]:
        top = pick[0].node
        for node, _ in pick:
            constraints = node.option.entry.constraints if node.option else NO_CONSTRAINTS
            # Automatic selections obey their own limits.
            for compiled in constraints.upper if node is top else constraints.reaching:
                yield Check(compiled, node)
        for group in top.option.groups if top.option else ():
            for compiled in group.entry.constraints.upper:
                yield Check(compiled, self._evaluation.values.get_group(group, self._container))

    def _predict_check(self, before: Check, pick: Pick, costs: Totals) -> tuple[Number, Number | None, Check | None]:
        """Return how much more a check measures and allows, and the check if the pick breaks it."""
        constraint, node, owner_key = before.compiled.constraint, before.node, get_owner_key(before)
        growth = self._compute_growth(constraint.query, node, owner_key, pick, costs, before.compiled.shared_limit)
        # Usually the pick fits and cannot lower the bound. Costs may be negative, counts cannot.
        if before.measured + growth <= before.allowed and all(
            term.coefficient >= 0 and term.query.field == Field.SELECTIONS for term in constraint.terms
        ):
            return growth, None if constraint.terms else 0, None
        room = sum(
            term.coefficient * self._compute_growth(term.query, node, owner_key, pick, costs)
            for term in constraint.terms
        )
        begins_to_bind = before.compiled.explicit and any(node is new.node for new in pick)
        return growth, room, _add_growth(before, growth, room, begins_to_bind=begins_to_bind)

    # ---- how a query grows ---------------------------------------------------------------------------------------

    def _compute_growth(
        self, query: Query, node: Node, owner_key: Hashable, pick: Pick, costs: Totals, shared_limit: str = ""
    ) -> Number:
        key = owner_key if query.child_id is None else query.child_id
        if query.field == Field.FORCES or query.scope == Scope.ANCESTOR or key is None:
            return 0
        places = self._list_places(query, node, key)
        if key in self._evaluation.ruleset.force_entry_ids:
            key = ANY
        if query.field == Field.SELECTIONS:
            growth = 0
            for place in places:
                times, direct = self._count_in_place(place, pick[0].node)
                if times:
                    for new in pick if query.deep else pick[: 1 if direct else 0]:
                        if key in _list_keys(self._evaluation, new.node):
                            growth += times * new.number
            return growth
        type_id = shared_limit or query.field
        return sum(self._grow_spending(query, type_id, place, key, pick, costs) for place in places)

    def _list_places(self, query: Query, node: Node, key: Hashable) -> list[Node]:
        place_key = (id(query), node)
        inside = self._previews.places.get(place_key)
        if inside is None:
            places = self._evaluation.scopes.list_places(query, node) or []
            if key in self._evaluation.ruleset.force_entry_ids:
                places = list_forces_of(query, places, key)
            # Other forces never count the pick.
            inside = [
                place for place in places if isinstance(place, RosterNode) or place.force is self._container.force
            ]
            self._previews.places[place_key] = inside
        return inside

    def _grow_spending(
        self, query: Query, type_id: str, place: Node, key: Hashable, pick: Pick, costs: Totals
    ) -> Number:
        """Return how much more one place spends. The pick may be in a counted selection or contain one."""
        times, _ = self._count_in_place(place, pick[0].node)
        if not times:
            return 0
        whole = self._is_paid_for(pick[0].node, place, key, deep=query.deep)
        # This includes modifiers that the pick triggers.
        if whole and isinstance(place, RosterNode | ForceNode) and type_id in costs:
            return costs[type_id]
        paid = [new for new in pick if whole or (query.deep and self._is_paid_for(new.node, place, key, deep=True))]
        return times * sum(new.number * self._evaluation.costs.get_unit_cost(new.node, type_id) for new in paid)

    def _count_in_place(self, place: Node, pick: SelectionNode) -> tuple[int, bool]:
        container = self._container
        if place is container:
            return 1, True
        if isinstance(place, ForceNode):
            return self._count_containers() if container.force is place else 0, False
        if isinstance(place, RosterNode):
            # Queries that count nested forces list them as places.
            inside = container.force is not None and container.force.parent is place
            return self._count_containers() if inside else 0, container is container.force
        if isinstance(place, SlotNode):
            if container is place.force:
                return int(place.id in self._evaluation.categories.get_membership(pick).ids), True
            return self._count_containers() if find_root(container) in place.members else 0, False
        if isinstance(place, GroupNode) and place.container is container:
            return int(pick.option is not None and place.group in pick.option.groups), True

        times = 1
        outer: Node | None = container
        while isinstance(outer, SelectionNode):
            times *= outer.number * _get_size(outer, self._sizes)
            outer = outer.parent
            if outer is place:
                return times, False
        return 0, False

    def _count_containers(self) -> int:
        container = self._container
        return container.total * count_stacked(container, self._sizes) if isinstance(container, SelectionNode) else 1

    def _is_paid_for(self, node: SelectionNode, place: Node, key: Hashable, *, deep: bool) -> bool:
        within = list_within(node, place)
        return any(key in _list_keys(self._evaluation, outer) for outer in (within if deep else within[-1:]))


def count_stacked(container: Container, sizes: Sizes) -> int:
    return prod(_get_size(node, sizes) for node in walk_outward(container) if isinstance(node, SelectionNode))


def _get_size(node: SelectionNode, sizes: Sizes) -> int:
    return sizes.get(node.document.id, 1) if node.document else 1


KeyedChecks = dict[Hashable, list[tuple[int, Check]]]
"""Numbered checks by the keys they count."""


class PressingChecks:
    """The checks that picks can break, except other forces' own counts.

    Any force's picks can break the checks in `anywhere`, each once. The evaluation owns this object, so it must not
    refer back.
    """

    def __init__(self, evaluation: Evaluation) -> None:
        self.anywhere: KeyedChecks = {}
        self._in_force: dict[ForceNode | None, list[tuple[int, Check]]] = {}
        self._checks_by_force: dict[ForceNode | None, KeyedChecks] = {}
        questions: set[Hashable] = set()
        listed = [check for bound in UPPER for check in list_pressing_checks(evaluation, bound)]
        for number, check in enumerate(listed):
            if not check.compiled.lasting:
                continue
            forces = _list_counting_forces(evaluation, check)
            if None not in forces:
                for force in forces:
                    self._in_force.setdefault(force, []).append((number, check))
                continue
            measured = measure_check(evaluation, check)
            if measured is None or is_suppressed(evaluation, measured):
                continue
            # A pick breaks equal checks of the whole list together.
            places = [evaluation.scopes.find_place(q.scope, measured.node) for q in _list_growing_queries(measured)]
            question = id(measured.compiled), get_owner_key(measured), measured.measured, measured.allowed, *places
            if question in questions:
                self._in_force.setdefault(measured.node.force, []).append((number, check))
            else:
                questions.add(question)
                _index_check(evaluation, self.anywhere, number, measured)

    def list_in(self, evaluation: Evaluation, force: ForceNode | None) -> KeyedChecks:
        """Return unmeasured checks that only some forces' picks can break, including picks in this force."""
        if force not in self._checks_by_force:
            checks = self._checks_by_force[force] = {}
            for number, check in self._in_force.get(force, ()):
                _index_check(evaluation, checks, number, check)
        return self._checks_by_force[force]


def _index_check(evaluation: Evaluation, checks: KeyedChecks, number: int, check: Check) -> None:
    for key in _list_check_keys(evaluation, check):
        checks.setdefault(key, []).append((number, check))


def _list_counting_forces(evaluation: Evaluation, check: Check) -> list[ForceNode | None]:
    """List forces whose picks can change a check. None means any."""
    # A check of the pick's own node begins to bind.
    forces = {check.node.force: None}
    for query in _list_growing_queries(check):
        if check.node.force and query.scope == Scope.FORCE and not query.include_child_forces:
            continue
        for place in evaluation.scopes.list_places(query, check.node) or ():
            if isinstance(place, RosterNode):
                return [None]
            forces[place.force] = None
    return list(forces)


def _list_growing_queries(check: Check) -> list[Query]:
    constraint = check.compiled.constraint
    queries = [constraint.query]
    if constraint.terms:
        queries += [term.query for term in constraint.terms]
    return [query for query in queries if query.field != Field.FORCES and query.scope != Scope.ANCESTOR]


def _list_spending_checks(evaluation: Evaluation, container: Container) -> Iterator[Check]:
    for outer in walk_outward(container):
        if not isinstance(outer, SelectionNode) or outer.option is None:
            continue
        groups = [evaluation.values.get_group(group, outer.container) for group in outer.option.groups]
        entries = [(outer, outer.option.entry), *((node, node.group.entry) for node in groups)]
        for node, entry in entries:
            for compiled in entry.constraints.upper:
                if compiled.constraint.query.field not in (Field.SELECTIONS, Field.FORCES):
                    yield Check(compiled, node)


def _measure_lasting_checks(evaluation: Evaluation, checks: Iterable[Check]) -> Iterator[Check]:
    for check in checks:
        measured = measure_check(evaluation, check) if check.compiled.lasting else None
        if measured:
            yield measured


def _list_keys(evaluation: Evaluation, node: SelectionNode) -> tuple[Hashable, ...]:
    return (*node.keys, *evaluation.categories.get_membership(node).ids, node.entry_id)


def _list_check_keys(evaluation: Evaluation, check: Check) -> set[Hashable]:
    constraint = check.constraint
    owner_key = get_owner_key(check)
    keys: set[Hashable] = set()
    if check.compiled.shared_limit:
        return {(ANY, check.compiled.shared_limit)}
    for query in (constraint.query, *(term.query for term in constraint.terms)):
        key = owner_key if query.child_id is None else query.child_id
        if query.field not in (Field.SELECTIONS, Field.FORCES):
            # Costs include all contents.
            keys.add((ANY, query.field))
        elif key is not None:
            keys.add(ANY if key in evaluation.ruleset.force_entry_ids else key)
    return keys


def find_exceeded_limit(evaluation: Evaluation, costs: Totals) -> Violation | None:
    for limit in evaluation.roster.document.limits:
        added = costs.get(limit.type_id, 0)
        if added > 0 and limit.value >= 0:
            spent = evaluation.totals.get(limit.type_id, 0) + added
            if spent > limit.value:
                return build_limit_violation(evaluation, limit.type_id, spent, limit.value)
    return None


# ---- what it costs -----------------------------------------------------------------------------------------


def _add_growth(before: Check, growth: Number, room: Number, *, begins_to_bind: bool = False) -> Check | None:
    measured, allowed = before.measured + growth, before.allowed + room
    if measured <= allowed:
        return None
    # A pick that does not worsen a broken check may be part of a fix.
    if growth <= room and not begins_to_bind:
        return None
    return Check(before.compiled, before.node, before.instances, measured, allowed)


class PickCosts:
    """Computes what picks inside one container add to the roster's costs.

    If a unit's costs have modifiers, the pick is tried on a copy: a sixth model may make a squad large.
    """

    def __init__(self, evaluation: Evaluation, container: Container) -> None:
        self._evaluation = evaluation
        self._container = container
        self._times = container.total if isinstance(container, SelectionNode) else 1
        self._root = find_root(container)
        self._moving = evaluation.costs.are_reached or _has_moving_costs(self._root)
        self._before = evaluation.costs.sum_selection(self._root) if self._root and self._moving else {}

    @cached_property
    def _path(self) -> Path:
        document = self._container.document
        return find_path(self._evaluation.roster.document, document.id) if document else ()

    def compute_costs(self, plan: Pick) -> Totals:
        if self._moving and self._root and self._root.document:
            return self._try_pick(plan, self._root.document.id)
        totals: Totals = {}
        for node, number in plan:
            for type_id, value in self._evaluation.costs.get_unit_costs(node).items():
                totals[type_id] = totals.get(type_id, 0) + value * number * self._times
        return totals

    def _try_pick(self, plan: Pick, root_id: str) -> Totals:
        node = plan[0].node
        if node.document:
            path = find_path(self._evaluation.roster.document, node.document.id)
            roster = replace_node(path, copy_with(node.document, number=node.number + 1))
        else:
            roster = append_selection(self._path, build_document(self._evaluation, node, lambda: ""))
        trial = Evaluation(self._evaluation.ruleset, roster)
        root = trial.find_container(root_id)
        after = trial.costs.sum_selection(root) if isinstance(root, SelectionNode) else {}
        return {type_id: value - self._before.get(type_id, 0) for type_id, value in after.items()}


def _has_moving_costs(root: SelectionNode | None) -> bool:
    if root is None:
        return False
    inside = (root, *(node for node, _ in list_members(root, deep=True)))
    return any(node.option and not node.option.entry.fixed_costs for node in inside)
