"""Two lists or two states of one, side by side: what was chosen otherwise, what that costs and does to the verdict."""

from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import dataclass

from catalogue.definitions.numbers import Number
from catalogue.models import PackVersion
from roster.engine.compare import Difference, DifferenceKind, DifferencePart, compare_rosters
from roster.engine.report import CostTotal, Report, Verdict, Violation
from roster.models import Roster, RosterRevision
from roster.services.evaluation import EvaluatedList, evaluate_list


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedList:
    """One of the two: a list by the rules of one version."""

    judged: EvaluatedList
    version: PackVersion


@dataclass(frozen=True, slots=True, kw_only=True)
class CostChange:
    """How much a cost type came to and comes to now."""

    type_id: str
    name: str
    before: Number
    after: Number

    @property
    def more(self) -> Number:
        return self.after - self.before


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What is otherwise in the second of two lists. `roster.wording.summarize_comparison` makes the sentences.

    `new` are the breaches that only the second has, `gone` those that only the first has. `missing` names what other
    data does not have of the second: that stays as a placeholder.
    """

    before: ComparedList
    after: ComparedList
    differences: tuple[Difference, ...]
    costs: tuple[CostChange, ...]
    new: tuple[Violation, ...]
    gone: tuple[Violation, ...]
    missing: tuple[str, ...] = ()

    @property
    def verdicts(self) -> tuple[Verdict, Verdict]:
        return self.before.judged.verdict, self.after.judged.verdict

    @property
    def same(self) -> bool:
        """Whether nothing is otherwise, not even the data."""
        return not self.differences and self.before.version.pk == self.after.version.pk


def evaluate_compared_list(held: Roster | RosterRevision, faction_id: str) -> ComparedList:
    """Evaluate what a list is now, or was at a revision, by its own data."""
    return ComparedList(judged=evaluate_list(held.version, faction_id, held.tree), version=held.version)


def compare_lists(before: ComparedList, after: ComparedList, *, one_list: bool = True) -> Comparison:
    """Everything that is otherwise in `after`. That two lists, which are not `one_list`, are not called alike, and have
    other notes, goes without saying."""
    one, other = before.judged, after.judged
    shown_differences = compare_rosters(one.tree, other.tree)
    if not one_list:
        shown_differences = tuple(
            d
            for d in shown_differences
            if d.what is not DifferencePart.LIST or d.kind in (DifferenceKind.LIMIT, DifferenceKind.RULES)
        )
    return Comparison(
        before=before,
        after=after,
        differences=shown_differences,
        costs=tuple(_compare_costs(one.report, other.report)),
        new=_subtract_violations(other.report.violations, one.report.violations),
        gone=_subtract_violations(one.report.violations, other.report.violations),
        missing=other.missing_names if before.version.pk != after.version.pk else (),
    )


def _compare_costs(before: Report, after: Report) -> Iterable[CostChange]:
    was = {cost.type_id: cost for cost in before.costs if not cost.hidden}
    now = {cost.type_id: cost for cost in after.costs if not cost.hidden}
    for type_id, cost in (was | now).items():
        yield CostChange(
            type_id=type_id,
            name=cost.name,
            before=_get_value(was.get(type_id)),
            after=_get_value(now.get(type_id)),
        )


def _get_value(cost: CostTotal | None) -> Number:
    return cost.value if cost else 0


def _subtract_violations(these: Iterable[Violation], those: Iterable[Violation]) -> tuple[Violation, ...]:
    """Return the violations of `these` without a counterpart in `those`, one for one."""
    # A multiset: two equal violations in one list and one in the other differ by one.
    like = Counter(_identify_violation(violation) for violation in those)
    remaining = []
    for violation in these:
        key = _identify_violation(violation)
        if like[key]:
            like[key] -= 1
        else:
            remaining.append(violation)
    return tuple(remaining)


def _identify_violation(violation: Violation) -> Hashable:
    """Return what makes a violation the same in two lists: its rule and subject, not its figures or its unit."""
    on = violation.on
    return (
        violation.code,
        violation.constraint_id,
        violation.owner_id,
        violation.counted_id,
        on.kind,
        on.entry_id,
    )
