"""Limits on forces: which kinds a roster has no room for."""

from collections.abc import Iterable

from catalogue.definitions.constraints import Constraint, Severity
from catalogue.definitions.queries import ANY, Field, Scope
from roster.engine.checks import get_owner_key, list_pressing_checks, measure_check
from roster.engine.evaluation import Evaluation
from roster.engine.pick_preview import UPPER
from roster.engine.report import Violation
from roster.engine.rule import build_check_violation


def find_barred_forces(evaluation: Evaluation, entry_ids: Iterable[str]) -> dict[str, Violation]:
    """Return what one more force at the top would break, by the entry ids of the kinds that would break a maximum."""
    wanted = tuple(entry_ids)
    barred: dict[str, Violation] = {}
    for bound, code in UPPER.items():
        for check in list_pressing_checks(evaluation, bound):
            before = measure_check(evaluation, check) if _is_force_limit(check.constraint) else None
            if before is None or before.measured + 1 <= before.allowed:
                continue
            violation = build_check_violation(evaluation, code, before._replace(measured=before.measured + 1))
            key = check.constraint.query.child_id or get_owner_key(check)
            for entry_id in wanted:
                if key in (ANY, entry_id):
                    barred.setdefault(entry_id, violation)
    return barred


def _is_force_limit(constraint: Constraint) -> bool:
    """Return whether a constraint limits, for good, how many forces the roster has."""
    query = constraint.query
    counts_all_forces = query.field == Field.FORCES and query.scope == Scope.ROSTER and not query.percent
    return counts_all_forces and constraint.severity is Severity.ERROR and not constraint.terms
