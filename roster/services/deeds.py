"""Deeds: changes that fix a violation with one click.

The engine tries each candidate. A deed reduces its violation and causes no other, so deeds never undo each other.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum
from itertools import chain, islice
from math import ceil
from typing import Any

import msgspec

from catalogue.definitions.constraints import Stage
from catalogue.definitions.entries import ForceEntry
from catalogue.definitions.numbers import Number, format_number
from catalogue.definitions.queries import AGREED, ANY, KNOWN, LIMIT
from catalogue.definitions.rule_codes import RuleCode
from catalogue.graph.compiled_entry import CompiledOption
from catalogue.graph.ids import compose_id, get_target_id
from roster.engine.completion.effort import Budget
from roster.engine.completion.search import STEPS_OF_A_JUDGEMENT
from roster.engine.namesakes import find_namesakes
from roster.engine.nodes import Container, ForceNode, SelectionNode, force_names
from roster.engine.offers import OfferedGroup, OfferedOption, list_offered_forces, list_offers
from roster.engine.report import CostTotal, PlaceKind, Report, Verdict, Violation, ViolationKey
from roster.engine.stacks import index_equal, list_equal_places
from roster.engine.tree import RosterTree, Selection, count_nodes, list_selections
from roster.services import changes
from roster.services.apply import AppliedChange, apply_change
from roster.services.evaluation import EvaluatedList, evaluate_with, get_cost_value

MOST_OFFERED = 3
MOST_TRIED = 8
"""Each candidate costs an evaluation of the list."""
MOST_SAVINGS = 24
"""A list over its limit has many parts that cost something, and often the cheap ones are compulsory."""
MOST_TRIED_IN_ALL = 40
MOST_REMOVED = 100
"""The most units that one deed removes."""
FIRST, LAST = "first", "last"
"""For a deed without a unit's name: which end of the list its units are removed from."""

REMOVED = frozenset(
    (
        RuleCode.UNKNOWN_ENTRY,
        RuleCode.FOREIGN_ENTRY,
        RuleCode.WRONG_PLACE,
        RuleCode.OUTSIDE_DETACHMENT,
        RuleCode.HIDDEN,
        RuleCode.NOT_ALLOWED_BY_LEADER,
    )
)
"""Violations of these kinds disappear with their subject."""


class DeedKind(StrEnum):
    ADD = "add"
    ADD_DETACHMENT = "add-detachment"
    TAKE = "take"
    REPLACE = "replace"
    REMOVE = "remove"
    REMOVE_DETACHMENT = "remove-detachment"
    LEAD = "lead"
    STEP_DOWN = "step-down"
    CHOOSE_LIMIT = "choose-limit"
    RAISE_LIMIT = "raise-limit"


ALL_KINDS = frozenset(DeedKind)
ADDITIONS = frozenset({DeedKind.ADD, DeedKind.ADD_DETACHMENT, DeedKind.TAKE})
CHANGES = ALL_KINDS - ADDITIONS
NOTHING_CHOSEN: Mapping[str, int] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """A change that fixes a violation.

    `name` is the part that it adds, removes or makes leader, `unit` the unit around it. `title` is a leader's new
    title, or says which units of any name are removed. `number` counts parts, or is the limit. `points` is the change
    in cost, `left` the remaining errors. `asks` means that it causes an error that further picks fix, `is_near` that
    the unit shows the violation.
    """

    kind: DeedKind
    change: changes.Change
    name: str = ""
    unit: str = ""
    title: str = ""
    number: Number = 1
    points: Number = 0
    left: int = 0
    asks: bool = False
    is_near: bool = False

    @property
    def fields(self) -> dict[str, str]:
        """Form fields for `roster.services.changes.read_change`."""
        given: dict[str, Any] = msgspec.to_builtins(self.change)
        return {
            name: str(value).lower() if isinstance(value, bool) else str(value)
            for name, value in given.items()
            if value not in ("", None)
        }


