"""Ways to complete a list, fill it up, or make it legal: found by the solver, judged before they are shown.

A way that is taken is one step of the history, however much it changes, so that one click takes it back.
"""

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from random import SystemRandom

from django.core import signing

from catalogue.definitions.constraints import Stage
from catalogue.definitions.numbers import Number
from roster.engine.compare import Difference, compare_rosters
from roster.engine.completion.complete import complete, fill
from roster.engine.completion.repair import repair
from roster.engine.completion.search import Completion
from roster.engine.completion.solver import Possibility, is_solver_installed
from roster.engine.edits import Refused
from roster.engine.report import Verdict
from roster.engine.tree import RosterTree
from roster.models import Roster
from roster.services.evaluation import EvaluatedList, encode_tree, evaluate_list, evaluate_roster, evaluate_with
from roster.services.limits import ARMY_SECONDS, WAYS_SECONDS, check_history, check_size
from roster.services.outcomes import Conflict, Outcome
from roster.services.revisions import NewRevision, append_revision

SEEDS = 2**31
SALT = "roster.ways"


class WayKind(StrEnum):
    """What a way does; the values are those of forms, addresses and the history."""

    COMPLETE = "complete"
    FILL = "fill"
    REPAIR = "repair"


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """A legal list that one act makes of another: what is different in it, and how many points more it costs.

    `is_best`: it is proved that no way is cheaper, fuller or smaller.
    """

    kind: WayKind
    judged: EvaluatedList
    differences: tuple[Difference, ...]
    points: Number
    is_best: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundWays:
    """What a search for ways came to: NO is proved, UNKNOWN was not answered in time or cannot be.

    `plan_forbids`: there are ways for the list alone, but its game plan is broken, which no pick mends.
    """

    answer: Possibility
    ways: tuple[Way, ...] = ()
    plan_forbids: bool = False


def find_ways(
    judged: EvaluatedList, kind: WayKind, *, seed: int | None = None, seconds: float = WAYS_SECONDS
) -> FoundWays:
    """Look for the ways of one kind: the cheapest completion, one full list by a seed, up to three repairs."""
    if not is_solver_installed():
        return FoundWays(answer=Possibility.UNKNOWN)
    match kind:
        case WayKind.REPAIR:
            return _find_repairs(judged, seconds)
        case WayKind.COMPLETE:
            completion = _complete_list(judged, seconds)
        case WayKind.FILL:
            completion = _fill_list(judged, draw_seed() if seed is None else seed, seconds)
    return _judge_completion(judged, kind, completion)


def _complete_list(judged: EvaluatedList, seconds: float) -> Completion:
    if judged.verdict is Verdict.LEGAL:
        # What a list could have cheaper is not what it lacks.
        return Completion(Possibility.YES, judged.tree, is_best=True)
    return complete(judged.ruleset, judged.tree, seconds=seconds)


def _fill_list(judged: EvaluatedList, seed: int, seconds: float) -> Completion:
    # Of a whole army nothing is taken yet that would narrow what there is to choose.
    allowed = max(seconds, ARMY_SECONDS) if judged.is_empty else seconds
    return fill(judged.ruleset, judged.tree, seed=seed, seconds=allowed)


def draw_seed() -> int:
    """Draw a seed, so that a list is filled in another way each time."""
    return SystemRandom().randrange(SEEDS)


def _judge_completion(judged: EvaluatedList, kind: WayKind, completion: Completion) -> FoundWays:
    if completion.roster is None:
        return FoundWays(answer=completion.answer)
    return _keep_legal_ways([_build_way(judged, kind, completion.roster, is_best=completion.is_best)])


def _find_repairs(judged: EvaluatedList, seconds: float) -> FoundWays:
    search = repair(judged.ruleset, judged.tree, seconds=seconds)
    if not search.repairs:
        return FoundWays(answer=search.answer)
    return _keep_legal_ways(
        [_build_way(judged, WayKind.REPAIR, one.roster, is_best=one.is_smallest) for one in search.repairs]
    )


def _keep_legal_ways(built: Collection[Way]) -> FoundWays:
    """Keep the ways whose list is legal: one of nothing breaks no rule, but nobody asked for that."""
    ways = tuple(way for way in built if way.judged.verdict is Verdict.LEGAL)
    if ways:
        return FoundWays(answer=Possibility.YES, ways=ways)
    plan_forbids = any(_breaks_plan(way.judged) for way in built)
    return FoundWays(answer=Possibility.UNKNOWN, plan_forbids=plan_forbids)


def _breaks_plan(judged: EvaluatedList) -> bool:
    return any(violation.stage is not Stage.LIST for violation in judged.report.errors)


def _build_way(judged: EvaluatedList, kind: WayKind, tree: RosterTree, *, is_best: bool) -> Way:
    after = evaluate_with(judged.ruleset, tree, judged.game)
    before, now = (one.points.value if one.points else 0 for one in (judged, after))
    return Way(
        kind=kind, judged=after, differences=compare_rosters(judged.tree, tree), points=now - before, is_best=is_best
    )


# ---- taking one -------------------------------------------------------------------------------------------------


def sign_way(way: Way, roster: Roster) -> str:
    """Write a way as a text for a form, which nobody else can make, so that what was shown is what is done.

    It is good for this list alone, and for the revision that it was shown on.
    """
    shown = {"of": roster.public_id, "on": roster.head, "kind": way.kind.value, "list": encode_tree(way.judged.tree)}
    return signing.dumps(shown, salt=SALT, compress=True)


def take_way(roster: Roster, on_revision: int, kind: WayKind, *, signed: str = "") -> Outcome:
    """Take a way as one step: the one that was shown and signed, else one that is looked for now."""
    if full := check_history(roster):
        return full
    if roster.head != on_revision:
        return Conflict(made_on=on_revision, head=roster.head)
    step = _read_signed_way(roster, signed) if signed else _find_step(roster, kind)
    return step if isinstance(step, Refused) else append_revision(roster, step)


def _read_signed_way(roster: Roster, signed: str) -> NewRevision | Refused:
    try:
        shown = signing.loads(signed, salt=SALT)
    except signing.BadSignature:
        return Refused(code="bad-change")
    if (shown.get("of"), shown["on"]) != (roster.public_id, roster.head):
        return Refused(code="old-way")
    judged = evaluate_list(roster.version, roster.faction_id, shown["list"])
    return NewRevision(judged=judged, version=roster.version, act=shown["kind"])


def _find_step(roster: Roster, kind: WayKind) -> NewRevision | Refused:
    """Look for a way of one kind."""
    if not is_solver_installed():
        return Refused(code="no-solver")
    judged = evaluate_roster(roster, tree=False)
    search = find_ways(judged, kind)
    if not search.ways:
        return Refused(code=_name_refusal(kind, search.answer), subject_id=kind.value)
    after = search.ways[0].judged
    refused = check_size(after.tree, len(encode_tree(after.tree)))
    return refused or NewRevision(judged=after, version=roster.version, act=kind.value)


def _name_refusal(kind: WayKind, answer: Possibility) -> str:
    """Name why there is no way: it is proved that there is none, or none was found in time."""
    ending = "repair" if kind is WayKind.REPAIR else "way"
    return f"no-{ending}" if answer is Possibility.NO else f"unknown-{ending}"
