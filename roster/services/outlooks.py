"""Predict what a list can still become. Pages request outlooks after loading; edits never do.

Undecided answers count as possible. Unfinished searches are not stored.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from catalogue.definitions.rule_codes import RuleCode
from catalogue.graph.ids import compose_id
from roster.engine.completion.candidates import find_missing, is_needed
from roster.engine.completion.effort import Effort, UnfinishedError
from roster.engine.completion.look_ahead import get_look_ahead
from roster.engine.completion.solver import Possibility, is_solver_installed
from roster.engine.nodes import ForceNode
from roster.engine.report import Verdict, Violation
from roster.engine.rule import build_rule_violation
from roster.engine.violation_location import locate_roster
from roster.services.evaluation import EvaluatedList, encode_outlook, evaluate_with, forget_outlook
from roster.services.limits import OUTLOOK


@dataclass(frozen=True, slots=True, kw_only=True)
class ListOutlook:
    """`dead_ends` maps picks that leave no legal list to the rules they break.

    `needed` picks supply something missing. `is_finished` means that no question ran out of time.
    """

    evaluated_list: EvaluatedList
    dead_ends: Mapping[str, Violation] = field(default_factory=dict)
    needed: frozenset[str] = frozenset()
    is_finished: bool = True


def look_ahead(
    evaluated_list: EvaluatedList, force_id: str = "", entry_ids: Collection[str] = (), *, effort: Effort = OUTLOOK
) -> ListOutlook:
    """Check whether a list can be completed, and which picks in a detachment are dead ends."""
    if not is_solver_installed():
        return ListOutlook(evaluated_list=evaluated_list)
    evaluated_list = _judge_again(evaluated_list, effort.seconds)
    if evaluated_list.verdict is Verdict.ILLEGAL:
        return ListOutlook(evaluated_list=evaluated_list, is_finished=evaluated_list.report.is_finished)
    # Most pages only ask about the list as a whole, so look up the detachment only for picks.
    force = evaluated_list.evaluation.find_container(force_id) if entry_ids else None
    options = force.contents.options if isinstance(force, ForceNode) and force.contents else ()
    start = force.start if force else ""
    picks = [(compose_id(start, option), option) for option in options]
    picks = [(entry_id, option) for entry_id, option in picks if entry_id in entry_ids]
    missing = find_missing(evaluated_list.report.errors)
    needed = frozenset(key for key, option in picks if is_needed(option, option.membership.ids, missing))

    ahead = get_look_ahead(evaluated_list.evaluation, effort.start())
    try:
        # If it is unknown whether the list can be completed, the picks are unknown too.
        is_open = evaluated_list.verdict is Verdict.LEGAL or ahead.ask_model() is Possibility.YES
    except UnfinishedError:
        return ListOutlook(evaluated_list=evaluated_list, needed=needed, is_finished=False)
    answers = ahead.judge_units(force_id, {option.local_id for _, option in picks}) if picks and is_open else None
    if answers is None:
        return ListOutlook(evaluated_list=evaluated_list, needed=needed, is_finished=evaluated_list.report.is_finished)
    blocked = build_dead_end(evaluated_list)
    lost = (entry_id for entry_id, option in picks if answers.find(option.local_id) is Possibility.NO)
    return ListOutlook(
        evaluated_list=evaluated_list,
        dead_ends=dict.fromkeys(lost, blocked),
        needed=needed,
        is_finished=evaluated_list.report.is_finished and answers.others is not Possibility.UNFINISHED,
    )


def _judge_again(evaluated_list: EvaluatedList, seconds: float) -> EvaluatedList:
    bare = forget_outlook(evaluated_list)
    if bare.report.verdict is not Verdict.INCOMPLETE:
        return evaluated_list
    again = evaluate_with(
        evaluated_list.ruleset, evaluated_list.tree, evaluated_list.game, look_ahead=True, seconds=seconds
    )
    # Keep the earlier complete result.
    return again if again.report.is_finished or not encode_outlook(evaluated_list) else evaluated_list


def build_dead_end(evaluated_list: EvaluatedList) -> Violation:
    return build_rule_violation(RuleCode.NO_COMPLETION, locate_roster(evaluated_list.evaluation), "")
