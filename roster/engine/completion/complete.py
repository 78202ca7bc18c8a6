"""Complete, fill and start lists. A model proposes lists; the validator judges them."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import accumulate
from math import ceil
from random import Random

from catalogue.definitions.constraints import Severity
from catalogue.definitions.queries import Bound
from catalogue.definitions.rule_codes import RuleCode
from catalogue.graph.ruleset import Ruleset
from roster.engine import edits
from roster.engine.completion.candidates import find_missing, is_needed
from roster.engine.completion.effort import Budget, Effort, UnfinishedError
from roster.engine.completion.linear import Linear, add_all, to_exact
from roster.engine.completion.look_ahead import USUAL
from roster.engine.completion.proposals import Proposal
from roster.engine.completion.prospects import MOST_INSIDE, Horizon, has_few_parts, list_addable_forces
from roster.engine.completion.search import STEPS_OF_A_JUDGEMENT, Aim, Completion, Outlook, Search
from roster.engine.completion.solver import Possibility, Solution, load_solver
from roster.engine.edits import EditedRoster
from roster.engine.evaluate import find_violations
from roster.engine.evaluation import Evaluation, OverdueError
from roster.engine.new_selections import IdSource, generate_id
from roster.engine.nodes import SelectionNode
from roster.engine.report import PlaceKind, Violation
from roster.engine.tree import RosterTree, count_nodes, walk_forces

DEAR = 10_000
"""The weight of a point, relative to a pick."""
ADVICE = 10**9
"""The weight of a broken warning or remark, above that of all points of a list."""
LIKING = 100
"""Random preferences are below this weight."""
QUICK_SHARE, SHARE = 0.35, 0.75
"""Shares of the remaining steps for models before the last, the first for models that only estimate."""
MOST_BEGINNINGS = 4
QUICK = Horizon(shallow=True, estimated=True, advised=True)
SEPARATE = Horizon(new_forces=False, copies=1, advised=True)
"""Each unit once, with its contents. It finds a list if sums of units with many options mislead."""
LAST = Horizon(advised=True)
VIEWS = (QUICK._replace(new_forces=False), SEPARATE, QUICK, LAST._replace(new_forces=False), LAST)
MOST_COPIES = 3
"""How many of each unit to model if one is not enough."""
TRY_SHARE = 0.6
MOST_NEEDED = 4
"""How many units of each kind that a list lacks are modelled first."""
MOST_TASTES = 24
TASTE_GAP = 0.0005
"""The relative gap when filling. It only affects preferences."""


def complete(
    ruleset: Ruleset, roster: RosterTree, *, effort: Effort = USUAL, ids: IdSource = generate_id
) -> Completion:
    """Find the completion with the fewest points, then picks.

    Forces are added only if necessary. Existing units get cheaper only if limits require it.
    """
    if load_solver() is None:
        return Completion(Possibility.UNKNOWN)
    return _take_last(SteppedSearch(ruleset, weigh_cheapest, ids, effort.start()).list_better(roster))


def fill(
    ruleset: Ruleset, roster: RosterTree, *, seed: int = 0, effort: Effort = USUAL, ids: IdSource = generate_id
) -> Completion:
    """Fill a list as close to its limits as possible, with a force if it has none. Each `seed` gives another list."""
    if load_solver() is None:
        return Completion(Possibility.UNKNOWN)
    best = _take_last(_fill_more_and_more(ruleset, roster, seed, effort.start(), ids))
    if best.is_best or best.roster is None or not best.roster.limits or _has_room(ruleset, best.roster):
        return best
    return best._replace(is_best=True)


def _take_last(better: Iterable[Completion]) -> Completion:
    best = Completion(Possibility.UNKNOWN)
    try:
        for one in better:
            best = one
    except UnfinishedError:
        return best.mark_unfinished()
    return best


def _fill_more_and_more(
    ruleset: Ruleset, roster: RosterTree, seed: int, budget: Budget, ids: IdSource
) -> Iterator[Completion]:
    best = Completion(Possibility.UNKNOWN)
    # With one of each unit no amount is a sum over units, so most proposals are legal.
    for filled in StepwiseFilling(ruleset, seed, ids, budget.share(SHARE)).fill(roster):
        best = Completion(Possibility.YES, filled, weight=_measure_unspent(ruleset, filled))
        yield best
    search = SteppedSearch(ruleset, partial(weigh_fullest, seed=seed), ids, budget, is_fuller_better=True)
    if best.roster is None:
        for best in search.list_better(roster):
            yield best
    yield from search.fill_on(best)


class StepwiseFilling:
    """Fills a list with units, then one more force at a time. Models of such steps are exact."""

    def __init__(self, ruleset: Ruleset, seed: int, ids: IdSource, budget: Budget) -> None:
        self._ruleset = ruleset
        self._seed = seed
        self._ids = ids
        self._budget = budget

    def fill(self, roster: RosterTree) -> Iterator[RosterTree]:
        best = self._add_units(roster) if roster.forces else None
        if best:
            yield best
        while best is None or _has_room(self._ruleset, best):
            best = self._find_fuller(best or roster, best)
            if best is None:
                return
            yield best

    def _find_fuller(self, roster: RosterTree, best: RosterTree | None) -> RosterTree | None:
        fullest: RosterTree | None = None
        spent, begun = (self._count_spent(best), [roster]) if best else (0, [])
        for start in (*begun, *self._list_beginnings(roster)):
            filled = self._add_units(start) if self._budget.left else None
            if filled is None:
                continue
            if self._count_spent(filled) > spent:
                fullest, spent = filled, self._count_spent(filled)
            if fullest and (start is roster or not _has_room(self._ruleset, fullest)):
                break
        return fullest

    def _count_spent(self, roster: RosterTree) -> int:
        units = sum(len(force.selections) for force in walk_forces(roster))
        return -_measure_unspent(self._ruleset, roster) or units

    def _add_units(self, roster: RosterTree) -> RosterTree | None:
        among = self._choose_units(roster)
        for copies in (1, MOST_COPIES):
            view = Horizon(new_forces=False, copies=copies, among=among, advised=True)
            try:
                outlook = Outlook(self._ruleset, roster, budget=self._budget.share(TRY_SHARE), view=view)
                if not _has_units(roster):
                    outlook.keep_something()
                proposed = self._propose_legal(outlook)
            except OverdueError:
                return None
            if proposed:
                return proposed
        return None

    def _propose_legal(self, outlook: Outlook) -> RosterTree | None:
        self._settle_advice(outlook)
        for taste in range(self._seed, self._seed + MOST_TASTES):
            solution = outlook.propose(_weigh_room(outlook, taste), TASTE_GAP)
            if not solution.values:
                return None
            proposal = outlook.build_proposal(solution, self._ids)
            proposed = proposal.build_roster()
            outlook.budget.spend(STEPS_OF_A_JUDGEMENT + count_nodes(proposed))
            violations = find_violations(Evaluation(self._ruleset, proposed))
            errors = [violation for violation in violations if violation.severity is Severity.ERROR]
            if not errors:
                return proposed
            _bar_blamed(outlook, proposal, errors)
        return None

    def _settle_advice(self, outlook: Outlook) -> None:
        """Break as few recommendations as possible; in the objective they would widen the relative gap."""
        broken = outlook.count_broken_advice(*Bound)
        solution = Solution(Possibility.UNKNOWN) if broken.is_constant else outlook.propose(broken)
        if solution.values:
            outlook.model.require(broken, upper=outlook.build_proposal(solution, self._ids).read(broken))

    def _choose_units(self, roster: RosterTree) -> frozenset[str]:
        """Choose few random units, for a small model: some that the list lacks, then units without limited costs."""
        catalogue_ids = [force.catalogue_id for force in walk_forces(roster)]
        catalogues = filter(None, map(self._ruleset.find_catalogue, dict.fromkeys(catalogue_ids)))
        options = [option for catalogue in catalogues for option in catalogue.distinct_roots]
        Random(self._seed).shuffle(options)  # noqa: S311 - a matter of taste
        limited = {limit.type_id for limit in roster.limits}
        sum_costs = self._ruleset.smallest.sum_costs
        options.sort(key=lambda option: any(sum_costs(option.entry).get(type_id) for type_id in limited))
        for missing_id in sorted(find_missing(find_violations(Evaluation(self._ruleset, roster)))):
            fitting = [option for option in options if is_needed(option, option.membership.ids, {missing_id})]
            options = list(dict.fromkeys((*fitting[:MOST_NEEDED], *options)))
        sizes = accumulate(len(option.entry.keys_inside) for option in options)
        return frozenset(option.local_id for option, size in zip(options, sizes, strict=True) if size <= MOST_INSIDE)

    def _list_beginnings(self, roster: RosterTree) -> list[RosterTree]:
        present = Evaluation(self._ruleset, roster)
        begun = [
            edits.add_force(self._ruleset, roster, entry.id, catalogue.id, ids=self._ids)
            for entry, catalogue in list_addable_forces(present)
            if not entry.hidden
        ]
        beginnings = [added.roster for added in begun if isinstance(added, EditedRoster)]
        Random(self._seed).shuffle(beginnings)  # noqa: S311 - a matter of taste
        return beginnings[:MOST_BEGINNINGS]


def _bar_blamed(outlook: Outlook, proposal: Proposal, errors: Sequence[Violation]) -> None:
    taken: set[str] = set()
    for violation in errors:
        if violation.code == RuleCode.MAXIMUM:
            counted = [node for node in outlook.prospects.roster.selections if violation.counted_id in node.keys]
            outlook.model.require(add_all(map(outlook.prospects.get_total, counted)), upper=to_exact(violation.allowed))
            if counted:
                continue
        taken.update((violation.counted_id, violation.owner_id))
        if violation.code == RuleCode.MAXIMUM:
            taken.update(place.entry_id for place in violation.cause)
        elif violation.code == RuleCode.MINIMUM and violation.on.kind is PlaceKind.SELECTION:
            # The model does not know what this unit lacks.
            taken.add(violation.on.entry_id)
    hidden = {one.counted_id for one in errors if one.code == RuleCode.HIDDEN}
    for node in outlook.prospects.new_selections:
        # An entry hidden in one unit usually is hidden in others.
        barred = taken if proposal.read_total(node) else hidden
        if not barred.isdisjoint(node.keys):
            outlook.model.require(outlook.prospects.get_total(node), upper=0)


class SteppedSearch:
    """Solves small models first, whose results count if the budget runs out."""

    def __init__(
        self, ruleset: Ruleset, aim: Aim, ids: IdSource, budget: Budget, *, is_fuller_better: bool = False
    ) -> None:
        self._ruleset = ruleset
        self._aim = aim
        self._ids = ids
        self._budget = budget
        self._is_fuller_better = is_fuller_better
        self._measure = partial(_measure_unspent, ruleset) if is_fuller_better else None

    def list_better(self, roster: RosterTree) -> Iterator[Completion]:
        best = Completion(Possibility.UNKNOWN)
        for view in VIEWS:
            if not view.new_forces and not roster.forces:
                continue
            if view == SEPARATE and (best.roster or self._is_fuller_better or not has_few_parts(self._ruleset, roster)):
                continue
            best = self._choose_better(best, self._ask(roster, view), view)
            yield best
            if best.roster is None or not best.is_best:
                continue
            if not (self._is_fuller_better and _has_room(self._ruleset, best.roster)):
                return

    def fill_on(self, best: Completion) -> Iterator[Completion]:
        """Yield fuller lists: models know additions only as sums, so filled lists may have room."""
        while best.roster and not best.is_best and _has_room(self._ruleset, best.roster) and self._budget.left > 0:
            *_, fuller = self.list_better(best.roster)
            if fuller.roster is None or fuller.weight >= best.weight:
                return
            best = fuller._replace(is_best=False)
            yield best

    def _ask(self, roster: RosterTree, view: Horizon) -> Completion:
        share = 1.0 if view == LAST else QUICK_SHARE if view.estimated or view == SEPARATE else SHARE
        budget = self._budget.share(share)
        search = Search(self._ruleset, roster, budget=budget, ids=self._ids, view=view, measure=self._measure)
        return search.find(self._aim)

    def _choose_better(self, best: Completion, way: Completion, view: Horizon) -> Completion:
        if way.roster is None:
            return way if view == LAST and best.roster is None else best
        if self._is_fuller_better and not _has_units(way.roster):
            return best
        is_improved = best.roster is None or (not view.shallow and way.weight <= best.weight)
        return way if is_improved else best


def _measure_unspent(ruleset: Ruleset, roster: RosterTree) -> int:
    totals = Evaluation(ruleset, roster).totals
    return -DEAR * sum(int(totals.get(limit.type_id, 0)) for limit in roster.limits if limit.value >= 0)


def _has_units(roster: RosterTree) -> bool:
    return any(force.selections for force in walk_forces(roster))


def _has_room(ruleset: Ruleset, roster: RosterTree) -> bool:
    totals = Evaluation(ruleset, roster).totals
    return any(totals.get(limit.type_id, 0) < limit.value for limit in roster.limits)


def _sum_limited(outlook: Outlook) -> Linear:
    limits = outlook.prospects.roster.document.limits
    return add_all(outlook.amounts.costs.sum_type(limit.type_id) for limit in limits if limit.value >= 0)


def weigh_cheapest(outlook: Outlook) -> Linear:
    """Weigh exceeded recommendations, then cost, then picks.

    Savings in existing units do not count, so that their equipment stays.
    """
    # Advice to take more would make a completion dearer than it needs to be.
    excesses = outlook.count_broken_advice(Bound.MAX) * ADVICE
    return excesses + (_sum_limited(outlook) + _sum_savings(outlook)) * DEAR + outlook.weigh_picks()


def _sum_savings(outlook: Outlook) -> Linear:
    prospects, costs, model = outlook.prospects, outlook.amounts.costs, outlook.model
    present = Evaluation(prospects.ruleset, prospects.roster.document)
    units = {unit.written.id: unit for force in present.roster.all_forces for unit in force.members}
    savings = []
    for node in prospects.existing:
        if not isinstance(node, SelectionNode) or node.written.id not in units:
            continue
        unit = units[node.written.id]
        for limit in present.roster.document.limits:
            if limit.value < 0:
                continue
            before = to_exact(present.costs.get_whole_cost(unit, limit.type_id)) * unit.number
            cost = add_all(costs.get_cost(part, limit.type_id) for part in node.walk())
            least, _ = model.find_range(cost)
            if least < before:
                saved = model.add_variable(0, ceil(before - least))
                model.require(saved + cost, lower=before)
                savings.append(saved)
    return add_all(savings)


def weigh_fullest(outlook: Outlook, seed: int) -> Linear:
    """Weigh broken recommendations, then unspent costs, then random preferences."""
    return outlook.count_broken_advice(*Bound) * ADVICE + _weigh_room(outlook, seed)


def _weigh_room(outlook: Outlook, seed: int) -> Linear:
    chance = Random(seed)  # noqa: S311 - a matter of taste
    taste = [
        Linear(0, dict.fromkeys(outlook.prospects.get_total(node).terms, chance.randrange(LIKING)))
        for node in outlook.prospects.new_selections
    ]
    # Avoid empty detachments.
    forces = [outlook.prospects.get_total(force) * LIKING for force in outlook.prospects.new_forces]
    return add_all([_sum_limited(outlook) * -DEAR, *taste, *forces])
