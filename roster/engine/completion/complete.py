"""How a list can be completed, filled and begun: proposals of the model that the validator has judged."""

import time
from collections.abc import Sequence
from functools import partial
from random import Random

from catalogue.graph.ruleset import Ruleset
from roster.engine import edits
from roster.engine.completion.linear import Linear, add_all
from roster.engine.completion.look_ahead import SECONDS
from roster.engine.completion.prospects import WHOLE, Horizon
from roster.engine.completion.search import Aim, Found, Outlook, Search
from roster.engine.completion.solver import Possibility, load_solver
from roster.engine.edits import EditedRoster
from roster.engine.evaluation import Evaluation
from roster.engine.new_selections import IdSource, generate_id
from roster.engine.offers import find_barred_forces
from roster.engine.tree import RosterTree

Completion = Found
"""Whether a list can be completed, and then one way to do it, which the validator has judged legal."""

DEAR = 10_000
"""What one point weighs beside one pick."""
LIKING = 100
"""How different picks are liked where a list is filled."""
QUICK_SHARE, SHARE = 0.25, 0.75
"""How much of the time that is left a model may take while a larger one can still be asked: little where it guesses."""
MOST_BEGINNINGS = 3
"""How many kinds of force are tried to begin a list with, before all together are."""
QUICK = Horizon(shallow=True, estimated=True)
VIEWS = (QUICK._replace(new_forces=False), QUICK, Horizon(new_forces=False), WHOLE)
"""The models to ask, small ones first."""
ALONE = tuple(view for view in VIEWS if not view.new_forces)
"""Those of ways without further forces."""


def complete(
    ruleset: Ruleset, roster: RosterTree, *, seconds: float = SECONDS, ids: IdSource = generate_id
) -> Completion:
    """Find the cheapest way to complete a list: least points, then fewest picks; no further forces, if it can do."""
    return _search(ruleset, roster, weigh_cheapest, seconds, ids)


def fill(
    ruleset: Ruleset, roster: RosterTree, *, seed: int = 0, seconds: float = SECONDS, ids: IdSource = generate_id
) -> Completion:
    """Fill a list up to its limits, as close as possible, to a legal one; another `seed`, another list.

    A roster without forces becomes a whole starting force.
    """
    end = time.monotonic() + seconds
    aim = partial(weigh_fullest, seed=seed)
    best = Completion(Possibility.UNKNOWN)
    for begun in (*_list_beginnings(ruleset, roster, seed, ids), roster):
        is_try = begun is not roster
        seconds_left = (end - time.monotonic()) * (SHARE if is_try else 1.0)
        views = ALONE if is_try else VIEWS
        best = _search(ruleset, begun, aim, seconds_left, ids, views, is_fuller_better=True)
        if best.roster:
            break
    # What is taken is known exactly, what could be only as a sum: so a list that is full in parts is filled on.
    while best.roster and not best.is_best and _has_room(ruleset, best.roster) and time.monotonic() < end:
        fuller = _search(ruleset, best.roster, aim, end - time.monotonic(), ids, is_fuller_better=True)
        if fuller.roster is None or fuller.weight >= best.weight:
            break
        best = fuller._replace(is_best=False)
    is_full = best.roster is not None and bool(roster.limits) and not _has_room(ruleset, best.roster)
    return best._replace(is_best=best.is_best or is_full)


def _list_beginnings(ruleset: Ruleset, roster: RosterTree, seed: int, ids: IdSource) -> list[RosterTree]:
    """List what a roster without forces is with one of each kind, in any order: far smaller models tell of these."""
    compiled = None if roster.forces else ruleset.find_catalogue(roster.of)
    if compiled is None or load_solver() is None:
        return []
    kinds = [entry for entry in compiled.force_entries if not entry.hidden]
    barred = find_barred_forces(Evaluation(ruleset, roster), [entry.id for entry in kinds], compiled.catalogue.id)
    begun = [
        edits.add_force(ruleset, roster, entry.id, compiled.catalogue.id, ids=ids)
        for entry in kinds
        if entry.id not in barred
    ]
    beginnings = [added.roster for added in begun if isinstance(added, EditedRoster)]
    Random(seed).shuffle(beginnings)  # noqa: S311 - a matter of taste
    return beginnings[:MOST_BEGINNINGS]


def _search(
    ruleset: Ruleset,
    roster: RosterTree,
    aim: Aim,
    seconds: float,
    ids: IdSource,
    views: Sequence[Horizon] = VIEWS,
    *,
    is_fuller_better: bool = False,
) -> Completion:
    """Search small models first: what they find stands where time is up before a larger one finds better."""
    if load_solver() is None:
        return Completion(Possibility.UNKNOWN)
    end = time.monotonic() + seconds
    measure = partial(_measure_unspent, ruleset) if is_fuller_better else None
    best = Completion(Possibility.UNKNOWN)
    for view in views:
        if not view.new_forces and not roster.forces:
            continue
        share = 1.0 if view == views[-1] else QUICK_SHARE if view.estimated else SHARE
        seconds_left = (end - time.monotonic()) * share
        way = Search(ruleset, roster, seconds=seconds_left, ids=ids, view=view, measure=measure).find(aim)
        if way.answer is Possibility.YES:
            best = way if best.roster is None or (not view.shallow and way.weight <= best.weight) else best
        elif view == WHOLE and best.roster is None:
            return way
        if best.is_best and not (is_fuller_better and _has_room(ruleset, best.roster)):
            return best
    return best


def _measure_unspent(ruleset: Ruleset, roster: RosterTree) -> int:
    """Return how little a list spends of what is limited, as `weigh_fullest` counts it; tastes aside."""
    totals = Evaluation(ruleset, roster).totals
    return -DEAR * sum(int(totals.get(limit.type_id, 0)) for limit in roster.limits if limit.value >= 0)


def _has_room(ruleset: Ruleset, roster: RosterTree | None) -> bool:
    """Return whether a list could still spend something."""
    if roster is None:
        return True
    totals = Evaluation(ruleset, roster).totals
    return any(totals.get(limit.type_id, 0) < limit.value for limit in roster.limits)


def _sum_limited(outlook: Outlook) -> Linear:
    """Return what the list costs of all that is limited."""
    limits = outlook.prospects.roster.document.limits
    return add_all(outlook.amounts.sum_type(limit.type_id) for limit in limits if limit.value >= 0)


def weigh_cheapest(outlook: Outlook) -> Linear:
    """Return what a solution costs, then how many picks it takes."""
    return _sum_limited(outlook) * DEAR + outlook.weigh_picks()


def weigh_fullest(outlook: Outlook, seed: int) -> Linear:
    """Return what a solution leaves unspent, then how far it is from what somebody with this seed likes."""
    chance = Random(seed)  # noqa: S311 - a matter of taste
    taste = [
        Linear(0, dict.fromkeys(outlook.prospects.get_total(node).terms, chance.randrange(LIKING)))
        for node in outlook.prospects.new_selections
    ]
    # Tastes only weigh where a list spends as much as another.
    return add_all([_sum_limited(outlook) * -DEAR, *taste])
