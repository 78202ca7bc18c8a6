"""Ways to complete, fill or repair a list: found by the solver and checked before they are shown.

Taking a way is one step of the history, so one undo reverts it.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from enum import StrEnum
from random import SystemRandom

from django.core import signing

from catalogue.definitions.constraints import Stage
from catalogue.definitions.numbers import Number
from catalogue.models import PackVersion
from roster.engine.checks import list_missing_allies
from roster.engine.compare import Difference, compare_rosters
from roster.engine.completion.complete import complete, fill
from roster.engine.completion.effort import Effort, UnfinishedError
from roster.engine.completion.repair import repair
from roster.engine.completion.search import Completion
from roster.engine.completion.solver import Possibility, is_solver_installed
from roster.engine.edits import Refused
from roster.engine.evaluation import OverdueError
from roster.engine.report import Verdict
from roster.engine.tree import RosterTree
from roster.models import Roster
from roster.services.army import fill_by_deeds, is_full
from roster.services.deeds import complete_by_deeds
from roster.services.evaluation import EvaluatedList, encode_tree, evaluate_list, evaluate_roster, evaluate_with
from roster.services.limits import ARMY, PATIENT, WAYS, check_history, check_size
from roster.services.outcomes import Conflict, Outcome
from roster.services.revisions import NewRevision, append_revision
from roster.services.rulesets import collect_catalogue_ids, load_ruleset

SEEDS = 2**31
SALT = "roster.ways"


class WayKind(StrEnum):
    """The values appear in forms, addresses and the history."""

    COMPLETE = "complete"
    FILL = "fill"
    REPAIR = "repair"


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """A legal list that one step makes of another.

    `is_best` means that provably none is cheaper with the same equipment (complete), fuller (fill) or smaller (repair).
    """

    kind: WayKind
    evaluated_list: EvaluatedList
    differences: tuple[Difference, ...]
    points: Number
    is_best: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundWays:
    """UNKNOWN means that no way was found or ruled out, UNFINISHED that time ran out. `plan_forbids` means that the
    game plan breaks a rule that no pick fixes, `lacks_allies` that the list lacks another faction's force, and no way
    with such a force was found.
    """

    answer: Possibility
    ways: tuple[Way, ...] = ()
    plan_forbids: bool = False
    lacks_allies: bool = False
    is_finished: bool = True

    @property
    def is_settled(self) -> bool:
        return bool(self.ways) and not any(way.differences for way in self.ways)


def find_ways(
    evaluated_list: EvaluatedList,
    kind: WayKind,
    version: PackVersion | None = None,
    *,
    seed: int | None = None,
    is_patient: bool = False,
) -> FoundWays:
    """Search for the cheapest completion, one full list by seed, or up to three repairs.

    A legal list is its own completion and repair, and its own filling if nothing fits. `version` supplies missing
    allies' data.
    """
    if not is_solver_installed():
        return FoundWays(answer=Possibility.UNKNOWN)
    allied_ids = {force.document.catalogue_id for force in list_missing_allies(evaluated_list.evaluation)}
    if version and not allied_ids <= evaluated_list.ruleset.binding.by_id.keys():
        tree = evaluated_list.tree
        ruleset = load_ruleset(version, tree.of, collect_catalogue_ids(tree) | allied_ids, tree.rules)
        evaluated_list = evaluate_with(ruleset, tree, evaluated_list.game)
    search = _find_ways(evaluated_list, kind, seed, is_patient=is_patient)
    return replace(search, lacks_allies=True) if allied_ids and not search.ways else search


def _find_ways(evaluated_list: EvaluatedList, kind: WayKind, seed: int | None, *, is_patient: bool) -> FoundWays:
    effort = PATIENT if is_patient else ARMY if kind is WayKind.FILL and evaluated_list.is_empty else WAYS
    is_legal = evaluated_list.verdict is Verdict.LEGAL
    if is_legal and kind is not WayKind.FILL:
        # A legal list lacks nothing, even if a cheaper one exists.
        way = _build_way(evaluated_list, kind, evaluated_list.tree, is_best=True)
        return FoundWays(answer=Possibility.YES, ways=(way,))
    if kind is WayKind.REPAIR:
        repairs = repair(evaluated_list.ruleset, evaluated_list.tree, effort=effort)
        built = [_build_way(evaluated_list, kind, one.roster, is_best=one.is_smallest) for one in repairs.repairs]
        return _keep_legal_ways(built, repairs.answer, is_finished=repairs.is_finished)
    if kind is WayKind.COMPLETE:
        completion = complete(evaluated_list.ruleset, evaluated_list.tree, effort=effort)
        if completion.answer is Possibility.UNKNOWN:
            completion = _complete_by_deeds(evaluated_list, effort)
    else:
        seed = draw_seed() if seed is None else seed
        completion = fill(evaluated_list.ruleset, evaluated_list.tree, seed=seed, effort=effort)
        completion = _fill_by_deeds(evaluated_list, completion, effort, seed)
    legal_tree = completion.roster or (evaluated_list.tree if is_legal else None)
    built = [_build_way(evaluated_list, kind, legal_tree, is_best=completion.is_best)] if legal_tree else []
    return _keep_legal_ways(built, completion.answer, is_finished=completion.is_finished)


def _complete_by_deeds(evaluated_list: EvaluatedList, effort: Effort) -> Completion:
    """Complete a list whose model is too large or too vague, without claiming to be best."""
    try:
        completed = complete_by_deeds(evaluated_list, effort.start())
    except OverdueError:
        completed = None
    except UnfinishedError:
        return Completion(Possibility.UNKNOWN).mark_unfinished()
    return _describe_legal(completed)


def _fill_by_deeds(evaluated_list: EvaluatedList, filled: Completion, effort: Effort, seed: int) -> Completion:
    """Fill a list further if the solver's filling leaves much room."""
    start = (
        evaluate_with(evaluated_list.ruleset, filled.roster, evaluated_list.game, tree=False)
        if filled.roster
        else evaluated_list
    )
    if filled.is_best or filled.answer is Possibility.NO or (filled.roster and is_full(start)):
        return filled
    try:
        fuller = fill_by_deeds(start, effort.start(), seed)
    except UnfinishedError:
        return filled.mark_unfinished()
    return _describe_legal(fuller) if fuller else filled


