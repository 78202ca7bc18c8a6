"""The engine's entry point: evaluate a roster and build its report."""

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
"""The `check` function of each rule kind's module, in the order of a report."""


def evaluate(
    ruleset: Ruleset, roster: RosterTree, game: GamePlan | None = None, *, tree: bool = True, look_ahead: bool = False
) -> Report:
    """Evaluate `roster` and its plan for a `game`. Never raises: unknown parts become violations.

    `tree` fills `Report.forces`. `look_ahead` takes much longer and makes an incomplete list illegal if nothing can
    complete it.
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
    """Build a report, reusing results for unchanged units from `before`, an evaluation with a report.

    Looking ahead stops after `seconds` of CPU time, and the report says so.
    """
    evaluation.deadline()
    if before:
        take_over(evaluation, before)
    broken, others = find_violations(evaluation), list_choices(evaluation) if evaluation.command else []
    if others:
        broken = settle_violations(broken, others, find_violations)
    unchecked = list_unchecked(evaluation)
    violations = tuple(excuse_exceptions(evaluation, mark_crowded(evaluation, broken), unchecked))
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
    checks = [check for code, check in RULE_KINDS.items() if code is not RuleCode.NO_COMPLETION]
    return tuple(dedupe_violations(violation for check in checks for violation in check(evaluation)))


def list_untried(ruleset: Ruleset, dead_ends: Collection[Violation]) -> tuple[Unchecked, ...]:
    return (Unchecked(code=OTHER_FACTIONS, text=""),) if dead_ends and ruleset.is_partial else ()


def dedupe_violations(violations: Iterable[Violation]) -> list[Violation]:
    """Return each violation once.

    Violations of one rulebook rule with equal figures count once: the gravest, at the first place. Without a rule,
    equal violations of different constraints count once, such as a group's and its only entry's. Negative bounds equal
    0. A rule about a common category is left out if another faction's units break it.
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
    """Tell apart the sets that one rule counts, such as core units and a leader's additions.

    Constraints on several books' links to one unit count the same.
    """
    counted = violation.counted if violation.rule else violation.counted_id
    figures = (counted, violation.measured, max(violation.allowed, 0))
    apart = () if violation.rule else (violation.on, violation.severity, violation.mendable)
    alike = (
        frozenset(place.id for place in violation.cause) if violation.on.kind is PlaceKind.SELECTION else frozenset()
    )
    is_shared = violation.rule and violation.code == RuleCode.MAXIMUM and violation.on.id in alike
    place: object = alike if is_shared else violation.on.id
    return (violation.rule, violation.code, place, violation.text, figures, apart)


def list_figures(evaluation: Evaluation) -> tuple[FigureTotal, ...]:
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
    """List costs that are limited or were ever used."""
    totals = evaluation.totals
    document = evaluation.roster.document
    limited = [limit.type_id for limit in document.limits if limit.value >= 0]
    return evaluation.build_cost_lines(totals, [*totals, *document.cost_types, *limited])


NO_LIMIT = "no-limit"
"""Code: a rule needs a share of a limit that the roster lacks."""

UNDECIDED = "undecided-categories"
"""Code: categories depend on each other in a cycle."""


def list_unchecked(evaluation: Evaluation) -> tuple[Unchecked, ...]:
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
    """Turn errors into warnings for units that may be exempt, because exemptions are not checked."""
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
    """Mark violations whose detachment has no room for missing picks."""
    forces = {force.document.id: force for force in evaluation.roster.all_forces}
    for violation in violations:
        force = forces.get(violation.on.id) if violation.on.kind in ROOTED else None
        if force and violation.mendable and violation.mended_by:
            yield copy_with(violation, crowded=not _has_place_for(evaluation, force, violation.mended_by))
        else:
            yield violation


def _has_place_for(evaluation: Evaluation, force: ForceNode, ids: Collection[str]) -> bool:
    """Return whether an option that counts as one of `ids` fits, or none counts."""
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
