"""Weigh the changes that a repair makes."""

from collections import defaultdict
from collections.abc import Hashable
from fractions import Fraction

from catalogue.definitions.entries import EntryType
from catalogue.graph.compiled_entry import CompiledEntry
from catalogue.graph.declared import MODELS
from roster.engine.compare import get_title
from roster.engine.completion.linear import Linear, Literal, add_all
from roster.engine.completion.relocations import Relocations
from roster.engine.completion.search import Outlook
from roster.engine.evaluation import Evaluation
from roster.engine.nodes import ForceNode, Node, SelectionNode

UNIT = 100_000
"""The weight of a point, far above the weights below. All sums fit into 64 bits."""
LOSS, NOVELTY = 10, 1
"""Extra weights of removed and added parts, which decide ties: players prefer to add.

Up to 10,000 parts weigh less than a point; in some games each point is a part.
"""

Changes = dict[Hashable, tuple[Linear, int]]
"""The number in the solution, and the number before."""


class ChangeScale:
    """Weighs changes of one list: points, plus the average cost of a model per model and line.

    A line is a unit or detachment that is added, removed or moved, or an option in a unit that stays. Each card of a
    deck is a model.
    """

    def __init__(self, present: Evaluation, relocations: Relocations) -> None:
        self._relocations = relocations
        self._with_models: dict[CompiledEntry, bool] = {}
        points = present.ruleset.points_type
        self._points_id = points.id if points else ""
        selections = present.roster.selections
        prices = [Fraction(present.costs.get_unit_cost(node, self._points_id)) for node in selections]
        bodies = [self._count_bodies(node) for node in selections]
        spent = sum(price * node.total for price, node in zip(prices, selections, strict=True))
        models = sum(number * node.total for number, node in zip(bodies, selections, strict=True))
        self.line = max(1, round(spent / models)) if models else 1
        """The weight of a line or model, in points."""
        # By id, because modifiers may have changed costs.
        self._weights = {
            node.written.id: self._weigh(price, number)
            for node, price, number in zip(selections, prices, bodies, strict=True)
        }

    def _count_bodies(self, node: SelectionNode) -> int:
        if node.option is None:
            return 1
        entry = node.option.entry
        if MODELS in entry.costs:
            return int(entry.costs[MODELS])
        if entry.target.type is EntryType.MODEL:
            return 1
        unit = node
        while isinstance(unit.container, SelectionNode):
            unit = unit.container
        return 0 if unit.option is None or self._holds_models(unit, unit.option.entry) else 1

    def _holds_models(self, unit: SelectionNode, entry: CompiledEntry) -> bool:
        cached = self._with_models.get(entry)
        if cached is None:
            inside = (part.option.entry for part in unit.walk() if part.option)
            cached = any(MODELS in one.costs or one.target.type is EntryType.MODEL for one in inside)
            self._with_models[entry] = cached
        return cached

    def _weigh(self, price: Fraction, bodies: int) -> int:
        return round(UNIT * (abs(price) + self.line * bodies))

    def _weigh_one(self, node: SelectionNode) -> int:
        if node.document:
            return self._weights[self._relocations.find_original_id(node)]
        price = node.option.entry.costs.get(self._points_id, 0) if node.option else 0
        return self._weigh(Fraction(price), self._count_bodies(node))

    # ---- what a solution changes ---------------------------------------------------------------------------------

    def weigh(self, outlook: Outlook) -> Linear:
        """Return a solution's weight, and require moved units to be in one place only."""
        prospects, model = outlook.prospects, outlook.model
        line = UNIT * self.line
        parts: list[Linear] = []
        removed: dict[Hashable, list[Linear]] = defaultdict(list)
        remaining = self._count_remaining(outlook)
        for node in prospects.existing:
            total = prospects.get_total(node)
            if isinstance(node, ForceNode):
                if node.document.id in self._relocations.begun:
                    parts.append(total * line)
                elif not node.is_outside:
                    parts.append((Linear(1) - total) * (line + LOSS))
                continue
            if node.written.id in self._relocations.originals:
                if self._relocations.is_moved(node):
                    parts.append(total * line)
            else:
                lost = Linear(node.total) - remaining[node.written.id]
                model.require(lost, lower=0)
                parts.append(lost * (self._weigh_one(node) + LOSS))
                if isinstance(node.container, ForceNode):
                    parts.append(lost * line)
            if isinstance(node.container, SelectionNode):
                key = (node.container.written.id, node.entry_id, get_title(node.written))
                removed[key].append(_count_removed(outlook, node))
        for node in prospects.new_selections:
            total = prospects.get_total(node)
            parts.append(total * (self._weigh_one(node) + NOVELTY))
            if isinstance(node.container, ForceNode):
                parts.append(total * line)
            elif node.container in prospects.existing:
                parts.append(_count_as_one(outlook, total) * line)
        parts += [_count_as_one(outlook, add_all(numbers)) * line for numbers in removed.values()]
        parts += [prospects.get_total(force) * line for force in prospects.new_forces]
        return add_all(parts)

    def _count_remaining(self, outlook: Outlook) -> dict[str, Linear]:
        places: dict[str, list[Linear]] = defaultdict(list)
        for node in outlook.prospects.existing:
            if isinstance(node, SelectionNode):
                places[self._relocations.find_original_id(node)].append(outlook.prospects.get_total(node))
        return {selection_id: add_all(totals) for selection_id, totals in places.items()}

    def list_changes(self, outlook: Outlook) -> Changes:
        prospects = outlook.prospects
        changes: Changes = {}
        remaining = self._count_remaining(outlook)
        for node in prospects.existing:
            total = prospects.get_total(node)
            if isinstance(node, ForceNode):
                if node.document.id in self._relocations.begun:
                    _add_change(changes, ("new", "", node.document.entry_id), total, 0)
                elif not node.is_outside:
                    _add_change(changes, ("there", "", node.document.id), total, 1)
            elif isinstance(node.container, SelectionNode):
                is_copy = node.written.id in self._relocations.originals
                before = 0 if is_copy else node.total
                key = ("inside", self._get_id(node.parent), node.entry_id)
                _add_change(changes, key, Linear(before) - _count_removed(outlook, node), before)
            elif self._relocations.is_moved(node):
                _add_change(changes, ("moved", self._get_id(node.parent), node.entry_id), total, 0)
            else:
                # Units of one kind in a force are interchangeable.
                key = ("there", self._get_id(node.parent), node.entry_id)
                _add_change(changes, key, remaining[node.written.id], node.total)
        for new in prospects.new_selections:
            if new.container in prospects.existing:
                key = ("new", self._get_id(new.container), new.entry_id)
                _add_change(changes, key, prospects.get_total(new), 0)
        for force in prospects.new_forces:
            _add_change(changes, ("new", "", force.document.entry_id), prospects.get_total(force), 0)
        return changes

    def _get_id(self, node: Node | None) -> str:
        if isinstance(node, SelectionNode):
            return self._relocations.find_original_id(node)
        return node.document.id if isinstance(node, ForceNode) else ""


def _count_removed(outlook: Outlook, node: SelectionNode) -> Linear:
    assert isinstance(node.container, SelectionNode)  # noqa: S101 - options are asked about, not units
    return outlook.prospects.get_total(node.container) * node.number - outlook.prospects.get_total(node)


def _count_as_one(outlook: Outlook, total: Linear) -> Linear:
    if outlook.model.is_single(total):
        return total
    truth = outlook.model.state_at_least(total, 1)
    return outlook.model.as_number(truth) if isinstance(truth, Literal) else Linear(int(truth is True))


def _add_change(changes: Changes, key: Hashable, total: Linear, before: int) -> None:
    amount, amount_before = changes.get(key, (Linear(), 0))
    changes[key] = amount + total, amount_before + before
