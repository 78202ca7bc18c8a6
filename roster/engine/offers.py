"""List what may be added, and what prevents it."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Union

from catalogue.definitions.citations import NOWHERE, Citation
from catalogue.definitions.constraints import Constraint, Severity
from catalogue.definitions.entries import ForceEntry
from catalogue.definitions.numbers import Number
from catalogue.definitions.queries import ANY, BOUNDS, Bound, Field, Scope
from catalogue.graph.compiled_entry import CompiledEntry, CompiledGroup, CompiledOption
from catalogue.graph.ids import compose_id
from roster.engine.checks import Check, get_owner_key, list_pressing_checks, measure_check
from roster.engine.costs import Totals
from roster.engine.effects import HIDDEN
from roster.engine.evaluation import Evaluation
from roster.engine.footprints import Footprint
from roster.engine.force_kinds import list_surroundings, may_show
from roster.engine.nodes import Container, ForceNode, GroupNode, RosterNode, SelectionNode
from roster.engine.pick_preview import (
    ONE_EACH,
    UPPER,
    Pick,
    PickPreview,
    Prospect,
    Sizes,
    UnforeseenError,
    count_stacked,
    pick_again,
    pick_option,
)
from roster.engine.report import CostTotal, Violation
from roster.engine.rule import build_check_violation, build_hidden_violation
from roster.engine.taking_over import Answers
from roster.engine.tree import Value, copy_with
from roster.engine.violation_location import find_name


class OfferedOption(Value, tag_field="kind", tag="option"):
    """An entry that may be taken here.

    `costs` is the price of one more with automatic selections. `blocked` is the violation that one more would cause or
    worsen. An untaken hidden option has only its id, type, declared name and `blocked`.
    """

    entry_id: str
    name: str
    type: str = "upgrade"
    costs: tuple[CostTotal, ...] = ()
    category_id: str = ""
    category_name: str = ""
    category_ids: tuple[str, ...] = ()
    number: int = 0
    min: Number = 0
    max: Number | None = None
    step: int = 1
    hidden: bool = False
    collective: bool = False
    default: bool = False
    selection_ids: tuple[str, ...] = ()
    note: str = ""
    citation: Citation = NOWHERE
    blocked: Violation | None = None


class OfferedGroup(Value, tag_field="kind", tag="group"):
    """A group of options. A `flat` group is shown without its name."""

    group_id: str
    name: str
    min: Number = 0
    max: Number | None = None
    count: Number = 0
    hidden: bool = False
    default_id: str = ""
    flat: bool = False
    foldable: bool = False
    note: str = ""
    citation: Citation = NOWHERE
    items: tuple[Union[OfferedOption, "OfferedGroup"], ...] = ()


class Offers(Value):
    container_id: str
    items: tuple[OfferedOption | OfferedGroup, ...] = ()

    @property
    def options(self) -> tuple[OfferedOption, ...]:
        return tuple(_flatten_options(self.items))


def _flatten_options(items: tuple[OfferedOption | OfferedGroup, ...]) -> list[OfferedOption]:
    options: list[OfferedOption] = []
    for item in items:
        if isinstance(item, OfferedOption):
            options.append(item)
        else:
            options.extend(_flatten_options(item.items))
    return options


class JudgedOffer(NamedTuple):
    """An offer with what it depended on.

    `offered` is None if the entry has no place here, `prospect` is None if nothing would be picked.
    """

    offered: OfferedOption | None
    footprint: Footprint
    costs: Totals
    prospect: Prospect | None


def list_offers(evaluation: Evaluation, container_id: str, sizes: Sizes = ONE_EACH) -> Offers:
    """With `sizes`, offers are for all selections of a stack."""
    container = evaluation.find_container(container_id)
    if container is None or container.contents is None:
        return Offers(container_id=container_id)
    return Offers(
        container_id=container_id,
        items=_OfferBuilder(evaluation, container, sizes).build_items(container.contents.items),
    )


class _OfferBuilder:
    def __init__(self, evaluation: Evaluation, container: Container, sizes: Sizes) -> None:
        self._evaluation = evaluation
        self._container = container
        self._times = count_stacked(container, sizes)
        self._blocking = PickPreview(evaluation, container, sizes)
        self._earlier: dict[CompiledOption, JudgedOffer] = {}
        self._evaluated_list: dict[CompiledOption, JudgedOffer] | None = None
        if isinstance(container, ForceNode) and container.footprint:
            self._earlier = evaluation.earlier_offers.get(container, {})
            self._evaluated_list = evaluation.offers.setdefault(container, {})
            self._answers = Answers(evaluation)

    def build_items(
        self, items: tuple[CompiledOption | CompiledGroup, ...]
    ) -> tuple[OfferedOption | OfferedGroup, ...]:
        offered: list[OfferedOption | OfferedGroup] = []
        for item in items:
            if isinstance(item, CompiledGroup):
                offered.append(self._build_group(item))
            elif option := self._offer_option(item):
                offered.append(option)
        return tuple(offered)

    def _offer_option(self, option: CompiledOption) -> OfferedOption | None:
        evaluation, container = self._evaluation, self._container
        # A group of a force is evaluated with the force.
        if self._evaluated_list is None or option.groups:
            return self._build_option(option)[0] if evaluation.is_open(container, option) else None
        offer = self._judge_on(option)
        if offer is None:
            is_open = evaluation.is_open(container, option)
            offered, pick, costs = self._build_option(option) if is_open else (None, [], {})
            offer = JudgedOffer(
                offered=offered,
                footprint=evaluation.preview_selection(container, option).footprint or Footprint(),
                costs=costs,
                prospect=self._blocking.get_prospect(pick) if pick else None,
            )
        self._evaluated_list[option] = offer
        return offer.offered

    def _judge_on(self, option: CompiledOption) -> JudgedOffer | None:
        """Update an earlier offer, or return None if it must be rebuilt."""
        earlier = self._earlier.get(option)
        if earlier is None or not self._answers.are_same(earlier.footprint):
            return None
        offered, prospect = earlier.offered, earlier.prospect
        if offered is None:
            return earlier
        taken = self._evaluation.group_selections(self._container).get(option, [])
        ids = tuple(member.document.id for member in taken if member.document)
        if (ids, sum(member.number for member in taken)) != (offered.selection_ids, offered.number):
            return None
        blocked = offered.blocked
        if prospect and not offered.hidden:
            if prospect.breaks_itself:
                return None
            try:
                blocked = self._blocking.foresee_violation(prospect, earlier.costs)
            except UnforeseenError:
                return None
        least, most = offered.min, offered.max
        if taken:
            # The first selection is evaluated with its unit.
            least, most = self._compute_bounds(option.entry, taken[0], offered.number)
        if (blocked, least, most) == (offered.blocked, offered.min, offered.max):
            return earlier
        return earlier._replace(offered=copy_with(offered, blocked=blocked, min=least, max=most))

    def _build_group(self, group: CompiledGroup) -> OfferedGroup:
        evaluation, entry = self._evaluation, group.entry
        node = evaluation.values.get_group(group, self._container)
        count = sum(member.number for member in node.members)
        least, most = self._compute_bounds(entry, node, count)
        default = group.default
        return OfferedGroup(
            group_id=compose_id(self._container.start, group),
            name=evaluation.values.get_group_name(node),
            min=least,
            max=most,
            count=count,
            hidden=evaluation.values.is_group_hidden(node),
            default_id=compose_id(self._container.start, default) if default else "",
            flat=any(part.flatten for part in entry.parts),
            foldable=any(part.collapsible for part in entry.parts),
            note=entry.note,
            citation=entry.citation,
            items=self.build_items(group.items),
        )

    def _build_option(self, option: CompiledOption) -> tuple[OfferedOption, Pick, Totals]:
        evaluation, entry = self._evaluation, option.entry
        taken = evaluation.group_selections(self._container).get(option, [])
        if not taken:
            # Most options of large games are hidden, so skip the rest.
            bare = evaluation.preview_selection(self._container, option)
            if evaluation.values.is_hidden(bare):
                offered = OfferedOption(
                    entry_id=bare.entry_id,
                    name=entry.name,
                    type=entry.target.type.value,
                    hidden=True,
                    blocked=build_hidden_violation(evaluation, [bare]),
                )
                return offered, [], {}
        # In a selection one more raises the number; in a force each unit is a selection of its own.
        stacks = isinstance(self._container, SelectionNode) and not entry.is_instanced
        plan = pick_again(taken[0]) if taken and stacks else pick_option(evaluation, self._container, option)
        node = plan[0].node
        costs = self._blocking.prices.compute_costs(plan)
        if self._times > 1:
            costs = {type_id: value * self._times for type_id, value in costs.items()}
        number = sum(member.number for member in taken)
        least, most = self._compute_bounds(entry, taken[0] if taken else node, number)
        membership = evaluation.categories.get_membership(node)
        offered = OfferedOption(
            entry_id=compose_id(self._container.start, option),
            name=evaluation.values.get_name(node),
            type=entry.target.type.value,
            costs=evaluation.build_cost_lines(costs),
            category_id=membership.primary,
            category_name=find_name(evaluation, membership.primary) if membership.primary else "",
            category_ids=membership.ids,
            number=number,
            min=least,
            max=most,
            step=max(1, *(part.step for part in entry.parts)),
            hidden=evaluation.values.is_hidden(node),
            collective=entry.collective,
            default=bool(option.group and option.group.default is option),
            selection_ids=tuple(member.document.id for member in taken if member.document),
            note=entry.note,
            citation=entry.citation,
            blocked=self._blocking.find_violation(plan, costs),
        )
        return offered, plan, costs

    def _compute_bounds(
        self, entry: CompiledEntry, node: SelectionNode | GroupNode, number: int
    ) -> tuple[Number, Number | None]:
        least: Number = 0
        most: Number | None = None
        for bound in BOUNDS:
            for compiled in entry.constraints.on_owner.get(bound, ()):
                query = compiled.constraint.query
                # Other limits show as `blocked`.
                if query.field != Field.SELECTIONS or query.percent:
                    continue
                check = measure_check(self._evaluation, Check(compiled, node))
                if check is None:
                    continue
                # Selections elsewhere may use up the limit.
                here = max(0, check.allowed - check.measured + number)
                if bound is not Bound.MAX:
                    least = max(least, here)
                if bound is not Bound.MIN:
                    most = here if most is None else min(most, here)
        return least, most


# ---- kinds of force --------------------------------------------------------------------------------------------------


class JudgedForce(NamedTuple):
    """The data's answer about one more force, with what it depended on.

    `breaks_itself` means that it exceeds its own limit.
    """

    is_hidden: bool
    breaks_itself: bool
    footprint: Footprint


def list_offered_forces(
    evaluation: Evaluation, entries: Iterable[ForceEntry], catalogue_id: str, parent_id: str = ""
) -> tuple[ForceEntry, ...]:
    """List force kinds to add inside `parent_id` or at the top.

    Hidden kinds are left out, unless the list's own faction would have none at the top: games with a single force kind
    hide it.
    """
    entries = sorted(entries, key=lambda entry: (not entry.sort_index, entry.sort_index))
    parent = _find_parent(evaluation, parent_id)
    answers = Answers(evaluation)
    offered = tuple(
        entry
        for entry in _list_possible_forces(evaluation, entries, catalogue_id, parent)
        if not _judge_force(evaluation, parent, entry.id, catalogue_id, answers).is_hidden
    )
    is_of_list = evaluation.roster.document.of in ("", catalogue_id)
    if not offered and not parent_id and is_of_list:
        offered = tuple(entry for entry in entries if _is_hidden_for_good(entry))
    return offered


def _is_hidden_for_good(entry: ForceEntry) -> bool:
    return entry.hidden and all(modifier.field != HIDDEN for modifier in entry.modifiers)


def _list_possible_forces(
    evaluation: Evaluation, entries: Sequence[ForceEntry], catalogue_id: str, parent: RosterNode | ForceNode
) -> tuple[ForceEntry, ...]:
    ruleset = evaluation.ruleset
    around = list_surroundings(parent)

    def look() -> tuple[ForceEntry, ...]:
        previews = ((entry, evaluation.preview_force(parent, entry.id, catalogue_id)) for entry in entries)
        return tuple(
            entry
            for entry, force in previews
            if force.compiled_force is None or may_show(ruleset, force.compiled_force, catalogue_id, around)
        )

    ids = tuple(entry.id for entry in entries)
    return ruleset.derive((_list_possible_forces, catalogue_id, around, ids), look)


def _find_parent(evaluation: Evaluation, parent_id: str) -> RosterNode | ForceNode:
    parent = evaluation.find_container(parent_id) if parent_id else None
    return parent if isinstance(parent, ForceNode) else evaluation.roster


def _judge_force(
    evaluation: Evaluation, parent: RosterNode | ForceNode, entry_id: str, catalogue_id: str, answers: Answers
) -> JudgedForce:
    key = (entry_id, catalogue_id)
    cache = evaluation.force_offers.setdefault(parent, {})
    outcome: JudgedForce | None = cache.get(key)
    if outcome is None:
        outcome = evaluation.earlier_force_offers.get(parent, {}).get(key)
        if outcome is None or not answers.are_same(outcome.footprint):
            force = evaluation.preview_force(parent, entry_id, catalogue_id)
            outcome = JudgedForce(
                is_hidden=evaluation.values.is_force_hidden(force),
                breaks_itself=any(_list_exceeded(evaluation, _list_own_limits(force))),
                footprint=force.footprint or Footprint(),
            )
        cache[key] = outcome
    return outcome


def find_barred_forces(
    evaluation: Evaluation, entry_ids: Iterable[str], catalogue_id: str, parent_id: str = ""
) -> dict[str, Violation]:
    """Return the violation that one more force would cause, by entry id."""
    barred: dict[str, Violation] = {}
    parent = _find_parent(evaluation, parent_id)
    answers = Answers(evaluation)
    for entry_id in entry_ids:
        force = evaluation.preview_force(parent, entry_id, catalogue_id)
        limits = _list_pressing_limits(evaluation, force)
        # A kind's own limits come first.
        if _judge_force(evaluation, parent, entry_id, catalogue_id, answers).breaks_itself:
            limits = _list_own_limits(force)
        exceeded = next(_list_exceeded(evaluation, limits), None)
        if exceeded:
            barred[entry_id] = build_check_violation(evaluation, UPPER[exceeded.constraint.bound], exceeded)
    return barred


def _list_exceeded(evaluation: Evaluation, limits: Iterable[Check]) -> Iterator[Check]:
    for check in limits:
        before = measure_check(evaluation, check)
        if before and before.measured + 1 > before.allowed:
            # Previews are not counted.
            yield before._replace(measured=before.measured + 1)


def _list_own_limits(force: ForceNode) -> Iterator[Check]:
    for compiled in force.compiled_force.constraints.upper if force.compiled_force else ():
        if _is_force_limit(compiled.constraint):
            yield Check(compiled, force)


def _list_pressing_limits(evaluation: Evaluation, force: ForceNode) -> Iterator[Check]:
    if _list_pressing_limits not in evaluation.memo:
        pressing = (check for bound in UPPER for check in list_pressing_checks(evaluation, bound))
        evaluation.memo[_list_pressing_limits] = [check for check in pressing if _is_force_limit(check.constraint)]
    for check in evaluation.memo[_list_pressing_limits]:
        key = check.constraint.query.child_id or get_owner_key(check)
        if key == ANY or key in force.names:
            place = evaluation.scopes.find_place(check.constraint.query.scope, check.node)
            if place is force.parent or isinstance(place, RosterNode):
                yield check


def _is_force_limit(constraint: Constraint) -> bool:
    query = constraint.query
    # Terms may raise a bound with further picks.
    counts_forces = query.field == Field.FORCES and query.scope in (Scope.ROSTER, Scope.PARENT, Scope.FORCE)
    return counts_forces and not query.percent and constraint.severity is Severity.ERROR and not constraint.terms