def propose_deeds(evaluated_list: EvaluatedList) -> Mapping[ViolationKey, tuple[Deed, ...]]:
    """List deeds by violation; none for rules about the game plan.

    `evaluated_list` must hold the effective tree.
    """
    violations = _list_own_errors(evaluated_list)
    wrong_limits = set(map(_find_limit_type, violations))
    # It is proved that no addition leads to a legal list.
    is_lost = any(error.code == RuleCode.NO_COMPLETION and not error.mendable for error in violations)
    finder = _DeedFinder(evaluated_list, CHANGES if is_lost else ALL_KINDS)
    deeds: dict[ViolationKey, tuple[Deed, ...]] = {}
    for violation in violations:
        # If a limit itself is wrong, offer only limits: the next one may cover the excess.
        is_moot = violation.code == RuleCode.COST_LIMIT and violation.counted_id in wrong_limits
        if violation.key in deeds or is_moot:
            continue
        deeds[violation.key] = finder.find_deeds(violation)
    return {key: offered for key, offered in deeds.items() if offered}


def complete_by_deeds(evaluated_list: EvaluatedList, budget: Budget) -> EvaluatedList | None:
    """Add parts until the list is legal; return None on failure.

    Nothing is removed. Raises OverdueError if no steps are left, UnfinishedError if time runs out.
    """
    chosen = _count_parts(evaluated_list.tree)
    while evaluated_list.verdict is not Verdict.LEGAL:
        more = _add_first_missing(evaluated_list, chosen, budget)
        if more is None:
            return None
        evaluated_list = more
    return evaluated_list


def _add_first_missing(
    evaluated_list: EvaluatedList, chosen: Mapping[str, int], budget: Budget
) -> EvaluatedList | None:
    finder = _DeedFinder(evaluated_list, ADDITIONS, chosen, budget)
    for violation in _list_own_errors(evaluated_list):
        for deed in finder.find_deeds(violation):
            applied = apply_change(
                evaluated_list.ruleset, evaluated_list.tree, deed.change, evaluated_list.tree.faction
            )
            if isinstance(applied, AppliedChange):
                return evaluate_with(
                    evaluated_list.ruleset, applied.tree, tree=False, before=evaluated_list, begun=applied.evaluation
                )
    return None


def _count_parts(tree: RosterTree) -> dict[str, int]:
    return {selection.id: selection.number for selection in list_selections(tree)}


def _list_own_errors(evaluated_list: EvaluatedList) -> list[Violation]:
    return [violation for violation in evaluated_list.report.errors if violation.stage is Stage.LIST]


def _find_limit_type(violation: Violation) -> str:
    word, mark, type_id = violation.counted_id.partition(KNOWN)
    return type_id if mark and word in (LIMIT, AGREED) else ""


def _sum_violations(report: Report) -> dict[ViolationKey, Number]:
    violations: dict[ViolationKey, Number] = {}
    for violation in report.errors:
        key = violation.key
        distance = violation.measured - violation.allowed
        violations[key] = violations.get(key, 0) + max(distance, -distance, 1)
    return violations


def _get_price(costs: Iterable[CostTotal], type_id: str) -> Number:
    return get_cost_value(costs, type_id) or 0


