"""The engine's entry point: is this roster legal, what does it cost, what does it amount to."""

from collections.abc import Collection, Iterable, Iterator
from importlib import import_module
from math import inf

from catalogue.definitions.catalogues import Figure, Unchecked
from catalogue.definitions.constraints import Severity
from catalogue.definitions.numbers import Number, shorten_number
from catalogue.definitions.queries import ANY, Scope
from catalogue.definitions.rule_codes import RuleCode
from catalogue.graph.compiled_entry import CompiledOption
from catalogue.graph.ruleset import Ruleset
from roster.engine.commander_choices import keep_agreed_figures, list_choices, settle_violations
from roster.engine.completion.effort import UnfinishedError, Work
from roster.engine.effective_tree import build_effective_tree
from roster.engine.evaluation import Evaluation
from roster.engine.nodes import ForceNode
from roster.engine.pick_preview import PickPreview, pick_option
from roster.engine.plan import GamePlan
from roster.engine.report import NOT_FINISHED, CommanderInfo, CostTotal, FigureTotal, PlaceKind, Report, Violation
from roster.engine.rule import LoadedRule, need_nothing
from roster.engine.tree import RosterTree, copy_with
from roster.engine.violation_location import find_name, locate_selection


def load_rule(code: RuleCode) -> LoadedRule:
    """Load a rule kind from the file that is called like it; one that names no premise is asked of every list."""
    module = import_module(f"roster.engine.rules.{code.name.lower()}")
    return LoadedRule(code, module.check, getattr(module, "PREMISE", need_nothing))


RULE_KINDS = tuple(load_rule(code) for code in RuleCode)
"""Every kind of rule, in the order of its violations in a report."""


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
    evaluation: Evaluation, *, tree: bool = True, look_ahead: bool = False, seconds: float = inf
) -> Report:
    """Build the report of an evaluation of which something else is asked afterwards, such as what is on offer.

    Looking ahead is given up after so many `seconds` of processor time, and then the report says so.
    """
    evaluation.deadline()
    broken, others = find_violations(evaluation), list_choices(evaluation) if evaluation.command else []
    if others:
        broken = settle_violations(broken, others, find_violations)
    violations = tuple(mark_crowded(evaluation, broken))
    unchecked = list_unchecked(evaluation)
    if look_ahead and _is_unfinished(violations):
        evaluation.memo[Work] = Work(seconds)
        try:
            violations += tuple(find_dead_end(evaluation))
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
    asked = (kind for kind in RULE_KINDS if kind.code is not RuleCode.NO_COMPLETION)
    kinds = [kind for kind in asked if kind.premise(evaluation)]
    return tuple(dedupe_violations(violation for kind in kinds for violation in kind.check(evaluation)))


def find_dead_end(evaluation: Evaluation) -> Iterator[Violation]:
    """Find out whether nothing can complete a list; asked last, because the answer takes longest."""
    for kind in RULE_KINDS:
        if kind.code is RuleCode.NO_COMPLETION:
            yield from kind.check(evaluation)


def _is_unfinished(violations: Iterable[Violation]) -> bool:
    """Return whether a list is incomplete: something is wrong, and further picks could mend all of it."""
    errors = [violation for violation in violations if violation.severity is Severity.ERROR]
    return bool(errors) and all(violation.mendable for violation in errors)


def dedupe_violations(violations: Iterable[Violation]) -> Iterator[Violation]:
    """Yield each violation once: a rule of a book that takes several constraints is broken once by the same figures.

    A bound below zero leaves as little as zero does. Constraints that carry out no such rule are told apart where one
    of them binds several times; a group and its only entry that both ask for the same thing ask once. A rule about what
    all have in common has nothing to add to the things of another faction that break it.
    """
    constraint_ids: dict[tuple[object, ...], str] = {}
    foreign_rules: set[str] = set()
    for violation in violations:
        if violation.code == RuleCode.FOREIGN_ENTRY and violation.rule:
            foreign_rules.add(violation.rule)
        elif violation.rule in foreign_rules and _is_about_all(violation):
            continue
        key = _identify_violation(violation)
        if not _is_repeat(violation, constraint_ids.get(key)):
            constraint_ids[key] = violation.constraint_id
            yield violation


def _is_repeat(violation: Violation, known_id: str | None) -> bool:
    """Return whether a violation says what was said for a constraint: by the same rule, or for another one."""
    return known_id is not None and (bool(violation.rule) or known_id != violation.constraint_id)


def _is_about_all(violation: Violation) -> bool:
    """Return whether a violation is about what all units have in common."""
    return violation.on.kind is PlaceKind.ROSTER or violation.code == RuleCode.NO_COMMON_CATEGORY


