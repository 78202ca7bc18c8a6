"""A second reading of repairs: every combination of a few plain changes that weighs less than a bound.

It knows the edits of the builder, not the solver. A change weighs the points that it adds and removes, and a model's
average price for each model and for each line: a unit, or an option in a unit that stays.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import chain, islice
from typing import NamedTuple

from catalogue.definitions.entries import EntryType
from catalogue.graph.declared import MODELS
from catalogue.graph.ruleset import Ruleset
from roster.engine.evaluate import evaluate
from roster.engine.evaluation import Evaluation
from roster.engine.nodes import SelectionNode
from roster.engine.offers import OfferedGroup, OfferedOption, list_offers
from roster.engine.report import Verdict
from roster.engine.tree import RosterTree
from roster.services import changes
from roster.services.apply import AppliedChange, apply_change

MOST_CHANGES = 3
MOST_TRIED = 3_000
"""How many combinations to try, those of the fewest changes first."""


class Part(NamedTuple):
    number: int
    price: Fraction
    bodies: int
    entry_id: str
    unit: str
    """The id of the selection that holds it; "" for a unit."""


class SmallChanges:
    """All combinations of up to three changes of one list that weigh less than a bound, in points."""

    def __init__(self, ruleset: Ruleset, roster: RosterTree, most_tried: int = MOST_TRIED) -> None:
        self._most_tried = most_tried
        self._ruleset = ruleset
        self._roster = roster
        self._before = self._read(roster)
        parts = self._before.values()
        points = sum(part.number * part.price for part in parts)
        bodies = sum(part.number * part.bodies for part in parts)
        self.line = max(1, round(points / bodies)) if bodies else 1

    def _read(self, roster: RosterTree) -> dict[str, Part]:
        evaluation = Evaluation(self._ruleset, roster)
        points = self._ruleset.points_type
        read = {}
        for node in evaluation.roster.selections:
            container = node.container
            bodies = count_models(node)
            if not bodies:
                # In a unit without models, such as a deck, the unit and each card count as one.
                bodies = int(not any(map(count_models, find_unit(node).walk())))
            price = Fraction(evaluation.costs.get_unit_cost(node, points.id)) if points else Fraction(0)
            inside = container.written.id if isinstance(container, SelectionNode) else ""
            read[node.written.id] = Part(node.total, price, bodies, node.entry_id, inside)
        return read

    def find_legal(self, bound: Fraction) -> RosterTree | None:
        """Return a legal list that weighs less than the bound, if up to three changes lead to one."""
        for tree in islice(self._list_lighter(bound), self._most_tried):
            if tree and evaluate(self._ruleset, tree, tree=False).verdict is Verdict.LEGAL:
                return tree
        return None

    def _list_lighter(self, bound: Fraction) -> Iterator[RosterTree | None]:
        """Yield the list after each combination of changes, None if it is too heavy."""
        near, known = [self._roster], {self._describe(self._before)}
        for _ in range(MOST_CHANGES):
            following = []
            for tree in chain.from_iterable(map(self._list_changed, near)):
                read = self._read(tree)
                described = self._describe(read)
                if described in known:
                    continue
                known.add(described)
                is_light = self._weigh(read) < bound
                yield tree if is_light else None
                if is_light:
                    following.append(tree)
            near = following

    def _list_changed(self, tree: RosterTree) -> Iterator[RosterTree]:
        for change in list_plain_changes(self._ruleset, tree):
            applied = apply_change(self._ruleset, tree, change, tree.faction)
            if isinstance(applied, AppliedChange):
                yield applied.tree

    def weigh(self, roster: RosterTree) -> Fraction:
        """Return the weight of the change from the list to another."""
        return self._weigh(self._read(roster))

    def _weigh(self, after: dict[str, Part]) -> Fraction:
        before = self._before
        weight, lines = Fraction(0), set[tuple[str, str, bool]]()
        for selection_id in before.keys() | after.keys():
            old, new = before.get(selection_id), after.get(selection_id)
            part = old or new
            assert part
            change = (new.number if new else 0) - (old.number if old else 0)
            weight += abs(change) * (abs(part.price) + self.line * part.bodies)
            if not part.unit:
                weight += abs(change) * self.line
            elif change and part.unit in before and part.unit in after:
                lines.add((part.unit, part.entry_id, change > 0))
        return weight + self.line * len(lines)

    def _describe(self, read: dict[str, Part]) -> str:
        """Describe a list without the ids of new parts."""
        return repr(sorted(self._write(selection_id, part) for selection_id, part in read.items()))

    def _write(self, selection_id: str, part: Part) -> tuple[str, str, str, int]:
        known_id = selection_id if selection_id in self._before else ""
        return (known_id, part.unit if part.unit in self._before else "", part.entry_id, part.number)


def count_models(node: SelectionNode) -> int:
    assert node.option
    entry = node.option.entry
    return int(entry.costs[MODELS]) if MODELS in entry.costs else int(entry.target.type is EntryType.MODEL)


def find_unit(node: SelectionNode) -> SelectionNode:
    return find_unit(node.container) if isinstance(node.container, SelectionNode) else node


def list_plain_changes(ruleset: Ruleset, roster: RosterTree) -> Iterator[changes.Change]:
    """Yield every unit added or removed, and every option taken, dropped or counted one up or down."""
    evaluation = Evaluation(ruleset, roster)
    for force in evaluation.roster.all_forces:
        for option in list_offers(evaluation, force.document.id).options:
            if not option.hidden:
                yield changes.AddUnit(node=force.document.id, entry=option.entry_id)
    for node in evaluation.roster.selections:
        node_id = node.written.id
        yield changes.Remove(node=node_id)
        if node.number > 1:
            yield changes.SetNumber(node=node_id, number=node.number - 1)
        for option, group in _list_inside(list_offers(evaluation, node_id).items):
            if option.hidden:
                continue
            yield changes.SetNumber(node=node_id, entry=option.entry_id, number=option.number + 1)
            if group is not None:
                yield changes.Choose(node=node_id, group=group.group_id, entry=option.entry_id)


def _list_inside(
    items: tuple[OfferedOption | OfferedGroup, ...], group: OfferedGroup | None = None
) -> Iterator[tuple[OfferedOption, OfferedGroup | None]]:
    for item in items:
        if isinstance(item, OfferedGroup):
            yield from _list_inside(item.items, item)
        else:
            yield item, group
