"""The engine's entry point: is this roster legal, what does it cost, what does it amount to."""

from collections.abc import Callable, Collection, Iterable, Iterator
from importlib import import_module
from math import inf

from catalogue.definitions.catalogues import Unchecked
from catalogue.definitions.constraints import Severity
from catalogue.definitions.numbers import Number, shorten_number
from catalogue.definitions.queries import ANY, Scope
from catalogue.definitions.rule_codes import RuleCode
from catalogue.graph.ruleset import Ruleset
from roster.engine.commander_choices import keep_agreed_figures, list_choices, settle_violations
from roster.engine.completion.effort import UnfinishedError, Work
from roster.engine.effective_tree import build_effective_tree
from roster.engine.evaluation import Evaluation
from roster.engine.nodes import ForceNode, SelectionNode
from roster.engine.pick_preview import PickPreview, pick_option
from roster.engine.plan import GamePlan
from roster.engine.report import (
    NOT_FINISHED,
    OTHER_FACTIONS,
    CommanderInfo,
    CostTotal,
    FigureTotal,
    PlaceKind,
    Report,
    Violation,
)
from roster.engine.scopes import walk_outward
from roster.engine.taking_over import take_over
from roster.engine.tree import RosterTree, copy_with
from roster.engine.violation_location import find_name, locate_selection

RULE_KINDS: dict[RuleCode, Callable[[Evaluation], Iterator[Violation]]] = {
    code: import_module(f"roster.engine.rules.{code.name.lower()}").check for code in RuleCode
}
"""What finds the violations of each kind of rule, in the order of a report: the `check` of the file called like it."""


def evaluate(
    ruleset: Ruleset, roster: RosterTree, game: GamePlan | None = None, *, tree: bool = True, look_ahead: bool = False
) -> Report:
    """Judge `roster` by `ruleset`; with a `game`, also how it is to be played there.

    `tree` also fills `Report.forces` with everything derived for each force and selection; leave it out where only
    verdict and costs are wanted. With `look_ahead` a list that lacks something is illegal where nothing can complete it
    any more; finding that out costs many times what the rest does. Never raises on any roster: what the data does not
    know becomes a violation.
    """
    return build_report(Evaluation(ruleset, roster, game), tree=tree, look_ahead=look_ahead)


def build_report(
    evaluation: Evaluation,
    *,
    tree: bool = True,
    look_ahead: bool = False,
    seconds: float = inf,
    before: Evaluation | None = None,
) -> Report:
    """Build the report of an evaluation of which something else is asked afterwards, such as what is on offer.

    `before` is an evaluation of which a report was built: what it found out about units that nothing has changed for
    is not worked out again. Looking ahead is given up after so many `seconds` of processor time, and then the report
    says so.
    """
    evaluation.deadline()
    if before:
        take_over(evaluation, before)
    broken, others = find_violations(evaluation), list_choices(evaluation) if evaluation.command else []
    if others:
        broken = settle_violations(broken, others, find_violations)
    unchecked = list_unchecked(evaluation)
    violations = tuple(excuse_exceptions(evaluation, mark_crowded(evaluation, broken), unchecked))
    # Incomplete: something is wrong, and further picks could mend all of it.
    errors = [violation for violation in violations if violation.severity is Severity.ERROR]
    if look_ahead and errors and all(violation.mendable for violation in errors):
        evaluation.memo[Work] = Work(seconds)
        try:
            dead_ends = tuple(RULE_KINDS[RuleCode.NO_COMPLETION](evaluation))
            violations += dead_ends
            unchecked += list_untried(evaluation.ruleset, dead_ends)
        except UnfinishedError:
            unchecked += (Unchecked(code=NOT_FINISHED, text=""),)
    return Report(
        costs=list_roster_costs(evaluation),
        violations=violations,
        unchecked=unchecked,
        figures=keep_agreed_figures(evaluation, others, list_figures) if others else list_figures(evaluation),
        command=describe_commander(evaluation),
        forces=build_effective_tree(evaluation) if tree else (),
    )