def _identify_violation(violation: Violation) -> tuple[object, ...]:
    """Return what two violations have in common that say the same.

    A rule may count several sets of one name: the core units that anybody may take, and these with what a leader adds.
    """
    counted = violation.counted if violation.rule else violation.counted_id
    figures = (counted, violation.measured, max(violation.allowed, 0))
    apart = () if violation.rule else (violation.on, violation.severity, violation.mendable)
    return (violation.rule, violation.code, violation.on.id, violation.text, figures, apart)


def list_figures(evaluation: Evaluation) -> tuple[FigureTotal, ...]:
    """List what the list is known by beside its costs."""
    system = evaluation.ruleset.binding.game_system
    return tuple(
        FigureTotal(
            id=figure.id,
            name=figure.name,
            value=shorten_number(_compute_figure(evaluation, figure)),
            cost_id=_find_cost_id(evaluation, figure),
            text=figure.text,
            citation=figure.citation,
        )
        for figure in (system.figures if system else ())
    )


def _find_cost_id(evaluation: Evaluation, figure: Figure) -> str:
    whole = figure.query.scope == Scope.ROSTER and figure.query.child_id == ANY and not figure.terms
    return figure.query.field if whole and figure.query.field in evaluation.ruleset.binding.cost_types else ""


def _compute_figure(evaluation: Evaluation, figure: Figure) -> Number:
    amount: Number = figure.value + (evaluation.queries.compute_amount(figure.query, evaluation.roster) or 0)
    for term in figure.terms:
        amount += term.coefficient * (evaluation.queries.compute_amount(term.query, evaluation.roster) or 0)
    return amount


def describe_commander(evaluation: Evaluation) -> CommanderInfo | None:
    """Describe who commands; None where the data knows no commander."""
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
    )


def list_roster_costs(evaluation: Evaluation) -> tuple[CostTotal, ...]:
    """List the sums of every cost type that is limited, or was ever seen in the roster."""
    totals = evaluation.totals
    document = evaluation.roster.document
    limited = [limit.type_id for limit in document.limits if limit.value >= 0]
    return evaluation.build_cost_lines(totals, [*totals, *document.cost_types, *limited])


NO_LIMIT = "no-limit"
"""The code of the remark that a rule wanted a share of a limit that the roster does not have."""


def list_unchecked(evaluation: Evaluation) -> tuple[Unchecked, ...]:
    """List what the data in use leaves open: in whole catalogues, and in the entries selected."""
    remarks = _list_remarks(evaluation)
    if not any(remark.subject_id for remark in remarks):
        return tuple(remarks)
    taken = {key for node in evaluation.roster.selections for key in node.keys}
    return tuple(remark for remark in remarks if not remark.subject_id or remark.subject_id in taken)


def _list_remarks(evaluation: Evaluation) -> list[Unchecked]:
    remarks: list[Unchecked] = []
    for catalogue in evaluation.catalogues:
        remarks += catalogue.unchecked
    names = [find_name(evaluation, type_id) for type_id in evaluation.unlimited]
    return [*remarks, *(Unchecked(code=NO_LIMIT, text=name) for name in names)]


# ---- room for what is missing ----------------------------------------------------------------------------------------


ROOTED = (PlaceKind.FORCE, PlaceKind.CATEGORY)


def mark_crowded(evaluation: Evaluation, violations: Iterable[Violation]) -> Iterator[Violation]:
    """Mark as crowded the violations that picks could mend in a detachment which has no room for them."""
    rooms = {force.document.id: _ForceRoom(evaluation, force) for force in evaluation.roster.all_forces}
    for violation in violations:
        room = rooms.get(violation.on.id) if violation.on.kind in ROOTED else None
        if room and violation.mendable and violation.mended_by:
            yield copy_with(violation, crowded=not room.has_place_for(violation.mended_by))
        else:
            yield violation


class _ForceRoom:
    """What a force could still take; asked lazily, since most lists that miss something have room for it."""

    def __init__(self, evaluation: Evaluation, force: ForceNode) -> None:
        self._evaluation = evaluation
        self._force = force

    def has_place_for(self, ids: Collection[str]) -> bool:
        """Return whether some pick that counts as one of these is free; true where no pick of the force counts."""
        contents = self._force.contents
        counting = [option for option in contents.options if self._is_counted(option, ids)] if contents else []
        return not counting or any(self._is_free(option) for option in counting)

    def _is_counted(self, option: CompiledOption, ids: Collection[str]) -> bool:
        node = self._evaluation.preview_selection(self._force, option)
        known = {*node.keys, *self._evaluation.categories.get_membership(node).ids}
        return not known.isdisjoint(ids) and self._evaluation.is_open(self._force, option)

    def _is_free(self, option: CompiledOption) -> bool:
        preview = PickPreview(self._evaluation, self._force)
        plan = pick_option(self._evaluation, self._force, option)
        blocked = preview.find_violation(plan, preview.prices.compute_costs(plan))
        return blocked is None or blocked.mendable
