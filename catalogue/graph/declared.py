"""Limits and smallest selections as declared, without the rest of a list."""

import math
from collections.abc import Collection, Container, Iterable
from typing import NamedTuple

from catalogue.definitions.constraints import Constraint, Severity
from catalogue.definitions.entries import NO_LIMIT, EntryType
from catalogue.definitions.link_index import Binding
from catalogue.definitions.numbers import Number
from catalogue.definitions.queries import Bound, Field, Scope
from catalogue.graph.compiled_constraints import NO_CONSTRAINTS, CompiledConstraint
from catalogue.graph.compiled_entry import MAX_DEPTH, CompiledEntry

# ---- limits ------------------------------------------------------------------------------------------------


INSIDE_UNIT = frozenset({Scope.PARENT, Scope.UNIT, Scope.ROOT_ENTRY})
INSIDE_FORCE = frozenset({Scope.PARENT, Scope.SELF, Scope.FORCE})
INSIDE_ROSTER = frozenset({Scope.PARENT, Scope.FORCE, Scope.ROSTER})


class DeclaredLimits(NamedTuple):
    """None means no limit. `conditional` means that rules change or add limits."""

    min: int | None = None
    max: int | None = None
    conditional: bool = False


NO_LIMITS = DeclaredLimits()


def find_limits(
    constraints: Iterable[CompiledConstraint],
    scopes: Container[str],
    ids: Collection[str] = (),
    field: str = Field.SELECTIONS,
) -> DeclaredLimits:
    """Return the tightest limits on the thing with `ids` inside `scopes`."""
    least: int | None = None
    most: int | None = None
    conditional = False
    for compiled in constraints:
        if not _is_concerned(compiled, scopes, ids, field):
            continue
        if compiled.modifiers:
            conditional = True
        if not compiled.is_unconditional:
            conditional = True
            continue
        constraint = compiled.constraint
        # `EXACTLY` limits both sides.
        if constraint.bound is not Bound.MAX and constraint.value > 0:
            least = max(least or 0, math.ceil(constraint.value))
        most = _lower_most(most, compiled.constraint)
    return DeclaredLimits(least, most, conditional)


def find_most(compiled: CompiledConstraint, ids: Collection[str]) -> int | None:
    says_number = not compiled.modifiers and not compiled.constraint.terms
    if not says_number or not _is_concerned(compiled, INSIDE_ROSTER, ids, Field.SELECTIONS):
        return None
    return _lower_most(None, compiled.constraint)


def _lower_most(most: int | None, constraint: Constraint) -> int | None:
    # BattleScribe's -1 means "no limit"; other negative maximums act as 0.
    if constraint.bound is Bound.MIN or constraint.value == NO_LIMIT:
        return most
    limit = max(0, math.floor(constraint.value))
    return limit if most is None else min(most, limit)


def _is_concerned(compiled: CompiledConstraint, scopes: Container[str], ids: Collection[str], field: str) -> bool:
    query = compiled.constraint.query
    is_counted = query.child_id is None or query.child_id in ids
    return is_counted and compiled.binds_list and query.field == field and not query.percent and query.scope in scopes


def find_copies_allowed(card: CompiledEntry) -> int | None:
    copies = card.target.copies
    if copies is not None:
        return copies.most if copies.most >= 0 else None
    binding = (c for c in card.constraints if c.constraint.severity is Severity.ERROR)
    return find_limits(binding, INSIDE_UNIT, card.ids).max


# ---- the smallest selection --------------------------------------------------------------------------------


MODELS = "models"
"""The hidden cost by which packs count models."""

NAMED_SCOPES = frozenset(Scope)

Costs = dict[str, Number]
ModelRange = tuple[int, int | None]
"""Least and most; None for no upper limit."""


class UnitScopes:
    """`INSIDE_UNIT` and the ids of entries."""

    def __init__(self, binding: Binding) -> None:
        self._binding = binding

    def __contains__(self, scope: object) -> bool:
        if scope in INSIDE_UNIT:
            return True
        anywhere = self._binding.catalogues[0]
        return (
            isinstance(scope, str)
            and scope not in NAMED_SCOPES
            and self._binding.find_entry(scope, anywhere) is not None
        )


