"""What one more would cost."""

from roster.engine.costs import list_members
from roster.engine.document_paths import append_selection, find_path, replace_node
from roster.engine.evaluation import Evaluation
from roster.engine.insert import build_document
from roster.engine.nodes import Container, SelectionNode
from roster.engine.pick_preview import Pick
from roster.engine.scopes import find_root
from roster.engine.totals import Totals, sum_selection
from roster.engine.tree import copy_with


class PickCosts:
    """Tells what picks inside one container add to the roster's costs.

    Mostly that is the sum over what comes into being. Where costs in the unit around the container have modifiers, the
    pick may change those too (a sixth model that makes the squad a large one), so it is tried out on a copy.
    """

    def __init__(self, evaluation: Evaluation, container: Container) -> None:
        self._evaluation = evaluation
        self._container = container
        self._times = container.total if isinstance(container, SelectionNode) else 1
        self._root = find_root(container)
        self._path = find_path(
            evaluation.roster.document, container.document.id if container.document else ""
        )
        inside = (
            [self._root, *(node for node, _ in list_members(self._root, deep=True))] if self._root else []
        )
        self._moving = any(node.option and not node.option.entry.fixed_costs for node in inside)
        self._before = sum_selection(evaluation, self._root) if self._root and self._moving else {}

    def compute_costs(self, plan: Pick) -> Totals:
        """Return what one pick costs, with all that comes along."""
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
        after = sum_selection(trial, root) if isinstance(root, SelectionNode) else {}
        return {type_id: value - self._before.get(type_id, 0) for type_id, value in after.items()}