def find_violations(evaluation: Evaluation) -> tuple[Violation, ...]:
    """Find all violations, as the list stands."""
    # Whether nothing can complete the list is asked apart: the answer takes longest.
    checks = [check for code, check in RULE_KINDS.items() if code is not RuleCode.NO_COMPLETION]
    return tuple(dedupe_violations(violation for check in checks for violation in check(evaluation)))


def list_untried(ruleset: Ruleset, dead_ends: Collection[Violation]) -> tuple[Unchecked, ...]:
    """List what looking ahead left out where it found that nothing completes a list: it tries its factions alone."""
    return (Unchecked(code=OTHER_FACTIONS, text=""),) if dead_ends and ruleset.is_partial else ()


def dedupe_violations(violations: Iterable[Violation]) -> list[Violation]:
    """Return each violation once: a rule of a book that takes several constraints is broken once by the same figures.

    The gravest of them counts, at the place of the first. A bound below zero leaves as little as zero does. Constraints
    that carry out no such rule are told apart if one of them binds several times; a group and its only entry that both
    ask for the same thing ask once. A rule about what all have in common has nothing to add to the things of another
    faction that break it.
    """
    places: dict[tuple[object, ...], int] = {}
    foreign_rules: set[str] = set()
    distinct: list[Violation] = []
    for violation in violations:
        if violation.code == RuleCode.FOREIGN_ENTRY and violation.rule:
            foreign_rules.add(violation.rule)
        elif violation.rule in foreign_rules:
            is_about_all = violation.on.kind is PlaceKind.ROSTER or violation.code == RuleCode.NO_COMMON_CATEGORY
            if is_about_all:
                continue
        key = _identify_violation(violation)
        place = places.get(key)
        if place is None or not (violation.rule or distinct[place].constraint_id != violation.constraint_id):
            places[key] = len(distinct)
            distinct.append(violation)
        elif _rank_gravest_first(violation) < _rank_gravest_first(distinct[place]):
            distinct[place] = violation
    return distinct


def _rank_gravest_first(violation: Violation) -> tuple[int, bool]:
    return [*Severity].index(violation.severity), violation.mendable


def _identify_violation(violation: Violation) -> tuple[object, ...]:
    """Return what two violations that say the same have in common.

    A rule may count several sets of one name: the core units that every list may take, and these with what a leader
    adds.
    """
    counted = violation.counted if violation.rule else violation.counted_id
    figures = (counted, violation.measured, max(violation.allowed, 0))
    apart = () if violation.rule else (violation.on, violation.severity, violation.mendable)
    return (violation.rule, violation.code, violation.on.id, violation.text, figures, apart)


def list_figures(evaluation: Evaluation) -> tuple[FigureTotal, ...]:
    """List what the list is known by in addition to its costs."""
    system = evaluation.ruleset.binding.game_system
    compute_amount, roster = evaluation.queries.compute_amount, evaluation.roster
    figures = []
    for figure in system.figures if system else ():
        query = figure.query
        value: Number = figure.value + (compute_amount(query, roster) or 0)
        for term in figure.terms:
            value += term.coefficient * (compute_amount(term.query, roster) or 0)
        is_cost = query.field in evaluation.ruleset.binding.cost_types and not figure.terms
        is_of_all = query.scope == Scope.ROSTER and query.child_id == ANY
        figures.append(
            FigureTotal(
                id=figure.id,
                name=figure.name,
                value=shorten_number(value),
                cost_id=query.field if is_cost and is_of_all else "",
                text=figure.text,
                citation=figure.citation,
            )
        )
    return tuple(figures)


def describe_commander(evaluation: Evaluation) -> CommanderInfo | None:
    """Describe who commands; None if the data knows no commander."""
    search = evaluation.command
    if search is None:
        return None
    rank = evaluation.ruleset.binding.cost_types.get(search.command.by)
    return CommanderInfo(
        id=search.command.id,
        name=find_name(evaluation, search.command.id),
        by=rank.name if rank else search.command.by,
        rank=shorten_number(search.rank),
        able=search.able,
        highest=sum(node.total for node in search.highest),
        commander=locate_selection(evaluation, search.commander) if search.commander else None,
        open_to=tuple(node.written.id for node in search.highest) if search.is_open else (),
    )