class SmallestSelections:
    def __init__(self, binding: Binding) -> None:
        self._scopes = UnitScopes(binding)
        self._costs: dict[CompiledEntry, Costs] = {}
        self._pick_costs: dict[int, Costs] = {}
        self._models: dict[int, ModelRange] = {}
        self._child_models: dict[CompiledEntry, ModelRange] = {}
        self._limits: dict[CompiledEntry, DeclaredLimits] = {}

    def sum_costs(self, entry: CompiledEntry, depth: int = 0) -> Costs:
        """Return one selection's costs, shared: do not change them."""
        if entry not in self._costs:
            self._costs[entry] = {}  # an entry inside itself adds nothing
            total = entry.declared_costs
            if depth < MAX_DEPTH:
                for type_id, value in self._sum_picks(entry, depth).items():
                    total[type_id] = total.get(type_id, 0) + value
            self._costs[entry] = total
        return self._costs[entry]

    def _sum_picks(self, entry: CompiledEntry, depth: int) -> Costs:
        key = _identify_inside(entry)
        if key not in self._pick_costs:
            self._pick_costs[key] = {}  # an entry inside itself adds nothing
            total: Costs = {}
            for option, number in entry.declared_picks:
                for type_id, value in self.sum_costs(option.entry, depth + 1).items():
                    total[type_id] = total.get(type_id, 0) + number * value
            self._pick_costs[key] = total
        return self._pick_costs[key]

    def count_models(self, entry: CompiledEntry) -> ModelRange:
        """Return the least and the most models in one selection, zeros if unknown, without models of a separate type
        that join.
        """
        least, most = self._count_inside(entry, 0)
        if most == 0:
            counted = int(self.sum_costs(entry).get(MODELS, 0))
            return counted, counted
        return least, most

    def find_limits(self, entry: CompiledEntry) -> DeclaredLimits:
        if entry.constraints is NO_CONSTRAINTS:
            return NO_LIMITS
        if entry not in self._limits:
            self._limits[entry] = find_limits(entry.constraints, self._scopes, entry.ids)
        return self._limits[entry]

    def _count_inside(self, entry: CompiledEntry, depth: int) -> ModelRange:
        key = _identify_inside(entry)
        if key not in self._models:
            self._models[key] = (0, 0)  # an entry inside itself adds nothing
            models = 1 if entry.target.type is EntryType.MODEL else 0
            self._models[key] = self._add_children(entry, models, depth)
        return self._models[key]

    def _add_children(self, entry: CompiledEntry, models: int, depth: int) -> ModelRange:
        least: int = models
        most: int | None = models
        for child in entry.children if depth < MAX_DEPTH else ():
            low, high = self._count_child(child, depth + 1)
            least += low
            most = None if most is None or high is None else most + high
        return least, most

    def _count_child(self, child: CompiledEntry, depth: int) -> ModelRange:
        models = self._child_models.get(child)
        if models is None:
            self._child_models[child] = (0, 0)  # a group inside itself adds nothing
            count = self._count_group if child.is_group else self._count_option
            models = self._child_models[child] = count(child, depth)
        return models

    def _count_option(self, entry: CompiledEntry, depth: int) -> ModelRange:
        low, high = self._count_inside(entry, depth)
        # An option without models, such as equipment.
        if high == 0:
            return 0, 0
        limits = self.find_limits(entry)
        joins_as_own_type = any(link.primary for link in entry.category_links)
        if not limits.min and joins_as_own_type:
            return 0, 0
        most = None if high is None or limits.max is None else high * limits.max
        return low * (limits.min or 0), most

    def _count_group(self, group: CompiledEntry, depth: int) -> ModelRange:
        least, most = self._add_children(group, 0, depth)
        # A group's limit counts selections, so it counts models only if each choice is one model.
        sizes = {self._count_inside(choice, depth) for choice in group.children if not choice.is_group}
        if sizes != {(1, 1)}:
            return least, most
        low, high, _ = self.find_limits(group)
        upper = [number for number in (most, high) if number is not None]
        return max(least, low or 0), min(upper, default=None)


def _identify_inside(entry: CompiledEntry) -> int:
    return id(entry if entry.link and entry.link.entries else entry.target)
