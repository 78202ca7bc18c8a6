"""The one door: is this roster legal, what does it cost, what does it amount to."""

from collections.abc import Iterable, Iterator
from importlib import import_module

from catalogue.definitions.catalogues import Figure, Unchecked
from catalogue.definitions.numbers import Number, exact
from catalogue.definitions.queries import ANY, Scope
from catalogue.definitions.rule_codes import RuleCode
from roster.engine.case import Case
from roster.engine.compile import Ruleset
from roster.engine.crowding import told_room
from roster.engine.places import name_of, selection_place
from roster.engine.plan import GamePlan
from roster.engine.report import Commanded, CostTotal, FigureTotal, PlaceKind, Report, Violation
from roster.engine.rule import RuleKind
from roster.engine.supposing import agreed, choices, settled
from roster.engine.totals import cost_lines
from roster.engine.tree import Roster
from roster.engine.unfold import unfold


def load_rule(code: RuleCode) -> RuleKind:
    """Load a rule kind from the file that is called like it."""
    module = import_module(f"roster.engine.rules.{code.name.lower()}")
    return RuleKind(code, module.check)


RULE_KINDS = tuple(load_rule(code) for code in RuleCode)
"""Every kind of rule, in the order of its violations in a report."""


def evaluate(ruleset: Ruleset, roster: Roster, game: GamePlan | None = None, *, tree: bool = True) -> Report:
    """Judge `roster` by `ruleset`; with a `game`, also how it is to be played there.

    `tree` also fills `Report.forces` with everything derived for each force and selection; leave it out where only
    verdict and costs are wanted. Never raises on any roster: what the data does not know becomes a violation.
    """
    return report_of(Case(ruleset, roster, game), tree=tree)


def report_of(case: Case, *, tree: bool = True) -> Report:
    """The same for a case at hand, of which something else is asked afterwards, such as what is on offer."""
    case.deadline()
    others = choices(case)
    return Report(
        costs=roster_costs(case),
        violations=tuple(told_room(case, settled(violations(case), others, violations))),
        unchecked=unchecked(case),
        figures=agreed(case, others, figures),
        command=commanded(case),
        forces=unfold(case) if tree else (),
    )


def violations(case: Case) -> tuple[Violation, ...]:
    """All breaches, as the list stands."""
    return tuple(distinct(violation for kind in RULE_KINDS for violation in kind.check(case)))


def distinct(violations: Iterable[Violation]) -> Iterator[Violation]:
    """The breaches, each said once: a rule of a book that takes several constraints is broken once by the same figures.

    A bound below zero leaves as little as zero does. Constraints that carry out no such rule are told apart where one
    of them binds several times; a group and its only entry that both ask for the same thing ask once. A rule about what
    all have in common has nothing to add to the things of another faction that break it.
    """
    seen: dict[tuple[object, ...], str] = {}
    foreign: set[str] = set()
    for found in violations:
        if found.code == RuleCode.FOREIGN_ENTRY:
            foreign.update([found.rule] if found.rule else [])
        elif found.rule in foreign and (
            found.on.kind is PlaceKind.ROSTER or found.code == RuleCode.NO_COMMON_CATEGORY
        ):
            continue
        told = (found.counted_id, found.measured, max(found.allowed, 0))
        apart = () if found.rule else (found.on, found.severity, found.mendable)
        key = (found.rule, found.code, found.on.id, found.text, told, apart)
        again = seen.get(key)
        if again is None or (not found.rule and again == found.constraint_id):
            seen[key] = found.constraint_id
            yield found


def figures(case: Case) -> tuple[FigureTotal, ...]:
    """What the list is known by beside its costs."""
    system = case.ruleset.binding.game_system
    return tuple(
        FigureTotal(
            id=figure.id,
            name=figure.name,
            value=exact(_value(case, figure)),
            cost_id=_cost_of(case, figure),
            text=figure.text,
            citation=figure.citation,
        )
        for figure in (system.figures if system else ())
    )


def _cost_of(case: Case, figure: Figure) -> str:
    whole = figure.query.scope == Scope.ROSTER and figure.query.child_id == ANY and not figure.terms
    return figure.query.field if whole and figure.query.field in case.ruleset.binding.cost_types else ""


def _value(case: Case, figure: Figure) -> Number:
    amount: Number = figure.value + (case.queries.amount(figure.query, case.roster) or 0)
    for term in figure.terms:
        amount += term.coefficient * (case.queries.amount(term.query, case.roster) or 0)
    return amount


def commanded(case: Case) -> Commanded | None:
    """Who commands; None where the data knows no such thing."""
    found = case.commanding
    if found is None:
        return None
    rank = case.ruleset.binding.cost_types.get(found.command.by)
    return Commanded(
        id=found.command.id,
        name=name_of(case, found.command.id),
        by=rank.name if rank else found.command.by,
        rank=exact(found.rank),
        able=found.able,
        highest=sum(node.total for node in found.highest),
        commander=selection_place(case, found.commander) if found.commander else None,
    )


def roster_costs(case: Case) -> tuple[CostTotal, ...]:
    """The sums of every cost type that is limited, or was ever seen in the roster."""
    totals = case.totals
    document = case.roster.document
    limited = [limit.type_id for limit in document.limits if limit.value >= 0]
    return cost_lines(case, totals, [*totals, *document.cost_types, *limited])


def unchecked(case: Case) -> tuple[Unchecked, ...]:
    """What the data in use leaves open: whole catalogues' and that of the entries selected."""
    remarks = [remark for catalogue in case.catalogues for remark in catalogue.unchecked]
    if not any(remark.subject_id for remark in remarks):
        return tuple(remarks)
    taken = {key for node in case.roster.selections for key in node.keys}
    return tuple(remark for remark in remarks if not remark.subject_id or remark.subject_id in taken)