def list_roster_costs(evaluation: Evaluation) -> tuple[CostTotal, ...]:
    """List the sums of every cost type that is limited, or was ever seen in the roster."""
    totals = evaluation.totals
    document = evaluation.roster.document
    limited = [limit.type_id for limit in document.limits if limit.value >= 0]
    return evaluation.build_cost_lines(totals, [*totals, *document.cost_types, *limited])


NO_LIMIT = "no-limit"
"""The code of the remark that a rule wanted a share of a limit that the roster does not have."""

UNDECIDED = "undecided-categories"
"""The code of the remark that the categories of a selection depend on others that depend on it in turn."""


def list_unchecked(evaluation: Evaluation) -> tuple[Unchecked, ...]:
    """List what the data in use leaves open: in whole catalogues, and in the entries selected."""
    remarks: list[Unchecked] = []
    for catalogue in evaluation.catalogues:
        remarks += catalogue.unchecked
    remarks += [Unchecked(code=NO_LIMIT, text=find_name(evaluation, type_id)) for type_id in evaluation.unlimited]
    remarks += [
        Unchecked(code=UNDECIDED, text=evaluation.values.get_name(node)) for node in evaluation.categories.undecided
    ]
    if not any(remark.subject_id for remark in remarks):
        return tuple(remarks)
    taken = {key for node in evaluation.roster.selections for key in node.keys}
    return tuple(remark for remark in remarks if not remark.subject_id or remark.subject_id in taken)


def excuse_exceptions(
    evaluation: Evaluation, violations: Iterable[Violation], unchecked: Iterable[Unchecked]
) -> Iterator[Violation]:
    """Make errors warnings where a unit that they are about may be excused from their rule, which nobody checks."""
    excused: dict[str, set[str]] = {}
    for note in unchecked:
        if note.excused_from:
            excused.setdefault(note.excused_from, set()).add(note.subject_id)
    for violation in violations:
        subjects = excused.get(violation.rule, set()) if violation.severity is Severity.ERROR else set()
        nodes = [evaluation.scopes.by_id.get(place.id) for place in (violation.on, *violation.cause) if subjects]
        around = (outer for node in nodes if node for outer in walk_outward(node) if isinstance(outer, SelectionNode))
        if any(not subjects.isdisjoint(outer.keys) for outer in around):
            yield copy_with(violation, severity=Severity.WARNING)
        else:
            yield violation


# ---- room for what is missing ----------------------------------------------------------------------------------------


ROOTED = (PlaceKind.FORCE, PlaceKind.CATEGORY)


def mark_crowded(evaluation: Evaluation, violations: Iterable[Violation]) -> Iterator[Violation]:
    """Mark as crowded the violations that picks could mend in a detachment which has no room for them."""
    forces = {force.document.id: force for force in evaluation.roster.all_forces}
    for violation in violations:
        force = forces.get(violation.on.id) if violation.on.kind in ROOTED else None
        if force and violation.mendable and violation.mended_by:
            yield copy_with(violation, crowded=not _has_place_for(evaluation, force, violation.mended_by))
        else:
            yield violation


def _has_place_for(evaluation: Evaluation, force: ForceNode, ids: Collection[str]) -> bool:
    """Return whether some pick in a force that counts as one of these is free; true if no pick of the force counts."""
    counting = []
    for option in force.contents.options if force.contents else ():
        node = evaluation.preview_selection(force, option)
        keys = {*node.keys, *evaluation.categories.get_membership(node).ids}
        if not keys.isdisjoint(ids) and evaluation.is_open(force, option):
            counting.append(option)
    for option in counting:
        preview = PickPreview(evaluation, force)
        plan = pick_option(evaluation, force, option)
        blocked = preview.find_violation(plan, preview.prices.compute_costs(plan))
        if blocked is None or blocked.mendable:
            return True
    return not counting