class _DeedFinder:
    """Finds deeds that keep the numbers of the chosen parts. A trial uses steps of the budget."""

    def __init__(
        self,
        evaluated_list: EvaluatedList,
        kinds: frozenset[DeedKind],
        chosen: Mapping[str, int] = NOTHING_CHOSEN,
        budget: Budget | None = None,
    ) -> None:
        self._evaluated_list = evaluated_list
        self._kinds = kinds
        self._chosen = chosen
        self._budget = budget
        self._evaluation = evaluated_list.evaluation
        self._violations = _sum_violations(evaluated_list.report)
        self._points_id = evaluated_list.points_id
        self._trials_left = MOST_TRIED_IN_ALL
        self._keys = index_equal(evaluated_list.tree)
        self._nodes = {
            node.document.id: node for node in evaluated_list.evaluation.roster.selections if node.document is not None
        }

    def find_deeds(self, violation: Violation) -> tuple[Deed, ...]:
        if not violation.mendable and (removals := self._try_deeds(violation, self._list_many_removals(violation))):
            return removals
        # Swaps change what the owner chose, so they come last.
        deeds = self._try_deeds(violation, self._list_candidates(violation)) or self._try_deeds(
            violation, self._list_swaps(violation)
        )
        if violation.code == RuleCode.COST_LIMIT and 0 < len(deeds) < MOST_OFFERED:
            # Players agreed on the limit. Only a repair knows that nothing but a larger one helps.
            deeds += self._try_deeds(violation, self._list_larger_limits(violation))
        return deeds

    # ---- trying ----------------------------------------------------------------------------------------------------

    def _try_deeds(self, violation: Violation, candidates: Iterator[Deed]) -> tuple[Deed, ...]:
        deeds: dict[tuple[object, ...], Deed] = {}
        possible = (candidate for candidate in candidates if candidate.kind in self._kinds)
        for candidate in islice(possible, MOST_SAVINGS if violation.code == RuleCode.COST_LIMIT else MOST_TRIED):
            # Equal units of one name need only one deed.
            words = (candidate.kind, candidate.name, candidate.title, candidate.unit, candidate.number)
            deed = None if words in deeds else self._try_deed(violation, candidate)
            if deed:
                deeds[words] = deed
            if sum(not deed.asks for deed in deeds.values()) == MOST_OFFERED:
                break
        # Offer deeds that ask for further picks only if there are no others.
        clean = [deed for deed in deeds.values() if not deed.asks] or [*deeds.values()]
        return tuple(sorted(clean, key=lambda deed: deed.left)[:MOST_OFFERED])

    def _try_deed(self, violation: Violation, deed: Deed) -> Deed | None:
        # A list with fifty violations would need hundreds of evaluations.
        if self._trials_left <= 0:
            return None
        self._trials_left -= 1
        tree, ruleset = self._evaluated_list.tree, self._evaluated_list.ruleset
        applied = apply_change(ruleset, tree, deed.change, tree.faction)
        if not isinstance(applied, AppliedChange):
            return None
        parts = _count_parts(applied.tree) if self._chosen else self._chosen
        # A choice in a group may replace a part.
        if any(parts.get(node_id, 0) < number for node_id, number in self._chosen.items()):
            return None
        if self._budget:
            self._budget.spend(STEPS_OF_A_JUDGEMENT + count_nodes(applied.tree))
        report = evaluate_with(
            ruleset, applied.tree, tree=False, before=self._evaluated_list, begun=applied.evaluation
        ).report
        if not self._is_mended(violation, report, deed):
            return None
        points = _get_price(report.costs, self._points_id)
        before = _get_price(self._evaluated_list.report.costs, self._points_id)
        asks = any(error.key not in self._violations for error in report.errors)
        is_near = violation.on.kind is PlaceKind.SELECTION
        return replace(deed, points=points - before, left=len(report.errors), asks=asks, is_near=is_near)

    def _is_mended(self, violation: Violation, report: Report, deed: Deed) -> bool:
        violations, key = _sum_violations(report), violation.key
        # A reduction is enough: three too many are fixed by one deed after another.
        if violations.get(key, 0) >= self._violations[key]:
            return False
        worse = {key for key, amount in violations.items() if amount > self._violations.get(key, 0)}
        if deed.kind not in (DeedKind.ADD, DeedKind.ADD_DETACHMENT, DeedKind.CHOOSE_LIMIT):
            return not worse
        # Additions and larger games may require further picks, but must not exceed any limit.
        return worse.isdisjoint(self._violations) and all(
            error.mendable and error.measured < error.allowed for error in report.errors if error.key in worse
        )

    # ---- candidates ------------------------------------------------------------------------------------------------

    def _list_candidates(self, violation: Violation) -> Iterator[Deed]:
        if _find_limit_type(violation):
            return self._list_limits(violation)
        list_by_code = _LISTS_BY_CODE.get(violation.code, _DeedFinder._list_measures)
        return list_by_code(self, violation)

    def _list_measures(self, violation: Violation) -> Iterator[Deed]:
        if violation.measured > violation.allowed:
            # More of something else may raise the bound.
            if violation.mended_by and violation.mendable and not violation.crowded:
                yield from self._list_additions(violation)
            # A bound below zero acts like zero.
            yield from self._list_removals(violation, violation.measured - max(violation.allowed, 0))
        elif violation.mendable:
            yield from self._list_additions(violation)

    def _list_misfits(self, violation: Violation) -> Iterator[Deed]:
        # Offer replacement before removal: usually the entry just has another id now.
        if violation.code in (RuleCode.UNKNOWN_ENTRY, RuleCode.WRONG_PLACE):
            yield from self._list_namesakes(violation)
        yield from self._list_removals(violation, violation.measured)

    def _list_limits(self, violation: Violation) -> Iterator[Deed]:
        type_id = _find_limit_type(violation)
        for value in violation.choices or self._get_presets(type_id):
            change = changes.SetLimit(type=type_id, value=format_number(value))
            yield Deed(kind=DeedKind.CHOOSE_LIMIT, change=change, name=violation.counted, number=value)

    def _get_presets(self, type_id: str) -> tuple[Number, ...]:
        cost_type = self._evaluated_list.ruleset.binding.cost_types.get(type_id)
        return cost_type.presets if cost_type else ()

    def _list_leaders(self, violation: Violation) -> Iterator[Deed]:
        command = self._evaluated_list.report.command
        title = command.name if command else ""
        for place in violation.cause:
            change = changes.DeclareLeader(node=place.id)
            yield Deed(kind=DeedKind.LEAD, change=change, name=place.name, title=title)
        if violation.on.kind is PlaceKind.SELECTION:
            change = changes.DeclareLeader(node=violation.on.id, on=False)
            yield Deed(kind=DeedKind.STEP_DOWN, change=change, name=violation.on.name, title=title)

    # ---- too much --------------------------------------------------------------------------------------------------

    def _list_removals(self, violation: Violation, surplus: Number) -> Iterator[Deed]:
        places = self._count_equal(violation)
        for node in self._list_causes(violation):
            deed = self._remove_some(node, min(node.number, ceil(surplus)))
            container = node.container.document
            # Remove the surplus from all equal places, unless these places are the surplus.
            if (
                places > 1
                and node.document
                and node.document.id != violation.on.id
                and isinstance(container, Selection)
            ):
                key = self._keys[node.document.id]
                total = sum(child.number for child in container.selections if self._keys[child.id] == key)
                taken = min(total, ceil(surplus))
                fewer = changes.SetNumber(node=node.document.id, number=total - taken, stack=True)
                yield replace(deed, change=fewer, number=taken * places)
            yield deed
        is_unknown = violation.code == RuleCode.UNKNOWN_FORCE
        for force in self._evaluation.roster.all_forces:
            # The violation may be about an unknown catalogue of the force.
            if force.document.id == violation.on.id if is_unknown else violation.counted_id in force.names:
                change = changes.RemoveDetachment(node=force.document.id)
                yield Deed(kind=DeedKind.REMOVE_DETACHMENT, change=change, name=force.document.name)

    def _list_many_removals(self, violation: Violation) -> Iterator[Deed]:
        """Yield removals of several surplus units, newest first: of any name, then of one name."""
        surplus = violation.measured - max(violation.allowed, 0)
        if violation.code not in (RuleCode.MAXIMUM, RuleCode.EXACTLY) or surplus < 2:
            return
        causes = [node for node in self._list_causes(violation) if isinstance(node.container, ForceNode)]
        # A violation names only some of many causes.
        places = {(node.container, node.entry_id) for node in causes}
        units = [node for node in reversed(self._nodes.values()) if (node.container, node.entry_id) in places]
        by_name: dict[str, list[SelectionNode]] = {}
        for unit in units:
            by_name.setdefault(_get_node_name(unit), []).append(unit)
        if len(by_name) == 1:
            yield from self._remove_many(next(iter(by_name)), units, surplus)
            return
        yield from self._remove_many("", units, surplus, title=LAST)
        yield from self._remove_many("", units[::-1], surplus, title=FIRST)
        for name, named in by_name.items():
            # The list may need one of each.
            yield from self._remove_many(name, named[:-1], surplus)

    def _remove_many(
        self, name: str, units: Sequence[SelectionNode], surplus: Number, title: str = ""
    ) -> Iterator[Deed]:
        ids = [unit.document.id for unit in units if unit.document and unit.number == 1]
        ids = ids[: min(int(surplus), MOST_REMOVED)]
        if len(ids) > 1:
            change = changes.Remove(node=ids[0], more=" ".join(ids[1:]))
            yield Deed(kind=DeedKind.REMOVE, change=change, name=name, number=len(ids), title=title)

    def _list_namesakes(self, violation: Violation) -> Iterator[Deed]:
        for namesake in find_namesakes(self._evaluation.roster, violation.on.id):
            change = changes.TakeNamesake(node=namesake.selection_id)
            yield Deed(kind=DeedKind.REPLACE, change=change, name=namesake.name, unit=namesake.unit)

    def _list_causes(self, violation: Violation) -> list[SelectionNode]:
        nodes = [self._nodes[place.id] for place in reversed(violation.cause) if place.id in self._nodes]
        if not nodes and violation.on.id in self._nodes:
            nodes = [self._nodes[violation.on.id]]
        return nodes

    def _list_swaps(self, violation: Violation) -> Iterator[Deed]:
        """Yield alternatives for a surplus part that cannot simply be removed.

        If several equal places lack a part that only some can have, one of them gets it.
        """
        if violation.measured <= violation.allowed:
            if violation.mendable and self._count_equal(violation) > 1:
                target_ids = {get_target_id(entry_id) for entry_id in violation.mended_by or (violation.counted_id,)}
                missing = ceil(max(1, violation.allowed - violation.measured))
                yield from self._list_takings(self._evaluation.find_container(violation.on.id), target_ids, missing)
            return
        if violation.code == RuleCode.COST_LIMIT:
            yield from self._list_cheaper(violation.counted_id, violation.measured - violation.allowed)
        for node in self._list_causes(violation):
            yield from (deed for _option, deed in self._list_alternatives(node))

    def _list_cheaper(self, type_id: str, over: Number) -> Iterator[Deed]:
        swaps: list[tuple[Number, Deed]] = []
        for node in self._nodes.values():
            price = self._evaluation.costs.get_unit_cost(node, type_id)
            for option, deed in self._list_alternatives(node):
                saved = (price - option.entry.costs.get(type_id, 0)) * node.total
                if saved > 0:
                    swaps.append((saved, deed))
        yield from _order_savings(swaps, over)

    def _list_alternatives(self, node: SelectionNode) -> Iterator[tuple[CompiledOption, Deed]]:
        container, group = node.container, node.option.group if node.option else None
        if group is None or not isinstance(container, SelectionNode) or container.document is None:
            return
        group_id = compose_id(container.start, group)
        for option in group.options:
            if option is not node.option and not option.hidden:
                entry_id = compose_id(container.start, option)
                change = changes.Choose(node=container.document.id, group=group_id, entry=entry_id)
                yield option, Deed(kind=DeedKind.TAKE, change=change, name=option.name, unit=_get_node_name(container))

    def _remove_some(self, node: SelectionNode, number: int) -> Deed:
        node_id = node.document.id if node.document else ""
        unit = node
        while isinstance(unit.container, SelectionNode):
            unit = unit.container
        change: changes.Change = changes.Remove(node=node_id)
        if number < node.number:
            change = changes.SetNumber(node=node_id, number=node.number - number)
        return Deed(
            kind=DeedKind.REMOVE,
            change=change,
            name=_get_node_name(node),
            unit="" if unit is node else _get_node_name(unit),
            number=number,
        )

    def _list_savings(self, violation: Violation) -> Iterator[Deed]:
        over, type_id = violation.measured - violation.allowed, violation.counted_id
        savings: dict[Hashable, tuple[Number, Deed]] = {}
        for unit in (unit for force in self._evaluated_list.report.walk_forces() for unit in force.selections):
            for part in unit.walk():
                price, node = _get_price(part.totals, type_id), self._nodes.get(part.id)
                if node is not None and price > 0:
                    needed = ceil(Decimal(over) * node.number / Decimal(price))
                    number = node.number if part is unit else min(node.number, needed)
                    saved = Decimal(price) * number / node.number
                    # Removing either of two equal parts of equal units has the same effect.
                    key = (node.force, self._keys[unit.id], self._keys[part.id])
                    savings.setdefault(key, (saved, self._remove_some(node, number)))
        yield from _order_savings(savings.values(), over)

    def _list_larger_limits(self, violation: Violation) -> Iterator[Deed]:
        type_id = violation.counted_id
        larger = [value for value in self._get_presets(type_id) if value >= violation.measured]
        if larger:
            change = changes.SetLimit(type=type_id, value=format_number(min(larger)))
            yield Deed(kind=DeedKind.RAISE_LIMIT, change=change, name=violation.counted, number=min(larger))

    # ---- too little ------------------------------------------------------------------------------------------------

    def _list_additions(self, violation: Violation) -> Iterator[Deed]:
        # Several links may lead to the same target; any of them will do.
        target_ids = {get_target_id(entry_id) for entry_id in violation.mended_by or (violation.counted_id,)}
        if violation.on.kind is PlaceKind.SELECTION:
            missing = ceil(max(1, violation.allowed - violation.measured))
            container = self._evaluation.find_container(violation.on.id)
            return self._list_takings(container, target_ids, missing, self._count_equal(violation))
        return self._list_inside_list(violation, target_ids)

    def _count_equal(self, violation: Violation) -> int:
        if violation.on.kind is not PlaceKind.SELECTION:
            return 1
        return max(1, len(list_equal_places(self._evaluated_list.tree, violation.on.id, self._keys)))

    def _list_inside_list(self, violation: Violation, target_ids: set[str]) -> Iterator[Deed]:
        faction_id = self._evaluated_list.tree.faction
        catalogue = self._evaluated_list.ruleset.find_catalogue(faction_id)
        # Offer "any detachment" only to a list without one.
        named_ids = target_ids - {ANY} if self._evaluation.roster.forces else target_ids
        yield from self._list_detachments(catalogue.force_entries if catalogue else (), named_ids, faction_id)

        is_anywhere = violation.on.kind is PlaceKind.ROSTER
        all_forces = self._evaluation.roster.all_forces
        forces = [force for force in all_forces if is_anywhere or force.document.id == violation.on.id]
        for force in forces:
            inner = force.compiled_force.entry.forces if force.compiled_force else ()
            yield from self._list_detachments(inner, target_ids, force.document.catalogue_id, force.document.id)
            yield from self._list_units(force, target_ids)
        for unit in chain.from_iterable(force.members for force in forces):
            yield from self._list_takings(unit, target_ids, 1)

    def _list_units(self, force: ForceNode, target_ids: set[str]) -> Iterator[Deed]:
        matching = set(self._list_matching(force, target_ids))
        if not matching:
            return
        offered = list_offers(self._evaluation, force.document.id).options
        for option in sorted(offered, key=self._rank_offer):
            # A hidden entry breaks a rule wherever it is taken.
            if option.entry_id in matching and not option.hidden:
                change = changes.AddUnit(node=force.document.id, entry=option.entry_id)
                yield Deed(kind=DeedKind.ADD, change=change, name=option.name)

    def _rank_offer(self, option: OfferedOption) -> tuple[bool, Number]:
        return option.blocked is not None, _get_price(option.costs, self._points_id)

    def _list_detachments(
        self, entries: Sequence[ForceEntry], target_ids: set[str], catalogue_id: str, node_id: str = ""
    ) -> Iterator[Deed]:
        # A violation names a linked kind by the id of its target.
        helpful = {
            force.id for force in entries if ANY in target_ids or not target_ids.isdisjoint(force_names(force.id))
        }
        if not helpful:
            return
        for force in list_offered_forces(self._evaluation, entries, catalogue_id, node_id):
            if force.id in helpful:
                change = changes.AddDetachment(entry=force.id, catalogue=catalogue_id, node=node_id)
                yield Deed(kind=DeedKind.ADD_DETACHMENT, change=change, name=force.name)

    def _list_takings(
        self, container: Container | None, target_ids: set[str], missing: int, places: int = 1
    ) -> Iterator[Deed]:
        if not isinstance(container, SelectionNode) or container.document is None:
            return
        node_id, unit = container.document.id, _get_node_name(container)
        matching = set(self._list_matching(container, target_ids))
        if not matching:
            return
        offered = _pair_with_groups(list_offers(self._evaluation, node_id).items, None)
        helpful = [(option, group) for option, group in offered if option.entry_id in matching and not option.hidden]
        for option, group in sorted(helpful, key=lambda pair: self._rank_offer(pair[0])):
            number, stack = 1, places > 1
            change: changes.Change
            if group is not None and group.max == 1:
                # Replace the group's choice, as its radio button does.
                change = changes.Choose(node=node_id, group=group.group_id, entry=option.entry_id, stack=stack)
            else:
                # A deck that lacks ten cards does not take ten of one kind.
                room = missing if option.max is None else min(missing, int(option.max) - option.number)
                number = max(1, room)
                total = option.number + number
                change = changes.SetNumber(node=node_id, entry=option.entry_id, number=total, stack=stack)
            yield Deed(kind=DeedKind.TAKE, change=change, name=option.name, unit=unit, number=number * places)

    def _list_matching(self, container: Container, target_ids: set[str]) -> Iterator[str]:
        for option in container.contents.options if container.contents else ():
            node = self._evaluation.preview_selection(container, option)
            categories = self._evaluation.categories.get_membership(node).ids
            if not (target_ids.isdisjoint(categories) and target_ids.isdisjoint(option.keys)):
                yield compose_id(container.start, option)


_LISTS_BY_CODE: dict[str, Callable[[_DeedFinder, Violation], Iterator[Deed]]] = {
    RuleCode.COST_LIMIT: _DeedFinder._list_savings,
    RuleCode.WRONG_COMMANDER: _DeedFinder._list_leaders,
    **dict.fromkeys((RuleCode.UNKNOWN_FORCE, *REMOVED), _DeedFinder._list_misfits),
}


def _order_savings(savings: Iterable[tuple[Number, Deed]], over: Number) -> Iterator[Deed]:
    """Yield the smallest saving that covers the excess first, then partial savings, largest first."""
    ordered = sorted(savings, key=lambda saving: (saving[0] < over, abs(saving[0] - over)))
    yield from (deed for _saved, deed in ordered)


def _get_node_name(node: SelectionNode) -> str:
    return node.document.custom_name or node.document.name if node.document else ""


def _pair_with_groups(
    items: Iterable[OfferedOption | OfferedGroup], group: OfferedGroup | None
) -> Iterator[tuple[OfferedOption, OfferedGroup | None]]:
    for item in items:
        if isinstance(item, OfferedGroup):
            yield from _pair_with_groups(item.items, item)
        else:
            yield item, group