def _describe_legal(legal: EvaluatedList | None) -> Completion:
    return Completion(Possibility.YES, legal.tree) if legal else Completion(Possibility.UNKNOWN)


def draw_seed() -> int:
    return SystemRandom().randrange(SEEDS)


def _keep_legal_ways(built: Collection[Way], answer: Possibility, *, is_finished: bool) -> FoundWays:
    ways = tuple(way for way in built if way.evaluated_list.verdict is Verdict.LEGAL)
    if ways:
        return FoundWays(answer=Possibility.YES, ways=ways, is_finished=is_finished)
    if not built:
        return FoundWays(answer=answer, is_finished=is_finished)
    plan_forbids = any(_breaks_plan(way.evaluated_list) for way in built)
    return FoundWays(answer=Possibility.UNKNOWN, plan_forbids=plan_forbids, is_finished=is_finished)


def _breaks_plan(evaluated_list: EvaluatedList) -> bool:
    return any(violation.stage is not Stage.LIST for violation in evaluated_list.report.errors)


def _build_way(evaluated_list: EvaluatedList, kind: WayKind, tree: RosterTree, *, is_best: bool) -> Way:
    after = evaluate_with(evaluated_list.ruleset, tree, evaluated_list.game, before=evaluated_list)
    before, now = (one.points.value if one.points else 0 for one in (evaluated_list, after))
    return Way(
        kind=kind,
        evaluated_list=after,
        differences=compare_rosters(evaluated_list.tree, tree),
        points=now - before,
        is_best=is_best,
    )


# ---- taking a way --------------------------------------------------------------------------------------------------


def sign_way(way: Way, roster: Roster) -> str:
    """Sign a way, so that only this way can be taken, and only for this list at this revision."""
    payload = {
        "of": roster.public_id,
        "on": roster.head,
        "kind": way.kind.value,
        "list": encode_tree(way.evaluated_list.tree),
    }
    return signing.dumps(payload, salt=SALT, compress=True)


def take_way(roster: Roster, on_revision: int, kind: WayKind, *, signed: str = "", is_patient: bool = False) -> Outcome:
    """Take the signed way, or search again, longer if `is_patient`, as one step."""
    if full := check_history(roster):
        return full
    if roster.head != on_revision:
        return Conflict(made_on=on_revision, head=roster.head)
    step = _read_signed_way(roster, signed) if signed else _find_step(roster, kind, is_patient=is_patient)
    return step if isinstance(step, Refused) else append_revision(roster, step)


def _read_signed_way(roster: Roster, signed: str) -> NewRevision | Refused:
    try:
        payload = signing.loads(signed, salt=SALT)
    except signing.BadSignature:
        return Refused(code="bad-change")
    if (payload.get("of"), payload["on"]) != (roster.public_id, roster.head):
        return Refused(code="old-way")
    evaluated_list = evaluate_list(roster.version, roster.faction_id, payload["list"])
    return NewRevision(evaluated_list=evaluated_list, version=roster.version, act=payload["kind"])


def _find_step(roster: Roster, kind: WayKind, *, is_patient: bool) -> NewRevision | Refused:
    if not is_solver_installed():
        return Refused(code="no-solver")
    evaluated_list = evaluate_roster(roster, tree=False)
    search = find_ways(evaluated_list, kind, roster.version, is_patient=is_patient)
    if not search.ways or search.is_settled:
        return Refused(code=name_outcome(kind, search), subject_id=kind.value)
    after = search.ways[0].evaluated_list
    refused = check_size(after.tree, len(encode_tree(after.tree)))
    return refused or NewRevision(evaluated_list=after, version=roster.version, act=kind.value)


def name_outcome(kind: WayKind, search: FoundWays) -> str:
    """Return the refusal code of a fruitless search, or ""."""
    if search.plan_forbids:
        return "plan-forbids"
    if search.lacks_allies:
        return "lacks-allies"
    if not search.is_finished:
        return "better-way" if search.ways and not search.is_settled else "unfinished-way"
    if search.is_settled and kind is WayKind.FILL:
        return "nothing-fits" if search.ways[0].is_best else "nothing-found"
    if search.is_settled:
        return "legal-already"
    if search.ways:
        return ""
    ending = "repair" if kind is WayKind.REPAIR else "way"
    return f"no-{ending}" if search.answer is Possibility.NO else f"unknown-{ending}"
