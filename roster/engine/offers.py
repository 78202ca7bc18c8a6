"""What may be taken inside a force or a selection, and what stands in the way."""

from typing import Union

from catalogue.definitions.citations import NOWHERE, Citation
from catalogue.definitions.numbers import Number
from catalogue.definitions.queries import Bound, Field
from catalogue.graph.compiled_constraints import CompiledConstraint
from catalogue.graph.compiled_entry import CompiledEntry, CompiledGroup, CompiledOption
from catalogue.graph.ids import compose_id
from roster.engine.auto_select import is_instanced
from roster.engine.checks import Check, Figures, figures
from roster.engine.evaluation import Evaluation
from roster.engine.nodes import Container, GroupNode, SelectionNode
from roster.engine.pick_costs import PickCosts
from roster.engine.pick_preview import Pick, PickPreview, fresh_plan, plan_of
from roster.engine.report import CostTotal, Violation
from roster.engine.totals import cost_lines
from roster.engine.tree import Value
from roster.engine.violation_location import name_of


class OfferedOption(Value, tag_field="kind", tag="option"):
    """An entry that may be taken here.

    `entry_id` is the composite id to give to `edits.select`. `costs` is what taking one more would cost, its automatic
    selections included. `number` is how many are taken here, as the selections `selection_ids`. `max` None means no
    limit. `blocked` is the violation that one more would cause or make worse; None when it is free to take.
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
    hidden: bool = False
    collective: bool = False
    default: bool = False
    selection_ids: tuple[str, ...] = ()
    note: str = ""
    citation: Citation = NOWHERE
    blocked: Violation | None = None


class OfferedGroup(Value, tag_field="kind", tag="group"):
    """A group of options, in the order of the data.

    `count` is what is taken from it, `default_id` its default's composite id.
    """

    group_id: str
    name: str
    min: Number = 0
    max: Number | None = None
    count: Number = 0
    hidden: bool = False
    default_id: str = ""
    note: str = ""
    citation: Citation = NOWHERE
    items: tuple[Union[OfferedOption, "OfferedGroup"], ...] = ()


class Offers(Value):
    """Everything on offer inside one force or selection, in the order of the data."""

    container_id: str
    items: tuple[OfferedOption | OfferedGroup, ...] = ()

    @property
    def options(self) -> tuple[OfferedOption, ...]:
        """All options, those in groups included, in order."""
        return tuple(_options(self.items))


def _options(items: tuple[OfferedOption | OfferedGroup, ...]) -> list[OfferedOption]:
    found: list[OfferedOption] = []
    for item in items:
        if isinstance(item, OfferedOption):
            found.append(item)
        else:
            found.extend(_options(item.items))
    return found


def offers(evaluation: Evaluation, container_id: str) -> Offers:
    """What may be taken inside the force or selection `container_id`; nothing where there is no such node."""
    container = evaluation.container(container_id)
    if container is None or container.layout is None:
        return Offers(container_id=container_id)
    prices = PickCosts(evaluation, container)
    return Offers(
        container_id=container_id,
        items=_Offering(evaluation, container, prices).items(container.layout.items),
    )


class _Offering:
    """Makes the offers of one container."""

    def __init__(self, evaluation: Evaluation, container: Container, prices: PickCosts) -> None:
        self._evaluation = evaluation
        self._container = container
        self._prices = prices
        self._blocking = PickPreview(evaluation, container)

    def items(
        self, items: tuple[CompiledOption | CompiledGroup, ...]
    ) -> tuple[OfferedOption | OfferedGroup, ...]:
        """Offers for options and groups, without options that have no place here."""
        offered: list[OfferedOption | OfferedGroup] = []
        for item in items:
            if isinstance(item, CompiledGroup):
                offered.append(self._group(item))
            elif self._evaluation.is_open(self._container, item):
                offered.append(self._option(item))
        return tuple(offered)

    def _group(self, group: CompiledGroup) -> OfferedGroup:
        evaluation, template = self._evaluation, group.entry
        node = evaluation.effects.group(group, self._container)
        count = sum(member.number for member in node.members)
        least, most = self._bounds(template, node, count)
        default = group.default
        return OfferedGroup(
            group_id=compose_id(self._container.start, group),
            name=evaluation.effects.group_name(node),
            min=least,
            max=most,
            count=count,
            hidden=evaluation.effects.group_hidden(node),
            default_id=compose_id(self._container.start, default) if default else "",
            note=template.note,
            citation=template.citation,
            items=self.items(group.items),
        )

    def _option(self, option: CompiledOption) -> OfferedOption:
        evaluation, template = self._evaluation, option.entry
        taken = evaluation.chosen(self._container).get(option, [])
        plan = self._plan(option, taken)
        node = plan[0].node
        costs = self._prices.of(plan)
        number = sum(member.number for member in taken)
        least, most = self._bounds(template, taken[0] if taken else node, number)
        membership = evaluation.categories.of(node)
        return OfferedOption(
            entry_id=compose_id(self._container.start, option),
            name=evaluation.effects.name(node),
            type=template.target.type.value,
            costs=cost_lines(evaluation, costs),
            category_id=membership.primary,
            category_name=name_of(evaluation, membership.primary) if membership.primary else "",
            category_ids=membership.ids,
            number=number,
            min=least,
            max=most,
            hidden=evaluation.effects.hidden(node),
            collective=template.collective,
            default=bool(option.group and option.group.default is option),
            selection_ids=tuple(member.document.id for member in taken if member.document),
            note=template.note,
            citation=template.citation,
            blocked=self._blocking.violation(plan, costs),
        )

    def _plan(self, option: CompiledOption, taken: list[SelectionNode]) -> Pick:
        """One more of an option with all that comes along: like the one that is counted up, or filled anew."""
        stacks = isinstance(self._container, SelectionNode) and not is_instanced(option.entry)
        return (
            plan_of(taken[0]) if taken and stacks else fresh_plan(self._evaluation, self._container, option)
        )

    def _bounds(
        self, template: CompiledEntry, node: SelectionNode | GroupNode, number: int
    ) -> tuple[Number, Number | None]:
        """How many there must and may be here, given what is taken elsewhere. No upper bound is None."""
        least: Number = 0
        most: Number | None = None
        for bound in Bound:
            for demand in template.constraints.on_owner.get(bound, ()):
                found = self._own_figures(demand, node)
                if found is None:
                    continue
                here = max(0, found.allowed - found.measured + number)
                if bound is not Bound.MAX:
                    least = max(least, here)
                if bound is not Bound.MIN:
                    most = here if most is None else min(most, here)
        return least, most

    def _own_figures(self, demand: CompiledConstraint, node: SelectionNode | GroupNode) -> Figures | None:
        query = demand.constraint.query
        if query.field != Field.SELECTIONS or query.percent:
            return None
        return figures(self._evaluation, Check(demand, node))
